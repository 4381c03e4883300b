package adjudicator

import (
	"context"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
)

// mostWords is how many characters of a player's words are mixed into the dice.
// Everybody is shown them.
const mostWords = 300

// answer is what the letter of an invited player says.
type answer struct {
	words []string
	// seals are those behind JOIN SEALED, opens the orders to open words.
	seals       []string
	opens       []letter.Line
	as          string
	joins, asks bool
	declines    *letter.Line
	talk        []letter.Line
}

// invited takes the lines of an invited player in, and answers what they ask.
func (j *adjudication) invited(ctx context.Context, lines []letter.Line) (a answer, err error) {
	for _, l := range lines {
		switch {
		case l.Is(letter.Join):
			if a.joins = true; l.Command.Choice == letter.Sealed {
				a.seals = append(a.seals, l.Command.Text)
			} else {
				a.words = append(a.words, l.Command.Text)
			}
			if l.Command.As != "" {
				a.as = l.Command.As
			}
		case l.Is(letter.Open):
			a.opens = append(a.opens, l)
		case l.Is(letter.Decline):
			a.declines = &l
		case l.Kind == letter.Talk && l.Class() == letter.None:
			a.talk = append(a.talk, l)
		default:
			a.asks = true
			if err := j.early(ctx, l); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

// join takes the letters of a match that has not begun.
func (j *adjudication) join(ctx context.Context, lines []letter.Line) error {
	a, err := j.invited(ctx, lines)
	if err != nil {
		return err
	}
	defer j.overlook(&a)
	switch {
	case a.declines != nil && (a.joins || len(a.opens) > 0):
		accepts := letter.Join
		if !a.joins {
			accepts = letter.Open
		}
		j.report("", match.OutcomeRefused, "Your letter says "+string(accepts)+" and DECLINE, so neither was done. Write one of them.")
		return nil
	case a.declines != nil:
		j.decline(ctx, *a.declines)
		return nil
	}
	opened := false
	for _, l := range a.opens {
		// Before the letter joins: who opens has been shown all seals.
		opened = j.opens(l) || opened
	}
	switch {
	case a.as != "" && !j.takesName(a.as):
		return nil
	case a.joins && !j.joins(a), !a.joins && !opened:
		if !a.joins && !a.asks && len(a.opens) == 0 {
			j.report("", match.OutcomeRefused, howToJoin(j.turn.Match)+" DECLINE declines it.")
		}
		return nil
	}
	return j.play.Proceed(ctx)
}

// overlook reports the lines of an invited player that are no orders. Greetings around an order
// need no word.
func (j *adjudication) overlook(a *answer) {
	acts := a.joins || a.declines != nil || len(a.opens) > 0
	for _, l := range a.talk {
		why := "The match has not begun; only JOIN and DECLINE are understood now."
		switch {
		case l.Why != "":
			why = l.Why
		case acts && j.reader.Orders.Harmless(l.Text):
			continue
		case acts:
			why = "It was not understood as an order."
		case j.turn.Match.Unjoined() == 0:
			why = "The match has not begun; only OPEN and DECLINE are understood now."
		}
		j.report(l.Text, match.OutcomeIgnored, why)
	}
}

// joins lets the writer join, and reports whether he had not before.
func (j *adjudication) joins(a answer) bool {
	seat := &j.turn.Match.Seats[j.play.Seat]
	switch {
	case len(a.seals) > 0:
		return j.joinSealed(a)
	case seat.Joined && seat.Seal != "":
		j.report(string(letter.Join), match.OutcomeDone, "You have joined already"+j.calledHere()+", and your seal stays as it was. The match begins when all have joined and opened their words.")
		return false
	case seat.Joined:
		j.report(string(letter.Join), match.OutcomeDone, "You have joined already"+j.calledHere()+", and your words stay as they were. The match begins when all have joined.")
		return false
	case j.turn.Match.SealedWords:
		said := "In this match all words are sealed. " + howToJoin(j.turn.Match)
		if strings.TrimSpace(strings.Join(a.words, "")) != "" {
			said += " Take other words than in this letter: whoever runs the referee can have read those."
		}
		j.report(string(letter.Join), match.OutcomeRefused, said)
		return false
	}
	seat.Joined = true
	seat.Words = clean(strings.Join(a.words, " "))
	if seat.Words == "" {
		// Without words the letter itself serves, by its digest: nobody could have
		// known it when the commitment was made, and what else the player wrote
		// there is nobody's business.
		seat.Words = "letter " + j.letter.Digest
	}
	j.callsWriter()
	j.report(string(letter.Join), match.OutcomeDone, "You have joined"+j.calledHere()+". Your words for the dice: "+seat.Words)
	return true
}

// howToJoin says how an invitation is accepted.
func howToJoin(m *Match) string {
	if m.SealedWords {
		return "To accept the invitation, write JOIN SEALED, and behind it the seal of words of your own, which you keep to yourself: their SHA-256. " + howToSeal + "."
	}
	return "To accept the invitation, write JOIN, and behind it some words of your own if you like."
}

// callsWriter lets the writer be called as his letter says, where he has not said it himself.
// A name that is not fit, or taken, leaves the seat's.
func (j *adjudication) callsWriter() {
	if seat := &j.turn.Match.Seats[j.play.Seat]; seat.Called == "" {
		seat.Called, _ = calledAs(j.turn.Match, j.play.Seat, calledInMail(j.letter.Name, seat.Player.Address))
	}
}

// takesName lets the writer be called as he wants to; false, and refused, where that
// cannot be.
func (j *adjudication) takesName(as string) bool {
	name, err := calledAs(j.turn.Match, j.play.Seat, as)
	if err != nil {
		j.report(string(letter.Join)+" AS "+as, match.OutcomeRefused, match.Capital(err.Error())+". Please join with another name, or with JOIN alone.")
		return false
	}
	j.turn.Match.Seats[j.play.Seat].Called = name
	return true
}

// calledHere says what the writer is called, if that is known.
func (j *adjudication) calledHere() string {
	if name := j.turn.Match.Seats[j.play.Seat].Called; name != "" {
		return " as " + name
	}
	return ""
}

// early carries out a line before there is a position: what is asked about the rules and
// about orders is answered, since whoever is invited may want to know what to.
func (j *adjudication) early(ctx context.Context, l letter.Line) (err error) {
	switch {
	case l.Is(letter.HelpWord), l.Is(letter.CallMe):
		_, err = j.command(ctx, l)
	case l.Kind != letter.HostOrder, l.Is(letter.Rules), l.Is(letter.Message), l.Is(letter.Ask):
		_, err = j.aside(ctx, l, "")
	case l.Is(letter.Status), l.Is(letter.Resend):
		j.report(l.Text, match.OutcomeDone, "")
	default:
		j.report(l.Text, match.OutcomeDone, "There is nothing to show before the match has begun.")
	}
	return err
}

// clean makes words fit to be shown on a line and hashed.
func clean(words string) string {
	words = letter.Printable(words)
	if r := []rune(words); len(r) > mostWords {
		words = strings.TrimSpace(string(r[:mostWords]))
	}
	return words
}
