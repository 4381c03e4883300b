package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The sentences about support points, support checks, victory points, scoring and the tracks.

type supportChange struct {
	space  engine.Space
	points int
	// before and after are the sides that control the space, or Neutral.
	before, after engine.Side
}

// supportSentence describes the points that a side places, or loses, one after the other.
func supportSentence(q *eventQueue) (string, int) {
	first := q.events[0]
	group := q.leading(func(e rules.Event) bool { return e.Kind == first.Kind && e.Args[0] == first.Args[0] })
	var list []supportChange
	for _, e := range group {
		list = addChange(list, newChange(e))
	}
	parts := mapTexts(list, func(c supportChange) string { return fmt.Sprintf("%d in %v", c.points, c.space) })
	parts[0] = fmt.Sprintf("%s in %v", pluralize(list[0].points, "support point"), list[0].space)
	verb := "places"
	if first.Kind == engine.EvRemoved {
		verb = "loses"
	}
	text := fmt.Sprintf("%s %s %s.", capitalSideName(engine.Side(first.Args[0])), verb, joinWords(parts, "and"))
	return text + describeControl(list), len(group)
}

func newChange(e rules.Event) supportChange {
	a := args(e.Args)
	after := [2]int{a.n(3), a.n(4)}
	before := after
	if e.Kind == engine.EvPlaced {
		before[a.side(0)] -= a.n(2)
	} else {
		before[a.side(0)] += a.n(2)
	}
	return supportChange{a.space(1), a.n(2), controllingSide(a.space(1), before), controllingSide(a.space(1), after)}
}

func controllingSide(s engine.Space, points [2]int) engine.Side {
	switch lead, st := points[engine.Democrat]-points[engine.Communist], s.Info().Stability; {
	case lead >= st:
		return engine.Democrat
	case -lead >= st:
		return engine.Communist
	}
	return engine.Neutral
}

// addChange adds a change to the list, or merges it with the change of the same space.
func addChange(list []supportChange, c supportChange) []supportChange {
	for i := range list {
		if list[i].space == c.space {
			list[i].points += c.points
			list[i].after = c.after
			return list
		}
	}
	return append(list, c)
}

func describeControl(list []supportChange) string {
	var gained [2][]string
	var lost [2][]string
	for _, c := range list {
		switch {
		case c.before == c.after:
		case c.after != engine.Neutral:
			gained[c.after] = append(gained[c.after], c.space.String())
		default:
			lost[c.before] = append(lost[c.before], c.space.String())
		}
	}
	text := ""
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if len(gained[s]) > 0 {
			text += fmt.Sprintf(" %s now controls %s.", capitalSideName(s), joinWords(gained[s], "and"))
		}
		if len(lost[s]) > 0 {
			text += fmt.Sprintf(" %s no longer controls %s.", capitalSideName(s), joinWords(lost[s], "and"))
		}
	}
	return text
}

// checkSentence describes a support check together with its removal and its placement, which are separate events.
func checkSentence(q *eventQueue) (string, int) {
	a := args(q.events[0].Args)
	side, s := a.side(0), a.space(1)
	text := fmt.Sprintf("Support check of %s in %v: %s (%d or more needed).", sideName(side), s, formatSum(a.n(2), a.n(7),
		append([]term{{a.n(3), "Ops"}, {a.n(4), "adjacent"}, {-a.n(5), "enemy adjacent"}}, findModifiers(a.n(6), a.n(11))...)...), a.n(8)+1)
	if wall := len(engine.CheckCards) - 1; a.n(11)>>wall&1 != 0 {
		text += fmt.Sprintf(" %v ignores the spaces next to it that the enemy controls.", engine.CheckCards[wall].Card)
	}
	removed, added := a.n(9), a.n(10)
	n := 1
	var list []supportChange
	for _, effect := range []struct {
		kind rules.EventKind
		n    int
	}{{engine.EvRemoved, removed}, {engine.EvPlaced, added}} {
		if effect.n > 0 && n < len(q.events) && q.events[n].Kind == effect.kind && engine.Space(q.events[n].Args[1]) == s {
			list = addChange(list, newChange(q.events[n]))
			n++
		}
	}
	switch {
	case removed == 0:
		return text + " The check fails.", n
	case added == 0:
		text += fmt.Sprintf(" %s loses %s there.", capitalSideName(side.Enemy()), pluralize(removed, "support point"))
	default:
		text += fmt.Sprintf(" %s loses %s there, %s gains %d.", capitalSideName(side.Enemy()), pluralize(removed,
			"support point"), sideName(side), added)
	}
	return text + describeControl(list), n
}

// findModifiers splits total, the sum of a support check's modifiers, into terms: a term for each card in cardBits, and
// the rest for the event.
func findModifiers(total, cardBits int) []term {
	var out []term
	for i, k := range engine.CheckCards {
		if cardBits>>i&1 != 0 && k.Adds != 0 {
			out = append(out, term{k.Adds, "(" + k.Card.String() + ")"})
			total -= k.Adds
		}
	}
	return append(out, term{total, "from the event"})
}

