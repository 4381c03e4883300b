package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// check looks for damage in a database, and checks that its schema is one that this program knows.
func check(ctx context.Context, p *pool) error {
	if err := p.engine.check(ctx, p); err != nil {
		return err
	}
	_, err := schemaVersion(ctx, p)
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
	_, err = k.open(secret, "secret", id)
	return err
}
