package words

import (
	"fmt"
	"slices"

	"samizdat/rules/dawn1989/engine"
)

// placingNote says where points may be placed, and where they cost 2.
func (q *asking) placingNote(set engine.SpaceSet) {
	if set.Empty() {
		return
	}
	q.legal("Place", set)
	var dear engine.SpaceSet
	for rest := set; !rest.Empty(); {
		if s := rest.Next(); q.p.Cost(q.side, s) > 1 {
			dear.Add(s)
		}
	}
	switch {
	case dear.Empty():
	case len(q.countries(dear)) > 3:
		// A line for each country would make the letter too long.
		q.note("2 Ops a point", spaceList(dear))
	default:
		q.legal("2 Ops a point", dear)
	}
}

// mostTargets is how many targets of support checks are listed.
const mostTargets = 12

// checkNote lists targets with what is added to the die and what the sum must
// exceed, the likeliest first. Those where a check pays the other side are marked.
func (q *asking) checkNote(set engine.SpaceSet, but string, sum func(engine.Space) int) {
	if set.Empty() {
		return
	}
	var list []engine.Space
	for rest := set; !rest.Empty(); {
		list = append(list, rest.Next())
	}
	slices.SortStableFunc(list, func(a, b engine.Space) int {
		return (sum(b) - 2*b.Info().Stability) - (sum(a) - 2*a.Info().Stability)
	})
	paid, marked := q.paid(), false
	var parts []string
	for _, s := range list[:min(len(list), mostTargets)] {
		n, mark := sum(s), ""
		sign := "+"
		if n < 0 {
			sign, n = "-", -n
		}
		if paid.Has(s) {
			mark, marked = "*", true
		}
		parts = append(parts, fmt.Sprintf("%v%s %s%d/%d", s, mark, sign, n, 2*s.Info().Stability))
	}
	text := joinComma(parts)
	if rest := len(list) - mostTargets; rest > 0 {
		text += fmt.Sprintf(" and %d less likely", rest)
	}
	title := "Check (added to the die / to be exceeded"
	if but != "" {
		title = "Check (added to die and Ops / to be exceeded"
	}
	if marked {
		title += "; * gives the Democrat 1 VP"
	}
	q.note(title+")", text)
	if marked && set.Minus(paid).Len() < 2 && q.bothChecks() {
		// The first check may leave no other space (ruling 11).
		q.note("The second check", "it is made while any space can be checked, also where it gives the Democrat VP")
	}
}

// paid are the spaces where a check of the side that is asked pays the other.
func (q *asking) paid() engine.SpaceSet {
	var out engine.SpaceSet
	if q.side != engine.Communist {
		return out
	}
	for _, paid := range engine.PaidChecks {
		if q.p.Effects.Cards.Has(paid.Card) {
			out = out.Or(paid.In)
		}
	}
	return out
}

// bothChecks reports whether the question is what to use Operations for that make
// two checks.
func (q *asking) bothChecks() bool {
	switch q.ask {
	case engine.AskRound, engine.AskExtraRound, engine.AskOps:
		return true
	case engine.AskGrant:
		return !q.frame().MayStopChecks()
	}
	return false
}
