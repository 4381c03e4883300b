package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Act writes the entry of an act, and does what the act says: it ends the match, or, with
// Takeback, goes back to where the match stood before that entry. All are told.
func (p *Play) Act(ctx context.Context, e record.Entry) error {
	pos, a := p.Turn.After, e.Act
	at := p.Turn.Now.Truncate(time.Second)
	p.Turn.Match.Halt(a, at)
	switch {
	case a.Kind == record.Undo:
		var err error
		if pos, err = p.goBack(ctx, e.Takeback); err != nil {
			return err
		}
	case a.End != nil:
		p.Turn.Match.Held, p.Turn.Match.Acts.Requests, p.Turn.Match.Takeback = nil, nil, nil // Nothing is asked for any more.
		p.Turn.Match.Acts.Ended = &Ended{Seat: e.Seat, Act: *a, At: at, Final: a.Kind.FinalAt(at)}
		var err error
		if pos, err = unended(p); err != nil {
			return err
		}
		pos = record.EndPosition(pos, a.Result(p.Words.Seats))
	}
	return p.Moved(ctx, pos, nil, e, p.Chance(p.Turn.Match.Ordered))
}

// unended is the position under the end that an act has made.
func unended(p *Play) (rules.Position, error) {
	if _, over := p.Turn.After.Result(); !over {
		return p.Turn.After, nil
	}
	return p.Turn.Game.Decode(p.Turn.Match.Position)
}

// goBack lets the match stand as it did before an entry, whatever was revealed since, and
// returns the position.
func (p *Play) goBack(ctx context.Context, seq int) (pos rules.Position, err error) {
	entries, err := p.Played(ctx)
	if err != nil {
		return nil, err
	}
	if seq < 1 || seq >= len(entries) {
		return nil, fmt.Errorf("there is no entry %d to go back before", seq)
	}
	final, err := record.Replay(RecordOf(p.Turn.Game, p.Turn.Match, entries[:seq]), p.Turn.Game, func(v record.Visit) error {
		p.Turn.Match.Acts.Resigned = v.Resigned
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("go back before entry %d of %s: %w", seq, p.Turn.Match.ID, err)
	}
	for _, e := range entries[seq:] {
		if e.Player != "" { // Who plays stays as it is.
			p.Turn.Match.Acts.Resigned &^= p.Turn.Match.SeatsOf([]record.SeatName{e.Seat})
		}
	}
	pos = final.Position
	if _, over := pos.Result(); over {
		return nil, fmt.Errorf("before entry %d the match was over", seq)
	}
	p.forget()
	p.Turn.Match.Acts.Requests = nil
	p.Turn.Match.Epoch++
	p.Turn.Match.State, p.Turn.Match.Acts.Ended = Playing, nil
	return pos, nil
}

// Leave takes the player of a seat out of the match by an act: it ends as the game says, where
// late seats do not win, or goes on without him.
func (p *Play) Leave(ctx context.Context, seat rules.Seat, act record.Act, letter string, late rules.Seats) error {
	gone := p.Turn.Match.Acts.Resigned | rules.Only(seat)
	if act.End = record.EndByResignation(p.Turn.Game, p.Turn.After, gone, p.Words.Seats); act.End != nil {
		act.End.Winners = slices.DeleteFunc(act.End.Winners, func(w record.SeatName) bool {
			return late&p.Turn.Match.SeatsOf([]record.SeatName{w}) != 0
		})
	} else {
		p.Turn.Match.Acts.Resigned = gone
		dropKept(p.Turn, seat)
		p.Turn.Match.DropRequestsOf(seat)
	}
	if err := p.Act(ctx, record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[seat].Name), Letter: letter, Act: &act}); err != nil {
		return err
	}
	for _, r := range p.Turn.Match.Acts.Requests {
		if p.Turn.Match.State != Playing {
			break // One that all have agreed on has ended the match.
		}
		// He may have been the last whose consent it wanted.
		if _, err := p.Agreed(ctx, r); err != nil {
			return err
		}
	}
	_, err := p.Settle(ctx)
	return err
}

