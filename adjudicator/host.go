package adjudicator

import "samizdat/rules"

// The host's verbs, which every match understands.
const (
	verbJoin   = "JOIN"
	verbStatus = "STATUS"
	verbResend = "RESEND"
	verbHelp   = "HELP"
)

// language is a game's language with the host's verbs.
type language struct{ rules.Game }

// Keywords adds the verbs that take nothing. JOIN is read by itself, since
// anything may stand behind it.
func (l language) Keywords() []rules.Keyword {
	host := []rules.Keyword{{Word: verbStatus, Verb: true}, {Word: verbResend, Verb: true}, {Word: verbHelp, Verb: true}}
	return append(host, l.Game.Keywords()...)
}
