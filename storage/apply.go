package storage

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Apply implements exchange.Store.
func (db Matches) Apply(ctx context.Context, c exchange.Change) error {
	memberLetters, err := db.findAddressLetters(ctx, c.Club)
	if err != nil {
		return err
	}
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if c.Receipt != nil {
			insertReceipt(ctx, tx, c.Receipt)
		}
		for _, m := range changedMatches(c) {
			updateMatch(ctx, tx, m)
		}
		if err := invalidateMatches(ctx, tx, c.Club); err != nil {
			return err
		}
		// insertNewMatch runs first, because it increases Player.Version, which updatePlayer compares with the row.
		for _, newMatch := range c.NewMatches {
			if err := insertNewMatch(ctx, tx, newMatch); err != nil {
				return err
			}
		}
		if c.Player != nil {
			updatePlayer(ctx, tx, c.Player)
		}
		for _, r := range c.Replacements {
			dropWaitingLetters(ctx, tx, `match = $2 AND seat = $3`, c.Match.ID, int(r.Seat))
			recordFormerPlayer(ctx, tx, c, r)
		}
		insertEntries(ctx, tx, c.Match, c.Entries)
		if c.Analysis != nil {
			tx.enqueue(ctx, wrapResult("store the analysis of match %s", c.Match.ID), `UPDATE matches SET analysis = $1 WHERE id = $2`,
				tx.seal(c.Analysis, "matches.analysis", c.Match.ID), c.Match.ID)
		}
		applyObservers(ctx, tx, c)
		if err := applyClub(ctx, tx, c.Club, memberLetters); err != nil {
			return err
		}
		queueNotices(ctx, tx, c.Match, c.Notices)
		if c.Club != nil {
			queueNotices(ctx, tx, nil, c.Club.Notices())
		}
		return queueLetters(ctx, tx, c.Letters)
	})
}

// changedMatches returns the matches of a change, sorted by ID to avoid deadlocks.
func changedMatches(c exchange.Change) []*match.Match {
	matches := slices.DeleteFunc(append([]*match.Match{c.Match}, c.OtherMatches...), func(m *match.Match) bool { return m == nil })
	slices.SortFunc(matches, func(a, b *match.Match) int { return cmp.Compare(a.ID, b.ID) })
	return matches
}

// recordFormerPlayer records until when the former player had a seat: earlier letters belong to the former player.
func recordFormerPlayer(ctx context.Context, tx *transaction, c exchange.Change, r match.Replacement) {
	if len(c.Entries) == 0 {
		return
	}
	// Times of entries are whole seconds: the former player keeps the seat until the end of the entry's second.
	until := c.Entries[0].At.Add(time.Second - time.Microsecond)
	tx.enqueue(ctx, wrapResult("record the former player of seat %d of match %s", r.Seat, c.Match.ID),
		`INSERT INTO former (match, seat, player, until) VALUES ($1, $2, $3, $4)`, c.Match.ID, int(r.Seat), r.Former.ID, until.UnixMicro())
}

func insertEntries(ctx context.Context, tx *transaction, m *match.Match, entries []record.Entry) {
	for _, e := range entries {
		if e.Seq > 0 {
			e.Prev = "" // Prev is the hash of the previous entry; fillPrevHashes restores it.
		}
		tx.enqueue(ctx, wrapResult("insert entry %d of match %s", e.Seq, m.ID),
			`INSERT INTO entries (match, seq, entry) VALUES ($1, $2, $3)`, m.ID, e.Seq, tx.seal(asJSON{e}, entryColumn, m.ID, e.Seq))
		// A forfeit changes the club's results, even if the other seats play on.
		if e.Act != nil && e.Act.Kind == record.Forfeit && e.Act.End == nil {
			queueForExamination(ctx, tx, m.ID)
		}
	}
}

// queueForExamination makes the club examine the result of a match after a forfeit, or if the match is called off. A
// database trigger does this for finished matches.
func queueForExamination(ctx context.Context, tx *transaction, match string) {
	tx.enqueue(ctx, wrapResult("queue match %s for counting", match), `INSERT INTO uncounted (match) VALUES ($1)
		ON CONFLICT (match) DO UPDATE SET due = 0`, match)
}

