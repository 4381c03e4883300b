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
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
)

// letterNumberGap is added to letter numbers by a restore. It exceeds the number of letters to a seat since the
// backup, so that a reply to a lost letter does not count as a reply to another letter with the same number.
const letterNumberGap = 100_000

// RestoreOptions are the options of a restore.
type RestoreOptions struct {
	// Reason is shown to players; it may be empty.
	Reason string
	// ContinueEnded continues matches that ended after the backup.
	ContinueEnded bool
	// OnReady is called before the backup replaces the database. If it returns an error, the database stays unchanged.
	OnReady func(Restored) error
}

// Restored is the result of a restore, e.g. {Matches: 3, PreviousPath: "samizdat-before-20261126-180000.db"}.
type Restored struct {
	// Matches is the number of running matches with an increased epoch.
	Matches int
	// Ended are the matches that ended after the backup. Their secrets are published, so they remain ended without ContinueEnded.
	Ended []string
	// EndedErr is the reason why Ended is unknown, or nil.
	EndedErr error
	// NewestLetter is the time of the newest letter in the backup, or zero; later letters must be read again.
	NewestLetter time.Time
	// PreviousPath is the path of the previous database, or empty without one.
	PreviousPath string
}

// Restore replaces the database at path by a backup. Every running match gets a new epoch, with an entry that gives the
// reason, so that known dice and cards are not used again. Letter numbers get a gap (letterNumberGap). The secrets of
// matches that ended after the backup are published, so these matches are copied from the previous database; if that
// fails, the restore fails. The previous database is kept beside the new one. No daemon may be running.
//
// After an interruption the previous or the new database is in place, or opening fails until Restore is called again.
func Restore(ctx context.Context, backup, path, keyPath string, options RestoreOptions, now time.Time) (r Restored, err error) {
	defer wrapError(&err, "restore %s", backup)
	if _, err := finishRestore(path); err != nil {
		return r, fmt.Errorf("finish an earlier restore: %w", err)
	}
	if err := checkBackup(ctx, backup); err != nil {
		return r, err
	}
	restoring := path + restoringSuffix
	if err := removeDatabase(restoring); err != nil { // left by an earlier restore
		return r, err
	}
	defer func() { err = errors.Join(err, removeDatabase(restoring)) }()
	if err := copyFile(backup, restoring); err != nil {
		return r, fmt.Errorf("copy the backup: %w", err)
	}
	if r, err = prepareRestored(ctx, restoring, path, keyPath, options, now); err != nil {
		return Restored{}, fmt.Errorf("start new epochs: %w", err)
	}
	if options.OnReady != nil {
		if err := options.OnReady(r); err != nil {
			return Restored{}, err
		}
	}
	if r.PreviousPath, err = replaceDatabase(path, now); err != nil {
		return Restored{}, fmt.Errorf("replace the database: %w", err)
	}
	return r, nil
}

func checkBackup(ctx context.Context, backup string) error {
	from, err := openReadOnly(ctx, backup, nil)
	if err != nil {
		return fmt.Errorf("open the backup: %w", err)
	}
	err = checkDatabase(ctx, from)
	if err == nil {
		var isUnfinished bool
		if isUnfinished, err = from.engine.hasTable(ctx, from, unfinishedTable); isUnfinished {
			err = ErrUnfinished
		}
	}
	if err = errors.Join(err, from.Close()); err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	return nil
}

func prepareRestored(ctx context.Context, restoring, previous, keyPath string, options RestoreOptions,
	now time.Time) (r Restored, err error) {
	if _, err := os.Stat(keyPath); err != nil {
		return r, err // Opening would create a new key, which cannot decrypt the database.
	}
	db, err := openUnchecked(ctx, restoring, keyPath)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if r, err = db.adaptRestored(ctx, previous, options, now); err != nil {
		return r, err
	}
	_, err = db.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return r, err
}

