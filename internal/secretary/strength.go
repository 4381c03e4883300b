package secretary

import (
	"context"
	"sync"
	"time"

	"samizdat/adjudicator/club/glicko"
)

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
