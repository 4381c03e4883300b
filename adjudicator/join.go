package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// mostWords is how many characters of a player's words are mixed into the dice.
// Everybody is shown them.
const mostWords = 300

// answer is what the letter of an invited player says.
type answer struct {
	words       []string
	as          string
	joins, asks bool
	declines    *command.Line
	talk        []command.Line
}

// invited takes the lines of an invited player in, and answers what they ask.
func (j *adjudication) invited(ctx context.Context, lines []command.Line) (a answer, err error) {
	for _, l := range lines {
		switch {
		case l.Is(command.Join):
			a.joins = true
			a.words = append(a.words, l.Command.Text)
			if l.Command.As != "" {
				a.as = l.Command.As
			}
		case l.Is(command.Decline):
			a.declines = &l
		case l.Kind == command.Talk && l.Class() == command.None:
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
func (j *adjudication) join(ctx context.Context, lines []command.Line) error {
	seat := &j.m.Seats[j.seat]
	a, err := j.invited(ctx, lines)
	if err != nil {
		return err
	}
	defer func() {
		for _, l := range a.talk {
			why := "The match has not begun; only JOIN and DECLINE are understood now."
			if l.Why != "" {
				why = l.Why
			}
			j.report(l.Text, outcomeIgnored, why)
		}
	}()
	switch {
	case a.declines != nil && a.joins:
		j.report("", outcomeRefused, "Your letter says JOIN and DECLINE, so neither was done. Write one of them.")
		return nil
	case a.declines != nil:
		j.decline(ctx, *a.declines)
		return nil
	case a.as != "" && !j.takesName(a.as):
		return nil
	case a.joins && seat.Joined:
		j.report(string(command.Join), outcomeDone, "You have joined already"+j.calledHere()+", and your words stay as they were. The match begins when all have joined.")
		return nil
	case !a.joins:
		if !a.asks {
			j.report("", outcomeRefused, "To accept the invitation, write JOIN, and behind it some words of your own if you like. DECLINE declines it.")
		}
		return nil
	}
	seat.Joined = true
	seat.Words = clean(strings.Join(a.words, " "))
	if seat.Words == "" {
		// Without words the letter itself serves, by its digest: nobody could have
		// known it when the commitment was made, and what else the player wrote
		// there is nobody's business.
		seat.Words = "letter " + j.letter.Digest
	}
	if seat.Called == "" {
		// A name that is not fit, or taken, leaves the seat's.
		seat.Called, _ = j.m.calledAs(j.seat, calledInMail(j.letter.Name, seat.Player.Address))
	}
	j.report(string(command.Join), outcomeDone, "You have joined"+j.calledHere()+". Your words for the dice: "+seat.Words)
	if slices.ContainsFunc(j.m.Seats, func(s Seat) bool { return !s.Joined }) {
		return nil
	}
	return j.begin(ctx)
}

// takesName lets the writer be called as he wants to; false, and refused, where that
// cannot be.
func (j *adjudication) takesName(as string) bool {
	name, err := j.m.calledAs(j.seat, as)
	if err != nil {
		j.report(string(command.Join)+" AS "+as, outcomeRefused, capital(err.Error())+". Please join with another name, or with JOIN alone.")
		return false
	}
	j.m.Seats[j.seat].Called = name
	return true
}

// calledHere says what the writer is called, if that is known.
func (j *adjudication) calledHere() string {
	if name := j.m.Seats[j.seat].Called; name != "" {
		return " as " + name
	}
	return ""
}

// early carries out a line before there is a position: what is asked about the rules and
// about orders is answered, since whoever is invited may want to know what to.
func (j *adjudication) early(ctx context.Context, l command.Line) (err error) {
	switch {
	case l.Is(command.HelpWord), l.Is(command.CallMe):
		_, err = j.command(ctx, l)
	case l.Kind != command.HostOrder, l.Is(command.Rules), l.Is(command.Message), l.Is(command.Ask):
		_, err = j.aside(ctx, l, "")
	case l.Is(command.Status), l.Is(command.Resend):
		j.report(l.Text, outcomeDone, "")
	default:
		j.report(l.Text, outcomeDone, "There is nothing to show before the match has begun.")
	}
	return err
}

// clean makes words fit to be shown on a line and hashed.
func clean(words string) string {
	words = command.Printable(words)
	if r := []rune(words); len(r) > mostWords {
		words = strings.TrimSpace(string(r[:mostWords]))
	}
	return words
}

// begin makes the first deal, when all have joined.
func (p *progress) begin(ctx context.Context) error {
	pos, err := p.game.Begin(p.setup())
	if err != nil {
		return err
	}
	if err := p.readKey(); err != nil {
		return err
	}
	p.m.State = Playing
	c := p.chance(0)
	events, err := pos.Resume(c, nil)
	if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
		return fmt.Errorf("begin match %s: %w", p.m.ID, err)
	}
	e := record.Entry{}
	if e.Setup, err = p.a.header(p.game, p.m).Digest(); err != nil {
		return err
	}
	return p.moved(ctx, pos, events, e, c)
}
