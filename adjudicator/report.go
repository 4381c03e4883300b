package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

const (
	// mostLines is how many lines a player may write. No letter of orders comes near that, nor near
	// exchange.MostText; they bound the work of one letter.
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
		j.reply.disposition = exchange.Refused
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

// passOverGreetings takes greetings, thanks and names out of the answer where all orders beside them were carried
// out: nobody asks what became of those.
func passOverGreetings(j *adjudication) {
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
func orderLines(j *adjudication, seat rules.Seat) []templates.Line {
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

// asked is a query on its way into the answer. Parts are there already for what
// does not depend on where the letter leads to.
type asked struct {
	query rules.Query
	parts []rules.Section
}

// ofMap reports whether it asks for the map.
func (a asked) ofMap() bool { return a.query == rules.QueryMap || a.query == rules.QueryBigMap }

// add puts a part into the answer, once. Blocks say the same to a page, nil where it is to
// show the lines as they stand.
func (j *adjudication) add(q rules.Query, title string, lines []string, blocks []rules.Block) {
	if slices.ContainsFunc(j.reply.asked, func(a asked) bool {
		return slices.ContainsFunc(a.parts, func(p rules.Section) bool { return p.Title == title })
	}) {
		return
	}
	j.reply.asked = append(j.reply.asked, asked{q, []rules.Section{{Title: title, Lines: lines, Blocks: blocks}}})
}

// onlyAsks reports whether the letter did nothing but ask, so that its answer may
// leave out the standing parts of a letter.
func onlyAsks(lines []letter.Line) bool {
	asks := false
	for _, l := range lines {
		switch {
		case l.Class() == letter.Question:
			asks = true
		case l.Kind != letter.Talk && l.Kind != letter.Doubt:
			return false
		}
	}
	return asks
}

// asksAtMost reports whether a letter can change nothing: all that is in it asks, or is talk.
func asksAtMost(lines []letter.Line) bool {
	return !slices.ContainsFunc(lines, func(l letter.Line) bool {
		return l.Kind != letter.Talk && l.Kind != letter.Doubt && l.Command.Question() == ""
	})
}

// answers are the parts that answer the queries of a reader, who is the writer of the
// letter.
func (j *adjudication) answers(reader rules.Seat) []rules.Section {
	var out []rules.Section
	for _, a := range j.reply.asked {
		if a.parts == nil {
			a.parts = informReader(j, j.turn.After.View(reader), a.query)
		}
		out = append(out, a.parts...)
	}
	return out
}

// informReader is the game's answer to a query; a line that says so where there is none.
func informReader(j *adjudication, view rules.View, q rules.Query) []rules.Section {
	if q == rules.Query(letter.Position) {
		return []rules.Section{{Title: "Your position", Lines: seatViewLines(j, view)}}
	}
	if q == rules.Query(letter.Record) {
		return []rules.Section{recordSection(j)}
	}
	if maps := j.turn.Game.Map; maps != nil && q == rules.QueryBigMap {
		return []rules.Section{{Title: "The big map", Lines: maps.TextMap(view, nil)}}
	}
	if parts := j.turn.Game.AnswerQuery(view, q); parts != nil {
		return parts
	}
	return []rules.Section{{Title: strings.ToLower(string(q)), Lines: []string{"There is nothing of the sort now."}}}
}

// reply is what a letter is answered with, beside how its match stands.
type reply struct {
	// whole are the seats that get a whole letter, whether something is asked of them or not; reminded are those that
	// are reminded of what they are asked.
	whole, reminded rules.Seats
	// unlisted counts, by outcome, the lines of the letter that the answer leaves out.
	unlisted map[match.Outcome]int
	// disposition is what became of the letter: refused when a line of it was.
	disposition exchange.Disposition
	// asked are the queries of the letter; brief that there is nothing else in it.
	asked []asked
	brief bool
	// file is the record that letters bring; nil where none does.
	file *attached
	// restyled: the sender has said how his letters are to look.
	restyled bool
	// help: the sender wants the page on orders.
	help bool
	// puzzled: something in the letter was not understood. hinted: the answer says already
	// what could be written, or why an order is not legal.
	puzzled, hinted bool
	// ask is the question whether the sender means the orders that it spells out; nil when he is not
	// asked.
	ask *templates.Ask
	// mail are the messages of players to each seat.
	mail map[rules.Seat][]rules.Section
	// notices are what each seat is told of its own accord, a sentence each.
	notices map[rules.Seat][]string
	// newcomers are the seats whose players have played no match here, and are told how one
	// goes.
	newcomers rules.Seats
	// questions are the letters that pass questions on to the operator.
	questions []exchange.Dispatch
	// filed: a question is left to the operator where the letter is filed.
	filed bool
	// contact is what the letter changes of where letters go.
	contact addressChange
}

// disposed is what became of a player's letter: one with a question that goes to no address
// is filed for the operator, whatever became of its orders.
func (j *adjudication) disposed() exchange.Disposition {
	if j.reply.filed {
		return exchange.Asked
	}
	return j.reply.disposition
}

// reportBallot tells the sender that his ballot was taken.
func reportBallot(j *adjudication, kept bool) {
	if kept {
		j.report("", match.OutcomeKept, compose.BallotKept)
		return
	}
	j.report("", match.OutcomeDone, compose.BallotLast)
}

// votes reports whether a line of the letter is a ballot, or the sender was asked for one
// before it or behind one of its lines: then the letter is not kept, as it may hold one.
func (j *adjudication) votes() bool {
	asks := func(pos rules.Position) bool {
		return pos != nil && slices.ContainsFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat == j.play.Seat && d.Ballot })
	}
	counted := slices.ContainsFunc(j.turn.Entries, func(e record.Entry) bool { return e.Tally != nil })
	return j.casts || counted || asks(j.turn.Before) || asks(j.turn.After)
}

// digest is what the history names the letter by: nothing where it may hold a ballot.
func (j *adjudication) digest() string {
	if j.votes() {
		return ""
	}
	return j.letter.Digest
}

// ballotReceipt takes the place of a digest of a letter that may hold a ballot: what the
// letter says can be tried out only with our key.
func ballotReceipt(a *Adjudicator, digest string) string {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "ballot\x00%s", digest)
	return hex.EncodeToString(h.Sum(nil))
}
