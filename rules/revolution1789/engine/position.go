// Package engine implements the rules of 1789. It has no texts for players.
//
// # The turn
//
//	SetUp → Naming → ┌ Seating → ( Voting → [Purging] → [Calling] )×0..2 → [Calling] → next ┐
//	                 └──────────── no legal unit: the ministers decide ←────────────────────┘
//	                 Calling with a call → Giving (first) → Giving (second) → over
//
// The Chairman takes a unit (rule 5.1). The three holders of each full crisis vote with secret ballots (5.2). After a
// split vote each of the three points at another; a holder pointed at by both others loses the token (5.4). The
// reform of the winning colour gets a minister (5.3). Once all reforms have a minister, every seat may call a
// revolution (5.5), at the end of each turn and between two votes of a turn.
//
// Numbered rulings in docs/rulings-1789.md decide cases that the rule book leaves open; comments cite them.
package engine

import (
	"fmt"

	"samizdat/rules"
)

// Phase is the stage of the match.
type Phase uint8

// The phases. In the phases from DealCrises to ChooseChairman the position waits for draws, in the phases from Naming
// to GivingSecond for answers of players.
const (
	DealCrises Phase = iota
	DrawOrder
	DrawObjectives
	DealObjectives
	ChooseChairman
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

// String returns the name in stored positions.
func (p Phase) String() string { return phaseNames[p] }

// States of a crisis card. Unresolved follows a purge that hit no voter (rule 5.4).
const (
	CrisisOpen = uint8(iota)
	VotedMonarchist
	VotedRepublican
	Unresolved
)

var verdictNames = [...]string{"open", "monarchist", "republican", "unresolved"}

// State is the public part of a position, and the objectives: all in a Position, only those that the viewer knows in a
// View. It has no pointers, so an assignment copies it.
type State struct {
	Revision, Players int
	Phase             Phase
	// Turn counts from 1; 0 is before the first Chairman.
	Turn uint8
	// Order lists the seats clockwise. Only its first SeatsPlaced elements have been drawn. Chairman is an index into
	// Order.
	Order       [MaxSeats]rules.Seat
	SeatsPlaced uint8
	Chairman    uint8
	// Cards are the crisis cards on the spaces, CrisesDealt is their number, Verdicts the results of their votes.
	Cards       [Spaces]Crisis
	CrisesDealt uint8
	Verdicts    [Spaces]uint8
	// Holders are the seats (or rules.NoSeat) that hold the units. Traces are the seats that lost the units in purges,
	// older first.
	Holders [Units]rules.Seat
	Traces  [Units][MaxTraces]rules.Seat
	// Ministers are the colours of the ministers of the reforms. MinisterChanges counts new and changed ministers.
	Ministers       [Reforms]Colour
	MinisterChanges uint16
	// Objectives are the cards of the seats. ShownSeats are the seats with a public card.
	Objectives [MaxSeats]Objective
	ShownSeats rules.Seats

	// VoteQueue are the full crises that wait for a vote this turn, in order. VoteSpace is the space of the current
	// vote, and Voters are the three holders of its units in the order of the units.
	VoteQueue [2]Space
	VoteSpace Space
	Voters    [3]rules.Seat
	// BallotCounts are the numbers of ballots for each colour in the current vote, during its purge; otherwise 0.
	BallotCounts [3]uint8
	Revolution   Revolution

	// DecisionIDs are the open decisions of the seats, or 0. Group numbers the latest group of simultaneous decisions.
	DecisionIDs [MaxSeats]rules.DecisionID
	Group       uint32
	// ChosenUnit is the unit that the Chairman has just taken, while the Chairman may choose the first vote.
	ChosenUnit Unit
}

// MaxTraces is the maximum of purged tokens of a unit: one for each of its crises.
const MaxTraces = 2

// Revolution is a revolution (rule 5.5): up to two leaders give tokens to the seats that they believe to be of their
// faction.
type Revolution struct {
	// First and Second give tokens in this order, or are rules.NoSeat. Callers are the seats that called.
	First, Second rules.Seat
	Callers       rules.Seats
	// Gifts are the seats that got a token from the first and from the second leader.
	Gifts [2]rules.Seats
	// Declined is set if the second leader gave no tokens and relied on three ministers.
	Declined bool
}

// Position is the state of a match with all hidden facts.
type Position struct {
	State
	// undealt are the objectives in play that are not dealt yet, as bits.
	undealt uint32
	lastID  rules.DecisionID
	// choices are the answers of an incomplete sealed group: the seat that each seat has named, or rules.NoSeat.
	choices [MaxSeats]rules.Seat
	// callers are the seats that called a revolution. hasGiftList are the callers that announced gifts, and giftLists
	// these gifts. currentGifts are the gifts of an answer that is not complete yet.
	callers, hasGiftList rules.Seats
	giftLists            [MaxSeats]rules.Seats
	currentGifts         rules.Seats
	drawBuffer           pile
}

// Rules implements rules.Engine and optional parts of rules.Game.
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
func (Rules) Seats() (int, int) { return MinSeats, MaxSeats }

// SeatNames names the seats by their citizens (ruling 3).
func (Rules) SeatNames(s rules.Setup) []string {
	names := make([]string, s.Seats)
	for i := range names {
		names[i] = CitizenKey(i)
	}
	return names
}

// Begin returns a new position, which waits for the draw of the first crisis.
func (Rules) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats < MinSeats || s.Seats > MaxSeats {
		return nil, fmt.Errorf("1789 is for %d to %d players, not %d", MinSeats, MaxSeats, s.Seats)
	}
	if s.Revision < oldestRevision || s.Revision > newestRevision {
		return nil, fmt.Errorf("unknown rules revision %d of 1789; the known revisions are %d to %d", s.Revision, oldestRevision, newestRevision)
	}
	for name := range s.Options {
		return nil, fmt.Errorf("unknown option %q: 1789 has no options", name)
	}
	p := new(Position)
	p.setUp(s.Seats, s.Revision)
	return p, nil
}

