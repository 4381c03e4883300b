package storage

import (
	"context"

	"samizdat/mail"
)

// undrawn is a letter to a seat whose picture is to be drawn before it can go.
const undrawn = `(picture_at > 0 AND match IS NOT NULL AND seat IS NOT NULL)`

// mostUndrawn bounds how many letters are given at once to be drawn.
const mostUndrawn = 64

// undrawnLetters are those letters of some matches. Both queries would else go through all that
// wait.
const (
	undrawnMatches = `SELECT match FROM outbox INDEXED BY outbox_undrawn WHERE state = 'waiting' AND ` + undrawn + ` AND coalesce(claim, $1) = $1
		GROUP BY match ORDER BY max(urgent) DESC, min(due), match LIMIT $2 + 0`
	undrawnLetters = `SELECT id FROM outbox INDEXED BY outbox_undrawn WHERE state = 'waiting' AND ` + undrawn + ` AND coalesce(claim, $1) = $1
		AND match IN (` + undrawnMatches + `) ORDER BY urgent DESC, id LIMIT $3 + 0`
)

// Undrawn gives the letters of some matches that wait for their pictures, those first for
// which somebody waits. The letters of a match come together: its players mostly see the same.
// What goes out later counts as well, since it must not hold up what is due.
func (o *Outbox) Undrawn(ctx context.Context, matches int) (out []mail.Outgoing, err error) {
	defer wrap(&err, "look for pictures to be drawn")
	return o.claimed(ctx, nil, func([]int64) ([]mail.Outgoing, error) {
		return o.read(ctx, waitingLetters+`o.id IN (`+undrawnLetters+`) ORDER BY o.urgent DESC, o.id`, o.current(), matches, mostUndrawn)
	})
}
