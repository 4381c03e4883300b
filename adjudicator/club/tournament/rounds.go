package tournament

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"samizdat/adjudicator/club/pairing"
)

// Start closes the entries and pairs the first round. seeds are all entrants, strongest first.
func (t *Tournament) Start(seeds []pairing.ID) error {
	if t.State != Entering {
		return errors.New("it has started already")
	}
	if len(seeds) != len(t.Entrants) || len(seeds) < 2 {
		return fmt.Errorf("it needs at least two entrants, and seeds for each: %d have entered, %d are seeded", len(t.Entrants), len(seeds))
	}
	for i, p := range seeds {
		e := t.entrant(p)
		if e == nil || e.Seed != 0 {
			return fmt.Errorf("player %d is seeded, and has not entered, or is seeded twice", p)
		}
		e.Seed = i + 1
	}
	t.State = Running
	switch t.Terms.Kind {
	case Swiss:
		t.swissRound()
	case KnockOut:
		t.Rounds = []Round{newTies(pairing.Bracket(seeds))}
	case RoundRobin:
		for _, r := range pairing.RoundRobin(seeds, t.Terms.Twice) {
			t.Rounds = append(t.Rounds, newRound(r))
		}
	}
	return nil
}

func newRound(r pairing.Round) (out Round) {
	for _, p := range r.Pairs {
		out.Meetings = append(out.Meetings, Meeting{Pair: p})
	}
	if r.Bye != 0 {
		out.Byes = []pairing.ID{r.Bye}
	}
	return out
}

// newTies returns a round of a knock-out: each pair meets twice, once in each seat. Players may be 0.
func newTies(pairs []pairing.Pair) (out Round) {
	for _, p := range pairs {
		switch {
		case p.First != 0 && p.Second != 0:
			out.Meetings = append(out.Meetings, Meeting{Pair: p}, Meeting{Pair: pairing.Pair{First: p.Second, Second: p.First}})
		case p.First+p.Second != 0:
			out.Byes = append(out.Byes, p.First+p.Second)
		}
	}
	return out
}

// Place is the index of a round and of a meeting in it.
type Place struct{ Round, Meeting int }

// UnstartedMeetings returns the meetings whose matches should start now.
func (t *Tournament) UnstartedMeetings() (out []Place) {
	if t.State != Running {
		return nil
	}
	for r, round := range t.Rounds {
		for i, m := range round.Meetings {
			if !m.Done && m.Match == "" {
				out = append(out, Place{r, i})
			}
		}
		if !round.Over() && !t.Terms.Together {
			break
		}
	}
	return out
}

// RecordStart records the match of a meeting.
func (t *Tournament) RecordStart(at Place, match string) error {
	if at.Round >= len(t.Rounds) || at.Meeting >= len(t.Rounds[at.Round].Meetings) {
		return fmt.Errorf("there is no meeting %d of round %d", at.Meeting+1, at.Round+1)
	}
	m := &t.Rounds[at.Round].Meetings[at.Meeting]
	if m.Done || m.Match != "" {
		return fmt.Errorf("meeting %d of round %d has begun", at.Meeting+1, at.Round+1)
	}
	m.Match = match
	return nil
}

// Report records the result of a match in half points of its seats, or removes it if points is nil.
// It returns false if the match does not belong to the tournament, or if a later round depends on
// it.
func (t *Tournament) Report(match string, points *[2]int) bool {
	for r := range t.Rounds {
		for i := range t.Rounds[r].Meetings {
			m := &t.Rounds[r].Meetings[i]
			if m.Match != match || match == "" {
				continue
			}
			if t.Terms.Kind == KnockOut && r < len(t.Rounds)-1 {
				return false
			}
			if m.Done, m.Points = points != nil, [2]int{}; m.Done {
				m.Points = *points
			}
			if t.State == Over {
				t.State, t.Winners = Running, nil // Next determines the winner by this result.
			}
			return true
		}
	}
	return false
}

// Next advances the tournament as far as possible: it pairs the next round or ends the tournament,
// and reports whether anything changed. played reports whether a player took part in the player's
// matches: others cannot win the tournament, nor can players who withdrew.
func (t *Tournament) Next(played func(pairing.ID) bool) bool {
	changed := false
	for t.State == Running && !slices.ContainsFunc(t.Rounds, func(r Round) bool { return !r.Over() }) {
		changed = true
		switch t.Terms.Kind {
		case RoundRobin:
			t.finish(played)
		case Swiss:
			if len(t.Rounds) < t.swissRounds() && len(t.Active()) > 1 {
				t.swissRound()
			} else {
				t.finish(played)
			}
		case KnockOut:
			t.knockOutRound(played)
		}
	}
	return changed
}

// finish ends the tournament. The winners are the first eligible players of the table, if any.
func (t *Tournament) finish(played func(pairing.ID) bool) {
	t.State = Over
	place := 0
	for _, s := range t.Table() {
		if (place == 0 || s.Place == place) && t.canWin(s.ID, played) {
			place, t.Winners = s.Place, append(t.Winners, s.ID)
		}
	}
}

