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

// RequestWords holds the words for each kind of request to the other players, e.g. DRAW.
var RequestWords = map[record.ActKind]struct {
	Word letter.Word
	// Aim is the aim of the request, e.g. "for a draw". Predicate follows the name of the player, e.g. "offers a
	// draw". Effect is the effect once all players have agreed. Note is printed below the question.
	Aim, Predicate, Effect, Note string
}{
	record.Draw: {Word: letter.Draw, Aim: "for a draw", Predicate: "offers a draw", Effect: "the match ends as a draw, at once and for good",
		Note: "If you make a move instead, you decline."},
	record.Abort: {Word: letter.Abort, Aim: "to break off the match", Predicate: "asks to break off the match, so that it does not count",
		Effect: "the match ends at once and for good, and does not count"},
	record.Replace: {Word: letter.Replace, Aim: "for a robot", Predicate: "asks for a robot",
		Effect: "the robot plays to the end of the match, " +
			"which is then not rated"},
	record.Pause: {Word: letter.Pause, Aim: "for a pause", Predicate: "asks for a pause", Effect: "all clocks stop",
		Note: "Any player can end the pause with PAUSE OFF; the clocks then start a day later."},
}

// DescribeAim describes the aim of a request, e.g. "for a pause of 3 days" or "for a robot in place of the Weaver".
func DescribeAim(turn *match.Turn, r match.Request) string {
	aim := RequestWords[r.Kind].Aim
	if r.Duration > 0 {
		aim += " of " + FormatDays(r.Duration)
	}
	if r.Robot != "" {
		aim += " in place of " + turn.FullName(r.Absent)
	}
	return aim
}

// seatsNotAsked returns the seats that need not agree to a request: the seat that made it, and the seat that a robot
// is to take over.
func seatsNotAsked(r match.Request) rules.Seats {
	if r.Kind == record.Replace {
		return rules.Only(r.Seat) | rules.Only(r.Absent)
	}
	return rules.Only(r.Seat)
}

// AskedPlayers names the players who have to agree to a request, e.g. "the Communist" or "the other players".
func AskedPlayers(turn *match.Turn, r match.Request) string {
	return match.NameOthers(turn, seatsNotAsked(r))
}

// DescribeUnanswered names the players who have not answered a request, e.g. "the Communist has not answered yet".
func DescribeUnanswered(turn *match.Turn, r match.Request) string {
	return match.NameOthersWithVerb(turn, seatsNotAsked(r), "has not answered yet", "have not all answered yet")
}

// describeCondition says when a request takes effect, e.g. "If the Communist agrees". The seats in notAsked need not
// agree. suffix is appended; it is "" or " too".
func describeCondition(turn *match.Turn, notAsked rules.Seats, suffix string) string {
	text := match.NameOthersWithVerb(turn, notAsked, "agrees", "agree")
	if strings.HasPrefix(text, "the other players") {
		text = "all " + text
	}
	return "If " + text + suffix
}

// DescribeConsent returns the text for a player who has agreed to a request: the condition under which the request
// takes effect.
func DescribeConsent(turn *match.Turn, request match.Request, seat rules.Seat) string {
	return "You have agreed. " + describeCondition(turn, seatsNotAsked(request)|rules.Only(seat), " too") + ", " +
		RequestWords[request.Kind].Effect + "."
}

// DescribeTakebackConsent returns the text for a player who has agreed to a take-back: the condition under which the orders
// are taken back.
func DescribeTakebackConsent(turn *match.Turn, seat rules.Seat) string {
	return "You have agreed. " + describeCondition(turn, rules.Only(turn.Match.Takeback.Seat)|rules.Only(seat), " too") +
		", the orders are taken back."
}

