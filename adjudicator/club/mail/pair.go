package clubmail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/glicko"
	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

const (
	// pairEvery is how often those who wait are paired while others come, and pairAllEvery while
	// nobody does: a match of theirs may have ended, or they accept more distant ratings.
	pairEvery, pairAllEvery = time.Minute, 10 * time.Minute
	// atOnce is how many are paired at a time at most; others follow.
	atOnce = 200
	// near is by how much ratings of a pair may differ, and nearer by how much more for each
	// day that one of the two waits: who waits long enough plays anybody.
	near, nearer = 200, 100
	// never is the cost of a pair that is not made.
	never = 1 << 30
)

// pairMe lets the writer wait until he is paired.
func (a *answer) pairMe(_ context.Context, l letter.Line) error {
	w := l.Command.Wanted
	q := club.Queued{Member: a.member.ID, Terms: w.Terms, Most: max(1, w.Most), Since: a.s.now(), Words: a.party("").Words}
	if most := a.member.Most(a.s.Club); q.Most > most {
		a.line(l.Text, refused, fmt.Sprintf("You may play %d matches at once. Write UP TO %d at most.", most, most))
		return nil
	}
	a.change.Queued = append(a.change.Queued, q)
	a.did = true
	many := "while you play no other"
	if q.Most > 1 {
		many = fmt.Sprintf("for up to %d matches at once", q.Most)
	}
	a.line(l.Text, done, fmt.Sprintf("You are paired with others who want that too, %s, until you write UNPAIR. "+
		"A match begins with its own letter.", many))
	return nil
}

