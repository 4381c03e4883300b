package clubmail

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/templates"
)

// findOffer returns the open offer that a line names. It refuses the line and returns nil if the offer does not exist or is
// not visible to the writer.
func (s *offerService) findOffer(ctx context.Context, ans *answer, line letter.Line) (*club.Offer, error) {
	id := int64(line.Command.Number)
	if slices.ContainsFunc(ans.change.Offers, func(offer *club.Offer) bool { return offer.ID == id }) {
		return nil, ans.refuseLine(line, "Another line of your letter is about the same offer. Send the two lines in separate letters.")
	}
	o, err := s.store.Offer(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case o == nil || !o.IsVisibleTo(ans.member.ID):
		return nil, ans.refuseLine(line, fmt.Sprintf("There is no offer %d for you. OFFERS lists your offers.", id))
	case o.State == club.OfferAccepted && o.HasParty(ans.member.ID):
		return nil, ans.refuseLine(line, fmt.Sprintf("The match of offer %d has begun: it is %s.", id, o.Match))
	case o.State != club.OfferOpen:
		return nil, ans.refuseLine(line, fmt.Sprintf("Offer %d is no longer open.", id))
	case !o.Expires.After(s.replies.Now()):
		return nil, ans.refuseLine(line, fmt.Sprintf("Offer %d has expired.", id))
	}
	return o, nil
}

func (s *offerService) accept(ctx context.Context, ans *answer, line letter.Line) error {
	o, err := s.findOffer(ctx, ans, line)
	if err != nil || o == nil {
		return err
	}
	return s.acceptOffer(ctx, ans, line, o)
}

func (s *offerService) acceptOffer(ctx context.Context, ans *answer, line letter.Line, offer *club.Offer) error {
	if offer.HasParty(ans.member.ID) {
		return ans.refuseLine(line, "You have already accepted that offer.")
	}
	for _, p := range offer.Parties {
		m, err := s.store.Member(ctx, p.Member)
		if err != nil || m != nil && ans.refuseBlocked(line, m) {
			return err
		}
	}
	if isFull, err := s.refuseIfAtLimit(ctx, ans, line, ans.member); err != nil || isFull {
		return err
	}
	g, err := s.games.Find(offer.Terms.Game)
	if err != nil {
		return err
	}
	_, maximum := g.Seats()
	seatName, cause := findWantedSeat(g.SeatNames(offer.Terms.Setup(g, maximum)), offer, line.Command.Wanted.SeatName)
	if cause != nil {
		return ans.refuseLine(line, match.ErrorSentence(cause))
	}
	offer.Parties = append(offer.Parties, ans.newParty(seatName))
	ans.addChangedOffer(offer)
	if !offer.IsFull(maximum) {
		return ans.confirmLine(line, fmt.Sprintf("You have joined. There are %d players so far; the match begins when there are "+
			"enough, or on %s with those who have joined by then. To leave the offer, write WITHDRAW %d.", len(offer.Parties),
			formatDay(offer.Expires), offer.ID))
	}
	return s.beginMatch(ctx, ans, line, offer)
}

// findWantedSeat returns the name of the seat that a player of an offer wants; empty for any seat. The error
// explains why the player cannot have the seat.
func findWantedSeat(names []string, offer *club.Offer, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	seatName, err := club.FindSeat(names, text)
	switch {
	case err != nil:
		return "", err
	case offer.Terms.Sides != club.SidesChosen:
		return "", fmt.Errorf("the sides of this match are given by %s", offer.Terms.Sides)
	case slices.ContainsFunc(offer.Parties, func(p club.Party) bool { return p.SeatName == seatName }):
		return "", fmt.Errorf("%s is taken", seatName)
	}
	return seatName, nil
}

// beginMatch begins the match of an offer. If a player cannot play, the offer does not change.
func (s *offerService) beginMatch(ctx context.Context, ans *answer, line letter.Line, offer *club.Offer) error {
	for _, p := range offer.Parties {
		m := ans.member
		if p.Member != m.ID {
			var err error
			if m, err = s.store.Member(ctx, p.Member); err != nil {
				return err
			}
		}
		if m == nil || m.State != club.MemberActive {
			ans.dropOfferChange(offer)
			return ans.refuseLine(line, "One of its players is no longer a member.")
		}
		if isFull, err := s.refuseIfAtLimit(ctx, ans, line, m); err != nil || isFull {
			ans.dropOfferChange(offer)
			return err
		}
		// Storing the member checks its version: if two matches of the member begin at the same time, the second fails.
		if !slices.ContainsFunc(ans.change.Members, func(member *club.Member) bool { return member.ID == m.ID }) {
			ans.change.Members = append(ans.change.Members, m)
		}
	}
	b, err := s.starter.beginMatch(ctx, offer, ans.players)
	if err != nil {
		return err
	}
	ans.newMatches = append(ans.newMatches, b)
	opponents := make([]string, 0, len(b.Match.Seats))
	for _, seat := range b.Match.Seats {
		if seat.Player.ID != ans.member.ID {
			opponents = append(opponents, seat.PlayerName)
		}
	}
	note := fmt.Sprintf("The match is called %s. You play against %s. ", b.Match.ID, match.JoinAnd(opponents))
	if b.Match.SealedWords {
		return ans.confirmLine(line, note+"Each of you gets an invitation, because this club seals the words for the dice. Please answer "+
			"the invitation.")
	}
	return ans.confirmLine(line, note+"Its first letter comes separately: to play, reply to that letter.")
}

