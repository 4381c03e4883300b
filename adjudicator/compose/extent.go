package compose

import (
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// ExtentFor returns the extent of the letter to a seat.
func (r *Reply) ExtentFor(turn *match.Turn, seat rules.Seat) Extent {
	isOpen := false
	if turn.After != nil && seat != rules.NoSeat {
		isOpen, _ = turn.AskStatus(seat)
	}
	switch {
	case r.RemindedSeats.Has(seat):
		return ExtentReminder
	case r.FullLetterSeats.Has(seat):
		return ExtentFull
	case r.isSlip(turn, seat, isOpen):
		return ExtentSlip
	case seat == r.Writer && (r.HasOnlyQueries || (!isOpen || !r.hasMatchMoved(turn, seat)) && (r.WantsHelp || len(r.Queries) > 0)):
		return ExtentAnswers
	case turn.After == nil && seat != rules.NoSeat && turn.Match.Seats[seat].Joined:
		return ExtentConfirmation
	case turn.After == nil, seat == rules.NoSeat, r.AtTable, isOpen, turn.Match.State == match.Over &&
		(turn.HasChanged() || turn.HasPublished):
		return ExtentFull
	}
	return ExtentConfirmation
}

// focusFor returns the titles of the standing sections that a full letter to a seat shows; nil for all. Sections may be
// left out only if the reader has an earlier full letter, and if the turn has no act (e.g. a pause) and no remark (e.g.
// on a take-back).
func (r *Reply) focusFor(turn *match.Turn, seat rules.Seat) []string {
	switch {
	case seat == rules.NoSeat, turn.Game.Focus == nil, turn.Before == nil, turn.After == nil, r.AtTable, r.FullLetterSeats.Has(seat),
		turn.Match.Seats[seat].LastFullLetter <= turn.Match.Seats[seat].IgnoreBouncesThrough, slices.ContainsFunc(turn.Entries, isMatchAct),
		len(turn.Remarks)+len(turn.Unreported[seat].Remarks) > 0, len(DescribeRestores(turn, seat)) > 0, r.ExtentFor(turn, seat) != ExtentFull:
		return nil
	}
	return turn.Game.Focus(turn.After.View(seat), turn.EventsFor(seat))
}

// isSlip reports whether a seat gets a slip letter (ExtentSlip), because the match has not moved for the seat and an
// earlier letter shows the position. For example, Ada sends a MESSAGE or a misspelt order while it is her move; the slip
// letter repeats only her question. isOpen is set if the seat has an open question.
func (r *Reply) isSlip(turn *match.Turn, seat rules.Seat, isOpen bool) bool {
	switch {
	case turn.After == nil, seat == rules.NoSeat, turn.Match.State != match.Playing, r.AtTable, turn.HasPublished, r.hasMatchMoved(turn, seat):
		return false
	case seat != r.Writer:
		return isOpen
	case r.AnswersClosedQuestion, r.WantsHelp, len(r.Queries) > 0, len(turn.LineReports[seat]) == 0:
		return false
	}
	return isOpen && !r.HasOnlyQueries || !slices.ContainsFunc(turn.LineReports[seat], func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeDone || l.Outcome == match.OutcomeSaved || l.Outcome == match.OutcomePreview ||
			l.Outcome == match.OutcomeLapsed
	})
}

// isMatchAct reports whether an entry has an act, i.e. something that is not an order of the game, e.g. a break-off. A
// confirmation of the history (WITNESS) does not count.
func isMatchAct(entry record.Entry) bool { return entry.Act != nil && entry.Act.Kind != record.Witness }

// hasMatchMoved reports whether the match has moved for a reader. For the writer each entry counts, even a private
// answer. For another reader, an entry counts only if the reader may know of it.
func (r *Reply) hasMatchMoved(turn *match.Turn, reader rules.Seat) bool {
	switch {
	case !turn.HasChanged():
		return false
	case turn.Before == nil, turn.Match.State == match.Over, len(match.EventsVisibleTo(turn.Events, reader)) > 0,
		slices.ContainsFunc(turn.Entries, isMatchAct):
		return true
	case reader == r.Writer && reader != rules.NoSeat:
		return slices.ContainsFunc(turn.Entries, func(entry record.Entry) bool { return entry.Act == nil })
	}
	return len(turn.LineReports[reader]) > 0 || SummarizePosition(turn, turn.Before, reader) != SummarizePosition(turn, turn.After, reader)
}

// MayHavePicture reports whether the letter to a seat may have a picture: the reader asks for the map, the match
// ends, or a full letter reports orders of other players. If a move needs several letters, the player already has the
// picture from the first of them. answered is the seat that gets an answer to its letter.
func (r *Reply) MayHavePicture(turn *match.Turn, seat, answered rules.Seat) bool {
	name := record.SeatName(turn.Match.Seats[seat].Name)
	switch {
	case r.WantsPicture(turn, seat), r.showsMap(turn, seat):
		return true
	case r.ExtentFor(turn, seat) != ExtentFull, r.focusFor(turn, seat) != nil:
		return false
	}
	return seat != answered || slices.ContainsFunc(turn.Entries, func(entry record.Entry) bool { return entry.Seat != name })
}

// showsMap reports whether a letter without standing sections shows the map, because it has a new request to its reader, e.g. for a draw.
func (r *Reply) showsMap(turn *match.Turn, reader rules.Seat) bool {
	if reader == rules.NoSeat || turn.After == nil || turn.Game.AnswerQuery == nil || !hasRequestNews(turn) ||
		!hasRequestToAnswer(turn, reader) {
		return false
	}
	extent := r.ExtentFor(turn, reader)
	return extent == ExtentSlip || extent == ExtentConfirmation
}

