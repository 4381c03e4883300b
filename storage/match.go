package storage

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
)

var _ exchange.Store = (*DB)(nil)

// Create implements exchange.Store.
func (db Matches) Create(ctx context.Context, m *match.Match, letters []exchange.OutgoingLetter) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		insertMatch(ctx, tx, m)
		return queueLetters(ctx, tx, letters)
	})
}

func insertMatch(ctx context.Context, tx *transaction, m *match.Match) {
	m.Version = 1
	sealColumn := func(value any, column string) driver.Valuer { return tx.seal(value, column, m.ID) }
	tx.enqueue(ctx, wrapResult("insert match %s", m.ID), `INSERT INTO matches (id, game, revision, options, state, secret, recorded, head,
			version, created, observe, used, tempo, zero, acts, due, words, beacon)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
		m.ID, m.Game, m.Revision, asJSON{m.Options}, string(m.State), sealColumn(m.Secret.Bytes(), "secret"),
		sealColumn(nullUnless(m.Recorded != nil, asJSON{m.Recorded}), "matches.recorded"), m.Head, m.Version, m.Created.UnixMicro(),
		m.ObserverPolicy.String(), sealColumn(0, "matches.used"), tempoColumn(m.Tempo), string(m.OnTimeout),
		sealColumn(asJSON{m.Lifecycle}, "matches.acts"), nullTime(m.NextDue()), wordsColumn(m.SealedWords), beaconColumn(m))
	for i, s := range m.Seats {
		identifyPlayer(ctx, tx, s.Player)
		tx.enqueue(ctx, wrapResult("insert seat %d of match %s", i, m.ID), `INSERT INTO seats (match, seat, name, player, addresses, key,
				joined, words, letters, format, script, called, clock)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`, m.ID, i, s.Name, s.Player.ID,
			tx.seal(newSeatMail(&s), "seats.addresses", m.ID, i), tx.seal(s.Key, "key", m.ID, i),
			s.Joined, s.SeedWords, s.LastLetter, string(s.Format), string(s.Script), s.PlayerName, asJSON{s.Clock})
	}
}

// Match implements exchange.Store.
func (db Matches) Match(ctx context.Context, id string) (*match.Match, error) {
	fail := func(err error) (*match.Match, error) {
		db.recordDamage(err)
		return nil, fmt.Errorf("read match %s: %w", id, err)
	}
	ctx = db.reader.withoutCancel(ctx)
	// The match and its seats are read from one snapshot.
	tx, err := db.reader.beginSnapshot(ctx)
	if err != nil {
		return fail(err)
	}
	defer func() { _ = tx.Rollback() }() // read only
	m, err := db.key.readMatch(ctx, tx, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, exchange.ErrNoMatch
	case err != nil:
		return fail(err)
	}
	return m, nil
}

// readMatch reads a match without its entries.
func (k *key) readMatch(ctx context.Context, tx querier, id string) (*match.Match, error) {
	m := &match.Match{ID: id}
	if err := k.readMatchRow(ctx, tx, m); err != nil {
		return nil, err
	}
	if m.LastObserver > 0 {
		if err := readObservers(ctx, tx, m); err != nil {
			return nil, err
		}
	}
	var err error
	if m.Seats, err = k.readSeats(ctx, tx, id); err != nil {
		return nil, err
	}
	return m, readOutages(ctx, tx, m)
}

func (k *key) readMatchRow(ctx context.Context, tx querier, m *match.Match) error {
	var observe, tempo, words string
	var secret, archive []byte
	unsealColumn := func(to any, column string) unsealed { return k.unsealInto(to, column, m.ID) }
	err := tx.QueryRowContext(ctx, `SELECT game, revision, options, state, secret, recorded,
		used, epoch, position, build, entries, ordered, head, held, version,
		created, takeback, directing, acts, observe, tempo, zero, words, beacon, summary, coalesce(thinking, ''),
		CASE WHEN archived = 1 THEN (SELECT record FROM archives WHERE match = matches.id) END,
		(SELECT coalesce(max(number), 0) FROM observers WHERE match = matches.id),
		coalesce((SELECT build FROM stopped WHERE match = matches.id), '') FROM matches WHERE id = $1`, m.ID).Scan(
		&m.Game, &m.Revision, asJSON{&m.Options}, &m.State, unsealColumn(&secret, "secret"),
		unsealColumn(asJSON{&m.Recorded}, "matches.recorded"),
		unsealColumn(&m.Used, "matches.used"), &m.Epoch, unsealColumn(&m.Position, "matches.position"), &m.Build, &m.EntryCount,
		&m.OrderEntryCount, &m.Head, unsealColumn(asJSON{&m.Pending}, "matches.held"), &m.Version, micros{&m.Created},
		unsealColumn(asJSON{&m.Takeback}, "matches.takeback"), unsealColumn(asJSON{&m.Director}, "matches.directing"),
		unsealColumn(asJSON{&m.Lifecycle}, "matches.acts"), &observe, &tempo, &m.OnTimeout,
		&words, asJSON{&m.Beacon}, unsealColumn(asJSON{&m.Summary}, "matches.summary"), &m.BackgroundJob,
		unsealColumn(&archive, "archives.record"), &m.LastObserver, &m.DivergedBuild)
	if err != nil {
		return err
	}
	if m.ObserverPolicy, err = match.ParseObserverPolicy(observe); err != nil {
		return err
	}
	if m.Tempo, err = clock.ParseTempo(tempo); err != nil {
		return err
	}
	m.SealedWords = words == wordsColumn(true)
	if m.Secret, err = record.SecretFromBytes(secret); err != nil || archive == nil {
		return err
	}
	packed, err := unpack(archive, m, false)
	if err == nil {
		m.Position, m.Pending = packed.position, packed.Pending
	}
	return err
}

func (k *key) readSeats(ctx context.Context, tx querier, matchID string) ([]match.Seat, error) {
	var out []match.Seat
	players := map[int64]*match.Player{}
	err := eachRow(ctx, tx, func(scan func(...any) error) error {
		var s match.Seat
		var mail seatMailColumn
		var p match.Player
		var seat int
		unsealColumn := func(to any, column string) unsealed { return k.unsealInto(to, column, matchID, &seat) }
		err := scan(append(k.playerTargets(&p), &seat, &s.Name, unsealColumn(asJSON{&mail}, "seats.addresses"),
			unsealColumn(&s.Key, "key"), &s.Joined, &s.SeedWords, &s.LastLetter, &s.MessagesSent.Day, &s.MessagesSent.Count, &s.Format, &s.Script,
			micros{&s.AskedSince}, &s.ClosedThrough, unsealColumn(asJSON{&s.Private}, "seats.thoughts"), &s.PlayerName, asJSON{&s.Clock},
			micros{&s.CheckAt}, &s.Seal)...)
		if err != nil {
			return err
		}
		if players[p.ID] == nil {
			players[p.ID] = &p
		}
		s.Player = players[p.ID]
		s.IgnoreBouncesThrough, s.KeyExposed, s.FirstMessageID = mail.IgnoreBouncesThrough, mail.KeyExposed, mail.FirstMessageID
		s.Confirm, s.EntriesWhenAsked = mail.confirm(), mail.EntriesWhenAsked
		s.LastPicture, s.LastFullLetter, s.Robot = mail.LastPicture, mail.LastFullLetter, mail.Robot
		out = append(out, s)
		return nil
	}, `SELECT `+playerColumns+`, seat, name, addresses, key, joined, words, letters,
		said_day, said, format, script, s.since, floor, thoughts, called, clock, deadline, seal
		FROM seats s JOIN players p ON p.id = s.player WHERE match = $1 ORDER BY seat`, matchID)
	return out, err
}

// History implements exchange.Store.
func (db Matches) History(ctx context.Context, match string) (out []record.Entry, err error) {
	defer wrapError(&err, "read the history of %s", match)
	out, err = db.key.readEntries(ctx, db.reader, match)
	// If the rows do not begin with entry 0, the archive has the first entries. If the match is archived between the two
	// queries, the archive may also contain entries that were read from rows.
	if err == nil && (len(out) == 0 || out[0].Seq > 0) {
		var packed *archive
		if packed, err = db.readArchive(ctx, match, true); err == nil && packed == nil && len(out) == 0 {
			out, err = db.firstEntries(ctx, match)
		}
		if err == nil {
			out, err = packed.appendRows(out)
		}
	}
	return out, err
}

// firstEntries reads the entries of a match again after neither rows nor an archive were found: the match may have
// started between these queries. It returns errEntriesMissing if a started match has no entries.
func (db Matches) firstEntries(ctx context.Context, match string) ([]record.Entry, error) {
	var n int
	err := db.reader.QueryRowContext(ctx, `SELECT coalesce(max(entries), 0) FROM matches WHERE id = $1`, match).Scan(&n)
	if err != nil || n == 0 {
		return nil, err
	}
	out, err := db.key.readEntries(ctx, db.reader, match)
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%w: all %d entries", errEntriesMissing, n)
	}
	return out, err
}

func (k *key) readEntries(ctx context.Context, db querier, match string) ([]record.Entry, error) {
	var seq int64
	out, err := queryAll(ctx, db, func(e *record.Entry) []any {
		return []any{&seq, k.unsealInto(asJSON{e}, "entries.entry", match, &seq)}
	}, `SELECT seq, entry FROM entries WHERE match = $1 ORDER BY seq`, match)
	return fillPrevHashes(out), err
}

// fillPrevHashes sets Prev of each entry to the hash of the previous entry. Rows do not store Prev, except in entry 0.
func fillPrevHashes(entries []record.Entry) []record.Entry {
	for i := range entries {
		if i > 0 && entries[i].Prev == "" {
			entries[i].Prev = entries[i-1].Hash
		}
	}
	return entries
}

// DueMatches implements exchange.Store. It sorts by due time: at 10:30 a match with an answer that was delayed until
// 9:00 comes before a match with a deadline at 10:00.
func (db Matches) DueMatches(ctx context.Context, now time.Time, limit int) (out []string, err error) {
	defer wrapError(&err, "list due matches")
	var hasDue bool
	if err := db.reader.QueryRowContext(db.reader.withoutCancel(ctx), hasDueQuery, now.UnixMicro()).Scan(&hasDue); err != nil || !hasDue {
		return nil, err
	}
	dueByMatch := map[string]int64{}
	recordDue := func(match string, due int64) {
		if at, ok := dueByMatch[match]; !ok || due < at {
			dueByMatch[match] = due
		}
	}
	err = eachRow(ctx, db.reader, func(scan func(...any) error) error {
		var match string
		var due int64
		err := scan(&match, &due)
		recordDue(match, due)
		return err
	}, dueMatchesQuery, now.UnixMicro(), limit)
	if err != nil {
		return nil, err
	}
	players, err := queryAll(ctx, db.reader, func(p *duePlayer) []any {
		return []any{&p.id, db.key.unsealInto(asJSON{&p.contact}, "players.contact", &p.id), &p.due}
	}, duePlayersQuery, now.UnixMicro(), limit)
	for _, p := range players {
		if err != nil {
			return nil, err
		}
		var match string
		if match, err = db.matchOfPlayer(ctx, p); match != "" {
			recordDue(match, p.due)
		}
	}
	out = slices.SortedFunc(maps.Keys(dueByMatch), func(a, b string) int {
		return cmp.Or(cmp.Compare(dueByMatch[a], dueByMatch[b]), cmp.Compare(a, b))
	})
	return out[:min(len(out), limit)], err
}

// MatchesWithBackgroundJobs implements exchange.Store.
func (db Matches) MatchesWithBackgroundJobs(ctx context.Context, limit int) (ids []string, err error) {
	defer wrapError(&err, "list the matches with background jobs")
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches WHERE thinking IS NOT NULL
		ORDER BY thinking DESC, id LIMIT $1 + 0`, limit)
}

