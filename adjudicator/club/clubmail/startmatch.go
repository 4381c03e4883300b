package clubmail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/glicko"
	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

type matchStarter struct {
	store       Store
	adjudicator *adjudicator.Adjudicator
	games       rules.Games
	// terms are the default terms of a match.
	terms adjudicator.Invitation
}

// players holds the players that were read for a letter, by ID, so that two changes of a player are made to the same
// value.
type players map[int64]*match.Player

// newOffer returns an offer with a new secret, which expires at once. The caller begins its match now, or sets a
// later time.
func (s *matchStarter) newOffer(ctx context.Context, now time.Time, terms club.Terms, parties ...club.Party) (*club.Offer, error) {
	id, err := s.store.NextOffer(ctx)
	if err != nil {
		return nil, err
	}
	secret, err := record.NewSecret(s.adjudicator.Random)
	if err != nil {
		return nil, err
	}
	return &club.Offer{ID: id, Terms: terms, Created: now, Expires: now, Secret: secret.Bytes(), Parties: parties}, nil
}

func (s *matchStarter) begin(ctx context.Context, o *club.Offer, known players) (b exchange.NewMatch, err error) {
	g, err := s.games.Find(o.Terms.Game)
	if err != nil {
		return b, err
	}
	setup, inv := o.Terms.Setup(g, len(o.Parties)), s.terms
	if slices.ContainsFunc(o.Parties, func(p club.Party) bool { return p.Robot != "" }) {
		inv.SealedWords, inv.Beacon = false, invitation.BeaconTerms{} // A robot answers at once.
	}
	inv.Game, inv.Options, inv.Players, inv.Tournament = g.Name(), setup.Options, nil, o.Terms.Tournament
	if o.Terms.Tempo != "" {
		if inv.Tempo, err = clock.ParseTempo(o.Terms.Tempo); err != nil {
			return b, err
		}
	}
	if o.Terms.OnTimeout != "" {
		if inv.OnTimeout, err = clock.ParseTimeoutPolicy(o.Terms.OnTimeout); err != nil {
			return b, err
		}
	}
	secret, err := record.SecretFromBytes(o.Secret)
	if err != nil {
		return b, err
	}
	inv.Secret = &secret
	order, err := s.seatParties(ctx, g, o, g.SeatNames(setup))
	if err != nil {
		return b, err
	}
	for _, i := range order {
		e, err := s.newEntrant(ctx, o.Parties[i], known)
		if err != nil {
			return b, err
		}
		inv.Entrants = append(inv.Entrants, e)
	}
	if b, err = s.adjudicator.PrepareMatch(ctx, inv); err != nil {
		return b, fmt.Errorf("begin the match of offer %d: %w", o.ID, err)
	}
	o.State, o.Match = club.Accepted, b.Match.ID
	return b, nil
}

func (s *matchStarter) newEntrant(ctx context.Context, p club.Party, known players) (e adjudicator.Entrant, err error) {
	if p.Robot != "" {
		return adjudicator.Entrant{Player: match.NewPlayer(""), Name: "Robot", Words: p.Words, Robot: p.Robot}, nil
	}
	m, err := s.store.Member(ctx, p.Member)
	if err != nil {
		return e, err
	}
	player := known[p.Member]
	if player == nil {
		if player, err = s.store.Player(ctx, p.Member); err != nil {
			return e, err
		}
	}
	if m == nil || player == nil {
		return e, fmt.Errorf("there is no member %d", p.Member)
	}
	known[p.Member] = player
	return adjudicator.Entrant{Player: player, Name: m.Name, Words: p.Words, Format: match.Format(m.Settings.Format)}, nil
}

func (s *matchStarter) seatParties(ctx context.Context, g *rules.Game, o *club.Offer, names []string) ([]int, error) {
	had := make([]map[string]int, len(o.Parties))
	parties := slices.Clone(o.Parties)
	for i, p := range parties {
		var err error
		if had[i], err = s.store.SeatCounts(ctx, p.Member, g.Name()); err != nil {
			return nil, err
		}
		if !slices.Contains(names, p.SeatName) {
			parties[i].SeatName = "" // Fewer players than seats have gathered, and the wanted seat is not among theirs.
		}
	}
	played := func(party int, seat string) int { return had[party][seat] }
	order := club.AssignSeats(o.Terms.Sides, parties, names, played, drawLot(o))
	if order == nil {
		return nil, fmt.Errorf("two players of offer %d want the same seat", o.ID)
	}
	return order, nil
}

