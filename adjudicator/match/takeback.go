package match

import (
	"context"
	"fmt"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// PositionBefore is the position before an entry. Why says why the match cannot go back to
// it: something was revealed since, and cannot be forgotten. What proves the entries is checked
// where they have it.
func (p *Play) PositionBefore(entries []record.Entry, seq int) (pos rules.Position, why string, err error) {
	gone := Undone(entries)
	_, err = record.Replay(RecordOf(p.Turn.Game, p.Turn.Match, entries), p.Turn.Game, func(v record.Visit) error {
		e := v.Entry
		switch {
		case e.Seq == seq-1:
			pos = v.Position.Clone()
		case e.Seq < seq || why != "" || gone[e.Seq]:
		default:
			if why = record.Revealed(e, v.Events); why != "" {
				why = "It cannot be taken back: " + why + " since."
			}
		}
		return nil
	})
	if err != nil {
		return nil, "", fmt.Errorf("take back entry %d of %s: %w", seq, p.Turn.Match.ID, err)
	}
	return pos, why, nil
}

// Undone says which entries were taken back.
func Undone(entries []record.Entry) map[int]bool {
	out := map[int]bool{}
	for i, e := range entries {
		if e.Takeback == 0 {
			continue
		}
		for j := e.Takeback; j <= i; j++ {
			out[j] = true
		}
	}
	return out
}

// AgreeTakeback takes the consent of seats, and takes back when all have agreed. Why says why it
// cannot be taken back any more.
func (p *Play) AgreeTakeback(ctx context.Context, seats rules.Seats) (all bool, why string, err error) {
	t := *p.Turn.Match.Takeback
	t.Agreed |= seats
	for i := range p.Turn.Match.Seats {
		if !(t.Agreed | p.Turn.Match.Acts.Resigned | rules.Only(t.Seat)).Has(rules.Seat(i)) {
			p.Turn.Match.Takeback = &t
			return false, "", nil
		}
	}
	entries, err := p.Played(ctx)
	if err != nil {
		return true, "", err
	}
	pos, why, err := p.PositionBefore(entries, t.Seq)
	if err != nil {
		return true, "", err
	}
	p.Turn.Match.Takeback = nil
	if why != "" {
		return true, why, nil
	}
	p.forget()
	// No place of chance that was known, or could have been, is used again.
	p.Turn.Match.Epoch++
	e := record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[t.Seat].Name), Takeback: t.Seq}
	if err := p.Moved(ctx, pos, nil, e, p.Chance(p.Turn.Match.Ordered)); err != nil {
		return true, "", err
	}
	p.Turn.Remarks = append(p.Turn.Remarks, p.Turn.TookBack(entries, &e)+" Dice and cards to come are new.")
	return true, "", nil
}

// forget drops whatever is kept for anybody, and closes the questions of all letters
// so far: their numbers may be given to other questions from now on.
func (p *Play) forget() {
	for _, h := range p.Turn.Match.Held {
		const why = "It was kept for you, and was dropped with what was taken back."
		if h.Conditional != nil {
			p.Turn.Tell(h.Seat, h.Conditional.String(), OutcomeLapsed, why)
			continue
		}
		tellHeld(p.Turn, h, OutcomeLapsed, why)
	}
	p.Turn.Match.Held = nil
	for i := range p.Turn.Match.Seats {
		p.Turn.Match.Seats[i].Floor = p.Turn.Match.Seats[i].Letters
	}
	endTiming(p.Turn, "The orders that were held back for you were dropped with what was taken back.")
}

// EndTakeback ends a request without effect.
func (c *Turn) EndTakeback(remark string) {
	c.Match.Takeback = nil
	c.Remarks = append(c.Remarks, remark)
}
