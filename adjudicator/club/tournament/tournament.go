// Package tournament is the state of a tournament: entrants, rounds, results and winners. The package only computes:
// the caller starts the matches (UnstartedMeetings), records their results (RecordResult) and pairs the next round
// (Advance).
//
// # The kinds
//
//   - Round robin: all players meet each other once or twice. A round starts when all matches of the round
//     before have ended; or all rounds start at once (Terms.Together).
//   - Swiss: each round is paired by points (package pairing).
//   - Knock-out: two players meet twice at the same time, once in each seat. The player with more
//     points advances. After equal points the players meet a third time, and the player with the weaker
//     seed (seed 8 against seed 1) has the first seat; after a draw in this match the player with the stronger seed
//     advances. If both players have no points, both are out.
//
// # Withdrawals and late entries
//
// A player who withdraws is not paired again, but running matches continue. In a round robin the remaining opponents win
// by walkover. In a knock-out the opponent advances; if both withdrew, no player advances. A player may enter a Swiss
// tournament late: each missed round gives one half point.
//
// # Winners
//
// A player who withdrew, or sent no orders, cannot win: the next player of the table wins instead. If a player who
// cannot win has won the final of a knock-out, there is no winner.
package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/club/pairing"
)

// Kind is the kind of a tournament.
type Kind string

// The kinds.
const (
	RoundRobin Kind = "round robin"
	Swiss      Kind = "swiss"
	KnockOut   Kind = "knock-out"
)

// State is the state of a tournament.
type State string

// The states.
const (
	Entering State = "entering"
	Running  State = "running"
	Over     State = "over"
	// CalledOff is a tournament without a winner: the director has ended it, or too few players have entered it.
	CalledOff State = "called off"
)

// Terms are the rules of a tournament.
type Terms struct {
	Kind Kind `json:"kind"`
	// Rounds is the number of rounds of a Swiss tournament; 0 for the default, which depends on the number of
	// entrants: 5 to 8 play 4 rounds, 9 to 16 play 5, and so on.
	Rounds int `json:"rounds,omitempty"`
	// Twice is set for a double round robin, in which players meet again with swapped seats. Together is set if all
	// rounds of a round robin start at once.
	Twice    bool `json:"twice,omitempty"`
	Together bool `json:"together,omitempty"`
	// MaxEntrants is the maximum number of entrants; 0 for no limit.
	MaxEntrants int `json:"most,omitempty"`
}

// Entrant is a player in the tournament.
type Entrant struct {
	Player pairing.ID `json:"player"`
	// Seed is the rank by strength at the start; 1 is the strongest.
	Seed int `json:"seed,omitempty"`
	// MissedRounds is the number of rounds that a late entrant has missed.
	MissedRounds int  `json:"missed,omitempty"`
	Withdrawn    bool `json:"withdrawn,omitempty"`
}

// Meeting is a pairing of two players in a round.
type Meeting struct {
	pairing.Pair
	// Match is the name of the match; empty before the match starts, or if it is never played.
	Match string `json:"match,omitempty"`
	// Done is set if there is a result. Points are the half points of First and Second.
	Done   bool   `json:"done,omitempty"`
	Points [2]int `json:"points"`
	// Unplayed is set for a walkover: an opponent withdrew before the match.
	Unplayed bool `json:"unplayed,omitempty"`
}

// Round is a round of the tournament.
type Round struct {
	Meetings []Meeting    `json:"meetings"`
	Byes     []pairing.ID `json:"byes,omitempty"`
}

// IsOver reports whether all meetings of the round have a result.
func (r Round) IsOver() bool {
	return !slices.ContainsFunc(r.Meetings, func(m Meeting) bool { return !m.Done })
}

// Tournament is the state of a tournament.
type Tournament struct {
	Terms    Terms     `json:"terms"`
	State    State     `json:"state"`
	Entrants []Entrant `json:"entrants"`
	Rounds   []Round   `json:"rounds"`
	// Winners are the players who have won the tournament. There may be several, or none.
	Winners []pairing.ID `json:"winners,omitempty"`
}

// New returns a tournament that is open for entries.
func New(terms Terms) (*Tournament, error) {
	switch terms.Kind {
	case RoundRobin, Swiss, KnockOut:
	default:
		return nil, fmt.Errorf("%q is not a kind of tournament: use %s, %s or %s", terms.Kind, RoundRobin, Swiss, KnockOut)
	}
	if terms.Rounds < 0 || terms.MaxEntrants < 0 || terms.MaxEntrants == 1 {
		return nil, errors.New("a tournament must have at least 2 entrants, and the number of rounds must not be negative")
	}
	return &Tournament{Terms: terms, State: Entering}, nil
}

// The errors of Enter, Withdraw and CallOff. "it" is the tournament: letters put its name before these texts.
var (
	ErrEntryClosed    = errors.New("it cannot be entered any more")
	ErrFull           = errors.New("it is full")
	ErrAlreadyEntered = errors.New("you have entered it already")
	ErrNotEntered     = errors.New("you have not entered it")
	ErrOver           = errors.New("it is over")
)

// Enter adds a player. A Swiss tournament accepts players until the start of the last round, and also takes back
// players who withdrew.
func (t *Tournament) Enter(p pairing.ID) error {
	late := t.State == Running && t.Terms.Kind == Swiss && len(t.Rounds) < t.swissRoundCount()
	if t.State != Entering && !late {
		return ErrEntryClosed
	}
	if e := t.findEntrant(p); e != nil {
		if !e.Withdrawn {
			return ErrAlreadyEntered
		}
		// The rounds since the withdrawal give no points.
		e.Withdrawn = false
		return nil
	}
	if t.Terms.MaxEntrants > 0 && len(t.ActivePlayers()) >= t.Terms.MaxEntrants {
		return ErrFull
	}
	e := Entrant{Player: p, MissedRounds: len(t.Rounds)}
	if late {
		e.Seed = len(t.Entrants) + 1
	}
	t.Entrants = append(t.Entrants, e)
	return nil
}

