package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

// check looks for damage in a database, and checks that its schema is one that this program knows.
func check(ctx context.Context, p *pool) error {
	if err := p.engine.check(ctx, p); err != nil {
		return err
	}
	_, _, err := schema(ctx, p)
	return err
}

// check lets SQLite look for all damage that it knows of.
func (sqlite) check(ctx context.Context, db *pool) error {
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		found, err := damage(ctx, db, pragma)
		if err != nil {
			return fmt.Errorf("look for damage: %w", err)
		}
		if len(found) > 0 {
			return fmt.Errorf("the database is damaged: %s", strings.Join(found, "; "))
		}
	}
	return nil
}

// mostDamage is how many lines of damage are worth telling.
const mostDamage = 5

func damage(ctx context.Context, db asker, pragma string) ([]string, error) {
	rows, err := db.QueryContext(ctx, "PRAGMA "+pragma)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for rows.Next() && len(out) < mostDamage {
		line := make([]sql.NullString, len(cols))
		to := make([]any, len(cols))
		for i := range line {
			to[i] = &line[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		if line[0].String != "ok" {
			out = append(out, pragma+": "+line[0].String)
		}
	}
	return out, rows.Err()
}

// schema is the version of a database's schema, and the newest that this program knows. It
// is an error when that is not enough.
func schema(ctx context.Context, db asker) (have, newest int64, err error) {
	if newest, err = newestSchema(); err != nil {
		return 0, 0, err
	}
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&have); err != nil {
		return 0, 0, fmt.Errorf("this is no database of Samizdat: %w", err)
	}
	if have > newest {
		return 0, 0, tooNew(have, newest)
	}
	return have, newest, nil
}

// newestSchema is the number of the newest migration.
func newestSchema() (int64, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		return 0, fmt.Errorf("read the migrations: %d found: %w", len(names), err)
	}
	newest := int64(0)
	for _, n := range names {
		v, err := goose.NumericComponent(n)
		if err != nil {
			return 0, fmt.Errorf("read the migrations: %w", err)
		}
		newest = max(newest, v)
	}
	return newest, nil
}

// ErrNewer: a newer Samizdat has changed the database.
var ErrNewer = errors.New("use a newer Samizdat")

func tooNew(have, newest int64) error {
	return fmt.Errorf("the schema has version %d, this program knows %d: %w", have, newest, ErrNewer)
}

// opens checks that the key is the one that wrapped a match's secret.
func (k *key) opens(ctx context.Context, db asker) error {
	var id string
	var secret []byte
	err := db.QueryRowContext(ctx, `SELECT id, secret FROM matches LIMIT 1`).Scan(&id, &secret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a secret: %w", err)
	}
	_, err = k.unseal(secret, "secret", id)
	return err
}
