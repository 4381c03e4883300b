package liarsdice

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// nameBid is the kind of names that are bids, for example "4 fives".
const nameBid rules.NameKind = "bid"

var (
	faceNames   = [faces + 1]string{"", "one", "two", "three", "four", "five", "six"}
	facePlurals = [faces + 1]string{"", "ones", "twos", "threes", "fours", "fives", "sixes"}
)

func (game) Keywords() []rules.Keyword {
	return []rules.Keyword{
		{Word: "BID", IsVerb: true, NameKinds: []rules.NameKind{nameBid}, Synonyms: []string{"RAISE", "RAISE TO"}},
		{Word: "DOUBT", IsVerb: true, Synonyms: []string{"LIAR"}},
	}
}

func (game) Names() (out []rules.Name) {
	for n := 1; n <= maxSeats*fullCup; n++ {
		for face := wild + 1; face <= faces; face++ {
			out = append(out, rules.Name{Kind: nameBid, Code: int(bid{n, face}.atom()), Text: formatBid(bid{n, face}), NoAbbreviation: true,
				Aliases: []string{fmt.Sprintf("%d %ds", n, face), fmt.Sprintf("%d x %d", n, face),
					fmt.Sprintf("%d %s", n, facePlurals[face])}})
		}
	}
	return out
}

func (game) Answers(o rules.Order, _ []rules.Decision) ([]rules.Answer, error) {
	a := doubt
	if len(o.Clauses) != 1 {
		return nil, errors.New("an order must be BID or DOUBT")
	}
	if c := o.Clauses[0]; c.Word == "BID" {
		if len(c.Items) != 1 {
			return nil, errors.New("write BID with a number of dice and a face, as in BID 4 fives")
		}
		a = rules.Atom(c.Items[0].Name.Code)
	}
	return []rules.Answer{{Atoms: []rules.Atom{a}, Kinds: []string{kindPlay}}}, nil
}

func (game) FormatOrder(atoms []rules.Atom) string {
	if len(atoms) == 0 || atoms[0] == doubt {
		return "DOUBT"
	}
	return "BID " + formatBid(bidOfAtom(atoms[0]))
}

func explainOrder(rv rules.View, _ rules.Decision, answers []rules.Answer) string {
	if a := answers[0].Atoms[0]; a != doubt {
		return "You say that there are " + formatBid(bidOfAtom(a)) + " or more, ones included."
	}
	return "You say that there are fewer than " + formatBid(rv.(*view).Bid) + ", ones included."
}

// The help texts, in the format of rules.ReadTopics.
var (
	//go:embed topics.txt
	topicsText string
	//go:embed manual.txt
	manualText string
)

func topics() []rules.Topic { return rules.ReadTopics(topicsText) }
func manual() []rules.Topic { return rules.ReadTopics(manualText) }

func formatBid(b bid) string {
	if b.Dice == 1 {
		return "1 " + faceNames[b.Face]
	}
	return fmt.Sprintf("%d %s", b.Dice, facePlurals[b.Face])
}

// formatFaces returns faces, for example "1 3 3".
func formatFaces(cup []int) string { return strings.Trim(fmt.Sprint(cup), "[]") }

func (game) Status(rv rules.View) string {
	v := rv.(*view)
	if n := v.totalDice(); n == v.DiceLeft[v.ActiveSeat] {
		return fmt.Sprintf("The match is over after round %d.", v.Round)
	} else if v.Round == 0 {
		return "The dice have not been rolled yet."
	} else if v.Bid.Dice > 0 {
		text := fmt.Sprintf("Round %d. The bid is %s; there are %d dice.", v.Round, formatBid(v.Bid), n)
		if rules.Seat(v.ActiveSeat) == v.seat {
			return text + " It is your turn."
		}
		return fmt.Sprintf("%s It is the %s's turn.", text, seatNames[v.ActiveSeat])
	} else if rules.Seat(v.ActiveSeat) == v.seat {
		return fmt.Sprintf("Round %d, with %d dice. You begin.", v.Round, n)
	} else {
		return fmt.Sprintf("Round %d, with %d dice. The %s begins.", v.Round, n, seatNames[v.ActiveSeat])
	}
}

func headline(rv rules.View) string { return fmt.Sprintf("round %d", turn(rv)) }

func turn(rv rules.View) int { return max(1, rv.(*view).Round) }

func (game) Reason(r rules.Reason) string {
	if r == reasonFirst {
		return "who begins"
	}
	return "a die under a cup"
}

func (game) Sentences(rv rules.View, events []rules.Event) (out []string) {
	for _, e := range events {
		out = append(out, sentence(rv.(*view).seat, e))
	}
	return out
}

