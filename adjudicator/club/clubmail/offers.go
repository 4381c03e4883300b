package clubmail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// offerService carries out the orders about offers: OFFER, CHALLENGE, ACCEPT, DECLINE, WITHDRAW, START, REMATCH, PLAY ROBOT.
type offerService struct {
	store   Store
	replies conversation.Replies
	club    club.Config
	games   rules.Games
	writer  letterWriter
	starter *matchStarter
}

const (
	// expiryBatch is the maximum number of expired offers that are handled before other tasks run.
	expiryBatch = 50
	// startRetryPeriod is the time after the expiry of an offer during which the start of its match is retried if it
	// fails.
	startRetryPeriod = time.Hour
	// maxOffersADay is the maximum number of a member's offers in 24 hours. maxChallengesADay is the maximum number
	// of a member's challenges to the same member in that time. These limits protect other members from many letters.
	maxOffersADay, maxChallengesADay = 30, 2
	// maxListRows is the maximum number of rows of a list, so that letters stay short.
	maxListRows = 100
	// maxRobotMatchesADay is the maximum number of matches against robots that a member can begin in 24 hours. A
	// robot's move costs much more CPU time than a letter between people.
	maxRobotMatchesADay = 5
)

// expireOffers ends the expired offers. If enough players have accepted an expired offer, its match begins.
func (s *offerService) expireOffers(ctx context.Context, now time.Time) error {
	due, err := s.store.DueOffers(ctx, now, expiryBatch)
	if err != nil {
		return err
	}
	var failed []error
	for i := range due {
		if err := s.expireOffer(ctx, &due[i], now); err != nil && !errors.Is(err, match.ErrConflict) {
			failed = append(failed, fmt.Errorf("expire offer %d: %w", due[i].ID, err))
		}
	}
	return errors.Join(failed...)
}

func (s *offerService) expireOffer(ctx context.Context, o *club.Offer, now time.Time) error {
	author, err := s.store.Member(ctx, o.Author())
	if err != nil {
		return err
	}
	a := s.writer.newAnswer(author, exchange.Letter{})
	hasBegun, err := s.beginExpired(ctx, a, o)
	if err != nil && now.Sub(o.Expires) < startRetryPeriod {
		return err
	}
	if hasBegun {
		a.change.Offers = []*club.Offer{o}
		return s.replies.Store.Apply(ctx, a.pendingChange())
	}
	if err := s.callOff(ctx, a, o, club.OfferLapsed, fmt.Sprintf("Offer %d of %s has expired, because not enough players joined. "+
		"The match is called off.", o.ID, author.Name)); err != nil {
		return err
	}
	err = a.notifyMember(ctx, author, fmt.Sprintf("offer %d has expired", o.ID), templates.PlainLetter{Paragraphs: []string{
		fmt.Sprintf("Your offer %d has expired: %s.", o.ID, s.describeOffer(o, author.Name)),
		"To offer the match again, reply with OFFER and the game."}})
	if err != nil {
		return err
	}
	return s.replies.Store.Apply(ctx, a.pendingChange())
}

// beginExpired begins the match of an expired offer if enough players have accepted, for example 5 for a game of 4 to 7
// players. It leaves out players who have reached their limit of matches.
func (s *offerService) beginExpired(ctx context.Context, a *answer, o *club.Offer) (hasBegun bool, err error) {
	g, err := s.games.Find(o.Terms.Game)
	if err != nil {
		return false, err
	}
	minimum, maximum := g.Seats()
	if minimum == maximum {
		return false, nil
	}
	var parties []club.Party
	for i, p := range o.Parties {
		m, err := s.store.Member(ctx, p.Member)
		if err != nil {
			return false, err
		}
		n, err := s.store.CountRunning(ctx, p.Member)
		if err != nil {
			return false, err
		}
		switch {
		case m != nil && m.State == club.MemberActive && n < m.MaxMatches(s.club):
			parties = append(parties, p)
		case i == 0:
			return false, nil // The author of the offer cannot play.
		}
	}
	if len(parties) < max(minimum, o.Terms.Seats) {
		return false, nil
	}
	allParties := o.Parties
	o.Parties = parties
	b, err := s.starter.beginMatch(ctx, o, a.players)
	if err != nil {
		o.Parties = allParties
		return false, err
	}
	a.newMatches = append(a.newMatches, b)
	leftOutParties := slices.DeleteFunc(slices.Clone(allParties), func(p club.Party) bool { return o.HasParty(p.Member) })
	return true, s.notifyParties(ctx, a, o, leftOutParties, fmt.Sprintf("The match of offer %d has begun without you, because you are "+
		"already playing as many matches as you may.", o.ID))
}

