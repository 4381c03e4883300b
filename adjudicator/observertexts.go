package adjudicator

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// note lays a short text out: a paragraph a line.
func note(mark string, paragraphs ...string) string {
	out := mark + "\n"
	for _, p := range paragraphs {
		out += "\n" + templates.Wrap(p) + "\n"
	}
	return out
}

// indented is what stands apart from the text around it.
func indented(text string) string { return "\n    " + text + "\n" }

// offerText asks an address whether it wants to observe. It is the same whether there
// is such a match or not.
func offerText(mark, match string) string {
	return note(mark, "Somebody, probably you, has asked Samizdat, a referee of board games by mail, for the letters to spectators of the match") +
		indented(match) + strings.TrimPrefix(note("", "If it was you, reply to this letter from the address that it came to, and write in the first line"), "\n") +
		indented("YES") + strings.TrimPrefix(note("", "If it was not you, do nothing. You are asked no more than once a day, and nothing else comes."), "\n")
}

// confirmText reminds somebody who has answered offerText with something else.
func confirmText(mark string) string {
	return note(mark, "To watch the match, reply with YES on a line by itself; to watch another one, with OBSERVE and its name. Nothing else is understood here. "+
		"If you do not want to watch, do nothing.")
}

// unwatchableText answers YES for a match that cannot be observed, whatever the
// reason.
func unwatchableText(mark, match string) string {
	return note(mark, fmt.Sprintf("There is no match %s that you could watch. Either the name is wrong, or its players play for themselves, or the match is over, "+
		"or too many watch already.", match),
		"To watch another match, reply with OBSERVE and its name, as the subjects of its letters show it at their end, in brackets.")
}

func watchesText(mark, match string) string {
	return note(mark, fmt.Sprintf("You watch match %s already. A reply with UNOBSERVE to one of its letters ends that.", match))
}

func playsText(mark, match string) string {
	return note(mark, fmt.Sprintf("You play in match %s. Your own letters tell you what spectators are told, and more.", match))
}

func farewellText(mark, match string) string {
	return note(mark, fmt.Sprintf("You do not watch match %s any more. Nothing more of it will come, not even what waited to be sent.", match))
}

// notProvedText answers an observer who wants to leave and has not proved who he is.
func notProvedText(mark string) string {
	return note(mark, "Your letter asks for an end of letters to spectators, but it does not answer one of them. Please reply to the newest with UNOBSERVE, "+
		"from the address that it came to.")
}

// observersHelp is what an observer may write.
const observersHelp = `An observer may write, a line each: STATUS for how the match stands, HISTORY or HISTORY 2 for what happened in a turn, MAP, MAP BIG, ` +
	`DISCARDS, CARD 14, RULES and RULES turn, as far as the game has them; HELP for this; UNOBSERVE to watch no longer.`

// welcomeObserver is the part of a first letter that says what the reader has asked for.
func welcomeObserver(c *match.Turn) rules.Section {
	text := fmt.Sprintf("You watch match %s of %s from now on. When something happens that everybody may see, you get a letter like this one. ", c.Match.ID, c.Game.Title())
	if c.Match.ObserverPolicy.Delay > 0 {
		text += fmt.Sprintf("As its players have agreed, you are told everything %s later than it happened, the match as it stands now too. ",
			c.Match.ObserverPolicy.DelayWords())
	} else if c.After == nil {
		text += "The match has not begun. "
	}
	lines := paragraphs(text + "What is hidden stays hidden, and what players write to each other is not passed on.\n" + observersHelp)
	if c.Match.Recorded == nil {
		lines = append(lines, "", "The dice come from a secret that this number binds, its SHA-256:", "", "    "+c.Match.Secret.Commitment(), "")
		lines = append(lines, paragraphs("When the match is over the secret is published.")...)
	}
	return rules.Section{Title: "You watch", Lines: lines}
}

// observersText tells an invited player that the match may be observed; JOIN accepts
// it. It says nothing where nobody may.
func observersText(referee string, m *Match) string {
	if !m.ObserverPolicy.Allowed {
		return ""
	}
	when := "as soon as it happens"
	if m.ObserverPolicy.Delay > 0 {
		when = m.ObserverPolicy.DelayWords() + " after it happened"
	}
	return "\n" + templates.Wrap(fmt.Sprintf("This match may be watched. Who knows its name can write OBSERVE %s to %s and is then told what everybody may see, %s. "+
		"With JOIN you accept that. Spectators are told the names of the players; none sees hidden cards, sealed answers, messages between players or addresses.",
		m.ID, referee, when)) + "\n"
}

// lastWords end the last letter to observers.
const lastWords = "This is the last letter about the match. The referee can export its record, which holds every order, die and card from the beginning: " +
	"everybody can play it again and check it."
