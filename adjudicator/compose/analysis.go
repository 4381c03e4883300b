package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/analysis"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// AnalysisSection lists a player's most expensive decisions, and the dice and draws that changed the chances most.
func AnalysisSection(turn *match.Turn, findings *analysis.Analysis, seat rules.Seat) rules.Section {
	var mistakes, luck []string
	if int(seat) < len(findings.Mistakes) {
		for _, m := range findings.Mistakes[seat] {
			choice := "The robot's choice"
			if strings.Contains(m.Orders, ",") && !strings.Contains(m.Better, ",") {
				choice += " at the worst step" // An order that places several points is judged point by point.
			}
			mistakes = append(mistakes, fmt.Sprintf("%s: %s. Cost: %.0f %%. %s: %s.", match.Capitalize(m.Turn), m.Orders, m.Cost, choice,
				m.Better))
		}
	}
	for _, l := range findings.Luck {
		gainer, gain := l.Gainer()
		luck = append(luck, fmt.Sprintf("%s: %s (%s). Worth %.0f %% to %s.",
			match.Capitalize(l.Turn), l.Orders, l.Outcomes, gain, turn.FullName(gainer)))
	}
	lines := Paragraphs("A robot has replayed the match, and judges each decision by what its player could see then.")
	if len(mistakes) == 0 {
		lines = append(lines, Paragraphs("\nThe robot would have decided as you did.")...)
	} else {
		lines = append(lines, Paragraphs("\nThese decisions lowered your chance to win most:")...)
		lines = slices.Concat(lines, []string{""}, FormatList(mistakes))
	}
	if len(luck) > 0 {
		lines = append(lines, Paragraphs("\nDice and drawn cards changed the chances most here:")...)
		lines = slices.Concat(lines, []string{""}, FormatList(luck))
	}
	return rules.Section{Title: "Your decisions", Lines: lines}
}
