package clubmail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// open reads an open offer that a line names and its writer may know of; nil, and the line is
// refused, where there is none. Whether there is one that he may not know of, it does not say.
func (a *answer) open(ctx context.Context, l letter.Line) (*club.Offer, error) {
	id := int64(l.Command.Number)
	for _, o := range a.change.Offers {
		if o.ID == id {
			a.line(l.Text, refused, "Another line of your letter is about that offer. Send them one after the other.")
			return nil, nil
		}
	}
	o, err := a.s.Store.Offer(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case o == nil || !o.Shown(a.member.ID):
		a.line(l.Text, refused, fmt.Sprintf("There is no offer %d for you. OFFERS lists those that there are.", id))
	case o.State == club.Accepted && o.Has(a.member.ID):
		a.line(l.Text, refused, fmt.Sprintf("The match of offer %d has begun: it is %s.", id, o.Match))
	case o.State != club.Waiting:
		a.line(l.Text, refused, fmt.Sprintf("Offer %d is no longer open.", id))
	case !o.Expires.After(a.s.now()):
		a.line(l.Text, refused, fmt.Sprintf("Offer %d has lapsed.", id))
	default:
		return o, nil
	}
	return nil, nil
}

// accept lets the writer play a match that is offered.
func (a *answer) accept(ctx context.Context, l letter.Line) error {
	o, err := a.open(ctx, l)
	if err != nil || o == nil {
		return err
	}
	return a.accepts(ctx, l, o)
}

// accepts lets the writer play a match that is offered. It begins, if nobody is missing.
func (a *answer) accepts(ctx context.Context, l letter.Line, o *club.Offer) error {
	if o.Has(a.member.ID) {
		a.line(l.Text, refused, "You are among the players of that offer already.")
		return nil
	}
	for _, p := range o.Parties {
		m, err := a.s.Store.Member(ctx, p.Member)
		if err != nil {
			return err
		}
		if m != nil && a.keptOff(l, m) {
			return nil
		}
	}
	if full, err := a.full(ctx, l, a.member); err != nil || full {
		return err
	}
	g, err := rules.Games(a.s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return err
	}
	_, most := g.Seats()
	as := l.Command.Wanted.As
	if as != "" {
		if as, err = club.SeatNamed(g.SeatNames(o.Terms.Setup(g, most)), as); err == nil && o.Terms.Sides != club.Chosen {
			err = fmt.Errorf("the sides of this match are given by %s", o.Terms.Sides)
		}
		if err == nil && slices.ContainsFunc(o.Parties, func(p club.Party) bool { return p.As == as }) {
			err = fmt.Errorf("%s is taken", as)
		}
		if err != nil {
			a.line(l.Text, refused, match.Sentence(err))
			return nil
		}
	}
	o.Parties = append(o.Parties, a.party(as))
	a.keepOffer(o)
	if !o.Full(most) {
		a.did = true
		a.line(l.Text, done, fmt.Sprintf("You will play. %d are there; the match begins when enough are, or on %s with those who are there "+
			"then. WITHDRAW %d leaves it.", len(o.Parties), day(o.Expires), o.ID))
		return nil
	}
	return a.begins(ctx, l, o)
}

// begins lets the match of an offer begin.
func (a *answer) begins(ctx context.Context, l letter.Line, o *club.Offer) error {
	for _, p := range o.Parties {
		m := a.member
		if p.Member != m.ID {
			var err error
			if m, err = a.s.Store.Member(ctx, p.Member); err != nil {
				return err
			}
		}
		if m == nil || m.State != club.Active {
			a.undo(o)
			a.line(l.Text, refused, "Somebody of its players is no longer a member.")
			return nil
		}
		if full, err := a.full(ctx, l, m); err != nil || full {
			a.undo(o)
			return err
		}
		// His version shows whether another match of his has begun meanwhile.
		if !slices.ContainsFunc(a.change.Members, func(known *club.Member) bool { return known.ID == m.ID }) {
			a.change.Members = append(a.change.Members, m)
		}
	}
	b, err := a.s.begin(ctx, o, a.players)
	if err != nil {
		return err
	}
	a.did, a.begun = true, append(a.begun, b)
	with := make([]string, 0, len(b.Match.Seats))
	for _, seat := range b.Match.Seats {
		if seat.Player.ID != a.member.ID {
			with = append(with, seat.Called)
		}
	}
	note := fmt.Sprintf("The match is called %s. You play with %s. Its first letter comes on "+
		"its own: answer that.", b.Match.ID, match.List(with))
	if b.Match.SealedWords {
		note = fmt.Sprintf("The match is called %s. You play with %s. Each of you gets an invitation, since the words for the dice are "+
			"sealed here: answer that.", b.Match.ID, match.List(with))
	}
	a.line(l.Text, done, note)
	return nil
}

