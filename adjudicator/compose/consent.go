package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// RequestWords holds the words for each kind of request.
var RequestWords = map[record.ActKind]struct {
	Word letter.Word
	// Name is e.g. "request for a draw". Predicate says of a player that he makes the request. Effect is the result when all players
	// have agreed. Note is printed below the question.
	Name, Predicate, Effect, Note string
}{
	record.Draw: {Word: letter.Draw, Name: "request for a draw", Predicate: "offers a draw", Effect: "The match will end as a draw",
		Note: "If all players agree, the match ends as a draw, at once and for good. If you make a move instead, you decline."},
	record.Abort: {Word: letter.Abort, Name: "request to break off the match",
		Predicate: "asks to break off the match, so that it does not count", Effect: "The match will be broken off",
		Note: "A match that is broken off ends at once and for good, and does not count."},
	record.Replace: {Word: letter.Replace, Name: "request for a robot in place of an absent player", Predicate: "asks for a robot",
		Effect: "The robot will play",
		Note:   "The robot plays to the end of the match, which is then not rated. If the absent player answers first, no robot plays."},
	record.Pause: {Word: letter.Pause, Name: "request for a pause", Predicate: "asks for a pause", Effect: "The pause will begin",
		Note: "All clocks stop during a pause. Any player can end the pause with PAUSE OFF; the clocks then start a day later."},
}

// DescribeRequest describes a request, e.g. "request for a pause of 3 days".
func DescribeRequest(r match.Request) string {
	if r.Duration > 0 {
		return RequestWords[r.Kind].Name + " of " + FormatDays(r.Duration)
	}
	return RequestWords[r.Kind].Name
}

// DescribeConsent tells a player who has agreed to a request when it takes effect.
func DescribeConsent(request match.Request) string {
	return "You have agreed. " + RequestWords[request.Kind].Effect + " when all the other players have agreed too."
}

// TakebackConsent tells a player who has agreed to a take-back when it takes effect.
const TakebackConsent = "You have agreed. The orders will be taken back when all the other players have agreed too."

// describeAsking describes a request for the other players, e.g. "The Miller asks for a pause of 3 days".
func describeAsking(turn *match.Turn, r match.Request) string {
	text := match.Capitalize(turn.FullName(r.Seat)) + " " + RequestWords[r.Kind].Predicate
	if r.Duration > 0 {
		text += " of " + FormatDays(r.Duration)
	}
	if r.Robot != "" {
		text = fmt.Sprintf("%s asks to let %s play for %s, who is absent", match.Capitalize(turn.FullName(r.Seat)), match.DescribeRobot(r.Robot),
			turn.FullName(r.Absent))
	}
	return text
}

// describeOpenRequests names the requests that a seat has to answer, e.g. "The Miller offers a draw: please answer."
func describeOpenRequests(turn *match.Turn, seat rules.Seat) string {
	var sentences []string
	if len(TakebackPrompt(turn, seat)) > 0 {
		sentences = append(sentences, describeTakeback(turn))
	}
	for _, r := range turn.Match.Acts.Requests {
		if turn.MayAgree(r, seat) {
			sentences = append(sentences, describeAsking(turn, r))
		}
	}
	return strings.Join(sentences, ". ") + ": please answer."
}

// hasRequestToAnswer reports whether a seat has to answer a request of another player.
func hasRequestToAnswer(turn *match.Turn, seat rules.Seat) bool {
	return len(TakebackPrompt(turn, seat)) > 0 || slices.ContainsFunc(turn.Match.Acts.Requests,
		func(r match.Request) bool { return turn.MayAgree(r, seat) })
}

// RequestPrompts returns the questions for consent to open requests.
func RequestPrompts(turn *match.Turn, seat rules.Seat) (out []templates.Prompt) {
	if turn.IsOver() {
		return nil
	}
	for _, r := range turn.Match.Acts.Requests {
		if !turn.MayAgree(r, seat) {
			continue
		}
		words := RequestWords[r.Kind]
		out = append(out, templates.Prompt{
			Question: describeAsking(turn, r) + ". Do you agree?",
			Forms:    []string{string(words.Word) + " YES", string(words.Word) + " NO"},
			Hints:    []string{words.Note},
		})
	}
	return out
}

