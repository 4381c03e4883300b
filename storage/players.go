package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

var _ exchange.NoticeAndSeatReader = (*DB)(nil)

const playerColumns = `p.id, p.address, p.contact, p.version, p.zone, p.away, p.calendar, EXISTS (SELECT 1 FROM seats WHERE player = p.id
	AND match <> s.match)`

func (k *key) playerTargets(p *match.Player) []any {
	return []any{&p.ID, &p.Address, k.unsealInto(asJSON{&p.Contact}, "players.contact", &p.ID), &p.Version, &p.Zone, asJSON{&p.Away},
		&p.Calendar, &p.InOtherMatches}
}

// identifyPlayer finds or creates the stored player for a player without an ID, by address, and sets all stored fields.
// The version increases, so that concurrent changes of the player conflict.
func identifyPlayer(ctx context.Context, tx *transaction, p *match.Player) {
	if p.ID != 0 {
		return
	}
	tx.pool.engine.acquireLock(ctx, tx, playersLock)
	current := *p
	const columns = `id, contact, version, zone, away, calendar`
	targets := []any{&current.ID, tx.key().unsealInto(asJSON{&current.Contact}, "players.contact", &current.ID),
		&current.Version, &current.Zone, asJSON{&current.Away}, &current.Calendar}
	err := tx.QueryRowContext(ctx, `UPDATE players SET version = version + 1
		WHERE id = (SELECT min(id) FROM players WHERE address = $1 AND address <> '') AND address = $1 RETURNING `+columns,
		p.Address).Scan(targets...)
	if errors.Is(err, sql.ErrNoRows) {
		err = tx.QueryRowContext(ctx, `INSERT INTO players (id, address) SELECT coalesce(max(id), 0) + 1, $1 FROM players RETURNING `+columns,
			p.Address).Scan(targets...)
	}
	if err != nil {
		tx.fail(fmt.Errorf("find or create a player: %w", err))
		return
	}
	stored := *p
	tx.undo = append(tx.undo, func() { *p = stored })
	*p = current
}

// updatePlayer writes a player, and the player's address into waiting letters. It fails with match.ErrConflict if the
// row has changed since it was read.
func updatePlayer(ctx context.Context, tx *transaction, p *match.Player) {
	tx.enqueue(ctx, requireVersion("update player %d", p.ID), `UPDATE players
		SET address = $1, contact = $2, due = $3, since = $4, zone = $5, away = $6, calendar = $7, version = version + 1 WHERE id = $8
		AND version = $9`,
		p.Address, tx.seal(asJSON{p.Contact}, "players.contact", p.ID), nullTime(p.Due()),
		nullTime(p.NewestTime()), p.Zone, asJSON{p.Away}, p.Calendar, p.ID, p.Version)
	tx.enqueue(ctx, wrapResult("update the address of letters to player %d", p.ID),
		`UPDATE outbox SET recipient = $1 WHERE state = 'waiting'
		AND match IS NOT NULL AND recipient <> $1
		AND (match, seat) IN (SELECT match, seat FROM seats WHERE player = $2)`, p.Address, p.ID)
}

// Player reads a player by ID, or returns nil.
func (db Players) Player(ctx context.Context, id int64) (p *match.Player, err error) {
	defer wrapError(&err, "read player %d", id)
	return queryFirst(ctx, db.reader, db.key.playerTargets, `SELECT p.id, p.address, p.contact, p.version, p.zone, p.away, p.calendar,
		EXISTS (SELECT 1 FROM seats WHERE player = p.id) FROM players p WHERE p.id = $1`, id)
}

// SeatsOf implements exchange.NoticeAndSeatReader.
func (db Players) SeatsOf(ctx context.Context, player int64) (out []match.SeatRef, err error) {
	defer wrapError(&err, "list the seats of player %d", player)
	return queryAll(ctx, db.reader, func(s *match.SeatRef) []any { return []any{&s.Match, &s.Seat, &s.State} },
		`SELECT s.match, s.seat, m.state FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = $1 ORDER BY s.match, s.seat`, player)
}

// NoticeSentAt implements exchange.NoticeAndSeatReader.
func (db Players) NoticeSentAt(ctx context.Context, messageID string) (sent time.Time, isWaiting bool, err error) {
	defer wrapError(&err, "read the state of letter %s", messageID)
	var state string
	var at int64
	err = db.reader.QueryRowContext(ctx, `SELECT state, at FROM outbox WHERE note = $1`, messageID).Scan(&state, &at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = nil
	case err == nil && state == "sent":
		sent = time.UnixMicro(at).UTC()
	}
	return sent, err == nil && state == "waiting", err
}

