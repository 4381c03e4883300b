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
	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Results reads results and ladders from the store.
type Results interface {
	// Fault reports whether the database has caused an error, and the reason in words.
	Fault(err error) (reason string, ok bool)
	// UnexaminedMatches lists matches that have ended since the last examination, or go on after the director's UNDO.
	UnexaminedMatches(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Result returns nil if the match has no result. ResultsOf lists the newest results of a player, NewestResults those
	// of all players.
	Result(ctx context.Context, match string) (*club.Result, error)
	Results(ctx context.Context, game string) ([]club.Result, error)
	ResultsOf(ctx context.Context, player int64, limit int) ([]club.Result, error)
	NewestResults(ctx context.Context, limit int) ([]club.Result, error)
	// Ladder returns nil if none is stored. StaleLadders lists the games with results that have changed since the ladder
	// was computed, and the games with a ladder from before periodStart, the start of the current rating period.
	Ladder(ctx context.Context, game string) (*club.Ladder, error)
	StaleLadders(ctx context.Context, periodStart time.Time) ([]string, error)
	// UncountedUsage lists finished matches that are not yet in the statistics (STATS).
	UncountedUsage(ctx context.Context, limit int) ([]club.MatchUsage, error)
	UsageTotals(ctx context.Context, game string) (*usage.Totals, error)
	// OfferOf returns nil if the match did not come from an offer.
	OfferOf(ctx context.Context, match string) (*club.Offer, error)
}

// ladderService finds the results of ended matches, computes the ladders, and answers LADDER, RATING and RESULTS.
type ladderService struct {
	store   Store
	replies conversation.Replies
	games   rules.Games
	pairer  *pairingService
}

const (
	// maxExamined is the maximum number of matches that are examined before other tasks run.
	maxExamined = 100
	// retryDelay is the delay before a failed item of a task (e.g. a match) is retried. During the delay the other
	// items go on.
	retryDelay = time.Hour
	// ladderEvery is the minimum time between two computations of a ladder.
	ladderEvery = 10 * time.Minute
	// maxLadderLines limits the lines of a ladder in a letter; the reader's own line is added. maxListedResults
	// limits the results.
	maxLadderLines, maxListedResults = 30, 20
)

// examineMatches stores the results of matches that have ended, and removes the results of matches that go on
// after the director's UNDO.
func (s *ladderService) examineMatches(ctx context.Context, now time.Time) error {
	ids, err := s.store.UnexaminedMatches(ctx, now, maxExamined)
	var errs []error
	for _, id := range ids {
		m, examined, err := s.examineMatch(ctx, id)
		if err == nil {
			err = s.pairer.removeTimedOutFromQueue(ctx, m)
		}
		if err == nil {
			err = s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{ExaminedMatches: []club.ExaminedMatch{examined}}})
		}
		if err != nil && !errors.Is(err, match.ErrConflict) {
			errs = append(errs, fmt.Errorf("examine match %s: %w", id, err))
			if _, fault := s.store.Fault(err); fault || ctx.Err() != nil {
				break // The daemon is stopping, or the database has failed.
			}
			postponed := club.ExaminedMatch{Match: id, NextCheck: now.Add(retryDelay)}
			if err := s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{ExaminedMatches: []club.ExaminedMatch{postponed}}}); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(append(errs, err)...)
}

// examineMatch loads a match and determines its result. While the end of the match is provisional, there is no
// result.
func (s *ladderService) examineMatch(ctx context.Context, id string) (m *match.Match, examined club.ExaminedMatch, err error) {
	m, err = s.replies.Store.Match(ctx, id)
	if err != nil {
		return nil, examined, err
	}
	examined = club.ExaminedMatch{Match: id, Version: m.Version}
	if e := m.Ended; m.State == match.Over && !m.IsPublished() {
		examined.NextCheck = e.Final
		return m, examined, nil
	}
	if m.State != match.Over || m.Summary == nil {
		return m, examined, nil
	}
	result, isOver := m.Summary.Result()
	if e := m.Ended; e != nil && e.Act.Kind.BreaksOff() || !isOver && e == nil {
		return m, examined, nil
	}
	if examined.Result, err = s.newResult(m, result); err != nil {
		return nil, examined, err
	}
	if examined.Result.UnratedReason == "" {
		examined.Result.UnratedReason, err = s.explainUnrated(ctx, m)
	}
	return m, examined, err
}

