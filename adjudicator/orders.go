package adjudicator

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// orders carries out the lines of a letter. All lines are read first: a line
// that is an order and cannot be understood refuses the whole letter.
func (s *session) orders() error {
	type task struct {
		text  string
		order rules.Order
	}
	var tasks []task
	unclear := false
	lines := order.Split(s.letter.Orders)
	for _, l := range lines {
		if !l.Enclosed && !s.parser.IsOrder(l.Text) {
			s.report(l.Text, "ignored", s.talk(l.Text))
			continue
		}
		o, err := s.parser.Order(l.Text)
		if err != nil {
			unclear = true
			s.report(l.Text, "refused", sentence(err))
			continue
		}
		tasks = append(tasks, task{l.Text, o})
	}
	if unclear {
		for _, t := range tasks {
			s.report(t.text, "not reached", "Not carried out, since another line could not be understood.")
		}
		return nil
	}
	if len(tasks) == 0 {
		s.refused = true
	}
	for i, t := range tasks {
		ok, err := s.order(t.text, t.order)
		if err != nil {
			return err
		}
		if !ok {
			for _, rest := range tasks[i+1:] {
				s.report(rest.text, "not reached", "Not carried out, since a line before it was refused.")
			}
			break
		}
	}
	for _, h := range s.m.Held {
		if h.Seat == s.seat && h.Letter == s.letter.Digest {
			s.report(s.game.Line(h.Answer.Atoms), "kept", "It is kept for you until it is asked for in this play. Nobody else is told.")
		}
	}
	return nil
}

// talk says why a line is not taken as an order. A line that begins like one
// gets the reason too.
func (s *session) talk(line string) string {
	words := order.Words(line)
	for _, k := range (language{s.game}).Keywords() {
		if !k.Verb || len(words) < 2 || words[0] != order.Words(k.Word)[0] {
			continue
		}
		if _, err := s.parser.Order(line); err != nil {
			return "It was not taken as an order. " + sentence(err)
		}
	}
	return "It is not an order."
}

// order carries out one line, and says whether the letter may go on.
func (s *session) order(text string, o rules.Order) (ok bool, err error) {
	switch o.Clauses[0].Word {
	case verbStatus, verbResend:
		s.report(text, "done", "Here is the letter as it stands now.")
		return true, nil
	case verbHelp:
		s.help = true
		s.report(text, "done", "Help is below.")
		return true, nil
	}
	if s.m.State == Over {
		s.report(text, "refused", "This match is over.")
		return false, nil
	}
	// Only the first order answers what the letter replies to; the lines below
	// it answer what follows.
	stale := false
	if len(s.entries) == 0 {
		if stale, err = s.stale(); err != nil {
			return false, err
		}
	}
	mine := s.owed()
	if len(mine) == 0 || stale {
		s.report(text, "refused", s.notAsked(stale))
		return false, nil
	}
	answers, err := s.game.Answers(o, mine)
	if err != nil {
		s.report(text, "refused", sentence(err))
		return false, nil
	}
	return s.give(text, answers)
}

// give carries out the first answer of a line, and keeps the others.
func (s *session) give(text string, answers []rules.Answer) (ok bool, err error) {
	play := s.owed()[0].Play
	err = s.carry(answers[0])
	if errors.Is(err, gate.ErrRefused) {
		s.report(text, "refused", s.refusal(err))
		return false, nil
	}
	var mismatch *record.Mismatch
	if errors.As(err, &mismatch) {
		// What the recorded game has next is nobody's business.
		s.report(text, "refused", "This match takes its dice and cards from a recorded game, and this order does not fit what happened there.")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	line := s.game.Line(answers[0].Atoms)
	s.report(text, "done", line)
	for _, a := range answers[1:] {
		s.m.Held = append(s.m.Held, Held{Seat: s.seat, Play: play, Answer: a, Letter: s.letter.Digest})
	}
	return true, s.settle()
}

// owed lists the sender's open decisions.
func (s *session) owed() []rules.Decision {
	return slices.DeleteFunc(s.pos.Owed(nil), func(d rules.Decision) bool { return d.Seat != s.seat })
}

// stale reports whether the letter answers one of ours of which every decision
// is closed.
func (s *session) stale() (bool, error) {
	sent, known, err := s.a.Store.Sent(s.ctx, s.m.ID, s.seat, s.letter.Token.Number)
	if err != nil || !known || len(sent.Decisions) == 0 {
		return false, err
	}
	for _, d := range s.pos.Owed(nil) {
		if slices.Contains(sent.Decisions, d.ID) {
			return false, nil
		}
	}
	return true, nil
}

// notAsked explains why an order finds no question.
func (s *session) notAsked(stale bool) string {
	if stale {
		return "The question that you answer is closed; the match has moved on. What is asked now stands below."
	}
	if s.pos.Stalled() {
		return "Nothing is asked of you now: the match waits for chance."
	}
	var names []string
	for _, d := range s.pos.Owed(nil) {
		names = append(names, s.m.Seats[d.Seat].Name)
	}
	return fmt.Sprintf("Nothing is asked of you now. It is the turn of the %s.", strings.Join(names, " and the "))
}

// refusal says why an answer was refused, in the game's words where it can.
func (s *session) refusal(err error) string {
	view := s.pos.View(s.seat)
	var illegal *gate.Illegal
	var short *gate.Short
	var long *gate.Long
	switch {
	case errors.As(err, &illegal):
		return s.game.Refusal(illegal.Before.View(s.seat), illegal.Decision, illegal.Atom, illegal.Options)
	case errors.As(err, &short):
		p := s.game.Prompt(short.Before.View(s.seat), short.Decision, short.Options)
		return "The order says too little. Still wanted: " + p.Question
	case errors.As(err, &long):
		return "The order says too much: only the first " + s.game.Line(long.Atoms[:long.Used]) + " was asked for."
	}
	for _, d := range s.owed() {
		p := s.game.Prompt(view, d, s.pos.Options(nil, d.ID))
		return "That is not what is asked now. " + p.Question
	}
	return sentence(err)
}

// sentence makes an error read like a sentence.
func sentence(err error) string {
	t := strings.TrimSpace(err.Error())
	if t == "" {
		return ""
	}
	t = strings.ToUpper(t[:1]) + t[1:]
	if !strings.ContainsAny(t[len(t)-1:], ".!?") {
		t += "."
	}
	return t
}
