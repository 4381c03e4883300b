package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sentences about power struggles.

func struggleBegan(a args) string {
	return fmt.Sprintf("A power struggle begins in %v. The Democrat controls %s: %s. The Communist controls %s: %s.", a.country(0),
		count(a.n(2), "space"), count(a.n(4), "card"), count(a.n(3), "space"), count(a.n(5), "card"))
}

// struggleCardsDealt gathers a deal. A card that is hidden is only counted.
func struggleCardsDealt(t *telling) (string, int) {
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvStruggleCard })
	var number [2]int
	var seen [2]engine.Hand
	for _, e := range run {
		s, k := engine.Side(e.Args[0]), e.Args[1]
		number[s]++
		if k != engine.HiddenStruggleCard {
			seen[s][k]++
		}
	}
	var parts []string
	for s := engine.Communist; s >= engine.Democrat; s-- {
		if number[s] == 0 {
			continue
		}
		part := fmt.Sprintf("%s draws %s", capital(s), count(number[s], "power struggle card"))
		if seen[s].Len() > 0 {
			part += ": " + handList(seen[s])
		}
		parts = append(parts, part+".")
	}
	return strings.Join(parts, " "), len(run)
}

func struggleMoved(a args) string {
	s := a.side(1)
	return fmt.Sprintf("%s: %s of %s %s to %s.", a.card(0), count(a.n(2), "power struggle card"), the(s.Enemy()),
		map[bool]string{true: "goes", false: "go"}[a.n(2) == 1], the(s))
}

// stakesRaised gathers the three cards.
func stakesRaised(t *telling) (string, int) {
	first := t.events[0]
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvRaised && e.Args[0] == first.Args[0] })
	return fmt.Sprintf("%s raises the stakes and discards %s.", capital(engine.Side(first.Args[0])), gathered(run)), len(run)
}

// struggleDiscards gathers the cards of Support Falters.
func struggleDiscards(t *telling) (string, int) {
	first := t.events[0]
	run := t.run(func(e rules.Event) bool { return e.Kind == engine.EvStruggleDiscard && e.Args[0] == first.Args[0] })
	return fmt.Sprintf("%s discards %s at random.", capital(engine.Side(first.Args[0])), gathered(run)), len(run)
}

func gathered(run []rules.Event) string {
	var h engine.Hand
	for _, e := range run {
		h[e.Args[1]]++
	}
	return handList(h)
}

func attacked(a args) string {
	k := a.struggle(1)
	text := fmt.Sprintf("%s attacks with %v", capital(a.side(0)), k)
	switch {
	case k.Info().Leader:
		text += fmt.Sprintf(" as %v", a.suit(2))
	case k == engine.ScareTactics && a.space(3) != 0:
		text += fmt.Sprintf(" in %v", a.space(3))
	}
	return text + "."
}

func defended(a args) string {
	return fmt.Sprintf("%s defends with %v.", capital(a.side(0)), a.struggle(1))
}

func conceded(a args) string {
	if a.n(1) == 1 {
		return capital(a.side(0)) + " has no defence."
	}
	return capital(a.side(0)) + " concedes."
}

func noAttack(a args) string {
	return fmt.Sprintf("%s has nothing to attack with (%s left).", capital(a.side(0)), count(a.n(1), "card"))
}

func counterattacked(a args) string {
	s := a.side(0)
	if a.n(1) == 0 {
		return capital(s) + " counterattacks without a die and takes the initiative."
	}
	text := fmt.Sprintf("Counterattack: die %d, %d or more is needed. ", a.n(1), a.n(2))
	if a.n(3) == 1 {
		return text + capital(s) + " takes the initiative."
	}
	return text + capital(s.Enemy()) + " keeps the initiative."
}

func suitBanned(a args) string {
	return fmt.Sprintf("%v is banned from this power struggle.", a.suit(0))
}

func struggleWon(a args) string {
	text := fmt.Sprintf("%s wins the power struggle in %v", capital(a.side(0)), a.country(1))
	if s := a.suit(2); s != engine.NoSuit {
		text += fmt.Sprintf(" with %v", s)
	}
	return text + "."
}

// aftermath writes a roll of the aftermath; the sum counts as 0 to 7.
func aftermath(a args) string {
	raw := a.n(1) + a.n(2)
	text := sum(a.n(1), raw, term{a.n(2), ""})
	if raw != a.n(3) {
		text += fmt.Sprintf(" (counts as %d)", a.n(3))
	}
	return text
}

func lossRoll(a args) string {
	if a.n(4) == 0 {
		return fmt.Sprintf("Support loss: %s. %s loses nothing.", aftermath(a), capital(a.side(0)))
	}
	return fmt.Sprintf("Support loss: %s. %s is to lose %s.", aftermath(a), capital(a.side(0)), count(a.n(4), "support point"))
}

func victoryRoll(a args) string {
	text := fmt.Sprintf("Victory points: %s, %s VP.", aftermath(a), signed(a.side(0).Sign()*a.n(4)))
	if a.n(5) == 1 {
		text += " It topples the government."
	}
	return text
}

func powerChanged(a args) string {
	switch a.n(1) {
	case 1:
		return fmt.Sprintf("The Communist surrenders Power in %v.", a.country(0))
	case 2:
		return fmt.Sprintf("The Communist keeps Power in %v after the %s power struggle there.", a.country(0), ordinal(a.n(2)))
	}
	return fmt.Sprintf("The Democrat takes Power in %v.", a.country(0))
}
