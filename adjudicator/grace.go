package adjudicator

import (
	"context"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// atOnce takes NOW out of the lines of a letter: its other orders are not held back.
// Alone it stands for the orders that are.
func (s *session) atOnce(ctx context.Context, tasks []task) (rest []task, now bool, err error) {
	i := slices.IndexFunc(tasks, func(t task) bool {
		return t.fate == "" && t.order.Clauses != nil && t.order.Clauses[0].Word == verbNow && len(t.order.Clauses) == 1
	})
	if i < 0 || s.pos == nil || s.misread(tasks) {
		return tasks, false, nil // What cannot be understood must lose nothing.
	}
	w := s.m.Seats[s.seat].Thoughts.Waiting
	if w == nil && !slices.ContainsFunc(tasks, s.isOrder) {
		return tasks, false, nil
	}
	text := tasks[i].text
	tasks = slices.Delete(slices.Clone(tasks), i, i+1)
	if w == nil || slices.ContainsFunc(tasks, s.answersNow) {
		return tasks, true, nil
	}
	s.m.Seats[s.seat].Thoughts.Waiting = nil
	s.report(text, fateDone, "The orders that were held back are carried out.")
	s.letter.Orders, s.letter.Digest = w.Orders, w.Digest
	number := *s.letter.Token
	number.Number = w.Number
	s.letter.Token = &number
	held, err := s.readLines(ctx)
	return append(held, tasks...), true, err
}

// isOrder reports whether a line of a letter is an order of the game, or an order
// ahead. A ballot is none here: it can be replaced anyway, and what is held back is
// repeated to its writer.
func (s *session) isOrder(t task) bool {
	if t.fate != "" || t.order.Clauses == nil {
		return t.fate == "" && t.ahead != nil
	}
	return slices.ContainsFunc(s.game.Keywords(), func(k rules.Keyword) bool { return k.Word == t.order.Clauses[0].Word }) && !s.castsBallot(t.order)
}

// holdsBack reports whether the orders of a letter are held back for a while.
func (s *session) holdsBack(tasks []task) bool {
	return s.m.State == Playing && s.m.Seats[s.seat].Thoughts.Grace > 0 &&
		slices.ContainsFunc(tasks, s.answersNow) && !s.misread(tasks)
}

// answersNow reports whether an order is meant for what is asked now. What is only
// kept for later can be replaced anyway, and is not held back.
func (s *session) answersNow(t task) bool {
	return t.ahead == nil && s.isOrder(t) && len(s.owed(s.seat)) > 0 && s.further(t.text, t.order, false, lineAside) == nil
}

// misread reports whether something in a letter that is an order could not be
// understood: then none is carried out.
func (s *session) misread(tasks []task) bool {
	return s.unclear || slices.ContainsFunc(tasks, func(t task) bool { return t.fate == fateRefused })
}

// holdBack keeps the orders of a letter, and answers what else is in it. An order
// that would be refused now is refused now.
func (s *session) holdBack(ctx context.Context, tasks []task) error {
	seat := &s.m.Seats[s.seat]
	now := s.a.Now().UTC()
	first, stopped := true, ""
	var kept []task
	for _, t := range tasks {
		switch {
		case t.fate != "":
			s.report(t.text, t.fate, t.note)
		case t.aside():
			if err := s.aside(ctx, t, ""); err != nil {
				return err
			}
		case stopped != "":
			s.report(t.text, fateNotReached, stopped)
		case !s.isOrder(t):
			effect, err := s.task(ctx, t, lineAside)
			switch {
			case err != nil:
				return err
			case effect == lineRefused:
				stopped = "Not kept, since a line before it was refused."
			case effect == lineOvertaken:
				stopped = "Not kept, since the match has moved. What is asked now stands in this letter."
			}
		default:
			if first && s.answersNow(t) {
				why, err := s.wouldRefuse(ctx, t)
				if err != nil {
					return err
				}
				if why != "" {
					s.report(t.text, fateRefused, why)
					stopped = "Not kept, since a line before it was refused."
					continue
				}
				first = false
			}
			kept = append(kept, t)
		}
	}
	if stopped != "" {
		for _, t := range kept {
			s.report(t.text, fateNotReached, stopped)
		}
		return nil
	}
	s.takesPlace()
	lines := []string{"BEGIN"}
	for _, t := range kept {
		lines = append(lines, t.text)
		s.report(t.text, fateKept, s.understood(t))
	}
	seat.Thoughts.Waiting = &Waiting{Orders: strings.Join(append(lines, "END"), "\n") + "\n", Number: s.letter.Token.Number,
		MessageID: s.letter.MessageID, Digest: s.letter.Digest,
		Since: now, Due: now.Add(seat.Thoughts.Grace).Truncate(time.Second)}
	return nil
}

// takesPlace drops what was held back before.
func (s *session) takesPlace() {
	t := &s.m.Seats[s.seat].Thoughts
	if t.Waiting != nil {
		s.report("", fateLapsed, "The orders that were held back before are dropped: these take their place.")
		t.Waiting = nil
	}
}

// endWaiting drops what is held back for anybody when the match is over: it will not
// be asked for any more.
func (p *progress) endWaiting() {
	if p.m.State != Over {
		return
	}
	for i := range p.m.Seats {
		t := &p.m.Seats[i].Thoughts
		if t.Waiting != nil {
			p.tell(rules.Seat(i), "", fateLapsed, "The match is over, and the orders that were held back for you are dropped.")
		}
		t.Waiting = nil
		t.wake()
	}
}

// understood is a line as it was read.
func (s *session) understood(t task) string {
	if t.ahead != nil {
		return t.ahead.Text
	}
	answers, err := s.game.Answers(t.order, s.owed(s.seat))
	if err != nil || len(answers) == 0 {
		return ""
	}
	return s.game.Line(answers[0].Atoms)
}

// wouldRefuse says why an order would be refused if it were carried out now; empty
// when it would not be. Nothing is rolled or drawn for it.
func (s *session) wouldRefuse(ctx context.Context, t task) (string, error) {
	sent, err := s.answered(ctx)
	if err != nil {
		return "", err
	}
	mine := s.owed(s.seat)
	if stale := !slices.ContainsFunc(sent.Decisions, s.open); len(mine) == 0 || stale {
		return s.notAsked(s.seat, stale, len(sent.Decisions) > 0), nil
	}
	answers, err := s.game.Answers(t.order, mine)
	if err != nil {
		return sentence(err), nil
	}
	if why := s.rash(answers[0]); why != "" && !t.surely {
		return why + " If you mean it, write " + wordSurely + " behind the order.", nil
	}
	_, err = gate.Check(s.pos, s.seat, answers[0])
	why, ours := s.refusal(s.seat, err)
	if ours {
		return "", err
	}
	return why, nil
}