// undo lets an offer be as it was.
func (a *answer) undo(o *club.Offer) {
	a.change.Offers = slices.DeleteFunc(a.change.Offers, func(c *club.Offer) bool { return c == o })
}

// players are those who were read for a letter: two matches of one player change him after each
// other.
type players map[int64]*match.Player

// begin makes the match of an offer, whose parties are all that there will be.
func (s *Secretary) begin(ctx context.Context, o *club.Offer, known players) (b exchange.Beginning, err error) {
	g, err := rules.Games(s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return b, err
	}
	setup := o.Terms.Setup(g, len(o.Parties))
	inv := s.Terms
	if slices.ContainsFunc(o.Parties, func(p club.Party) bool { return p.Robot != "" }) {
		inv = plain(inv)
	}
	inv.Game, inv.Options, inv.Players, inv.Tournament = g.Name(), setup.Options, nil, o.Terms.Tournament
	if o.Terms.Tempo != "" {
		if inv.Tempo, err = clock.ParseTempo(o.Terms.Tempo); err != nil {
			return b, err
		}
	}
	if o.Terms.Zero != "" {
		if inv.Zero, err = clock.ParseTimeoutPolicy(o.Terms.Zero); err != nil {
			return b, err
		}
	}
	secret, err := record.SecretFromBytes(o.Secret)
	if err != nil {
		return b, err
	}
	inv.Secret = &secret
	order, err := s.seated(ctx, g, o, g.SeatNames(setup))
	if err != nil {
		return b, err
	}
	for _, i := range order {
		e, err := s.entrant(ctx, o.Parties[i], known)
		if err != nil {
			return b, err
		}
		inv.Entrants = append(inv.Entrants, e)
	}
	if b, err = s.Adjudicator.Prepare(ctx, inv); err != nil {
		return b, fmt.Errorf("begin the match of offer %d: %w", o.ID, err)
	}
	o.State, o.Match = club.Accepted, b.Match.ID
	return b, nil
}

// entrant is a party as the match has him.
func (s *Secretary) entrant(ctx context.Context, p club.Party, known players) (e adjudicator.Entrant, err error) {
	if p.Robot != "" {
		return adjudicator.Entrant{Player: match.NewPlayer(""), Called: "Robot", Words: p.Words, Robot: p.Robot}, nil
	}
	m, err := s.Store.Member(ctx, p.Member)
	if err != nil {
		return e, err
	}
	player := known[p.Member]
	if player == nil {
		if player, err = s.Store.Player(ctx, p.Member); err != nil {
			return e, err
		}
	}
	if m == nil || player == nil {
		return e, fmt.Errorf("there is no member %d", p.Member)
	}
	known[p.Member] = player
	return adjudicator.Entrant{Player: player, Called: m.Name, Words: p.Words, Format: match.Format(m.Settings.Format)}, nil
}

// seated says which party has which seat.
func (s *Secretary) seated(ctx context.Context, g *rules.Game, o *club.Offer, names []string) ([]int, error) {
	had := make([]map[string]int, len(o.Parties))
	for i, p := range o.Parties {
		var err error
		if had[i], err = s.Store.Played(ctx, p.Member, g.Name()); err != nil {
			return nil, err
		}
	}
	played := func(party int, seat string) int { return had[party][seat] }
	parties := slices.Clone(o.Parties)
	for i := range parties {
		if !slices.Contains(names, parties[i].As) {
			parties[i].As = "" // Fewer play than there are seats, and that is not among them.
		}
	}
	order := club.Seat(o.Terms.Sides, parties, names, played, lot(o))
	if order == nil {
		return nil, fmt.Errorf("two players of offer %d want the same seat", o.ID)
	}
	return order, nil
}

