package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"samizdat/adjudicator/club/pairing"
)

// Table returns the table of all entrants, best first. In a knock-out it shows the rounds reached; players who left
// in the same round share a place.
func (t *Tournament) Table() []pairing.Standing {
	if t.Terms.Kind == KnockOut {
		return t.bracketTable()
	}
	players := make([]pairing.ID, 0, len(t.Entrants))
	var games []pairing.Game
	for _, e := range t.Entrants {
		players = append(players, e.Player)
		for range e.Missed {
			games = append(games, pairing.Game{Pair: pairing.Pair{First: e.Player}, Points: [2]int{1, 0}})
		}
	}
	slices.SortFunc(players, func(a, b pairing.ID) int { return cmp.Compare(t.seed(a), t.seed(b)) })
	for _, r := range t.Rounds {
		for _, p := range r.Byes {
			if t.Terms.Kind == Swiss {
				games = append(games, pairing.Game{Pair: pairing.Pair{First: p}, Points: [2]int{2, 0}})
			}
		}
		for _, m := range r.Meetings {
			if m.Done {
				games = append(games, pairing.Game{Pair: m.Pair, Points: m.Points})
			}
		}
	}
	by := pairing.SwissTieBreaks
	if t.Terms.Kind == RoundRobin {
		by = pairing.RoundRobinTieBreaks
	}
	return pairing.Table(players, games, by)
}

func (t *Tournament) bracketTable() (out []pairing.Standing) {
	rounds := map[pairing.ID]int{}
	points, played := map[pairing.ID]int{}, map[pairing.ID]int{}
	for r, round := range t.Rounds {
		for _, p := range round.Byes {
			rounds[p] = r
		}
		for _, m := range round.Meetings {
			for i, p := range []pairing.ID{m.First, m.Second} {
				rounds[p] = r
				if m.Done && !m.Unplayed {
					played[p]++
				}
				points[p] += m.Points[i]
			}
		}
	}
	for _, p := range t.Winners {
		rounds[p]++
	}
	for _, e := range t.Entrants {
		out = append(out, pairing.Standing{ID: e.Player, Points: points[e.Player], Played: played[e.Player]})
	}
	slices.SortStableFunc(out, func(a, b pairing.Standing) int {
		return cmp.Or(cmp.Compare(rounds[b.ID], rounds[a.ID]), cmp.Compare(t.seed(a.ID), t.seed(b.ID)))
	})
	for i := range out {
		out[i].Place = i + 1
		if i > 0 && rounds[out[i].ID] == rounds[out[i-1].ID] {
			out[i].Place = out[i-1].Place
		}
	}
	return out
}

// Swap carries out a correction by the director: two players of the newest round, one of them perhaps with a bye,
// swap their places. It returns the started matches of the changed meetings, which must be called off.
func (t *Tournament) Swap(a, b pairing.ID) (matches []string, err error) {
	if t.State != Running || t.Terms.Kind != Swiss {
		return nil, fmt.Errorf("pairings of a %s tournament that is %s cannot be corrected", t.Terms.Kind, t.State)
	}
	r := &t.Rounds[len(t.Rounds)-1]
	if in := t.places(r); !in[a] || !in[b] || a == b {
		return nil, fmt.Errorf("both have to be in round %d", len(t.Rounds))
	}
	swapped := func(p pairing.ID) pairing.ID {
		switch p {
		case a:
			return b
		case b:
			return a
		}
		return p
	}
	for i := range r.Meetings {
		m := &r.Meetings[i]
		next := pairing.Pair{First: swapped(m.First), Second: swapped(m.Second)}
		if next == m.Pair {
			continue
		}
		if m.Done {
			return nil, fmt.Errorf("meeting %d of round %d is over", i+1, len(t.Rounds))
		}
	}
	for i := range r.Meetings {
		m := &r.Meetings[i]
		next := pairing.Pair{First: swapped(m.First), Second: swapped(m.Second)}
		if next == m.Pair {
			continue
		}
		if m.Match != "" {
			matches = append(matches, m.Match)
		}
		*m = Meeting{Pair: next}
	}
	for i, p := range r.Byes {
		r.Byes[i] = swapped(p)
	}
	t.walkovers()
	return matches, nil
}

func (t *Tournament) places(r *Round) map[pairing.ID]bool {
	in := map[pairing.ID]bool{}
	for _, p := range r.Byes {
		in[p] = true
	}
	for _, m := range r.Meetings {
		in[m.First], in[m.Second] = true, true
	}
	return in
}