// AdoptRestored prepares a PostgreSQL database that was restored with PostgreSQL's tools, like Restore prepares a file:
// it starts new epochs and adds the gap to letter numbers. The matches that ended after the backup are not known,
// because there is no previous database. A call may be repeated. No daemon may be running.
func AdoptRestored(ctx context.Context, location, keyPath string, options RestoreOptions, now time.Time) (r Restored, err error) {
	defer wrapError(&err, "adopt the restored database %s", redactURL(location))
	if found, err := Exists(ctx, exclusiveURL(location)); err != nil || !found {
		return r, errors.Join(errors.New("the database does not exist: restore it first with PostgreSQL's tools, e.g. pg_restore"), err)
	}
	db, err := Open(ctx, exclusiveURL(location), keyPath)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.engine.runExclusively(ctx, db.connection, func() error {
		if err := checkNotInUse(ctx, db.connection); err != nil {
			return err
		}
		// The daemons that held claims in the backup no longer run. Their arrivals are deleted: each letter is still in
		// the inbox, or was handled after the backup and must be read again (see Restored.NewestLetter).
		err := db.write(ctx, func(ctx context.Context, tx *transaction) error {
			tx.exec(ctx, `DELETE FROM arrivals`)
			tx.exec(ctx, `UPDATE outbox SET claim = NULL WHERE claim IS NOT NULL`)
			return nil
		})
		if err == nil {
			r, err = db.adaptRestored(ctx, "", options, now)
		}
		if err == nil && options.OnReady != nil {
			err = options.OnReady(r)
		}
		return err
	})
	return r, err
}

// adaptRestored adds the gap to letter numbers, copies the matches that have ended in the previous database, and starts
// new epochs of the others. Without a previous database (an empty path) the ended matches are not known.
func (db *DB) adaptRestored(ctx context.Context, previous string, options RestoreOptions, now time.Time) (r Restored, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, `UPDATE seats SET letters = letters + $1`, letterNumberGap)
		r.NewestLetter, err = newestReceived(ctx, tx, now)
		return err
	})
	if err != nil {
		return r, err
	}
	r.EndedErr = errors.New("the previous database does not exist")
	if previous != "" {
		r.Ended, r.EndedErr = db.findEnded(ctx, previous)
	}
	if r.EndedErr != nil {
		r.Ended = nil
	}
	if len(r.Ended) > 0 && !options.ContinueEnded {
		if err := db.copyEndedMatches(ctx, previous, r.Ended); err != nil {
			return r, fmt.Errorf("nothing is restored, because these matches ended after the backup and cannot be copied: %s: %w; to restore "+
				"anyway, use --go-on: they then continue although their secrets are published, and the director should annul them",
				strings.Join(r.Ended, ", "), err)
		}
	}
	r.Matches, err = db.startEpochs(ctx, options.Reason, now)
	return r, err
}

func (db *DB) startEpochs(ctx context.Context, reason string, now time.Time) (n int, err error) {
	ids, err := db.listPlaying(ctx)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		m, err := db.Match(ctx, id)
		if err != nil {
			return 0, err
		}
		entries, err := db.History(ctx, id)
		if err != nil {
			return 0, err
		}
		var last time.Time
		if len(entries) > 0 {
			last = entries[len(entries)-1].At
		}
		e, err := m.RestoreFromBackup(last, reason, now)
		if err != nil {
			return 0, err
		}
		if err := db.Apply(ctx, exchange.Change{Match: m, Entries: []record.Entry{e}}); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

func (db *DB) listPlaying(ctx context.Context) (ids []string, err error) {
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches WHERE state = 'playing' ORDER BY id`)
}

// newestReceived returns the time of the newest received letter, or zero. Times from a clock that was ahead are skipped:
// reading too many letters again is harmless, reading too few loses letters. The letters of an archived match may have
// been deleted. If no receipt is left, newestReceived returns the time of the newest archive, which is later than all
// letters of the archived matches.
func newestReceived(ctx context.Context, tx *transaction, now time.Time) (time.Time, error) {
	var hasReceipts bool
	var at, archived sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM received), (SELECT at FROM received WHERE at <= $1
		ORDER BY `+tx.pool.engine.receivedOrder()+` DESC LIMIT 1),
		(SELECT max(at) FROM archives WHERE cleared = 1 AND at <= $1)`, now.UnixMicro()).Scan(&hasReceipts, &at, &archived)
	switch {
	case err != nil || !hasReceipts && !archived.Valid:
		return time.Time{}, err
	case !hasReceipts:
		return time.UnixMicro(archived.Int64).UTC(), nil
	case !at.Valid:
		return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), nil // before all letters
	}
	return time.UnixMicro(at.Int64).UTC(), nil
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