// drawLot orders the parties of an offer by a hash of its secret and their words, so that no player can choose the
// order, and anyone can check it after the secret is published.
func drawLot(o *club.Offer) []int {
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

type pairingService struct {
	store     Store
	replies   conversation.Replies
	club      club.Config
	post      letterWriter
	starter   *matchStarter
	strengths *ratingCache
	// lastPairing limits how often the queue is read, lastFullPairing how often all waiting members are paired.
	lastPairing, lastFullPairing interval
}

const (
	// pairEvery is the interval of pairing while members join the queue. pairAllEvery is the interval otherwise: a
	// match of a waiting member may have ended, or the member accepts more distant ratings by then.
	pairEvery, pairAllEvery = time.Minute, 10 * time.Minute
	// maxPaired is the number of members in one pairing.
	maxPaired = 200
	// near is the allowed difference of ratings in a pair. It grows by nearer for each day of waiting, so that at
	// last any opponent is accepted.
	maxRatingGap, ratingGapADay = 200, 100
	// forbiddenCost is the cost of a pair that is not allowed. With an odd number of members one keeps waiting, which
	// costs as much, but waitingTurn less for each member who has waited longer: as many as possible are paired, and
	// those who have waited longest.
	forbiddenCost, waitingTurn = 1 << 30, 1 << 13
)

func (s *pairingService) joinQueue(_ context.Context, a *answer, l letter.Line) error {
	w := l.Command.Wanted
	q := club.Queued{Member: a.member.ID, Terms: w.Terms, MaxMatches: max(1, w.MaxMatches), Since: s.replies.Now(), Words: a.newParty("").Words}
	if maximum := a.member.MaxMatches(s.club); q.MaxMatches > maximum {
		return a.refuseLine(l, fmt.Sprintf("You may play at most %d matches at once. Write UP TO %[1]d or less.", maximum))
	}
	a.change.Queued = append(a.change.Queued, q)
	many := "while you play no other"
	if q.MaxMatches > 1 {
		many = fmt.Sprintf("for up to %d matches at once", q.MaxMatches)
	}
	note := fmt.Sprintf("You will be paired with other members who want to play, %s, until you write UNPAIR. "+
		"Each match begins with its own letter.", many)
	if w.Terms.Within > 0 {
		note += " Your opponents will be members who answer that soon: what counts is the median of their last 20 answers."
	}
	return a.confirmLine(l, note)
}

func (s *pairingService) leaveQueue(ctx context.Context, a *answer, l letter.Line) error {
	game := l.Command.Wanted.Terms.Game
	queue, err := s.store.QueuedOf(ctx, a.member.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(append(queue, a.change.Queued...), isQueued(a.member.ID, game)) {
		return a.refuseLine(l, "You are not waiting to be paired.")
	}
	a.removeFromQueue(a.member.ID, game)
	return a.confirmLine(l, "You will not be paired any more. Matches that have begun go on.")
}

// unqueue removes a member from the queue for a game, or for all games, despite earlier lines of the letter.
func (a *answer) removeFromQueue(member int64, game string) {
	a.change.Queued = slices.DeleteFunc(a.change.Queued, isQueued(member, game))
	a.change.Unqueued = append(a.change.Unqueued, club.Queued{Member: member, Terms: club.Terms{Game: game}})
}

func isQueued(member int64, game string) func(club.Queued) bool {
	return func(q club.Queued) bool { return q.Member == member && (game == "" || q.Terms.Game == game) }
}

// waiting is a member in the queue, with the values that decide about the pairing.
type waiting struct {
	queued club.Queued
	member *club.Member
	rating float64
	// opponents are the member's current opponents.
	opponents []int64
	// pace is how soon the member answers; 0 if that is unknown.
	pace time.Duration
}

// accepts reports whether an opponent answers as soon as the member wants.
func (w *waiting) accepts(opponent *waiting) bool {
	within := w.queued.Terms.Within
	return within == 0 || opponent.pace > 0 && opponent.pace <= within
}

func (s *pairingService) pair(ctx context.Context, now time.Time) error {
	if may, err := s.isTimeToPair(ctx, now); err != nil || !may {
		return err
	}
	queue, err := s.store.Queue(ctx)
	if err != nil {
		return err
	}
	// Members with as many running matches as they want are skipped.
	queue = slices.DeleteFunc(queue, func(q club.Queued) bool { return q.Running >= q.MaxMatches })
	if len(queue) < 2 {
		return nil
	}
	asksPace := slices.ContainsFunc(queue, func(q club.Queued) bool { return q.Terms.Within > 0 })
	groups := map[string][]waiting{}
	var order []string
	for _, q := range queue {
		key := q.Terms.Game + " " + q.Terms.Describe()
		if len(groups[key]) == maxPaired {
			continue
		}
		w, may, err := s.findWaiting(ctx, q, asksPace)
		if err != nil {
			return err
		}
		if may {
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], w)
		}
	}
	var failed []error
	for _, key := range order {
		g := groups[key]
		cost := func(i, j int) int64 {
			if last := max(i, j); last == len(g) { // the place of the member who keeps waiting
				return forbiddenCost - waitingTurn*int64(min(i, j))
			}
			return pairingCost(&g[i], &g[j], now)
		}
		for i, j := range pairing.MinCostMatching(len(g)+len(g)%2, cost) {
			if i < j && j < len(g) && cost(i, j) < forbiddenCost {
				failed = append(failed, s.beginPair(ctx, &g[i], &g[j], now))
			}
		}
	}
	return errors.Join(failed...)
}

