package compose

import (
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// ExtentFor returns how much the letter to a seat shows.
func (r *Reply) ExtentFor(t *match.Turn, seat rules.Seat) Extent {
	open := false
	if t.After != nil && seat != rules.NoSeat {
		open, _ = t.AskStatus(seat)
	}
	switch {
	case r.Reminded.Has(seat):
		return Reminder
	case r.Whole.Has(seat):
		return Whole
	case r.isSlip(t, seat, open):
		return Slip
	case seat == r.Writer && (r.OnlyAsks || (!open || !r.hasPlayed(t, seat)) && (r.AsksHelp || len(r.Queries) > 0)):
		return Answers
	case t.After == nil && seat != rules.NoSeat && t.Match.Seats[seat].Joined:
		return Confirmation
	case t.After == nil, seat == rules.NoSeat, r.AtTable, open, t.Match.State == match.Over && (t.Changed() || t.Published):
		return Whole
	}
	return Confirmation
}

// isSlip reports whether the match has not moved for the reader, so that an earlier letter shows the position. For
// example, Ada sends a MESSAGE, FORMAT TEXT or a misspelt order while it is her move. A slip letter repeats only her question.
// isOpen is set if the seat's question is open.
func (r *Reply) isSlip(t *match.Turn, seat rules.Seat, open bool) bool {
	switch {
	case t.After == nil, seat == rules.NoSeat, t.Match.State != match.Playing, r.AtTable, t.Published, r.hasPlayed(t, seat):
		return false
	case seat != r.Writer:
		return open
	case r.AnswersClosedQuestion, r.AsksHelp, len(r.Queries) > 0, len(t.LineReports[seat]) == 0:
		return false
	}
	return open && !r.OnlyAsks || !slices.ContainsFunc(t.LineReports[seat], func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeDone || l.Outcome == match.OutcomeKept || l.Outcome == match.OutcomePreview ||
			l.Outcome == match.OutcomeLapsed
	})
}

// hasPlayed reports whether the match has moved for a reader. For the writer each entry counts, even a private answer; for other
// readers only an entry that they may know. A confirmation of the history (WITNESS) does not count.
func (r *Reply) hasPlayed(t *match.Turn, reader rules.Seat) bool {
	acts := func(e record.Entry) bool { return e.Act != nil && e.Act.Kind != record.Witness }
	switch {
	case !t.Changed():
		return false
	case t.Before == nil, t.Match.State == match.Over, len(match.EventsVisibleTo(t.Events, reader)) > 0, slices.ContainsFunc(t.Entries, acts):
		return true
	case reader == r.Writer && reader != rules.NoSeat:
		return slices.ContainsFunc(t.Entries, func(e record.Entry) bool { return e.Act == nil })
	}
	return len(t.LineReports[reader]) > 0 || SummarizePosition(t, t.Before, reader) != SummarizePosition(t, t.After, reader)
}

// IsIllustrated reports whether the letter to a seat may have a picture: if the reader wants to see the map, if the match ends, or
// if the letter is full and not only a result of the reader's own orders. A player who continues a move has the picture from its
// beginning. answered is the seat that sent the letter to be answered.
func (r *Reply) IsIllustrated(t *match.Turn, seat, answered rules.Seat) bool {
	name := record.SeatName(t.Match.Seats[seat].Name)
	switch {
	case r.WantsPicture(t, seat), r.showsMap(t, seat):
		return true
	case r.ExtentFor(t, seat) != Whole:
		return false
	}
	return seat != answered || slices.ContainsFunc(t.Entries, func(e record.Entry) bool { return e.Seat != name })
}

// showsMap reports whether a letter without standing sections has the map: it brings a request that its reader may agree to, e.g. a draw.
func (r *Reply) showsMap(t *match.Turn, reader rules.Seat) bool {
	if reader == rules.NoSeat || t.After == nil || t.Game.AnswerQuery == nil || !hasRequestNews(t) || !hasRequestToAnswer(t, reader) {
		return false
	}
	extent := r.ExtentFor(t, reader)
	return extent == Slip || extent == Confirmation
}

// WantsPicture reports whether the letter to a seat has a picture even where the map is as in the last picture.
func (r *Reply) WantsPicture(t *match.Turn, seat rules.Seat) bool {
	return r.Whole.Has(seat) || t.Match.State == match.Over && t.Changed() ||
		seat == r.Writer && slices.ContainsFunc(r.Queries, Query.isMap)
}

// IsOmitted reports whether a seat wants no letter now. The next letter must repeat the confirmation. FORMAT QUIET leaves out all of
// these confirmations, FORMAT LOUD none; the default leaves out those without news if areDelayed is set: confirmations wait before
// they are sent.
func (r *Reply) IsOmitted(t *match.Turn, seat rules.Seat, delays bool) bool {
	if !r.IsRepeated(t, seat) {
		return false
	}
	switch t.Match.Seats[seat].Confirm {
	case match.ConfirmNone:
		return true
	case match.ConfirmAll:
		return false
	}
	return delays && !r.tellsNews(t, seat)
}

