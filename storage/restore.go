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

// letterNumberGap is what is added to the numbers of letters by a restore. More letters than
// this were hardly written to one seat since the backup, and none of their
// numbers may be given a second time: an answer to a letter that is lost would be
// taken for the answer to another.
const letterNumberGap = 100_000

// Restoring is how a backup is put back.
type Restoring struct {
	// Why is told to players; it may be empty.
	Why string
	// GoOn lets matches go on that have ended since the backup.
	GoOn bool
	// Ready, if it is set, is called with what was found when all is done but to put the backup in place of the
	// database. An error ends the restore, which has changed nothing then.
	Ready func(Restored) error
}

// Restored says what a restore has done.
type Restored struct {
	// Matches counts the matches under way, whose epoch has risen.
	Matches int
	// Ended are the matches that ended after the backup was made, so that their secrets are
	// published. They were taken over as they ended, unless they were to go on.
	Ended []string
	// Unknown says why it is not known which matches have ended; nil when it is.
	Unknown error
	// Since is when the newest letter in the backup was taken up; letters that
	// came later have to be read again. Zero when there is none.
	Since time.Time
	// Kept is where the database lies that was there before; empty when there
	// was none.
	Kept string
}

// Restore puts a backup in the place of the database at path. The epoch of every
// match under way rises, with an entry that says why, so that no die or card that was
// known before is used again, and numbers of letters leave a gap, so that an answer to
// a letter that the backup does not know cannot be taken for another's. A match that has ended
// since, whose secret is published by that, stays as it ended; where it cannot be taken over, nothing is restored. The
// database that was there is kept beside it. No daemon may be running.
//
// Whatever happens to it, the database from before or the restored one is there, or nothing opens until Restore is
// called again: see [Restorable].
func Restore(ctx context.Context, backup, path, keyPath string, how Restoring, now time.Time) (r Restored, err error) {
	defer wrapError(&err, "restore %s", backup)
	if _, err := putInPlace(path); err != nil {
		return r, fmt.Errorf("put the backup of an earlier restore in place: %w", err)
	}
	if err := checkBackup(ctx, backup); err != nil {
		return r, err
	}
	half := path + halfRestored
	if err := removeDatabase(half); err != nil { // An earlier restore may have left it.
		return r, err
	}
	defer func() { err = errors.Join(err, removeDatabase(half)) }()
	if err := copyFile(backup, half); err != nil {
		return r, fmt.Errorf("copy it: %w", err)
	}
	if r, err = raiseRestored(ctx, half, path, keyPath, how, now); err != nil {
		return Restored{}, fmt.Errorf("raise the epochs: %w", err)
	}
	if how.Ready != nil {
		if err := how.Ready(r); err != nil {
			return Restored{}, err
		}
	}
	if r.Kept, err = replace(path, now); err != nil {
		return Restored{}, fmt.Errorf("put it in place: %w", err)
	}
	return r, nil
}

// checkBackup refuses a backup that is damaged, or that is of a database which is no whole club.
func checkBackup(ctx context.Context, backup string) error {
	from, err := openReadOnly(ctx, backup, nil)
	if err != nil {
		return fmt.Errorf("open it: %w", err)
	}
	err = check(ctx, from)
	if err == nil {
		var marked bool
		if marked, err = from.engine.hasTable(ctx, from, unfinished); marked {
			err = ErrUnfinished
		}
	}
	if err = errors.Join(err, from.Close()); err != nil {
		return fmt.Errorf("check it: %w", err)
	}
	return nil
}

// raise raises the numbers of letters, and the epochs of the matches under way. Those that have
// ended in the present database are none.
func raiseRestored(ctx context.Context, half, present, keyPath string, how Restoring, now time.Time) (r Restored, err error) {
	if _, err := os.Stat(keyPath); err != nil {
		return r, err // Otherwise a new key would be made, which opens nothing.
	}
	db, err := openUnchecked(ctx, half, keyPath)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if r, err = db.raise(ctx, present, how, now); err != nil {
		return r, err
	}
	// All of it into the one file that is put in place.
	_, err = db.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return r, err
}

