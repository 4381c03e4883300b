package rulestest

import "samizdat/rules"

// The sizes of the game.
const (
	seats  = 3
	fields = 6
	cards  = 14
	// most is the limit of tokens of a seat in a field.
	most = 3
)

var seatNames = [seats]string{"north", "east", "west"}

// The names are hard to parse: "Millpond" and "Mill Lane" begin alike, "Clear Sky" is a prefix of
// "Clear Sky at Noon", "Hill and Dale" contains a list separator, "Hedge/Ditch" a slash, and "Play
// of Light" a keyword.
var fieldNames = [fields + 1]string{"", "Mill Lane", "Millpond", "Long Acre", "Hill and Dale",
	"Hedge/Ditch", "Swit Meadow"}

var cardNames = [cards + 1]string{"", "First Frost", "Water Wheel", "Sun and Rain", "Clear Sky",
	"Clear Sky at Noon", "Late Bees", "New Year's Fair", "Mill Race", "The Scarecrow", "Barn Owl",
	"Long Drought", "Play of Light", "Rain", "Rainbow"}

// The weathers of a vote.
const (
	sun = iota + 1
	rain
)

var weatherNames = [...]string{"", "SUN", "RAIN"}

// worth returns the number of tokens that a card sows, which is also its points when kept.
func worth(card int) int { return card%3 + 1 }

// weather returns the weather in which a kept card scores.
func weather(card int) int {
	if card%2 == 1 {
		return sun
	}
	return rain
}

// kindDraw is the kind of all card draws, from the deck and from hands.
const kindDraw = "draw weather"

// The reasons of chance outcomes.
const (
	reasonDeal rules.Reason = iota + 1
	reasonFirst
	reasonRipen
	reasonTake
)

var reasons = map[rules.Reason]string{
	reasonDeal:  "first deal",
	reasonFirst: "who begins",
	reasonRipen: "ripening",
	reasonTake:  "a card out of the next seat's hand",
}

// verb is the action of an atom. An atom is a verb and a value: a field, a card or a weather.
type verb uint8

const (
	verbPlay verb = iota + 1
	verbSow
	verbWater
	verbClear
	verbKeep
	verbVote
	verbPass
	verbStop
)

func atom(v verb, value int) rules.Atom { return rules.Atom(uint32(v)<<16 | uint32(value)) }

func verbOf(a rules.Atom) verb { return verb(a >> 16) }
func valueOf(a rules.Atom) int { return int(a & 0xffff) }

var (
	pass = atom(verbPass, 0)
	stop = atom(verbStop, 0)
)

// The kinds of decisions.
const (
	kindPlay  = "play"
	kindSow   = "sow"
	kindWater = "water"
	kindClear = "clear"
	kindKeep  = "keep"
	kindVote  = "vote"
)
