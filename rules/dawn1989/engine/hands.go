package engine

import (
	"strings"
)

// StruggleCard is a kind of power struggle card: equal cards are one kind. The
// kinds stand in the documented order of the power struggle deck, in which an
// outcome of chance counts (each kind as often as there are cards of it).
type StruggleCard uint8

// StruggleKinds is how many kinds of power struggle cards there are.
const StruggleKinds = 20

// The power struggle cards that rules name.
const (
	Rally          StruggleCard = 0
	SupportFalters StruggleCard = 16
	SupportSurges  StruggleCard = 17
	ScareTactics   StruggleCard = 18
	TacticFails    StruggleCard = 19
)

// Suit is a suit of power struggle cards (rule 2.3.2); NoSuit is none.
type Suit uint8

// The suits.
const (
	NoSuit Suit = iota
	RallySuit
	StrikeSuit
	MarchSuit
	PetitionSuit
	Suits
)

var suitNames = [...]string{"", "Rally", "Strike", "March", "Petition"}

func (s Suit) String() string { return suitNames[s] }

// StruggleInfo is what is printed on a power struggle card.
type StruggleInfo struct {
	Name string
	// Suit is NoSuit for leaders and wild cards.
	Suit Suit
	// Rank is what the counterattack's die must reach (rule 8.3.2).
	Rank int
	// Leader cards are usable with a controlled space of type Kind.
	Leader bool
	Kind   Kind
	Copies int
}

// Info returns what is printed on the card.
func (c StruggleCard) Info() *StruggleInfo { return &struggleCards[c] }

func (c StruggleCard) String() string { return struggleCards[c].Name }

var (
	struggleCards      [StruggleKinds]StruggleInfo
	struggleCardByName = map[string]StruggleCard{}
	// WholeStruggleDeck is the power struggle deck before any card is dealt.
	WholeStruggleDeck Hand
)

func init() {
	for i, r := range table("data/struggle.csv") {
		c := StruggleInfo{Name: r["name"], Rank: number(r["rank"]), Copies: number(r["copies"])}
		for s := RallySuit; s < Suits; s++ {
			if strings.EqualFold(s.String(), r["suit"]) {
				c.Suit = s
			}
		}
		if strings.HasSuffix(c.Name, " Leader") {
			c.Leader, c.Kind = true, Kind(indexOf(kindNames[:], r["suit"]))
		}
		struggleCards[i] = c
		struggleCardByName[c.Name] = StruggleCard(i)
		WholeStruggleDeck[i] = uint8(c.Copies)
	}
}

// Hand is a pile of power struggle cards: how many of each kind.
type Hand [StruggleKinds]uint8

// Len counts the cards.
func (h *Hand) Len() int {
	n := 0
	for _, c := range h {
		n += int(c)
	}
	return n
}

// list names each card of the pile.
func (h Hand) list() []StruggleCard {
	var out []StruggleCard
	for k, n := range h {
		for range n {
			out = append(out, StruggleCard(k))
		}
	}
	return out
}