// withAttached attaches another database file with the schema name "previous" while run runs.
func (db *DB) withAttached(ctx context.Context, path string, run func() error) (err error) {
	if _, err := os.Stat(path); err != nil {
		return err // SQLite's error does not give the reason.
	}
	if _, err := db.writer.ExecContext(ctx, `ATTACH $1 AS previous`, "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro"); err != nil {
		return err
	}
	defer func() {
		if _, e := db.writer.ExecContext(ctx, `DETACH previous`); err == nil {
			err = e
		}
	}()
	var version int64
	err = db.writer.QueryRowContext(ctx, `SELECT max(version_id) FROM previous.goose_db_version WHERE is_applied`).Scan(&version)
	if err != nil {
		return err
	}
	if newest := newestVersion(); version != newest {
		return fmt.Errorf("the schema has version %d, this program reads %d", version, newest)
	}
	return run()
}

// findEnded returns the matches with a secret that another database has published and this one has not: here the match
// is running, or was ended by an act that the director may undo.
func (db *DB) findEnded(ctx context.Context, path string) (ids []string, err error) {
	defer wrapError(&err, "list the matches that have ended in %s", path)
	err = db.withAttached(ctx, path, func() error {
		return eachRow(ctx, db.writer, func(scan func(...any) error) error {
			ended, restored := match.Match{State: match.Over}, match.Match{}
			err := scan(&ended.ID, db.key.unsealInto(asJSON{&ended.Lifecycle}, "matches.acts", &ended.ID), &restored.State,
				db.key.unsealInto(asJSON{&restored.Lifecycle}, "matches.acts", &ended.ID))
			if ended.IsPublished() && !restored.IsPublished() {
				ids = append(ids, ended.ID)
			}
			return err
		}, `SELECT p.id, p.acts, m.state, m.acts FROM previous.matches p JOIN main.matches m ON m.id = p.id WHERE p.state = $1 AND m.state <> $2
			ORDER BY p.id`,
			string(match.Over), string(match.CalledOff))
	})
	return ids, err
}

// copyEndedMatches copies matches from another database file in one transaction: history, position and received letters.
// No letter is sent again. The columns player and letters of the seats are not copied, so that the gap in letter numbers
// remains.
func (db *DB) copyEndedMatches(ctx context.Context, path string, ids []string) error {
	return db.withAttached(ctx, path, func() error {
		return db.write(ctx, func(ctx context.Context, tx *transaction) error {
			for _, id := range ids {
				if err := copyEndedMatch(ctx, tx, id); err != nil {
					return fmt.Errorf("copy match %s from %s: %w", id, path, err)
				}
			}
			return nil
		})
	})
}

