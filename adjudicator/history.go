package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// source is a match's chance for one entry, which remembers what was taken.
type source interface {
	rules.Chance
	gate.Lots
	taken() []record.Outcome
}

type stream struct{ *record.Stream }

func (s stream) taken() []record.Outcome { return s.Outcomes() }

type recorded struct {
	*record.Recorded
	all []record.Outcome
}

func (r recorded) taken() []record.Outcome { return r.all[:len(r.all)-len(r.Left())] }

// chance is the chance of the entry that is the n-th with orders.
func (p *progress) chance(n int) source {
	if p.turn.m.Recorded != nil {
		all := p.turn.m.Recorded[p.turn.m.Used:]
		return recorded{record.NewRecorded(all, p.words), all}
	}
	return stream{record.NewStream(p.key, p.turn.m.Epoch, n, p.words)}
}

// carry gives an answer of a seat to the position and writes the entry. A sealed
// answer is kept instead, until the last of its group is in. Asked, when not
// empty, are the decisions that the writer was asked in the letter he answers.
func (p *progress) carry(ctx context.Context, seat rules.Seat, a rules.Answer, letter string, asked []rules.DecisionID) (rules.Decision, error) {
	c := p.chance(p.turn.m.Ordered + 1)
	r, err := gate.Carry(p.turn.pos, seat, a, c)
	if errors.As(err, new(*record.Mismatch)) {
		p.fault(seat, false, err, "an order does not fit the recorded chance")
	}
	switch {
	case err != nil:
		return rules.Decision{}, err
	case !p.turn.meant(r.Decision, asked):
		return rules.Decision{}, errClosed
	case r.Decision.Sealed:
		return r.Decision, p.seal(ctx, r.Decision, a, letter)
	}
	e := record.Entry{Seat: record.SeatName(p.turn.m.Seats[seat].Name), Letter: letter, Orders: []string{p.turn.game.Line(r.Atoms)}, Private: r.Private}
	return r.Decision, p.moved(ctx, r.Position, r.Events, e, c)
}

// moved writes the entry of a new position: its chance, its place in the chain.
func (p *progress) moved(ctx context.Context, pos rules.Position, events []rules.Event, e record.Entry, c source) error {
	e.Seq, e.At, e.Epoch, e.Chance = p.turn.m.Entries, p.turn.now.Truncate(time.Second), p.turn.m.Epoch, c.taken()
	var err error
	if e.State, err = record.StateOf(p.turn.game, pos); err != nil {
		return err
	}
	if err := p.turn.m.Secret.Seal(p.turn.m.ID, p.turn.m.Head, &e); err != nil {
		return err
	}
	p.turn.m.Head = e.Hash
	p.turn.m.Entries++
	p.turn.m.Used += len(e.Chance)
	if e.HasOrders() {
		p.turn.m.Ordered++
	}
	if t := p.turn.m.Takeback; t != nil && e.HasOrders() {
		p.turn.endBack(fmt.Sprintf("The match has gone on, and so the request of %s to take back %s is over.", p.turn.called(t.Seat), t.Orders))
	}
	p.note(e)
	p.turn.pos = pos
	p.rest(pos)
	p.turn.entries = append(p.turn.entries, e)
	p.turn.events = append(p.turn.events, events...)
	if _, over := pos.Result(); over {
		p.turn.m.State = Over
		if e.Act == nil {
			return p.settleResult(ctx)
		}
	}
	if pos.Stalled() {
		p.fault(rules.Nobody, false, nil, fmt.Sprintf("the recorded chance of a match has run out after %d outcomes; it cannot go on", p.turn.m.Used))
	}
	return nil
}

// settleResult takes those seats from the winners of a match that the rules have ended whose
// players have left it, or have never sent an order.
func (p *progress) settleResult(ctx context.Context) error {
	before, err := p.played(ctx)
	if err != nil {
		return fmt.Errorf("find out who has played in match %s: %w", p.turn.m.ID, err)
	}
	presence := record.PresenceIn(append(before, p.turn.entries...))
	p.turn.m.Acts.Left = p.turn.m.Acts.Resigned | presence.Absent(p.words.Seats)
	p.turn.pos = record.Settled(p.turn.game, p.turn.pos, p.turn.m.Acts.Left)
	return nil
}
