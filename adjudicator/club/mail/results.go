package clubmail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Results is what the secretary needs of the store for results and ladders.
type Results interface {
	// Fault tells whether the database is to blame for an error: what was being done has not failed for a
	// reason of its own.
	Fault(err error) (reason string, is bool)
	// Uncounted lists matches that have ended, or go on again, since it was looked at their end,
	// and that are to be looked at by now.
	Uncounted(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Result reads the result of a match; nil where there is none. Results lists those of a
	// game, ResultsOf the newest of a player, NewestResults those of all.
	Result(ctx context.Context, match string) (*club.Result, error)
	Results(ctx context.Context, game string) ([]club.Result, error)
	ResultsOf(ctx context.Context, player int64, limit int) ([]club.Result, error)
	NewestResults(ctx context.Context, limit int) ([]club.Result, error)
	// Ladder reads the ladder of a game as it was computed last; nil where it never was.
	// StaleLadders lists the games whose results have changed since, or whose ladders were made
	// before a time.
	Ladder(ctx context.Context, game string) (*club.Ladder, error)
	StaleLadders(ctx context.Context, period time.Time) ([]string, error)
	// OfferOf reads the offer that has become a match; nil where it has come of none.
	OfferOf(ctx context.Context, match string) (*club.Offer, error)
}

// mostCounted is how many matches are counted before other duties have their turn.
const mostCounted = 100

// againAfter is when something is tried again that has failed, so that it holds up nothing else.
const againAfter = time.Hour

// ladderEvery is how long a ladder stands at least, though results come.
const ladderEvery = 10 * time.Minute

// countResults counts the matches that have ended, and takes back those that go on again.
func (s *Secretary) countResults(ctx context.Context, now time.Time) error {
	ids, err := s.Store.Uncounted(ctx, now, mostCounted)
	var all []error
	for _, id := range ids {
		m, n, err := s.count(ctx, id)
		if err == nil {
			err = s.letRest(ctx, m)
		}
		if err == nil {
			err = s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Counted: []club.Counted{n}}})
		}
		if err != nil && !errors.Is(err, match.ErrConflict) {
			all = append(all, fmt.Errorf("count match %s: %w", id, err))
			if _, fault := s.Store.Fault(err); fault || ctx.Err() != nil {
				break // It is the daemon that stops, or the database.
			}
			// Others are counted meanwhile.
			later := club.Counted{Match: id, Again: now.Add(againAfter)}
			if err := s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Counted: []club.Counted{later}}}); err != nil {
				all = append(all, err)
			}
		}
	}
	return errors.Join(append(all, err)...)
}

// count looks at the end of a match.
func (s *Secretary) count(ctx context.Context, id string) (m *match.Match, n club.Counted, err error) {
	m, err = s.Adjudicator.Store.Match(ctx, id)
	if err != nil {
		return nil, n, err
	}
	n = club.Counted{Match: id, Version: m.Version}
	if e := m.Acts.Ended; m.State == match.Over && !m.Published() {
		n.Again = e.Final
		return m, n, nil
	}
	if m.State != match.Over || m.Summary == nil {
		return m, n, nil
	}
	how, over := m.Summary.Result()
	if e := m.Acts.Ended; e != nil && e.Act.Kind.BreaksOff() || !over && e == nil {
		return m, n, nil
	}
	if n.Result, err = s.resultOf(m, how); err != nil {
		return nil, n, err
	}
	if n.Result.Unrated == "" {
		n.Result.Unrated, err = s.unrated(ctx, m)
	}
	return m, n, err
}

