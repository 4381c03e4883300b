package rehearse

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match/record"
)

// fillAtOnce is how many matches are begun before their letters go out.
const fillAtOnce = 100

// fill begins matches between members until as many run as the plan says.
func (r *rehearsal) fill(ctx context.Context) error {
	began, said := time.Now(), 0
	for r.sum.Filled < r.Matches {
		for range min(fillAtOnce, r.Matches-r.sum.Filled) {
			a, b := r.pair(r.sum.Filled)
			if err := r.begin(ctx, r.members[a], r.members[b]); err != nil {
				return err
			}
		}
		if err := r.settle(ctx); err != nil {
			return err
		}
		if said < r.sum.Filled/1000 {
			said = r.sum.Filled / 1000
			r.say("  %d matches, %v", r.sum.Filled, time.Since(began).Round(time.Second))
		}
	}
	return r.wake(ctx, r.members, (*member).reads)
}

// pair says who plays the match of a number that is begun: the first few are measured, and nobody
// plays two of them, if there are enough. Then everybody plays as many, and each time with another.
func (r *rehearsal) pair(i int) (a, b int) {
	n := len(r.members)
	if i < few {
		return 2 * i % n, (2*i + 1) % n
	}
	if a, b = i%n, (i+1+i/n*7%(n-1))%n; a == b {
		b = (b + 1) % n
	}
	return a, b
}

// begin begins a match of two members as the club does when an offer is accepted.
func (r *rehearsal) begin(ctx context.Context, pair ...*member) error {
	id, err := r.d.DB.NextOffer(ctx)
	if err != nil {
		return err
	}
	secret, err := record.NewSecret(r.d.Adjudicator.Random)
	if err != nil {
		return err
	}
	now := r.clock.now()
	o := &club.Offer{ID: id, Terms: club.Terms{Game: r.Game.Name()}, State: club.Accepted, Created: now, Expires: now, Secret: secret.Bytes()}
	inv := r.cfg.Terms()
	inv.Game, inv.Secret = r.Game.Name(), &secret
	for _, m := range pair {
		is, err := r.d.DB.MemberAt(ctx, m.account.Address)
		if err != nil {
			return err
		}
		player, err := r.d.DB.Player(ctx, is.ID)
		if err != nil {
			return err
		}
		words := fmt.Sprintf("words of %s", m.name)
		o.Parties = append(o.Parties, club.Party{Member: is.ID, Words: words})
		inv.Entrants = append(inv.Entrants, adjudicator.Entrant{Player: player, Called: is.Name, Words: words})
	}
	b, err := r.d.Adjudicator.Prepare(ctx, inv)
	if err != nil {
		return err
	}
	o.Match = b.Match.ID
	if r.sum.Filled++; r.sum.Filled <= few {
		r.first = append(r.first, o.Match)
	}
	return r.d.Adjudicator.Store.Apply(ctx, adjudicator.Change{Begun: []adjudicator.Beginning{b}, Club: &club.Change{Offers: []*club.Offer{o}}})
}