// lot orders the parties of an offer by its secret and their words: nobody can choose it, and
// it can be checked when the secret is known.
func lot(o *club.Offer) []int {
	var words strings.Builder
	for _, p := range o.Parties {
		fmt.Fprintf(&words, "%q", p.Words)
	}
	draw := make([]string, len(o.Parties))
	out := make([]int, len(draw))
	for i := range draw {
		h := hmac.New(sha256.New, o.Secret)
		fmt.Fprintf(h, "seat\x00%d\x00%s", i, words.String())
		draw[i], out[i] = string(h.Sum(nil)), i
	}
	slices.SortFunc(out, func(a, b int) int { return strings.Compare(draw[a], draw[b]) })
	return out
}

// decline declines a challenge.
func (a *answer) decline(ctx context.Context, l letter.Line) error {
	if l.Command.Text != "" {
		return a.declineAll(ctx, l)
	}
	o, err := a.open(ctx, l)
	if err != nil || o == nil {
		return err
	}
	if !slices.Contains(o.To, a.member.ID) {
		a.line(l.Text, refused, "You have not been challenged to it, so there is nothing to decline.")
		return nil
	}
	by, err := a.s.Store.Member(ctx, o.By())
	if err != nil {
		return err
	}
	a.line(l.Text, done, by.Name+" is told.")
	return a.declines(ctx, o)
}

// withdraw takes an offer back, or leaves one of another.
func (a *answer) withdraw(ctx context.Context, l letter.Line) error {
	if l.Command.Number == 0 {
		return a.leaveTournament(ctx, l)
	}
	o, err := a.open(ctx, l)
	if err != nil || o == nil {
		return err
	}
	switch {
	case o.By() == a.member.ID:
		a.line(l.Text, done, fmt.Sprintf("Offer %d is withdrawn.", o.ID))
		if err := a.callOff(ctx, o, club.Withdrawn, fmt.Sprintf("%s has withdrawn offer %d, which you had accepted. "+
			"There will be no match.", a.member.Name, o.ID)); err != nil {
			return err
		}
	case o.Has(a.member.ID):
		o.Parties = slices.DeleteFunc(o.Parties, func(p club.Party) bool { return p.Member == a.member.ID })
		a.keepOffer(o)
		a.line(l.Text, done, fmt.Sprintf("You will not play the match of offer %d.", o.ID))
	default:
		a.line(l.Text, refused, "That is not your offer.")
		return nil
	}
	a.did = true
	return nil
}

// callOff ends an offer, and tells those who had accepted it.
func (a *answer) callOff(ctx context.Context, o *club.Offer, as club.OfferState, text string) error {
	o.State = as
	a.keepOffer(o)
	for _, p := range o.Parties {
		if p.Member == a.member.ID {
			continue
		}
		m, err := a.s.Store.Member(ctx, p.Member)
		if err != nil {
			return err
		}
		if err := a.tell(ctx, m, fmt.Sprintf("offer %d", o.ID), templates.Note{Says: []string{text}}); err != nil {
			return err
		}
	}
	return nil
}

// start begins an offer with those who have gathered.
func (a *answer) start(ctx context.Context, l letter.Line) error {
	o, err := a.open(ctx, l)
	if err != nil || o == nil {
		return err
	}
	g, err := rules.Games(a.s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return err
	}
	least, _ := g.Seats()
	switch {
	case o.By() != a.member.ID:
		a.line(l.Text, refused, "That is not your offer.")
		return nil
	case len(o.Parties) < max(least, o.Terms.Seats):
		a.line(l.Text, refused, fmt.Sprintf("%d are there, and %d are needed.", len(o.Parties), max(least, o.Terms.Seats)))
		return nil
	}
	a.keepOffer(o)
	return a.begins(ctx, l, o)
}

