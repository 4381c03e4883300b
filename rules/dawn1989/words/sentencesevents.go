package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sentences about what only few events do.

func handedOver(a args) string {
	return fmt.Sprintf("%s hands over %s.", capital(a.side(0)), full(a.card(1)))
}

// cardsShown tells of all cards that are shown at once.
func cardsShown(t *telling) (string, int) {
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvShown })
	var set engine.CardSet
	for _, e := range run {
		set.Add(engine.Card(e.Args[1]))
	}
	s := engine.Side(run[0].Args[0])
	return fmt.Sprintf("%s shows %s: %s.", capital(s), the(s.Enemy()), cardList(set)), len(run)
}

func putAside(a args) string {
	if c := a.card(1); c != 0 {
		return fmt.Sprintf("%s puts %s aside face down until the next turn.", capital(a.side(0)), full(c))
	}
	return capital(a.side(0)) + " puts a card aside face down until the next turn."
}

func tableRoll(a args) string {
	return fmt.Sprintf("%v: die %d, which makes %s.", a.card(3), a.n(1), count(a.n(2), "support point"))
}

func contestRound(a args) string {
	s := a.side(0)
	return fmt.Sprintf("%s rolls %d + %d = %d, %s %d + %d = %d. Rounds won: %d to %d.", capital(s), a.n(1), a.n(2), a.n(1)+a.n(2),
		the(s.Enemy()), a.n(3), a.n(4), a.n(3)+a.n(4), a.n(5), a.n(6))
}

func countryChosen(a args) string {
	return fmt.Sprintf("%v: the country is %v.", a.card(2), a.country(1))
}

func debtBurden(a args) string {
	return fmt.Sprintf("The Communist may make no support check in %v for the rest of the turn.", a.country(0))
}

func prudence(a args) string {
	return fmt.Sprintf("Every Ops value of %s is %d lower for the rest of the turn, but never below 1.", the(a.side(0)), a.n(1))
}

func spaceDestroyed(a args) string {
	return fmt.Sprintf("%v is destroyed. Its neighbours are adjacent to each other from now on.", a.space(0))
}

func refugeChosen(a args) string {
	return fmt.Sprintf("The Ceausescus' helicopter lands in %v. When the Democrat controls it, they are captured.", a.space(0))
}

func endDeclared(args) string { return "The Communist declares that the match ends with this turn." }

// crowdDrawn tells the cards of the Crowd together.
func crowdDrawn(t *telling) (string, int) {
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvCrowdCard })
	var h engine.Hand
	for _, e := range run {
		h[e.Args[0]]++
	}
	return fmt.Sprintf("%v: drawn are %s.", engine.CrowdTurns, handList(h)), len(run)
}