func (ans *answer) dropOfferChange(offer *club.Offer) {
	ans.change.Offers = slices.DeleteFunc(ans.change.Offers, func(c *club.Offer) bool { return c == offer })
}

func (s *offerService) decline(ctx context.Context, ans *answer, line letter.Line) error {
	if line.Command.Text != "" {
		return s.declineAll(ctx, ans, line)
	}
	o, err := s.findOffer(ctx, ans, line)
	if err != nil || o == nil {
		return err
	}
	if !slices.Contains(o.Challenged, ans.member.ID) {
		return ans.refuseLine(line, "That is not a challenge to you, so you cannot decline it.")
	}
	author, err := s.declineOffer(ctx, ans, o)
	if err != nil {
		return err
	}
	return ans.confirmLine(line, author.Name+" has been told.")
}

func (s *offerService) declineAll(ctx context.Context, ans *answer, line letter.Line) error {
	open, err := s.openOffers(ctx, ans)
	if err != nil {
		return err
	}
	n := 0
	for _, o := range open {
		if slices.Contains(o.Challenged, ans.member.ID) && !slices.Contains(ans.change.Offers, o) {
			if _, err := s.declineOffer(ctx, ans, o); err != nil {
				return err
			}
			n++
		}
	}
	switch n {
	case 0:
		return ans.refuseLine(line, "No member has challenged you.")
	case 1:
		return ans.confirmLine(line, "You have declined one challenge. The member who sent it has been told.")
	}
	return ans.confirmLine(line, fmt.Sprintf("You have declined %d challenges. The members who sent them have been told.", n))
}

func (s *offerService) declineOffer(ctx context.Context, ans *answer, offer *club.Offer) (author *club.Member, err error) {
	if author, err = s.store.Member(ctx, offer.Author()); err != nil {
		return nil, err
	}
	offer.State = club.OfferDeclined
	ans.addChangedOffer(offer)
	return author, ans.notifyMember(ctx, author, "a challenge is declined", templates.PlainLetter{Paragraphs: []string{
		fmt.Sprintf("%s has declined your challenge (offer %d), which was: %s.", ans.member.Name, offer.ID,
			s.describeOffer(offer, author.Name))}})
}

// withdraw withdraws the writer's offer, or removes the writer from another member's offer.
func (s *offerService) withdraw(ctx context.Context, ans *answer, line letter.Line) error {
	o, err := s.findOffer(ctx, ans, line)
	if err != nil || o == nil {
		return err
	}
	switch {
	case o.Author() == ans.member.ID:
		if err := s.callOff(ctx, ans, o, club.OfferWithdrawn, fmt.Sprintf("%s has withdrawn offer %d, which you had accepted. The "+
			"match is called off.", ans.member.Name, o.ID)); err != nil {
			return err
		}
		return ans.confirmLine(line, fmt.Sprintf("Offer %d is withdrawn.", o.ID))
	case o.HasParty(ans.member.ID):
		ans.leaveOffer(o, ans.member)
		return ans.confirmLine(line, fmt.Sprintf("You have left offer %d and will not play its match.", o.ID))
	}
	return ans.refuseLine(line, "That is not your offer.")
}

func (s *offerService) start(ctx context.Context, ans *answer, line letter.Line) error {
	o, err := s.findOffer(ctx, ans, line)
	if err != nil || o == nil {
		return err
	}
	g, err := s.games.Find(o.Terms.Game)
	if err != nil {
		return err
	}
	minimum, _ := g.Seats()
	switch needed := max(minimum, o.Terms.Seats); {
	case o.Author() != ans.member.ID:
		return ans.refuseLine(line, "That is not your offer.")
	case len(o.Parties) < needed:
		return ans.refuseLine(line, fmt.Sprintf("There are %d players, and %d are needed.", len(o.Parties), needed))
	}
	ans.addChangedOffer(o)
	return s.beginMatch(ctx, ans, line, o)
}

