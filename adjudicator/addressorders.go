package adjudicator

import (
	"context"
	"errors"
	"fmt"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/contact"
)

// Address implements command.Host.
func (s host) Address(ctx context.Context, c command.Command) (command.Outcome, error) {
	switch {
	case (c.Choice == "KEEP" || c.Choice == "YES") && s.m.Seats[s.seat].Player.Open(s.a.Now()) == nil:
		return command.Done("Nothing is asked for, and nothing changes.")
	case c.Choice == "KEEP":
		return s.keepAddress(ctx, "")
	case c.Choice == "YES":
		return command.Declined("That counts only in reply to the letter that asks for it, from the address that it came to. " + s.addressStands())
	case c.Choice == "ONLY":
		return command.Done("You have no second address. " + s.addressStands())
	case c.Choice != "":
		return command.Declined(fmt.Sprintf("A player has one address. ADDRESS %s moves your letters there; to read them at both, let your mail provider forward them. %s",
			c.Text, s.addressStands()))
	case c.Text == "":
		return command.Done(s.addressStands())
	}
	return s.askAddress(ctx, c.Text)
}

// addressStands says where letters go.
func (j *adjudication) addressStands() string {
	p := j.m.Seats[j.seat].Player
	out := "Your letters go to " + p.Address + "."
	r := p.Open(j.a.Now())
	if r == nil {
		return out
	}
	switch {
	case !r.Due.IsZero():
		out += " From " + p.clockTime(r.Due) + " on " + effect(r) + "; ADDRESS KEEP prevents that."
	case r.Granted || r.Noticed.IsZero():
		out += fmt.Sprintf(" %s has been asked and has not answered; ADDRESS KEEP ends that.", r.To)
	default:
		out += fmt.Sprintf(" %s has been asked and has not answered, and you have not said YES in reply to the letter to %s; ADDRESS KEEP ends that.",
			r.To, p.Address)
	}
	return out
}

// askAddress asks an address whether letters may come there, and the one that the player
// has whether he wants it. A letter that is proven is his word.
func (j *adjudication) askAddress(ctx context.Context, text string) (command.Outcome, error) {
	p, proven := j.m.Seats[j.seat].Player, j.letter.Proven != nil
	to, err := contact.Parse(text, j.a.Post.Referee())
	if err == nil {
		err = j.step(ctx, contact.Ask{To: to, Through: contact.Through{Match: j.m.ID, Seat: j.seat}, Proven: proven}, j.a.Now())
	}
	for _, cannot := range []error{errNoQuestion, errNoNotice} {
		if errors.Is(err, cannot) {
			err = cannot
		}
	}
	if err != nil {
		return command.Declined(command.Sentence(err))
	}
	const unasked = " If it was not you who asked, write ADDRESS KEEP and NEW TOKEN."
	r := p.Request
	if proven {
		return command.Done(fmt.Sprintf("A letter has gone to %s. When it is answered from there with YES, %s. Until then, for %d days at most, "+
			"nothing changes.", r.To, effect(r), contact.Days) + unasked)
	}
	return command.Done(fmt.Sprintf("Letters have gone to %s and to %s. With YES from both, %s at once; with YES from %s alone, on %s or later. "+
		"Until then nothing changes. The question is good for %d days.",
		r.To, p.Address, effect(r), r.To, p.clockTime(r.Noticed.Add(contact.Wait)), contact.Days) + unasked)
}

// keepAddress ends the open request. More is what else there is to say.
func (j *adjudication) keepAddress(ctx context.Context, more string) (command.Outcome, error) {
	if err := j.step(ctx, contact.Keep{}, j.a.Now()); err != nil {
		return command.Declined(command.Sentence(err))
	}
	return command.Done("The change that was asked for is off. " + j.addressStands() + more)
}