// unpair lets the writer wait no more.
func (a *answer) unpair(ctx context.Context, l letter.Line) error {
	game := l.Command.Wanted.Terms.Game
	all, err := a.s.Store.QueuedOf(ctx, a.member.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(append(all, a.change.Queued...), func(q club.Queued) bool { return q.Member == a.member.ID && (game == "" || q.Terms.Game == game) }) {
		a.line(l.Text, refused, "You do not wait to be paired.")
		return nil
	}
	a.unqueue(a.member.ID, game)
	a.did = true
	a.line(l.Text, done, "You are not paired any more. Matches that have begun go on.")
	return nil
}

// waits is somebody in the queue, with what pairing him needs.
type waits struct {
	club.Queued
	member *club.Member
	rating float64
	// with are those whom he plays already.
	with []int64
}

// pair pairs those who wait.
func (s *Secretary) pair(ctx context.Context, now time.Time) error {
	if may, err := s.mayPairNow(ctx, now); err != nil || !may {
		return err
	}
	all, err := s.Store.Queue(ctx)
	if err != nil {
		return err
	}
	// Most who wait play as many as they want.
	all = slices.DeleteFunc(all, func(q club.Queued) bool { return q.Running >= q.Most })
	if len(all) < 2 {
		return nil
	}
	groups := map[string][]waits{}
	var order []string
	for _, q := range all {
		key := q.Terms.Game + " " + q.Terms.Words()
		if len(groups[key]) == atOnce {
			continue
		}
		w, may, err := s.mayPair(ctx, q)
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
		g = g[:len(g)&^1] // Of an odd number the last waits on.
		for i, j := range pairing.MinCostMatching(len(g), func(i, j int) int64 { return cost(&g[i], &g[j], now) }) {
			if i < j && cost(&g[i], &g[j], now) < never {
				failed = append(failed, s.pairs(ctx, &g[i], &g[j], now))
			}
		}
	}
	return errors.Join(failed...)
}

// mayPairNow reports whether it is time to pair those who wait.
func (s *Secretary) mayPairNow(ctx context.Context, now time.Time) (bool, error) {
	if is, _ := s.paired.due(now, pairEvery); !is {
		return false, nil
	}
	s.paired.done(now)
	all, last := s.pairedAll.due(now, pairAllEvery)
	if !all {
		if others, err := s.Store.QueuedSince(ctx, last); err != nil || !others {
			return false, err
		}
	}
	s.pairedAll.done(now)
	return true, nil
}

// mayPair reports whether somebody who waits can play another match now.
func (s *Secretary) mayPair(ctx context.Context, q club.Queued) (w waits, may bool, err error) {
	w.Queued = q
	if w.member, err = s.Store.Member(ctx, q.Member); err != nil || w.member == nil || w.member.State != club.Active {
		return w, false, err
	}
	if q.Running >= w.member.Most(s.Club) {
		return w, false, nil
	}
	if w.rating, err = s.rating(ctx, q.Terms.Game, q.Member); err != nil {
		return w, false, err
	}
	w.with, err = s.Store.Opponents(ctx, q.Member)
	return w, true, err
}

// cost is how bad a pair is: by the difference in strength, and by how long both have waited.
func cost(a, b *waits, now time.Time) int64 {
	if slices.Contains(a.with, b.Member) || a.member.Blocks(b.member) {
		return never
	}
	days := max(now.Sub(a.Since), now.Sub(b.Since)).Hours() / 24
	far := a.rating - b.rating
	if far < 0 {
		far = -far
	}
	if far > near+nearer*days {
		return never
	}
	return int64(far)
}

// pairs begins a match of two who wait.
func (s *Secretary) pairs(ctx context.Context, a, b *waits, now time.Time) error {
	id, err := s.Store.NextOffer(ctx)
	if err != nil {
		return err
	}
	secret, err := record.NewSecret(s.Adjudicator.Random)
	if err != nil {
		return err
	}
	o := &club.Offer{ID: id, Terms: a.Terms, Created: now, Expires: now, Secret: secret.Bytes(), Parties: []club.Party{{Member: a.Member, Words: a.Words}, {Member: b.Member, Words: b.Words}}}
	m, err := s.begin(ctx, o, players{})
	if err != nil {
		return err
	}
	a.Since, b.Since = now, now
	// Their versions show whether one has written meanwhile that he wants no more.
	err = s.Adjudicator.Store.Apply(ctx, exchange.Change{Begun: []exchange.Beginning{m}, Club: &club.Change{
		Members: []*club.Member{a.member, b.member}, Offers: []*club.Offer{o}, Queued: []club.Queued{a.Queued, b.Queued}}})
	if errors.Is(err, match.ErrConflict) {
		return nil // He is paired the next time.
	}
	return err
}

// strengths are the ratings of a game's players, as the ladder had them a little while ago.
type strengths struct {
	mu    sync.Mutex
	games map[string]strengthsOf
}

type strengthsOf struct {
	read time.Time
	of   map[int64]float64
}

// rating is how strong a member is in a game: of somebody who is on no ladder yet it is a
// newcomer's.
func (s *Secretary) rating(ctx context.Context, game string, member int64) (float64, error) {
	s.strengths.mu.Lock()
	defer s.strengths.mu.Unlock()
	known, now := s.strengths.games[game], s.now()
	if known.of == nil || now.Sub(known.read).Abs() >= ladderEvery {
		l, err := s.Store.Ladder(ctx, game)
		if err != nil {
			return 0, err
		}
		known = strengthsOf{read: now, of: map[int64]float64{}}
		if l != nil {
			for _, x := range l.Lines {
				known.of[x.Player] = x.Rating.Rating
			}
		}
		if s.strengths.games == nil {
			s.strengths.games = map[string]strengthsOf{}
		}
		s.strengths.games[game] = known
	}
	if r, ok := known.of[member]; ok {
		return r, nil
	}
	return glicko.New.Rating, nil
}

// letRest lets those wait no more to be paired who have lost a match on time: who does not answer
// would begin one match after another that nobody plays.
func (s *Secretary) letRest(ctx context.Context, m *match.Match) error {
	lost := "You have lost match " + m.ID + " on time"
	if m.State == match.Playing {
		lost = "You have run out of time in match " + m.ID + ", which goes on without you"
	}
	for _, seat := range outOfTime(m) {
		member, err := s.Store.Member(ctx, m.Seats[seat].Player.ID)
		if err != nil {
			return err
		}
		if member == nil {
			continue
		}
		waits, err := s.Store.QueuedOf(ctx, member.ID)
		if err != nil {
			return err
		}
		over := m.Seats[seat].Clock.OverAt
		if len(waits) == 0 || m.State == match.Playing && slices.ContainsFunc(waits, func(q club.Queued) bool { return q.Since.After(over) }) {
			continue // He has no wish to be paired, or has had it since.
		}
		a := s.answer(member, exchange.Letter{})
		a.unqueue(member.ID, "")
		err = a.tell(ctx, member, "you are not paired any more", templates.Note{Says: []string{
			lost + ", so you do not wait to be paired any more. Your other matches go on.",
			"When you have time to play again, reply with PAIR ME and the name of the game."}}, string(letter.PairMe)+" "+waits[0].Terms.Game)
		if err != nil {
			return err
		}
		if err := s.Adjudicator.Store.Apply(ctx, exchange.Change{Letters: a.letters, Club: &a.change}); err != nil {
			return err
		}
	}
	return nil
}

// outOfTime are the seats that have lost a match on time while its end is not final yet, or while
// the others play on.
func outOfTime(m *match.Match) (out []rules.Seat) {
	e := m.Acts.Ended
	if m.State == match.Over && (e == nil || m.Published()) {
		return nil
	}
	for i := range m.Seats {
		resigned, is := m.Acts.Resigned.Has(rules.Seat(i)), false
		switch {
		case m.State == match.Playing:
			is = m.Zero == clock.Forfeit && resigned && !m.Seats[i].Clock.OverAt.IsZero()
		case m.State == match.Over && (e.Act.Kind == record.Forfeit || e.Act.Kind == record.Claim):
			is = !resigned && !slices.Contains(e.Act.End.Winners, record.SeatName(m.Seats[i].Name))
		}
		if is {
			out = append(out, rules.Seat(i))
		}
	}
	return out
}
