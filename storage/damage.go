package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"
)

// ErrDamaged: what the file holds is not what was written.
var ErrDamaged = errors.New("the database is damaged, restore a backup")

// inOrder is the user_version of a database that was sound when its daemon stopped by
// itself. It is 0 while a daemon serves, and after one that was killed.
const inOrder = 1

// Taken notes that a daemon begins to serve, and reports whether the one before has left the
// database in order. It is on the disk before anything else is written.
func (db *DB) Taken(ctx context.Context) (ordered bool, err error) {
	defer wrap(&err, "note that the database is served")
	return db.engine.taken(ctx, db)
}

func (sqlite) taken(ctx context.Context, db *DB) (ordered bool, err error) {
	mark, err := db.mark(ctx)
	if err != nil || mark == 0 {
		return false, err
	}
	_, err = db.writer.ExecContext(ctx, "PRAGMA user_version = 0")
	return mark == inOrder, err
}

// Left notes that the daemon stops by itself, with a database that is sound. Where something
// was found damaged meanwhile that is not noted.
func (db *DB) Left(ctx context.Context) (err error) {
	defer wrap(&err, "note that the database is no longer served")
	if db.corrupt.Load() {
		return nil
	}
	return db.engine.left(ctx, db)
}

func (sqlite) left(ctx context.Context, db *DB) error {
	_, err := db.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", inOrder))
	return err
}

func (db *DB) mark(ctx context.Context) (n int, err error) {
	err = db.writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&n)
	return n, err
}

// LookForDamage reads the whole file of SQLite, while others write: that is seconds for some gigabytes
// in memory, and minutes on a slow disk. It leaves out what costs more than that: whether
// indexes and tables agree, which Check of backups does. What it finds is ErrDamaged.
func (db *DB) LookForDamage(ctx context.Context) error {
	return db.engine.lookForDamage(ctx, db.reader)
}

func (sqlite) lookForDamage(ctx context.Context, p *pool) error {
	found, err := damage(ctx, p, "quick_check")
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("look for damage: %w", asDamage(err))
	case len(found) > 0:
		return fmt.Errorf("%w: %s", ErrDamaged, strings.Join(found, "; "))
	}
	return nil
}

// asDamage says of an error whether it comes from damage.
func asDamage(err error) error {
	var e sqlite3.Error
	var said *pgconn.PgError
	damaged := errors.As(err, &e) && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB) ||
		errors.As(err, &said) && (said.Code == "XX001" || said.Code == "XX002") // data_corrupted, index_corrupted
	if damaged && !errors.Is(err, ErrDamaged) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// note notes whether an error comes from damage.
func (db *DB) note(err error) {
	if errors.Is(asDamage(err), ErrDamaged) {
		db.corrupt.Store(true)
	}
}
