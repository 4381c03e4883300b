package clubmail

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/glicko"
	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// pairingService pairs the members who have written PAIR ME.
type pairingService struct {
	store   Store
	replies conversation.Replies
	club    club.Config
	writer  letterWriter
	starter *matchStarter
	ratings *ratingCache
	// lastQueueCheck is the last time at which the task looked for new members in the queue, lastPairing the last time at which
	// it paired members.
	lastQueueCheck, lastPairing interval
}

const (
	// pairEvery is the minimum time between two pairings while members join the queue. pairAllEvery is this time without new
	// members: pairs may become possible when a match of a waiting member ends, or when the allowed difference of
	// ratings grows.
	pairEvery, pairAllEvery = time.Minute, 10 * time.Minute
	// maxPairingSize is the maximum number of members with equal terms that are paired at once, the longest wait first.
	maxPairingSize = 200
	// The difference of ratings in a pair is at most maxRatingGap, plus ratingGapPerDay for each day that a member has
	// waited, so that in the end any opponent is accepted.
	maxRatingGap, ratingGapPerDay = 200, 100
	// forbiddenCost is the cost of a pair that is not allowed. It exceeds the sum of all other costs, so that as many
	// members as possible are paired. If the number of members is odd, one member stays unpaired. Leaving a member
	// unpaired costs forbiddenCost, minus waitingDiscount for each member who has waited longer: the newest is left out
	// if possible.
	forbiddenCost, waitingDiscount = 1 << 30, 1 << 13
)

func (s *pairingService) joinQueue(_ context.Context, ans *answer, line letter.Line) error {
	request := line.Command.Wanted
	q := club.QueueEntry{Member: ans.member.ID, Terms: request.Terms, MaxMatches: max(1, request.MaxMatches), Since: s.replies.Now(),
		Words: ans.newParty("").Words}
	if maximum := ans.member.MaxMatches(s.club); q.MaxMatches > maximum {
		return ans.refuseLine(line, fmt.Sprintf("You may play at most %d matches at once. Write UP TO %[1]d or less.", maximum))
	}
	ans.change.QueueEntries = append(ans.change.QueueEntries, q)
	many := "for one match at a time"
	if q.MaxMatches > 1 {
		many = fmt.Sprintf("for up to %d matches at once", q.MaxMatches)
	}
	note := fmt.Sprintf("You will be paired with other members who want to play, %s, until you write UNPAIR. "+
		"Each match begins with its own letter.", many)
	if request.Terms.Within > 0 {
		note += " Your opponents will be members who answer that soon: what counts is the median of their last 20 answers."
	}
	return ans.confirmLine(line, note)
}

func (s *pairingService) leaveQueue(ctx context.Context, ans *answer, line letter.Line) error {
	game := line.Command.Wanted.Terms.Game
	queue, err := s.store.QueueEntriesOf(ctx, ans.member.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(append(queue, ans.change.QueueEntries...), isEntryOf(ans.member.ID, game)) {
		return ans.refuseLine(line, "You are not waiting to be paired.")
	}
	ans.removeFromQueue(ans.member.ID, game)
	return ans.confirmLine(line, "You will not be paired any more. Matches that have begun go on.")
}

// removeFromQueue removes a member from the queue for a game, or for all games if game is empty. It also cancels PAIR ME in
// earlier lines of the letter.
func (ans *answer) removeFromQueue(member int64, game string) {
	ans.change.QueueEntries = slices.DeleteFunc(ans.change.QueueEntries, isEntryOf(member, game))
	ans.change.RemovedFromQueue = append(ans.change.RemovedFromQueue, club.QueueEntry{Member: member, Terms: club.Terms{Game: game}})
}

func isEntryOf(member int64, game string) func(club.QueueEntry) bool {
	return func(q club.QueueEntry) bool { return q.Member == member && (game == "" || q.Terms.Game == game) }
}

// candidate is a member in the queue who can play now, with the values that pairing depends on.
type candidate struct {
	entry     club.QueueEntry
	member    *club.Member
	rating    float64
	opponents []int64
	// pace is the median time in which the member answers; 0 if unknown.
	pace time.Duration
}

// acceptsPaceOf reports whether an opponent answers within the time that the member requires (WITHIN).
func (c *candidate) acceptsPaceOf(opponent *candidate) bool {
	within := c.entry.Terms.Within
	return within == 0 || opponent.pace > 0 && opponent.pace <= within
}

// pairQueue begins matches between members in the queue who want equal terms. It minimizes the sum of pairingCost.
func (s *pairingService) pairQueue(ctx context.Context, now time.Time) error {
	if isDue, err := s.isTimeToPair(ctx, now); err != nil || !isDue {
		return err
	}
	queue, err := s.store.Queue(ctx)
	if err != nil {
		return err
	}
	queue = slices.DeleteFunc(queue, func(q club.QueueEntry) bool { return q.RunningMatches >= q.MaxMatches })
	if len(queue) < 2 {
		return nil
	}
	needsPace := slices.ContainsFunc(queue, func(q club.QueueEntry) bool { return q.Terms.Within > 0 })
	groups := map[string][]candidate{}
	var order []string
	for _, q := range queue {
		key := q.Terms.Game + " " + q.Terms.Describe()
		if len(groups[key]) == maxPairingSize {
			continue
		}
		c, canPlay, err := s.loadCandidate(ctx, q, needsPace)
		if err != nil {
			return err
		}
		if canPlay {
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], c)
		}
	}
	var errs []error
	for _, key := range order {
		group := groups[key]
		cost := func(i, j int) int64 {
			if last := max(i, j); last == len(group) { // min(i, j) stays unpaired.
				return forbiddenCost - waitingDiscount*int64(min(i, j))
			}
			return pairingCost(&group[i], &group[j], now)
		}
		for i, j := range pairing.MinCostMatching(len(group)+len(group)%2, cost) {
			if i < j && j < len(group) && cost(i, j) < forbiddenCost {
				errs = append(errs, s.beginPair(ctx, &group[i], &group[j], now))
			}
		}
	}
	return errors.Join(errs...)
}

