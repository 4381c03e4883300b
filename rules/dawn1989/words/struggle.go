package words

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

func struggleTitle(c engine.Country) string { return fmt.Sprintf("The power struggle in %v", c) }

// Focus implements rules.Game.Focus: after the first letter of a power struggle, letters show only the section on the
// struggle, unless the map has changed (Scare Tactics).
func (Words) Focus(rv rules.View, since []rules.Event) []string {
	struggle := &rv.(*engine.View).Visible.Struggle
	hasBegun := slices.ContainsFunc(since, func(e rules.Event) bool { return e.Kind == engine.EvStruggle })
	if struggle.Country == engine.NoCountry || struggle.Winner != engine.Neutral || hasBegun ||
		engine.CollectChanges(since) != (engine.Changes{}) {
		return nil
	}
	return []string{struggleTitle(struggle.Country)}
}

// struggleLines describes the power struggle to the seat: the cards that it knows, the initiative, and the two rolls
// after the struggle.
func struggleLines(v *engine.View) []string {
	struggle := &v.Visible.Struggle
	out := struggleHands(v)
	if struggle.Winner == engine.Neutral {
		out = append(out, fmt.Sprintf("Initiative: %s", sideTitles[struggle.Attacker]))
	} else {
		out = append(out, fmt.Sprintf("Won by: %s", sideTitles[struggle.Winner]))
	}
	out = append(out, fmt.Sprintf("Stakes raised: %s", formatTimes(int(struggle.Stakes))))
	var banned []string
	for s := engine.RallySuit; s < engine.Suits; s++ {
		if struggle.Banned[s] {
			banned = append(banned, s.String())
		}
	}
	out = append(out, formatItem("Banned suits", joinComma(banned))...)
	return append(out, aftermathLines(v)...)
}

func struggleHands(v *engine.View) []string {
	struggle := &v.Visible.Struggle
	var out []string
	side := v.Visible.SideOf(v.Seat())
	if side != engine.Neutral {
		out = append(out, formatItem("Your cards", handList(struggle.Hands[side]))...)
		var unusable []string
		for k, n := range struggle.Hands[side] {
			if c := engine.StruggleCard(k); n > 0 && c.Info().Leader && !v.Visible.CanUseLeader(side, c) {
				unusable = append(unusable, c.String())
			}
		}
		if len(unusable) > 0 {
			out = append(out, formatItem("Leaders you cannot use (you do not control their type of space)", joinComma(unusable))...)
		}
		if enemyHand := struggle.Hands[side.Enemy()]; enemyHand.Len() > 0 {
			title := "The enemy's cards"
			if enemyHand.Len() < v.StruggleCounts[side.Enemy()] {
				title = "The enemy's cards that you have seen"
			}
			out = append(out, formatItem(title, handList(enemyHand))...)
		}
	}
	counts := v.StruggleCounts
	out = append(out, fmt.Sprintf("Struggle cards held: Democrat %d, Communist %d", counts[engine.Democrat], counts[engine.Communist]))
	out = append(out, formatItem("Played or shown so far", suitList(v.StrugglePlayed))...)
	unseen := v.UnseenStruggleCards()
	deck := engine.WholeStruggleDeck.Len() - v.StrugglePlayed.Len() - counts[engine.Democrat] - counts[engine.Communist]
	where := fmt.Sprintf("%d in the deck", deck)
	if hidden := unseen.Len() - deck; hidden > 0 && side != engine.Neutral {
		where = fmt.Sprintf("%d in the %s's hand, %s", hidden, sideTitles[side.Enemy()], where)
	} else if hidden > 0 {
		where = fmt.Sprintf("%d in hands, %s", hidden, where)
	}
	return append(out, formatItem("Cards you have not seen ("+where+")", suitList(unseen))...)
}

