package engine

import "samizdat/rules"

// Pile is a place for strategy cards.
type Pile uint8

// The piles. Every card is in exactly one pile, and Piles is their number.
const (
	PileFuture Pile = iota // the cards of later periods
	PileDeck               // the draw deck
	// PileDemocrat and PileCommunist are the hands.
	PileDemocrat
	PileCommunist
	PileTable // holds the cards being played or resolved now
	PileShown // holds the cards drawn for box 3, until the side has chosen a card
	PileAside // holds the card put aside by Samizdat (card 77)
	// PileInPlay has the cards with a lasting effect.
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
	PhaseExchange
	PhaseRounds
	PhaseFreeCheck
	PhaseHeldCards
	PhaseFinalStruggle
	PhaseFinal
	PhaseOver
	PhaseBid // comes first in matches with bids for sides
)

// phaseNames are the names of the phases in stored positions. They must never change.
var phaseNames = [...]string{"setup", "deal", "goddess", "rounds", "extra check", "verify", "party", "final scoring", "over", "bidding"}

func (p Phase) String() string { return phaseNames[p] }

// Track is the state of a side on the Tiananmen Square Track (rule 6.3).
type Track struct {
	Box int8
	// Failed is set after a failed attempt to enter the next box.
	Failed bool
	// Attempted is set after the side's attempt of this turn. UsedBox7 and UsedBox8 are set after the side has used
	// the award of box 7 or 8 in this turn.
	Attempted, UsedBox7, UsedBox8 bool
}

// Power says which side has Power in a country. Struggles counts the power struggles there that left this side with
// Power. The VP for keeping Power grow with this number (rule 8.4).
type Power struct {
	Holder    Side
	Struggles int8
}

// Ending is the reason for the end of a match.
type Ending uint8

// The endings.
const (
	NotOver          Ending = iota
	AutomaticVictory        // 20 VP (rule 10.1)
	HeldCard                // a scoring card was held at the end of a turn (rule 10.2)
	NewYear                 // the New Year's Eve Party ended the match (rule 10.3)
	FinalScoring            // after turn 10 (rule 10.4)
)

var endingNames = [...]string{"", "automatic victory", "held scoring card", "New Year's Eve Party", "final scoring"}

func (e Ending) String() string { return endingNames[e] }

// Effects holds the lasting effects of events.
type Effects struct {
	// Cards are the cards with a lasting effect that is in force.
	Cards CardSet
	// PastEvents are the cards whose events have taken place in this match. Other events may need or forbid them (see
	// Needs and ForbiddenBy).
	PastEvents CardSet
	// Prudence counts, for each side, how often Prudence (card 8) was played against it this turn.
	Prudence [2]int8
	// StandFast is 1 plus the side that played Stand Fast (card 100) this turn, or 0.
	StandFast int8
	// DebtCountry is the country where the Communist may not check this turn (card 49).
	DebtCountry Country
	// WallFallen reports whether the event of The Wall Must Go! (card 86) has succeeded.
	WallFallen bool
	// ExtraRound reports whether Honecker (card 15) gives the Communist an eighth action round this turn.
	ExtraRound bool
	// CrowdStruck reports whether The Crowd Turns (card 54) has taken effect.
	CrowdStruck bool
	// TyrantGone reports whether The Tyrant is Gone (card 97) has taken effect. Refuge is the space of the Tyrant's
	// marker, or 0. The marker is captured when the Democrat controls this space.
	TyrantGone bool
	Refuge     Space
	// EndDeclared reports whether the Communist declared that the match ends with this turn (card 104).
	EndDeclared bool
	// AnnouncedCard is the card that the Democrat has announced under Stasi (card 13) and must play in this round, or
	// 0. StasiFrom is the first round in which Stasi demands an announcement.
	AnnouncedCard Card
	StasiFrom     int8
	// CeausescuPending reports whether the last effect of card 41 must still take place, at the end of this action
	// round (see resolveCeausescu).
	CeausescuPending bool
}

// Position is the state of a match with all hidden facts. It contains no pointers, so an assignment copies it. Other
// packages may read its fields. On a copy they may try out changes with SetSupport and Move, which also update fields
// that follow from others, for example Controlled.
type Position struct {
	revision uint8
	// ExtraPoints is the number of additional support points at the end of set-up, from OptionExtra or from a bid.
	// ExtraSide is the side that places them.
	ExtraPoints int8
	ExtraSide   Side
	// Bids are the bids for sides, by chair (rule 13).
	Bids       [2]Bid
	SeatOfSide [2]rules.Seat

	Turn, Round int8
	Phase       Phase
	// Phasing is the side of the current action round.
	Phasing Side
	// VP are the victory points. Positive VP are good for the Democrat.
	VP int16

	// Support has the support points of each side in each space. Occupied are the spaces where a side has support, and
	// Controlled those that it controls; SetSupport computes both.
	Support    [2][Spaces]int16
	Occupied   [2]SpaceSet
	Controlled [2]SpaceSet
	// Destroyed is the space that Systematization (card 69) destroyed, or 0.
	Destroyed Space

	Piles [Piles]CardSet
	// KnownCards are the cards of each hand that the enemy knows for certain.
	KnownCards [2]CardSet
	Tiananmen  [2]Track
	// USSR is the box of the marker on the U.S.S.R. track, an index of USSRNames.
	USSR    int8
	Power   [Countries]Power
	Effects Effects

	Struggle Struggle
	stack    [maxDepth]Frame
	depth    int8
	// Reach is the set of spaces where the current Operations may place points. It is computed before the first point
	// and then stays the same (rule 6.1.1).
	Reach SpaceSet

	Question   Question
	lastID     uint32
	playNumber uint32
	stalled    bool
	Ending     Ending
	Winners    rules.Seats
}