func (s *pairingService) isTimeToPair(ctx context.Context, now time.Time) (bool, error) {
	if ok, _ := s.lastQueueCheck.isOver(now, pairEvery); !ok {
		return false, nil
	}
	s.lastQueueCheck.restart(now)
	pairAll, last := s.lastPairing.isOver(now, pairAllEvery)
	if !pairAll {
		if hasNewMembers, err := s.store.HasQueuedSince(ctx, last); err != nil || !hasNewMembers {
			return false, err
		}
	}
	s.lastPairing.restart(now)
	return true, nil
}

func (s *pairingService) loadCandidate(ctx context.Context, q club.QueueEntry, needsPace bool) (c candidate, canPlay bool, err error) {
	c.entry = q
	if c.member, err = s.store.Member(ctx, q.Member); err != nil || c.member == nil || c.member.State != club.MemberActive {
		return c, false, err
	}
	if q.RunningMatches >= c.member.MaxMatches(s.club) {
		return c, false, nil
	}
	if c.rating, err = s.ratings.rating(ctx, q.Terms.Game, q.Member); err != nil {
		return c, false, err
	}
	if needsPace {
		answers, err := s.store.AnswerTimes(ctx, q.Member, club.MaxAnswerTimes)
		if err != nil {
			return c, false, err
		}
		if pace, ok := club.Pace(answers); ok {
			c.pace = max(pace, time.Minute)
		}
	}
	c.opponents, err = s.store.Opponents(ctx, q.Member)
	return c, true, err
}

// pairingCost returns the cost of a pair: the difference of their ratings, or forbiddenCost if they must not play
// each other. A large difference is allowed only after a long wait.
func pairingCost(a, b *candidate, now time.Time) int64 {
	if slices.Contains(a.opponents, b.entry.Member) || a.member.HasBlockWith(b.member) || !a.acceptsPaceOf(b) || !b.acceptsPaceOf(a) {
		return forbiddenCost
	}
	days := max(now.Sub(a.entry.Since), now.Sub(b.entry.Since)).Hours() / 24
	gap := math.Abs(a.rating - b.rating)
	if gap > maxRatingGap+ratingGapPerDay*days {
		return forbiddenCost
	}
	return int64(gap)
}