// AdoptRestored does with a database of a server, which its own programs have put back, what Restore does with a file: it
// raises the epochs of matches under way and the numbers of letters. What was there before is gone, so that it is not
// known which matches have ended since. To do it once more than needed does no harm. No daemon may be running.
func AdoptRestored(ctx context.Context, where, keyPath string, how Restoring, now time.Time) (r Restored, err error) {
	defer wrapError(&err, "take the database %s as one that was put back", redacted(where))
	if there, err := Exists(ctx, exclusiveURL(where)); err != nil || !there {
		return r, errors.Join(errors.New("there is none: put it back first, with PostgreSQL's own programs"), err)
	}
	db, err := Open(ctx, exclusiveURL(where), keyPath)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.engine.runExclusively(ctx, db.connection, func() error {
		if err := checkUnused(ctx, db.connection); err != nil {
			return err
		}
		// What daemons had in hand they have no more. It is in the mailbox still, or is read again.
		err := db.write(ctx, func(ctx context.Context, tx *transaction) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM arrivals`)
			if err == nil {
				_, err = tx.ExecContext(ctx, `UPDATE outbox SET claim = NULL WHERE claim IS NOT NULL`)
			}
			return err
		})
		if err == nil {
			r, err = db.raise(ctx, "", how, now)
		}
		if err == nil && how.Ready != nil {
			err = how.Ready(r)
		}
		return err
	})
	return r, err
}

// raise raises numbers and epochs. Where nothing is present, nobody knows what has ended.
func (db *DB) raise(ctx context.Context, present string, how Restoring, now time.Time) (r Restored, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET letters = letters + $1`, letterNumberGap); err != nil {
			return err
		}
		r.Since, err = newestReceived(ctx, tx, now)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Unknown = errors.New("the database from before is not there")
	if present != "" {
		r.Ended, r.Unknown = db.findEnded(ctx, present)
	}
	if r.Unknown != nil {
		r.Ended = nil
	}
	if len(r.Ended) > 0 && !how.GoOn {
		if err := db.takeOver(ctx, present, r.Ended); err != nil {
			return r, fmt.Errorf("%s ended after the backup was made and cannot be taken over, so that nothing is restored: %w; "+
				"with --go-on they go on from the backup, though their secrets are published: then let the director annul them", strings.Join(r.Ended,
				", "), err)
		}
	}
	r.Matches, err = db.raiseEpochs(ctx, how.Why, now)
	return r, err
}

// raiseEpochs raises the epoch of every match under way, with an entry that says why, and counts
// them.
func (db *DB) raiseEpochs(ctx context.Context, why string, now time.Time) (n int, err error) {
	ids, err := db.playing(ctx)
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
		e, err := m.Restored(last, why, now)
		if err != nil {
			return 0, err
		}
		if err := db.Apply(ctx, exchange.Change{Match: m, Entries: []record.Entry{e}}); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// playing lists the matches under way.
func (db *DB) playing(ctx context.Context) (ids []string, err error) {
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches WHERE state = 'playing' ORDER BY id`)
}

// newestReceived is when the newest letter was taken up; zero when there is none. What a clock
// that ran ahead has taken up is passed over: to read again too much does no harm, and
// too little would lose letters. What came in to matches that are archived may be gone; it came before
// they were.
func newestReceived(ctx context.Context, tx *transaction, now time.Time) (time.Time, error) {
	var any bool
	var at, archived sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM received), (SELECT at FROM received WHERE at <= $1
		ORDER BY `+tx.pool.engine.receivedOrder()+` DESC LIMIT 1),
		(SELECT max(at) FROM archives WHERE cleared = 1 AND at <= $1)`, now.UnixMicro()).Scan(&any, &at, &archived)
	switch {
	case err != nil || !any && !archived.Valid:
		return time.Time{}, err
	case !any:
		return time.UnixMicro(archived.Int64).UTC(), nil
	case !at.Valid:
		return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), nil // before any letter
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

// withAttached attaches another database file as "present", reads from it, and detaches it.
func (db *DB) withAttached(ctx context.Context, path string, do func() error) (err error) {
	if _, err := os.Stat(path); err != nil {
		return err // SQLite would say only that it cannot open the file.
	}
	if _, err := db.writer.ExecContext(ctx, `ATTACH $1 AS present`, "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro"); err != nil {
		return err
	}
	defer func() {
		if _, e := db.writer.ExecContext(ctx, `DETACH present`); err == nil {
			err = e
		}
	}()
	var have int64
	if err := db.writer.QueryRowContext(ctx, `SELECT max(version_id) FROM present.goose_db_version WHERE is_applied`).Scan(&have); err != nil {
		return err
	}
	if newest := newestVersion(); have != newest {
		return fmt.Errorf("the schema has version %d, this program reads %d", have, newest)
	}
	return do()
}

// findEnded lists the matches whose secret is published in another database with the same key, and not here: those
// that run here, and those that have ended here by an act which the director might still undo.
func (db *DB) findEnded(ctx context.Context, path string) (ids []string, err error) {
	defer wrapError(&err, "look for matches that have ended in %s", path)
	err = db.withAttached(ctx, path, func() error {
		return eachRow(ctx, db.writer, func(scan func(...any) error) error {
			there, here := match.Match{State: match.Over}, match.Match{}
			err := scan(&there.ID, db.key.unsealed(asJSON{&there.Acts}, "matches.acts", &there.ID), &here.State,
				db.key.unsealed(asJSON{&here.Acts}, "matches.acts", &there.ID))
			if there.Published() && !here.Published() {
				ids = append(ids, there.ID)
			}
			return err
		}, `SELECT p.id, p.acts, m.state, m.acts FROM present.matches p JOIN main.matches m ON m.id = p.id WHERE p.state = $1 AND m.state <> $2
			ORDER BY p.id`,
			string(match.Over), string(match.CalledOff))
	})
	return ids, err
}

// takeOver copies matches from another database file, all of them or none: history, position and
// received letters. No letter is sent again. Players keep their seats, and the numbers of
// letters keep their gap.
func (db *DB) takeOver(ctx context.Context, path string, ids []string) error {
	return db.withAttached(ctx, path, func() error {
		return db.write(ctx, func(ctx context.Context, tx *transaction) error {
			for _, id := range ids {
				if err := takeOver(ctx, tx, id); err != nil {
					return fmt.Errorf("take match %s over from %s: %w", id, path, err)
				}
			}
			return nil
		})
	})
}

func takeOver(ctx context.Context, tx *transaction, id string) error {
	var statements []string
	for _, table := range []string{"entries", "archives", "sent", "received"} {
		columns, err := columnsOf(ctx, tx, table)
		if err != nil {
			return err
		}
		statements = append(statements, `DELETE FROM main.`+table+` WHERE match = $1`,
			`INSERT INTO main.`+table+` (`+columns+`) SELECT `+columns+` FROM present.`+table+` WHERE match = $1`)
	}
	match, err := columnsOf(ctx, tx, "matches", "id", "version")
	if err != nil {
		return err
	}
	seats, err := columnsOf(ctx, tx, "seats", "match", "seat", "player", "letters")
	if err != nil {
		return err
	}
	statements = append(statements,
		`UPDATE main.matches SET version = version + 1, (`+match+`) = (SELECT `+match+` FROM present.matches WHERE id = $1) WHERE id = $1`,
		`UPDATE main.seats AS s SET (`+seats+`) = (SELECT `+seats+` FROM present.seats p WHERE p.match = s.match AND p.seat = s.seat)
			WHERE match = $1`)
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s, id); err != nil {
			return err
		}
	}
	return dropWaitingLetters(ctx, tx, `$2 IN (match, watched)`, id)
}

// columnsOf lists the columns of a table, but for some.
func columnsOf(ctx context.Context, tx *transaction, table string, but ...string) (string, error) {
	names, err := queryColumn[string](ctx, tx, `SELECT name FROM pragma_table_info($1) ORDER BY cid`, table)
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(but, name) })
	return strings.Join(names, ", "), err
}