// IsRegistered implements exchange.Store.
func (db Players) IsRegistered(ctx context.Context, address string) (isRegistered bool, err error) {
	defer wrapError(&err, "check whether an address is registered")
	return queryValue[bool](ctx, db.reader, `SELECT count(*) > 0 FROM players WHERE address = $1 AND address <> ''`, address)
}

func readObservers(ctx context.Context, tx querier, m *match.Match) error {
	var err error
	m.Observers, err = queryAll(ctx, tx, func(o *match.Observer) []any {
		return []any{&o.Number, &o.Address, &o.LastLetter, micros{&o.Since}, &o.IsSpoken}
	}, `SELECT number, address, letters, since, spoken FROM observers WHERE match = $1 AND ended = 0 ORDER BY number`, m.ID)
	return err
}

// applyObservers writes the observers of a change. It drops the waiting letters to observers who leave, so it runs
// before the letters of the change are queued.
func applyObservers(ctx context.Context, tx *transaction, c exchange.Change) {
	for _, o := range c.Observers {
		if o.HasLeft {
			removeObserver(ctx, tx, c.Match.ID, o.Number)
			continue
		}
		tx.enqueue(ctx, wrapResult("write observer %d of match %s", o.Number, c.Match.ID),
			`INSERT INTO observers (match, number, address, letters, since, spoken) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (match, number) DO UPDATE SET letters = excluded.letters, spoken = excluded.spoken`, c.Match.ID, o.Number, o.Address,
			o.LastLetter, o.Since.UnixMicro(), o.IsSpoken)
	}
}

func removeObserver(ctx context.Context, tx *transaction, match string, number int) {
	tx.enqueue(ctx, wrapResult("remove observer %d of match %s", number, match),
		`UPDATE observers SET ended = 1, address = '' WHERE match = $1 AND number = $2`, match, number)
	dropWaitingLetters(ctx, tx, `watched = $2 AND observer = $3`, match, number)
}

// removeUnreachable removes the observer of a failed letter, because each later letter would be retried for days.
func removeUnreachable(ctx context.Context, tx *transaction, id int64) error {
	var match sql.NullString
	var number sql.NullInt64
	if err := tx.QueryRowContext(ctx, `SELECT watched, observer FROM outbox WHERE id = $1`, id).Scan(&match, &number); err != nil {
		return err
	}
	if match.Valid {
		removeObserver(ctx, tx, match.String, int(number.Int64))
	}
	return nil
}

// ObserverKey implements exchange.Store.
func (db Players) ObserverKey() []byte { return db.key.observers }

// IsObserver implements exchange.Store.
func (db Players) IsObserver(ctx context.Context, address string) (isObserver bool, err error) {
	defer wrapError(&err, "check whether an address observes a match")
	return queryValue[bool](ctx, db.reader, `SELECT count(*) > 0 FROM observers WHERE address = $1 AND ended = 0`, address)
}

// CountReceipts implements exchange.Store.
func (db Players) CountReceipts(ctx context.Context, prefix string) (n int, err error) {
	defer wrapError(&err, "count receipts")
	return queryValue[int](ctx, db.reader, `SELECT count(*) FROM received WHERE match = '' AND seat = $1 AND digest >= $2 AND digest < $3`,
		int(rules.NoSeat), prefix, prefix+"\x7f")
}

// invalidateMatches increases the versions of the matches of a forgotten member. Otherwise a change in progress could
// write the member's data again.
func invalidateMatches(ctx context.Context, tx *transaction, c *club.Change) error {
	if c == nil || c.ForgottenMember == nil {
		return nil
	}
	ids, err := queryColumn[string](ctx, tx, `SELECT DISTINCT match FROM seats WHERE player = $1 ORDER BY match`, c.ForgottenMember.ID)
	for _, id := range ids {
		tx.exec(ctx, `UPDATE matches SET version = version + 1 WHERE id = $1`, id)
	}
	wrapError(&err, "invalidate the matches of forgotten member %d of the club", c.ForgottenMember.ID)
	return err
}

// addressLetters are the letters to an address. ids are their IDs up to lastID; forget finds the later letters.
type addressLetters struct {
	address string
	ids     []int64
	lastID  int64
}