// rematch challenges the writer's last opponent, or one whom he names, to their last match
// again, with the sides changed. If that one has asked for the same, the match begins.
func (a *answer) rematch(ctx context.Context, l letter.Line) error {
	m, err := a.lastMatch(ctx, l)
	if err != nil || m == nil {
		return err
	}
	g, err := rules.Games(a.s.Adjudicator.Games).Find(m.Game)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(m.Seats, func(s match.Seat) bool { return s.Player.ID == a.member.ID })
	if len(m.Seats) != 2 || mine < 0 {
		a.line(l.Text, refused, "REMATCH is for matches of two. For others, OFFER gathers players.")
		return nil
	}
	other := m.Seats[1-mine]
	to, err := a.s.Store.Member(ctx, other.Player.ID)
	if err != nil {
		return err
	}
	if to == nil || to.State != club.Active {
		a.line(l.Text, refused, "Whom you played match "+m.ID+" with is no member.")
		return nil
	}
	open, err := a.openOffers(ctx)
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.By() == to.ID && slices.Contains(o.To, a.member.ID) && o.Terms.Game == m.Game {
			return a.accepts(ctx, l, o)
		}
	}
	w := club.Wanted{Terms: club.Terms{Game: m.Game, Seats: 2, Options: maps.Clone(m.Options), Tempo: m.Tempo.String(), Zero: string(m.Zero)}, As: other.Name}
	if g.Bidding != nil && bids(m.Options, g.Bidding) {
		w.Terms.Sides, w.As = club.Bid, ""
		maps.DeleteFunc(w.Terms.Options, func(k, _ string) bool { return g.Bidding[k] != "" })
	}
	if m.Tempo.IsUntimed() {
		w.Terms.Tempo, w.Terms.Zero = "", ""
	}
	return a.challenges(ctx, l, w, to)
}

// bids reports whether the options of a match have those of bidding.
func bids(options, bidding map[string]string) bool {
	for name, value := range bidding {
		if options[name] != value {
			return false
		}
	}
	return len(bidding) > 0
}

// lastMatch finds the match that is to be played again; nil, and the line is refused, where
// there is none.
func (a *answer) lastMatch(ctx context.Context, l letter.Line) (*match.Match, error) {
	var other int64
	if name := l.Command.Text; name != "" {
		l.Command.As = name
		m, err := a.named(ctx, l)
		if err != nil || m == nil {
			return nil, err
		}
		other = m.ID
	}
	id, err := a.s.Store.LastMatch(ctx, a.member.ID, other)
	if err != nil {
		return nil, err
	}
	if id == "" {
		with := ""
		if other != 0 {
			with = " with " + l.Command.As
		}
		a.line(l.Text, refused, fmt.Sprintf("No match of yours%s is over yet.", with))
		return nil, nil
	}
	return a.s.Adjudicator.Store.Match(ctx, id)
}

// mostRobots is how many matches against robots a member may begin in a day: each letter of such
// a match costs as much as many others.
const mostRobots = 5

// playRobot begins a match of the writer against robots: unrated, without clocks, and answered at
// once.
func (a *answer) playRobot(ctx context.Context, l letter.Line) error {
	w := l.Command.Wanted
	g, err := rules.Games(a.s.Adjudicator.Games).Find(w.Terms.Game)
	if err != nil {
		return err
	}
	if full, err := a.full(ctx, l, a.member); err != nil || full {
		return err
	}
	today, err := a.today(ctx, (*club.Offer).Robots)
	if err != nil {
		return err
	}
	if today >= mostRobots {
		a.line(l.Text, refused, fmt.Sprintf("You have begun %d matches against robots since yesterday. You can begin more tomorrow.", mostRobots))
		return nil
	}
	robot, err := g.RobotOfLevel(w.Level)
	if err != nil {
		return err
	}
	least, _ := g.Seats()
	w.Terms.Seats, w.Terms.Unrated, w.Terms.Tempo, w.Terms.Zero = max(least, w.Terms.Seats), true, "none", ""
	id, err := a.s.Store.NextOffer(ctx)
	if err != nil {
		return err
	}
	for _, o := range a.change.Offers {
		id = max(id, o.ID+1)
	}
	secret, err := record.NewSecret(a.s.Adjudicator.Random)
	if err != nil {
		return err
	}
	o := &club.Offer{ID: id, Terms: w.Terms, Created: a.s.now(), Expires: a.s.now(), Secret: secret.Bytes(), Parties: []club.Party{a.party(w.As)}}
	for len(o.Parties) < w.Terms.Seats {
		o.Parties = append(o.Parties, club.Party{Robot: robot, Words: "a robot has nothing to say"})
	}
	b, err := a.s.begin(ctx, o, a.players)
	if err != nil {
		return err
	}
	a.keepOffer(o)
	a.did, a.begun = true, append(a.begun, b)
	a.line(l.Text, done, fmt.Sprintf("The match is called %s. It is not rated, and no clock runs. "+
		"Its first letter comes on its own: answer that.", b.Match.ID))
	return nil
}

// plain are the terms of a match against robots, which neither seal words nor wait for a beacon.
func plain(inv adjudicator.Invitation) adjudicator.Invitation {
	inv.SealedWords, inv.Beacon = false, invitation.BeaconTerms{}
	return inv
}
