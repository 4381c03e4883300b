package dawn1989

import (
	"fmt"
	"strings"

	"samizdat/rules"
)

// Sentences about cards, hands and turns.

func turnBegan(a args) string { return fmt.Sprintf("Turn %d begins.", a.n(0)) }

func reshuffled(a args) string {
	return fmt.Sprintf("The draw deck is used up; the new one has the %s.", count(a.n(0), "discarded card"))
}

// dealtCards tells a whole deal: each side's number, and the cards that the
// reader may see.
func dealtCards(t *telling) (string, int) {
	run := t.run(func(e rules.Event) bool { return e.Kind == EvDealt })
	var number [2]int
	var seen [2]CardSet
	for _, e := range run {
		c, s := Card(e.Args[0]), Side(e.Args[1])
		number[s]++
		if c != 0 {
			seen[s].add(c)
		}
	}
	var parts []string
	for s := Communist; s >= Democrat; s-- {
		if number[s] == 0 {
			continue
		}
		part := fmt.Sprintf("%s draws %s", s.the(), count(number[s], "card"))
		if !seen[s].empty() {
			part += ": " + cardList(seen[s])
		}
		parts = append(parts, upper(part)+".")
	}
	return strings.Join(parts, " "), len(run)
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func played(a args) string {
	c, s := a.card(0), a.side(2)
	plays := fmt.Sprintf("%s plays %s", s.capital(), c.full())
	switch Mode(a.n(1)) {
	case PlayEvent:
		if c.Info().Scoring != NoCountry {
			return plays + "."
		}
		return plays + " for its event."
	case PlayEventFirst:
		return plays + " for Operations, the event first."
	case PlayEventAfter:
		return plays + " for Operations, the event afterwards."
	case PlayNoEvent:
		return plays + " for Operations; by box 7 its event does not happen."
	case PlayBothFirst:
		return plays + " for both, by box 8: the event, then Operations."
	case PlayBothAfter:
		return plays + " for both, by box 8: Operations, then the event."
	case PlayWithHome:
		return fmt.Sprintf("%s together with %s: Operations without the event.", plays, a.card(3).full())
	case PlayTiananmen:
		return plays + " for a Tiananmen attempt."
	case PlayStrike:
		return fmt.Sprintf("%s discards %s to the strike.", s.capital(), c.full())
	}
	return plays + " for Operations."
}

func forfeited(a args) string {
	return a.side(0).capital() + " has no card left and forfeits the action round."
}

// eventHappens is left out when the card was just played for its event.
func eventHappens(t *telling) (string, int) {
	a, b := args(t.events[0].Args), args(t.before.Args)
	if t.before.Kind == EvPlayed && b.card(0) == a.card(0) && Mode(b.n(1)) == PlayEvent && b.side(2) == a.side(1) {
		return "", 1
	}
	return fmt.Sprintf("The event of %s happens, for %s.", a.card(0).full(), a.side(1).the()), 1
}

func noEvent(a args) string {
	return fmt.Sprintf("The event of %s cannot happen now.", a.card(0).full())
}
func noEffect(a args) string {
	return fmt.Sprintf("The event of %s has no effect.", a.card(0).full())
}

// cardTo tells where cards went; cards that go the same way are gathered.
func cardTo(t *telling) (string, int) {
	to := Pile(t.events[0].Args[1])
	run := t.run(func(e rules.Event) bool { return e.Kind == EvCardTo && Pile(e.Args[1]) == to })
	var names []string
	for _, e := range run {
		names = append(names, Card(e.Args[0]).full())
	}
	verb := map[bool]string{true: "goes", false: "go"}[len(names) == 1]
	list := join(names, "and")
	switch to {
	case PileInPlay:
		if t.before.Kind == EvInForce && Card(t.before.Args[0]) == Card(run[0].Args[0]) {
			return "", len(run)
		}
		return fmt.Sprintf("%s %s into play.", list, verb), len(run)
	case PileRemoved:
		return fmt.Sprintf("%s %s out of the game.", list, verb), len(run)
	}
	return fmt.Sprintf("%s %s to the discard pile.", list, verb), len(run)
}

func discarded(a args) string {
	return fmt.Sprintf("%s discards %s (%s).", a.side(0).capital(), a.card(1).full(), a.source(2).title())
}

func kept(a args) string {
	if c := a.card(1); c != 0 {
		return fmt.Sprintf("%s keeps %s of the cards of box 3.", a.side(0).capital(), c.full())
	}
	return a.side(0).capital() + " keeps one of the cards of box 3."
}

func taken(a args) string {
	switch a.n(2) {
	case takenToUse:
		return fmt.Sprintf("%s takes %s from the discard pile for its event.", a.side(0).capital(), a.card(1).full())
	case takenFromEnemy:
		return fmt.Sprintf("%s takes %s from the hand of %s for its event.", a.side(0).capital(), a.card(1).full(), a.side(0).Enemy().the())
	}
	return fmt.Sprintf("%s takes %s from the discard pile into the hand.", a.side(0).capital(), a.card(1).full())
}

// lastingWords say how long an event is in force.
var lastingWords = [...]string{Instant: "now", ForTurn: "for the rest of the turn", ForGame: "for the rest of the match",
	UntilUsed: "until it is used", UntilCancelled: "until it is cancelled"}

func inForceNow(a args) string {
	c := a.card(0)
	return fmt.Sprintf("%s is in force %s.", c.full(), lastingWords[c.Info().Lasts])
}

func extraRoundGiven(args) string { return "The Communist may take an eighth action round this turn." }

func announced(a args) string {
	return fmt.Sprintf("The Democrat announces %s for this action round (%v).", a.card(0).full(), Stasi)
}

func turnEffectsEnd(args) string { return "The effects that last a turn end." }

// declinings say what a side declined, by what was asked.
var declinings = map[Ask]string{
	AskExtraRound:  "does not take the eighth action round",
	AskOps:         "does not use the Operations",
	AskSecondCheck: "makes no second support check",
	AskPlace:       "places no support",
	AskCheck:       "makes no further support check",
	AskTake:        "takes no card",
	AskDiscard:     "discards no card",
	AskStakes:      "does not raise the stakes",
	AskCountry:     "names no country",
	AskGrant:       "does not use the Operations",
	AskCard:        "puts no card aside",
	AskDeclare:     "does not declare the end of the match",
}

func passed(a args) string {
	what, ok := declinings[Ask(a.n(1))]
	if !ok {
		what = "passes"
	}
	text := a.side(0).capital() + " " + what
	if s := a.source(2); s != SourceNone && s != SourceStakes && s != SourceExtra {
		text += " (" + s.title() + ")"
	}
	return text + "."
}

// title is a source as sentences name it: a card with its title.
func (s Source) title() string {
	if s < cards && s != SourceNone {
		return fmt.Sprintf("card %d, %v", s, Card(s))
	}
	return strings.ToLower(s.String())
}
