package adjudicator

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
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

// reworded reports whether the answer gives a line in other words than its writer did.
func reworded(l match.LineReport) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(order.ASCII(s)), " ") }
	return l.Text != "" && !strings.EqualFold(plain(l.Line), plain(l.Text))
}

// report adds what became of a line of the sender's letter.
func (j *adjudication) report(line string, came match.Outcome, text string) {
	if came == match.OutcomeRefused {
		j.reply.disposition = Refused
	}
	listed := 0
	for _, l := range j.turn.Lines[j.play.Seat] {
		if l.Outcome == came {
			listed++
		}
	}
	if listed == mostListed {
		j.reply.unlisted[came]++
		return
	}
	j.turn.Tell(j.play.Seat, letter.Echo(line), came, text)
}

// passOver takes greetings, thanks and names out of the answer where all orders beside them were carried
// out: nobody asks what became of those.
func (j *adjudication) passOver() {
	greets := func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeIgnored
	}
	left, acted := []match.LineReport{}, false
	for _, l := range j.turn.Lines[j.play.Seat] {
		switch {
		case greets(l):
			continue
		case l.Outcome != match.OutcomeDone && l.Outcome != match.OutcomeKept:
			return
		}
		left, acted = append(left, l), true
	}
	if acted {
		j.turn.Lines[j.play.Seat] = left
	}
}

// orderLines lays out what became of a seat's orders, and what is kept for it
// since earlier letters.
func (j *adjudication) orderLines(seat rules.Seat) []templates.Line {
	var out []templates.Line
	for _, r := range j.turn.Lines[seat] {
		out = append(out, templates.Line{Text: r.Line, Outcome: string(r.Outcome), Note: r.Text})
	}
	if seat == j.play.Seat {
		for _, came := range []match.Outcome{match.OutcomeDone, match.OutcomeKept, match.OutcomeRefused, match.OutcomeNotReached, match.OutcomeIgnored, match.OutcomeUnread} {
			switch n := j.reply.unlisted[came]; {
			case n == 1:
				out = append(out, templates.Line{Note: "One more line was " + string(came) + "."})
			case n > 1:
				out = append(out, templates.Line{Note: fmt.Sprintf("%d more lines were %s.", n, came)})
			}
		}
	}
	ahead := 0
	for _, h := range j.turn.Match.Held {
		switch {
		case h.Seat != seat:
		case h.Conditional != nil:
			ahead++
		case h.Decision == 0 && h.Letter != j.letter.Digest:
			out = append(out, templates.Line{Text: j.turn.HeldLine(h), Outcome: string(match.OutcomeKept)})
		}
	}
	out = append(out, compose.TimingLines(j.turn, seat)...)
	switch {
	case ahead == 1:
		out = append(out, templates.Line{Note: "One order ahead is kept for you; SHOW ORDERS shows it."})
	case ahead > 1:
		out = append(out, templates.Line{Note: fmt.Sprintf("%d orders ahead are kept for you; SHOW ORDERS lists them.", ahead)})
	}
	return out
}
