package tournament

import (
	"fmt"
	"math/bits"
	"slices"

	"samizdat/adjudicator/club/pairing"
)

// Start closes the entries and pairs the first round. seeds are all entrants, strongest first.
func (t *Tournament) Start(seeds []pairing.ID) error {
	if t.State != Entering {
		return fmt.Errorf("the tournament cannot start, because it is %s", t.State)
	}
	if len(seeds) != len(t.Entrants) || len(seeds) < 2 {
		return fmt.Errorf("the tournament cannot start: expected at least 2 entrants and a seed for each, got %d entrants and %d seeds",
			len(t.Entrants), len(seeds))
	}
	for i, p := range seeds {
		e := t.findEntrant(p)
		if e == nil || e.Seed != 0 {
			return fmt.Errorf("the tournament cannot start: player %d is seeded twice or has not entered", p)
		}
		e.Seed = i + 1
	}
	t.State = Running
	switch t.Terms.Kind {
	case Swiss:
		t.pairSwissRound()
	case KnockOut:
		t.Rounds = []Round{newKnockOutRound(pairing.Bracket(seeds))}
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

// newKnockOutRound returns a round of a knock-out: each pair meets twice, with swapped seats. If a player of a pair is 0, the
// other player has a bye.
func newKnockOutRound(pairs []pairing.Pair) (out Round) {
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

// MeetingIndex is the index of a round, and the index of a meeting in this round.
type MeetingIndex struct{ Round, Meeting int }

// UnstartedMeetings returns the meetings of the current round (with Terms.Together: of all rounds) that have no match and no result
// yet. Their matches should start now.
func (t *Tournament) UnstartedMeetings() (out []MeetingIndex) {
	if t.State != Running {
		return nil
	}
	for r, round := range t.Rounds {
		for i, m := range round.Meetings {
			if !m.Done && m.Match == "" {
				out = append(out, MeetingIndex{r, i})
			}
		}
		if !round.IsOver() && !t.Terms.Together {
			break
		}
	}
	return out
}

// RecordStart records the match of a meeting.
func (t *Tournament) RecordStart(index MeetingIndex, match string) error {
	if index.Round >= len(t.Rounds) || index.Meeting >= len(t.Rounds[index.Round].Meetings) {
		return fmt.Errorf("meeting %d of round %d does not exist", index.Meeting+1, index.Round+1)
	}
	m := &t.Rounds[index.Round].Meetings[index.Meeting]
	if m.Done || m.Match != "" {
		return fmt.Errorf("meeting %d of round %d has already started", index.Meeting+1, index.Round+1)
	}
	m.Match = match
	return nil
}

// RecordResult records the result of a match in half points of its seats, or removes the result if points is nil. It
// returns false if the match does not belong to the tournament, or if a later round already depends on the result.
func (t *Tournament) RecordResult(match string, points *[2]int) bool {
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
				t.State, t.Winners = Running, nil // Advance determines the winners again.
			}
			return true
		}
	}
	return false
}

// Advance pairs the next round when all matches have results, or ends the tournament if there is no next round. It
// reports whether anything has changed. The function hasPlayed reports whether a player has taken part. A player who has
// not taken part, or has withdrawn, cannot win the tournament.
func (t *Tournament) Advance(hasPlayed func(pairing.ID) bool) bool {
	hasChanged := false
	for t.State == Running && !slices.ContainsFunc(t.Rounds, func(r Round) bool { return !r.IsOver() }) {
		hasChanged = true
		switch t.Terms.Kind {
		case RoundRobin:
			t.finish(hasPlayed)
		case Swiss:
			if len(t.Rounds) < t.swissRoundCount() && len(t.ActivePlayers()) > 1 {
				t.pairSwissRound()
			} else {
				t.finish(hasPlayed)
			}
		case KnockOut:
			t.advanceKnockOut(hasPlayed)
		}
	}
	return hasChanged
}

