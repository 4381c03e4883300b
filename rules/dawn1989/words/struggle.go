package words

import (
	"fmt"
	"strings"

	"samizdat/rules/dawn1989/engine"
)

// This file writes the part of a letter about a power struggle.

func struggleTitle(c engine.Country) string { return fmt.Sprintf("The power struggle in %v", c) }

// struggleLines returns the power struggle as the seat knows it: the cards, the initiative and the two rolls
// afterwards.
func struggleLines(v *engine.View) []string {
	st := &v.Visible.Struggle
	out := struggleHands(v)
	if st.Winner == engine.Neutral {
		out = append(out, fmt.Sprintf("Initiative: %s", sideTitles[st.Attacker]))
	} else {
		out = append(out, fmt.Sprintf("Won by: %s", sideTitles[st.Winner]))
	}
	out = append(out, fmt.Sprintf("Stakes raised: %s", formatTimes(int(st.Stakes))))
	var banned []string
	for s := engine.RallySuit; s < engine.Suits; s++ {
		if st.Banned[s] {
			banned = append(banned, s.String())
		}
	}
	out = append(out, formatItem("Banned suits", joinComma(banned))...)
	return append(out, aftermathLines(v)...)
}

// struggleHands lists the power struggle cards: those of the seat, the played ones and the unseen ones.
func struggleHands(v *engine.View) []string {
	st := &v.Visible.Struggle
	var out []string
	side := v.Visible.SideOf(v.Seat())
	if side != engine.Neutral {
		out = append(out, formatItem("Your cards", handList(st.Hands[side]))...)
		var unusable []string
		for k, n := range st.Hands[side] {
			if c := engine.StruggleCard(k); n > 0 && c.Info().Leader && !v.Visible.CanUseLeader(side, c) {
				unusable = append(unusable, c.String())
			}
		}
		if len(unusable) > 0 {
			out = append(out, formatItem("Leaders you cannot use (you do not control their type of space)", joinComma(unusable))...)
		}
		if enemyHand := st.Hands[side.Enemy()]; enemyHand.Len() > 0 {
			title := "The enemy's cards"
			if enemyHand.Len() < v.StruggleCount[side.Enemy()] {
				title = "The enemy's cards that you have seen"
			}
			out = append(out, formatItem(title, handList(enemyHand))...)
		}
	}
	counts := v.StruggleCount
	out = append(out, fmt.Sprintf("Cards held: Democrat %d, Communist %d", counts[engine.Democrat], counts[engine.Communist]))
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

// pointsForTotal is the title of the results of the two rolls.
const pointsForTotal = "Points for each total"

// aftermathLines describes the two rolls after the struggle: their modifiers and results, and the gain and the cost
// of Power.
func aftermathLines(v *engine.View) []string {
	p := &v.Visible
	st := &p.Struggle
	adds := []string{fmt.Sprintf("%s for stakes", formatSigned(int(st.Stakes)))}
	if st.Winner == engine.Neutral {
		adds = append(adds, "+2 if won with a Rally, -2 with a Petition")
	} else if n := p.AftermathMod(engine.Communist, st.WinningSuit) - int(st.Stakes); n != 0 {
		adds = append(adds, fmt.Sprintf("%s for %v", formatSigned(n), st.WinningSuit))
	}
	if p.AftermathMod(engine.Democrat, engine.NoSuit) > int(st.Stakes) && st.Winner != engine.Communist {
		adds = append(adds, fmt.Sprintf("+1 if the Democrat wins (%v)", fullTitle(engine.Yakovlev)))
	}
	out := formatItem("The winner rolls two dice, one for the loser's support and one for VP. Added to each", joinComma(adds))
	out = append(out, formatItem(pointsForTotal, "1 or less = 0; 2-3 = 1; 4-5 = 2; 6 = 3; 7 or more = 4")...)
	power := p.Power[st.Country]
	if power.Holder != engine.Communist {
		return append(out, fmt.Sprintf("Power in %v: the Democrat", st.Country))
	}
	if text := diceForPower(p); text != "" {
		if p.SideOf(v.Seat()) == engine.Democrat {
			out = append(out, formatItem("You also take Power if you win and the VP die shows", text)...)
		} else {
			out = append(out, formatItem("The Democrat also takes Power if he wins and his VP die shows", text)...)
		}
	}
	kept := int(power.Struggles) + 1
	if p.Question.Kind == engine.AskPower {
		kept--
	}
	return append(out, formatItem("If the Communist keeps Power", fmt.Sprintf("%d VP (%s struggle there)",
		-engine.CountryValues[st.Country].Power*kept, ordinal(kept)))...)
}

// diceForPower returns the dice that give the Democrat Power, for each suit.
func diceForPower(p *engine.Position) string {
	st := &p.Struggle
	need := func(suit engine.Suit) string {
		switch n := engine.PowerRow - p.AftermathMod(engine.Democrat, suit); {
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
	switch st.Winner {
	case engine.Communist:
		return ""
	case engine.Democrat:
		return need(st.WinningSuit)
	}
	return fmt.Sprintf("%s (%s after a Rally, %s after a Petition)", need(engine.NoSuit), need(engine.RallySuit), need(engine.PetitionSuit))
}

func formatTimes(n int) string {
	if n > 3 {
		return pluralize(n, "time")
	}
	return [...]string{"not at all", "once", "twice", "three times"}[n]
}
