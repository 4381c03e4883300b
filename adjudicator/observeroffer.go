package adjudicator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// outsider takes the letters that no player wrote: of those who observe, and of those
// who want to. It reports whether it has dealt with the letter.
func (a *Adjudicator) outsider(ctx context.Context, l Letter) (d Disposition, done bool, err error) {
	if t := l.Token; t != nil && t.Seat == rules.Nobody && l.Genuine != nil && l.Genuine(a.Replies.ObserverKey(l.From)) {
		if t.Observer > 0 {
			d, err = a.fromObserver(ctx, l)
			return d, true, err
		}
		// The clock may have been set back since: then it was asked tomorrow.
		if a.Replies.Today()-t.Number <= offerDays {
			d, err = a.confirm(ctx, l)
			return d, true, err
		}
	}
	if c, _ := l.asks(letter.Observe); c.Text != "" {
		d, err = a.offer(ctx, l, c.Text)
		return d, true, err
	}
	if _, ok := l.asks(letter.Unobserve); !ok {
		return "", false, nil
	}
	known, err := a.Store.Observes(ctx, l.From)
	if err != nil || !known {
		return "", false, err
	}
	d, err = a.Replies.Once(ctx, l, a.Replies.Daily("unproved", l.From), Refused, textLetter("You still watch", notProvedText(a.Post.Mark())))
	return d, true, err
}

func digestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%q ", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// offerDigest names a question to an address on a day. All of a day begin alike, so
// that they can be counted.
func (a *Adjudicator) offerDigest(address string) string {
	return a.offersOfToday() + digestOf("offer", contact.Mailbox(address))
}

func (a *Adjudicator) offersOfToday() string { return fmt.Sprintf("offer-%d-", a.Replies.Today()) }

// offer asks an address whether it wants to observe a match. It does not look whether
// there is one.
func (a *Adjudicator) offer(ctx context.Context, l Letter, match string) (Disposition, error) {
	n, err := a.Store.ReceivedLike(ctx, a.offersOfToday())
	if err != nil {
		return "", err
	}
	if n >= mostOffers {
		a.Log.WarnContext(ctx, "too many ask to watch today; a letter is ignored", "uid", l.UID)
		return Ignored, nil
	}
	d := Dispatch{
		Heading: Heading{Subject: "Do you want to watch " + match + "?", Token: a.Post.Token(a.Replies.ObserverKey(l.From), ObserverToken(match, 0, a.Replies.Today()))},
		Content: Content{Body: offerText(a.Post.Mark(), match)},
	}
	d.HTML = a.Replies.Page(d, string(letter.Yes))
	return a.Replies.Once(ctx, l, a.offerDigest(l.From), Done, d)
}

// confirm takes the answers to an offer: the writer reads mail at his address.
func (a *Adjudicator) confirm(ctx context.Context, l Letter) (Disposition, error) {
	c, _ := l.asks(letter.Observe)
	match := c.Text
	if match == "" {
		if _, yes := l.asks(letter.Yes); !yes {
			return a.Replies.Once(ctx, l, a.Replies.Daily("confirm", l.From), Refused, Dispatch{
				Heading: Heading{Subject: "Do you want to watch?", Token: a.Post.Token(a.Replies.ObserverKey(l.From), *l.Token)},
				Content: Content{Body: confirmText(a.Post.Mark())},
			})
		}
		match = l.Token.Match
	}
	// One offer is good for one go at a match.
	digest := digestOf("watch", l.From, match, fmt.Sprint(l.Token.Number))
	if was, twice, err := a.Store.Received(ctx, "", rules.Nobody, digest, ""); err != nil || twice {
		return was, err
	}
	m, err := a.lookUp(ctx, match)
	if err != nil {
		return "", err
	}
	mark := a.Post.Mark()
	if m != nil {
		if slices.ContainsFunc(m.Seats, func(s Seat) bool { return contact.SameMailbox(s.Player.Address, l.From) }) {
			return a.Replies.Once(ctx, l, digest, Refused, textLetter("You play in this match", playsText(mark, match)))
		}
		if slices.ContainsFunc(m.Observers, func(o Observer) bool { return contact.SameMailbox(o.Address, l.From) }) {
			return a.Replies.Once(ctx, l, digest, Done, textLetter("You watch this match", watchesText(mark, match)))
		}
	}
	if m == nil || !m.ObserverPolicy.Allowed || m.State == Over || m.State == CalledOff || len(m.Observers) >= mostObservers {
		return a.Replies.Once(ctx, l, digest, Refused, Dispatch{
			Heading: Heading{Subject: "There is nothing to watch", Token: a.Post.Token(a.Replies.ObserverKey(l.From), *l.Token)},
			Content: Content{Body: unwatchableText(mark, match)},
		})
	}
	return a.subscribe(ctx, l, digest, m)
}

// subscribe lets somebody observe. The first letter says so, and how the match stands:
// at once, or with the delay of everything else in a letter of its own.
func (a *Adjudicator) subscribe(ctx context.Context, l Letter, digest string, m *Match) (Disposition, error) {
	j, err := a.adjudication(ctx, m, rules.Nobody, l)
	if err != nil {
		return "", err
	}
	m.LastObserver++
	o := Observer{Number: m.LastObserver, Address: l.From, Since: a.Now()}
	delay, begins := m.ObserverPolicy.Delay, *j.turn
	if delay > 0 {
		// What stands in the first letter must not depend on the match.
		begins.After = nil
	}
	p := a.public(&begins, enclosure{parts: []rules.Section{welcomeObserver(&begins)}})
	first, err := j.toObserver(&o, p, 0)
	if err != nil {
		return "", err
	}
	letters := []Dispatch{first}
	if delay > 0 && j.turn.After != nil {
		p = a.public(j.turn, enclosure{})
		next, err := j.toObserver(&o, p, delay)
		if err != nil {
			return "", err
		}
		letters = append(letters, next)
	}
	r := l.receipt(digest, Done, a.Now())
	return Done, a.Store.Apply(ctx, Change{Match: m, Receipt: r, Observers: []Observer{o}, Letters: letters})
}
