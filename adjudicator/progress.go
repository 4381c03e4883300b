package adjudicator

import (
	"context"
	"io"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// progress is a match under way: what is carried out moves its turn. It knows of orders
// and answers, and nothing of the letters that bring them.
type progress struct {
	turn *account
	// seat is whose orders are carried out. What it keeps answers at once.
	seat rules.Seat
	means
	// words are those of the game for seats and cards in records.
	words record.Words
	// reviewed is how many of the events the conditional orders have been held against.
	reviewed int
	key      record.Key
	// epoch is that of chance when the play began; rested are the seats that were to answer nothing
	// at some time since.
	epoch  int
	rested rules.Seats
	// past is the history that played has read; nil before.
	past []record.Entry
	// replayed are the events of each entry as they are when it is played again; fewer where
	// that is not known.
	replayed [][]rules.Event
	// faults are what went wrong without stopping the play.
	faults []fault
}

// means are what a play needs from outside.
type means struct {
	// conditional reads and fires conditional orders; nil where the game takes none.
	conditional *ahead.Reader
	// history reads the entries of the match that are stored.
	history func(context.Context) ([]record.Entry, error)
	// random is where delays and lots come from that nobody makes again.
	random io.Reader
	// beacon is the public beacon of new matches.
	beacon beacon.Chain
	// invitations is for how long the invitations to the match are good; 0 for ever.
	invitations time.Duration
}

// fault is something that went wrong without stopping the play, for the log.
type fault struct {
	text string
	seat rules.Seat
	err  error
	// grave means that the program is to blame, or the match cannot go on.
	grave bool
}

// newProgress begins a play in which the orders of a seat are carried out.
func newProgress(t *account, seat rules.Seat, with means) *progress {
	return &progress{turn: t, seat: seat, means: with, epoch: t.m.Epoch, words: record.WordsOf(t.game, t.setup())}
}

// fault notes what went wrong with an order of a seat.
func (p *progress) fault(seat rules.Seat, grave bool, err error, text string) {
	p.faults = append(p.faults, fault{text: text, seat: seat, err: err, grave: grave})
}