// term is a summand of a sum with its explanation, for example 2 and "Ops".
type term struct {
	n    int
	text string
}

// formatSum returns, for example, "rolled 3 + 2 Ops + 2 adjacent: total 7". Terms that are 0 are left out.
func formatSum(die, total int, terms ...term) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rolled %d", die)
	parts := 0
	for _, t := range terms {
		sign := "+"
		if t.n < 0 {
			sign, t.n = "-", -t.n
		}
		if t.n != 0 {
			parts++
			if t.n == 1 && t.text == "Ops" {
				t.text = "Op"
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf(" %s %d %s", sign, t.n, t.text), " "))
		}
	}
	if parts > 0 {
		fmt.Fprintf(&b, ": total %d", total)
	}
	return b.String()
}

func vpSentence(a args) string {
	return fmt.Sprintf("%s: %s VP, now %s.", capitalize(vpReason(engine.VPReason(a.n(2)), a.n(3))), formatSigned(a.n(0)), formatSigned(a.n(1)))
}

func vpReason(w engine.VPReason, arg int) string {
	switch w {
	case engine.VPFromStruggle:
		return fmt.Sprintf("power struggle in %v", engine.Country(arg))
	case engine.VPFromPower:
		return fmt.Sprintf("Power kept in %v", engine.Country(arg))
	case engine.VPFromCountry:
		return fmt.Sprintf("scoring of %v", engine.Country(arg))
	case engine.VPFromHeldPower:
		if arg == 1 {
			return "the Communist holds Power in 1 country"
		}
		return fmt.Sprintf("the Communist holds Power in %d countries", arg)
	case engine.VPFromCeausescus:
		return "the Ceausescus were never captured"
	case engine.VPFromCapture:
		return "the Tyrant is captured"
	}
	return engine.Card(arg).String() // VPFromEvent, VPFromCommonHome and VPFromLigachev
}

func scoreSentence(a args) string {
	part := func(s engine.Side, i int) string {
		if engine.Level(a.n(i)) == engine.NoPresence {
			return sideName(s) + " has nothing"
		}
		if a.n(i+2) == 0 {
			return fmt.Sprintf("%s has %v only (%d)", sideName(s), engine.Level(a.n(i)), a.n(i+1))
		}
		return fmt.Sprintf("%s has %v and %s (%d+%d)", sideName(s), engine.Level(a.n(i)), pluralize(a.n(i+2), "battleground"), a.n(i+1), a.n(i+2))
	}
	text := fmt.Sprintf("%v is scored: %s; %s.", a.country(0), part(engine.Democrat, 1), part(engine.Communist, 4))
	if a.n(2)+a.n(3) == a.n(5)+a.n(6) {
		text += " The sides are equal: no VP."
	}
	return text
}

func eventRollSentence(a args) string {
	result := " It fails."
	if a.n(5) == 1 {
		result = " It succeeds."
	}
	needed := fmt.Sprintf("%d or more needed", a.n(4))
	if a.n(4)-a.n(2) <= 1 {
		needed, result = "any roll succeeds", ""
	}
	return fmt.Sprintf("%s: %s (%s).%s", a.card(6), formatSum(a.n(1), a.n(3), term{a.n(2), ""}), needed, result)
}

func tiananmenSentence(a args) string {
	result := "fails"
	if a.n(7) == 1 {
		result = "succeeds"
	}
	return fmt.Sprintf("Tiananmen attempt for box %d: %s (%d or more needed). %s %s.", a.n(1),
		formatSum(a.n(2), a.n(5), term{a.n(3), "Ops"}, term{a.n(4), "bonus"}), a.n(6), capitalSideName(a.side(0)), result)
}

var awardTexts = [...]string{1: "+1 to every further attempt", 2: "cards of 1 Op count as 2",
	3: "draw three cards and keep one", 4: "remove 2 enemy support points", 5: "may exchange a card at the start of a turn",
	6: "a support check of 2 Ops at the end of each turn", 7: "once a turn, an enemy card without its event",
	8: "once a turn, both event and Operations of one card"}

func strikeSentence(a args) string {
	text := fmt.Sprintf("Strike: %s (6 or more needed).", formatSum(a.n(0), a.n(0)+a.n(1), term{a.n(1), "Ops"}))
	if a.n(2) == 1 {
		return text + " The strike is over."
	}
	return text + " The strike goes on."
}

func crowdSentence(a args) string {
	rallies := fmt.Sprintf("%d Rallies are", a.n(0))
	if a.n(0) == 1 {
		rallies = "1 Rally is"
	}
	if a.n(1) == 0 {
		return rallies + " among them: the crowd does nothing."
	}
	return fmt.Sprintf("%s among them: the Democrat has %s for Romania.", rallies, formatOps(a.n(1)))
}

