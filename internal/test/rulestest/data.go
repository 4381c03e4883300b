package rulestest

import "samizdat/rules"

// The sizes of the game.
const (
	seats  = 3
	fields = 6
	cards  = 14
	// most is how many tokens a seat may have in one field.
	most = 3
)

var seatNames = [seats]string{"north", "east", "west"}

// The names are chosen to be awkward: one is the beginning of another, some
// hold keywords, a list separator, an accent or a stroke.
var fieldNames = [fields + 1]string{"", "Mill Lane", "Millpond", "Long Acre", "Hill and Dale",
	"Hedge/Ditch", "Swit Meadow"}

var cardNames = [cards + 1]string{"", "First Frost", "Water Wheel", "Sun and Rain", "Clear Sky",
	"Clear Sky at Noon", "Late Bees", "New Year's Fair", "Mill Race", "The Scarecrow", "Barn Owl",
	"Long Drought", "Play of Light", "Rain", "Rainbow"}

// The weathers that are voted for.
const (
	sun = iota + 1
	rain
)

var weatherNames = [...]string{"", "SUN", "RAIN"}

// worth is how many tokens a card sows, and its points when it is kept.
func worth(card int) int { return card%3 + 1 }

// weather is the weather whose card it is.
func weather(card int) int {
	if card%2 == 1 {
		return sun
	}
	return rain
}

// kindDraw is the kind of the deck's outcomes, also of those out of a hand.
const kindDraw = "draw weather"

// What outcomes are for.
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

// verb is what an atom does. An atom is a verb and a value: a field, a card or
// a weather.
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