// describeRequest describes a request for the other players, e.g. "The Miller asks for a pause of 3 days".
func describeRequest(turn *match.Turn, r match.Request) string {
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

// describeOpenRequests describes the requests that a seat has to answer, e.g. "The Miller offers a draw: please answer."
func describeOpenRequests(turn *match.Turn, seat rules.Seat) string {
	var sentences []string
	if len(TakebackPrompt(turn, seat)) > 0 {
		sentences = append(sentences, describeTakeback(turn))
	}
	for _, r := range turn.Match.Requests {
		if turn.MayAgree(r, seat) {
			sentences = append(sentences, describeRequest(turn, r))
		}
	}
	return strings.Join(sentences, ". ") + ": please answer."
}

func hasRequestToAnswer(turn *match.Turn, seat rules.Seat) bool {
	return len(TakebackPrompt(turn, seat)) > 0 || slices.ContainsFunc(turn.Match.Requests,
		func(r match.Request) bool { return turn.MayAgree(r, seat) })
}

// RequestPrompts returns the questions for consent to open requests.
func RequestPrompts(turn *match.Turn, seat rules.Seat) (out []templates.Prompt) {
	if turn.IsOver() {
		return nil
	}
	for _, r := range turn.Match.Requests {
		if !turn.MayAgree(r, seat) {
			continue
		}
		words := RequestWords[r.Kind]
		out = append(out, templates.Prompt{
			IsRequest: true,
			Question:  describeRequest(turn, r) + ". Do you agree?",
			Forms:     []string{string(words.Word) + " YES", string(words.Word) + " NO"},
			Hints:     []string{describeAgreement(turn, r, seat)},
		})
	}
	return out
}

func describeAgreement(turn *match.Turn, r match.Request, seat rules.Seat) string {
	words, condition := RequestWords[r.Kind], "If you agree"
	if turn.FullNames(^(seatsNotAsked(r) | rules.Only(seat) | turn.Match.Resigned)) != nil {
		condition = "If all players agree"
	}
	text := condition + ", " + words.Effect + ". " + words.Note
	if r.Robot != "" {
		text += "If " + turn.FullName(r.Absent) + " answers first, no robot plays."
	}
	if r.Kind != record.Draw && len(turn.OpenDecisions(seat)) > 0 {
		text = strings.TrimSpace(text) + " You may also make your move first: the request stays open."
	}
	return strings.TrimSpace(text)
}

func requestSection(turn *match.Turn, seat rules.Seat) []rules.Section {
	var lines []string
	for _, r := range turn.Match.Requests {
		text := ""
		switch {
		case seat == rules.NoSeat, turn.IsOver():
		case r.Seat == seat:
			text = fmt.Sprintf("Your request %s is open. %s, %s.", DescribeAim(turn, r), describeCondition(turn, seatsNotAsked(r), ""),
				RequestWords[r.Kind].Effect)
		case r.Agreed.Has(seat):
			text = describeRequest(turn, r) + ". " + DescribeConsent(turn, r, seat)
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
		text = "You asked to take back \"" + takeback.Orders + "\" and everything after it. " +
			describeCondition(turn, rules.Only(seat), "") + ", this is done."
	case takeback.Agreed.Has(seat):
		text = describeTakeback(turn) + ". " + DescribeTakebackConsent(turn, seat)
	default:
		return nil
	}
	return []rules.Section{{Title: "A request", Lines: Paragraphs(text)}}
}

// TakebackPrompt returns the question for consent to a take-back.
func TakebackPrompt(turn *match.Turn, seat rules.Seat) []templates.Prompt {
	takeback := turn.Match.Takeback
	if takeback == nil || seat == rules.NoSeat || turn.IsOver() ||
		(takeback.Agreed | turn.Match.Resigned | rules.Only(takeback.Seat)).Has(seat) {
		return nil
	}
	ending := "The request ends when a player makes a move."
	if len(turn.OpenDecisions(seat)) > 0 {
		ending = "Answer this before you move: if you move first, the request ends and nothing is taken back."
	}
	return []templates.Prompt{{
		IsRequest: true,
		Question:  describeTakeback(turn) + " and everything after it. Do you agree?",
		Forms:     []string{"TAKEBACK YES", "TAKEBACK NO"},
		Hints:     []string{ending + " No die was rolled and no card drawn or revealed since."},
	}}
}

func describeTakeback(turn *match.Turn) string {
	return match.Capitalize(turn.FullName(turn.Match.Takeback.Seat)) + ` asks to take back "` + turn.Match.Takeback.Orders + `"`
}

// ProposalPrompt asks a seat again, in a later letter, to confirm its proposed orders.
func ProposalPrompt(turn *match.Turn, seat rules.Seat, options Options) []templates.Prompt {
	if seat == rules.NoSeat || options.Ask != nil && len(options.Ask.Answers) > 0 {
		return nil
	}
	proposal := turn.OpenProposal(seat)
	if proposal == nil {
		return nil
	}
	orders := SplitOrders(proposal.Orders)
	question, endQuestion := "You have not confirmed "+strings.Join(orders, "; ")+" yet. ", ResignQuestion(turn, seat, orders)
	switch {
	case endQuestion != "":
		question += endQuestion + " " + undecidedNote
	case len(orders) == 1:
		question += "Do you want this order to be carried out?"
	default:
		question += "Do you want these orders to be carried out?"
	}
	return []templates.Prompt{{Question: question, Forms: []string{string(letter.Yes), string(letter.No)}}}
}

// ConsentQuestions returns the questions of a letter that YES and NO can answer, one on each line. If the letter asks the player
// to confirm an order, this is the only question.
func ConsentQuestions(turn *match.Turn, seat rules.Seat, options Options) string {
	asksToConfirm := options.Ask != nil && len(options.Ask.Answers) > 0
	if proposal := turn.OpenProposal(seat); proposal != nil && asksToConfirm && proposal.Number == turn.Match.Seats[seat].LastLetter {
		return JoinQuestions(ProposalPrompt(turn, seat, Options{}))
	}
	if asksToConfirm && options.Extent == ExtentSlip {
		return "" // The letter asks the player to choose between several orders.
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

// ResignQuestion returns the question to confirm RESIGN if it is the only proposed order, and otherwise "".
func ResignQuestion(turn *match.Turn, seat rules.Seat, orders []string) string {
	if slices.Equal(orders, []string{string(letter.Resign) + " " + turn.Match.ID}) {
		return ResignText(turn, seat)
	}
	return ""
}

// undecidedNote follows the question "Do you want to resign?", and similar questions.
const undecidedNote = "Until you answer YES, the match goes on as it is."

// AskToConfirm asks the writer to confirm orders with YES. endQuestion is the question to ask if an order ends the
// match for the writer, e.g. "Do you want to resign match mabcdefg?"; otherwise it is empty.
func AskToConfirm(orders []string, endQuestion string) *templates.Ask {
	ask := &templates.Ask{Question: "Your order has not been carried out yet. Please confirm it:", Orders: orders,
		Note:    "YES carries it out; NO drops it. Until you answer, nothing is done.",
		Answers: []string{string(letter.Yes), string(letter.No)}}
	if len(orders) > 1 {
		ask.Question = "Your orders have not been carried out yet. Please confirm them:"
		ask.Note = strings.TrimSpace(endQuestion + " YES carries the orders out; NO drops them. Until you answer, nothing is done.")
	} else if endQuestion != "" {
		ask.Question, ask.Orders, ask.Note = endQuestion, nil, undecidedNote
	}
	return ask
}

// JoinOrders returns the text of a letter with only these orders: {"PASS", "DRAW"} ->
// "BEGIN\n\nPASS\n\nDRAW\n\nEND\n".
func JoinOrders(orders []string) string {
	return strings.Join(slices.Concat([]string{"BEGIN"}, orders, []string{"END"}), "\n\n") + "\n"
}

// SplitOrders returns the orders in a text that JoinOrders has written.
func SplitOrders(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(row string) bool { return row == "" || row == "BEGIN" || row == "END" })
}