// sentence describes an event to a reader, for example "You bid 4 fives."
func sentence(reader rules.Seat, e rules.Event) string {
	x, y := int(e.Args[0]), int(e.Args[1])
	says := func(you, other string) string {
		if e.Seat == reader {
			return "You " + you
		}
		return "The " + seatNames[e.Seat] + " " + other
	}
	var cup []int
	for _, die := range e.Args {
		if die > 0 {
			cup = append(cup, int(die))
		}
	}
	switch e.Kind {
	case eventBegins:
		return fmt.Sprintf("Round %d. %s.", x, says("begin", "begins"))
	case eventRolled:
		return "You roll " + formatFaces(cup) + "."
	case eventBid:
		return fmt.Sprintf("%s %s.", says("bid", "bids"), formatBid(bid{x, y}))
	case eventDoubted:
		return fmt.Sprintf("%s the bid of %s.", says("doubt", "doubts"), formatBid(bid{x, y}))
	case eventShown:
		return fmt.Sprintf("%s %s.", says("show", "shows"), formatFaces(cup))
	case eventCounted:
		return fmt.Sprintf("Ones included, that makes %s.", formatBid(bid{x, y}))
	}
	if x == 0 {
		return says("lose your last die and are out.", "loses the last die and is out.")
	}
	return fmt.Sprintf("%s %d left.", says("lose a die and have", "loses a die and has"), x)
}

// Prompt implements rules.LetterTexts. The example orders are the smallest bid of each face, and DOUBT.
func (g game) Prompt(rv rules.View, _ rules.Decision, options []rules.Atom) rules.Prompt {
	v := rv.(*view)
	out := rules.Prompt{Question: fmt.Sprintf("You begin the round. What do you bid? There are %d dice.", v.totalDice())}
	if v.Bid.Dice > 0 {
		out.Question = fmt.Sprintf("The %s bids %s, of %d dice. Do you raise or doubt?", seatNames[v.Bidder], formatBid(v.Bid), v.totalDice())
	}
	var offered []int
	for _, a := range options {
		if face := bidOfAtom(a).Face; !slices.Contains(offered, face) {
			offered = append(offered, face)
			out.Forms = append(out.Forms, g.FormatOrder([]rules.Atom{a}))
		}
	}
	out.Notes = []string{"Ones count as any face. Bid more dice of any face, or the same number of a higher face."}
	if v.Bid.Dice == 0 {
		out.Notes = []string{"Ones count as any face. You may bid any number of dice of a face from two to six."}
	}
	return out
}

func (g game) Refusal(rv rules.View, _ rules.Decision, a rules.Atom, options []rules.Atom) string {
	v := rv.(*view)
	switch b := bidOfAtom(a); {
	case a == doubt:
		return "There is no bid to doubt yet."
	case b.Dice > v.totalDice():
		return fmt.Sprintf("There are only %d dice.", v.totalDice())
	case b.Dice < 1:
		return "Bid at least one die."
	}
	return fmt.Sprintf("That is not higher than %s: bid more dice of any face, or the same number of a higher face.", formatBid(v.Bid))
}

func countDice(n int) string {
	if n == 1 {
		return "1 die"
	}
	return fmt.Sprintf("%d dice", n)
}

func (game) Sections(rv rules.View) (out []rules.Section) {
	v := rv.(*view)
	if v.seat != rules.NoSeat && len(v.Cups[v.seat]) > 0 {
		out = append(out, rules.Section{Title: diceTitle, Lines: []string{formatFaces(v.Cups[v.seat])}})
	}
	table := rules.Section{Title: tableTitle}
	for seat, remaining := range v.DiceLeft {
		line := fmt.Sprintf("%-5s %s", seatNames[seat], countDice(remaining))
		if remaining == 0 {
			line = fmt.Sprintf("%-5s out", seatNames[seat])
		} else if seat == v.Bidder && v.Bid.Dice > 0 {
			line += ", bids " + formatBid(v.Bid)
		}
		table.Lines = append(table.Lines, line)
	}
	return append(out, table)
}

func (g game) SpeakSection(rv rules.View, _ []rules.Event, title string) (out []string) {
	v := rv.(*view)
	if title == diceTitle {
		return []string{strings.ReplaceAll(formatFaces(v.Cups[v.seat]), " ", ", ")}
	}
	for seat := range v.DiceLeft {
		switch name := "The " + seatNames[seat]; {
		case title != tableTitle:
			return nil
		case v.DiceLeft[seat] == 0:
			out = append(out, name+" is out.")
		case seat == v.Bidder && v.Bid.Dice > 0:
			out = append(out, fmt.Sprintf("%s has %s and bids %s.", name, countDice(v.DiceLeft[seat]), formatBid(v.Bid)))
		default:
			out = append(out, fmt.Sprintf("%s has %s.", name, countDice(v.DiceLeft[seat])))
		}
	}
	return out
}

func (game) SpeakText(text string) string { return text }

const (
	diceTitle  = "Your dice"
	tableTitle = "The table"
)

// answerQuery answers HAND with the dice, and MAP with the table.
func answerQuery(rv rules.View, q rules.Query) []rules.Section {
	parts := game{}.Sections(rv)
	switch {
	case q == rules.QueryMap || q == rules.QueryBigMap:
		return parts[len(parts)-1:]
	case q == rules.QueryHand:
		return parts[:len(parts)-1]
	}
	return nil
}
