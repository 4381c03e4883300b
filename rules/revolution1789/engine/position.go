// Package engine is the rules of 1789: positions, views, what may be answered and what
// follows. It has no word of what players read.
//
// # The way of a turn
//
//	SetUp → Naming → ┌ Seating → ( Voting → [Purging] → [Calling] )×0..2 → [Calling] → next ┐
//	                 └──────────── no legal unit: the ministers decide ←────────────────────┘
//	                 Calling with a call → Giving (first) → Giving (second) → over
//
// The Chairman takes a unit (rule 5.1). Each crisis that it fills is voted on by its three
// holders with ballots that are never opened (5.2). After a split vote the three point at
// one another, and who is pointed at by both others loses his token (5.4). The winning
// colour's reform gets a minister (5.3). Once all reforms have one, everybody is asked
// whether he calls a revolution (5.5), at the end of each turn and between two votes of one.
//
// Places where the rule book is silent are settled by the numbered rulings of
// docs/rulings-1789.md; comments name them.
package engine

import (
	"fmt"

	"samizdat/rules"
)

// Phase is what a position waits for.
type Phase uint8

// The phases. Up to Opening the position waits for chance, from Naming on for answers.
const (
	DealCrises Phase = iota
	DrawOrder
	DrawObjectives
	DealObjectives
	Opening
	Naming
	Seating
	Voting
	Purging
	Calling
	GivingFirst
	GivingSecond
	Over
)

var phaseNames = [...]string{"crises", "seating order", "objectives", "deal", "chairman", "name", "seat", "vote", "purge", "call",
	"first gifts", "second gifts", "over"}

// String is the phase as a position writes it.
func (p Phase) String() string { return phaseNames[p] }

// Crisis cards lie open until they are voted on; then they show a colour, or that the
// crisis stays unresolved (rule 5.4).
const (
	Open = uint8(iota)
	VotedMonarchist
	VotedRepublican
	Unresolved
)

var verdictNames = [...]string{"open", "monarchist", "republican", "unresolved"}

// State is the public part of a position, and the objectives as far as they are known to
// whoever looks at it. It is a value: copying it copies all.
type State struct {
	Revision, Players int
	Phase             Phase
	// Turn counts from 1; 0 is before the first Chairman.
	Turn uint8
	// Order lists the seats clockwise; Chairman is a place in it.
	Order    [MostSeats]rules.Seat
	Placed   uint8
	Chairman uint8
	// Cards lie on the spaces, Dealt of them so far. Verdicts are what became of them.
	Cards    [Spaces]Crisis
	Dealt    uint8
	Verdicts [Spaces]uint8
	// Holders are the seats that hold the units, or rules.NoSeat. Traces are the tokens that
	// were purged from them, the older first.
	Holders [Units]rules.Seat
	Traces  [Units][MostTraces]rules.Seat
	// Ministers are the colours of the reforms, Moves counts how often one came or went over.
	Ministers [Reforms]Colour
	Moves     uint16
	// Objectives are the cards of the seats, Shown those that everybody has seen.
	Objectives [MostSeats]Objective
	Shown      rules.Seats

	// Queue are the full crises that are still to be voted on this turn, the next first.
	// VotedOn is the space of the vote under way, Voters are its three holders in the order
	// of its units.
	Queue   [2]Space
	VotedOn Space
	Voters  [3]rules.Seat
	// Counts are the ballots of each colour; after a purge has begun they are known.
	Counts [3]uint8
	// Revolt is what there is of a revolution.
	Revolt Revolt

	// Asked are the open questions of the seats, 0 for none.
	Asked [MostSeats]rules.DecisionID
	Group uint32
	// Taken is the unit that a Chairman has just taken while he may still say which crisis
	// is voted on first.
	Taken Unit
}

// MostTraces is how many purged tokens a unit can come to have: it is purged for each of
// its crises once.
const MostTraces = 2

