package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/match"
)

// UnexaminedMatches returns at most limit IDs of matches that the club must examine for their results, e.g. because the
// match has ended or its end was undone.
func (db ClubResults) UnexaminedMatches(ctx context.Context, now time.Time, limit int) (ids []string, err error) {
	defer wrapError(&err, "list ended matches")
	return queryColumn[string](ctx, db.reader, `SELECT match FROM uncounted WHERE due <= $1 ORDER BY due, match LIMIT $2 + 0`,
		now.UnixMicro(), limit)
}

const resultColumns = `r.match, r.game, r.ended, r.result, coalesce(r.annulled, '')`

func resultTargets(r *club.Result) []any {
	return []any{&r.Match, &r.Game, micros{&r.Ended}, asJSON{r}, &r.AnnulmentReason}
}

// Result reads the result of a match, or returns nil.
func (db ClubResults) Result(ctx context.Context, match string) (r *club.Result, err error) {
	defer wrapError(&err, "read the result of match %s", match)
	return queryFirst(ctx, db.reader, resultTargets, `SELECT `+resultColumns+` FROM results r WHERE r.match = $1`, match)
}

// Results lists the results of a game, oldest first.
func (db ClubResults) Results(ctx context.Context, game string) (out []club.Result, err error) {
	defer wrapError(&err, "list the results of %s", game)
	return queryAll(ctx, db.reader, resultTargets, `SELECT `+resultColumns+` FROM results r WHERE r.game = $1 ORDER BY r.ended, r.match`, game)
}

// NewestResults lists the newest results of all games, newest first.
func (db ClubResults) NewestResults(ctx context.Context, limit int) (out []club.Result, err error) {
	defer wrapError(&err, "list the newest results")
	return queryAll(ctx, db.reader, resultTargets, `SELECT `+resultColumns+` FROM results r ORDER BY r.ended DESC, r.match LIMIT $1 + 0`,
		limit)
}

// ResultsOf lists the newest results of a player, newest first.
func (db ClubResults) ResultsOf(ctx context.Context, player int64, limit int) (out []club.Result, err error) {
	defer wrapError(&err, "list the results of player %d", player)
	return queryAll(ctx, db.reader, resultTargets, `SELECT `+resultColumns+` FROM resultplayers p JOIN results r ON r.match = p.match
		WHERE p.player = $1 ORDER BY p.ended DESC, p.match LIMIT $2 + 0`, player, limit)
}

// Ladder reads the last computed ladder of a game, or returns nil.
func (db ClubResults) Ladder(ctx context.Context, game string) (l *club.Ladder, err error) {
	defer wrapError(&err, "read the ladder of %s", game)
	return queryFirst(ctx, db.reader, func(l *club.Ladder) []any {
		return []any{&l.Game, micros{&l.ComputedAt}, &l.StaleChanges, asJSON{&l.Ladder}}
	}, `SELECT game, made, stale, ladder FROM ladders WHERE game = $1`, game)
}

// StaleLadders lists the games with a ladder that must be computed again: results have changed since the last
// computation, or a new rating period has begun. period is the beginning of the current rating period.
func (db ClubResults) StaleLadders(ctx context.Context, period time.Time) (games []string, err error) {
	defer wrapError(&err, "list ladders to compute")
	return queryColumn[string](ctx, db.reader, `SELECT game FROM ladders WHERE stale > 0 OR made < $1 ORDER BY game`, period.UnixMicro())
}

// UncountedUsage lists matches that have a result and no usage statistics yet, oldest first.
func (db ClubResults) UncountedUsage(ctx context.Context, limit int) (out []club.MatchUsage, err error) {
	defer wrapError(&err, "list matches without usage statistics")
	return queryAll(ctx, db.reader, func(u *club.MatchUsage) []any { return []any{&u.Match, micros{&u.Ended}} },
		`SELECT match, ended FROM results WHERE usage IS NULL ORDER BY ended, match LIMIT $1 + 0`, limit)
}