// rematch challenges the writer's last opponent, or a named opponent, with the terms of their last match and swapped
// sides. If the opponent has already challenged the writer to this game, the match begins.
func (s *offerService) rematch(ctx context.Context, ans *answer, line letter.Line) error {
	m, err := s.findLastMatch(ctx, ans, line)
	if err != nil || m == nil {
		return err
	}
	g, err := s.games.Find(m.Game)
	if err != nil {
		return err
	}
	ownSeat := slices.IndexFunc(m.Seats, func(s match.Seat) bool { return s.Player.ID == ans.member.ID })
	if len(m.Seats) != 2 || ownSeat < 0 {
		return ans.refuseLine(line, "REMATCH works only for matches of two players. For more players, use OFFER.")
	}
	other := m.Seats[1-ownSeat]
	opponent, err := s.store.Member(ctx, other.Player.ID)
	if err != nil {
		return err
	}
	if opponent == nil || opponent.State != club.MemberActive {
		return ans.refuseLine(line, "Your opponent in match "+m.ID+" is not a member.")
	}
	open, err := s.openOffers(ctx, ans)
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.Author() == opponent.ID && slices.Contains(o.Challenged, ans.member.ID) && o.Terms.Game == m.Game {
			return s.acceptOffer(ctx, ans, line, o)
		}
	}
	request := club.MatchRequest{Terms: club.Terms{Game: m.Game, Seats: 2, Options: maps.Clone(m.Options), Tempo: m.Tempo.String(),
		OnTimeout: string(m.OnTimeout)}, SeatName: other.Name}
	if g.Bidding != nil && hasBidding(m.Options, g.Bidding) {
		request.Terms.Sides, request.SeatName = club.SidesByBid, ""
		maps.DeleteFunc(request.Terms.Options, func(k, _ string) bool { return g.Bidding[k] != "" })
	}
	if m.Tempo.IsUntimed() {
		request.Terms.Tempo, request.Terms.OnTimeout = "", ""
	}
	return s.challengeMember(ctx, ans, line, request, opponent)
}

// hasBidding reports whether a match was played with bidding for sides: its options include all options in bidding.
func hasBidding(options, bidding map[string]string) bool {
	for name, value := range bidding {
		if options[name] != value {
			return false
		}
	}
	return len(bidding) > 0
}

// findLastMatch returns the finished match that REMATCH repeats. If there is none, it refuses the line and returns
// nil.
func (s *offerService) findLastMatch(ctx context.Context, ans *answer, line letter.Line) (*match.Match, error) {
	var opponent int64
	withOpponent := ""
	if name := line.Command.Text; name != "" {
		line.Command.PersonName = name
		m, err := findMember(ctx, s.store, ans, line)
		if err != nil || m == nil {
			return nil, err
		}
		opponent, withOpponent = m.ID, " with "+name
	}
	id, err := s.store.LastMatch(ctx, ans.member.ID, opponent)
	switch {
	case err != nil:
		return nil, err
	case id == "":
		return nil, ans.refuseLine(line, fmt.Sprintf("You have not finished any match%s yet.", withOpponent))
	}
	return s.replies.Store.Match(ctx, id)
}

func (s *offerService) playRobot(ctx context.Context, ans *answer, line letter.Line) error {
	request := line.Command.Wanted
	g, err := s.games.Find(request.Terms.Game)
	if err != nil {
		return err
	}
	if isFull, err := s.refuseIfAtLimit(ctx, ans, line, ans.member); err != nil || isFull {
		return err
	}
	matchesToday, err := s.countLastDay(ctx, ans, (*club.Offer).HasRobots)
	switch {
	case err != nil:
		return err
	case matchesToday >= maxRobotMatchesADay:
		return ans.refuseLine(line, fmt.Sprintf("You have begun %d matches against robots since yesterday. You can begin more tomorrow.",
			maxRobotMatchesADay))
	}
	robot, err := g.RobotOfLevel(request.Level)
	if err != nil {
		return err
	}
	minimum, _ := g.Seats()
	request.Terms.Seats, request.Terms.Unrated, request.Terms.Tempo, request.Terms.OnTimeout = max(minimum, request.Terms.Seats),
		true, "none", ""
	o, err := s.starter.newOffer(ctx, s.replies.Now(), request.Terms, ans.newParty(request.SeatName))
	if err != nil {
		return err
	}
	ans.numberOffer(o)
	for len(o.Parties) < request.Terms.Seats {
		o.Parties = append(o.Parties, club.Party{Robot: robot, Words: "a robot has nothing to say"})
	}
	b, err := s.starter.beginMatch(ctx, o, ans.players)
	if err != nil {
		return err
	}
	ans.addChangedOffer(o)
	ans.newMatches = append(ans.newMatches, b)
	return ans.confirmLine(line, fmt.Sprintf("The match is called %s. It is not rated and has no time limit. Its first letter "+
		"comes separately. Please answer that one.", b.Match.ID))
}
