package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// aboutObjective is a card with its faction and what it wants.
func aboutObjective(o engine.Objective) string {
	var wants []string
	for r := range engine.Reforms {
		if c := o.Wants(r); c != engine.NoColour {
			wants = append(wants, fmt.Sprintf("a %s for %s reforms", ministers[c], reforms[r]))
		}
	}
	return fmt.Sprintf("%s, a %s, who wants %s", o.Name(), factions[o.Faction()], and(wants))
}

// About is rules.Game.Cards.
func (Words) About(rv rules.View, n rules.Name) []string {
	if n.Code > firstObjective {
		o := engine.Objective(n.Code - firstObjective)
		out := []string{upper(aboutObjective(o)) + "."}
		if o.Leader() {
			out = append(out, "Always in the game. May call a revolution once all reforms have ministers (rule 5.5).")
		}
		return out
	}
	v, c := rv.(*engine.View), engine.Crisis(n.Code)
	out := []string{fmt.Sprintf("%s. Voted Monarchist, it makes a Monarchist minister for %s reforms; voted Republican, a Republican "+
		"for %s reforms.",
		c.Name(), reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)])}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if v.Cards[s] != c {
			continue
		}
		var units []string
		for _, u := range engine.Around(s) {
			holder := "free"
			if h := v.Holders[u]; h != rules.Nobody {
				holder = citizen(h)
			}
			units = append(units, fmt.Sprintf("%s %s", u, holder))
		}
		out = append(out, fmt.Sprintf("It lies on space %d: %s. Seats: %s.", s, verdicts[v.Verdicts[s]], strings.Join(units, ", ")))
	}
	return out
}