// UsageTotals adds up the usage statistics of a game's matches, except matches with annulled results.
func (db ClubResults) UsageTotals(ctx context.Context, game string) (t *usage.Totals, err error) {
	defer wrapError(&err, "add up the matches of %s", game)
	t = usage.NewTotals()
	return t, eachRow(ctx, db.reader, func(scan func(...any) error) error {
		var r club.Result
		var m usage.Match
		if err := scan(asJSON{&r}, asJSON{&m}); err != nil {
			return err
		}
		t.Add(m, r.Scores())
		return nil
	}, `SELECT result, usage FROM results WHERE game = $1 AND annulled IS NULL AND usage IS NOT NULL ORDER BY ended, match`, game)
}

func applyResults(ctx context.Context, tx *transaction, c *club.Change) error {
	for _, l := range c.Ladders {
		// l.StaleChanges changes were counted before the computation. Later changes keep the ladder stale.
		tx.enqueue(ctx, wrapResult("store the ladder of %s", l.Game), `INSERT INTO ladders (game, made, stale, ladder) VALUES ($1, $2, 0, $3)
			ON CONFLICT (game) DO UPDATE SET made = excluded.made, stale = CASE WHEN ladders.stale > $4 THEN ladders.stale - $4
			ELSE 0 END, ladder = excluded.ladder`, l.Game, l.ComputedAt.UnixMicro(), asJSON{l.Ladder}, l.StaleChanges)
	}
	for _, examined := range c.ExaminedMatches {
		if err := countMatch(ctx, tx, examined); err != nil {
			return fmt.Errorf("count match %s: %w", examined.Match, err)
		}
	}
	for _, u := range c.Usage {
		tx.exec(ctx, `UPDATE results SET usage = $1 WHERE match = $2 AND ended = $3`, asJSON{u.Usage}, u.Match, u.Ended.UnixMicro())
	}
	for _, a := range c.Annulments {
		tx.enqueue(ctx, requireVersion("annul the result of match %s", a.Match), `UPDATE results SET annulled = $1 WHERE match = $2`,
			nullUnless(a.Reason != "", a.Reason), a.Match)
		markLadderStale(ctx, tx, a.Match)
		wakeTournament(ctx, tx, a.Match)
	}
	return nil
}

