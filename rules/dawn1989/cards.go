package dawn1989

import "math/bits"

// Card is a strategy card, named by its printed number (1 to 110); 0 is none.
type Card uint8

const cards = 111

// Period is one of the three decks of strategy cards (rule 2.2, 4.4).
type Period uint8

// The periods.
const (
	Early Period = iota
	Middle
	Late
)

var periodNames = [...]string{"early", "middle", "late"}

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
	// Text tells the event in our own words, short enough for a letter. Whoever
	// resolves the event places his own points, removes the enemy's and checks
	// with the card's Ops.
	Text string
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

var (
	deck         [cards]CardInfo
	inPeriod     [3]CardSet
	scoringCards CardSet
	scoringCard  [countries]Card
	// redTitles are the cards that card 46 can find (rule 2.2.6).
	redTitles CardSet
	// starOf are the cards of each side's star.
	starOf [3]CardSet
	// lastsForTurn are the cards whose effects end with the turn.
	lastsForTurn CardSet
)

func init() {
	texts := map[string]string{}
	for _, r := range table("data/texts.csv") {
		texts[r["number"]] = r["text"]
	}
	for _, r := range table("data/cards.csv") {
		n := Card(number(r["number"]))
		c := CardInfo{
			Name: r["name"], Period: Period(indexOf(periodNames[:], r["period"])),
			Side: Side(indexOf(sideNames[:], r["side"])), Scoring: scoringOf[n],
			Asterisk: r["asterisk"] == "yes", Red: r["red"] == "yes",
			Lasts: Duration(indexOf(durationNames[:], r["duration"])), Text: texts[r["number"]],
		}
		if c.Scoring != NoCountry {
			scoringCards.add(n)
			scoringCard[c.Scoring] = n
		} else {
			c.Ops = number(r["ops"])
		}
		if c.Red {
			redTitles.add(n)
		}
		deck[n] = c
		starOf[c.Side].add(n)
		inPeriod[c.Period].add(n)
		if c.Lasts == ForTurn {
			lastsForTurn.add(n)
		}
	}
}

// CardSet is a set of strategy cards. A pile of cards is a set: its documented
// order, in which an outcome of chance counts, is by number.
type CardSet [2]uint64

func (a *CardSet) add(c Card)           { a[c>>6] |= 1 << (c & 63) }
func (a *CardSet) drop(c Card)          { a[c>>6] &^= 1 << (c & 63) }
func (a CardSet) has(c Card) bool       { return a[c>>6]>>(c&63)&1 != 0 }
func (a CardSet) or(b CardSet) CardSet  { return CardSet{a[0] | b[0], a[1] | b[1]} }
func (a CardSet) and(b CardSet) CardSet { return CardSet{a[0] & b[0], a[1] & b[1]} }
func (a CardSet) minus(b CardSet) CardSet {
	return CardSet{a[0] &^ b[0], a[1] &^ b[1]}
}
func (a CardSet) len() int    { return bits.OnesCount64(a[0]) + bits.OnesCount64(a[1]) }
func (a CardSet) empty() bool { return a[0]|a[1] == 0 }

// next removes the smallest card from the set and returns it; 0 when empty.
func (a *CardSet) next() Card {
	for i := range a {
		if a[i] != 0 {
			n := bits.TrailingZeros64(a[i])
			a[i] &= a[i] - 1
			return Card(i*64 + n)
		}
	}
	return 0
}

// numbers lists the set in ascending order.
func (a CardSet) numbers() []int {
	out := make([]int, 0, a.len())
	for c := a.next(); c != 0; c = a.next() {
		out = append(out, int(c))
	}
	return out
}