// A restore builds the new database in samizdat.db.restoring, while samizdat.db stays as it is. The first of three
// renames, to samizdat.db.restored, is its commit: from then on whoever puts it in place does the other two, which
// keep samizdat.db as samizdat-before-TIME.db and make samizdat.db.restored the new samizdat.db.
const (
	halfRestored = ".restoring"
	allRestored  = ".restored"
)

// databaseSuffixes are what SQLite adds to the name of a database for the files that belong to it.
var databaseSuffixes = []string{"", "-wal", "-shm"}

// ErrRestoring: a restore was interrupted.
var ErrRestoring = errors.New("a restore of it was interrupted: call \"samizdat restore\" with the backup again")

// Restorable refuses a database whose restore has not come to its end: one that is half there, and one whose place is
// empty or still has the old database. Where that cannot be seen, whoever opens the database is told why.
func Restorable(where string) error {
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if isURL(where) {
		return nil
	}
	if strings.HasSuffix(where, halfRestored) || strings.HasSuffix(where, allRestored) || there(where+allRestored) ||
		there(where+halfRestored) && !there(where) {
		return fmt.Errorf("%s: %w", where, ErrRestoring)
	}
	return nil
}

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// removeDatabase removes a database that nobody uses.
func removeDatabase(path string) (err error) {
	for _, suffix := range databaseSuffixes {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// keptName is the name of a database that was replaced at a time.
func keptName(path string, at time.Time) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-before-" + at.UTC().Format("20060102-150405") + ext
}

// replace puts samizdat.db.restoring, which is complete, in the place of the database. Where that fails the database is as
// it was, or the next restore goes on.
func replace(path string, now time.Time) (kept string, err error) {
	for {
		taken, err := exists(keptName(path, now))
		if err != nil {
			return "", err
		}
		if !taken {
			break
		}
		now = now.Add(time.Second)
	}
	// Whoever goes on keeps the database under the same name.
	if err := os.Chtimes(path+halfRestored, now, now); err != nil {
		return "", err
	}
	if err := os.Rename(path+halfRestored, path+allRestored); err != nil {
		return "", err
	}
	kept, err = putInPlace(path)
	if err != nil {
		if there, e := exists(path); e == nil && there {
			err = errors.Join(err, os.Remove(path+allRestored))
		}
	}
	return kept, err
}

// putInPlace puts samizdat.db.restored in place, if it is there, and returns where the database lies that was there
// before. It may be interrupted at any moment, and called again.
func putInPlace(path string) (kept string, err error) {
	info, err := os.Stat(path + allRestored)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	to := keptName(path, info.ModTime())
	for _, suffix := range databaseSuffixes {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if there, err := exists(to); err != nil || !there {
		to = ""
	}
	return to, os.Rename(path+allRestored, path)
}