// insertNewMatch inserts a match that starts at once, without an invitation.
func insertNewMatch(ctx context.Context, tx *transaction, newMatch exchange.NewMatch) error {
	m := newMatch.Match
	for _, p := range sortedPlayers(m) {
		if p.ID == 0 {
			continue // insertMatch creates the player.
		}
		tx.enqueue(ctx, requireVersion("seat player %d", p.ID),
			`UPDATE players SET version = version + 1 WHERE id = $1 AND version = $2`, p.ID, p.Version)
		p.Version++
		tx.undo = append(tx.undo, func() { p.Version-- })
	}
	insertMatch(ctx, tx, m)
	updateMatch(ctx, tx, m)
	insertEntries(ctx, tx, m, newMatch.Entries)
	queueNotices(ctx, tx, m, newMatch.Notices)
	return queueLetters(ctx, tx, newMatch.Letters)
}

// sortedPlayers returns the players of a match, sorted by ID to avoid deadlocks.
func sortedPlayers(m *match.Match) (players []*match.Player) {
	for i := range m.Seats {
		players = append(players, m.Seats[i].Player)
	}
	slices.SortStableFunc(players, func(a, b *match.Player) int { return cmp.Compare(a.ID, b.ID) })
	return players
}

// dropWaitingLetters drops the waiting letters of the outbox that meet a condition; its parameters start with $2.
func dropWaitingLetters(ctx context.Context, tx *transaction, condition string, args ...any) {
	tx.enqueue(ctx, wrapResult("drop waiting letters"),
		`UPDATE outbox SET state = 'dropped', turn = NULL, letter = $1 WHERE state = 'waiting' AND `+condition,
		append([]any{emptyValue}, args...)...)
}

// emptyValue is stored in place of a sealed value that was deleted.
var emptyValue = []byte{}

// updateMatch updates the row of a match and those of its seats. Some columns have older names than their fields. Of table matches:
// held is Pending, thinking is BackgroundJob, entries and ordered are EntryCount and OrderEntryCount, acts is Lifecycle. Of table
// seats: letters is LastLetter, since is AskedSince, floor is ClosedThrough, thoughts is Private, called is PlayerName.
func updateMatch(ctx context.Context, tx *transaction, m *match.Match) {
	sealColumn := func(value any, column string) driver.Valuer { return tx.seal(value, column, m.ID) }
	tx.enqueue(ctx, requireVersion("update match %s", m.ID), `UPDATE matches SET state = $1, used = $2, epoch = $3, position = $4,
		build = $5, entries = $6, ordered = $7, head = $8, held = $9, due = $10, since = $11, takeback = $12,
		directing = $13, acts = $14, beacon = $15, summary = $16,
		thinking = $17, archived = 0, version = version + 1 WHERE id = $18 AND version = $19`,
		string(m.State), sealColumn(m.Used, "matches.used"), m.Epoch, sealColumn(m.Position, "matches.position"), m.Build, m.EntryCount,
		m.OrderEntryCount, m.Head,
		sealColumn(asJSON{append([]match.PendingAnswer{}, m.Pending...)}, "matches.held"), nullTime(m.NextDue()), nullTime(m.NewestStart()),
		sealColumn(nullUnless(m.Takeback != nil, asJSON{m.Takeback}), "matches.takeback"),
		sealColumn(nullUnless(m.Director != match.DirectorState{}, asJSON{m.Director}), "matches.directing"),
		sealColumn(asJSON{m.Lifecycle}, "matches.acts"), beaconColumn(m),
		sealColumn(nullUnless(m.Summary != nil, asJSON{m.Summary}), "matches.summary"),
		nullUnless(m.BackgroundJob != match.NoJob, string(m.BackgroundJob)), m.ID, m.Version)
	for i := range m.Seats {
		updateSeat(ctx, tx, m, i)
	}
	if m.State == match.CalledOff {
		queueForExamination(ctx, tx, m.ID) // A tournament may wait for the match.
	}
}

// checkVersion returns match.ErrConflict if an update with a version in its WHERE clause changed no row.
func checkVersion(res sql.Result, err error) error {
	ok, err := rowChanged(res, err)
	if err == nil && !ok {
		err = match.ErrConflict
	}
	return err
}

// requireVersion returns a handler for enqueue that calls checkVersion and adds the action to the error.
func requireVersion(action string, args ...any) func(sql.Result, error) error {
	return func(res sql.Result, err error) error {
		err = checkVersion(res, err)
		wrapError(&err, action, args...)
		return err
	}
}