// finish ends the tournament. The winners are the players who share the best place among those who can win.
func (t *Tournament) finish(hasPlayed func(pairing.ID) bool) {
	t.State = Over
	place := 0
	for _, s := range t.Table() {
		if (place == 0 || s.Place == place) && t.canWin(s.ID, hasPlayed) {
			place, t.Winners = s.Place, append(t.Winners, s.ID)
		}
	}
}

func (t *Tournament) canWin(p pairing.ID, hasPlayed func(pairing.ID) bool) bool {
	return !t.findEntrant(p).Withdrawn && hasPlayed(p)
}

func (t *Tournament) swissRoundCount() int {
	if t.Terms.Rounds > 0 {
		return t.Terms.Rounds
	}
	return bits.Len(uint(max(len(t.Entrants)-1, 1))) + 1
}

func (t *Tournament) pairSwissRound() {
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

// advanceKnockOut decides the ties of the newest round; a tie is the set of matches between two players. A tie with
// equal points gets a third match. If all ties are decided, the winners are paired for the next round.
func (t *Tournament) advanceKnockOut(hasPlayed func(pairing.ID) bool) {
	last := &t.Rounds[len(t.Rounds)-1]
	var deciders []Meeting
	advances := map[pairing.ID]bool{}
	for _, p := range last.Byes {
		advances[p] = !t.findEntrant(p).Withdrawn
	}
	for _, tie := range groupTies(last.Meetings) {
		winner, needsDecider := t.findTieWinner(tie)
		if needsDecider {
			deciders = append(deciders, t.newDecider(tie[0].Pair))
			continue
		}
		advances[winner] = true
	}
	if len(deciders) > 0 {
		last.Meetings = append(last.Meetings, deciders...)
		return
	}
	places := t.orderByPlace(advances)
	winners := slices.DeleteFunc(slices.Clone(places), func(p pairing.ID) bool { return p == 0 })
	if len(winners) < 2 {
		t.State, t.Winners = Over, slices.DeleteFunc(winners, func(p pairing.ID) bool { return !t.canWin(p, hasPlayed) })
		return
	}
	t.Rounds = append(t.Rounds, newKnockOutRound(pairing.NextRound(places)))
}

// orderByPlace returns the players who advance, in the order of the bracket: neighbours meet in the next round. 0
// stands for a tie without a winner.
func (t *Tournament) orderByPlace(advances map[pairing.ID]bool) (out []pairing.ID) {
	var places []pairing.ID
	for _, p := range pairing.Bracket(t.sortBySeed()) {
		places = append(places, p.First, p.Second)
	}
	for section := range slices.Chunk(places, 1<<len(t.Rounds)) {
		i := slices.IndexFunc(section, func(p pairing.ID) bool { return p != 0 && advances[p] })
		out = append(out, 0)
		if i >= 0 {
			out[len(out)-1] = section[i]
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

// findTieWinner returns the winner of a tie; 0 if there is none. needsDecider reports whether a third match must decide. A
// player who withdrew never wins a tie.
func (t *Tournament) findTieWinner(tie []Meeting) (winner pairing.ID, needsDecider bool) {
	a, b := tie[0].First, tie[0].Second
	points := map[pairing.ID]int{}
	for _, m := range tie {
		points[m.First] += m.Points[0]
		points[m.Second] += m.Points[1]
	}
	switch aWithdrawn, bWithdrawn := t.findEntrant(a).Withdrawn, t.findEntrant(b).Withdrawn; {
	case aWithdrawn && bWithdrawn:
		return 0, false
	case bWithdrawn, !aWithdrawn && points[a] > points[b]:
		return a, false
	case aWithdrawn, points[a] < points[b]:
		return b, false
	case len(tie) < 3:
		return 0, true
	case points[a] == 0:
		return 0, false // Both have lost all their matches.
	case t.seedOf(a) < t.seedOf(b):
		return a, false
	}
	return b, false
}

// newDecider returns the third match of a tie. The player with the weaker seed (the larger number) has the first seat.
func (t *Tournament) newDecider(p pairing.Pair) Meeting {
	if t.seedOf(p.First) < t.seedOf(p.Second) {
		p.First, p.Second = p.Second, p.First
	}
	return Meeting{Pair: p}
}