func requestSection(turn *match.Turn, seat rules.Seat) []rules.Section {
	var lines []string
	for _, r := range turn.Match.Acts.Requests {
		text := ""
		switch {
		case seat == rules.NoSeat, turn.IsOver():
		case r.Seat == seat:
			text = fmt.Sprintf("Your %s is open. %s when all the others have agreed.", DescribeRequest(r), RequestWords[r.Kind].Effect)
		case r.Agreed.Has(seat):
			text = describeAsking(turn, r) + ". " + DescribeConsent(r)
		}
		if text != "" {
			lines = append(lines, Paragraphs(text)...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []rules.Section{{Title: "Requests", Lines: lines}}
}

func takebackSection(turn *match.Turn, seat rules.Seat) []rules.Section {
	takeback := turn.Match.Takeback
	text := ""
	switch {
	case takeback == nil || seat == rules.NoSeat || turn.IsOver():
		return nil
	case takeback.Seat == seat:
		text = "You asked to take back " + takeback.Orders + " and everything after it. They will be taken back when all the others have agreed."
	case takeback.Agreed.Has(seat):
		text = describeTakeback(turn) + ". " + TakebackConsent
	default:
		return nil
	}
	return []rules.Section{{Title: "A request", Lines: Paragraphs(text)}}
}

// TakebackPrompt returns the question for consent to a take-back.
func TakebackPrompt(turn *match.Turn, seat rules.Seat) []templates.Prompt {
	takeback := turn.Match.Takeback
	if takeback == nil || seat == rules.NoSeat || turn.IsOver() ||
		(takeback.Agreed | turn.Match.Acts.Resigned | rules.Only(takeback.Seat)).Has(seat) {
		return nil
	}
	return []templates.Prompt{{
		Question: describeTakeback(turn) + " and everything after it. Do you agree?",
		Forms:    []string{"TAKEBACK YES", "TAKEBACK NO"},
		Hints:    []string{"No die was rolled and no card drawn or revealed since. The request ends when any order is carried out."},
	}}
}

func describeTakeback(turn *match.Turn) string {
	return match.Capitalize(turn.FullName(turn.Match.Takeback.Seat)) + " asks to take back " + turn.Match.Takeback.Orders
}

// ProposalPrompt repeats, in a later letter, the question whether a seat means an order.
func ProposalPrompt(turn *match.Turn, seat rules.Seat, options Options) []templates.Prompt {
	if seat == rules.NoSeat || options.Ask != nil && len(options.Ask.Answers) > 0 {
		return nil
	}
	proposal := turn.OpenProposal(seat)
	if proposal == nil {
		return nil
	}
	return []templates.Prompt{{
		Question: "You have not confirmed " + strings.Join(SplitOrders(proposal.Orders), "; ") + " yet. Do you mean it?",
		Forms:    []string{string(letter.Yes), string(letter.No)},
	}}
}

// ConsentQuestions returns the yes-or-no questions of a letter, one on each line. If the letter asks to confirm an order,
// YES and NO mean this order only.
func ConsentQuestions(turn *match.Turn, seat rules.Seat, options Options) string {
	asksToConfirm := options.Ask != nil && len(options.Ask.Answers) > 0
	if proposal := turn.OpenProposal(seat); proposal != nil && asksToConfirm && proposal.Number == turn.Match.Seats[seat].LastLetter {
		return JoinQuestions(ProposalPrompt(turn, seat, Options{}))
	}
	if asksToConfirm && options.Extent == ExtentSlip {
		return "" // The letter asks which of several orders is meant.
	}
	return JoinQuestions(slices.Concat(ProposalPrompt(turn, seat, options), TakebackPrompt(turn, seat), RequestPrompts(turn, seat)))
}

// JoinQuestions joins the questions of prompts, one on each line.
func JoinQuestions(prompts []templates.Prompt) (out string) {
	for _, p := range prompts {
		out += p.Question + "\n"
	}
	return out
}

// ConfirmQuestion returns the question whether the writer means n orders.
func ConfirmQuestion(n int) string {
	if n == 1 {
		return "Not done yet. Do you mean this order?"
	}
	return "Not done yet. Do you mean these orders?"
}

// JoinOrders returns the text of a letter with only these orders, each a paragraph.
func JoinOrders(rows []string) string {
	return strings.Join(slices.Concat([]string{"BEGIN"}, rows, []string{"END"}), "\n\n") + "\n"
}

// SplitOrders returns the inverse of JoinOrders.
func SplitOrders(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(row string) bool { return row == "" || row == "BEGIN" || row == "END" })
}
