package words

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Episode implements rules.Chronicler: power struggles are told by themselves.
func (Words) Episode(rv rules.View) string {
	c := rv.(*engine.View).Seen.Struggle.Country
	if c == engine.NoCountry {
		return ""
	}
	return struggleTitle(c)
}

// Curves implements rules.Chronicler.
func (Words) Curves(rv rules.View) []rules.Curve {
	return []rules.Curve{{Name: "Victory points", Value: int(rv.(*engine.View).Seen.VP), High: sideTitles[engine.Democrat], Low: sideTitles[engine.Communist]}}
}

// Telling implements rules.Chronicler: what decides a match.
func (Words) Telling() []string {
	return []string{"A power struggle begins", "wins the power struggle", "takes Power", "surrenders Power", "keeps Power", " is scored:", ": VP ",
		"declares the end"}
}