// Revolt is a revolution (rule 5.5).
type Revolt struct {
	// First and Second are the leaders who revolt, or rules.NoSeat. Called are those who
	// called for it.
	First, Second rules.Seat
	Called        rules.Seats
	// Gifts are the seats that got a token from the first and from the second.
	Gifts [2]rules.Seats
	// Declined means that the second leader has left it at his three ministers.
	Declined bool
}

// Position is one state of a match, everything hidden included.
type Position struct {
	State
	// pool are the objectives that take part and are not dealt yet.
	pool uint32
	last rules.DecisionID
	// picks are answers of a sealed group that have been opened one by one until all are in:
	// a seat, or -1 for none.
	picks [MostSeats]rules.Seat
	// calls are opened answers to the question for a revolution, lists the gifts that came
	// with them; gave are the gifts of an answer under way.
	calls, listed rules.Seats
	lists         [MostSeats]rules.Seats
	gave          rules.Seats
	// room is where piles are laid out to draw from; it means nothing otherwise.
	room pile
}

// Rules is 1789's engine as the contract wants it.
type Rules struct{}

// Name implements rules.Engine.
func (Rules) Name() string { return "1789" }

// Title implements rules.Engine.
func (Rules) Title() string { return "1789" }

// Credit implements rules.Engine.
func (Rules) Credit() string {
	return "1789 is a game by Nicholas Hjelmberg, published by Nova Suecia Games."
}

// Seats implements rules.Engine: four to twelve.
func (Rules) Seats() (int, int) { return LeastSeats, MostSeats }

// SeatNames names the seats by their citizens (ruling 3).
func (Rules) SeatNames(s rules.Setup) []string {
	names := make([]string, s.Seats)
	for i := range names {
		names[i] = CitizenKey(i)
	}
	return names
}

// Begin returns a new position, stalled before the first crisis is dealt.
func (Rules) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats < LeastSeats || s.Seats > MostSeats {
		return nil, fmt.Errorf("1789 is for %d to %d players, not %d", LeastSeats, MostSeats, s.Seats)
	}
	if s.Revision < oldestRevision || s.Revision > newestRevision {
		return nil, fmt.Errorf("rules revision %d of 1789 is not known here, only %d to %d", s.Revision, oldestRevision, newestRevision)
	}
	for name := range s.Options {
		return nil, fmt.Errorf("1789 has no options, and none called %q", name)
	}
	p := new(Position)
	p.setUp(s.Seats, s.Revision)
	return p, nil
}

// setUp makes the position that of an empty board.
func (p *Position) setUp(players, revision int) {
	*p = Position{State: State{Revision: revision, Players: players, Revolt: Revolt{First: rules.NoSeat, Second: rules.NoSeat}}}
	for i := range p.Holders {
		p.Holders[i] = rules.NoSeat
		p.Traces[i] = [MostTraces]rules.Seat{rules.NoSeat, rules.NoSeat}
	}
	p.Voters = [3]rules.Seat{rules.NoSeat, rules.NoSeat, rules.NoSeat}
	for i := range p.picks {
		p.picks[i], p.Order[i] = rules.NoSeat, rules.NoSeat
	}
}

// Clone returns an independent copy.
func (p *Position) Clone() rules.Position {
	q := *p
	return &q
}

// Stalled reports whether the position waits for chance.
func (p *Position) Stalled() bool { return p.Phase <= Opening }

// View returns what a seat may see.
func (p *Position) View(s rules.Seat) rules.View {
	v := new(View)
	p.show(v, s)
	return v
}

// View is what one seat sees: the table with the objectives that are hidden from it
// turned down.
type View struct {
	State
	seat rules.Seat
}

// Seat is whose view it is.
func (v *View) Seat() rules.Seat { return v.seat }