func countMatch(ctx context.Context, tx *transaction, examined club.ExaminedMatch) error {
	var version int64
	err := tx.QueryRowContext(ctx, `SELECT version FROM matches WHERE id = $1 FOR UPDATE`, examined.Match).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) || err == nil && examined.Version != 0 && version != examined.Version {
		return match.ErrConflict
	}
	if err != nil {
		return err
	}
	if !examined.NextCheck.IsZero() {
		tx.exec(ctx, `UPDATE uncounted SET due = $1 WHERE match = $2`, examined.NextCheck.UnixMicro(), examined.Match)
		return nil
	}
	var annulled sql.NullString
	err = tx.QueryRowContext(ctx, `SELECT annulled FROM results WHERE match = $1 FOR UPDATE`, examined.Match).Scan(&annulled)
	switch {
	case err == nil:
		markLadderStale(ctx, tx, examined.Match)
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	for _, table := range []string{"resultplayers", "results", "uncounted"} {
		tx.exec(ctx, `DELETE FROM `+table+` WHERE match = $1`, examined.Match)
	}
	wakeTournament(ctx, tx, examined.Match)
	r := examined.Result
	if r == nil {
		return nil
	}
	tx.exec(ctx, `INSERT INTO results (match, game, ended, result, annulled) VALUES ($1, $2, $3, $4, $5)`,
		r.Match, r.Game, r.Ended.UnixMicro(), asJSON{r}, annulled)
	for _, s := range r.Seats {
		tx.exec(ctx, `INSERT INTO resultplayers (player, ended, match) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			s.Player, r.Ended.UnixMicro(), r.Match)
	}
	markLadderStale(ctx, tx, examined.Match)
	return nil
}

func markLadderStale(ctx context.Context, tx *transaction, match string) {
	tx.exec(ctx, `INSERT INTO ladders (game, made, stale, ladder) SELECT game, 0, 1, '{}' FROM results WHERE match = $1
		ON CONFLICT (game) DO UPDATE SET stale = ladders.stale + 1`, match)
}

const tournamentColumns = `name, title, terms, starts, words, untold, stage, due, life, version`

func tournamentTargets(t *club.Tournament) []any {
	return []any{&t.Name, &t.Title, asJSON{&t.MatchTerms}, micros{&t.Starts}, asJSON{&t.DiceWords}, asJSON{&t.ToNotify}, &t.Stage,
		micros{&t.Due}, asJSON{&t.Progress}, &t.Version}
}

// Tournament reads a tournament by name, or returns nil.
func (db ClubResults) Tournament(ctx context.Context, name string) (t *club.Tournament, err error) {
	defer wrapError(&err, "read the tournament %s", name)
	return queryFirst(ctx, db.reader, tournamentTargets, `SELECT `+tournamentColumns+` FROM tournaments WHERE name = $1`, name)
}

// Tournaments lists all tournaments, newest first.
func (db ClubResults) Tournaments(ctx context.Context) (out []club.Tournament, err error) {
	defer wrapError(&err, "list the tournaments")
	return queryAll(ctx, db.reader, tournamentTargets, `SELECT `+tournamentColumns+` FROM tournaments ORDER BY starts DESC, name`)
}

// DueTournaments lists the tournaments that the club must continue now.
func (db ClubResults) DueTournaments(ctx context.Context, now time.Time) (out []club.Tournament, err error) {
	defer wrapError(&err, "list due tournaments")
	return queryAll(ctx, db.reader, tournamentTargets, `SELECT `+tournamentColumns+` FROM tournaments WHERE due <= $1 ORDER BY due, name`,
		now.UnixMicro())
}

// TournamentOf returns the name of the tournament of a match, or an empty string.
func (db ClubResults) TournamentOf(ctx context.Context, match string) (name string, err error) {
	defer wrapError(&err, "find the tournament of match %s", match)
	return queryValue[string](ctx, db.reader, `SELECT coalesce((SELECT tournament FROM tournamentmatches WHERE match = $1), '')`, match)
}

// applyTournaments writes the tournaments of a change. It fails with match.ErrConflict if a tournament has changed since
// it was read.
func applyTournaments(ctx context.Context, tx *transaction, c *club.Change) {
	for _, t := range c.Tournaments {
		due, checkWritten := nullTime(t.Due), requireUnique("write the tournament %s", t.Name)
		if t.Version == 0 {
			tx.enqueue(ctx, checkWritten, `INSERT INTO tournaments (name, title, terms, starts, words, untold, stage, due, life, version)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)`, t.Name, t.Title, asJSON{t.MatchTerms}, t.Starts.UnixMicro(), asJSON{t.DiceWords},
				asJSON{t.ToNotify}, string(t.Stage), due, asJSON{t.Progress})
			continue
		}
		tx.enqueue(ctx, checkWritten, `UPDATE tournaments
			SET title = $1, starts = $2, words = $3, untold = $4, stage = $5, due = $6, life = $7, version = version + 1
			WHERE name = $8 AND version = $9`, t.Title, t.Starts.UnixMicro(), asJSON{t.DiceWords}, asJSON{t.ToNotify}, string(t.Stage), due,
			asJSON{t.Progress}, t.Name, t.Version)
	}
	for match, name := range c.TournamentOfMatch {
		tx.enqueue(ctx, wrapResult("add match %s to the tournament %s", match, name),
			`INSERT INTO tournamentmatches (match, tournament) VALUES ($1, $2)`, match, name)
	}
}

func wakeTournament(ctx context.Context, tx *transaction, match string) {
	tx.exec(ctx, `UPDATE tournaments SET due = 0, version = version + 1
		WHERE name = (SELECT tournament FROM tournamentmatches WHERE match = $1)`, match)
}
