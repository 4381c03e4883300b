package storage

import (
	"cmp"
	"context"
	"slices"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// Sent implements adjudicator.Store.
func (db *DB) Sent(ctx context.Context, match string, seat rules.Seat, number int64) (adjudicator.Sent, bool, error) {
	list, err := db.key.sent(ctx, db.reader, match, seat, lettersTo+`AND number = $3`, number)
	if err == nil && len(list) == 0 {
		list, err = db.sentBefore(ctx, match, seat)
		list = slices.DeleteFunc(list, func(l adjudicator.Sent) bool { return l.Number != number })
	}
	if err != nil || len(list) == 0 {
		return adjudicator.Sent{Number: number}, false, err
	}
	return list[0], true, nil
}

// Letters implements adjudicator.Store.
func (db *DB) Letters(ctx context.Context, match string, seat rules.Seat) ([]adjudicator.Sent, error) {
	later, err := db.key.sent(ctx, db.reader, match, seat, lettersTo+`ORDER BY number`)
	if err != nil {
		return nil, err
	}
	before, err := db.sentBefore(ctx, match, seat)
	return withLater(before, later), err
}

// withLater adds letters that stand in rows to those that are packed. Some stand in both.
func withLater(packed, later []adjudicator.Sent) []adjudicator.Sent {
	for _, l := range later {
		i, is := slices.BinarySearchFunc(packed, l.Number, func(p adjudicator.Sent, n int64) int { return cmp.Compare(p.Number, n) })
		if !is {
			packed = slices.Insert(packed, i, l)
		}
	}
	return packed
}

// sentBefore reads the letters to a seat that are packed.
func (db *DB) sentBefore(ctx context.Context, match string, seat rules.Seat) ([]adjudicator.Sent, error) {
	p, err := db.archived(ctx, match, false)
	if p == nil {
		return nil, err
	}
	return p.letters(seat), nil
}

// lettersTo are the letters to a seat, without those whose place another took before they went out;
// which of them, follows.
const lettersTo = `SELECT number, decisions, entries FROM sent WHERE match = $1 AND seat = $2
	AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.state = 'dropped' AND o.spare = 1 AND o.match = sent.match AND o.seat = sent.seat AND o.number = sent.number) `

// sent reads what letters to a seat asked.
func (k *key) sent(ctx context.Context, a asker, match string, seat rules.Seat, query string, args ...any) (out []adjudicator.Sent, err error) {
	defer wrap(&err, "read the letters to seat %d of match %s", seat, match)
	return list(ctx, a, func(s *adjudicator.Sent) []any {
		open := func(to any, column string) unsealed { return k.unsealed(to, column, match, int(seat), &s.Number) }
		return []any{&s.Number, open(inNumbers{&s.Decisions}, "sent.decisions"), &s.Entries}
	}, query, append([]any{match, int(seat)}, args...)...)
}
