package engine

import "samizdat/rules"

// Pile is a place where strategy cards lie.
type Pile uint8

// The piles. Every card lies in exactly one.
const (
	PileFuture Pile = iota // holds the cards of periods that have not begun
	PileDeck               // the draw deck
	// PileDemocrat and PileCommunist are the hands.
	PileDemocrat
	PileCommunist
	PileTable // holds the cards being played or resolved now
	PileShown // holds the three cards of box 3 while one is chosen
	PileAside // holds the card put aside by Samizdat (card 77)
	// PileInPlay holds the cards that lie before a side while they last.
	PileInPlay
	PileDiscard
	PileRemoved
	Piles
)

// HandPile returns the pile that is a side's hand.
func HandPile(s Side) Pile { return PileDemocrat + Pile(s) }

// Phase is the current phase of the turn (rule 4.5).
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
	PhaseBid // comes before everything, where sides are bid for
)

var phaseNames = [...]string{"setup", "deal", "goddess", "rounds", "extra check", "verify", "party", "final scoring", "over", "bidding"}

func (p Phase) String() string { return phaseNames[p] }

// Track is a side's state on the Tiananmen Square Track (rule 6.3).
type Track struct {
	Box int8
	// Failed is set once an attempt to enter the next box has failed.
	Failed bool
	// Attempted, UsedBox7 and UsedBox8 report whether the side has used its attempt and the awards of boxes 7
	// and 8 in this turn.
	Attempted, UsedBox7, UsedBox8 bool
}

// Power is the holder of Power in a country, and the number of power struggles in which the holder
// took or kept it. Keeping Power scores by this number (rule 8.4).
type Power struct {
	Held  Side
	Times int8
}

// Ending is the reason for the end of a match.
type Ending uint8

// The endings.
const (
	NotOver          Ending = iota
	AutomaticVictory        // 20 VP (rule 10.1).
	HeldCard                // a scoring card was held at the end of a turn (rule 10.2).
	NewYear                 // the New Year's Eve Party ended the match (rule 10.3).
	FinalScoring            // after turn 10 (rule 10.4).
)

var endingNames = [...]string{"", "automatic victory", "held scoring card", "New Year's Eve Party", "final scoring"}

func (e Ending) String() string { return endingNames[e] }

// Effects holds the lasting effects of events.
type Effects struct {
	// Cards are the cards in force.
	Cards CardSet
	// Happened are the cards whose event has taken place in this match; prerequisites depend on it.
	Happened CardSet
	// Prudence counts how often Prudence was played against each side this turn.
	Prudence [2]int8
	// StandFast is the side that played Stand Fast, plus 1.
	StandFast int8
	// Debt is the country of Foreign Currency Debt Burden this turn.
	Debt Country
	// WallFallen reports whether "The Wall Must Go!" was won by the Democrat.
	WallFallen bool
	// ExtraRound reports whether Honecker gives the Communist an eighth round this turn.
	ExtraRound bool
	// CrowdStruck reports whether The Crowd Turns has taken effect.
	CrowdStruck bool
	// TyrantGone reports whether The Tyrant is Gone has been resolved; Refuge is where the
	// marker lies until the Democrat controls that space.
	TyrantGone bool
	Refuge     Space
	// Party reports whether the Communist declared the end (card 104).
	Party bool
	// Announced is the card that Stasi made public for the Democrat's round;
	// StasiFrom is the first round that Stasi applies to.
	Announced Card
	StasiFrom int8
	// Ceausescu reports whether that event happened in this action round (card 41).
	Ceausescu bool
}

// Position is the state of a match with all hidden facts, a flat value that is copied by assignment. Other packages
// may read its fields. To build a hypothetical position, call SetSupport and Move, which update the dependent fields.
type Position struct {
	revision uint8
	// Extra are the extra points in set-up, from a "+N" match or a bid, and ExtraTo the side that gets them.
	Extra   int8
	ExtraTo Side
	// Bids are the bids for sides, by chair (rule 13).
	Bids [2]Bid
	// SeatOfSide says which seat plays each side.
	SeatOfSide [2]rules.Seat

	Turn, Round int8
	Phase       Phase
	// Phasing is the side of the current action round.
	Phasing Side
	// VP counts in the Democrat's direction.
	VP int16

	// Support are the support points of each side. SetSupport keeps Occupied and Controlled up to date.
	Support    [2][Spaces]int16
	Occupied   [2]SpaceSet
	Controlled [2]SpaceSet
	// Destroyed is the space that Systematization destroyed.
	Destroyed Space

	Piles [Piles]CardSet
	// Known are the publicly known cards of each hand.
	Known     [2]CardSet
	Tiananmen [2]Track
	// USSR is the box of the U.S.S.R. track.
	USSR    int8
	Power   [Countries]Power
	Effects Effects

	Struggle Struggle
	stack    [frames]Frame
	depth    int8
	// Reach is the set of spaces that a placement under way may use (rule 6.1.1 fixes it before the first point).
	Reach SpaceSet

	Question Question
	lastID   uint32
	play     uint32
	stalled  bool
	Ending   Ending
	Winners  rules.Seats
}

