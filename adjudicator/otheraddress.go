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

// tokenHolder is the addressee of a token: a player, a member, the director or an observer.
type tokenHolder struct {
	address string
	// letterText describes the letters to the holder, e.g. "our letters to you in match mabcdefg". canChangeAddress is set
	// if the holder may use ADDRESS.
	letterText       string
	canChangeAddress bool
}

// findTokenHolder returns the holder of the token in a letter; the letter may come from another address. If the token is
// not valid, the address of the holder is empty.
func findTokenHolder(ctx context.Context, a *Adjudicator, incoming exchange.Letter) (holder tokenHolder, err error) {
	token := incoming.Token
	if token == nil || incoming.SignedBy == nil {
		return holder, nil
	}
	var key []byte
	switch {
	case token.Director:
		holder, key = tokenHolder{address: a.Director, letterText: "our letters to you as the director"}, a.Replies.DirectorKey()
	case token.Match == exchange.ClubName && (token.Member == 0 || a.Club == nil):
		return holder, nil // The question whether to join the club has this token. Its addressee is not a member yet.
	case token.Match == exchange.ClubName:
		holder = tokenHolder{letterText: "the club's letters to you", canChangeAddress: true}
		if key, holder.address, err = a.Club.MemberKey(ctx, token.Member); err != nil {
			return holder, err
		}
	default:
		m, seatState, err := a.findTokenSeat(ctx, token.Match, token.Seat)
		if err != nil || m == nil {
			return holder, err
		}
		if seatState != nil {
			holder, key = tokenHolder{address: seatState.Player.Address, letterText: "our letters to you in match " + m.ID,
				canChangeAddress: true}, seatState.Key
			break
		}
		observes := func(observer match.Observer) bool {
			return token.Seat == rules.NoSeat && observer.Number == token.Observer
		}
		if i := slices.IndexFunc(m.Observers, observes); i >= 0 {
			holder = tokenHolder{address: m.Observers[i].Address, letterText: "our letters to you about match " + m.ID}
			key = a.Replies.ObserverKey(holder.address)
		}
	}
	if key == nil || !incoming.SignedBy(key) {
		return tokenHolder{}, nil
	}
	return holder, nil
}

// receiveFromOtherAddress handles a reply that was not sent from the address of the token's holder. No order is carried
// out. Mail programs often reply from an unexpected address, so the holder is notified, at most once a day for each
// token.
func (a *Adjudicator) receiveFromOtherAddress(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	holder, err := findTokenHolder(ctx, a, incoming)
	if err != nil || holder.address == "" || contact.SameAddress(holder.address, incoming.From) {
		return exchange.DispositionIgnored, err
	}
	token := *incoming.Token
	token.Number = 0
	outgoing := exchange.TextLetter("A letter not sent from your address", otherAddressText(a.Codec.MarkerLine(), incoming.From, holder))
	return a.Replies.WriteLimited(ctx, incoming, holder.address, 1, []string{"from elsewhere", fmt.Sprint(token)}, outgoing)
}

// otherAddressText is the notice to the holder of a token that a reply came from another address. It masks that address,
// which may belong to another player.
func otherAddressText(markerLine, from string, holder tokenHolder) string {
	opening := "Someone replied to one of " + holder.letterText
	advice := "If it was you, send the reply again from " + holder.address + ": mail programs let you choose the address to send from."
	if from == "" {
		opening += ". The From line of the reply names more than one address, or none, so the reply was not carried out. Put a name that " +
			"contains a sign such as @ in quotes."
	} else {
		opening += ", but not from " + holder.address + ". The reply came from " + contact.MaskAddress(from, holder.address) +
			", so it was not carried out."
		if holder.canChangeAddress {
			advice += " To play from the other address too, write from " + holder.address + ": ADDRESS ALSO and the other address."
		}
	}
	return compose.FormatNote(markerLine, opening, advice,
		"If it was not you, someone else knows the reply address that we gave you, but can do nothing with it: we carry out only orders "+
			"that come from your own address.",
		"We send this notice at most once a day.")
}