// resultOf is the result of a match that is over.
func (s *Secretary) resultOf(m *match.Match, how rules.Result) (*club.Result, error) {
	r := &club.Result{Match: m.ID, Game: m.Game, Ended: m.Summary.Ended, How: how.Reason, Drawn: how.Winners == 0 && !how.Lost}
	g, err := rules.Games(s.Adjudicator.Games).Find(m.Game)
	if err != nil {
		return nil, err
	}
	pos, err := m.At(g)
	if err != nil {
		return nil, err
	}
	order := g.SeatNames(rules.Setup{Seats: len(m.Seats), Revision: g.Revision()})
	for i := range m.Seats {
		name := m.Seats[i].Name
		if g.Role != nil && pos != nil && !slices.Contains(order, name) {
			name = strings.ToLower(strings.TrimPrefix(g.Role(pos.View(rules.Seat(i))), "the "))
		}
		r.Seats = append(r.Seats, club.ResultSeat{Player: m.Seats[i].Player.ID, Name: name, Won: (how.Winners &^ m.Acts.Left).Has(rules.Seat(i))})
	}
	// Where sides were bid for, the seats stand as in a match without: a ladder counts by them.
	slices.SortStableFunc(r.Seats, func(a, b club.ResultSeat) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return r, nil
}

// unrated says why a match does not count for the ladder; empty where it does.
func (s *Secretary) unrated(ctx context.Context, m *match.Match) (string, error) {
	players := map[int64]bool{}
	for i := range m.Seats {
		p := m.Seats[i].Player.ID
		if players[p] {
			return "one player had several seats", nil
		}
		players[p] = true
		is, err := s.Store.Member(ctx, p)
		if err != nil {
			return "", err
		}
		if is == nil {
			return "not all were members", nil
		}
	}
	o, err := s.Store.OfferOf(ctx, m.ID)
	switch {
	case err != nil:
		return "", err
	case o != nil && o.Terms.Unrated:
		return "so it was agreed", nil
	}
	entries, err := s.Adjudicator.Store.History(ctx, m.ID)
	if err != nil {
		return "", err
	}
	presence := record.PresenceIn(entries)
	for i := range m.Seats {
		if presence.OrdersSent(record.SeatName(m.Seats[i].Name)) == 0 {
			return "not all players had sent an order", nil
		}
	}
	return "", nil
}

// computeLadders computes the ladders whose results have changed, or for which a new period has
// begun, but for those that have just been computed.
func (s *Secretary) computeLadders(ctx context.Context, now time.Time) error {
	return s.laddersOlder(ctx, now, ladderEvery)
}

// laddersOlder computes those of them that are so old.
func (s *Secretary) laddersOlder(ctx context.Context, now time.Time, age time.Duration) error {
	games, err := s.Store.StaleLadders(ctx, ladder.PeriodOf(now).Start())
	var all []error
	for _, game := range games {
		was, err := s.Store.Ladder(ctx, game)
		if err == nil && was != nil && now.Sub(was.Made) < age && !now.Before(was.Made) {
			continue
		}
		var l club.Ladder
		if err == nil {
			l, err = s.LadderOf(ctx, game, now)
		}
		if was != nil {
			l.Stale = was.Stale
		}
		if err == nil {
			err = s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Ladders: []club.Ladder{l}}})
		}
		if err != nil {
			all = append(all, fmt.Errorf("compute the ladder of %s: %w", game, err))
		}
	}
	return errors.Join(append(all, err)...)
}

// CountAll counts all matches that wait for it, and computes the ladders that have changed.
func (s *Secretary) CountAll(ctx context.Context, now time.Time) error {
	for {
		ids, err := s.Store.Uncounted(ctx, now, 1)
		if err != nil || len(ids) == 0 {
			return errors.Join(err, s.laddersOlder(ctx, now, 0))
		}
		if err := s.countResults(ctx, now); err != nil {
			return err
		}
	}
}

// PlayerNames are what the players of a ladder are called.
func (s *Secretary) PlayerNames(ctx context.Context, l club.Ladder) (map[int64]string, error) {
	r := club.Result{}
	for _, x := range l.Lines {
		r.Seats = append(r.Seats, club.ResultSeat{Player: x.Player})
	}
	return s.names(ctx, []club.Result{r})
}

// LadderOf computes the ladder of a game from its results.
func (s *Secretary) LadderOf(ctx context.Context, game string, now time.Time) (club.Ladder, error) {
	results, err := s.Store.Results(ctx, game)
	if err != nil {
		return club.Ladder{}, err
	}
	return club.LadderOf(game, now, results), nil
}

