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
	if !dear.Empty() {
		q.legal("2 Ops a point", dear)
	}
}

// mostTargets is how many targets of support checks are listed.
const mostTargets = 12

// checkNote lists targets with what is added to the die and what the sum must
// exceed, the likeliest first.
func (q *asking) checkNote(set engine.SpaceSet, but string, sum func(engine.Space) int) {
	if set.Empty() {
		return
	}
	var list []engine.Space
	for s := set.Next(); s != 0; s = set.Next() {
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b engine.Space) int {
		return (sum(b) - 2*b.Info().Stability) - (sum(a) - 2*a.Info().Stability)
	})
	var parts []string
	for _, s := range list[:min(len(list), mostTargets)] {
		n := sum(s)
		sign := "+"
		if n < 0 {
			sign, n = "-", -n
		}
		parts = append(parts, fmt.Sprintf("%v %s%d/%d", s, sign, n, 2*s.Info().Stability))
	}
	text := joinComma(parts)
	if rest := len(list) - mostTargets; rest > 0 {
		text += fmt.Sprintf(" and %d less likely", rest)
	}
	title := "Check (added to the die / to be exceeded)"
	if but != "" {
		title = "Check (added to die and Ops / to be exceeded)"
	}
	q.note(title, text)
	q.paidNote(set)
}

// paidNote warns of the targets where a check pays the other side, and that Operations
// make the second check all the same (ruling 11).
func (q *asking) paidNote(set engine.SpaceSet) {
	if q.side != engine.Communist {
		return
	}
	pays := false
	for _, paid := range engine.PaidChecks {
		if here := set.And(paid.In); q.p.Effects.Cards.Has(paid.Card) && !here.Empty() {
			q.note(fmt.Sprintf("Each check gives the Democrat 1 VP (%s)", full(paid.Card)), spaceList(here))
			pays = true
		}
	}
	if pays && q.bothChecks() {
		q.note("Operations make two checks", "the second as well while any space can be checked, also where it gives the Democrat VP")
	}
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