// seatMailColumn is the JSON in column "addresses" of table seats, e.g. {"good":12,"told":40}; the name is historical. See match.Seat for
// its fields.
type seatMailColumn struct {
	IgnoreBouncesThrough int64  `json:"good,omitempty"`
	KeyExposed           bool   `json:"seen,omitempty"`
	FirstMessageID       string `json:"first,omitempty"`
	// ConfirmNone and ConfirmAll store match.ConfirmLevel. If both are false, the level is match.ConfirmNews.
	ConfirmNone      bool              `json:"quiet,omitempty"`
	ConfirmAll       bool              `json:"loud,omitempty"`
	EntriesWhenAsked int               `json:"told,omitempty"`
	LastPicture      match.SentPicture `json:"pictured,omitzero"`
	LastFullLetter   int64             `json:"whole,omitempty"`
	// Robot is the robot's name, or empty for a person.
	Robot string `json:"robot,omitempty"`
}

func newSeatMail(s *match.Seat) asJSON {
	return asJSON{seatMailColumn{s.IgnoreBouncesThrough, s.KeyExposed, s.FirstMessageID, s.Confirm == match.ConfirmNone,
		s.Confirm == match.ConfirmAll, s.EntriesWhenAsked, s.LastPicture, s.LastFullLetter, s.Robot}}
}

func (m seatMailColumn) confirm() match.ConfirmLevel {
	switch {
	case m.ConfirmNone:
		return match.ConfirmNone
	case m.ConfirmAll:
		return match.ConfirmAll
	}
	return match.ConfirmNews
}

func updateSeat(ctx context.Context, tx *transaction, m *match.Match, seat int) {
	s := &m.Seats[seat]
	identifyPlayer(ctx, tx, s.Player)
	sealColumn := func(value any, column string) driver.Valuer { return tx.seal(value, column, m.ID, seat) }
	tx.enqueue(ctx, wrapResult("update seat %d of match %s", seat, m.ID), `UPDATE seats
		SET player = $1, addresses = $2, joined = $3, words = $4, letters = $5,
		key = $6, said_day = $7, said = $8, format = $9, script = $10, since = $11, floor = $12, thoughts = $13, called = $14,
		clock = $15, deadline = $16, seal = $17
		WHERE match = $18 AND seat = $19`,
		s.Player.ID, sealColumn(newSeatMail(s), "seats.addresses"), s.Joined, s.SeedWords, s.LastLetter,
		sealColumn(s.Key, "key"), s.MessagesSent.Day, s.MessagesSent.Count, string(s.Format), string(s.Script),
		nullTime(s.AskedSince).V, s.ClosedThrough, sealColumn(asJSON{s.Private}, "seats.thoughts"), s.PlayerName, asJSON{s.Clock},
		nullTime(m.NextCheck(rules.Seat(seat))), s.Seal, m.ID, seat)
}

// nullTime returns a time in microseconds, or NULL for the zero time.
func nullTime(at time.Time) sql.Null[int64] {
	if at.IsZero() {
		return sql.Null[int64]{}
	}
	return nullUnless(true, at.UnixMicro())
}

func insertReceipt(ctx context.Context, tx *transaction, r *exchange.Receipt) {
	raw, err := letterCodec.pack(r.Raw)
	if err != nil {
		tx.fail(err)
		return
	}
	digest := tx.key().receiptName(r.Digest)
	tx.enqueue(ctx, func(res sql.Result, err error) error {
		if err = checkVersion(res, err); errors.Is(err, match.ErrConflict) {
			return exchange.ErrDuplicate
		}
		wrapError(&err, "insert the receipt")
		return err
	}, `INSERT INTO received (match, seat, digest, uid_validity, uid, message_id, disposition, raw, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
		r.Match, int(r.Seat), digest, r.UIDValidity, r.UID, r.MessageID, string(r.Disposition),
		tx.seal(raw, "received.raw", r.Match, int(r.Seat), digest), r.At.UnixMicro())
}

// Received implements exchange.Store.
func (db Matches) Received(ctx context.Context, match string, seat rules.Seat, digest,
	otherDigest string) (exchange.Disposition, bool, error) {
	var disposition exchange.Disposition
	err := db.reader.QueryRowContext(db.reader.withoutCancel(ctx), `SELECT disposition FROM received WHERE match = $1 AND seat = $2
		AND digest IN ($3, $4) LIMIT 1`,
		match, int(seat), db.key.receiptName(digest), db.key.receiptName(otherDigest)).Scan(&disposition)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("find a receipt: %w", err)
	}
	return disposition, true, nil
}