func (s *pairingService) beginPair(ctx context.Context, a, b *candidate, now time.Time) error {
	terms := a.entry.Terms
	terms.Within = 0
	o, err := s.starter.newOffer(ctx, now, terms, club.Party{Member: a.entry.Member, Words: a.entry.Words},
		club.Party{Member: b.entry.Member, Words: b.entry.Words})
	if err != nil {
		return err
	}
	m, err := s.starter.beginMatch(ctx, o, players{})
	if err != nil {
		return err
	}
	a.entry.Since, b.entry.Since = now, now
	// Storing the members checks their versions: if a member leaves the queue at the same time, Apply returns ErrConflict.
	err = s.replies.Store.Apply(ctx, exchange.Change{NewMatches: []exchange.NewMatch{m}, Club: &club.Change{
		Members: []*club.Member{a.member, b.member}, Offers: []*club.Offer{o}, QueueEntries: []club.QueueEntry{a.entry, b.entry}}})
	if errors.Is(err, match.ErrConflict) {
		return nil // The other member is paired later.
	}
	return err
}

// removeTimedOutFromQueue removes from the queue the members who have lost a match on time. Otherwise an absent
// member would be paired again and again.
func (s *pairingService) removeTimedOutFromQueue(ctx context.Context, m *match.Match) error {
	reason := "You have lost match " + m.ID + " on time"
	if m.State == match.Playing {
		reason = "You have run out of time in match " + m.ID + ", which goes on without you"
	}
	for _, seat := range findTimedOutSeats(m) {
		member, err := s.store.Member(ctx, m.Seats[seat].Player.ID)
		if err != nil {
			return err
		}
		if member == nil {
			continue
		}
		queued, err := s.store.QueueEntriesOf(ctx, member.ID)
		if err != nil {
			return err
		}
		timedOutAt := m.Seats[seat].Clock.LateFrom
		if len(queued) == 0 || m.State == match.Playing &&
			slices.ContainsFunc(queued, func(q club.QueueEntry) bool { return q.Since.After(timedOutAt) }) {
			continue // The member is not in the queue, or has joined it after the time-out.
		}
		ans := s.writer.newAnswer(member, exchange.Letter{})
		ans.removeFromQueue(member.ID, "")
		err = ans.notifyMember(ctx, member, "You are no longer being paired", templates.PlainLetter{Paragraphs: []string{
			reason + ", so we have taken you off the list of members who want to be paired. Your other matches go on.",
			"When you have time to play again, reply with PAIR ME and the name of the game."}},
			string(letter.PairMe)+" "+queued[0].Terms.Game)
		if err != nil {
			return err
		}
		if err := s.replies.Store.Apply(ctx, ans.pendingChange()); err != nil {
			return err
		}
	}
	return nil
}

// findTimedOutSeats returns the seats that have lost a match on time. It returns none once the end of the match is
// final.
func findTimedOutSeats(m *match.Match) (out []rules.Seat) {
	e := m.Ended
	if m.State == match.Over && (e == nil || m.IsPublished()) {
		return nil
	}
	for i := range m.Seats {
		resigned, ok := m.Resigned.Has(rules.Seat(i)), false
		switch {
		case m.State == match.Playing:
			ok = m.OnTimeout == clock.Forfeit && resigned && !m.Seats[i].Clock.LateFrom.IsZero()
		case m.State == match.Over && (e.Act.Kind == record.Forfeit || e.Act.Kind == record.Claim):
			ok = !resigned && !slices.Contains(e.Act.End.Winners, record.SeatName(m.Seats[i].Name))
		}
		if ok {
			out = append(out, rules.Seat(i))
		}
	}
	return out
}

type ratingCache struct {
	store         Store
	replies       conversation.Replies
	mu            sync.Mutex
	ratingsByGame map[string]gameRatings
}

type gameRatings struct {
	readAt   time.Time
	byMember map[int64]float64
}

// rating returns the rating of a member in a game. A member without results has the rating of a new player.
func (c *ratingCache) rating(ctx context.Context, game string, member int64) (float64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cached, now := c.ratingsByGame[game], c.replies.Now()
	if cached.byMember == nil || now.Sub(cached.readAt).Abs() >= ladderEvery {
		gameLadder, err := c.store.Ladder(ctx, game)
		if err != nil {
			return 0, err
		}
		cached = gameRatings{readAt: now, byMember: map[int64]float64{}}
		if gameLadder != nil {
			for _, line := range gameLadder.Lines {
				cached.byMember[line.Player] = line.Rating.Rating
			}
		}
		if c.ratingsByGame == nil {
			c.ratingsByGame = map[string]gameRatings{}
		}
		c.ratingsByGame[game] = cached
	}
	if r, ok := cached.byMember[member]; ok {
		return r, nil
	}
	return glicko.New.Rating, nil
}