func (s *pairingService) isTimeToPair(ctx context.Context, now time.Time) (bool, error) {
	if ok, _ := s.lastPairing.isOver(now, pairEvery); !ok {
		return false, nil
	}
	s.lastPairing.restart(now)
	pairAll, last := s.lastFullPairing.isOver(now, pairAllEvery)
	if !pairAll {
		if others, err := s.store.QueuedSince(ctx, last); err != nil || !others {
			return false, err
		}
	}
	s.lastFullPairing.restart(now)
	return true, nil
}

func (s *pairingService) findWaiting(ctx context.Context, q club.Queued, asksPace bool) (w waiting, may bool, err error) {
	w.queued = q
	if w.member, err = s.store.Member(ctx, q.Member); err != nil || w.member == nil || w.member.State != club.Active {
		return w, false, err
	}
	if q.Running >= w.member.MaxMatches(s.club) {
		return w, false, nil
	}
	if w.rating, err = s.strengths.rating(ctx, q.Terms.Game, q.Member); err != nil {
		return w, false, err
	}
	if asksPace {
		answers, err := s.store.AnswerTimes(ctx, q.Member, club.MaxAnswerTimes)
		if err != nil {
			return w, false, err
		}
		if pace, ok := club.Pace(answers); ok {
			w.pace = max(pace, time.Minute)
		}
	}
	w.opponents, err = s.store.Opponents(ctx, q.Member)
	return w, true, err
}

// pairingCost returns the cost of a pair: the difference of their ratings, or forbiddenCost if it is too large for
// the time that they have waited.
func pairingCost(a, b *waiting, now time.Time) int64 {
	if slices.Contains(a.opponents, b.queued.Member) || a.member.Blocks(b.member) || !a.accepts(b) || !b.accepts(a) {
		return forbiddenCost
	}
	days := max(now.Sub(a.queued.Since), now.Sub(b.queued.Since)).Hours() / 24
	far := math.Abs(a.rating - b.rating)
	if far > maxRatingGap+ratingGapADay*days {
		return forbiddenCost
	}
	return int64(far)
}

