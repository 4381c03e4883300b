package storage

import (
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
	out, err := db.sentBefore(ctx, match, seat)
	for _, l := range later {
		// If the match is just now archived, it stands in both.
		if !slices.ContainsFunc(out, func(o adjudicator.Sent) bool { return o.Number == l.Number }) {
			out = append(out, l)
		}
	}
	return out, err
}

// sentBefore reads the letters to a seat of a match that is archived; none of another one.
func (db *DB) sentBefore(ctx context.Context, match string, seat rules.Seat) ([]adjudicator.Sent, error) {
	p, err := db.archived(ctx, match, false)
	if p == nil {
		return nil, err
	}
	return p.letters(seat), nil
}

// lettersTo are the letters to a seat; which of them, follows.
const lettersTo = `SELECT number, decisions, entries FROM sent WHERE match = $1 AND seat = $2 `

// sent reads what letters to a seat asked.
func (k *key) sent(ctx context.Context, a asker, match string, seat rules.Seat, query string, args ...any) (out []adjudicator.Sent, err error) {
	defer wrap(&err, "read the letters to seat %d of match %s", seat, match)
	return list(ctx, a, func(s *adjudicator.Sent) []any {
		open := func(to any, column string) unsealed { return k.unsealed(to, column, match, int(seat), &s.Number) }
		return []any{&s.Number, open(inNumbers{&s.Decisions}, "sent.decisions"), &s.Entries}
	}, query, append([]any{match, int(seat)}, args...)...)
}
