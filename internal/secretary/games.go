package secretary

import (
	"context"
	"errors"
	"fmt"

	"samizdat/adjudicator"
	"samizdat/adjudicator/letter"
	"samizdat/templates"
)

// running lists the seats that a member has in matches which are not over.
func (s *Secretary) running(ctx context.Context, member int64) (out []adjudicator.SeatOf, err error) {
	seats, err := s.Store.SeatsOf(ctx, member)
	for _, seat := range seats {
		if seat.State == adjudicator.Playing || seat.State == adjudicator.Inviting {
			out = append(out, seat)
		}
	}
	return out, err
}

// games lists the writer's matches: whose move it is, and how much time is left.
func (a *answer) games(ctx context.Context, _ letter.Line) error {
	seats, err := a.s.running(ctx, a.member.ID)
	if err != nil {
		return err
	}
	var mine, others []string
	for _, at := range seats {
		m, err := a.s.Adjudicator.Store.Match(ctx, at.Match)
		if err != nil {
			return err
		}
		st, err := a.s.Adjudicator.Standing(ctx, m, at.Seat)
		if still := (*adjudicator.Differs)(nil); errors.As(err, &still) {
			others = append(others, at.Match+": This match is being looked at by the operator.")
			continue
		} else if err != nil {
			return err
		}
		row := st.Match + ": " + st.Line
		if st.Time != "" {
			row += ". " + st.Time
		}
		if st.Asked {
			mine = append(mine, row)
		} else {
			others = append(others, row)
		}
	}
	switch {
	case len(seats) == 0:
		a.part(templates.Part{Title: "Your matches", Says: []string{"You play no match now. OFFERS lists those that are offered to you."}})
		return nil
	case len(mine) == 0:
		a.part(templates.Part{Title: "Your matches", Says: []string{"None waits for you."}, Rows: others})
		return nil
	}
	a.part(templates.Part{Title: fmt.Sprintf("Waiting for you: %d", len(mine)), Rows: mine})
	if len(others) > 0 {
		a.part(templates.Part{Title: "Waiting for others", Rows: others})
	}
	a.note.Ends = append(a.note.Ends, "Answer the letters of a match, not this one. RESEND ALL sends the newest of each again.")
	return nil
}

// resendAll sends the writer how each of his matches stands, in letters of their own.
func (a *answer) resendAll(ctx context.Context, l letter.Line) error {
	seats, err := a.s.running(ctx, a.member.ID)
	if err != nil {
		return err
	}
	if len(seats) == 0 {
		a.line(l.Text, refused, "You play no match now.")
		return nil
	}
	if !a.s.Adjudicator.Replies.MayAnswer(ctx, "resend all "+whose(a.member)) {
		a.line(l.Text, refused, "You have asked for this often lately. Please try again in an hour.")
		return nil
	}
	if len(a.others) > 0 {
		a.line(l.Text, ignored, "Once is enough.")
		return nil
	}
	n := 0
	for _, at := range seats {
		m, err := a.s.Adjudicator.Store.Match(ctx, at.Match)
		if err != nil {
			return err
		}
		d, err := a.s.Adjudicator.Again(ctx, m, at.Seat, "You have asked the club for the newest letter of each of your matches. This one says how things stand now, and a reply to it counts.")
		if still := (*adjudicator.Differs)(nil); errors.As(err, &still) {
			continue
		} else if err != nil {
			return err
		}
		n++
		a.others, a.letters = append(a.others, m), append(a.letters, d)
	}
	a.did = true
	a.line(l.Text, done, plural(n, "letter")+", one for each match, are on the way.")
	if n == 1 {
		a.note.Lines[len(a.note.Lines)-1].Note = "The letter of your match is on the way."
	}
	return nil
}

// plural writes a number of things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
