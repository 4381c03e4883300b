package secretary

import (
	"context"
	"errors"
	"slices"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/match/record"
)

// report takes in the results of the matches that have been counted.
func (s *Secretary) report(ctx context.Context, t *club.Tournament) error {
	for _, round := range t.Life.Rounds {
		for _, m := range round.Meetings {
			if m.Match == "" {
				continue
			}
			points, err := s.pointsOf(ctx, m.Match)
			if err != nil {
				return err
			}
			if (points != nil) != m.Done || points != nil && *points != m.Points {
				t.Life.Report(m.Match, points)
			}
		}
	}
	return nil
}

// pointsOf are the half points of a match's seats; nil while it goes on. A match that was called off
// is lost by whoever did not want it; one that counts for nobody is a draw.
func (s *Secretary) pointsOf(ctx context.Context, match string) (*[2]int, error) {
	r, err := s.Store.Result(ctx, match)
	if err != nil {
		return nil, err
	}
	points := [2]int{1, 1}
	if r == nil {
		m, err := s.Adjudicator.Store.Match(ctx, match)
		if err != nil || m.State != adjudicator.CalledOff && !m.Published() {
			return nil, err
		}
		if lost := m.AtFault(); lost != 0 {
			points = [2]int{tournament.Points(!lost.Has(0)), tournament.Points(!lost.Has(1))}
		}
		return &points, nil
	}
	if !r.Drawn && r.Annulled == "" {
		points = [2]int{tournament.Points(r.Seats[0].Won), tournament.Points(r.Seats[1].Won)}
	}
	return &points, nil
}

// next takes a tournament on as far as it goes.
func (s *Secretary) next(ctx context.Context, t *club.Tournament) (changed bool, err error) {
	changed = t.Life.Next(func(p int64) bool {
		played, e := s.played(ctx, t.Life, p)
		err = errors.Join(err, e)
		return played
	})
	return changed, err
}

// played reports whether a player has taken part in a tournament: he has sent an order in a match, or
// has joined one with sealed words, or has matches and has lost none of them: others gave them up
// before anything was asked of him.
func (s *Secretary) played(ctx context.Context, life *tournament.Tournament, p int64) (bool, error) {
	matches, lost := 0, 0
	for _, r := range life.Rounds {
		for _, meeting := range r.Meetings {
			seat := slices.Index([]int64{meeting.First, meeting.Second}, p)
			if seat < 0 || meeting.Match == "" {
				continue
			}
			if matches++; meeting.Points[seat] == 0 {
				lost++
			}
			m, err := s.Adjudicator.Store.Match(ctx, meeting.Match)
			if err != nil {
				return false, err
			}
			if m.SealedWords && m.Seats[seat].Joined {
				return true, nil
			}
			entries, err := s.Adjudicator.Store.History(ctx, m.ID)
			if err != nil {
				return false, err
			}
			if presence := record.PresenceIn(entries); presence.Sent(record.SeatName(m.Seats[seat].Name)) > 0 {
				return true, nil
			}
		}
	}
	return matches > 0 && lost == 0, nil
}
