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
func (s *offerService) findOffer(ctx context.Context, a *answer, l letter.Line) (*club.Offer, error) {
	id := int64(l.Command.Number)
	if slices.ContainsFunc(a.change.Offers, func(o *club.Offer) bool { return o.ID == id }) {
		return nil, a.refuseLine(l, "Another line of your letter is about the same offer. Send the two lines in separate letters.")
	}
	o, err := s.store.Offer(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case o == nil || !o.IsVisibleTo(a.member.ID):
		return nil, a.refuseLine(l, fmt.Sprintf("There is no offer %d for you. OFFERS lists your offers.", id))
	case o.State == club.OfferAccepted && o.HasParty(a.member.ID):
		return nil, a.refuseLine(l, fmt.Sprintf("The match of offer %d has begun: it is %s.", id, o.Match))
	case o.State != club.OfferOpen:
		return nil, a.refuseLine(l, fmt.Sprintf("Offer %d is no longer open.", id))
	case !o.Expires.After(s.replies.Now()):
		return nil, a.refuseLine(l, fmt.Sprintf("Offer %d has expired.", id))
	}
	return o, nil
}

func (s *offerService) accept(ctx context.Context, a *answer, l letter.Line) error {
	o, err := s.findOffer(ctx, a, l)
	if err != nil || o == nil {
		return err
	}
	return s.acceptOffer(ctx, a, l, o)
}

func (s *offerService) acceptOffer(ctx context.Context, a *answer, l letter.Line, o *club.Offer) error {
	if o.HasParty(a.member.ID) {
		return a.refuseLine(l, "You have already accepted that offer.")
	}
	for _, p := range o.Parties {
		m, err := s.store.Member(ctx, p.Member)
		if err != nil || m != nil && a.refuseBlocked(l, m) {
			return err
		}
	}
	if isFull, err := s.refuseIfAtLimit(ctx, a, l, a.member); err != nil || isFull {
		return err
	}
	g, err := s.games.Find(o.Terms.Game)
	if err != nil {
		return err
	}
	_, maximum := g.Seats()
	seatName, cause := findWantedSeat(g.SeatNames(o.Terms.Setup(g, maximum)), o, l.Command.Wanted.SeatName)
	if cause != nil {
		return a.refuseLine(l, match.ErrorSentence(cause))
	}
	o.Parties = append(o.Parties, a.newParty(seatName))
	a.addChangedOffer(o)
	if !o.IsFull(maximum) {
		return a.confirmLine(l, fmt.Sprintf("You have joined. There are %d players so far; the match begins when there are "+
			"enough, or on %s with those who have joined by then. To leave the offer, write WITHDRAW %d.", len(o.Parties), formatDay(o.Expires),
			o.ID))
	}
	return s.beginMatch(ctx, a, l, o)
}

// findWantedSeat returns the name of the seat that a player of an offer wants; empty for any seat. The error
// explains why the player cannot have the seat.
func findWantedSeat(names []string, o *club.Offer, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	seatName, err := club.FindSeat(names, text)
	switch {
	case err != nil:
		return "", err
	case o.Terms.Sides != club.SidesChosen:
		return "", fmt.Errorf("the sides of this match are given by %s", o.Terms.Sides)
	case slices.ContainsFunc(o.Parties, func(p club.Party) bool { return p.SeatName == seatName }):
		return "", fmt.Errorf("%s is taken", seatName)
	}
	return seatName, nil
}

