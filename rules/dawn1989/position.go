package dawn1989

import "samizdat/rules"

// Pile is a place where strategy cards lie.
type Pile uint8

// The piles. Every card lies in exactly one.
const (
	// PileFuture holds the cards of periods that have not begun.
	PileFuture Pile = iota
	// PileDeck is the draw deck.
	PileDeck
	// PileDemocrat and PileCommunist are the hands.
	PileDemocrat
	PileCommunist
	// PileTable holds the cards being played or resolved now.
	PileTable
	// PileShown holds the three cards of box 3 while one is chosen.
	PileShown
	// PileAside holds the card put aside by Samizdat (card 77).
	PileAside
	// PileInPlay holds the cards that lie before a side while they last.
	PileInPlay
	PileDiscard
	PileRemoved
	piles
)

// hand returns the pile that is a side's hand.
func hand(s Side) Pile { return PileDemocrat + Pile(s) }

// Phase is where in the turn a position stands (rule 4.5).
type Phase uint8

// The phases.
const (
	PhaseSetup Phase = iota
	PhaseDeal
	PhaseGoddess
	PhaseRounds
	PhaseExtraCheck
	PhaseVerify
	PhaseParty
	PhaseFinal
	PhaseOver
	// PhaseBid comes before everything, where sides are bid for.
	PhaseBid
)

var phaseNames = [...]string{"setup", "deal", "goddess", "rounds", "extra check", "verify", "party", "final scoring", "over", "bidding"}

func (p Phase) String() string { return phaseNames[p] }

// Track is a side's standing on the Tiananmen Square Track (rule 6.3).
type Track struct {
	Box int8
	// Failed is set once an attempt to enter the next box has failed.
	Failed bool
	// Attempted, Seventh and Eighth are spent once a turn: the attempt and the
	// awards of boxes 7 and 8.
	Attempted, Seventh, Eighth bool
}

// Power says who holds Power in a country, and in how many power struggles he
// took or kept it, which is what keeping Power is scored by (rule 8.4).
type Power struct {
	Held  Side
	Times int8
}

// Ending is how a match ended.
type Ending uint8

// The endings.
const (
	NotOver Ending = iota
	// AutomaticVictory: 20 VP (rule 10.1).
	AutomaticVictory
	// HeldCard: a scoring card was held at the end of a turn (rule 10.2).
	HeldCard
	// NewYear: the New Year's Eve Party ended the match (rule 10.3).
	NewYear
	// FinalScoring: after turn 10 (rule 10.4).
	FinalScoring
)

var endingNames = [...]string{"", "automatic victory", "held scoring card", "New Year's Eve Party", "final scoring"}

func (e Ending) String() string { return endingNames[e] }

// inForce holds the effects of events that last, besides the set of cards in
// force: those that need more than yes or no.
type inForce struct {
	// cards are the cards whose effects are in force now.
	cards CardSet
	// happened are the cards whose event has ever taken place, which is what
	// prerequisites ask for.
	happened CardSet
	// prudence counts how often Prudence was played against each side this turn.
	prudence [2]int8
	// standFast is the side that played Stand Fast, plus 1.
	standFast int8
	// debt is the country of Foreign Currency Debt Burden this turn.
	debt Country
	// wallFallen: "The Wall Must Go!" was won by the Democrat.
	wallFallen bool
	// extraRound: Honecker gives the Communist an eighth round this turn.
	extraRound bool
	// crowdStruck: The Crowd Turns has taken effect.
	crowdStruck bool
	// tyrantGone: The Tyrant is Gone has been resolved; refuge is where the
	// marker lies until the Democrat controls that space.
	tyrantGone bool
	refuge     Space
	// party: the Communist declared the end (card 104).
	party bool
	// announced is the card that Stasi made public for the Democrat's round;
	// stasiFrom is the first round that Stasi applies to.
	announced Card
	stasiFrom int8
	// ceausescu: that event happened in this action round (card 41).
	ceausescu bool
}

