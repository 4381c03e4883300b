package words

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules/dawn1989/engine"
)

// maxTargets is the maximum number of spaces that a note on support checks names.
const maxTargets = 12

const starNote = " A check in a space marked * gives the Democrat 1 VP."

// checkSucceeds is the title of a note on support checks for which the Ops value is known.
const checkSucceeds = "The check succeeds on"

// noteChecks adds a note that groups the spaces for support checks by the die that a check needs, for example "2+ in
// Czech Writers; 4+ in Szeged, Budapest". sum returns the number that is added to the die. As long as no card is
// chosen, sum uses the highest Ops value in the hand, and opsRange is the difference between the highest and the
// lowest; otherwise opsRange is 0. "*" marks spaces where a check gives the enemy VP.
func (q *questionWriter) noteChecks(title string, opsRange int, set engine.SpaceSet, sum func(engine.Space) int) {
	if set.IsEmpty() {
		return
	}
	list := set.List()
	slices.SortStableFunc(list, func(a, b engine.Space) int {
		return (sum(b) - 2*b.Info().Stability) - (sum(a) - 2*a.Info().Stability)
	})
	vpSpaces, hasVPSpace := q.spacesGivingVP(), false
	anyDie := 1 - opsRange
	needed := func(s engine.Space) int { return max(anyDie, 2*s.Info().Stability-sum(s)+1) }
	possible := slices.DeleteFunc(slices.Clone(list), func(s engine.Space) bool { return needed(s) > 6 })
	named := min(len(possible), maxTargets)
	for named > 0 && named < len(possible) && needed(possible[named-1]) == needed(possible[named]) {
		named-- // Spaces that need the same die are named together, or not at all.
	}
	if named == 0 {
		named = min(len(possible), maxTargets)
	}
	var groups []string
	previous := -opsRange
	for _, s := range possible[:named] {
		name := s.String()
		if vpSpaces.Has(s) {
			name, hasVPSpace = name+"*", true
		}
		if n := needed(s); n != previous {
			groups, previous = append(groups, formatNeededDie(n)+" in "+name), n
		} else {
			groups[len(groups)-1] += ", " + name
		}
	}
	text, remaining := strings.Join(groups, "; ")+".", len(possible)-named
	switch {
	case len(possible) == 0:
		text, opsRange = "no die.", 0
	case remaining > 0:
		least, most := needed(possible[named]), needed(possible[len(possible)-1])
		text = describeOtherChecks(strings.TrimSuffix(text, "."), remaining, previous, least, most)
	case len(possible) < len(list):
		text += " No check succeeds elsewhere."
	}
	if opsRange > 0 {
		text += " With fewer Ops, you need 1 more on the die for each Op that is missing."
	}
	if hasVPSpace {
		text += starNote
	}
	q.addNote(title, text)
	if hasVPSpace && set.Minus(vpSpaces).Len() < 2 && q.hasTwoChecks() {
		// The first check may leave no other space (ruling 11).
		q.addNote("The second check", "you must make it if any space can be checked, even where it gives the Democrat VP")
	}
}

// describeOtherChecks adds to text, a list of spaces for checks, how many other spaces it does not name, for example
// "12 other spaces need 5+ or 6, depending on the space." last is the die needed in the last named space. The other
// spaces need a die from least to most.
func describeOtherChecks(text string, others, last, least, most int) string {
	if most == last {
		return fmt.Sprintf("%s and %s.", text, pluralize(others, "other space"))
	}
	need := "need"
	if others == 1 {
		need = "needs"
	}
	text += fmt.Sprintf(". %s %s ", pluralize(others, "other space"), need)
	switch least = max(1, least); {
	case least == most:
		return text + formatNeededDie(least) + "."
	case least+1 == most:
		return text + formatNeededDie(least) + " or " + formatNeededDie(most) + ", depending on the space."
	}
	return text + "from " + formatNeededDie(least) + " to " + formatNeededDie(most) + ", depending on the space."
}

// formatNeededDie formats the smallest die that succeeds, for example "3+" or "6". If least is below 1, any die would
// succeed even with 1-least fewer Ops.
func formatNeededDie(least int) string {
	switch {
	case least < 1:
		return fmt.Sprintf("any roll (even with %s)", pluralize(1-least, "fewer Op"))
	case least == 1:
		return "any roll"
	case least == 6:
		return "6"
	}
	return fmt.Sprintf("%d+", least)
}

func (q *questionWriter) spacesGivingVP() engine.SpaceSet {
	var out engine.SpaceSet
	if q.side != engine.Communist {
		return out
	}
	for _, vpCheck := range engine.VPChecks {
		if q.pos.Effects.Cards.Has(vpCheck.Card) {
			out = out.Or(vpCheck.In)
		}
	}
	return out
}

func (q *questionWriter) hasTwoChecks() bool {
	switch q.kind {
	case engine.AskRound, engine.AskExtraRound, engine.AskOps:
		return true
	case engine.AskGrant:
		return !q.frame().MayStopChecks()
	}
	return false
}

// The questions of a power struggle.
