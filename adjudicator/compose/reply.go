package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// Reply holds the answer to a player's letter, without the state of the match.
type Reply struct {
	// Writer is the seat of the player; NoSeat where no letter of a player is answered.
	Writer rules.Seat
	// AtTable is set if all players sit at one table, and get full letters.
	AtTable bool
	// Problems are sentences about the letter itself. HasOtherRecipients is set if it went to another address too.
	Problems           []string
	HasOtherRecipients bool
	// Whole are the seats that always get a full letter. Reminded are the seats that are reminded of their questions.
	Whole, Reminded rules.Seats
	// Unlisted counts, by outcome, the lines of the letter that the answer leaves out.
	Unlisted map[match.Outcome]int

	// Queries are the questions of the letter. OnlyAsks is set if it has only questions, Unanswered if it gets no answer.
	Queries              []Query
	OnlyAsks, Unanswered bool
	// Record is the record to attach to letters; nil for none.
	Record *AttachedRecord
	// AsksHelp is set if the writer asks how to write orders.
	AsksHelp bool
	// Misread is set if a part of the letter was not understood, AnswersClosedQuestion if it answers a question that is closed.
	Misread, AnswersClosedQuestion bool
	// Ask is the question whether the writer means the orders in the letter; nil for none.
	Ask *templates.Ask
	// Mail holds the messages of players to each seat, Notices the sentences that only that seat is told.
	Mail    map[rules.Seat][]rules.Section
	Notices map[rules.Seat][]string
	// Analysis holds the findings of an analysis for each seat; nil for none.
	Analysis map[rules.Seat]rules.Section
	// Newcomers are the seats of new players; their letters explain how a match is played.
	Newcomers rules.Seats
}

// Query is a question of a letter. Parts is nil if the answer depends on the outcome of the letter.
type Query struct {
	Query rules.Query
	Parts []rules.Section
}

func (q Query) isMap() bool { return q.Query == rules.QueryMap || q.Query == rules.QueryBigMap }

// AddPart adds a section to the answer, once. Blocks are the same content for the HTML page; if they are nil, the page shows
// the lines as they are.
func (r *Reply) AddPart(q rules.Query, title string, lines []string, blocks []rules.Block) {
	if slices.ContainsFunc(r.Queries, func(q Query) bool {
		return slices.ContainsFunc(q.Parts, func(p rules.Section) bool { return p.Title == title })
	}) {
		return
	}
	r.Queries = append(r.Queries, Query{q, []rules.Section{{Title: title, Lines: lines, Blocks: blocks}}})
}

// AddNotice adds a sentence to the letter to a seat.
func (r *Reply) AddNotice(seat rules.Seat, sentence string) {
	r.Notices[seat] = append(r.Notices[seat], sentence)
}

// orderLines reports the outcome of a seat's orders, and its pending answers from earlier letters. digest identifies the letter that is
// answered.
func (r *Reply) orderLines(t *match.Turn, seat rules.Seat, digest string) []templates.Line {
	var out []templates.Line
	for _, l := range t.LineReports[seat] {
		out = append(out, templates.Line{Text: l.Line, Outcome: string(l.Outcome), Note: l.Text})
	}
	if seat == r.Writer {
		for _, outcome := range []match.Outcome{match.OutcomeDone, match.OutcomeKept, match.OutcomeRefused, match.OutcomeNotReached,
			match.OutcomeIgnored, match.OutcomeUnread} {
			switch n := r.Unlisted[outcome]; {
			case n == 1:
				out = append(out, templates.Line{Note: "One more line was " + string(outcome) + "."})
			case n > 1:
				out = append(out, templates.Line{Note: fmt.Sprintf("%d more lines were %s.", n, outcome)})
			}
		}
	}
	ahead := 0
	for _, pending := range t.Match.Pending {
		switch {
		case pending.Seat != seat:
		case pending.Conditional != nil:
			ahead++
		case pending.Decision == 0 && pending.Letter != digest:
			out = append(out, templates.Line{Text: t.PendingLine(pending), Outcome: string(match.OutcomeKept)})
		}
	}
	out = append(out, TimingLines(t, seat)...)
	switch {
	case ahead == 1:
		out = append(out, templates.Line{Note: "You have one saved order; SHOW ORDERS shows it."})
	case ahead > 1:
		out = append(out, templates.Line{Note: fmt.Sprintf("You have %d saved orders; SHOW ORDERS lists them.", ahead)})
	}
	return out
}