func (p *Position) show(v *View, s rules.Seat) {
	v.State, v.seat = p.State, s
	for i := range v.Objectives {
		if !p.Shown.Has(rules.Seat(i)) && rules.Seat(i) != s {
			v.Objectives[i] = 0
		}
	}
}

// ChairmanSeat is the seat of the Chairman, or rules.NoSeat before there is one.
func (t *State) ChairmanSeat() rules.Seat {
	if t.Turn == 0 {
		return rules.NoSeat
	}
	return t.Order[t.Chairman]
}

// IsFull reports whether the three units at a space are all held.
func (t *State) IsFull(s Space) bool {
	for _, u := range around[s] {
		if t.Holders[u] == rules.NoSeat {
			return false
		}
	}
	return true
}

// HoldsUnitAt reports whether a seat holds a unit at a space.
func (t *State) HoldsUnitAt(seat rules.Seat, s Space) bool {
	for _, u := range around[s] {
		if t.Holders[u] == seat {
			return true
		}
	}
	return false
}

// IsLegalUnit reports whether a seat may take a unit (rule 5.1): nobody holds it, the seat sits at
// neither of its crises, voted on or not (ruling 5), and one of them is open.
func (t *State) IsLegalUnit(seat rules.Seat, u Unit) bool {
	a, b := u.Spaces()
	return t.Holders[u] == rules.NoSeat && (t.Verdicts[a] == Open || t.Verdicts[b] == Open) && !t.HoldsUnitAt(seat, a) && !t.HoldsUnitAt(seat, b)
}

// HasLegalUnit reports whether a seat may take any unit.
func (t *State) HasLegalUnit(seat rules.Seat) bool {
	for u := Unit(1); u < Units; u++ {
		if t.IsLegalUnit(seat, u) {
			return true
		}
	}
	return false
}

// CrisesFilledBy lists the open crises that are full once somebody takes the unit as well, the lower
// space first; 0 stands for none.
func (t *State) CrisesFilledBy(u Unit) (filled [2]Space) {
	n := 0
	a, b := u.Spaces()
	for _, s := range [...]Space{a, b} {
		if t.Verdicts[s] != Open {
			continue
		}
		full := true
		for _, other := range around[s] {
			full = full && (other == u || t.Holders[other] != rules.NoSeat)
		}
		if full {
			filled[n] = s
			n++
		}
	}
	return filled
}

// HasAllMinisters reports whether every reform has a minister, so that a revolution may be called
// (rule 5.5).
func (t *State) HasAllMinisters() bool {
	for _, c := range t.Ministers {
		if c == NoColour {
			return false
		}
	}
	return true
}

// CountMinisters is how many ministers a colour has.
func (t *State) CountMinisters(of Colour) (n int) {
	for _, c := range t.Ministers {
		if c == of {
			n++
		}
	}
	return n
}

// IsLeaderExempt reports whether a faction has all three ministers, so that its leader need not
// answer a revolution (rule 5.5).
func (t *State) IsLeaderExempt(f Faction) bool { return t.CountMinisters(f.Colour()) == int(Reforms) }

// The revisions of the rules and of the JSON of a position. A match keeps the revision that
// it began with to its end; every difference between revisions is asked here, and nowhere
// else. The numbers of rulings are those of docs/rulings-1789.md.
const (
	oldestRevision = 1
	newestRevision = 2
)

// Revision implements rules.Game.
func (Rules) Revision() int { return newestRevision }

// queueInBase64: a position writes its queue of crises as base64 ("Cw==") and not as a list
// of spaces ([11]).
func (t *State) queueInBase64() bool { return t.Revision < 2 }

// listDropsShownLeader: a call's list of gifts that names a leader who has called too counts
// without him, and its writer is neither told nor asked (ruling 14).
func (t *State) listDropsShownLeader() bool { return t.Revision < 2 }

// AbsentMayWin: a seat whose player has left may win by what silence has answered for it (ruling 15).
func (t *State) AbsentMayWin() bool { return t.Revision < 2 }