// suitList lists power struggle cards by suit, for example "Strike-4 x2, Strike-6; Leaders: Elite".
func suitList(h engine.StruggleCards) string {
	parts := make([][]string, engine.Suits+2)
	for k, n := range h {
		c := engine.StruggleCard(k)
		info := c.Info()
		group, name := int(info.Suit), c.String()
		switch {
		case n == 0:
			continue
		case info.Leader:
			group, name = int(engine.Suits), strings.TrimSuffix(info.Name, " Leader")
		case info.Suit == engine.NoSuit:
			group = int(engine.Suits) + 1
		}
		if n > 1 {
			name = fmt.Sprintf("%s x%d", name, n)
		}
		parts[group] = append(parts[group], name)
	}
	var out []string
	for i, names := range parts {
		title := ""
		switch {
		case len(names) == 0:
			continue
		case i == int(engine.Suits):
			title = "Leaders: "
		}
		out = append(out, title+joinComma(names))
	}
	return strings.Join(out, "; ")
}

const pointsForTotal = "Points for each total"

// aftermathLines describes the two rolls after the struggle: their modifiers and results, and the gain and the cost
// of Power.
func aftermathLines(v *engine.View) []string {
	p := &v.Visible
	struggle := &p.Struggle
	modifiers := []string{fmt.Sprintf("%s for stakes", formatSigned(int(struggle.Stakes)))}
	if struggle.Winner == engine.Neutral {
		modifiers = append(modifiers, "+2 if won with a Rally, -2 with a Petition")
	} else if n := p.AftermathModifier(engine.Communist, struggle.WinningSuit) - int(struggle.Stakes); n != 0 {
		modifiers = append(modifiers, fmt.Sprintf("%s for %v", formatSigned(n), struggle.WinningSuit))
	}
	if p.AftermathModifier(engine.Democrat, engine.NoSuit) > int(struggle.Stakes) && struggle.Winner != engine.Communist {
		modifiers = append(modifiers, fmt.Sprintf("+1 if the Democrat wins (%v)", fullTitle(engine.Yakovlev)))
	}
	out := formatItem("The winner rolls two dice, one for the loser's support and one for VP. Added to each", joinComma(modifiers))
	out = append(out, formatItem(pointsForTotal, "1 or less = 0; 2-3 = 1; 4-5 = 2; 6 = 3; 7 or more = 4")...)
	power := p.Power[struggle.Country]
	if power.Holder != engine.Communist {
		return append(out, fmt.Sprintf("Power in %v: the Democrat", struggle.Country))
	}
	if text := diceForPower(p); text != "" {
		if p.SideOf(v.Seat()) == engine.Democrat {
			out = append(out, formatItem("You also take Power if you win and the VP die shows", text)...)
		} else {
			out = append(out, formatItem("The Democrat also takes Power if he wins and his VP die shows", text)...)
		}
	}
	keptCount := int(power.Struggles) + 1
	if p.Question.Kind == engine.AskPower {
		keptCount--
	}
	return append(out, formatItem("If the Communist keeps Power", fmt.Sprintf("%d VP (%s struggle there)",
		-engine.CountryValues[struggle.Country].Power*keptCount, ordinal(keptCount)))...)
}

// diceForPower says which rolls give the Democrat Power, for example "4 or more (2 or more after a Rally, 6 after a
// Petition)".
func diceForPower(p *engine.Position) string {
	struggle := &p.Struggle
	describeNeed := func(suit engine.Suit) string {
		switch n := engine.PowerRow - p.AftermathModifier(engine.Democrat, suit); {
		case n <= 1:
			return "any number"
		case n > 6:
			return "no number helps"
		case n == 6:
			return "6"
		default:
			return fmt.Sprintf("%d or more", n)
		}
	}
	switch struggle.Winner {
	case engine.Communist:
		return ""
	case engine.Democrat:
		return describeNeed(struggle.WinningSuit)
	}
	return fmt.Sprintf("%s (%s after a Rally, %s after a Petition)", describeNeed(engine.NoSuit), describeNeed(engine.RallySuit),
		describeNeed(engine.PetitionSuit))
}

func formatTimes(n int) string {
	if n > 3 {
		return pluralize(n, "time")
	}
	return [...]string{"not at all", "once", "twice", "three times"}[n]
}
