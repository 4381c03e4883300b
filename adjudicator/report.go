package adjudicator

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// outcome is what became of a line of a letter, as the answer names it.
type outcome string

// The outcomes.
const (
	outcomeDone       outcome = "done"
	outcomeKept       outcome = "kept"
	outcomePreview    outcome = "preview"
	outcomeAsked      outcome = "not done yet"
	outcomeIgnored    outcome = "ignored"
	outcomeRefused    outcome = "refused"
	outcomeLapsed     outcome = "lapsed"
	outcomeNotReached outcome = "not reached"
	outcomeDropped    outcome = "dropped"
	outcomeUnread     outcome = "not understood"
)

const (
	// mostText and mostLines are how many bytes and lines a player may write. No
	// letter of orders comes near them; they bound the work of one letter.
	mostText  = 16 << 10
	mostLines = 400
	// mostListed is how many lines of one outcome an answer lists: a long letter must not
	// get a longer answer.
	mostListed = 20
)

// lineReport is what the answer says of one line: the line, its outcome and an
// explanation in the player's words.
type lineReport struct {
	Line    string
	Outcome outcome
	Text    string
	// Played means that what it led to is among the events, and there is no more to it.
	Played bool
}

// reworded reports whether the answer gives a line in other words than its writer did.
func reworded(l lineReport) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(order.ASCII(s)), " ") }
	return l.Text != "" && !strings.EqualFold(plain(l.Line), plain(l.Text))
}

// report adds what became of a line of the sender's letter.
func (j *adjudication) report(line string, came outcome, text string) {
	if came == outcomeRefused {
		j.reply.disposition = Refused
	}
	listed := 0
	for _, l := range j.turn.lines[j.play.seat] {
		if l.Outcome == came {
			listed++
		}
	}
	if listed == mostListed {
		j.reply.unlisted[came]++
		return
	}
	j.turn.tell(j.play.seat, letter.Echo(line), came, text)
}

// passOver takes greetings, thanks and names out of the answer where all orders beside them were carried
// out: nobody asks what became of those.
func (j *adjudication) passOver() {
	greets := func(l lineReport) bool {
		return l.Outcome == outcomeIgnored
	}
	left, acted := []lineReport{}, false
	for _, l := range j.turn.lines[j.play.seat] {
		switch {
		case greets(l):
			continue
		case l.Outcome != outcomeDone && l.Outcome != outcomeKept:
			return
		}
		left, acted = append(left, l), true
	}
	if acted {
		j.turn.lines[j.play.seat] = left
	}
}

// tell adds what became of an order of a seat, for that seat's letter.
func (c *account) tell(seat rules.Seat, line string, came outcome, text string) {
	c.lines[seat] = append(c.lines[seat], lineReport{Line: line, Outcome: came, Text: text})
}

// carriedOut notes that the last line that was told a seat is of an order that was carried out,
// and that the events say what it has led to.
func (c *account) carriedOut(seat rules.Seat) {
	if n := len(c.lines[seat]); n > 0 {
		c.lines[seat][n-1].Played = true
	}
}

// orderLines lays out what became of a seat's orders, and what is kept for it
// since earlier letters.
func (j *adjudication) orderLines(seat rules.Seat) []templates.Line {
	var out []templates.Line
	for _, r := range j.turn.lines[seat] {
		out = append(out, templates.Line{Text: r.Line, Outcome: string(r.Outcome), Note: r.Text})
	}
	if seat == j.play.seat {
		for _, came := range []outcome{outcomeDone, outcomeKept, outcomeRefused, outcomeNotReached, outcomeIgnored, outcomeUnread} {
			switch n := j.reply.unlisted[came]; {
			case n == 1:
				out = append(out, templates.Line{Note: "One more line was " + string(came) + "."})
			case n > 1:
				out = append(out, templates.Line{Note: fmt.Sprintf("%d more lines were %s.", n, came)})
			}
		}
	}
	ahead := 0
	for _, h := range j.turn.m.Held {
		switch {
		case h.Seat != seat:
		case h.Conditional != nil:
			ahead++
		case h.Decision == 0 && h.Letter != j.letter.Digest:
			out = append(out, templates.Line{Text: j.turn.heldLine(h), Outcome: string(outcomeKept)})
		}
	}
	out = append(out, j.turn.timingLines(seat)...)
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
