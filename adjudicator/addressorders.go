package adjudicator

import (
	"context"
	"errors"
	"fmt"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
)

// Address shows or changes where the letters of a player go for a letter of no match. What asks both addresses are
// letters of a match that he sits in, which are returned.
func (a *Adjudicator) Address(ctx context.Context, p *Player, at SeatOf, l Letter, c letter.Command) (out Outcome, changed bool, letters []Dispatch, err error) {
	m, err := a.Store.Match(ctx, at.Match)
	if err != nil {
		return out, false, nil, err
	}
	m.Seats[at.Seat].Player = p
	turn := &match.Turn{Match: m, Now: a.Now().UTC()}
	j := &adjudication{a: a, letter: l, turn: turn, play: &match.Play{Turn: turn, Seat: at.Seat}}
	out, err = j.address(ctx, c, "")
	return out, j.reply.contact.player != nil, j.reply.contact.letters, err
}

// address carries the order out. More is what else its writer has to write if somebody else has written it.
func (j *adjudication) address(ctx context.Context, c letter.Command, more string) (Outcome, error) {
	switch {
	case (c.Choice == "KEEP" || c.Choice == "YES") && j.turn.Match.Seats[j.play.Seat].Player.Open(j.a.Now()) == nil:
		return did("Nothing is asked for, and nothing changes.")
	case c.Choice == "KEEP":
		return j.keepAddress(ctx, "")
	case c.Choice == "YES":
		return declined("That counts only in reply to the letter that asks for it, from the address that it came to. " + j.addressStands())
	case c.Choice == "ONLY":
		if err := j.step(ctx, contact.Only{}, j.a.Now()); err != nil {
			return declined(match.Sentence(err))
		}
		return did("You have one address. " + j.addressStands())
	case c.Text == "":
		return did(j.addressStands())
	}
	return j.askAddress(ctx, c.Text, c.Choice != "", more)
}

// addressStands says where letters go.
func (j *adjudication) addressStands() string {
	p := j.turn.Match.Seats[j.play.Seat].Player
	out := "Your letters go to " + p.Address + "."
	if len(p.Also) > 0 {
		out += " Your orders count from " + match.List(p.Also) + " too; ADDRESS ONLY ends that."
	}
	r := p.Open(j.a.Now())
	if r == nil {
		return out
	}
	switch {
	case !r.Due.IsZero():
		out += " From " + clockTime(p, r.Due) + " on " + effect(r) + "; ADDRESS KEEP prevents that."
	case r.Granted || r.Noticed.IsZero():
		out += fmt.Sprintf(" %s has been asked and has not answered; ADDRESS KEEP ends that.", r.To)
	default:
		out += fmt.Sprintf(" %s has been asked and has not answered, and you have not said YES in reply to the letter to %s; ADDRESS KEEP ends that.",
			r.To, p.Address)
	}
	return out
}

// askAddress asks an address whether letters may come there, and the one that the player
// has whether he wants it. A letter from that one that is proven is his word. Also means that orders are to count from
// there too.
func (j *adjudication) askAddress(ctx context.Context, text string, also bool, more string) (Outcome, error) {
	p := j.turn.Match.Seats[j.play.Seat].Player
	proven := j.letter.Proven != nil && contact.Same(j.letter.From, p.Address)
	to, err := contact.Parse(text, j.a.Post.Referee())
	if err == nil {
		err = j.step(ctx, contact.Ask{To: to, Also: also, Through: contact.Through{Match: j.turn.Match.ID, Seat: j.play.Seat}, Proven: proven}, j.a.Now())
	}
	for _, cannot := range []error{errNoQuestion, errNoNotice} {
		if errors.Is(err, cannot) {
			err = cannot
		}
	}
	if err != nil {
		return declined(match.Sentence(err))
	}
	unasked := " If it was not you who asked, write ADDRESS KEEP" + more + "."
	r := p.Request
	if proven {
		return did(fmt.Sprintf("A letter has gone to %s. When it is answered from there with YES, %s. Until then, for %d days at most, "+
			"nothing changes.", r.To, effect(r), contact.Days) + unasked)
	}
	return did(fmt.Sprintf("Letters have gone to %s and to %s. With YES from both, %s at once; with YES from %s alone, on %s or later. "+
		"Until then nothing changes. The question is good for %d days.",
		r.To, p.Address, effect(r), r.To, clockTime(p, r.Noticed.Add(contact.Wait)), contact.Days) + unasked)
}

// keepAddress ends the open request. More is what else there is to say.
func (j *adjudication) keepAddress(ctx context.Context, more string) (Outcome, error) {
	if err := j.step(ctx, contact.Keep{}, j.a.Now()); err != nil {
		return declined(match.Sentence(err))
	}
	return did("The change that was asked for is off. " + j.addressStands() + more)
}
