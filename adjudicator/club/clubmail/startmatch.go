package clubmail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// matchStarter starts matches between members: matches of offers, of the queue for pairing, and of tournaments.
type matchStarter struct {
	store       Store
	adjudicator *adjudicator.Adjudicator
	games       rules.Games
	// defaultTerms are the terms for everything that an offer does not set.
	defaultTerms adjudicator.Invitation
}

// players holds the players that were loaded for a letter, by ID, so that all changes to a player are made in the
// same value.
type players map[int64]*match.Player

// newOffer returns an offer with a new secret. The offer expires at once: the caller begins its match now, or sets
// Expires.
func (s *matchStarter) newOffer(ctx context.Context, now time.Time, terms club.Terms, parties ...club.Party) (*club.Offer, error) {
	id, err := s.store.NextOfferID(ctx)
	if err != nil {
		return nil, err
	}
	secret, err := record.NewSecret(s.adjudicator.Random)
	if err != nil {
		return nil, err
	}
	return &club.Offer{ID: id, Terms: terms, Created: now, Expires: now, Secret: secret.Bytes(), Parties: parties}, nil
}

func (s *matchStarter) beginMatch(ctx context.Context, offer *club.Offer, loaded players) (newMatch exchange.NewMatch, err error) {
	g, err := s.games.Find(offer.Terms.Game)
	if err != nil {
		return newMatch, err
	}
	setup, inv := offer.Terms.Setup(g, len(offer.Parties)), s.defaultTerms
	if slices.ContainsFunc(offer.Parties, func(p club.Party) bool { return p.Robot != "" }) {
		inv.SealedWords, inv.Beacon = false, invitation.BeaconTerms{} // A match with a robot begins at once.
	}
	inv.Game, inv.Options, inv.Players, inv.Tournament = g.Name(), setup.Options, nil, offer.Terms.Tournament
	if offer.Terms.Tempo != "" {
		if inv.Tempo, err = clock.ParseTempo(offer.Terms.Tempo); err != nil {
			return newMatch, err
		}
	}
	if offer.Terms.OnTimeout != "" {
		if inv.OnTimeout, err = clock.ParseTimeoutPolicy(offer.Terms.OnTimeout); err != nil {
			return newMatch, err
		}
	}
	secret, err := record.SecretFromBytes(offer.Secret)
	if err != nil {
		return newMatch, err
	}
	inv.Secret = &secret
	order, err := s.seatParties(ctx, g, offer, g.SeatNames(setup))
	if err != nil {
		return newMatch, err
	}
	for _, i := range order {
		e, err := s.newEntrant(ctx, offer.Parties[i], loaded)
		if err != nil {
			return newMatch, err
		}
		inv.Entrants = append(inv.Entrants, e)
	}
	if newMatch, err = s.adjudicator.PrepareMatch(ctx, inv); err != nil {
		return newMatch, fmt.Errorf("begin the match of offer %d: %w", offer.ID, err)
	}
	offer.State, offer.Match = club.OfferAccepted, newMatch.Match.ID
	return newMatch, nil
}

func (s *matchStarter) newEntrant(ctx context.Context, p club.Party, loaded players) (e adjudicator.Entrant, err error) {
	if p.Robot != "" {
		return adjudicator.Entrant{Player: match.NewPlayer(""), Name: "Robot", Words: p.Words, Robot: p.Robot}, nil
	}
	m, err := s.store.Member(ctx, p.Member)
	if err != nil {
		return e, err
	}
	player := loaded[p.Member]
	if player == nil {
		if player, err = s.store.Player(ctx, p.Member); err != nil {
			return e, err
		}
	}
	if m == nil || player == nil {
		return e, fmt.Errorf("member %d does not exist", p.Member)
	}
	loaded[p.Member] = player
	return adjudicator.Entrant{Player: player, Name: m.Name, Words: p.Words, Format: match.Format(m.Settings.Format)}, nil
}

func (s *matchStarter) seatParties(ctx context.Context, game *rules.Game, offer *club.Offer, names []string) ([]int, error) {
	seatCounts := make([]map[string]int, len(offer.Parties))
	parties := slices.Clone(offer.Parties)
	for i, p := range parties {
		var err error
		if seatCounts[i], err = s.store.SeatCounts(ctx, p.Member, game.Name()); err != nil {
			return nil, err
		}
		if !slices.Contains(names, p.SeatName) {
			parties[i].SeatName = "" // With few players the match may not have the wanted seat.
		}
	}
	played := func(party int, seat string) int { return seatCounts[party][seat] }
	order := club.AssignSeats(offer.Terms.Sides, parties, names, played, drawLot(offer))
	if order == nil {
		return nil, fmt.Errorf("two players of offer %d want the same seat", offer.ID)
	}
	return order, nil
}

// drawLot orders the parties of an offer by a hash of its secret and their words, so that no player can choose the
// order, and anyone can check it after the secret is published.
func drawLot(offer *club.Offer) []int {
	var words strings.Builder
	for _, p := range offer.Parties {
		fmt.Fprintf(&words, "%q", p.Words)
	}
	draws := make([]string, len(offer.Parties))
	out := make([]int, len(draws))
	for i := range draws {
		h := hmac.New(sha256.New, offer.Secret)
		fmt.Fprintf(h, "seat\x00%d\x00%s", i, words.String())
		draws[i], out[i] = string(h.Sum(nil)), i
	}
	slices.SortFunc(out, func(a, b int) int { return strings.Compare(draws[a], draws[b]) })
	return out
}
