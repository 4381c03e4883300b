// Package tournament holds the life of a tournament: who has entered, who meets whom in which
// round, what came of it, and who has won. It is pure: each step takes what has happened and
// says what is to be begun; matches themselves are played elsewhere and named here.
//
// # The kinds
//
//   - In a round robin everybody meets everybody, or does so twice. The next round begins when
//     all matches of a round are over, or all begin together.
//   - In a Swiss tournament each round is paired by the points so far (package pairing).
//   - In a knock-out two meet twice at once, once in each seat. Whoever has more points of both
//     goes on. If they are equal a third match is played, in which the lower seed has the first
//     seat; if that is a draw, the higher seed goes on. If neither has a point, neither goes on.
//
// # Who leaves and who comes late
//
// Whoever withdraws is not paired again; his running matches go on. In a round robin those who
// were still to meet him have won those meetings. In a Swiss tournament somebody may enter late:
// the rounds that he has missed count as half a bye each, a point of two. In a knock-out the
// opponent of a player who has withdrawn goes on; of two who have, neither does.
//
// # Who wins
//
// A player who has withdrawn, or has taken no part in his matches, does not win: the next of the
// table does, in a knock-out nobody.
package tournament

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/club/pairing"
)

// Kind is how a tournament is played.
type Kind string

// The kinds.
const (
	RoundRobin Kind = "round robin"
	Swiss      Kind = "swiss"
	KnockOut   Kind = "knock-out"
)

// State is where a tournament stands.
type State string

// The states.
const (
	Entering State = "entering"
	Running  State = "running"
	Over     State = "over"
	// CalledOff is a tournament that nobody plays any more.
	CalledOff State = "called off"
)

// Terms are what a tournament is agreed to be.
type Terms struct {
	Kind Kind `json:"kind"`
	// Rounds is how many a Swiss tournament has; 0 for as many as it takes to find the best:
	// one more than the logarithm of its entrants.
	Rounds int `json:"rounds,omitempty"`
	// Twice means that a round robin is played twice, with seats changed; Together that all
	// its rounds begin at once.
	Twice    bool `json:"twice,omitempty"`
	Together bool `json:"together,omitempty"`
	// MaxEntrants is how many may enter; 0 for no bound.
	MaxEntrants int `json:"most,omitempty"`
}

