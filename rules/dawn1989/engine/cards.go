package engine

import "math/bits"

// Card is a strategy card, named by its printed number (1 to 110); 0 is none.
type Card uint8

// Cards is one more than the highest number of a card.
const Cards = 111

// Period is one of the three decks of strategy cards (rule 2.2, 4.4).
type Period uint8

// The periods.
const (
	Early Period = iota
	Middle
	Late
)

// PeriodNames are the periods by Period.
var PeriodNames = [...]string{"early", "middle", "late"}

// period returns the period that a turn belongs to (rule 4.1).
func period(turn int) Period {
	switch {
	case turn <= 3:
		return Early
	case turn <= 7:
		return Middle
	}
	return Late
}

// CardInfo is what is printed on a strategy card.
type CardInfo struct {
	Name   string
	Ops    int
	Period Period
	Side   Side
	// Scoring is the country of a scoring card.
	Scoring Country
	// Asterisk cards leave the game when their event takes place (rule 2.2.4).
	Asterisk bool
	// Red titles are prerequisites of other events (rule 2.2.6).
	Red bool
	// Lasts says how long the card lies in play after its event.
	Lasts Duration
}

// Duration is how long an event is in force (rule 7.2).
type Duration uint8

// The durations.
const (
	Instant Duration = iota
	ForTurn
	ForGame
	UntilUsed
	UntilCancelled
)

var durationNames = [...]string{"instant", "turn", "game", "until_used", "until_cancelled"}

// Info returns what is printed on the card.
func (c Card) Info() *CardInfo { return &deck[c] }

func (c Card) String() string { return deck[c].Name }

var scoringOf = map[Card]Country{
	PolandScoring: Poland, HungaryScoring: Hungary, EastGermanyScoring: EastGermany,
	BulgariaScoring: Bulgaria, CzechoslovakiaScoring: Czechoslovakia, RomaniaScoring: Romania,
}

// The cards. Like the map they are read where they are declared.
var (
	theCards     = readCards()
	deck         = theCards.deck
	InPeriod     = theCards.inPeriod
	ScoringCards = theCards.scoring
	ScoringCard  = theCards.scoringOf
	redTitles    = theCards.red
	starOf       = theCards.starOf
	lastsForTurn = theCards.forTurn
)

type cardData struct {
	deck      [Cards]CardInfo
	inPeriod  [3]CardSet
	scoring   CardSet
	scoringOf [Countries]Card
	// red are the cards that card 46 can find (rule 2.2.6).
	red CardSet
	// starOf are the cards of each side's star.
	starOf [3]CardSet
	// forTurn are the cards whose effects end with the turn.
	forTurn CardSet
}

func readCards() *cardData {
	d := &cardData{}
	for _, r := range table("data/cards.csv") {
		n := Card(number(r["number"]))
		c := CardInfo{
			Name: r["name"], Period: Period(indexOf(PeriodNames[:], r["period"])),
			Side: Side(indexOf(sideNames[:], r["side"])), Scoring: scoringOf[n],
			Asterisk: r["asterisk"] == "yes", Red: r["red"] == "yes",
			Lasts: Duration(indexOf(durationNames[:], r["duration"])),
		}
		if c.Scoring != NoCountry {
			d.scoring.Add(n)
			d.scoringOf[c.Scoring] = n
		} else {
			c.Ops = number(r["ops"])
		}
		if c.Red {
			d.red.Add(n)
		}
		d.deck[n] = c
		d.starOf[c.Side].Add(n)
		d.inPeriod[c.Period].Add(n)
		if c.Lasts == ForTurn {
			d.forTurn.Add(n)
		}
	}
	return d
}

// CardSet is a set of strategy cards. A pile of cards is a set: its documented
// order, in which an outcome of chance counts, is by number.
type CardSet [2]uint64

// Add takes a card in.
func (a *CardSet) Add(c Card) { a[c>>6] |= 1 << (c & 63) }

func (a *CardSet) drop(c Card) { a[c>>6] &^= 1 << (c & 63) }

// Has reports whether a card is in the set.
func (a CardSet) Has(c Card) bool { return a[c>>6]>>(c&63)&1 != 0 }

// And is what is in both sets.
func (a CardSet) And(b CardSet) CardSet { return CardSet{a[0] & b[0], a[1] & b[1]} }

// Or is what is in either set.
func (a CardSet) Or(b CardSet) CardSet { return CardSet{a[0] | b[0], a[1] | b[1]} }

// Minus is what is in the set and not in the other.
func (a CardSet) Minus(b CardSet) CardSet { return CardSet{a[0] &^ b[0], a[1] &^ b[1]} }

// Len counts the cards.
func (a CardSet) Len() int { return bits.OnesCount64(a[0]) + bits.OnesCount64(a[1]) }

// Empty reports whether nothing is in the set.
func (a CardSet) Empty() bool { return a[0]|a[1] == 0 }

// Next removes the smallest card from the set and returns it; 0 when empty.
func (a *CardSet) Next() Card {
	for i := range a {
		if a[i] != 0 {
			n := bits.TrailingZeros64(a[i])
			a[i] &= a[i] - 1
			return Card(i*64 + n)
		}
	}
	return 0
}

// List is the set in ascending order.
func (a CardSet) List() []Card {
	var out []Card
	for c := a.Next(); c != 0; c = a.Next() {
		out = append(out, c)
	}
	return out
}

// Numbers lists the set in ascending order.
func (a CardSet) Numbers() []int {
	out := make([]int, 0, a.Len())
	for c := a.Next(); c != 0; c = a.Next() {
		out = append(out, int(c))
	}
	return out
}