// The sentences about power struggles follow.

// struggleDealSentence describes a deal of power struggle cards. Hidden cards are only counted.
func struggleDealSentence(q *eventQueue) (string, int) {
	group := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvStruggleCard })
	var counts [2]int
	var visible [2]engine.StruggleCards
	for _, e := range group {
		s, k := engine.Side(e.Args[0]), e.Args[1]
		counts[s]++
		if k != engine.HiddenStruggleCard {
			visible[s][k]++
		}
	}
	return drawSentence(counts, "power struggle card", "", func(s engine.Side) string { return handList(visible[s]) }), len(group)
}

func struggleMovedSentence(a args) string {
	s := a.side(1)
	return fmt.Sprintf("%s: %s of %s %s to %s.", a.card(0), pluralize(a.n(2), "power struggle card"), sideName(s.Enemy()),
		map[bool]string{true: "goes", false: "go"}[a.n(2) == 1], sideName(s))
}

// discardSentence lists the power struggle cards that a side discards, for example to raise the stakes.
func discardSentence(format string) sentenceFunc {
	return func(q *eventQueue) (string, int) {
		first := q.events[0]
		group := q.leading(func(e rules.Event) bool { return e.Kind == first.Kind && e.Args[0] == first.Args[0] })
		var h engine.StruggleCards
		for _, e := range group {
			h[e.Args[1]]++
		}
		return fmt.Sprintf(format, capitalSideName(engine.Side(first.Args[0])), handList(h)), len(group)
	}
}

func attackSentence(a args) string {
	k := a.struggle(1)
	text := fmt.Sprintf("%s attacks with %v", capitalSideName(a.side(0)), k)
	switch {
	case k.Info().Leader:
		text += fmt.Sprintf(" as %v", a.suit(2))
	case k == engine.ScareTactics && a.space(3) != 0:
		text += fmt.Sprintf(" in %v", a.space(3))
	}
	return text + "."
}

func counterSentence(a args) string {
	s := a.side(0)
	if a.n(1) == 0 {
		return capitalSideName(s) + " counterattacks without a die and takes the initiative."
	}
	text := fmt.Sprintf("Counterattack: rolled %d (%d or more needed). ", a.n(1), a.n(2))
	if a.n(3) == 1 {
		return text + capitalSideName(s) + " takes the initiative."
	}
	return text + capitalSideName(s.Enemy()) + " keeps the initiative."
}

func struggleWonSentence(a args) string {
	text := fmt.Sprintf("%s wins the power struggle in %v", capitalSideName(a.side(0)), a.country(1))
	if s := a.suit(2); s != engine.NoSuit {
		text += fmt.Sprintf(" with %v", s)
	}
	return text + "."
}

// describeAftermathRoll returns, for example, "rolled 6 + 3 from modifiers: total 9 (counts as 7)": the table of the
// aftermath ends at 7.
func describeAftermathRoll(a args) string {
	raw := a.n(1) + a.n(2)
	text := formatSum(a.n(1), raw, term{a.n(2), "from modifiers"})
	if raw != a.n(3) {
		text += fmt.Sprintf(" (counts as %d)", a.n(3))
	}
	return text
}

// lossSentence says how many points the loser must remove, and how many of them there are if there are fewer: these are
// removed at once, before the victory points roll.
func lossSentence(q *eventQueue) (string, int) {
	a := args(q.events[0].Args)
	if a.n(4) == 0 {
		return fmt.Sprintf("Support loss: %s. %s loses nothing.", describeAftermathRoll(a), capitalSideName(a.side(0))), 1
	}
	text := fmt.Sprintf("Support loss: %s. %s must remove %s", describeAftermathRoll(a), capitalSideName(a.side(0)),
		pluralize(a.n(4), "support point"))
	removed, i := 0, 1
	for ; i < len(q.events) && q.events[i].Kind == engine.EvRemoved; i++ {
		removed += int(q.events[i].Args[2])
	}
	if i < len(q.events) && q.events[i].Kind == engine.EvVictory && removed < a.n(4) {
		have := "none"
		if removed > 0 {
			have = fmt.Sprintf("only %d", removed)
		}
		text += fmt.Sprintf(" but has %s in the country", have)
	}
	return text + ".", 1
}

// victorySentence describes the victory points roll together with the change of VP, which is a separate event.
func victorySentence(q *eventQueue) (string, int) {
	a, n := args(q.events[0].Args), 1
	text := fmt.Sprintf("Victory points: %s. Result: %s VP", describeAftermathRoll(a), formatSigned(a.side(0).Sign()*a.n(4)))
	if len(q.events) > 1 && q.events[1].Kind == engine.EvVP && engine.VPReason(q.events[1].Args[2]) == engine.VPFromStruggle {
		text, n = text+", now "+formatSigned(int(q.events[1].Args[1])), 2
	}
	if a.n(5) == 1 {
		text += ". The government falls"
	}
	return text + ".", n
}