func (s *offerService) notifyParties(ctx context.Context, a *answer, o *club.Offer, parties []club.Party, text string) error {
	for _, p := range parties {
		m, err := s.store.Member(ctx, p.Member)
		if err == nil && m != nil {
			err = a.notifyMember(ctx, m, fmt.Sprintf("offer %d", o.ID), templates.PlainLetter{Paragraphs: []string{text}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *offerService) callOff(ctx context.Context, a *answer, o *club.Offer, state club.OfferState, text string) error {
	o.State = state
	a.addChangedOffer(o)
	others := slices.DeleteFunc(slices.Clone(o.Parties), func(p club.Party) bool { return p.Member == a.member.ID })
	return s.notifyParties(ctx, a, o, others, text)
}

func (s *offerService) leaveAllOffers(ctx context.Context, a *answer, m *club.Member) error {
	open, err := s.openOffers(ctx, a)
	if err != nil {
		return err
	}
	for _, o := range open {
		switch {
		case o.Author() == m.ID:
			if err := s.callOff(ctx, a, o, club.OfferWithdrawn, fmt.Sprintf("Offer %d, which you had accepted, has been withdrawn. "+
				"The match is called off.", o.ID)); err != nil {
				return err
			}
		case o.HasParty(m.ID):
			a.leaveOffer(o, m)
		}
	}
	a.removeFromQueue(m.ID, "")
	return nil
}

func (a *answer) leaveOffer(o *club.Offer, m *club.Member) {
	o.Parties = slices.DeleteFunc(o.Parties, func(p club.Party) bool { return p.Member == m.ID })
	a.addChangedOffer(o)
}

// addChangedOffer adds an offer to the pending change, unless it is there already.
func (a *answer) addChangedOffer(o *club.Offer) {
	if !slices.Contains(a.change.Offers, o) {
		a.change.Offers = append(a.change.Offers, o)
	}
}

// newParty returns the writer of the letter as a party to an offer. The digest of the letter is the writer's
// contribution to the dice seed. The writer cannot choose a digest that gives better dice, because the writer knows
// neither the secret nor, for a new offer, the other contributions.
func (a *answer) newParty(seatName string) club.Party {
	return club.Party{Member: a.member.ID, SeatName: seatName, Words: "letter " + a.letter.Digest}
}

func (s *offerService) openOffers(ctx context.Context, a *answer) (out []*club.Offer, err error) {
	stored, err := s.store.OpenOffers(ctx)
	for i := range stored {
		if !slices.ContainsFunc(a.change.Offers, func(o *club.Offer) bool { return o.ID == stored[i].ID }) {
			out = append(out, &stored[i])
		}
	}
	for _, o := range a.change.Offers {
		if o.State == club.OfferOpen {
			out = append(out, o)
		}
	}
	return out, err
}

func (s *offerService) offer(ctx context.Context, a *answer, l letter.Line) error {
	o, err := s.newOffer(ctx, a, l, l.Command.Wanted)
	if err != nil || o == nil {
		return err
	}
	a.addChangedOffer(o)
	return s.confirmOffer(a, l, o, fmt.Sprintf("This is offer %d, open until %s. To take it back, write WITHDRAW "+
		"%d.", o.ID, formatDay(o.Expires), o.ID))
}

func (s *offerService) confirmOffer(a *answer, l letter.Line, o *club.Offer, note string) error {
	if secret, err := record.SecretFromBytes(o.Secret); err == nil {
		note += " The dice of the match will come from a secret number with this fingerprint (SHA-256):\n" + secret.Commitment()
	}
	return a.confirmLine(l, note)
}

// newOffer makes an offer. It refuses the line and returns nil if the writer may not make an offer.
func (s *offerService) newOffer(ctx context.Context, a *answer, l letter.Line, request club.MatchRequest) (*club.Offer, error) {
	open, err := s.openOffers(ctx, a)
	if err != nil {
		return nil, err
	}
	ownOffers := len(slices.DeleteFunc(open, func(o *club.Offer) bool { return o.Author() != a.member.ID }))
	offersToday, err := s.countLastDay(ctx, a, (*club.Offer).IsOpenOffer)
	switch {
	case err != nil:
		return nil, err
	case ownOffers >= s.club.MaxOffers:
		return nil, a.refuseLine(l, fmt.Sprintf("You have %d open offers, which is the limit. WITHDRAW one first.", ownOffers))
	case offersToday >= maxOffersADay:
		return nil, a.refuseLine(l, fmt.Sprintf("You have made %d offers since yesterday, which is the limit. You can make "+
			"more tomorrow.", maxOffersADay))
	}
	if isFull, err := s.refuseIfAtLimit(ctx, a, l, a.member); err != nil || isFull {
		return nil, err
	}
	o, err := s.starter.newOffer(ctx, s.replies.Now(), request.Terms, a.newParty(request.SeatName))
	if err != nil {
		return nil, err
	}
	a.numberOffer(o)
	o.State, o.Expires = club.OfferOpen, o.Created.Add(time.Duration(cmp.Or(request.Days, s.club.OfferDays))*24*time.Hour)
	return o, nil
}

// numberOffer raises the number of a new offer above the numbers of the letter's other new offers.
func (a *answer) numberOffer(o *club.Offer) {
	for _, other := range a.change.Offers {
		o.ID = max(o.ID, other.ID+1)
	}
}

// countLastDay counts the writer's offers of a kind in the last 24 hours, including the offers of the current letter.
func (s *offerService) countLastDay(ctx context.Context, a *answer, isKind func(*club.Offer) bool) (n int, err error) {
	stored, err := s.store.OffersSince(ctx, a.member.ID, s.replies.Now().Add(-24*time.Hour))
	for i := range stored {
		if isKind(&stored[i]) {
			n++
		}
	}
	for _, o := range a.change.Offers {
		if o.Version == 0 && o.Author() == a.member.ID && isKind(o) {
			n++
		}
	}
	return n, err
}

func (s *offerService) refuseIfAtLimit(ctx context.Context, a *answer, l letter.Line, m *club.Member) (isFull bool, err error) {
	n, err := s.store.CountRunning(ctx, m.ID)
	if err != nil {
		return false, err
	}
	n += len(a.newMatches)
	maximum := m.MaxMatches(s.club)
	switch {
	case n < maximum:
		return false, nil
	case m.ID != a.member.ID:
		return true, a.refuseLine(l, m.Name+" is already playing as many matches as allowed.")
	}
	return true, a.refuseLine(l, fmt.Sprintf("You are playing %s, and may play %d at once. To change that, write MOST and a "+
		"number up to %d.", formatMatches(n), maximum, s.club.MaxMatches))
}

// refuseBlocked refuses a line that would begin a match between the writer and a member, if either has blocked the
// other.
func (a *answer) refuseBlocked(l letter.Line, m *club.Member) (blocked bool) {
	switch {
	case slices.Contains(a.member.Settings.Blocked, m.ID):
		a.addLine(l.Text, outcomeRefused, fmt.Sprintf("You have blocked %s. UNBLOCK %[1]s ends the block.", m.Name))
	case m.HasBlockWith(a.member):
		a.addLine(l.Text, outcomeRefused, m.Name+" does not want to play with you.")
	default:
		return false
	}
	return true
}

func (s *offerService) challenge(ctx context.Context, a *answer, l letter.Line) error {
	opponent, err := findMember(ctx, s.store, a, l)
	if err != nil || opponent == nil {
		return err
	}
	return s.challengeMember(ctx, a, l, l.Command.Wanted, opponent)
}

func (s *offerService) challengeMember(ctx context.Context, a *answer, l letter.Line, request club.MatchRequest,
	opponent *club.Member) error {
	switch {
	case opponent.ID == a.member.ID:
		return a.refuseLine(l, "You cannot challenge yourself.")
	case request.Terms.Seats != 2:
		return a.refuseLine(l, "You can challenge only to games for two players. For other games, use OFFER.")
	case a.refuseBlocked(l, opponent):
		return nil
	}
	open, err := s.openOffers(ctx, a)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(open, func(o *club.Offer) bool {
		return o.Author() == a.member.ID && slices.Contains(o.Challenged, opponent.ID) && o.Terms.Game == request.Terms.Game
	}); i >= 0 {
		return a.refuseLine(l, fmt.Sprintf("You have already challenged %s, with offer %d. To take it back, write WITHDRAW %[2]d.", opponent.Name,
			open[i].ID))
	}
	n, err := s.countLastDay(ctx, a, func(o *club.Offer) bool { return slices.Contains(o.Challenged, opponent.ID) })
	if err != nil {
		return err
	}
	if n >= maxChallengesADay {
		return a.refuseLine(l, fmt.Sprintf("You have challenged %s twice since yesterday. You can do so again tomorrow.", opponent.Name))
	}
	o, err := s.newOffer(ctx, a, l, request)
	if err != nil || o == nil {
		return err
	}
	o.Challenged = []int64{opponent.ID}
	a.addChangedOffer(o)
	secret, err := record.SecretFromBytes(o.Secret)
	if err != nil {
		return err
	}
	accept, decline := fmt.Sprintf("%s %d", letter.Accept, o.ID), fmt.Sprintf("%s %d", letter.Decline, o.ID)
	err = a.notifyMember(ctx, opponent, "a challenge", templates.PlainLetter{
		Paragraphs: []string{fmt.Sprintf("%s challenges you: %s.", a.member.Name, s.describeOffer(o, a.member.Name)),
			"To play, reply to this letter with"},
		Sections: []templates.PlainSection{{Rows: []string{accept}}, {Paragraphs: []string{"To decline, reply with"}, Rows: []string{decline}},
			{Paragraphs: []string{fmt.Sprintf("If you do nothing, the challenge expires on %s. The dice come from a secret "+
				"number with this fingerprint (SHA-256):", formatDay(o.Expires))}, Rows: []string{secret.Commitment()}}},
	}, accept, decline)
	if err != nil {
		return err
	}
	return s.confirmOffer(a, l, o, fmt.Sprintf("%s has been asked. The challenge is offer %d, open until %s. To take it back, write "+
		"WITHDRAW %[2]d.", opponent.Name, o.ID, formatDay(o.Expires)))
}

// describeOffer describes an offer to a member who may accept it, e.g. "1989: Dawn of Freedom, with Ada as Communist".
func (s *offerService) describeOffer(o *club.Offer, author string) string {
	g, err := s.games.Find(o.Terms.Game)
	if err != nil {
		return o.Terms.Game
	}
	out := g.Title()
	for _, p := range o.Parties {
		if p.SeatName != "" && p.Member == o.Author() {
			out += ", with " + author + " as " + strings.ToUpper(p.SeatName[:1]) + p.SeatName[1:]
		}
	}
	if words := o.Terms.Describe(); words != "" {
		out += ", " + words
	}
	switch {
	case o.Terms.Seats > 2:
		out += fmt.Sprintf(", %d of %d players", len(o.Parties), o.Terms.Seats)
	case o.Terms.Seats == 0:
		minimum, maximum := g.Seats()
		out += fmt.Sprintf(", %d of %d to %d players", len(o.Parties), minimum, maximum)
	}
	return out
}

func (s *offerService) listOffers(ctx context.Context, a *answer, _ letter.Line) error {
	open, err := s.openOffers(ctx, a)
	if err != nil {
		return err
	}
	otherOffers, ownOffers := templates.PlainSection{Title: "Offers"}, templates.PlainSection{Title: "Your offers"}
	firstID := int64(0)
	for _, o := range open {
		if !o.IsVisibleTo(a.member.ID) {
			continue
		}
		author, err := s.store.Member(ctx, o.Author())
		if err != nil {
			return err
		}
		if author.HasBlockWith(a.member) {
			continue
		}
		text := s.describeOffer(o, author.Name) + ", until " + formatDay(o.Expires)
		switch {
		case o.HasParty(a.member.ID):
			if len(o.Challenged) > 0 && o.Author() == a.member.ID {
				challenged, err := s.store.Member(ctx, o.Challenged[0])
				if err != nil {
					return err
				}
				text += ", to " + challenged.Name
			}
			ownOffers.Rows = append(ownOffers.Rows, fmt.Sprintf("%d: %s", o.ID, text))
		case len(otherOffers.Rows) < maxListRows:
			if slices.Contains(o.Challenged, a.member.ID) {
				text += ", to you"
			}
			otherOffers.Rows = append(otherOffers.Rows, fmt.Sprintf("%d: %s offers %s", o.ID, author.Name, text))
			firstID = cmp.Or(firstID, o.ID)
			a.suggestedOrders = append(a.suggestedOrders, fmt.Sprintf("%s %d", letter.Accept, o.ID))
		}
	}
	otherOffers.Paragraphs = []string{fmt.Sprintf("To accept one, reply with ACCEPT and its number, such as ACCEPT %d.", firstID)}
	if len(otherOffers.Rows) == 0 {
		otherOffers.Paragraphs = []string{"There are no offers for you now. To offer a match, write OFFER and the name of a game. " +
			"To be paired with an opponent, write PAIR ME and the name of the game."}
	}
	a.addSection(otherOffers)
	if len(ownOffers.Rows) > 0 {
		a.addSection(ownOffers)
	}
	return nil
}
