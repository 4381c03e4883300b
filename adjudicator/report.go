package adjudicator

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/command"
	"samizdat/rules"
	"samizdat/templates"
)

// The fates of a line of a letter, as the answer names them.
const (
	fateDone       = "done"
	fateKept       = "kept"
	fatePreview    = "preview"
	fateIgnored    = "ignored"
	fateRefused    = "refused"
	fateLapsed     = "lapsed"
	fateNotReached = "not reached"
)

const (
	// mostText and mostLines are how many bytes and lines a player may write. No
	// letter of orders comes near them; they bound the work of one letter.
	mostText  = 32 << 10
	mostLines = 400
	// mostListed is how many lines of one fate an answer lists: a long letter must not
	// get a longer answer.
	mostListed = 20
)

// lineReport is what the answer says of one line: the line, its fate and an
// explanation in the player's words.
type lineReport struct{ Line, Fate, Text string }

// report adds what became of a line of the sender's letter.
func (s *session) report(line, fate, text string) {
	if fate == fateRefused {
		s.disposition = Refused
	}
	listed := 0
	for _, l := range s.lines[s.seat] {
		if l.Fate == fate {
			listed++
		}
	}
	if listed == mostListed {
		s.unlisted[fate]++
		return
	}
	s.tell(s.seat, command.Echo(line), fate, text)
}

// tell adds what became of an order of a seat, for that seat's letter.
func (p *progress) tell(seat rules.Seat, line, fate, text string) {
	p.lines[seat] = append(p.lines[seat], lineReport{line, fate, text})
}

// orderLines lays out what became of a seat's orders, and what is kept for it
// since earlier letters.
func (s *session) orderLines(seat rules.Seat) []templates.Line {
	var out []templates.Line
	for _, r := range s.lines[seat] {
		out = append(out, templates.Line{Text: r.Line, Fate: r.Fate, Note: r.Text})
	}
	if seat == s.seat {
		for _, fate := range []string{fateDone, fateKept, fateRefused, fateNotReached, fateIgnored} {
			switch n := s.unlisted[fate]; {
			case n == 1:
				out = append(out, templates.Line{Note: "One more line was " + fate + "."})
			case n > 1:
				out = append(out, templates.Line{Note: fmt.Sprintf("%d more lines were %s.", n, fate)})
			}
		}
	}
	ahead := 0
	for _, h := range s.m.Held {
		switch {
		case h.Seat != seat:
		case h.Conditional != nil:
			ahead++
		case h.Decision == 0 && h.Letter != s.letter.Digest:
			out = append(out, templates.Line{Text: s.heldLine(h), Fate: fateKept})
		}
	}
	out = append(out, s.timingLines(seat)...)
	switch {
	case ahead == 1:
		out = append(out, templates.Line{Note: "One order ahead is kept for you; SHOW ORDERS shows it."})
	case ahead > 1:
		out = append(out, templates.Line{Note: fmt.Sprintf("%d orders ahead are kept for you; SHOW ORDERS lists them.", ahead)})
	}
	return out
}

// sealedAnswer is what a seat has answered so far to a sealed decision, a ballot
// apart, and whether it has.
func (c *account) sealedAnswer(d rules.Decision) (string, bool) {
	i := slices.IndexFunc(c.m.Held, func(h Held) bool { return h.Decision == d.ID })
	switch {
	case i < 0, c.m.Held[i].Silent:
		return "", false
	case d.Ballot:
		return "", true
	}
	return c.game.Line(c.m.Held[i].Answer.Atoms), true
}
