package secretary

import (
	"context"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/rules"
	"samizdat/templates"
)

// mostDue is how many offers are looked at in one go.
const mostDue = 50

// stillBegins is for how long a match is tried to begin whose players have gathered: one that
// cannot would be tried for ever.
const stillBegins = time.Hour

// expire ends the offers whose time is over: one that has gathered enough players begins.
func (s *Secretary) expire(ctx context.Context, now time.Time) error {
	due, err := s.Store.DueOffers(ctx, now, mostDue)
	if err != nil {
		return err
	}
	var failed []error
	for i := range due {
		if err := s.expires(ctx, &due[i], now); err != nil && !errors.Is(err, adjudicator.ErrConflict) {
			failed = append(failed, fmt.Errorf("end offer %d: %w", due[i].ID, err))
		}
	}
	return errors.Join(failed...)
}

// expires ends one.
func (s *Secretary) expires(ctx context.Context, o *club.Offer, now time.Time) error {
	by, err := s.Store.Member(ctx, o.By())
	if err != nil {
		return err
	}
	a := s.answer(by, adjudicator.Letter{})
	begun, err := a.beginsLate(ctx, o)
	if err != nil && now.Sub(o.Expires) < stillBegins {
		return err
	}
	if len(begun) > 0 {
		a.change.Offers = []*club.Offer{o}
		return s.Adjudicator.Store.Apply(ctx, adjudicator.Change{Begun: begun, Letters: a.letters, Club: &a.change})
	}
	if err := a.callOff(ctx, o, club.Lapsed, fmt.Sprintf("Offer %d of %s has lapsed: not enough players were found. There will be no match.", o.ID, by.Name)); err != nil {
		return err
	}
	err = a.tell(ctx, by, fmt.Sprintf("offer %d has lapsed", o.ID), templates.Note{Says: []string{
		fmt.Sprintf("Your offer %d has lapsed: %s.", o.ID, s.describe(o, by.Name)), "Nobody is bound by it any more. To offer the match again, reply with OFFER and what you want to play."}})
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, adjudicator.Change{Letters: a.letters, Club: &a.change})
}

// beginsLate begins the match of an offer whose time is over, if enough have gathered: without
// those who play as many matches as they may by now. Nothing begins where they are too few.
func (a *answer) beginsLate(ctx context.Context, o *club.Offer) ([]adjudicator.Beginning, error) {
	g, err := rules.Games(a.s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return nil, err
	}
	least, most := g.Seats()
	if least == most {
		return nil, nil
	}
	var parties []club.Party
	for i, p := range o.Parties {
		m, err := a.s.Store.Member(ctx, p.Member)
		if err != nil {
			return nil, err
		}
		n, err := a.s.Store.Running(ctx, p.Member)
		if err != nil {
			return nil, err
		}
		switch {
		case m != nil && m.State == club.Active && n < m.Most(a.s.Club):
			parties = append(parties, p)
		case i == 0:
			return nil, nil // It is his offer.
		}
	}
	if len(parties) < max(least, o.Terms.Seats) {
		return nil, nil
	}
	all := o.Parties
	o.Parties = parties
	b, err := a.s.begin(ctx, o, a.players)
	if err != nil {
		o.Parties = all
		return nil, err
	}
	for _, p := range all {
		if o.Has(p.Member) {
			continue
		}
		m, err := a.s.Store.Member(ctx, p.Member)
		if err != nil {
			return nil, err
		}
		if m != nil {
			err = a.tell(ctx, m, fmt.Sprintf("offer %d", o.ID), templates.Note{Says: []string{fmt.Sprintf("The match of offer %d has begun without you: you play as many matches as you may.", o.ID)}})
		}
		if err != nil {
			return nil, err
		}
	}
	return []adjudicator.Beginning{b}, nil
}