// Forfeit ends the match for a seat that has not answered within the grace, which was over at a
// time. Whoever was out of time himself then does not win by it.
func (p *Play) Forfeit(ctx context.Context, seat rules.Seat, at time.Time) error {
	var late rules.Seats
	for i := range p.Turn.Match.Seats {
		if p.Turn.Match.Overdue(rules.Seat(i), at) {
			late |= rules.Only(rules.Seat(i))
		}
	}
	return p.Leave(ctx, seat, record.Act{Kind: record.Forfeit}, "", late)
}

// Flag tells all that the time of a seat is over, and that the others may end the match.
func (p *Play) Flag(seat rules.Seat) {
	p.Turn.Match.Seats[seat].Clock.Flagged, p.Turn.Match.Seats[seat].Clock.OverAt = true, time.Time{}
	p.Turn.Remarks = append(p.Turn.Remarks, "The time of "+p.Turn.Called(seat)+" is over. "+Capital(Or(p.Turn.Opponents(seat)))+" may claim "+
		"the match, or give more time.")
}

// IsFresh reports whether one player alone can break the match off: some seat has made fewer than two
// orders that all know of, and no tournament waits for the match.
func (p *Play) IsFresh(ctx context.Context) (bool, error) {
	if p.Turn.Match.Acts.Tournament {
		return false, nil
	}
	entries, err := p.Played(ctx)
	if err != nil {
		return false, err
	}
	made := map[record.SeatName]int{}
	for _, e := range append(entries, p.Turn.Entries...) {
		if e.Seat != "" && e.HasOrders() {
			made[e.Seat]++
		}
		for _, a := range e.Answers {
			made[a.Seat]++
		}
		if e.Tally == nil {
			continue
		}
		for i := range p.Turn.Match.Seats {
			made[record.SeatName(p.Turn.Match.Seats[i].Name)]++
		}
	}
	for i := range p.Turn.Match.Seats {
		if !p.Turn.Match.Acts.Resigned.Has(rules.Seat(i)) && made[record.SeatName(p.Turn.Match.Seats[i].Name)] < ownOrders {
			return true, nil
		}
	}
	return false, nil
}

// ownOrders is how many orders each seat has to have made before nobody can break the match off by
// himself any more.
const ownOrders = 2

// Agreed does what was asked for, if all have agreed.
func (p *Play) Agreed(ctx context.Context, r Request) (done bool, err error) {
	for i := range p.Turn.Match.Seats {
		seat := rules.Seat(i)
		if seat != r.Seat && !r.Agreed.Has(seat) && !p.Turn.Match.Acts.Resigned.Has(seat) {
			return false, nil
		}
	}
	p.Turn.Match.EndRequest(r.Kind)
	act := &record.Act{Kind: r.Kind}
	switch r.Kind {
	case record.Draw:
		act.End = &record.End{Draw: true}
	case record.Abort:
		act.End = &record.End{}
	case record.Pause:
		act.Until = p.Turn.Now.Add(r.Span).Truncate(time.Second)
	}
	return true, p.Act(ctx, record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[r.Seat].Name), Act: act})
}

// DeclineDraw lets an order of a seat, which all see, decline a draw that another has offered.
func (t *Turn) DeclineDraw(seat rules.Seat) {
	r, open := t.Match.OpenRequest(record.Draw)
	if !open || r.Seat == seat || r.Agreed.Has(seat) || t.Match.State != Playing {
		return
	}
	t.Match.EndRequest(record.Draw)
	t.Remarks = append(t.Remarks, fmt.Sprintf("%s has played on, and so the offer of a draw by %s is over.", Capital(t.Called(seat)),
		t.Called(r.Seat)))
}

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
func (t *Turn) EndTakeback(remark string) {
	t.Match.Takeback = nil
	t.Remarks = append(t.Remarks, remark)
}
