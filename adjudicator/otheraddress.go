package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// tokenHolder is the person to whom we sent the letter that was answered: a player, a member, the director or an observer.
type tokenHolder struct {
	address string
	// letterText describes our letter, e.g. "letter 12 of match struggle-400". canChangeAddress reports whether
	// the reader may change the address.
	letterText       string
	canChangeAddress bool
}

// findTokenHolder finds the reader by the token of a letter, and ignores the sender. The address is empty if the token is
// not genuine.
func findTokenHolder(ctx context.Context, a *Adjudicator, l exchange.Letter) (h tokenHolder, err error) {
	t := l.Token
	if t == nil || l.IsValid == nil {
		return h, nil
	}
	var key []byte
	switch {
	case t.Director:
		h, key = tokenHolder{address: a.Director, letterText: "to you as the director"}, a.Replies.DirectorKey()
	case t.Match == exchange.ClubName && (t.Member == 0 || a.Club == nil):
		return h, nil // This token is in our question whether to join, so its holder is not a member yet.
	case t.Match == exchange.ClubName:
		h = tokenHolder{letterText: "from the club to you", canChangeAddress: true}
		if key, h.address, err = a.Club.MemberKey(ctx, t.Member); err != nil {
			return h, err
		}
	default:
		m, seatState, err := a.findTokenSeat(ctx, t.Match, t.Seat)
		if err != nil || m == nil {
			return h, err
		}
		if seatState != nil {
			h, key = tokenHolder{address: seatState.Player.Address, letterText: "to you in match " + m.ID,
				canChangeAddress: true}, seatState.Key
			break
		}
		observes := func(o match.Observer) bool { return t.Seat == rules.NoSeat && o.Number == t.Observer }
		if i := slices.IndexFunc(m.Observers, observes); i >= 0 {
			h = tokenHolder{address: m.Observers[i].Address, letterText: "to you about match " + m.ID}
			key = a.Replies.ObserverKey(h.address)
		}
	}
	if key == nil || !l.IsValid(key) {
		return tokenHolder{}, nil
	}
	return h, nil
}

// receiveFromOtherAddress handles an answer to a letter of ours that comes from another address: no order is carried out.
// Mail programs often answer from an unexpected address, so the reader of our letter is told, once a day for each
// token.
func (a *Adjudicator) receiveFromOtherAddress(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	h, err := findTokenHolder(ctx, a, l)
	if err != nil || h.address == "" || contact.SameAddress(h.address, l.From) {
		return exchange.Ignored, err
	}
	t := *l.Token
	t.Number = 0
	d := exchange.TextLetter("A letter not sent from your address", elsewhereText(a.Post.Mark(), l.From, h))
	return a.Replies.WriteLimited(ctx, l, h.address, 1, []string{"from elsewhere", fmt.Sprint(t)}, d)
}

// elsewhereText tells the reader that a letter was answered from another address. It does not name that address,
// which may be another player's.
func elsewhereText(mark, from string, h tokenHolder) string {
	what := "We received a reply to a letter " + h.letterText + ". "
	again := "If you wrote it, send it again from " + h.address + ": mail programs let you choose the address to send from."
	if from == "" {
		what += "Its From line names more than one address, or none, so it was not carried out. Put a name that contains a " +
			"sign such as @ in quotes."
	} else {
		what += "It did not come from " + h.address + ", but from another address: " +
			contact.MaskAddress(from, h.address) + ". So it was not carried out."
		if h.canChangeAddress {
			again += " To play from the other address too, write ADDRESS ALSO and that address, from " + h.address + "."
		}
	}
	return compose.Note(mark, what, again,
		"If you did not write it, someone has seen our reply address for you. From any other address than yours it is of no use.",
		"You get this notice once a day at most.")
}