// Position is one state of a match, everything hidden included: a flat value,
// copied by assignment.
type Position struct {
	revision uint8
	// extra is what a "+N" match gives the Democrat in set-up, or a bid its side.
	extra   int8
	extraTo Side
	// bids are the bids for sides, by chair (rule 13).
	bids [2]Bid
	// sits says which seat plays each side.
	sits [2]rules.Seat

	turn, round int8
	phase       Phase
	phasing     Side
	vp          int16

	support   [2][spaces]int16
	holds     [2]SpaceSet
	controls  [2]SpaceSet
	destroyed Space

	piles [piles]CardSet
	// known are the cards of each hand that everybody saw get there.
	known     [2]CardSet
	tiananmen [2]Track
	ussr      int8
	power     [countries]Power
	force     inForce

	struggle Struggle
	stack    [frames]Frame
	depth    int8
	// reach is the set of spaces that a placement under way may use (rule 6.1.1
	// fixes it before the first point).
	reach SpaceSet

	question Question
	lastID   uint32
	play     uint32
	stalled  bool
	ending   Ending
	winners  rules.Seats
}

// Struggle is a power struggle under way (rule 8).
type Struggle struct {
	// Country is NoCountry when none is under way.
	Country Country
	// Player played the scoring card, Attacker has the initiative.
	Player, Attacker Side
	Deck             Hand
	Hands            [2]Hand
	// Banned suits can neither attack nor defend.
	Banned [suits]bool
	Raised int8
	// Attack and Suit are the attack that waits for a defence.
	Attack StruggleCard
	Suit   Suit
	// Winner is Neutral until the card play is over.
	Winner Side
	// Won is the suit that the winner won with, or NoSuit.
	Won  Suit
	Lose int8
	// Last marks the struggle of the New Year's Eve Party.
	Last bool
}

// set puts the number of a side's support points in a space and keeps what
// follows from it: who is present and who controls (rule 2.1.7).
func (p *Position) set(side Side, s Space, n int) {
	p.support[side][s] = int16(n)
	if n > 0 {
		p.holds[side].add(s)
	} else {
		p.holds[side].drop(s)
	}
	lead := int(p.support[Democrat][s]) - int(p.support[Communist][s])
	p.controls[Democrat].drop(s)
	p.controls[Communist].drop(s)
	switch st := board[s].Stability; {
	case lead >= st:
		p.controls[Democrat].add(s)
	case -lead >= st:
		p.controls[Communist].add(s)
	}
}

// neighbours returns the spaces adjacent to s. A space destroyed by
// Systematization is gone, and its neighbours are adjacent to each other.
func (p *Position) neighbours(s Space) SpaceSet {
	n := adjacent[s]
	if d := p.destroyed; d != 0 && n.has(d) {
		n = n.or(adjacent[d])
		n.drop(d)
		n.drop(s)
	}
	return n
}

// onMap is every space that exists.
func (p *Position) onMap() SpaceSet {
	all := everywhere
	if p.destroyed != 0 {
		all.drop(p.destroyed)
	}
	return all
}

// move takes a card from one pile to another.
func (p *Position) move(c Card, from, to Pile) {
	p.piles[from].drop(c)
	p.piles[to].add(c)
	if from == PileDemocrat || from == PileCommunist {
		p.known[from-PileDemocrat].drop(c)
	}
	if from == PileDemocrat && c == p.force.announced {
		// It binds no longer, even if it comes back (card 13).
		p.force.announced = 0
	}
}

// awarded reports whether a side has the lasting award of a box: it has entered
// it and the enemy has not (rule 6.3.5).
func (p *Position) awarded(s Side, box int8) bool {
	return p.tiananmen[s].Box >= box && p.tiananmen[s.Enemy()].Box < box
}

// sideOf returns the side that a seat plays, Neutral for spectators.
func (p *Position) sideOf(seat rules.Seat) Side {
	for s := Democrat; s <= Communist; s++ {
		if p.sits[s] == seat {
			return s
		}
	}
	return Neutral
}

// View is what one seat may see: a position in which everything hidden from it
// has been taken out, with the numbers of hidden cards beside it.
type View struct {
	seat rules.Seat
	// p has empty piles where the seat may not look.
	p Position
	// count is how many cards lie in each pile, hidden or not.
	count [piles]int
	// struggleCount is how many power struggle cards each side holds.
	struggleCount [2]int
	// told lists the enemy's cards that the seat knows for certain.
	told CardSet
}