// confirmedLetters is the number of letters to a seat after which confirmations without news are left out. In a long match with 128
// letters of orders, a confirmation of each would raise the number of letters from 175 to 266.
const confirmedLetters = 60

// tellsNews reports whether a confirmation has news for its reader. At the beginning of a match, and while another player is away or
// the match is paused, the writer of orders is told that they were carried out. Later only outcomes of chance are news to the writer,
// and the interpretation of words other than the referee's own. For example, "CHECK Krakow" has a die. In a play that continues, e.g. a
// struggle, the next question tells the outcome. The turn's change to another seat is news to the other players. Sealed and pending
// answers are news to all readers when they are opened.
func (r *Reply) tellsNews(t *match.Turn, seat rules.Seat) bool {
	name := func(s rules.Seat) record.SeatName {
		if s == rules.NoSeat {
			return ""
		}
		return record.SeatName(t.Match.Seats[s].Name)
	}
	switch ordered := name(r.Writer); {
	case slices.ContainsFunc(t.Entries, func(e record.Entry) bool { return e.Seat != ordered }):
		return true
	case seat != r.Writer:
		return len(t.LineReports[seat]) > 0 || t.NamesOf(t.Before.OpenDecisions(nil)) != t.NamesOf(t.After.OpenDecisions(nil))
	case t.Match.Seats[seat].Letters < confirmedLetters, isOtherClockStopped(t, seat):
		return true
	}
	return slices.ContainsFunc(t.LineReports[seat], isReworded) || !hasNextQuestion(t) &&
		slices.ContainsFunc(t.Entries, func(e record.Entry) bool {
			return slices.ContainsFunc(e.Chance, func(o record.Outcome) bool { return !o.Hidden })
		})
}

func isOtherClockStopped(t *match.Turn, reader rules.Seat) bool {
	for i := range t.Match.Seats {
		if seat := rules.Seat(i); seat != reader && t.Match.PausesOf(seat).Contains(t.Now) {
			return true
		}
	}
	return false
}

// hasNextQuestion reports whether the play asks another question after the answer.
func hasNextQuestion(t *match.Turn) bool {
	inPlay := func(pos rules.Position) bool {
		decisions := pos.OpenDecisions(nil)
		return len(decisions) > 0 && !slices.ContainsFunc(decisions, func(d rules.Decision) bool { return d.Source == "" })
	}
	return inPlay(t.Before) && inPlay(t.After)
}

// IsRepeated reports whether the next letter with a question to a seat repeats the content of the letter now.
func (r *Reply) IsRepeated(t *match.Turn, seat rules.Seat) bool {
	seatState := &t.Match.Seats[seat]
	switch {
	case r.ExtentFor(t, seat) != Confirmation, t.Before == nil, t.Match.State == match.Over, !t.Changed(), seatState.EntriesWhenAsked == 0:
		return false
	case len(r.Mail[seat]) > 0, len(r.Notices[seat]) > 0, len(t.Remarks) > 0, len(DescribeActs(t, seat)) > 0,
		len(DescribeRestores(t, seat)) > 0, hasRequestNews(t), seatState.KeyExposed:
		return false
	case seat == r.Writer && (r.AsksHelp || len(r.Queries) > 0 || len(r.Problems) > 0 || r.HasOtherRecipients || len(r.Unlisted) > 0):
		return false
	}
	return !slices.ContainsFunc(t.LineReports[seat], func(l match.LineReport) bool { return !l.Played })
}

// isReworded reports whether the answer gives a line in other words than its writer did.
func isReworded(l match.LineReport) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(order.ASCII(s)), " ") }
	return l.Text != "" && !strings.EqualFold(plain(l.Line), plain(l.Text))
}

// HasNews reports whether there is news for a reader. It depends only on facts that the reader may know: neither the private answer
// of another seat nor its time is news. Requests and remarks are not news to observers.
func (r *Reply) HasNews(t *match.Turn, reader rules.Seat) bool {
	switch {
	case r.Reminded.Has(reader), reader != rules.NoSeat && r.Analysis != nil, len(r.Mail[reader]) > 0, len(r.Notices[reader]) > 0, t.Published,
		reader != rules.NoSeat && (hasRequestNews(t) || len(t.Remarks) > 0):
		return true
	case reader == r.Writer && len(t.LineReports[reader]) > 0:
		return true // A pending answer of the seat came to nothing.
	}
	return r.hasPlayed(t, reader)
}

// hasRequestNews reports whether the turn has changed what players ask each other.
func hasRequestNews(t *match.Turn) bool {
	return t.Match.Takeback != t.TakebackBefore || !slices.Equal(t.Match.Acts.Requests, t.RequestsBefore)
}