func copyEndedMatch(ctx context.Context, tx *transaction, id string) error {
	var statements []string
	for _, table := range []string{"entries", "archives", "sent", "received"} {
		columns, err := listColumns(ctx, tx, table)
		if err != nil {
			return err
		}
		statements = append(statements, `DELETE FROM main.`+table+` WHERE match = $1`,
			`INSERT INTO main.`+table+` (`+columns+`) SELECT `+columns+` FROM previous.`+table+` WHERE match = $1`)
	}
	match, err := listColumns(ctx, tx, "matches", "id", "version")
	if err != nil {
		return err
	}
	seats, err := listColumns(ctx, tx, "seats", "match", "seat", "player", "letters")
	if err != nil {
		return err
	}
	statements = append(statements,
		`UPDATE main.matches SET version = version + 1, (`+match+`) = (SELECT `+match+` FROM previous.matches WHERE id = $1) WHERE id = $1`,
		`UPDATE main.seats AS s SET (`+seats+`) = (SELECT `+seats+` FROM previous.seats p WHERE p.match = s.match AND p.seat = s.seat)
			WHERE match = $1`)
	for _, s := range statements {
		tx.exec(ctx, s, id)
	}
	dropWaitingLetters(ctx, tx, `$2 IN (match, watched)`, id)
	return nil
}

func listColumns(ctx context.Context, tx *transaction, table string, except ...string) (string, error) {
	names, err := queryColumn[string](ctx, tx, `SELECT name FROM pragma_table_info($1) ORDER BY cid`, table)
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(except, name) })
	return strings.Join(names, ", "), err
}

// A restore creates the new database in samizdat.db.restoring. Renaming it to samizdat.db.restored commits the
// restore: from then on any later restore completes it by renaming samizdat.db to samizdat-before-TIME.db, and
// samizdat.db.restored to samizdat.db.
const (
	restoringSuffix = ".restoring"
	restoredSuffix  = ".restored"
)

var databaseSuffixes = []string{"", "-wal", "-shm"}

// ErrRestoring means that a restore was interrupted.
var ErrRestoring = errors.New("its restore was interrupted: call \"samizdat restore\" with the backup again")

// CheckRestoreFinished returns ErrRestoring for a database with an unfinished restore. It ignores files that cannot
// be examined; opening the database then returns the error.
func CheckRestoreFinished(location string) error {
	found := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if isURL(location) {
		return nil
	}
	if strings.HasSuffix(location, restoringSuffix) || strings.HasSuffix(location, restoredSuffix) || found(location+restoredSuffix) ||
		found(location+restoringSuffix) && !found(location) {
		return fmt.Errorf("%s: %w", location, ErrRestoring)
	}
	return nil
}

func fileExists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func removeDatabase(path string) (err error) {
	for _, suffix := range databaseSuffixes {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// previousName returns the name of a database replaced at a time, e.g. samizdat-before-20261126-180000.db.
func previousName(path string, at time.Time) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-before-" + at.UTC().Format("20060102-150405") + ext
}

// replaceDatabase moves samizdat.db.restoring to samizdat.db. After an error either the database is unchanged or the
// next restore completes this one.
func replaceDatabase(path string, now time.Time) (previousPath string, err error) {
	for {
		isTaken, err := fileExists(previousName(path, now))
		if err != nil {
			return "", err
		}
		if !isTaken {
			break
		}
		now = now.Add(time.Second)
	}
	// A continued restore derives the same name from this time.
	if err := os.Chtimes(path+restoringSuffix, now, now); err != nil {
		return "", err
	}
	if err := os.Rename(path+restoringSuffix, path+restoredSuffix); err != nil {
		return "", err
	}
	previousPath, err = finishRestore(path)
	if err != nil {
		if found, e := fileExists(path); e == nil && found {
			err = errors.Join(err, os.Remove(path+restoredSuffix))
		}
	}
	return previousPath, err
}

// finishRestore moves samizdat.db.restored, if it exists, to samizdat.db, and returns the path of the previous
// database. It may be interrupted at any point and repeated.
func finishRestore(path string) (previousPath string, err error) {
	info, err := os.Stat(path + restoredSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	previousPath = previousName(path, info.ModTime())
	for _, suffix := range databaseSuffixes {
		if err := os.Rename(path+suffix, previousPath+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if found, err := fileExists(previousPath); err != nil || !found {
		previousPath = ""
	}
	return previousPath, os.Rename(path+restoredSuffix, path)
}