func (p *Position) setUp(players, revision int) {
	*p = Position{State: State{Revision: revision, Players: players, Revolution: Revolution{First: rules.NoSeat, Second: rules.NoSeat}}}
	for i := range p.Holders {
		p.Holders[i] = rules.NoSeat
		p.Traces[i] = [MaxTraces]rules.Seat{rules.NoSeat, rules.NoSeat}
	}
	p.Voters = [3]rules.Seat{rules.NoSeat, rules.NoSeat, rules.NoSeat}
	for i := range p.choices {
		p.choices[i], p.Order[i] = rules.NoSeat, rules.NoSeat
	}
}

// Clone returns an independent copy.
func (p *Position) Clone() rules.Position {
	q := *p
	return &q
}

// Stalled reports whether the position waits for chance.
func (p *Position) Stalled() bool { return p.Phase <= ChooseChairman }

// View implements rules.Position.
func (p *Position) View(s rules.Seat) rules.View {
	v := new(View)
	p.fillView(v, s)
	return v
}

// View is the state as a seat sees it, without the hidden objectives of other seats. If the seat has
// called a revolution and announced gifts, the view contains them (ruling 14).
type View struct {
	State
	seat        rules.Seat
	hasGiftList bool
	giftList    rules.Seats
}

// Seat returns the viewer.
func (v *View) Seat() rules.Seat { return v.seat }

func (p *Position) fillView(v *View, s rules.Seat) {
	v.State, v.seat = p.State, s
	if s != rules.NoSeat && p.hasGiftList.Has(s) {
		v.hasGiftList, v.giftList = true, p.giftLists[s]
	}
	for i := range v.Objectives {
		if !p.ShownSeats.Has(rules.Seat(i)) && rules.Seat(i) != s {
			v.Objectives[i] = 0
		}
	}
}

// ChairmanSeat returns the seat of the Chairman, or rules.NoSeat before the first Chairman.
func (t *State) ChairmanSeat() rules.Seat {
	if t.Turn == 0 {
		return rules.NoSeat
	}
	return t.Order[t.Chairman]
}

// IsFull reports whether the three units at a space are all held.
func (t *State) IsFull(s Space) bool {
	for _, u := range unitsAround[s] {
		if t.Holders[u] == rules.NoSeat {
			return false
		}
	}
	return true
}

// HoldsUnitAt reports whether a seat holds a unit at a space.
func (t *State) HoldsUnitAt(seat rules.Seat, s Space) bool {
	for _, u := range unitsAround[s] {
		if t.Holders[u] == seat {
			return true
		}
	}
	return false
}

// IsLegalUnit reports whether a seat may take a unit (rule 5.1): the unit is free, at least one of its two crises is
// not voted on yet, and the seat holds no other unit at these crises (ruling 5).
func (t *State) IsLegalUnit(seat rules.Seat, u Unit) bool {
	a, b := u.Spaces()
	return t.Holders[u] == rules.NoSeat && (t.Verdicts[a] == CrisisOpen || t.Verdicts[b] == CrisisOpen) && !t.HoldsUnitAt(seat, a) &&
		!t.HoldsUnitAt(seat, b)
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

// CrisesFilledBy returns the spaces of the open crises that would be full if a seat took the unit, the lower space
// first, then zeros.
func (t *State) CrisesFilledBy(u Unit) (filled [2]Space) {
	n := 0
	a, b := u.Spaces()
	for _, s := range [...]Space{a, b} {
		if t.Verdicts[s] != CrisisOpen {
			continue
		}
		isFull := true
		for _, other := range unitsAround[s] {
			isFull = isFull && (other == u || t.Holders[other] != rules.NoSeat)
		}
		if isFull {
			filled[n] = s
			n++
		}
	}
	return filled
}

// HasAllMinisters reports whether every reform has a minister, so that a revolution may be called (rule 5.5).
func (t *State) HasAllMinisters() bool {
	for _, c := range t.Ministers {
		if c == NoColour {
			return false
		}
	}
	return true
}

// CountMinisters counts the ministers of a colour.
func (t *State) CountMinisters(of Colour) (n int) {
	for _, c := range t.Ministers {
		if c == of {
			n++
		}
	}
	return n
}

// IsLeaderExempt reports whether the leader of a faction need not answer a revolution, because the faction has all three
// ministers (rule 5.5).
func (t *State) IsLeaderExempt(f Faction) bool { return t.CountMinisters(f.Colour()) == int(Reforms) }

// Revisions of the rules and of the JSON. A match keeps its first revision. The methods below are
// the only places that depend on the revision; docs/rulings-1789.md explains the ruling numbers.
const (
	oldestRevision = 1
	newestRevision = 2
)

// Revision implements rules.Engine.
func (Rules) Revision() int { return newestRevision }

// queueInBase64 reports whether the JSON has the queue as base64 ("Cw==") instead of a list of spaces ([11]).
func (t *State) queueInBase64() bool { return t.Revision < 2 }

// listDropsShownLeader reports whether an announced gift to the other leader is dropped without a message, if that
// leader has called too (ruling 14).
func (t *State) listDropsShownLeader() bool { return t.Revision < 2 }

// AbsentMayWin reports whether a seat may win after its player has left and the rules choose its answers (ruling 15).
func (t *State) AbsentMayWin() bool { return t.Revision < 2 }