// WantsPicture reports whether the letter to a seat has a picture even if the map has not changed since the last picture.
func (r *Reply) WantsPicture(turn *match.Turn, seat rules.Seat) bool {
	return r.FullLetterSeats.Has(seat) || turn.Match.State == match.Over && turn.HasChanged() ||
		seat == r.Writer && slices.ContainsFunc(r.Queries, Query.isMap)
}

// IsOmitted reports whether a confirmation to a seat is not sent, because the next letter repeats it. After FORMAT
// QUIET no such confirmation is sent, after FORMAT LOUD all are sent. By default, if confirmations are delayed, only
// those with news are sent.
func (r *Reply) IsOmitted(turn *match.Turn, seat rules.Seat, areDelayed bool) bool {
	if !r.IsRepeated(turn, seat) {
		return false
	}
	switch turn.Match.Seats[seat].Confirm {
	case match.ConfirmNone:
		return true
	case match.ConfirmAll:
		return false
	}
	return areDelayed && !r.hasConfirmationNews(turn, seat)
}

// The first maxConfirmedLetters letters to a seat confirm all orders. Later, confirmations without news are left out.
const maxConfirmedLetters = 60

// hasConfirmationNews reports whether a confirmation has news for its reader. Opened sealed answers and pending answers
// of other seats are always news. For readers other than the writer of the orders, a change of the players to move is
// news. For the writer, everything is news in the first maxConfirmedLetters letters, and while another player's clock is
// stopped. Later only two things are news for the writer: an order that the referee reports in other words, and a die or
// draw, unless the card or action goes on and asks another question (the letter with this question reports the die).
func (r *Reply) hasConfirmationNews(turn *match.Turn, seat rules.Seat) bool {
	nameOf := func(s rules.Seat) record.SeatName {
		if s == rules.NoSeat {
			return ""
		}
		return record.SeatName(turn.Match.Seats[s].Name)
	}
	switch writerName := nameOf(r.Writer); {
	case slices.ContainsFunc(turn.Entries, func(entry record.Entry) bool { return entry.Seat != writerName }):
		return true
	case seat != r.Writer:
		return len(turn.LineReports[seat]) > 0 || turn.NamesOf(turn.Before.OpenDecisions(nil)) != turn.NamesOf(turn.After.OpenDecisions(nil))
	case turn.Match.Seats[seat].LastLetter < maxConfirmedLetters, isOtherClockStopped(turn, seat):
		return true
	}
	return slices.ContainsFunc(turn.LineReports[seat], isReworded) || !hasNextQuestion(turn) &&
		slices.ContainsFunc(turn.Entries, func(entry record.Entry) bool {
			return slices.ContainsFunc(entry.Chance, func(o record.Outcome) bool { return !o.Hidden })
		})
}

func isOtherClockStopped(turn *match.Turn, reader rules.Seat) bool {
	for i := range turn.Match.Seats {
		if seat := rules.Seat(i); seat != reader && turn.Match.PausesOf(seat).Contains(turn.Now) {
			return true
		}
	}
	return false
}

// hasNextQuestion reports whether cards or actions (Decision.Source) ask all questions before the turn and all questions after it,
// e.g. because a card goes on.
func hasNextQuestion(turn *match.Turn) bool {
	inPlay := func(pos rules.Position) bool {
		decisions := pos.OpenDecisions(nil)
		return len(decisions) > 0 && !slices.ContainsFunc(decisions, func(d rules.Decision) bool { return d.Source == "" })
	}
	return inPlay(turn.Before) && inPlay(turn.After)
}

// IsRepeated reports whether the next letter with a question to a seat will repeat the content of this letter.
func (r *Reply) IsRepeated(turn *match.Turn, seat rules.Seat) bool {
	seatState := &turn.Match.Seats[seat]
	switch {
	case r.ExtentFor(turn, seat) != ExtentConfirmation, turn.Before == nil, turn.Match.State == match.Over, !turn.HasChanged(),
		seatState.EntriesWhenAsked == 0:
		return false
	case len(r.Messages[seat]) > 0, len(r.Notices[seat]) > 0, len(turn.Remarks) > 0, len(DescribeActs(turn, seat)) > 0,
		len(DescribeRestores(turn, seat)) > 0, hasRequestNews(turn), seatState.KeyExposed:
		return false
	case seat == r.Writer && (r.WantsHelp || len(r.Queries) > 0 || len(r.Problems) > 0 || r.HasOtherRecipients || len(r.Unlisted) > 0):
		return false
	}
	return !slices.ContainsFunc(turn.LineReports[seat], func(l match.LineReport) bool { return !l.CoveredByEvents })
}

func isReworded(l match.LineReport) bool {
	normalize := func(s string) string { return strings.Join(strings.Fields(order.ASCII(s)), " ") }
	return l.Text != "" && !strings.EqualFold(normalize(l.Line), normalize(l.Text))
}

// HasNews reports whether there is news for a reader. It depends only on facts that the reader may know: another
// seat's private answer is not news. Requests and remarks are not news for observers.
func (r *Reply) HasNews(turn *match.Turn, reader rules.Seat) bool {
	switch {
	case r.RemindedSeats.Has(reader), reader != rules.NoSeat && r.Analysis != nil, len(r.Messages[reader]) > 0, len(r.Notices[reader]) > 0,
		turn.HasPublished,
		reader != rules.NoSeat && (hasRequestNews(turn) || len(turn.Remarks) > 0):
		return true
	case reader == r.Writer && len(turn.LineReports[reader]) > 0:
		return true // For example, a pending answer of the seat was refused.
	}
	return r.hasMatchMoved(turn, reader)
}

func hasRequestNews(turn *match.Turn) bool {
	return turn.Match.Takeback != turn.TakebackBefore || !slices.Equal(turn.Match.Requests, turn.RequestsBefore)
}