// Analysis returns the analysis of a match as JSON, or nil if there is none.
func (db Matches) Analysis(ctx context.Context, match string) (out []byte, err error) {
	defer wrapError(&err, "read the analysis of match %s", match)
	err = db.reader.QueryRowContext(ctx, `SELECT analysis FROM matches WHERE id = $1`, match).
		Scan(db.key.unsealInto(&out, "matches.analysis", match))
	return out, err
}

// hasDueQuery checks whether dueMatchesQuery or duePlayersQuery has a result, in a tenth of their time.
const hasDueQuery = `SELECT coalesce((SELECT min(due) FROM matches WHERE due IS NOT NULL) <= $1, FALSE)
	OR coalesce((SELECT max(since) FROM matches WHERE since IS NOT NULL) > $1, FALSE)
		OR coalesce((SELECT min(deadline) FROM seats WHERE deadline IS NOT NULL) <= $1, FALSE)
		OR coalesce((SELECT min(due) FROM players WHERE due IS NOT NULL) <= $1, FALSE)
		OR coalesce((SELECT max(since) FROM players WHERE since IS NOT NULL) > $1, FALSE)`

// A timer that starts in the future counts as due, because the clock was set back.
const (
	dueMatchesQuery = `SELECT id, min(due) FROM (SELECT id, due FROM matches WHERE due <= $1 UNION ALL SELECT id, coalesce(due, 0) FROM matches
		WHERE since > $1
		UNION ALL SELECT match, deadline FROM seats WHERE deadline <= $1) AS d GROUP BY id ORDER BY 2, 1 LIMIT $2 + 0`
	duePlayersQuery = `SELECT id, contact, coalesce(due, 0) FROM players WHERE due <= $1 OR since > $1 ORDER BY 3, 1 LIMIT $2 + 0`
)

// duePlayer is a player with a due time in microseconds.
type duePlayer struct {
	id, due int64
	contact contact.Contact
}

func (db Matches) matchOfPlayer(ctx context.Context, p duePlayer) (match string, err error) {
	var requestMatch string
	if r := p.contact.Request; r != nil {
		requestMatch = r.Match
	}
	return queryValue[string](ctx, db.reader, `SELECT match FROM seats WHERE player = $1 ORDER BY CASE match WHEN $2 THEN 0
		ELSE 1 END, match LIMIT 1`, p.id, requestMatch)
}

func tempoColumn(t clock.Tempo) string {
	if t.IsUntimed() {
		return ""
	}
	return t.String()
}

func wordsColumn(isSealed bool) string {
	if isSealed {
		return invitation.WordsSealed
	}
	return ""
}

func beaconColumn(m *match.Match) any { return nullUnless(m.Beacon != nil, asJSON{m.Beacon}) }
