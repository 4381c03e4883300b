package clubmail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
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
	// If a match cannot start when its offer expires, e.g. because of an error of the store, the start is tried again for
	// startRetryPeriod.
	startRetryPeriod = time.Hour
	// maxOffersADay is the maximum number of a member's offers in 24 hours. maxChallengesADay is the maximum number
	// of a member's challenges to the same member in that time. These limits protect other members from many letters.
	maxOffersADay, maxChallengesADay = 30, 2
	// maxListRows is the maximum number of other members' offers in the answer to OFFERS.
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

func (s *offerService) expireOffer(ctx context.Context, offer *club.Offer, now time.Time) error {
	author, err := s.store.Member(ctx, offer.Author())
	if err != nil {
		return err
	}
	ans := s.writer.newAnswer(author, exchange.Letter{})
	hasBegun, err := s.beginExpired(ctx, ans, offer)
	if err != nil && now.Sub(offer.Expires) < startRetryPeriod {
		return err
	}
	if hasBegun {
		ans.change.Offers = []*club.Offer{offer}
		return s.replies.Store.Apply(ctx, ans.pendingChange())
	}
	if err := s.callOff(ctx, ans, offer, club.OfferLapsed, fmt.Sprintf("Offer %d of %s has expired, because not enough players joined. "+
		"The match is called off.", offer.ID, author.Name)); err != nil {
		return err
	}
	err = ans.notifyMember(ctx, author, fmt.Sprintf("offer %d has expired", offer.ID), templates.PlainLetter{Paragraphs: []string{
		fmt.Sprintf("Your offer %d has expired: %s.", offer.ID, s.describeOffer(offer, author.Name)),
		"To offer it again, reply with OFFER and the name of the game."}})
	if err != nil {
		return err
	}
	return s.replies.Store.Apply(ctx, ans.pendingChange())
}