// Annul takes a result from the ladder for a reason, or puts it back where annul is false. The
// log of the club says it.
func (s *Secretary) Annul(ctx context.Context, match, by, why string, annul bool) error {
	c, err := s.annuls(ctx, match, by, why, annul)
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: c})
}

// resultOfMatch begins what the log says of a result.
const resultOfMatch = "the result of match "

// annuls is what annulling a result changes.
func (s *Secretary) annuls(ctx context.Context, match, by, why string, annul bool) (*club.Change, error) {
	r, err := s.Store.Result(ctx, match)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, &adjudicator.Undirected{Why: fmt.Sprintf("match %s has no result that could be annulled", match)}
	case annul == (r.Annulled != ""):
		return nil, &adjudicator.Undirected{Why: fmt.Sprintf("the result of match %s is so already", match)}
	}
	c := club.Change{Annulled: []club.Annulled{{Match: match}}, Log: []club.LogEntry{{At: s.now(), By: by, Act: resultOfMatch + match + " counts again", Why: why}}}
	if annul {
		c.Annulled[0].Why, c.Log[0].Act = why, resultOfMatch+match+" is annulled"
	}
	return &c, nil
}

// MemberNamed finds a member by his name.
func (s *Secretary) MemberNamed(ctx context.Context, name string) (*club.Member, error) {
	_, skeleton, err := club.Called(name, nil)
	if err != nil {
		return nil, err
	}
	m, err := s.Store.MemberLike(ctx, skeleton)
	if err == nil && m == nil {
		err = fmt.Errorf("no member is called %s", name)
	}
	return m, err
}

// names are what players are called: members by their names, others are not named.
func (s *Secretary) names(ctx context.Context, results []club.Result) (map[int64]string, error) {
	names := map[int64]string{}
	for _, r := range results {
		for _, seat := range r.Seats {
			if _, known := names[seat.Player]; known {
				continue
			}
			m, err := s.Store.Member(ctx, seat.Player)
			if err != nil {
				return nil, err
			}
			names[seat.Player] = "somebody"
			if m != nil {
				names[seat.Player] = m.Name
			}
		}
	}
	return names, nil
}

// side is a seat of a result as letters call it: in the game's words where it has some.
func (s *Secretary) side(r *club.Result, name string) string {
	g, err := rules.Games(s.Adjudicator.Games).Find(r.Game)
	if err != nil {
		return name
	}
	setup := rules.Setup{Seats: len(r.Seats), Revision: g.Revision()}
	i := slices.Index(g.SeatNames(setup), name)
	if i < 0 {
		return name
	}
	return strings.TrimPrefix(match.RoleBefore(g, setup, rules.Seat(i), name), "the ")
}

// resultRow is a result in a table.
func (s *Secretary) resultRow(r *club.Result, names map[int64]string) []string {
	var who []string
	for _, seat := range r.Seats {
		text := names[seat.Player] + " (" + s.side(r, seat.Name) + ")"
		if seat.Won {
			text += " won"
		}
		who = append(who, text)
	}
	how := r.How
	switch {
	case r.Annulled != "":
		how += "; annulled: " + r.Annulled
	case r.Unrated != "":
		how += "; not rated: " + r.Unrated
	}
	players := who[0]
	for _, w := range who[1:] {
		players += " v. " + w
	}
	if r.Drawn {
		players += ": a draw"
	}
	return []string{r.Ended.UTC().Format("2006-01-02"), r.Match, r.Game + ", " + players + ": " + how}
}

// gamesPlayed are the games that have a ladder, in the order of the referee's games.
func (s *Secretary) gamesPlayed(ctx context.Context) (out []*club.Ladder, err error) {
	for _, g := range s.Adjudicator.Games {
		l, err := s.Store.Ladder(ctx, g.Name())
		if err != nil {
			return nil, err
		}
		if l != nil && len(l.Lines) > 0 {
			out = append(out, l)
		}
	}
	return slices.Clip(out), nil
}