// Entrant is somebody who has entered.
type Entrant struct {
	Player pairing.ID `json:"player"`
	// Seed is his place in the order of strength at the start; 1 is the strongest.
	Seed int `json:"seed,omitempty"`
	// Missed is how many rounds had begun when he entered.
	Missed int `json:"missed,omitempty"`
	// Withdrawn means that he plays no further round.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// Meeting is two players who meet in a round.
type Meeting struct {
	pairing.Pair
	// Match names the match; empty until it is begun, or where none is played.
	Match string `json:"match,omitempty"`
	// Done means that it is decided: Points are the half points of both.
	Done   bool   `json:"done,omitempty"`
	Points [2]int `json:"points"`
	// Unplayed means that no match was played: somebody had withdrawn.
	Unplayed bool `json:"unplayed,omitempty"`
}

// Round is one of a tournament's.
type Round struct {
	Meetings []Meeting `json:"meetings"`
	// Byes are those who have nobody to meet.
	Byes []pairing.ID `json:"byes,omitempty"`
}

// Over reports whether all of a round is decided.
func (r Round) Over() bool {
	return !slices.ContainsFunc(r.Meetings, func(m Meeting) bool { return !m.Done })
}

// Tournament is one as it stands.
type Tournament struct {
	Terms    Terms     `json:"terms"`
	State    State     `json:"state"`
	Entrants []Entrant `json:"entrants"`
	Rounds   []Round   `json:"rounds"`
	// Winners are those who have won, when it is over; of several each has won. There may be none.
	Winners []pairing.ID `json:"winners,omitempty"`
}

// New is a tournament that can be entered.
func New(terms Terms) (*Tournament, error) {
	switch terms.Kind {
	case RoundRobin, Swiss, KnockOut:
	default:
		return nil, fmt.Errorf("%q is no kind of tournament: there are %s, %s and %s", terms.Kind, RoundRobin, Swiss, KnockOut)
	}
	if terms.Rounds < 0 || terms.MaxEntrants < 0 || terms.MaxEntrants == 1 {
		return nil, errors.New("rounds and entrants are counted from 2 on")
	}
	return &Tournament{Terms: terms, State: Entering}, nil
}

// The errors of entering and leaving, for those who read them.
var (
	ErrNotOpen  = errors.New("it cannot be entered any more")
	ErrFull     = errors.New("it is full")
	ErrEntered  = errors.New("you have entered it already")
	ErrStranger = errors.New("you have not entered it")
	ErrOver     = errors.New("it is over")
)

// Enter takes a player in. In a Swiss tournament that can be done until the last round has
// begun, and by somebody who has withdrawn before.
func (t *Tournament) Enter(p pairing.ID) error {
	late := t.State == Running && t.Terms.Kind == Swiss && len(t.Rounds) < t.swissRounds()
	if t.State != Entering && !late {
		return ErrNotOpen
	}
	if e := t.entrant(p); e != nil {
		if !e.Withdrawn {
			return ErrEntered
		}
		// The rounds since count for nothing: he has left them.
		e.Withdrawn = false
		return nil
	}
	if t.Terms.MaxEntrants > 0 && len(t.Active()) >= t.Terms.MaxEntrants {
		return ErrFull
	}
	e := Entrant{Player: p, Missed: len(t.Rounds)}
	if late {
		e.Seed = len(t.Entrants) + 1
	}
	t.Entrants = append(t.Entrants, e)
	return nil
}

// Withdraw takes a player out. Before the start it is as if he had never entered.
func (t *Tournament) Withdraw(p pairing.ID) error {
	e := t.entrant(p)
	switch {
	case e == nil || e.Withdrawn:
		return ErrStranger
	case t.State == Entering:
		t.Entrants = slices.DeleteFunc(t.Entrants, func(e Entrant) bool { return e.Player == p })
	case t.State == Running:
		e.Withdrawn = true
		t.walkovers()
	default:
		return ErrOver
	}
	return nil
}

// CallOff ends a tournament that nobody has won.
func (t *Tournament) CallOff() error {
	if t.State != Entering && t.State != Running {
		return ErrOver
	}
	t.State = CalledOff
	return nil
}

// Active are those who can be paired.
func (t *Tournament) Active() (out []pairing.ID) {
	for _, e := range t.Entrants {
		if !e.Withdrawn {
			out = append(out, e.Player)
		}
	}
	return out
}

func (t *Tournament) entrant(p pairing.ID) *Entrant {
	i := slices.IndexFunc(t.Entrants, func(e Entrant) bool { return e.Player == p })
	if i < 0 {
		return nil
	}
	return &t.Entrants[i]
}

// seed is a player's place in the order of strength.
func (t *Tournament) seed(p pairing.ID) int { return t.entrant(p).Seed }

// walkovers decides the meetings that no match was begun for, and of whose players one has
// withdrawn.
func (t *Tournament) walkovers() {
	for r := range t.Rounds {
		for i := range t.Rounds[r].Meetings {
			m := &t.Rounds[r].Meetings[i]
			if m.Done || m.Match != "" {
				continue
			}
			first, second := t.entrant(m.First).Withdrawn, t.entrant(m.Second).Withdrawn
			if first || second {
				m.Done, m.Unplayed, m.Points = true, true, [2]int{Points(!first), Points(!second)}
			}
		}
	}
}

// Points are the half points of a player who has won a match, or has lost it.
func Points(won bool) int {
	if won {
		return 2
	}
	return 0
}