// beginExpired begins the match of an expired offer if enough players have accepted, for example 5 for a game of 4 to 7
// players. It leaves out players who have reached their limit of matches.
func (s *offerService) beginExpired(ctx context.Context, ans *answer, offer *club.Offer) (hasBegun bool, err error) {
	g, err := s.games.Find(offer.Terms.Game)
	if err != nil {
		return false, err
	}
	minimum, maximum := g.Seats()
	if minimum == maximum {
		return false, nil
	}
	var parties []club.Party
	for i, p := range offer.Parties {
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
	if len(parties) < max(minimum, offer.Terms.Seats) {
		return false, nil
	}
	allParties := offer.Parties
	offer.Parties = parties
	b, err := s.starter.beginMatch(ctx, offer, ans.players)
	if err != nil {
		offer.Parties = allParties
		return false, err
	}
	ans.newMatches = append(ans.newMatches, b)
	leftOutParties := slices.DeleteFunc(slices.Clone(allParties), func(p club.Party) bool { return offer.HasParty(p.Member) })
	return true, s.notifyParties(ctx, ans, offer, leftOutParties, fmt.Sprintf("The match of offer %d has begun without you, because you are "+
		"already playing as many matches as you may.", offer.ID))
}

func (s *offerService) notifyParties(ctx context.Context, ans *answer, offer *club.Offer, parties []club.Party, text string) error {
	for _, p := range parties {
		m, err := s.store.Member(ctx, p.Member)
		if err == nil && m != nil {
			err = ans.notifyMember(ctx, m, fmt.Sprintf("offer %d", offer.ID), templates.PlainLetter{Paragraphs: []string{text}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *offerService) callOff(ctx context.Context, ans *answer, offer *club.Offer, state club.OfferState, text string) error {
	offer.State = state
	ans.addChangedOffer(offer)
	others := slices.DeleteFunc(slices.Clone(offer.Parties), func(p club.Party) bool { return p.Member == ans.member.ID })
	return s.notifyParties(ctx, ans, offer, others, text)
}

func (s *offerService) leaveOffersAndQueue(ctx context.Context, ans *answer, member *club.Member) error {
	open, err := s.openOffers(ctx, ans)
	if err != nil {
		return err
	}
	for _, o := range open {
		switch {
		case o.Author() == member.ID:
			if err := s.callOff(ctx, ans, o, club.OfferWithdrawn, fmt.Sprintf("Offer %d, which you had accepted, has been withdrawn. "+
				"The match is called off.", o.ID)); err != nil {
				return err
			}
		case o.HasParty(member.ID):
			ans.leaveOffer(o, member)
		}
	}
	ans.removeFromQueue(member.ID, "")
	return nil
}

func (ans *answer) leaveOffer(offer *club.Offer, member *club.Member) {
	offer.Parties = slices.DeleteFunc(offer.Parties, func(p club.Party) bool { return p.Member == member.ID })
	ans.addChangedOffer(offer)
}

func (ans *answer) addChangedOffer(offer *club.Offer) {
	if !slices.Contains(ans.change.Offers, offer) {
		ans.change.Offers = append(ans.change.Offers, offer)
	}
}

// newParty returns the writer of the letter as a party to an offer. The digest of the letter is the writer's
// contribution to the dice seed. The writer cannot choose a digest that gives better dice, because the writer knows
// neither the secret nor, for a new offer, the other contributions.
func (ans *answer) newParty(seatName string) club.Party {
	return club.Party{Member: ans.member.ID, SeatName: seatName, Words: "letter " + ans.letter.Digest}
}

func (s *offerService) openOffers(ctx context.Context, ans *answer) (out []*club.Offer, err error) {
	stored, err := s.store.OpenOffers(ctx)
	for i := range stored {
		if !slices.ContainsFunc(ans.change.Offers, func(offer *club.Offer) bool { return offer.ID == stored[i].ID }) {
			out = append(out, &stored[i])
		}
	}
	for _, o := range ans.change.Offers {
		if o.State == club.OfferOpen {
			out = append(out, o)
		}
	}
	return out, err
}

func (s *offerService) offer(ctx context.Context, ans *answer, line letter.Line) error {
	o, err := s.newOffer(ctx, ans, line, line.Command.Wanted)
	if err != nil || o == nil {
		return err
	}
	ans.addChangedOffer(o)
	return s.confirmOffer(ans, line, o, fmt.Sprintf("This is offer %d, open until %s. To take it back, write WITHDRAW "+
		"%d.", o.ID, formatDay(o.Expires), o.ID))
}

func (s *offerService) confirmOffer(ans *answer, line letter.Line, offer *club.Offer, note string) error {
	if secret, err := record.SecretFromBytes(offer.Secret); err == nil {
		note += " The dice of the match will come from a secret number with this fingerprint (SHA-256):\n" + secret.Commitment()
	}
	return ans.confirmLine(line, note)
}

// newOffer makes an offer. It refuses the line and returns nil if the writer may not make an offer.
func (s *offerService) newOffer(ctx context.Context, ans *answer, line letter.Line, request club.MatchRequest) (*club.Offer, error) {
	open, err := s.openOffers(ctx, ans)
	if err != nil {
		return nil, err
	}
	ownOffers := len(slices.DeleteFunc(open, func(offer *club.Offer) bool { return offer.Author() != ans.member.ID }))
	offersToday, err := s.countLastDay(ctx, ans, (*club.Offer).NeedsAcceptance)
	switch {
	case err != nil:
		return nil, err
	case ownOffers >= s.club.MaxOffers:
		return nil, ans.refuseLine(line, fmt.Sprintf("You have %d open offers, which is the limit. WITHDRAW one first.", ownOffers))
	case offersToday >= maxOffersADay:
		return nil, ans.refuseLine(line, fmt.Sprintf("You have made %d offers since yesterday, which is the limit. You can make "+
			"more tomorrow.", maxOffersADay))
	}
	if isFull, err := s.refuseIfAtLimit(ctx, ans, line, ans.member); err != nil || isFull {
		return nil, err
	}
	o, err := s.starter.newOffer(ctx, s.replies.Now(), request.Terms, ans.newParty(request.SeatName))
	if err != nil {
		return nil, err
	}
	ans.numberOffer(o)
	o.State, o.Expires = club.OfferOpen, o.Created.Add(time.Duration(cmp.Or(request.Days, s.club.OfferDays))*24*time.Hour)
	return o, nil
}

// numberOffer raises the number of a new offer above the numbers of the letter's other new offers.
func (ans *answer) numberOffer(offer *club.Offer) {
	for _, other := range ans.change.Offers {
		offer.ID = max(offer.ID, other.ID+1)
	}
}

// countLastDay counts the writer's offers of a kind in the last 24 hours, including the offers of the current letter.
func (s *offerService) countLastDay(ctx context.Context, ans *answer, isKind func(*club.Offer) bool) (n int, err error) {
	stored, err := s.store.OffersSince(ctx, ans.member.ID, s.replies.Now().Add(-24*time.Hour))
	for i := range stored {
		if isKind(&stored[i]) {
			n++
		}
	}
	for _, o := range ans.change.Offers {
		if o.Version == 0 && o.Author() == ans.member.ID && isKind(o) {
			n++
		}
	}
	return n, err
}

func (s *offerService) refuseIfAtLimit(ctx context.Context, ans *answer, line letter.Line, member *club.Member) (isFull bool, err error) {
	n, err := s.store.CountRunning(ctx, member.ID)
	if err != nil {
		return false, err
	}
	n += len(ans.newMatches)
	maximum := member.MaxMatches(s.club)
	switch {
	case n < maximum:
		return false, nil
	case member.ID != ans.member.ID:
		return true, ans.refuseLine(line, member.Name+" is already playing as many matches as allowed.")
	}
	return true, ans.refuseLine(line, fmt.Sprintf("You are playing %s, and may play %d at once. To change that, write MOST and a "+
		"number up to %d.", formatMatches(n), maximum, s.club.MaxMatches))
}

// refuseBlocked refuses a line that would begin a match between the writer and a member, if either has blocked the
// other.
func (ans *answer) refuseBlocked(line letter.Line, member *club.Member) (blocked bool) {
	switch {
	case slices.Contains(ans.member.Settings.Blocked, member.ID):
		ans.addLine(line.Text, outcomeRefused, fmt.Sprintf("You have blocked %s. UNBLOCK %[1]s ends the block.", member.Name))
	case member.HasBlockWith(ans.member):
		ans.addLine(line.Text, outcomeRefused, member.Name+" does not want to play with you.")
	default:
		return false
	}
	return true
}

func (s *offerService) challenge(ctx context.Context, ans *answer, line letter.Line) error {
	opponent, err := findMember(ctx, s.store, ans, line)
	if err != nil || opponent == nil {
		return err
	}
	return s.challengeMember(ctx, ans, line, line.Command.Wanted, opponent)
}

func (s *offerService) challengeMember(ctx context.Context, ans *answer, line letter.Line, request club.MatchRequest,
	opponent *club.Member) error {
	switch {
	case opponent.ID == ans.member.ID:
		return ans.refuseLine(line, "You cannot challenge yourself.")
	case request.Terms.Seats != 2:
		return ans.refuseLine(line, "You can challenge only to games for two players. For other games, use OFFER.")
	case ans.refuseBlocked(line, opponent):
		return nil
	}
	open, err := s.openOffers(ctx, ans)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(open, func(offer *club.Offer) bool {
		return offer.Author() == ans.member.ID && slices.Contains(offer.Challenged, opponent.ID) && offer.Terms.Game == request.Terms.Game
	}); i >= 0 {
		return ans.refuseLine(line, fmt.Sprintf("You have already challenged %s, with offer %d. To take it back, write WITHDRAW %[2]d.",
			opponent.Name, open[i].ID))
	}
	n, err := s.countLastDay(ctx, ans, func(offer *club.Offer) bool { return slices.Contains(offer.Challenged, opponent.ID) })
	if err != nil {
		return err
	}
	if n >= maxChallengesADay {
		return ans.refuseLine(line, fmt.Sprintf("You have challenged %s twice since yesterday. You can do so again tomorrow.", opponent.Name))
	}
	o, err := s.newOffer(ctx, ans, line, request)
	if err != nil || o == nil {
		return err
	}
	o.Challenged = []int64{opponent.ID}
	ans.addChangedOffer(o)
	secret, err := record.SecretFromBytes(o.Secret)
	if err != nil {
		return err
	}
	accept, decline := fmt.Sprintf("%s %d", letter.Accept, o.ID), fmt.Sprintf("%s %d", letter.Decline, o.ID)
	err = ans.notifyMember(ctx, opponent, "a challenge", templates.PlainLetter{
		Paragraphs: []string{fmt.Sprintf("%s challenges you: %s.", ans.member.Name, s.describeOffer(o, ans.member.Name)),
			"To play, reply to this letter with"},
		Sections: []templates.PlainSection{{Rows: []string{accept}}, {Paragraphs: []string{"To decline, reply with"}, Rows: []string{decline}},
			{Paragraphs: []string{fmt.Sprintf("If you do nothing, the challenge expires on %s. The dice come from a secret "+
				"number with this fingerprint (SHA-256):", formatDay(o.Expires))}, Rows: []string{secret.Commitment()}}},
	}, accept, decline)
	if err != nil {
		return err
	}
	return s.confirmOffer(ans, line, o, fmt.Sprintf("%s has been asked. The challenge is offer %d, open until %s. To take it back, write "+
		"WITHDRAW %[2]d.", opponent.Name, o.ID, formatDay(o.Expires)))
}

// describeOffer describes an offer to a member who may accept it, e.g. "1989: Dawn of Freedom, with Ada as Communist (2
// days for each answer; unrated)".
func (s *offerService) describeOffer(offer *club.Offer, author string) string {
	g, err := s.games.Find(offer.Terms.Game)
	if err != nil {
		return offer.Terms.Game
	}
	out := g.Title()
	for _, p := range offer.Parties {
		if p.SeatName != "" && p.Member == offer.Author() {
			out += ", with " + author + " as " + strings.ToUpper(p.SeatName[:1]) + p.SeatName[1:]
		}
	}
	details := describeTerms(offer.Terms)
	switch {
	case offer.Terms.Seats > 2:
		details = append(details, fmt.Sprintf("%d of %d players have joined", len(offer.Parties), offer.Terms.Seats))
	case offer.Terms.Seats == 0:
		minimum, maximum := g.Seats()
		details = append(details, fmt.Sprintf("%d of %d to %d players have joined", len(offer.Parties), minimum, maximum))
	}
	if len(details) > 0 {
		out += " (" + strings.Join(details, "; ") + ")"
	}
	return out
}

// describeTerms describes the terms of an offer in words, without the game, e.g. "2 days for each answer", "sides by lot".
func describeTerms(t club.Terms) (out []string) {
	if t.Tempo != "" {
		out = append(out, describeTempo(t.Tempo))
	}
	switch clock.TimeoutPolicy(t.OnTimeout) {
	case clock.Claim:
		out = append(out, "when a player runs out of time, the opponent may claim the win")
	case clock.Forfeit:
		out = append(out, "a player who runs out of time has 12 hours of grace, and then loses")
	case clock.Silence:
		out = append(out, "the referee answers for a player who runs out of time")
	}
	switch t.Sides {
	case club.SidesByBid:
		out = append(out, "the players bid for sides")
	case club.SidesByLot:
		out = append(out, "sides by lot")
	case club.SidesBalanced:
		out = append(out, "sides by what both have played before")
	}
	for _, name := range slices.Sorted(maps.Keys(t.Options)) {
		option := strings.ToUpper(name)
		if value := t.Options[name]; value != "yes" {
			option += "=" + value
		}
		out = append(out, "with "+option)
	}
	if t.Unrated {
		out = append(out, "unrated")
	}
	return out
}

// describeTempo describes a tempo, e.g. "3 days on the clock, 12 hours more for each answer, at most 5 days".
func describeTempo(text string) string {
	tempo, err := clock.ParseTempo(text)
	switch {
	case err != nil:
		return "TEMPO " + text
	case tempo.IsUntimed():
		return "no time limit"
	}
	out := compose.FormatSpan(tempo.Phase) + " for each answer"
	if tempo.Phase == 0 {
		out = fmt.Sprintf("%s on the clock, %s more for each answer, at most %s", compose.FormatSpan(tempo.Bank),
			compose.FormatSpan(tempo.Increment), compose.FormatSpan(tempo.Cap))
	}
	if !tempo.Free.IsEmpty() {
		out += "; no clock runs in the free time: " + tempo.Free.String()
	}
	return out
}

func (s *offerService) listOffers(ctx context.Context, ans *answer, _ letter.Line) error {
	open, err := s.openOffers(ctx, ans)
	if err != nil {
		return err
	}
	otherOffers, ownOffers := templates.PlainSection{Title: "Offers"}, templates.PlainSection{Title: "Your offers"}
	firstID := int64(0)
	for _, o := range open {
		if !o.IsVisibleTo(ans.member.ID) {
			continue
		}
		author, err := s.store.Member(ctx, o.Author())
		if err != nil {
			return err
		}
		if author.HasBlockWith(ans.member) {
			continue
		}
		text := s.describeOffer(o, author.Name) + ", until " + formatDay(o.Expires)
		switch {
		case o.HasParty(ans.member.ID):
			if len(o.Challenged) > 0 && o.Author() == ans.member.ID {
				challenged, err := s.store.Member(ctx, o.Challenged[0])
				if err != nil {
					return err
				}
				text += ", to " + challenged.Name
			}
			ownOffers.Rows = append(ownOffers.Rows, fmt.Sprintf("%d: %s", o.ID, text))
		case len(otherOffers.Rows) < maxListRows:
			if slices.Contains(o.Challenged, ans.member.ID) {
				text += ", to you"
			}
			otherOffers.Rows = append(otherOffers.Rows, fmt.Sprintf("%d: %s offers %s", o.ID, author.Name, text))
			firstID = cmp.Or(firstID, o.ID)
			ans.suggestedOrders = append(ans.suggestedOrders, fmt.Sprintf("%s %d", letter.Accept, o.ID))
		}
	}
	otherOffers.Paragraphs = []string{fmt.Sprintf("To accept one, reply with ACCEPT and its number, such as ACCEPT %d.", firstID)}
	if len(otherOffers.Rows) == 0 {
		otherOffers.Paragraphs = []string{"There are no offers for you now. To offer a match, write OFFER and the name of a game. " +
			"To be paired with an opponent, write PAIR ME and the name of the game."}
	}
	ans.addSection(otherOffers)
	if len(ownOffers.Rows) > 0 {
		ans.addSection(ownOffers)
	}
	return nil
}
