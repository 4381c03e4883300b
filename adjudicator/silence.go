package adjudicator

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// ErrClosed says that a decision is not open.
var ErrClosed = errors.New("the decision is not open")

// Silence lets a decision be answered as its silence means, because the time for it
// is over: by the first legal answer, or by lot. Who has given a sealed answer
// already has answered. Of a decision that is not open, or that the match waits for
// however long it takes, the error is ErrClosed or gate.ErrWaits.
func (a *Adjudicator) Silence(ctx context.Context, match string, id rules.DecisionID) error {
	err := a.retryOnConflict(ctx, "silence in match "+match, func() error { return a.silence(ctx, match, id) })
	if err != nil {
		return fmt.Errorf("silence to decision %d of match %s: %w", id, match, err)
	}
	return nil
}

func (a *Adjudicator) silence(ctx context.Context, match string, id rules.DecisionID) error {
	m, err := a.Store.Match(ctx, match)
	if err != nil {
		return err
	}
	if m.State != Playing {
		return ErrClosed
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	owed := j.turn.pos.Owed(nil)
	i := slices.IndexFunc(owed, func(d rules.Decision) bool { return d.ID == id })
	if i < 0 {
		return ErrClosed
	}
	if slices.ContainsFunc(m.Held, func(h Held) bool { return h.Decision == id }) {
		return nil
	}
	j.play.seat = owed[i].Seat
	if err := j.play.silent(ctx, owed[i]); err != nil {
		return err
	}
	if _, err := j.play.settle(ctx); err != nil {
		return err
	}
	return j.apply(ctx, rules.Nobody)
}

// silent answers a decision for a seat that stays silent.
func (p *progress) silent(ctx context.Context, d rules.Decision) error {
	switch {
	case d.Silence == rules.SilenceWaits:
		return gate.ErrWaits
	case d.Ballot, d.Sealed && d.Repeats && d.Silence == rules.SilenceDefault:
		// Nobody is ever told that a ballot was cast by lot, the seat itself included, and
		// nothing that is published later can tell which. An answer that repeats looks like
		// any other, so that who says nothing hides who does.
		answer, err := gate.Silent(p.turn.pos, d, p.turn.game.Line, unrecorded{p.random})
		if err != nil {
			return err
		}
		return p.seal(ctx, d, answer, "")
	case d.Sealed:
		return p.sealHeld(ctx, d, Held{Seat: d.Seat, Play: d.Play, Decision: d.ID, Silent: true})
	}
	c := p.chance(p.turn.m.Ordered + 1)
	answer, err := gate.Silent(p.turn.pos, d, p.turn.game.Line, c)
	if err != nil {
		return err
	}
	r, err := gate.Carry(p.turn.pos, d.Seat, answer, c)
	if err != nil {
		return err
	}
	e := record.Entry{Seat: record.SeatName(p.turn.m.Seats[d.Seat].Name), Orders: []string{p.turn.game.Line(r.Atoms)}, Private: r.Private,
		Silence: record.SilenceOf(d)}
	if r.Private {
		p.turn.tell(d.Seat, e.Orders[0], outcomeDone, "You did not answer in time. "+capital(silenceWords(e.Silence))+" did.")
	}
	p.turn.remarks = append(p.turn.remarks, p.turn.silences(&e)...)
	return p.moved(ctx, r.Position, r.Events, e, c)
}

// unrecorded are lots that nothing can be made from again.
type unrecorded struct{ random io.Reader }

// Lot implements gate.Lots.
func (u unrecorded) Lot(l gate.Lot) (int, error) {
	n, err := rand.Int(u.random, big.NewInt(int64(len(l.Options))))
	if err != nil {
		return 0, err
	}
	return int(n.Int64()), nil
}

// answerSilence finds the answers of those seats of a group who stay silent.
func (p *progress) answerSilence(group []Held, c source) ([]Held, error) {
	group = slices.Clone(group)
	for i, h := range group {
		if !h.Silent {
			continue
		}
		owed := p.turn.pos.Owed(nil)
		d := owed[slices.IndexFunc(owed, func(d rules.Decision) bool { return d.ID == h.Decision })]
		answer, err := gate.Silent(p.turn.pos, d, p.turn.game.Line, c)
		if err != nil {
			return nil, err
		}
		group[i].Answer = answer
	}
	return group, nil
}

// silences tells which answers of an entry were found for seats that stayed silent,
// as far as all may know them.
func (c *account) silences(e *record.Entry) (out []string) {
	say := func(seat record.SeatName, how string, private bool, orders []string) {
		if how != "" && !private && len(orders) > 0 {
			who, by := c.roleOf(seat), capital(silenceWords(how))
			said := fmt.Sprintf("%s did not answer in time. %s did: %s.", capital(who), by, orders[0])
			if c.m.Acts.Resigned&c.m.SeatsOf([]record.SeatName{seat}) != 0 {
				said = fmt.Sprintf("%s answered for %s: %s.", by, who, orders[0])
			}
			out = append(out, said)
		}
	}
	say(e.Seat, e.Silence, e.Private, e.Orders)
	for _, a := range e.Answers {
		say(a.Seat, a.Silence, a.Private, a.Orders)
	}
	return out
}

func silenceWords(how string) string {
	if how == record.SilenceLot {
		return "a lot"
	}
	return "the rule for silence"
}

// roleOf is the role of the seat that a record names.
func (c *account) roleOf(name record.SeatName) string {
	if i := slices.IndexFunc(c.m.Seats, func(o Seat) bool { return o.Name == string(name) }); i >= 0 {
		return c.role(rules.Seat(i))
	}
	return "the " + string(name)
}
