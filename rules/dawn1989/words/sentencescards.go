package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sentences about cards, hands and turns.

func turnBegan(a args) string { return fmt.Sprintf("Turn %d begins.", a.n(0)) }

func reshuffled(a args) string {
	return fmt.Sprintf("The draw deck is used up; the new one has the %s.", count(a.n(0), "discarded card"))
}

// dealtCards tells a whole deal: each side's number, and the cards that the
// reader may see.
func dealtCards(t *telling) (string, int) {
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvDealt })
	var number [2]int
	var seen [2]engine.CardSet
	for _, e := range run {
		c, s := engine.Card(e.Args[0]), engine.Side(e.Args[1])
		number[s]++
		if c != 0 {
			seen[s].Add(c)
		}
	}
	var parts []string
	for s := engine.Communist; s >= engine.Democrat; s-- {
		if number[s] == 0 {
			continue
		}
		part := fmt.Sprintf("%s draws %s", the(s), count(number[s], "card"))
		if !seen[s].Empty() {
			part += ": " + cardList(seen[s])
		}
		parts = append(parts, upper(part)+".")
	}
	return strings.Join(parts, " "), len(run)
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func played(a args) string {
	c, s := a.card(0), a.side(2)
	plays := fmt.Sprintf("%s plays %s", capital(s), full(c))
	switch engine.Mode(a.n(1)) {
	case engine.PlayEvent:
		if c.Info().Scoring != engine.NoCountry {
			return plays + "."
		}
		return plays + " for its event."
	case engine.PlayEventFirst:
		return plays + " for Operations, the event first."
	case engine.PlayEventAfter:
		return plays + " for Operations, the event afterwards."
	case engine.PlayNoEvent:
		return plays + " for Operations; by box 7 its event does not happen."
	case engine.PlayBothFirst:
		return plays + " for both, by box 8: the event, then Operations."
	case engine.PlayBothAfter:
		return plays + " for both, by box 8: Operations, then the event."
	case engine.PlayWithHome:
		return fmt.Sprintf("%s together with %s: Operations without the event.", plays, full(a.card(3)))
	case engine.PlayTiananmen:
		return plays + " for a Tiananmen attempt."
	case engine.PlayStrike:
		return fmt.Sprintf("%s discards %s to the strike.", capital(s), full(c))
	}
	return plays + " for Operations."
}

func forfeited(a args) string {
	return capital(a.side(0)) + " has no card left and forfeits the action round."
}

// eventHappens is left out when the card was just played for its event.
func eventHappens(t *telling) (string, int) {
	a, b := args(t.events[0].Args), args(t.before.Args)
	if t.before.Kind == engine.EvPlayed && b.card(0) == a.card(0) && engine.Mode(b.n(1)) == engine.PlayEvent && b.side(2) == a.side(1) {
		return "", 1
	}
	return fmt.Sprintf("The event of %s happens, for %s.", full(a.card(0)), the(a.side(1))), 1
}

func noEvent(a args) string {
	return fmt.Sprintf("The event of %s cannot happen now.", full(a.card(0)))
}
func noEffect(a args) string {
	return fmt.Sprintf("The event of %s has no effect.", full(a.card(0)))
}

// cardTo tells where cards went; cards that go the same way are gathered.
func cardTo(t *telling) (string, int) {
	to := engine.Pile(t.events[0].Args[1])
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvCardTo && engine.Pile(e.Args[1]) == to })
	var names []string
	for _, e := range run {
		names = append(names, full(engine.Card(e.Args[0])))
	}
	verb := map[bool]string{true: "goes", false: "go"}[len(names) == 1]
	list := join(names, "and")
	switch to {
	case engine.PileInPlay:
		if t.before.Kind == engine.EvInForce && engine.Card(t.before.Args[0]) == engine.Card(run[0].Args[0]) {
			return "", len(run)
		}
		return fmt.Sprintf("%s %s into play.", list, verb), len(run)
	case engine.PileRemoved:
		return fmt.Sprintf("%s %s out of the game.", list, verb), len(run)
	}
	return fmt.Sprintf("%s %s to the discard pile.", list, verb), len(run)
}

func discarded(a args) string {
	return fmt.Sprintf("%s discards %s (%s).", capital(a.side(0)), full(a.card(1)), title(a.source(2)))
}

func kept(a args) string {
	if c := a.card(1); c != 0 {
		return fmt.Sprintf("%s keeps %s of the cards of box 3.", capital(a.side(0)), full(c))
	}
	return capital(a.side(0)) + " keeps one of the cards of box 3."
}

func taken(a args) string {
	switch a.n(2) {
	case engine.TakenToUse:
		return fmt.Sprintf("%s takes %s from the discard pile for its event.", capital(a.side(0)), full(a.card(1)))
	case engine.TakenFromEnemy:
		return fmt.Sprintf("%s takes %s from the hand of %s for its event.", capital(a.side(0)), full(a.card(1)), the(a.side(0).Enemy()))
	}
	return fmt.Sprintf("%s takes %s from the discard pile into the hand.", capital(a.side(0)), full(a.card(1)))
}

// lastingWords say how long an event is in force.
var lastingWords = [...]string{engine.Instant: "now", engine.ForTurn: "for the rest of the turn", engine.ForGame: "for the rest of the match",
	engine.UntilUsed: "until it is used", engine.UntilCancelled: "until it is cancelled"}

func inForceNow(a args) string {
	c := a.card(0)
	return fmt.Sprintf("%s is in force %s.", full(c), lastingWords[c.Info().Lasts])
}

func extraRoundGiven(args) string { return "The Communist may take an eighth action round this turn." }

func announced(a args) string {
	return fmt.Sprintf("The Democrat announces %s for this action round (%v).", full(a.card(0)), engine.Stasi)
}

func turnEffectsEnd(args) string { return "The effects that last a turn end." }

// declinings say what a side declined, by what was asked.
var declinings = map[engine.Ask]string{
	engine.AskExtraRound:  "does not take the eighth action round",
	engine.AskOps:         "does not use the Operations",
	engine.AskSecondCheck: "makes no second support check",
	engine.AskPlace:       "places no support",
	engine.AskCheck:       "makes no further support check",
	engine.AskTake:        "takes no card",
	engine.AskDiscard:     "discards no card",
	engine.AskStakes:      "does not raise the stakes",
	engine.AskCountry:     "names no country",
	engine.AskGrant:       "does not use the Operations",
	engine.AskCard:        "puts no card aside",
	engine.AskDeclare:     "does not declare the end of the match",
}

func passed(a args) string {
	what, ok := declinings[engine.Ask(a.n(1))]
	if !ok {
		what = "passes"
	}
	text := capital(a.side(0)) + " " + what
	if s := a.source(2); s != engine.SourceNone && s != engine.SourceStakes && s != engine.SourceExtra {
		text += " (" + title(s) + ")"
	}
	return text + "."
}

// title is a source as sentences name it: a card with its title.
func title(s engine.Source) string {
	if s < engine.Cards && s != engine.SourceNone {
		return fmt.Sprintf("card %d, %v", s, engine.Card(s))
	}
	return strings.ToLower(s.String())
}