// beginMatch begins the match of an offer. If a player cannot play, the offer does not change.
func (s *offerService) beginMatch(ctx context.Context, a *answer, l letter.Line, o *club.Offer) error {
	for _, p := range o.Parties {
		m := a.member
		if p.Member != m.ID {
			var err error
			if m, err = s.store.Member(ctx, p.Member); err != nil {
				return err
			}
		}
		if m == nil || m.State != club.MemberActive {
			a.dropOffer(o)
			return a.refuseLine(l, "One of its players is no longer a member.")
		}
		if isFull, err := s.refuseIfAtLimit(ctx, a, l, m); err != nil || isFull {
			a.dropOffer(o)
			return err
		}
		// The member is stored too: its version reveals a match of the member that begins at the same time.
		if !slices.ContainsFunc(a.change.Members, func(member *club.Member) bool { return member.ID == m.ID }) {
			a.change.Members = append(a.change.Members, m)
		}
	}
	b, err := s.starter.beginMatch(ctx, o, a.players)
	if err != nil {
		return err
	}
	a.newMatches = append(a.newMatches, b)
	opponents := make([]string, 0, len(b.Match.Seats))
	for _, seat := range b.Match.Seats {
		if seat.Player.ID != a.member.ID {
			opponents = append(opponents, seat.PlayerName)
		}
	}
	note := fmt.Sprintf("The match is called %s. You play with %s. ", b.Match.ID, match.JoinAnd(opponents))
	if b.Match.SealedWords {
		return a.confirmLine(l, note+"Each of you gets an invitation, because this club seals the words for the dice. Please answer "+
			"the invitation.")
	}
	return a.confirmLine(l, note+"Its first letter comes separately: to play, reply to that letter.")
}

func (a *answer) dropOffer(o *club.Offer) {
	a.change.Offers = slices.DeleteFunc(a.change.Offers, func(c *club.Offer) bool { return c == o })
}

func (s *offerService) decline(ctx context.Context, a *answer, l letter.Line) error {
	if l.Command.Text != "" {
		return s.declineAll(ctx, a, l)
	}
	o, err := s.findOffer(ctx, a, l)
	if err != nil || o == nil {
		return err
	}
	if !slices.Contains(o.Challenged, a.member.ID) {
		return a.refuseLine(l, "That is not a challenge to you, so you cannot decline it.")
	}
	author, err := s.declineOffer(ctx, a, o)
	if err != nil {
		return err
	}
	return a.confirmLine(l, author.Name+" has been told.")
}

func (s *offerService) declineAll(ctx context.Context, a *answer, l letter.Line) error {
	open, err := s.openOffers(ctx, a)
	if err != nil {
		return err
	}
	n := 0
	for _, o := range open {
		if slices.Contains(o.Challenged, a.member.ID) && !slices.Contains(a.change.Offers, o) {
			if _, err := s.declineOffer(ctx, a, o); err != nil {
				return err
			}
			n++
		}
	}
	switch n {
	case 0:
		return a.refuseLine(l, "No member has challenged you.")
	case 1:
		return a.confirmLine(l, "You have declined one challenge. The member who sent it has been told.")
	}
	return a.confirmLine(l, fmt.Sprintf("You have declined %d challenges. The members who sent them have been told.", n))
}

func (s *offerService) declineOffer(ctx context.Context, a *answer, o *club.Offer) (author *club.Member, err error) {
	if author, err = s.store.Member(ctx, o.Author()); err != nil {
		return nil, err
	}
	o.State = club.OfferDeclined
	a.addChangedOffer(o)
	return author, a.notifyMember(ctx, author, "a challenge is declined", templates.PlainLetter{Paragraphs: []string{
		fmt.Sprintf("%s has declined your challenge to %s, offer %d.", a.member.Name, s.describeOffer(o, author.Name), o.ID)}})
}

// withdraw withdraws the writer's offer, or removes the writer from another member's offer.
func (s *offerService) withdraw(ctx context.Context, a *answer, l letter.Line) error {
	o, err := s.findOffer(ctx, a, l)
	if err != nil || o == nil {
		return err
	}
	switch {
	case o.Author() == a.member.ID:
		if err := s.callOff(ctx, a, o, club.OfferWithdrawn, fmt.Sprintf("%s has withdrawn offer %d, which you had accepted. The "+
			"match is called off.", a.member.Name, o.ID)); err != nil {
			return err
		}
		return a.confirmLine(l, fmt.Sprintf("Offer %d is withdrawn.", o.ID))
	case o.HasParty(a.member.ID):
		a.leaveOffer(o, a.member)
		return a.confirmLine(l, fmt.Sprintf("You have left offer %d and will not play its match.", o.ID))
	}
	return a.refuseLine(l, "That is not your offer.")
}