func (s *ladderService) newResult(m *match.Match, result rules.Result) (*club.Result, error) {
	r := &club.Result{Match: m.ID, Game: m.Game, Ended: m.Summary.Ended, How: result.Reason, Drawn: result.Winners == 0 && !result.AllLost}
	g, err := s.games.Find(m.Game)
	if err != nil {
		return nil, err
	}
	pos, err := m.CurrentPosition(g)
	if err != nil {
		return nil, err
	}
	order := g.SeatNames(rules.Setup{Seats: len(m.Seats), Revision: g.Revision()})
	for i, name := range resultSeatNames(g, m, pos) {
		r.Seats = append(r.Seats, club.ResultSeat{Player: m.Seats[i].Player.ID, Name: name,
			Won: (result.Winners &^ m.Absent).Has(rules.Seat(i))})
	}
	// A ladder counts results by seat. Therefore the seats of a match with bidding are sorted as in a match without bidding.
	slices.SortStableFunc(r.Seats, func(a, b club.ResultSeat) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return r, nil
}

// resultSeatNames returns the names of seats in results. In a match with bidding these are the names of the sides that the
// seats got.
func resultSeatNames(game *rules.Game, m *match.Match, pos rules.Position) (names []string) {
	order := game.SeatNames(rules.Setup{Seats: len(m.Seats), Revision: game.Revision()})
	for i := range m.Seats {
		name := m.Seats[i].Name
		if game.Role != nil && pos != nil && !slices.Contains(order, name) {
			name = strings.ToLower(strings.TrimPrefix(game.Role(pos.View(rules.Seat(i))), "the "))
		}
		names = append(names, name)
	}
	return names
}

const robotPlayedReason = "a robot played for a player"

func (s *ladderService) explainUnrated(ctx context.Context, m *match.Match) (string, error) {
	players := map[int64]bool{}
	for i := range m.Seats {
		p := m.Seats[i].Player.ID
		if m.Seats[i].Robot != "" {
			return robotPlayedReason, nil
		}
		if players[p] {
			return "one player had several seats", nil
		}
		players[p] = true
		member, err := s.store.Member(ctx, p)
		if err != nil {
			return "", err
		}
		if member == nil {
			return "not all were members", nil
		}
	}
	o, err := s.store.OfferOf(ctx, m.ID)
	switch {
	case err != nil:
		return "", err
	case o != nil && o.Terms.Unrated:
		return "as agreed", nil
	}
	entries, err := s.replies.Store.History(ctx, m.ID)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(entries, func(e record.Entry) bool { _, ok := match.RobotOf(&e); return ok }) {
		return robotPlayedReason, nil
	}
	presence := record.CountPresence(entries)
	for i := range m.Seats {
		if presence.OrdersSent(record.SeatName(m.Seats[i].Name)) == 0 {
			return "not all players had sent an order", nil
		}
	}
	return "", nil
}

// computeStaleLadders computes the ladders after a change of results, and after the end of a rating period. It
// computes a ladder at most once per ladderEvery.
func (s *ladderService) computeStaleLadders(ctx context.Context, now time.Time) error {
	return s.computeLadders(ctx, now, ladderEvery)
}

// computeLadders computes stale ladders again, if their last computation is at least minAge ago.
func (s *ladderService) computeLadders(ctx context.Context, now time.Time, minAge time.Duration) error {
	games, err := s.store.StaleLadders(ctx, ladder.PeriodOf(now).Start())
	var errs []error
	for _, game := range games {
		before, err := s.store.Ladder(ctx, game)
		if err == nil && before != nil && now.Sub(before.ComputedAt) < minAge && !now.Before(before.ComputedAt) {
			continue
		}
		var gameLadder club.Ladder
		if err == nil {
			gameLadder, err = s.computeLadder(ctx, game, now)
		}
		if before != nil {
			gameLadder.StaleChanges = before.StaleChanges
		}
		if err == nil {
			err = s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Ladders: []club.Ladder{gameLadder}}})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("compute the ladder of %s: %w", game, err))
		}
	}
	return errors.Join(append(errs, err)...)
}

func (s *ladderService) examineAllMatches(ctx context.Context, now time.Time) error {
	for {
		ids, err := s.store.UnexaminedMatches(ctx, now, 1)
		if err != nil || len(ids) == 0 {
			return errors.Join(err, s.computeLadders(ctx, now, 0))
		}
		if err := s.examineMatches(ctx, now); err != nil {
			return err
		}
	}
}

func (s *ladderService) computeLadder(ctx context.Context, game string, now time.Time) (club.Ladder, error) {
	results, err := s.store.Results(ctx, game)
	if err != nil {
		return club.Ladder{}, err
	}
	return club.ComputeLadder(game, now, results), nil
}

func (s *ladderService) setAnnulled(ctx context.Context, match, author, reason string, annulled bool) (*club.Change, error) {
	r, err := s.store.Result(ctx, match)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("match %s has no result that could be annulled", match)}
	case annulled == (r.AnnulmentReason != ""):
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("the result of match %s is %s already", match,
			map[bool]string{true: "annulled", false: "valid"}[annulled])}
	}
	c := club.Change{Annulments: []club.Annulment{{Match: match}},
		Log: []club.LogEntry{{At: s.replies.Now(), By: author, Act: club.ResultOfMatch + match + " counts again", Reason: reason}}}
	if annulled {
		c.Annulments[0].Reason, c.Log[0].Act = reason, club.ResultOfMatch+match+" is annulled"
	}
	return &c, nil
}
