package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// undone says which entries were taken back.
func undone(entries []record.Entry) map[int]bool {
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

// played is the history of the match up to the letter in hand.
func (p *progress) played(ctx context.Context) ([]record.Entry, error) {
	if p.past != nil {
		return slices.Clone(p.past), nil
	}
	entries, err := p.means.history(ctx)
	if err == nil && len(entries) != p.turn.m.Entries-len(p.turn.entries) {
		err = ErrConflict // another letter was taken up meanwhile
	}
	if err == nil {
		p.past = slices.Clone(entries)
	}
	return entries, err
}

// positionBefore is the position before an entry. Why says why the match cannot go back to
// it: something was revealed since, and cannot be forgotten. What proves the entries is checked
// where they have it.
func (p *progress) positionBefore(entries []record.Entry, seq int) (pos rules.Position, why string, err error) {
	gone := undone(entries)
	_, err = record.Replay(recordOf(p.turn.game, p.turn.m, entries), p.turn.game, func(v record.Visit) error {
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
		return nil, "", fmt.Errorf("take back entry %d of %s: %w", seq, p.turn.m.ID, err)
	}
	return pos, why, nil
}

// agreesBack takes the consent of seats, and takes back when all have agreed. Why says why it
// cannot be taken back any more.
func (p *progress) agreesBack(ctx context.Context, seats rules.Seats) (all bool, why string, err error) {
	t := *p.turn.m.Takeback
	t.Agreed |= seats
	for i := range p.turn.m.Seats {
		if !(t.Agreed | p.turn.m.Acts.Resigned | rules.Only(t.Seat)).Has(rules.Seat(i)) {
			p.turn.m.Takeback = &t
			return false, "", nil
		}
	}
	entries, err := p.played(ctx)
	if err != nil {
		return true, "", err
	}
	pos, why, err := p.positionBefore(entries, t.Seq)
	if err != nil {
		return true, "", err
	}
	p.turn.m.Takeback = nil
	if why != "" {
		return true, why, nil
	}
	p.forget()
	// No place of chance that was known, or could have been, is used again.
	p.turn.m.Epoch++
	e := record.Entry{Seat: record.SeatName(p.turn.m.Seats[t.Seat].Name), Takeback: t.Seq}
	if err := p.moved(ctx, pos, nil, e, p.chance(p.turn.m.Ordered)); err != nil {
		return true, "", err
	}
	p.turn.remarks = append(p.turn.remarks, p.turn.tookBack(entries, &e)+" Dice and cards to come are new.")
	return true, "", nil
}

// forget drops whatever is kept for anybody, and closes the questions of all letters
// so far: their numbers may be given to other questions from now on.
func (p *progress) forget() {
	for _, h := range p.turn.m.Held {
		const why = "It was kept for you, and was dropped with what was taken back."
		if h.Conditional != nil {
			p.turn.tell(h.Seat, h.Conditional.String(), outcomeLapsed, why)
			continue
		}
		p.turn.tellHeld(h, outcomeLapsed, why)
	}
	p.turn.m.Held = nil
	for i := range p.turn.m.Seats {
		p.turn.m.Seats[i].Floor = p.turn.m.Seats[i].Letters
	}
	p.turn.endTiming("The orders that were held back for you were dropped with what was taken back.")
}

// endBack ends a request without effect.
func (c *account) endBack(remark string) {
	c.m.Takeback = nil
	c.remarks = append(c.remarks, remark)
}

// backSection is the part of a letter that tells of a request to take back which its
// reader has nothing to answer to.
func (c *account) backSection(seat rules.Seat) []rules.Section {
	t := c.m.Takeback
	text := ""
	switch {
	case t == nil || seat == rules.Nobody:
		return nil
	case t.Seat == seat:
		text = "You ask to take back " + t.Orders + ", and what followed. It happens when all others agree."
	case t.Agreed.Has(seat):
		text = c.backAsked() + ". You have agreed; others have not answered yet."
	default:
		return nil
	}
	return []rules.Section{{Title: "A request", Lines: paragraphs(text)}}
}

// backPrompt asks a seat whether it agrees that something is taken back.
func (c *account) backPrompt(seat rules.Seat) []templates.Prompt {
	t := c.m.Takeback
	if t == nil || seat == rules.Nobody || (t.Agreed | c.m.Acts.Resigned | rules.Only(t.Seat)).Has(seat) {
		return nil
	}
	return []templates.Prompt{{
		Question: c.backAsked() + ", and what followed. Do you agree?",
		Forms:    []string{"TAKEBACK YES", "TAKEBACK NO"},
		Notes:    []string{"Nothing was rolled, drawn or revealed since. An order of anybody that is carried out ends the request."},
	}}
}

// backAsked says who asks to take back what.
func (c *account) backAsked() string {
	return capital(c.called(c.m.Takeback.Seat)) + " asks to take back " + c.m.Takeback.Orders
}

// tookBack tells of an entry that takes back.
func (c *account) tookBack(entries []record.Entry, e *record.Entry) string {
	what := "an order"
	if e.Takeback < len(entries) && len(entries[e.Takeback].Orders) > 0 {
		what = strings.Join(entries[e.Takeback].Orders, "; ")
	}
	return fmt.Sprintf("%s takes back %s, and what followed. All have agreed, and the match stands as it did before.", capital(c.roleOf(e.Seat)), what)
}