func (t *Tournament) canWin(p pairing.ID, played func(pairing.ID) bool) bool {
	return !t.entrant(p).Withdrawn && played(p)
}

func (t *Tournament) swissRounds() int {
	if t.Terms.Rounds > 0 {
		return t.Terms.Rounds
	}
	return bits.Len(uint(max(len(t.Entrants)-1, 1))) + 1
}

func (t *Tournament) swissRound() {
	scores := map[pairing.ID]int{}
	for _, s := range t.Table() {
		scores[s.ID] = s.Points
	}
	var players []pairing.Player
	for _, e := range t.Entrants {
		if !e.Withdrawn {
			p := pairing.Player{ID: e.Player, Seed: e.Seed, Points: scores[e.Player], Meetings: map[pairing.ID]int{}}
			t.recordMeetings(&p)
			players = append(players, p)
		}
	}
	t.Rounds = append(t.Rounds, newRound(pairing.Swiss(players)))
}

func (t *Tournament) recordMeetings(p *pairing.Player) {
	for _, r := range t.Rounds {
		if slices.Contains(r.Byes, p.ID) {
			p.Byes++
		}
		for _, m := range r.Meetings {
			switch p.ID {
			case m.First:
				p.Meetings[m.Second]++
				p.Firsts++
				p.LastFirst = true
			case m.Second:
				p.Meetings[m.First]++
				p.Seconds++
				p.LastFirst = false
			}
		}
	}
}

// knockOutRound decides the ties of the last round. Even ties get a third match; without any, the
// remaining players are paired.
func (t *Tournament) knockOutRound(played func(pairing.ID) bool) {
	last := &t.Rounds[len(t.Rounds)-1]
	var deciders []Meeting
	went := map[pairing.ID]bool{}
	for _, p := range last.Byes {
		went[p] = !t.entrant(p).Withdrawn
	}
	for _, tie := range groupTies(last.Meetings) {
		winner, hasMore := t.winner(tie)
		if hasMore {
			deciders = append(deciders, t.newDecider(tie[0].Pair))
			continue
		}
		went[winner] = true
	}
	if len(deciders) > 0 {
		last.Meetings = append(last.Meetings, deciders...)
		return
	}
	places := t.orderByPlace(went)
	winners := slices.DeleteFunc(slices.Clone(places), func(p pairing.ID) bool { return p == 0 })
	if len(winners) < 2 {
		t.State, t.Winners = Over, slices.DeleteFunc(winners, func(p pairing.ID) bool { return !t.canWin(p, played) })
		return
	}
	t.Rounds = append(t.Rounds, newTies(pairing.NextRound(places)))
}

// orderByPlace returns the remaining players in the order of the bracket: the next pairs are neighbours. 0 is an
// empty place.
func (t *Tournament) orderByPlace(went map[pairing.ID]bool) (out []pairing.ID) {
	var places []pairing.ID
	for _, p := range pairing.Bracket(t.sortBySeed()) {
		places = append(places, p.First, p.Second)
	}
	for ties := range slices.Chunk(places, 1<<len(t.Rounds)) {
		i := slices.IndexFunc(ties, func(p pairing.ID) bool { return p != 0 && went[p] })
		out = append(out, 0)
		if i >= 0 {
			out[len(out)-1] = ties[i]
		}
	}
	return out
}

func (t *Tournament) sortBySeed() []pairing.ID {
	out := make([]pairing.ID, len(t.Entrants))
	for _, e := range t.Entrants {
		out[e.Seed-1] = e.Player
	}
	return out
}

func groupTies(meetings []Meeting) (out [][]Meeting) {
	for _, m := range meetings {
		i := slices.IndexFunc(out, func(tie []Meeting) bool {
			return tie[0].Pair == m.Pair || tie[0].First == m.Second && tie[0].Second == m.First
		})
		if i < 0 {
			out = append(out, []Meeting{m})
		} else {
			out[i] = append(out[i], m)
		}
	}
	return out
}

// winner returns the winner of a tie; 0 if there is none. hasMore reports whether a third match must decide. A
// player who withdrew never wins a tie.
func (t *Tournament) winner(tie []Meeting) (winner pairing.ID, hasMore bool) {
	a, b := tie[0].First, tie[0].Second
	points := map[pairing.ID]int{}
	for _, m := range tie {
		points[m.First] += m.Points[0]
		points[m.Second] += m.Points[1]
	}
	switch aGone, bGone := t.entrant(a).Withdrawn, t.entrant(b).Withdrawn; {
	case aGone && bGone:
		return 0, false
	case bGone, !aGone && points[a] > points[b]:
		return a, false
	case aGone, points[a] < points[b]:
		return b, false
	case len(tie) < 3:
		return 0, true
	case points[a] == 0:
		return 0, false // Both have lost all their matches.
	case t.seed(a) < t.seed(b):
		return a, false
	}
	return b, false
}

// newDecider returns the third match of a tie: the lower seed has the first seat.
func (t *Tournament) newDecider(p pairing.Pair) Meeting {
	if t.seed(p.First) < t.seed(p.Second) {
		p.First, p.Second = p.Second, p.First
	}
	return Meeting{Pair: p}
}
