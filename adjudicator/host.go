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
	// These two are known only to be refused in plain words.
	verbResign  = "RESIGN"
	verbMessage = "MESSAGE"
)

// language is a game's language with the host's verbs.
type language struct{ rules.Game }

// Keywords adds the verbs that take nothing. JOIN and MESSAGE are read by
// themselves, since anything may stand behind them.
func (l language) Keywords() []rules.Keyword {
	out := slices.Clone(l.Game.Keywords())
	for _, v := range []string{verbStatus, verbResend, verbHelp, verbDrop, verbResign} {
		out = append(out, rules.Keyword{Word: v, Verb: true})
	}
	return out
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