// findAddressLetters finds the letters to a forgotten member before the transaction, because SQLite has no index on
// recipients, and a full scan in the transaction would block other changes.
func (db Matches) findAddressLetters(ctx context.Context, c *club.Change) (letters addressLetters, err error) {
	if c == nil || c.ForgottenMember == nil {
		return letters, nil
	}
	letters.address = c.ForgottenMember.Address
	if db.engine.hasRecipientIndex() {
		return letters, nil
	}
	defer wrapError(&err, "list the letters to member %d of the club", c.ForgottenMember.ID)
	if err := db.reader.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM outbox`).Scan(&letters.lastID); err != nil {
		return letters, err
	}
	letters.ids, err = findNewerLetters(ctx, db.reader, letters.address, 0)
	return letters, err
}

func findNewerLetters(ctx context.Context, db querier, address string, lastID int64) ([]int64, error) {
	return queryColumn[int64](ctx, db, `SELECT id FROM outbox WHERE recipient = $1 AND id > $2`, address, lastID)
}

// forget drops the waiting letters to the address and clears the recipient of all other letters.
func (letters addressLetters) forget(ctx context.Context, tx *transaction) error {
	newer, err := findNewerLetters(ctx, tx, letters.address, letters.lastID)
	if err != nil {
		return err
	}
	ids := slices.Concat(letters.ids, newer)
	tx.exec(ctx, `UPDATE outbox SET recipient = '', reason = '', letter = $1 WHERE state <> 'waiting' AND recipient = $2
		AND id = ANY ($3)`, emptyValue, letters.address, ids)
	dropWaitingLetters(ctx, tx, `recipient = $2 AND id = ANY ($3)`, letters.address, ids)
	tx.exec(ctx, `UPDATE outbox SET recipient = '', reason = '' WHERE state = 'dropped' AND recipient = $1
		AND id = ANY ($2)`, letters.address, ids)
	return nil
}

// forgetStatements delete a player's data, except the data that records of finished matches need.
var forgetStatements = []struct {
	statement string
	args      func(m *club.Member) []any
}{
	{`DELETE FROM received WHERE ` + receivedFrom, forgottenID},
	{`DELETE FROM bounces WHERE (match, seat) IN (SELECT match, seat FROM seats WHERE player = $1) OR recipient = $2`,
		func(m *club.Member) []any { return []any{m.ID, m.Address} }},
	{`DELETE FROM former WHERE player = $1`, forgottenID},
	{`UPDATE observers SET ended = 1, address = '' WHERE address = $1`, forgottenAddress},
	{`UPDATE seats SET called = CASE called WHEN '' THEN '' ELSE $1 END, said_day = '' WHERE player = $2`,
		func(m *club.Member) []any { return []any{m.Pseudonym(), m.ID} }},
	{`DELETE FROM applicants WHERE address = $1`, forgottenAddress},
	{`DELETE FROM queue WHERE member = $1`, forgottenID},
}

func forgottenID(m *club.Member) []any      { return []any{m.ID} }
func forgottenAddress(m *club.Member) []any { return []any{m.Address} }

// forgetMember deletes the data of a member. It runs before the letters of the change are queued, so that it does not
// drop the last letter to the member.
func forgetMember(ctx context.Context, tx *transaction, m *club.Member, memberLetters addressLetters) (err error) {
	defer wrapError(&err, "forget member %d of the club", m.ID)
	// No other transaction may seat the member during this one.
	tx.pool.engine.acquireLock(ctx, tx, playersLock)
	tx.exec(ctx, `UPDATE players SET version = version + 1 WHERE id = $1`, m.ID)
	var isPlaying bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM seats s JOIN matches ON id = match WHERE s.player = $1
		AND state IN ('inviting', 'playing'))`, m.ID).Scan(&isPlaying); err != nil {
		return err
	}
	if isPlaying {
		return match.ErrConflict
	}
	for _, f := range forgetStatements {
		tx.enqueue(ctx, wrapResult("%s", f.statement), f.statement, f.args(m)...)
	}
	if err := memberLetters.forget(ctx, tx); err != nil {
		return err
	}
	type seat struct {
		match string
		seat  int
	}
	seats, err := queryAll(ctx, tx, func(s *seat) []any { return []any{&s.match, &s.seat} }, `SELECT match, seat FROM seats WHERE player = $1`,
		m.ID)
	for _, s := range seats {
		tx.exec(ctx, `UPDATE seats SET thoughts = $1 WHERE match = $2 AND seat = $3`,
			tx.seal("{}", "seats.thoughts", s.match, s.seat), s.match, s.seat)
	}
	tx.exec(ctx, `UPDATE players SET address = '', contact = $1, due = NULL, since = NULL, zone = '', away = '{}', calendar = 0
		WHERE id = $2`, tx.seal("{}", "players.contact", m.ID), m.ID)
	return err
}
