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

// expire ends the offers whose time is over: one that has gathered enough players begins.
func (s *Secretary) expire(ctx context.Context, now time.Time) error {
	due, err := s.Store.DueOffers(ctx, now, mostDue)
	if err != nil {
		return err
	}
	var failed []error
	for i := range due {
		if err := s.expires(ctx, &due[i]); err != nil && !errors.Is(err, adjudicator.ErrConflict) {
			failed = append(failed, fmt.Errorf("end offer %d: %w", due[i].ID, err))
		}
	}
	return errors.Join(failed...)
}

// expires ends one.
func (s *Secretary) expires(ctx context.Context, o *club.Offer) error {
	g, err := rules.Games(s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return err
	}
	by, err := s.Store.Member(ctx, o.By())
	if err != nil {
		return err
	}
	a := s.answer(by, adjudicator.Letter{})
	a.change.Offers = []*club.Offer{o}
	if least, most := g.Seats(); least < most && len(o.Parties) >= max(least, o.Terms.Seats) {
		b, err := s.begin(ctx, o, a.players)
		if err != nil {
			return err
		}
		a.change.Members = nil
		return s.Adjudicator.Store.Apply(ctx, adjudicator.Change{Begun: []adjudicator.Beginning{b}, Club: &a.change})
	}
	a.change.Offers = nil
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
