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

// Reply holds the parts of the letters about a turn that match.Turn does not hold: the answer to the writer of the handled letter,
// messages and notices.
type Reply struct {
	// Writer is the seat that wrote the answered letter; NoSeat for none.
	Writer rules.Seat
	// AnswersLetter is set if Writer has sent a letter. It is not set after e.g. a command of the operator.
	AnswersLetter bool
	// AtTable is set if all players sit at one table, and get full letters.
	AtTable bool
	// Problems are sentences about the writer's letter itself, e.g. about its encoding. HasOtherRecipients is set if
	// the letter also went to another address.
	Problems           []string
	HasOtherRecipients bool
	// FullLetterSeats get a letter with all standing sections (ExtentFull), RemindedSeats a reminder (ExtentReminder).
	FullLetterSeats, RemindedSeats rules.Seats
	// Unlisted counts the lines of the letter that the answer does not report, by outcome.
	Unlisted map[match.LineOutcome]int

	// Queries are the requests for information in the writer's letter, e.g. MAP. HasOnlyQueries is set if the letter
	// contains only queries. Unanswered is set if the letter gets no answer.
	Queries                    []Query
	HasOnlyQueries, Unanswered bool
	// Record is the record to attach to letters; nil for none.
	Record *AttachedRecord
	// WantsHelp is set if the writer asks how to write orders.
	WantsHelp bool
	// Misread is set if a part of the letter was not understood. AnswersClosedQuestion is set if the letter answers a
	// question that is no longer open.
	Misread, AnswersClosedQuestion bool
	// Ask asks the writer to confirm orders; nil for none.
	Ask *templates.Ask
	// Messages holds, for each seat, the messages of other players. Notices holds, for each seat, sentences for this
	// seat only.
	Messages map[rules.Seat][]rules.Section
	Notices  map[rules.Seat][]string
	// Analysis holds the findings of an analysis for each seat; nil for none.
	Analysis map[rules.Seat]rules.Section
	// NewcomerSeats are the seats of new players; their letters explain how a match is played.
	NewcomerSeats rules.Seats
}

// Query is a request for information in a letter, e.g. MAP. Sections holds the answer; it may be nil until all
// orders of the letter are carried out.
type Query struct {
	Query    rules.Query
	Sections []rules.Section
}

func (q Query) isMap() bool { return q.Query == rules.QueryMap || q.Query == rules.QueryBigMap }

// AddSection adds a section that answers a query, unless a section with this title was added before. blocks has the
// content of lines for the HTML page; if blocks is nil, the page shows the lines.
func (r *Reply) AddSection(query rules.Query, title string, lines []string, blocks []rules.Block) {
	if slices.ContainsFunc(r.Queries, func(query Query) bool {
		return slices.ContainsFunc(query.Sections, func(p rules.Section) bool { return p.Title == title })
	}) {
		return
	}
	r.Queries = append(r.Queries, Query{query, []rules.Section{{Title: title, Lines: lines, Blocks: blocks}}})
}

// AddNotice adds a sentence to the letter to a seat.
func (r *Reply) AddNotice(seat rules.Seat, sentence string) {
	r.Notices[seat] = append(r.Notices[seat], sentence)
}

// orderLines reports the outcomes of a seat's orders, and lists the seat's pending answers from earlier letters.
// digest is the digest of the answered letter.
func (r *Reply) orderLines(turn *match.Turn, seat rules.Seat, digest string) []templates.Line {
	var out []templates.Line
	for _, l := range turn.LineReports[seat] {
		out = append(out, templates.Line{Text: l.Line, Outcome: string(l.Outcome), Remark: l.Text})
	}
	if seat == r.Writer {
		for _, outcome := range []match.LineOutcome{match.OutcomeDone, match.OutcomeSaved, match.OutcomeRefused, match.OutcomeNotReached,
			match.OutcomeIgnored, match.OutcomeUnread} {
			switch n := r.Unlisted[outcome]; {
			case n == 1:
				out = append(out, templates.Line{Remark: "One more line was " + string(outcome) + "."})
			case n > 1:
				out = append(out, templates.Line{Remark: fmt.Sprintf("%d more lines were %s.", n, outcome)})
			}
		}
	}
	conditionalCount := 0
	for _, pending := range turn.Match.Pending {
		switch {
		case pending.Seat != seat:
		case pending.Conditional != nil:
			conditionalCount++
		case pending.Decision == 0 && pending.Letter != digest:
			out = append(out, templates.Line{Text: turn.PendingLine(pending), Outcome: string(match.OutcomeSaved)})
		}
	}
	out = append(out, DelayLines(turn, seat)...)
	switch {
	case conditionalCount == 1:
		out = append(out, templates.Line{Remark: "You have one saved order; SHOW ORDERS shows it."})
	case conditionalCount > 1:
		out = append(out, templates.Line{Remark: fmt.Sprintf("You have %d saved orders; SHOW ORDERS lists them.", conditionalCount)})
	}
	return out
}

