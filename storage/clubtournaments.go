package storage

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/club"
)

const tournamentColumns = `name, title, terms, starts, words, untold, stage, due, life, version`

func tournamentInto(t *club.Tournament) []any {
	return []any{&t.Name, &t.Title, inJSON{&t.Match}, micros{&t.Starts}, inJSON{&t.Words}, inJSON{&t.Untold}, &t.Stage, micros{&t.Due}, inJSON{&t.Life}, &t.Version}
}

// Tournament reads a tournament; nil where there is none of that name.
func (db *DB) Tournament(ctx context.Context, name string) (t *club.Tournament, err error) {
	defer wrap(&err, "read the tournament %s", name)
	all, err := list(ctx, db.reader, tournamentInto, `SELECT `+tournamentColumns+` FROM tournaments WHERE name = $1`, name)
	if len(all) > 0 {
		t = &all[0]
	}
	return t, err
}

// Tournaments lists all tournaments, the newest first.
func (db *DB) Tournaments(ctx context.Context) (out []club.Tournament, err error) {
	defer wrap(&err, "list the tournaments")
	return list(ctx, db.reader, tournamentInto, `SELECT `+tournamentColumns+` FROM tournaments ORDER BY starts DESC, name`)
}

// DueTournaments lists tournaments that are to be looked at by now.
func (db *DB) DueTournaments(ctx context.Context, now time.Time) (out []club.Tournament, err error) {
	defer wrap(&err, "look for tournaments that go on")
	return list(ctx, db.reader, tournamentInto, `SELECT `+tournamentColumns+` FROM tournaments WHERE due <= $1 ORDER BY due, name`, now.UnixMicro())
}

// TournamentOf is the name of the tournament that a match belongs to; empty for none.
func (db *DB) TournamentOf(ctx context.Context, match string) (name string, err error) {
	defer wrap(&err, "look for the tournament of match %s", match)
	err = db.reader.QueryRowContext(ctx, `SELECT coalesce((SELECT tournament FROM tournamentmatches WHERE match = $1), '')`, match).Scan(&name)
	return name, err
}

// applyTournaments writes new tournaments and those that have not changed since they were read,
// and which match belongs to which.
func applyTournaments(ctx context.Context, tx *transaction, c *club.Change) error {
	for _, t := range c.Tournaments {
		due := known(t.Due)
		var err error
		if t.Version == 0 {
			_, err = tx.ExecContext(ctx, `INSERT INTO tournaments (name, title, terms, starts, words, untold, stage, due, life, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)`,
				t.Name, t.Title, inJSON{t.Match}, t.Starts.UnixMicro(), inJSON{t.Words}, inJSON{t.Untold}, string(t.Stage), due, inJSON{t.Life})
		} else {
			err = unmoved(tx.ExecContext(ctx, `UPDATE tournaments SET title = $1, starts = $2, words = $3, untold = $4, stage = $5, due = $6, life = $7, version = version + 1
				WHERE name = $8 AND version = $9`, t.Title, t.Starts.UnixMicro(), inJSON{t.Words}, inJSON{t.Untold}, string(t.Stage), due, inJSON{t.Life}, t.Name, t.Version))
		}
		if err != nil {
			return orConflict(err, "write the tournament %s", t.Name)
		}
	}
	for match, name := range c.InTournament {
		if _, err := tx.ExecContext(ctx, `INSERT INTO tournamentmatches (match, tournament) VALUES ($1, $2)`, match, name); err != nil {
			return fmt.Errorf("put match %s into the tournament %s: %w", match, name, err)
		}
	}
	return nil
}

// goesOn lets the tournament of a match be looked at.
func goesOn(ctx context.Context, tx *transaction, match string) error {
	_, err := tx.ExecContext(ctx, `UPDATE tournaments SET due = 0, version = version + 1 WHERE name = (SELECT tournament FROM tournamentmatches WHERE match = $1)`, match)
	return err
}