// Withdraw withdraws a player: before the start it deletes the Entrant, and later it sets Entrant.Withdrawn.
func (t *Tournament) Withdraw(p pairing.ID) error {
	e := t.findEntrant(p)
	switch {
	case e == nil || e.Withdrawn:
		return ErrNotEntered
	case t.State == Entering:
		t.Entrants = slices.DeleteFunc(t.Entrants, func(e Entrant) bool { return e.Player == p })
	case t.State == Running:
		e.Withdrawn = true
		t.awardWalkovers()
	default:
		return ErrOver
	}
	return nil
}

// CallOff ends the tournament without a winner.
func (t *Tournament) CallOff() error {
	if t.State != Entering && t.State != Running {
		return ErrOver
	}
	t.State = CalledOff
	return nil
}

// ActivePlayers returns the players who are still paired.
func (t *Tournament) ActivePlayers() (out []pairing.ID) {
	for _, e := range t.Entrants {
		if !e.Withdrawn {
			out = append(out, e.Player)
		}
	}
	return out
}

func (t *Tournament) findEntrant(p pairing.ID) *Entrant {
	i := slices.IndexFunc(t.Entrants, func(e Entrant) bool { return e.Player == p })
	if i < 0 {
		return nil
	}
	return &t.Entrants[i]
}

func (t *Tournament) seedOf(p pairing.ID) int { return t.findEntrant(p).Seed }

func (t *Tournament) awardWalkovers() {
	for r := range t.Rounds {
		for i := range t.Rounds[r].Meetings {
			m := &t.Rounds[r].Meetings[i]
			if m.Done || m.Match != "" {
				continue
			}
			firstLeft, secondLeft := t.findEntrant(m.First).Withdrawn, t.findEntrant(m.Second).Withdrawn
			if firstLeft || secondLeft {
				m.Done, m.Unplayed, m.Points = true, true, [2]int{PointsFor(!firstLeft), PointsFor(!secondLeft)}
			}
		}
	}
}

// PointsFor returns the half points for a win or a loss.
func PointsFor(hasWon bool) int {
	if hasWon {
		return 2
	}
	return 0
}

// Table returns the table of all entrants, best first. In a knock-out the place depends on the last round that a player
// reached, not on points; players who were beaten in the same round share a place.
func (t *Tournament) Table() []pairing.Standing {
	if t.Terms.Kind == KnockOut {
		return t.knockOutTable()
	}
	players := make([]pairing.ID, 0, len(t.Entrants))
	var games []pairing.Game
	for _, e := range t.Entrants {
		players = append(players, e.Player)
		for range e.MissedRounds {
			games = append(games, pairing.Game{Pair: pairing.Pair{First: e.Player}, Points: [2]int{1, 0}})
		}
	}
	slices.SortFunc(players, func(a, b pairing.ID) int { return cmp.Compare(t.seedOf(a), t.seedOf(b)) })
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
	tieBreaks := pairing.SwissTieBreaks
	if t.Terms.Kind == RoundRobin {
		tieBreaks = pairing.RoundRobinTieBreaks
	}
	return pairing.Table(players, games, tieBreaks)
}

func (t *Tournament) knockOutTable() (out []pairing.Standing) {
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
		return cmp.Or(cmp.Compare(rounds[b.ID], rounds[a.ID]), cmp.Compare(t.seedOf(a.ID), t.seedOf(b.ID)))
	})
	for i := range out {
		out[i].Place = i + 1
		if i > 0 && rounds[out[i].ID] == rounds[out[i-1].ID] {
			out[i].Place = out[i-1].Place
		}
	}
	return out
}

// Swap swaps the places of two players in the newest round, as a correction by the director. If a player has a bye in this
// round, the other player gets the bye. Swap returns the started matches of the changed meetings: they must be called off.
func (t *Tournament) Swap(a, b pairing.ID) (matches []string, err error) {
	if t.State != Running || t.Terms.Kind != Swiss {
		return nil, fmt.Errorf("pairings of a %s tournament that is %s cannot be corrected", t.Terms.Kind, t.State)
	}
	r := &t.Rounds[len(t.Rounds)-1]
	if !r.hasPlayer(a) || !r.hasPlayer(b) || a == b {
		return nil, fmt.Errorf("both players must be in round %d", len(t.Rounds))
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
		pair := pairing.Pair{First: swapped(m.First), Second: swapped(m.Second)}
		if pair == m.Pair {
			continue
		}
		if m.Done {
			return nil, fmt.Errorf("meeting %d of round %d is over", i+1, len(t.Rounds))
		}
	}
	for i := range r.Meetings {
		m := &r.Meetings[i]
		pair := pairing.Pair{First: swapped(m.First), Second: swapped(m.Second)}
		if pair == m.Pair {
			continue
		}
		if m.Match != "" {
			matches = append(matches, m.Match)
		}
		*m = Meeting{Pair: pair}
	}
	for i, p := range r.Byes {
		r.Byes[i] = swapped(p)
	}
	t.awardWalkovers()
	return matches, nil
}

func (r *Round) hasPlayer(p pairing.ID) bool {
	return slices.Contains(r.Byes, p) ||
		slices.ContainsFunc(r.Meetings, func(m Meeting) bool { return p == m.First || p == m.Second })
}