// Struggle is a power struggle under way (rule 8).
type Struggle struct {
	// Country is NoCountry when none is under way.
	Country Country
	// Player played the scoring card, Attacker has the initiative.
	Player, Attacker Side
	Deck             StruggleCards
	Hands            [2]StruggleCards
	// Drawn are the cards of the Democrat's hand that Securitate (card 70) has not shown: cards
	// drawn after the start of the struggle.
	Drawn StruggleCards
	// Banned suits can neither attack nor defend.
	Banned [Suits]bool
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

// PlayNumber counts the plays of the match: what follows from a card belongs to its play.
func (p *Position) PlayNumber() uint32 { return p.play }

// SetSupport puts the number of a side's support points in a space and keeps what
// follows from it: who is present and who controls (rule 2.1.7).
func (p *Position) SetSupport(side Side, s Space, n int) {
	p.Support[side][s] = int16(n)
	if n > 0 {
		p.Occupied[side].Add(s)
	} else {
		p.Occupied[side].remove(s)
	}
	lead := int(p.Support[Democrat][s]) - int(p.Support[Communist][s])
	p.Controlled[Democrat].remove(s)
	p.Controlled[Communist].remove(s)
	switch st := board[s].Stability; {
	case lead >= st:
		p.Controlled[Democrat].Add(s)
	case -lead >= st:
		p.Controlled[Communist].Add(s)
	}
}

// Neighbours returns the spaces adjacent to s. A space destroyed by
// Systematization is gone, and its neighbours are adjacent to each other.
func (p *Position) Neighbours(s Space) SpaceSet {
	n := Adjacent[s]
	if d := p.Destroyed; d != 0 && n.Has(d) {
		n = n.Or(Adjacent[d])
		n.remove(d)
		n.remove(s)
	}
	return n
}

// ExistingSpaces returns every space that exists.
func (p *Position) ExistingSpaces() SpaceSet {
	all := everywhere
	if p.Destroyed != 0 {
		all.remove(p.Destroyed)
	}
	return all
}

// Move takes a card from one pile to another.
func (p *Position) Move(c Card, from, to Pile) {
	p.Piles[from].remove(c)
	p.Piles[to].Add(c)
	if from == PileDemocrat || from == PileCommunist {
		p.Known[from-PileDemocrat].remove(c)
	}
	if from == PileDemocrat && c == p.Effects.Announced {
		// It binds no longer, even if it comes back (card 13).
		p.Effects.Announced = 0
	}
}

// HasAward reports whether a side has the lasting award of a box: it has entered
// it and the enemy has not (rule 6.3.5).
func (p *Position) HasAward(s Side, box int8) bool {
	return p.Tiananmen[s].Box >= box && p.Tiananmen[s.Enemy()].Box < box
}

// SideOf returns the side that a seat plays, Neutral for observers.
func (p *Position) SideOf(seat rules.Seat) Side {
	for s := Democrat; s <= Communist; s++ {
		if p.SeatOfSide[s] == seat {
			return s
		}
	}
	return Neutral
}

// View is the information of one seat: a position without the facts hidden from the seat, and the
// numbers of hidden cards.
type View struct {
	seat rules.Seat
	// Visible is the position; the piles hidden from the seat are empty.
	Visible Position
	// PileCounts is how many cards lie in each pile, hidden or not.
	PileCounts [Piles]int
	// StruggleCount is the number of power struggle cards of each side. StrugglePlayed are the
	// revealed power struggle cards: attacks, defences, stakes and discards.
	StruggleCount  [2]int
	StrugglePlayed StruggleCards
	// EnemyHolds are the enemy's cards that the seat knows for certain.
	EnemyHolds CardSet
}

// Revisions of the rules. A match keeps its first revision. The methods below are the only places
// that depend on the revision; ruling numbers are those of docs/rulings.md.
const (
	oldestRevision = 1
	newestRevision = 2
)

// Revision implements rules.Game.
func (Rules) Revision() int { return newestRevision }

// Revision returns the revision of the rules that the match keeps.
func (p *Position) Revision() int { return int(p.revision) }

// reformerDeclines reports whether the player of Reformer Rehabilitated (67) may choose no card (ruling 48).
func (p *Position) reformerDeclines() bool { return p.revision < 2 }

// securitateKeepsShowing reports whether Securitate (70) shows the Communist also the struggle cards that the
// Democrat draws after the beginning (ruling 27).
func (p *Position) securitateKeepsShowing() bool { return p.revision < 2 }

// revoltNeedsPower reports whether the event of Workers Revolt (78) happens only while the enemy has Power in a
// country (ruling 17).
func (p *Position) revoltNeedsPower() bool { return p.revision >= 2 }

// lastStruggleFindsCard reports whether, if the last struggle of the New Year's Eve Party (card 104) ends the
// Communist's Power, the scoring card leaves the game from any pile (ruling 60).
func (p *Position) lastStruggleFindsCard() bool { return p.revision >= 2 }

// handedCardInUse reports whether the card given up for Deutsche Marks (20) is discarded when its Operations are
// done, and not before (ruling 4).
func (p *Position) handedCardInUse() bool { return p.revision >= 2 }
