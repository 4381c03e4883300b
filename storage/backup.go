package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// Backup writes a copy of the database at path to a new file, while a daemon may
// be using it, and checks the copy. The key file is not part of it: who has both
// can compute coming dice. It never overwrites a file.
func Backup(ctx context.Context, path, to string) (err error) {
	// Only its owner may read it: letters in it hold hands.
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	if err := f.Close(); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	db, err := openReadOnly(ctx, path)
	if err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	if err := flush(to); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	copied, err := openReadOnly(ctx, to)
	if err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	if err := errors.Join(Check(ctx, copied), copied.Close()); err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	return nil
}

// openReadOnly opens a database that must be there, for reading.
func openReadOnly(ctx context.Context, path string) (*sql.DB, error) {
	// The driver would say only that it cannot open the file.
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// flush waits until a file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Check lets SQLite look for damage in a database, and checks that its schema is
// one that this program knows.
func Check(ctx context.Context, db *sql.DB) error {
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		found, err := damage(ctx, db, pragma)
		if err != nil {
			return fmt.Errorf("look for damage: %w", err)
		}
		if len(found) > 0 {
			return fmt.Errorf("the database is damaged: %s", strings.Join(found, "; "))
		}
	}
	newest, err := newestSchema()
	if err != nil {
		return err
	}
	var have int64
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&have); err != nil {
		return fmt.Errorf("this is no database of Samizdat: %w", err)
	}
	if have > newest {
		return tooNew(have, newest)
	}
	return nil
}

// mostDamage is how many lines of damage are worth telling.
const mostDamage = 5

func damage(ctx context.Context, db *sql.DB, pragma string) ([]string, error) {
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

// gap is what is added to the numbers of letters by a restore. More letters than
// this were hardly written to one seat since the backup, and none of their
// numbers may be given a second time: an answer to a letter that is lost would be
// taken for the answer to another.
const gap = 100_000

// Restored says what a restore has done.
type Restored struct {
	// Matches counts the matches under way, whose epoch has risen.
	Matches int
	// Since is when the newest letter in the backup was taken up; letters that
	// came later have to be read again. Zero when there is none.
	Since time.Time
	// Kept is where the database lies that was there before; empty when there
	// was none.
	Kept string
}

// Restore puts a backup in the place of the database at path. The epoch of every
// match under way rises, so that no die or card that was known before is used
// again, and numbers of letters leave a gap, so that an answer to a letter that
// the backup does not know cannot be taken for another's. The database that was
// there is kept beside it. No daemon may be running.
func Restore(ctx context.Context, backup, path, keyPath string, now time.Time) (r Restored, err error) {
	fail := func(what string, err error) (Restored, error) {
		return Restored{}, fmt.Errorf("restore %s: %s: %w", backup, what, err)
	}
	from, err := openReadOnly(ctx, backup)
	if err != nil {
		return fail("open it", err)
	}
	if err := errors.Join(Check(ctx, from), from.Close()); err != nil {
		return fail("check it", err)
	}
	fresh := path + ".restoring"
	if err := copyFile(backup, fresh); err != nil {
		return fail("copy it", err)
	}
	defer func() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if e := os.Remove(fresh + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}()
	if r, err = rise(ctx, fresh, keyPath, now); err != nil {
		return fail("raise the epochs", err)
	}
	if r.Kept, err = setAside(path, now); err != nil {
		return fail("set the present database aside", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return fail("put it in place", err)
	}
	return r, nil
}

// rise raises epochs and the numbers of letters.
func rise(ctx context.Context, path, keyPath string, now time.Time) (r Restored, err error) {
	if _, err := os.Stat(keyPath); err != nil {
		return r, err // Open would make a new key, which opens nothing.
	}
	db, err := Open(ctx, path, keyPath)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE matches SET epoch = epoch + 1, version = version + 1 WHERE state = 'playing'`)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		r.Matches = int(n)
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET letters = letters + ?`, gap); err != nil {
			return err
		}
		r.Since, err = newest(ctx, tx, now)
		return err
	})
	if err != nil {
		return r, err
	}
	// All of it into the one file that is put in place.
	_, err = db.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return r, err
}

// newest is when the newest letter was taken up; zero when there is none. What a clock
// that ran ahead has taken up is passed over: to read again too much does no harm, and
// too little would lose letters.
func newest(ctx context.Context, tx *sql.Tx, now time.Time) (time.Time, error) {
	var any bool
	var at sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM received),
		(SELECT at FROM received WHERE at <= ? ORDER BY rowid DESC LIMIT 1)`, now.UnixMicro()).Scan(&any, &at)
	switch {
	case err != nil || !any:
		return time.Time{}, err
	case !at.Valid:
		return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), nil // before any letter
	}
	return time.UnixMicro(at.Int64).UTC(), nil
}

// CheckKey looks whether a key file is the one that a database was made with.
func CheckKey(ctx context.Context, db *sql.DB, keyPath string) error {
	k, err := readKey(keyPath, false)
	if err != nil {
		return err
	}
	return k.opens(ctx, db)
}

// opens checks that the key is the one that wrapped a match's secret.
func (k key) opens(ctx context.Context, db *sql.DB) error {
	var id string
	var secret []byte
	err := db.QueryRowContext(ctx, `SELECT id, secret FROM matches LIMIT 1`).Scan(&id, &secret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a secret: %w", err)
	}
	_, err = k.unwrap(secret, "secret "+id)
	return err
}

func copyFile(from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Sync(), dst.Close())
}

// setAside moves a database out of the way, with the files that belong to it.
func setAside(path string, now time.Time) (string, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	ext := filepath.Ext(path)
	to := fmt.Sprintf("%s-before-%s%s", strings.TrimSuffix(path, ext), now.UTC().Format("20060102-150405"), ext)
	if _, err := os.Stat(to); err == nil {
		return "", fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	// What is not in the main file yet goes first: a database without it would
	// lack its newest letters.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return to, nil
}
