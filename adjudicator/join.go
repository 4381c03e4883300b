package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
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

// readAnswer takes the lines of an invited player in, and answers what they ask.
func readAnswer(ctx context.Context, j *adjudication, lines []letter.Line) (a answer, err error) {
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
			if err := doEarly(ctx, j, l); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

// joinMatch takes the letters of a match that has not begun.
func joinMatch(ctx context.Context, j *adjudication, lines []letter.Line) error {
	a, err := readAnswer(ctx, j, lines)
	if err != nil {
		return err
	}
	defer overlookTalk(j, &a)
	switch {
	case a.declines != nil && (a.joins || len(a.opens) > 0):
		accepts := letter.Join
		if !a.joins {
			accepts = letter.Open
		}
		j.report("", match.OutcomeRefused, "Your letter says "+string(accepts)+" and DECLINE, so neither was done. Write one of them.")
		return nil
	case a.declines != nil:
		declineInvitation(ctx, j, *a.declines)
		return nil
	}
	opened := false
	for _, l := range a.opens {
		// Before the letter joins: who opens has been shown all seals.
		opened = openWords(j, l) || opened
	}
	switch {
	case a.as != "" && !takeName(j, a.as):
		return nil
	case a.joins && !takeJoin(j, a), !a.joins && !opened:
		if !a.joins && !a.asks && len(a.opens) == 0 {
			j.report("", match.OutcomeRefused, howToJoin(j.turn.Match)+" DECLINE declines it.")
		}
		return nil
	}
	return j.play.Proceed(ctx)
}

// overlookTalk reports the lines of an invited player that are no orders. Greetings around an order
// need no word.
func overlookTalk(j *adjudication, a *answer) {
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

// takeJoin lets the writer join, and reports whether he had not before.
func takeJoin(j *adjudication, a answer) bool {
	seat := &j.turn.Match.Seats[j.play.Seat]
	switch {
	case len(a.seals) > 0:
		return joinSealed(j, a)
	case seat.Joined && seat.Seal != "":
		j.report(string(letter.Join), match.OutcomeDone, "You have joined already"+calledHere(j)+", and your seal stays as it was. The match begins when all have joined and opened their words.")
		return false
	case seat.Joined:
		j.report(string(letter.Join), match.OutcomeDone, "You have joined already"+calledHere(j)+", and your words stay as they were. The match begins when all have joined.")
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
	callWriter(j)
	j.report(string(letter.Join), match.OutcomeDone, "You have joined"+calledHere(j)+". Your words for the dice: "+seat.Words)
	return true
}

// howToJoin says how an invitation is accepted.
func howToJoin(m *match.Match) string {
	if m.SealedWords {
		return "To accept the invitation, write JOIN SEALED, and behind it the seal of words of your own, which you keep to yourself: their SHA-256. " + compose.HowToSeal + "."
	}
	return "To accept the invitation, write JOIN, and behind it some words of your own if you like."
}

// callWriter lets the writer be called as his letter says, where he has not said it himself.
// A name that is not fit, or taken, leaves the seat's.
func callWriter(j *adjudication) {
	if seat := &j.turn.Match.Seats[j.play.Seat]; seat.Called == "" {
		seat.Called, _ = calledAs(j.turn.Match, j.play.Seat, calledInMail(j.letter.Name, seat.Player.Address))
	}
}

// takeName lets the writer be called as he wants to; false, and refused, where that
// cannot be.
func takeName(j *adjudication, as string) bool {
	name, err := calledAs(j.turn.Match, j.play.Seat, as)
	if err != nil {
		j.report(string(letter.Join)+" AS "+as, match.OutcomeRefused, match.Capital(err.Error())+". Please join with another name, or with JOIN alone.")
		return false
	}
	j.turn.Match.Seats[j.play.Seat].Called = name
	return true
}

// calledHere says what the writer is called, if that is known.
func calledHere(j *adjudication) string {
	if name := j.turn.Match.Seats[j.play.Seat].Called; name != "" {
		return " as " + name
	}
	return ""
}

// doEarly carries out a line before there is a position: what is asked about the rules and
// about orders is answered, since whoever is invited may want to know what to.
func doEarly(ctx context.Context, j *adjudication, l letter.Line) (err error) {
	switch {
	case l.Is(letter.HelpWord), l.Is(letter.CallMe):
		_, err = j.command(ctx, l)
	case l.Kind != letter.HostOrder, l.Is(letter.Rules), l.Is(letter.Message), l.Is(letter.Ask):
		_, err = doAside(ctx, j, l, "")
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

// Whoever knows the secret of a match and is the last to choose his words can try many, and
// take those whose dice please him. Words that are sealed cannot be taken into account by
// anybody: their SHA-256 comes first, and they are opened when all have joined. One player
// who seals his words and opens them is enough for that.

// How players mix words into the dice.
const (
	WordsOpen   = "open"
	WordsSealed = "sealed"
)

// ParseWords reads one of them, and reports whether words have to be sealed.
func ParseWords(text string) (sealed bool, err error) {
	if text != WordsOpen && text != WordsSealed {
		return false, fmt.Errorf("%q is none of %s, %s", text, WordsOpen, WordsSealed)
	}
	return text == WordsSealed, nil
}

// SealWords cleans words as it is done when they are opened, and returns them with their seal.
func SealWords(text string) (words, seal string, err error) {
	words = letter.Printable(text)
	switch {
	case words == "":
		return "", "", errors.New("there are no words to seal")
	case words != clean(words):
		return "", "", fmt.Errorf("words have at most %d characters", mostWords)
	}
	return words, record.Seal(words), nil
}

// joinSealed lets the writer join with a seal, or with another one while nobody was shown it.
func joinSealed(j *adjudication, a answer) (joined bool) {
	seat, sealed := &j.turn.Match.Seats[j.play.Seat], string(letter.Join)+" "+letter.Sealed
	seal, err := record.ParseSeal(a.seals[0])
	switch {
	case j.turn.Match.Recorded != nil:
		j.report(sealed, match.OutcomeRefused, "The dice of this match were given beforehand, and no words are mixed into them. Write JOIN alone.")
		return false
	case len(a.seals) > 1 || len(a.words) > 0:
		j.report(sealed, match.OutcomeRefused, "Your letter joins more than once. Write one JOIN SEALED, and behind it the seal.")
		return false
	case err != nil:
		j.report(sealed, match.OutcomeRefused, "Behind SEALED stands the seal of your words and nothing else: their SHA-256, which is 64 digits and letters from a to f. "+
			"If your words stood in this letter, whoever runs the referee can have read them: take others. "+compose.HowToSeal+".")
		return false
	case record.Sealed(seal, ""):
		j.report(sealed, match.OutcomeRefused, "This is the seal of no words at all. "+compose.HowToSeal+".")
		return false
	case slices.ContainsFunc(seat.Timing.Opened, func(w string) bool { return record.Sealed(seal, w) }):
		j.report(sealed, match.OutcomeRefused, "You have opened the words of this seal already. Seal others.")
		return false
	case seat.Joined && seat.Seal == "":
		j.report(sealed, match.OutcomeRefused, "You have joined already"+calledHere(j)+" with open words, and they stay as they were.")
		return false
	case seat.Joined && seal == seat.Seal:
		j.report(sealed, match.OutcomeDone, "You have joined already"+calledHere(j)+" with this seal.")
		return false
	case seat.Joined && j.turn.Match.Unjoined() == 0:
		j.report(sealed, match.OutcomeRefused, "All have joined and were shown your seal, so it stays as it was: "+seat.Seal)
		return false
	case seat.Joined:
		seat.Seal = seal
		j.report(sealed, match.OutcomeDone, "Your seal is another one from now on: "+seal+". Nobody else was shown the one before.")
		return false
	}
	seat.Joined, seat.Seal = true, seal
	callWriter(j)
	j.report(sealed, match.OutcomeDone, "You have joined"+calledHere(j)+". Your seal: "+seal+". Keep your words, and tell them nobody. When all have joined, a letter "+
		"shows everybody all seals and asks you to OPEN your words.")
	return true
}

// openWords takes the words that the writer opens. It repeats none: they are his own, and nobody
// else is told before all are open.
func openWords(j *adjudication, l letter.Line) (opened bool) {
	seat, order := &j.turn.Match.Seats[j.play.Seat], string(letter.Open)
	_, open := seat.OpenedWords()
	switch {
	case seat.Joined && seat.Seal == "":
		j.report(order, match.OutcomeRefused, "You have joined with open words; there is nothing to open.")
		return false
	case open, seat.Joined && seat.Words != "":
		j.report(order, match.OutcomeDone, "Your words are open already. They are shown to all when everybody has opened his.")
		return false
	case j.turn.Match.Unjoined() != 0:
		j.report(order, match.OutcomeRefused, "It is too early to open words: not everybody has joined. Whoever has not could choose his own words by yours, if the referee tells him. "+
			"Nobody was shown your words, but whoever runs the referee can have read them. So seal others: write JOIN SEALED and their seal, and wait for the letter that asks you to open them.")
		return false
	}
	words, fits := fittingWords(seat, l.Command.Text)
	if !fits {
		j.report(order, match.OutcomeRefused, "These are not the words that you have sealed. As they came here their SHA-256 is "+record.Seal(clean(l.Command.Text))+", and your seal is "+seat.Seal+
			". Write them as you sealed them: each capital, comma and stop counts, and so do quotation marks and dashes, which some mail programs change. "+
			"Between words stands one space, and none before the first or behind the last. A line break behind them, which echo makes, does no harm.")
		return false
	}
	seat.Timing.Opened = append(seat.Timing.Opened, words)
	j.report(order, match.OutcomeDone, "Your words are open, and have your seal. The match begins when all are open; then everybody is shown all words.")
	return true
}

// typewriter undoes what mail programs make of what was typed.
var typewriter = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "–", "-", "—", "--", "…", "...")

// fittingWords are the words that a seat has sealed, out of what stands behind OPEN: its first
// row or more, as a mail program has broken it, with quotation marks around it or without.
func fittingWords(s *match.Seat, text string) (words string, fits bool) {
	rows := strings.Split(text, "\n")
	for n := range rows {
		words = clean(strings.Join(rows[:n+1], " "))
		for _, w := range []string{words, typewriter.Replace(words)} {
			for _, w := range []string{w, strings.Trim(w, `"'`)} {
				if record.Sealed(s.Seal, w) {
					return w, true
				}
			}
		}
	}
	return "", false
}

// reopenWords asks for other words where one player is replaced and others have opened theirs
// already: the new one could choose his by them. It tells all who have sealed, and all if a
// round of a beacon was named.
func reopenWords(j *adjudication, seat rules.Seat) (told rules.Seats) {
	if j.turn.Match.AwaitsBeacon() {
		again := *j.turn.Match.Beacon
		again.Round, again.At = 0, time.Time{}
		j.turn.Match.Beacon = &again
		for i := range j.turn.Match.Seats {
			if rules.Seat(i) != seat {
				told |= rules.Only(rules.Seat(i))
				j.reply.notices[rules.Seat(i)] = append(j.reply.notices[rules.Seat(i)], "The round of the beacon that was named does not count any more. Another is named when all words are known.")
			}
		}
	}
	j.turn.Match.Acts.Invited.Asked = time.Time{}
	for i := range j.turn.Match.Seats {
		other := &j.turn.Match.Seats[i]
		if rules.Seat(i) == seat || other.Seal == "" {
			continue
		}
		if other.Words != "" {
			other.Timing.Opened, other.Words = append(other.Timing.Opened, other.Words), ""
		}
		told |= rules.Only(rules.Seat(i))
		said := "Another player is invited in the place of one who had joined. Do not open your words: wait for the letter that shows you all seals anew."
		if _, open := other.OpenedWords(); open {
			other.Joined, other.Seal = false, ""
			said = "Another player is invited in the place of one who had joined. Your words were open, and he could choose his own by them, if the referee tells him. " +
				"So please join again: seal other words, and write JOIN SEALED and their seal."
		}
		j.reply.notices[rules.Seat(i)] = append(j.reply.notices[rules.Seat(i)], said)
	}
	return told
}

// remindToOpen writes to those who have not opened their words, once.
func remindToOpen(j *adjudication) {
	j.turn.Match.Acts.Invited.Reminded = true
	for i := range j.turn.Match.Seats {
		if seat := rules.Seat(i); j.turn.Match.Unopened().Has(seat) {
			j.reply.reminded |= rules.Only(seat)
			j.reply.notices[seat] = append(j.reply.notices[seat], "This is a reminder: you were asked on "+compose.ClockTimeFor(j.turn, seat, j.turn.Match.Acts.Invited.Asked)+" to open your words.")
		}
	}
}