// Struggle is the current power struggle (rule 8).
type Struggle struct {
	// Country is NoCountry if there is no power struggle.
	Country Country
	// StartedBy is the side that played the scoring card. Attacker is the side with the initiative.
	StartedBy, Attacker Side
	Deck                StruggleCards
	Hands               [2]StruggleCards
	// Drawn are cards of the Democrat's hand that were drawn after the start of the struggle. Under Securitate (card
	// 70) the Communist sees the Democrat's hand, but not these cards.
	Drawn StruggleCards
	// Banned is set for suits that can no longer be used to attack.
	Banned [Suits]bool
	Stakes int8
	// Attack is the card that the attacker has played and the defender must match, and Suit is its suit.
	Attack StruggleCard
	Suit   Suit
	// Winner is the side that has won the play of cards, or Neutral before.
	Winner Side
	// WinningSuit is the suit of the winning card, or NoSuit.
	WinningSuit  Suit
	PointsToLose int8
	// IsFinal marks the struggle at the end of the match (card 104).
	IsFinal bool
}

// PlayNumber is the number of the current play. A play consists of all decisions that follow from a played card, for
// example its event and its Operations.
func (p *Position) PlayNumber() uint32 { return p.playNumber }

// SetSupport sets the support points of a side in a space, and updates Occupied and Controlled (rule 2.1.7).
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
	switch stability := spaceInfos[s].Stability; {
	case lead >= stability:
		p.Controlled[Democrat].Add(s)
	case -lead >= stability:
		p.Controlled[Communist].Add(s)
	}
}

// Neighbours returns the spaces adjacent to s. If a space is destroyed, its neighbours are adjacent to each other
// (card 69).
func (p *Position) Neighbours(s Space) SpaceSet {
	neighbours := Adjacent[s]
	if destroyed := p.Destroyed; destroyed != 0 && neighbours.Has(destroyed) {
		neighbours = neighbours.Or(Adjacent[destroyed])
		neighbours.remove(destroyed)
		neighbours.remove(s)
	}
	return neighbours
}

// ExistingSpaces returns all spaces that are not destroyed.
func (p *Position) ExistingSpaces() SpaceSet {
	all := allSpaces
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
		p.KnownCards[from-PileDemocrat].remove(c)
	}
	if from == PileDemocrat && c == p.Effects.AnnouncedCard {
		// The announcement ends, even if the card comes back (card 13).
		p.Effects.AnnouncedCard = 0
	}
}

// HasAward reports whether a side has the lasting award of a box: the side has reached the box, and the enemy has not
// (rule 6.3.5).
func (p *Position) HasAward(s Side, box int8) bool {
	return p.Tiananmen[s].Box >= box && p.Tiananmen[s.Enemy()].Box < box
}

// SideOf returns the side that a seat plays, or Neutral for observers.
func (p *Position) SideOf(seat rules.Seat) Side {
	for s := Democrat; s <= Communist; s++ {
		if p.SeatOfSide[s] == seat {
			return s
		}
	}
	return Neutral
}

// View is the information of a seat: a position without the facts hidden from the seat, and how many cards each
// hidden pile has.
type View struct {
	seat rules.Seat
	// Visible is the position; the piles hidden from the seat are empty.
	Visible Position
	// PileCounts says how many cards each pile has, hidden or not.
	PileCounts [Piles]int
	// StruggleCounts says how many power struggle cards each hand has. StrugglePlayed are the power struggle cards
	// that have left the deck and the hands; all are public.
	StruggleCounts [2]int
	StrugglePlayed StruggleCards
	// KnownEnemyCards are the enemy's cards that the seat knows for certain.
	KnownEnemyCards CardSet
}

// Revisions of the rules. A match keeps the revision with which it began. Rules that differ between revisions are in
// the methods below, and are checked nowhere else; docs/rulings.md explains the ruling numbers.
const (
	oldestRevision = 1
	newestRevision = 2
)

// Revision implements rules.Engine.
func (Rules) Revision() int { return newestRevision }

// Revision returns the revision of the rules that the match keeps.
func (p *Position) Revision() int { return int(p.revision) }

// mayDeclineReformer reports whether the side that plays Reformer Rehabilitated (card 67) may choose no card (ruling
// 48).
func (p *Position) mayDeclineReformer() bool { return p.revision < 2 }

// isSecuritateShowingDraws reports whether Securitate (card 70) shows the Communist also those power struggle cards
// that the Democrat draws during the struggle (ruling 27).
func (p *Position) isSecuritateShowingDraws() bool { return p.revision < 2 }

// isPowerNeededForRevolt reports whether the event of Workers Revolt (card 78) can happen only while the enemy has
// Power in a country (ruling 17).
func (p *Position) isPowerNeededForRevolt() bool { return p.revision >= 2 }

// isCardRemovedFromAnyPile reports from where a scoring card leaves the game if the last struggle (card 104) ends the
// Communist's Power in its country: from any pile (true), or only from the discard pile (ruling 60).
func (p *Position) isCardRemovedFromAnyPile() bool { return p.revision >= 2 }

// isHandedCardKeptOnTable reports whether a card that is handed over because of Deutsche Marks (card 20) stays on the
// table during its Operations (ruling 4).
func (p *Position) isHandedCardKeptOnTable() bool { return p.revision >= 2 }
