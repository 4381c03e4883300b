package adjudicator

import (
	"context"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/gate"
	"samizdat/rules"
	"samizdat/templates"
)

// atOnce takes NOW out of the lines of a letter: its other orders are not held back.
// Alone it stands for the orders that are.
func (s *session) atOnce(ctx context.Context, lines []command.Line) (rest []command.Line, now bool, err error) {
	i := slices.IndexFunc(lines, func(l command.Line) bool { return l.Is(command.Now) && !l.Command.More })
	if i < 0 || s.pos == nil {
		return lines, false, nil
	}
	w := s.m.Seats[s.seat].Timing.Waiting
	if w == nil && !slices.ContainsFunc(lines, s.isOrder) {
		return lines, false, nil
	}
	text := lines[i].Text
	lines = slices.Delete(slices.Clone(lines), i, i+1)
	if w == nil || slices.ContainsFunc(lines, s.answersNow) {
		return lines, true, nil
	}
	s.m.Seats[s.seat].Timing.Waiting = nil
	s.report(text, outcomeDone, "The orders that were held back are carried out.")
	s.letter.Orders, s.letter.Digest = w.Orders, w.Digest
	number := *s.letter.Token
	number.Number = w.Number
	s.letter.Token = &number
	held, err := s.readLetter(ctx)
	return append(held, lines...), true, err
}

// isOrder reports whether a line of a letter is an order of the game, or a
// conditional order. A ballot is none here: it can be replaced anyway, and what is held back is
// repeated to its writer.
func (s *session) isOrder(l command.Line) bool {
	return l.Kind == command.ConditionalOrder || l.Kind == command.GameOrder && !s.castsBallot(l.Order)
}

// holdsBack reports whether the orders of a letter are held back for a while.
func (s *session) holdsBack(lines []command.Line) bool {
	return s.m.State == Playing && s.m.Seats[s.seat].Timing.Grace > 0 &&
		slices.ContainsFunc(lines, s.answersNow)
}

// answersNow reports whether an order is meant for what is asked now. What is only
// kept for later can be replaced anyway, and is not held back.
func (s *session) answersNow(l command.Line) bool {
	if l.Kind != command.GameOrder || !s.isOrder(l) || len(s.owed(s.seat)) == 0 {
		return false
	}
	_, stands := s.unaskedStanding(l.Order)
	return !stands && s.further(l.Text, l.Order, false, lineAside) == nil
}

// holdBack keeps the orders of a letter, and answers what else is in it. An order
// that would be refused now is refused now.
func (s *session) holdBack(ctx context.Context, lines []command.Line) error {
	seat := &s.m.Seats[s.seat]
	now := s.a.Now().UTC()
	first, stopped := true, ""
	var kept []command.Line
	for _, l := range lines {
		if done, err := s.aside(ctx, l, ""); err != nil {
			return err
		} else if done {
			continue
		}
		switch {
		case stopped != "":
			s.report(l.Text, outcomeNotReached, stopped)
		case !s.isOrder(l):
			effect, err := s.line(ctx, l, lineAside)
			switch {
			case err != nil:
				return err
			case effect == lineRefused:
				stopped = "Not kept, since a line before it was refused."
			case effect == lineOvertaken:
				stopped = "Not kept, since the match has moved. What is asked now stands in this letter."
			}
		default:
			if first && s.answersNow(l) {
				why, err := s.wouldRefuse(ctx, l)
				if err != nil {
					return err
				}
				if why != "" {
					s.report(l.Text, outcomeRefused, why)
					stopped = "Not kept, since a line before it was refused."
					continue
				}
				first = false
			}
			kept = append(kept, l)
		}
	}
	if stopped != "" {
		for _, l := range kept {
			s.report(l.Text, outcomeNotReached, stopped)
		}
		return nil
	}
	s.takesPlace()
	rows := []string{"BEGIN"}
	for _, l := range kept {
		rows = append(rows, l.Text)
		s.report(l.Text, outcomeKept, s.understood(l))
	}
	seat.Timing.Waiting = &Waiting{Orders: strings.Join(append(rows, "END"), "\n") + "\n", Number: s.letter.Token.Number,
		MessageID: s.letter.MessageID, Digest: s.letter.Digest,
		Since: now, Due: now.Add(seat.Timing.Grace).Truncate(time.Second)}
	return nil
}

// takesPlace drops what was held back before.
func (s *session) takesPlace() {
	t := &s.m.Seats[s.seat].Timing
	if t.Waiting != nil {
		s.report("", outcomeLapsed, "The orders that were held back before are dropped: these take their place.")
		t.Waiting = nil
	}
}

// dropHeldBack drops what is held back for anybody when the match is over: it will not
// be asked for any more.
func (p *progress) dropHeldBack() {
	if p.m.State != Over {
		return
	}
	for i := range p.m.Seats {
		t := &p.m.Seats[i].Timing
		if t.Waiting != nil {
			p.tell(rules.Seat(i), "", outcomeLapsed, "The match is over, and the orders that were held back for you are dropped.")
		}
		t.Waiting = nil
		t.endDelay()
	}
}

// understood is a line as it was read.
func (s *session) understood(l command.Line) string {
	if l.Kind == command.ConditionalOrder {
		return l.Conditional.Text
	}
	answers, err := s.game.Answers(l.Order, s.owed(s.seat))
	if err != nil || len(answers) == 0 {
		return ""
	}
	return s.game.Line(answers[0].Atoms)
}

// wouldRefuse says why an order would be refused if it were carried out now; empty
// when it would not be. Nothing is rolled or drawn for it.
func (s *session) wouldRefuse(ctx context.Context, l command.Line) (string, error) {
	asked, stale, err := s.askedOf(ctx, lineAside)
	if err != nil {
		return "", err
	}
	answers, why := s.answersOf(l, asked, stale)
	if why != "" {
		return why, nil
	}
	_, err = gate.Check(s.pos, s.seat, answers[0])
	why, ours := s.refusal(s.seat, err)
	if ours {
		return "", err
	}
	return why, nil
}

// timingLines say what is held back for a seat, or waits for its time.
func (c *account) timingLines(seat rules.Seat) []templates.Line {
	if seat == rules.Nobody {
		return nil
	}
	var out []templates.Line
	t := c.m.Seats[seat].Timing
	if w := t.Waiting; w != nil {
		out = append(out, templates.Line{Note: "Your orders are held back until " + clockTime(w.Due) + ". Until then another letter with orders takes " +
			"their place; CANCEL ORDERS drops them, and NOW carries them out. Nobody else is told."})
	}
	if !t.DelayedUntil.IsZero() {
		out = append(out, templates.Line{Note: "What is kept for you answers within " + command.Span(t.Delay) + ", unless you write first."})
	}
	return out
}
