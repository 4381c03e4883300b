package storage

import (
	"context"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// Sent implements adjudicator.Store.
func (db *DB) Sent(ctx context.Context, match string, seat rules.Seat, number int64) (adjudicator.Sent, bool, error) {
	list, err := db.sent(ctx, match, seat, `AND number = ?`, number)
	if err != nil || len(list) == 0 {
		return adjudicator.Sent{Number: number}, false, err
	}
	return list[0], true, nil
}

// Letters implements adjudicator.Store.
func (db *DB) Letters(ctx context.Context, match string, seat rules.Seat) ([]adjudicator.Sent, error) {
	return db.sent(ctx, match, seat, `ORDER BY number`)
}

// sent reads what letters to a seat asked.
func (db *DB) sent(ctx context.Context, match string, seat rules.Seat, which string, args ...any) (out []adjudicator.Sent, err error) {
	defer wrap(&err, "read the letters to seat %d of match %s", seat, match)
	return list(ctx, db.reader, func(s *adjudicator.Sent) []any {
		open := func(to any, column string) unsealed { return db.key.unsealed(to, column, match, int(seat), &s.Number) }
		return []any{&s.Number, open(&s.MessageID, "sent.message_id"), open(inJSON{&s.Decisions}, "sent.decisions"), &s.Entries}
	}, `SELECT number, message_id, decisions, entries FROM sent WHERE match = ? AND seat = ? `+which, append([]any{match, int(seat)}, args...)...)
}