func (r *Reply) answerQuery(turn *match.Turn, query rules.Query) []rules.Section {
	view := turn.After.View(r.Writer)
	if query == rules.Query(letter.Position) {
		return []rules.Section{{Title: "Your position", Lines: r.seatViewLines(turn, view)}}
	}
	if query == rules.Query(letter.Record) {
		return []rules.Section{r.recordSection(turn)}
	}
	if maps := turn.Game.Map; maps != nil && query == rules.QueryBigMap {
		return []rules.Section{{Title: rules.BigMapTitle, Lines: maps.TextMap(view, nil)}}
	}
	if sections := turn.Game.AnswerQuery(view, query); sections != nil {
		return sections
	}
	return []rules.Section{{Title: strings.ToLower(string(query)), Lines: []string{"There is none now."}}}
}

// OptionsFor returns the options of the letter to a reader.
func (r *Reply) OptionsFor(turn *match.Turn, reader rules.Seat, digest string) Options {
	options := Options{Lines: r.orderLines(turn, reader, digest), SectionsAbove: slices.Clone(r.Messages[reader]),
		Extent:   r.ExtentFor(turn, reader),
		Focus:    r.focusFor(turn, reader),
		Repeated: reader != rules.NoSeat && r.IsRepeated(turn, reader), HasRecord: r.RecordFor(turn, reader) != nil}
	options.IsNotice = !(r.AnswersLetter && reader == r.Writer) &&
		!slices.ContainsFunc(options.Lines, func(l templates.Line) bool { return l.Text != "" })
	if section, ok := r.Analysis[reader]; ok {
		options.HasAnalysis = true
		options.SectionsAbove = append(options.SectionsAbove, section)
	} else if len(options.SectionsAbove) > 0 {
		options.Writer = turn.FullName(r.Writer)
		options.MoverSuffix = fmt.Sprintf("\n%s has written to you; the message is below.", match.Capitalize(options.Writer))
	}
	for _, n := range r.Notices[reader] {
		options.MoverSuffix += "\n" + n
	}
	if len(r.Notices[reader]) == 0 && turn.After != nil {
		options.MoverSuffix += DescribeVacations(turn, reader)
	}
	if reader != rules.NoSeat && r.NewcomerSeats.Has(reader) {
		options.SectionsBelow = []rules.Section{{Title: "How it works", Lines: NewcomerLines(turn, reader)}}
	}
	if r.showsMap(turn, reader) {
		options.SectionsBelow = append(options.SectionsBelow, turn.Game.AnswerQuery(turn.After.View(reader), rules.QueryMap)...)
	}
	if reader == r.Writer {
		options.Ask, options.Misread = r.Ask, r.Misread
		if options.Extent == ExtentSlip && options.Ask == nil {
			options.Ask = r.slipQuestion(turn)
		}
		for _, q := range r.Queries {
			if q.Sections == nil {
				q.Sections = r.answerQuery(turn, q.Query)
			}
			options.SectionsAbove = append(options.SectionsAbove, q.Sections...)
		}
	}
	return options
}

// slipQuestion says in a slip letter, in place of a question, why no order was carried out.
func (r *Reply) slipQuestion(turn *match.Turn) *templates.Ask {
	hasOutcome := func(outcomes ...match.LineOutcome) bool {
		return slices.ContainsFunc(turn.LineReports[r.Writer], func(l match.LineReport) bool { return slices.Contains(outcomes, l.Outcome) })
	}
	switch {
	case r.Misread && hasOutcome(match.OutcomeDone, match.OutcomeSaved, match.OutcomeLapsed, match.OutcomeAsked):
		return &templates.Ask{Question: "Part of your letter was not understood."}
	case r.Misread && hasOutcome(match.OutcomeNotReached):
		return &templates.Ask{Question: "Nothing was done, because part of your letter was not understood."}
	case r.Misread:
		return &templates.Ask{Question: "Nothing was done: your letter was not understood."}
	case hasOutcome(match.OutcomeDone, match.OutcomeSaved, match.OutcomeLapsed, match.OutcomeAsked):
		return nil
	case hasOutcome(match.OutcomeRefused, match.OutcomeDropped):
		if !slices.ContainsFunc(turn.LineReports[r.Writer], func(l match.LineReport) bool { return l.Line != "" }) {
			return &templates.Ask{Question: "Nothing was done."} // the whole letter is refused
		}
		return &templates.Ask{Question: "Your order was not carried out."}
	}
	return &templates.Ask{Question: "There was no order in your letter."}
}
