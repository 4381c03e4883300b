package letter

import (
	"slices"

	"samizdat/rules"
)

// Word names an order to the host.
type Word string

// The words that are known beyond the table.
const (
	Status    Word = "STATUS"
	Resend    Word = "RESEND"
	Again     Word = "RESEND LETTER"
	History   Word = "HISTORY"
	Stats     Word = "STATS"
	Hand           = Word(rules.QueryHand)
	Position  Word = "POSITION"
	Record    Word = "RECORD"
	Witness   Word = "WITNESS"
	Rules     Word = "RULES"
	Card      Word = "CARD"
	HelpWord  Word = "HELP"
	TakeBack  Word = "TAKEBACK"
	Now       Word = "NOW"
	Message   Word = "MESSAGE"
	Ask       Word = "ASK"
	Join      Word = "JOIN"
	Open      Word = "OPEN"
	CallMe    Word = "CALL ME"
	Observe   Word = "OBSERVE"
	Unobserve Word = "UNOBSERVE"
	Yes       Word = "YES"
	No        Word = "NO"
	Preview   Word = "PREVIEW"
	Resign    Word = "RESIGN"
	Decline   Word = "DECLINE"
	Draw      Word = "DRAW"
	Abort     Word = "ABORT"
	Pause     Word = "PAUSE"
	// FormatWord begins the orders that say what letters are to be.
	FormatWord Word = "FORMAT"
	// Surely stands behind an order of the game that would lose something on the spot.
	Surely = "SURELY"
)

// Table lists the host's orders, as HELP lists them.
var Table = []*Entry{
	status, resend, drop, help, card, next, answer, show, cancel, preview,
	history, stats, hand, discards, theMap, bigMap, topic, position, theRecord, witness,
	takeback, grace, delay, again, message, operator, call, format, timeZone, vacation, newToken, address, plain, language,
	observe, unobserve, now, draw, abort, pause, resign, claim, give, join, open, decline, yes, no,
}

// Help lists the orders that a game's matches understand, as HELP shows them.
func Help(g rules.Game) []Form {
	var out []Form
	for _, e := range Table {
		for _, f := range e.Help {
			if f.In == nil {
				f.In = e.In
			}
			if f.In == nil || f.In(g) {
				out = append(out, f)
			}
		}
	}
	return out
}

// hostLanguage is a game's language with those of the host's orders that are read like the
// game's own.
type hostLanguage struct{ rules.Game }

// Keywords implements rules.Language.
func (l hostLanguage) Keywords() []rules.Keyword {
	out := slices.Clone(l.Game.Keywords())
	for _, e := range Table {
		if e.Keyword != nil && (e.In == nil || e.In(l.Game)) {
			k := *e.Keyword
			k.Word, k.Verb, k.Exact = string(e.Word), true, k.Exact || e.Alone
			out = append(out, k)
		}
	}
	return out
}

// Verbs lists what the game's own orders begin with.
func Verbs(g rules.Game) []string {
	var out []string
	for _, k := range g.Keywords() {
		if k.Verb {
			out = append(out, k.Word)
		}
	}
	return out
}

// is reports whether a game is of a sort that an order is for.
func is[Sort any](g rules.Game) bool { _, ok := g.(Sort); return ok }

// keepsOrders reports whether players of a game may write orders for later.
func keepsOrders(g rules.Game) bool { return is[rules.Planner](g) || is[rules.Foreseer](g) }

// sendsPositions reports whether positions of a game can be sent as data: whether what a
// seat sees can be read back, and the rest be imagined.
func sendsPositions(g rules.Game) bool { return is[rules.ViewReader](g) && is[rules.Imaginer](g) }