func (s *pairingService) beginPair(ctx context.Context, a, b *waiting, now time.Time) error {
	terms := a.queued.Terms
	terms.Within = 0
	o, err := s.starter.newOffer(ctx, now, terms, club.Party{Member: a.queued.Member, Words: a.queued.Words},
		club.Party{Member: b.queued.Member, Words: b.queued.Words})
	if err != nil {
		return err
	}
	m, err := s.starter.begin(ctx, o, players{})
	if err != nil {
		return err
	}
	a.queued.Since, b.queued.Since = now, now
	// The versions of the members detect a member who has left the queue in the meantime.
	err = s.replies.Store.Apply(ctx, exchange.Change{NewMatches: []exchange.NewMatch{m}, Club: &club.Change{
		Members: []*club.Member{a.member, b.member}, Offers: []*club.Offer{o}, Queued: []club.Queued{a.queued, b.queued}}})
	if errors.Is(err, match.ErrConflict) {
		return nil // The other member is paired later.
	}
	return err
}

// dismissLate removes members from the queue who have lost a match on time. Otherwise an absent member would begin
// one match after another.
func (s *pairingService) dismissLate(ctx context.Context, m *match.Match) error {
	lost := "You have lost match " + m.ID + " on time"
	if m.State == match.Playing {
		lost = "You have run out of time in match " + m.ID + ", which goes on without you"
	}
	for _, seat := range findOutOfTime(m) {
		member, err := s.store.Member(ctx, m.Seats[seat].Player.ID)
		if err != nil {
			return err
		}
		if member == nil {
			continue
		}
		queued, err := s.store.QueuedOf(ctx, member.ID)
		if err != nil {
			return err
		}
		over := m.Seats[seat].Clock.OverAt
		if len(queued) == 0 || m.State == match.Playing &&
			slices.ContainsFunc(queued, func(q club.Queued) bool { return q.Since.After(over) }) {
			continue // The member is not in the queue, or has joined it since then.
		}
		a := s.post.newAnswer(member, exchange.Letter{})
		a.removeFromQueue(member.ID, "")
		err = a.tellMember(ctx, member, "You are no longer being paired", templates.Note{Paragraphs: []string{
			lost + ", so you will not be paired any more. Your other matches go on.",
			"When you have time to play again, reply with PAIR ME and the name of the game."}},
			string(letter.PairMe)+" "+queued[0].Terms.Game)
		if err != nil {
			return err
		}
		if err := s.replies.Store.Apply(ctx, a.pendingChange()); err != nil {
			return err
		}
	}
	return nil
}

// findOutOfTime returns the seats that have lost a match on time while its end is not final yet, or while the others play
// on.
func findOutOfTime(m *match.Match) (out []rules.Seat) {
	e := m.Acts.Ended
	if m.State == match.Over && (e == nil || m.IsPublished()) {
		return nil
	}
	for i := range m.Seats {
		resigned, ok := m.Acts.Resigned.Has(rules.Seat(i)), false
		switch {
		case m.State == match.Playing:
			ok = m.OnTimeout == clock.Forfeit && resigned && !m.Seats[i].Clock.OverAt.IsZero()
		case m.State == match.Over && (e.Act.Kind == record.Forfeit || e.Act.Kind == record.Claim):
			ok = !resigned && !slices.Contains(e.Act.End.Winners, record.SeatName(m.Seats[i].Name))
		}
		if ok {
			out = append(out, rules.Seat(i))
		}
	}
	return out
}

// ratingCache caches the ratings of players for a short time.
type ratingCache struct {
	store         Store
	replies       conversation.Replies
	mu            sync.Mutex
	ratingsByGame map[string]ratings
}

type ratings struct {
	read time.Time
	of   map[int64]float64
}

// rating returns the rating of a member in a game. A member without results has the rating of a new player.
func (c *ratingCache) rating(ctx context.Context, game string, member int64) (float64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, now := c.ratingsByGame[game], c.replies.Now()
	if known.of == nil || now.Sub(known.read).Abs() >= ladderEvery {
		l, err := c.store.Ladder(ctx, game)
		if err != nil {
			return 0, err
		}
		known = ratings{read: now, of: map[int64]float64{}}
		if l != nil {
			for _, line := range l.Lines {
				known.of[line.Player] = line.Rating.Rating
			}
		}
		if c.ratingsByGame == nil {
			c.ratingsByGame = map[string]ratings{}
		}
		c.ratingsByGame[game] = known
	}
	if r, ok := known.of[member]; ok {
		return r, nil
	}
	return glicko.New.Rating, nil
}
