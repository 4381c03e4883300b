package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Sections implements rules.Scribe.
func (Words) Sections(rv rules.View) []rules.Section {
	v := rv.(*engine.View)
	var out []rules.Section
	if s := ownSection(v); s.Title != "" {
		out = append(out, s)
	}
	out = append(out, assemblySection(v), boardSection(v), crisesSection(v), playersSection(v))
	if v.Shown != 0 {
		out = append(out, shownSection(v))
	}
	return out
}

// Inform implements rules.Informer.
func (Words) Inform(rv rules.View, q rules.Query) []rules.Section {
	v := rv.(*engine.View)
	switch q {
	case rules.QueryHand:
		if s := ownSection(v); s.Title != "" {
			return []rules.Section{s}
		}
	case rules.QueryMap, rules.QueryBigMap:
		return []rules.Section{assemblySection(v), boardSection(v), crisesSection(v)}
	}
	return nil
}

// ownSection is the seat's secret objective, and what it needs as things stand.
func ownSection(v *engine.View) rules.Section {
	s := v.Seat()
	if s == rules.Nobody || v.Objectives[s] == 0 {
		return rules.Section{}
	}
	o := v.Objectives[s]
	lines := []string{fmt.Sprintf("%s, a %s. Nobody else knows your card.", o.Name(), factions[o.Faction()])}
	if v.Shown.Has(s) {
		lines[0] = fmt.Sprintf("%s, a %s.", o.Name(), factions[o.Faction()])
	}
	for r := range engine.Reforms {
		want := o.Wants(r)
		if want == engine.NoColour {
			continue
		}
		now := "as it is"
		if got := v.Ministers[r]; got == engine.NoColour {
			now = "nobody yet"
		} else if got != want {
			now = "the other way"
		}
		lines = append(lines, fmt.Sprintf("  %-11s %-11s %s", reforms[r], ministers[want], now))
	}
	switch {
	case o.Leader():
		lines = append(lines, "You can call a revolution once all reforms have ministers.")
	case o.Faction() == engine.Bonapartes:
		lines = append(lines, "You also win if both revolutions fail.")
	default:
		lines = append(lines, "You also win if the revolution of your leader wins.")
	}
	return rules.Section{Title: "Your objective", Lines: lines}
}

func assemblySection(v *engine.View) rules.Section {
	var lines []string
	for r, c := range v.Ministers {
		lines = append(lines, fmt.Sprintf("%-11s %s", reforms[r], upper(ministers[c])))
	}
	return rules.Section{Title: "The Assembly", Lines: lines}
}

// short is a citizen as the board shows him: two letters tell all apart.
func short(s rules.Seat) string {
	if s == rules.Nobody {
		return ".."
	}
	return citizen(s)[:2]
}

// boardSection draws who sits where: the Right Bank above, the Left Bank below, the bridges
// between them, and at the ends the two connected pairs.
func boardSection(v *engine.View) rules.Section {
	at := func(name string) string {
		for u := engine.Unit(1); u < engine.Units; u++ {
			if u.String() == name {
				return short(v.Holders[u])
			}
		}
		return "??"
	}
	bank := func(first int, pair string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s ~ [%2d]", at(pair), first)
		for s := first; s < first+5; s++ {
			fmt.Fprintf(&b, "--%s--[%2d]", at(fmt.Sprintf("%d-%d", s, s+1)), s+1)
		}
		return b.String() + " ~ " + at(pair)
	}
	bridges := ""
	for s := 1; s <= 6; s++ {
		bridges += fmt.Sprintf("%-10s", at(fmt.Sprintf("%d-%d", s, s+6)))
	}
	posts := strings.TrimRight("      "+strings.Repeat("|         ", 6), " ")
	lines := []string{bank(1, "1-6"), posts, strings.TrimRight("      "+bridges, " "), posts, bank(7, "7-12"), ""}
	lines = append(lines, "[n] is a space with its crisis; two letters are who sits between two spaces,",
		".. a free seat. At the ends are the connected pairs 1-6 and 7-12.")
	var traces []string
	for u := engine.Unit(1); u < engine.Units; u++ {
		for _, s := range v.Traces[u] {
			if s != rules.Nobody {
				traces = append(traces, fmt.Sprintf("%s (%s)", u, citizen(s)))
			}
		}
	}
	if len(traces) > 0 {
		lines = append(lines, wrap("Purged: "+strings.Join(traces, ", ")+".")...)
	}
	return rules.Section{Title: "The board", Lines: lines}
}

var verdicts = [...]string{"open", "voted Monarchist", "voted Republican", "unresolved"}

func crisesSection(v *engine.View) rules.Section {
	lines := []string{fmt.Sprintf("%2s %-16s %-12s %s", "", "", "Monarchist", "Republican")}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		c := v.Cards[s]
		if c == 0 {
			continue
		}
		what := verdicts[v.Verdicts[s]]
		if v.VotedOn == s {
			what = "voting"
		} else if v.Verdicts[s] == engine.Open {
			free := 0
			for _, u := range engine.Around(s) {
				if v.Holders[u] == rules.Nobody {
					free++
				}
			}
			what = fmt.Sprintf("open, %d free", free)
		}
		lines = append(lines, fmt.Sprintf("%2d %-16s %-12s %-12s %s", s, c.Name(), reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)], what))
	}
	return rules.Section{Title: "The crises", Lines: lines}
}

// playersSection lists who sits where, in the order of the table.
func playersSection(v *engine.View) rules.Section {
	var lines []string
	for _, s := range v.Order[:v.Placed] {
		var seats []string
		for u := engine.Unit(1); u < engine.Units; u++ {
			if v.Holders[u] == s {
				seats = append(seats, u.String())
			}
		}
		mark := " "
		if s == v.InChair() {
			mark = "*"
		}
		where := strings.Join(seats, ", ")
		if where == "" {
			where = "no seat"
		}
		lines = append(lines, fmt.Sprintf("%s %s %-10s %s", mark, short(s), citizen(s), where))
	}
	return rules.Section{Title: "The citizens, clockwise (* in the chair)", Lines: lines}
}

// shownSection lists the cards that everybody has seen.
func shownSection(v *engine.View) rules.Section {
	var lines []string
	for _, s := range v.Order[:v.Players] {
		if o := v.Objectives[s]; v.Shown.Has(s) {
			lines = append(lines, fmt.Sprintf("%-10s %-17s %s", citizen(s), o.Name(), factions[o.Faction()]))
		}
	}
	return rules.Section{Title: "Cards shown", Lines: lines}
}

// width is that of a letter.
const width = 78

// wrap breaks a text into lines.
func wrap(text string) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > width {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(out, line)
}
