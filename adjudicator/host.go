package adjudicator

import (
	"slices"

	"samizdat/rules"
)

// The host's verbs, which every match understands.
const (
	verbJoin   = "JOIN"
	verbStatus = "STATUS"
	verbResend = "RESEND"
	verbHelp   = "HELP"
	verbDrop   = "DROP"
	verbCard   = "CARD"
	// NOW carries out what GRACE holds back.
	verbNow = "NOW"
	// Orders ahead are shown and cancelled; PREVIEW and SURELY stand beside others.
	verbShow    = "SHOW ORDERS"
	verbCancel  = "CANCEL ORDERS"
	verbPreview = "PREVIEW"
	wordSurely  = "SURELY"
	// These two are known only to be refused in plain words.
	verbResign  = "RESIGN"
	verbMessage = "MESSAGE"
)

// language is a game's language with the host's verbs.
type language struct{ rules.Game }

// Keywords adds the verbs that take nothing, and CARD where there are cards.
// JOIN and MESSAGE are read by themselves, since anything may stand behind them.
func (l language) Keywords() []rules.Keyword {
	out := slices.Clone(l.Game.Keywords())
	for _, v := range []string{verbStatus, verbResend, verbHelp, verbDrop, verbShow, verbCancel, verbNow, verbResign} {
		out = append(out, rules.Keyword{Word: v, Verb: true, Exact: v == verbResign || v == verbNow})
	}
	if hasCards(l.Game) {
		out = append(out, rules.Keyword{Word: verbCard, Verb: true, Takes: []rules.NameKind{rules.CardName}})
	}
	return out
}

// hasCards reports whether a game has cards that can be asked about.
func hasCards(g rules.Game) bool {
	_, ok := g.(rules.Cards)
	return ok
}

// verbs lists what the game's own orders begin with.
func verbs(g rules.Game) []string {
	var out []string
	for _, k := range g.Keywords() {
		if k.Verb {
			out = append(out, k.Word)
		}
	}
	return out
}