func (r *Reply) answerQuery(t *match.Turn, q rules.Query) []rules.Section {
	view := t.After.View(r.Writer)
	if q == rules.Query(letter.Position) {
		return []rules.Section{{Title: "Your position", Lines: r.seatViewLines(t, view)}}
	}
	if q == rules.Query(letter.Record) {
		return []rules.Section{r.recordSection(t)}
	}
	if maps := t.Game.Map; maps != nil && q == rules.QueryBigMap {
		return []rules.Section{{Title: rules.BigMapTitle, Lines: maps.TextMap(view, nil)}}
	}
	if parts := t.Game.AnswerQuery(view, q); parts != nil {
		return parts
	}
	return []rules.Section{{Title: strings.ToLower(string(q)), Lines: []string{"There is none now."}}}
}

// OptionsFor returns the options of the letter to a reader.
func (r *Reply) OptionsFor(t *match.Turn, reader rules.Seat, digest string) Options {
	options := Options{Lines: r.orderLines(t, reader, digest), Above: slices.Clone(r.Mail[reader]), Extent: r.ExtentFor(t, reader),
		Repeated: reader != rules.NoSeat && r.IsRepeated(t, reader), Record: r.RecordFor(t, reader) != nil}
	if found, ok := r.Analysis[reader]; ok {
		options.Above = append(options.Above, found)
	} else if len(options.Above) > 0 {
		options.Writer = t.FullName(r.Writer)
		options.MoverSuffix = fmt.Sprintf("\n%s has written to you; the message is below.", match.Capitalize(options.Writer))
	}
	for _, n := range r.Notices[reader] {
		options.MoverSuffix += "\n" + n
	}
	if len(r.Notices[reader]) == 0 && t.After != nil {
		options.MoverSuffix += DescribeVacations(t, reader)
	}
	if reader != rules.NoSeat && r.Newcomers.Has(reader) {
		options.Parts = []rules.Section{{Title: "How it works", Lines: NewcomerLines(t.Game, t.Match)}}
	}
	if r.showsMap(t, reader) {
		options.Parts = append(options.Parts, t.Game.AnswerQuery(t.After.View(reader), rules.QueryMap)...)
	}
	if reader == r.Writer {
		options.Ask, options.Misread = r.Ask, r.Misread
		if options.Extent == Slip && options.Ask == nil {
			options.Ask = r.slipQuestion(t)
		}
		for _, q := range r.Queries {
			if q.Parts == nil {
				q.Parts = r.answerQuery(t, q.Query)
			}
			options.Above = append(options.Above, q.Parts...)
		}
	}
	return options
}

// slipQuestion reports in a Slip letter why no order was carried out, in place of a question.
func (r *Reply) slipQuestion(t *match.Turn) *templates.Ask {
	has := func(outcomes ...match.Outcome) bool {
		return slices.ContainsFunc(t.LineReports[r.Writer], func(l match.LineReport) bool { return slices.Contains(outcomes, l.Outcome) })
	}
	switch {
	case r.Misread:
		return &templates.Ask{Question: "Not done: part of your letter was not understood."}
	case has(match.OutcomeDone, match.OutcomeKept, match.OutcomeLapsed, match.OutcomeAsked):
		return nil
	case has(match.OutcomeRefused, match.OutcomeDropped):
		return &templates.Ask{Question: "Your order was not carried out."}
	}
	return &templates.Ask{Question: "There was no order in your letter."}
}