func (s *offerService) start(ctx context.Context, a *answer, l letter.Line) error {
	o, err := s.findOffer(ctx, a, l)
	if err != nil || o == nil {
		return err
	}
	g, err := s.games.Find(o.Terms.Game)
	if err != nil {
		return err
	}
	minimum, _ := g.Seats()
	switch needed := max(minimum, o.Terms.Seats); {
	case o.Author() != a.member.ID:
		return a.refuseLine(l, "That is not your offer.")
	case len(o.Parties) < needed:
		return a.refuseLine(l, fmt.Sprintf("There are %d players, and %d are needed.", len(o.Parties), needed))
	}
	a.addChangedOffer(o)
	return s.beginMatch(ctx, a, l, o)
}

// rematch challenges the writer's last opponent, or a named opponent, with the terms of their last match and swapped
// sides. If the opponent has already challenged the writer to this game, the match begins.
func (s *offerService) rematch(ctx context.Context, a *answer, l letter.Line) error {
	m, err := s.findLastMatch(ctx, a, l)
	if err != nil || m == nil {
		return err
	}
	g, err := s.games.Find(m.Game)
	if err != nil {
		return err
	}
	ownSeat := slices.IndexFunc(m.Seats, func(s match.Seat) bool { return s.Player.ID == a.member.ID })
	if len(m.Seats) != 2 || ownSeat < 0 {
		return a.refuseLine(l, "REMATCH works only for matches of two players. For more players, use OFFER.")
	}
	other := m.Seats[1-ownSeat]
	opponent, err := s.store.Member(ctx, other.Player.ID)
	if err != nil {
		return err
	}
	if opponent == nil || opponent.State != club.MemberActive {
		return a.refuseLine(l, "Your opponent in match "+m.ID+" is not a member.")
	}
	open, err := s.openOffers(ctx, a)
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.Author() == opponent.ID && slices.Contains(o.Challenged, a.member.ID) && o.Terms.Game == m.Game {
			return s.acceptOffer(ctx, a, l, o)
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
	return s.challengeMember(ctx, a, l, request, opponent)
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
func (s *offerService) findLastMatch(ctx context.Context, a *answer, l letter.Line) (*match.Match, error) {
	var opponent int64
	withOpponent := ""
	if name := l.Command.Text; name != "" {
		l.Command.PersonName = name
		m, err := findMember(ctx, s.store, a, l)
		if err != nil || m == nil {
			return nil, err
		}
		opponent, withOpponent = m.ID, " with "+name
	}
	id, err := s.store.LastMatch(ctx, a.member.ID, opponent)
	switch {
	case err != nil:
		return nil, err
	case id == "":
		return nil, a.refuseLine(l, fmt.Sprintf("You have not finished any match%s yet.", withOpponent))
	}
	return s.replies.Store.Match(ctx, id)
}

func (s *offerService) playRobot(ctx context.Context, a *answer, l letter.Line) error {
	request := l.Command.Wanted
	g, err := s.games.Find(request.Terms.Game)
	if err != nil {
		return err
	}
	if isFull, err := s.refuseIfAtLimit(ctx, a, l, a.member); err != nil || isFull {
		return err
	}
	matchesToday, err := s.countLastDay(ctx, a, (*club.Offer).HasRobots)
	switch {
	case err != nil:
		return err
	case matchesToday >= maxRobotMatchesADay:
		return a.refuseLine(l, fmt.Sprintf("You have begun %d matches against robots since yesterday. You can begin more tomorrow.",
			maxRobotMatchesADay))
	}
	robot, err := g.RobotOfLevel(request.Level)
	if err != nil {
		return err
	}
	minimum, _ := g.Seats()
	request.Terms.Seats, request.Terms.Unrated, request.Terms.Tempo, request.Terms.OnTimeout = max(minimum, request.Terms.Seats),
		true, "none", ""
	o, err := s.starter.newOffer(ctx, s.replies.Now(), request.Terms, a.newParty(request.SeatName))
	if err != nil {
		return err
	}
	a.numberOffer(o)
	for len(o.Parties) < request.Terms.Seats {
		o.Parties = append(o.Parties, club.Party{Robot: robot, Words: "a robot has nothing to say"})
	}
	b, err := s.starter.beginMatch(ctx, o, a.players)
	if err != nil {
		return err
	}
	a.addChangedOffer(o)
	a.newMatches = append(a.newMatches, b)
	return a.confirmLine(l, fmt.Sprintf("The match is called %s. It is not rated and has no time limit. Its first letter "+
		"comes separately. Please answer that one.", b.Match.ID))
}
