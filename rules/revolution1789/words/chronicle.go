package words

import (
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Episode implements rules.Chronicler: a revolution is set apart.
func (Words) Episode(rv rules.View) string {
	if v := rv.(*engine.View); v.Revolt.First != rules.Nobody {
		return "The revolution"
	}
	return ""
}

// Curves implements rules.Chronicler: how many ministers each colour has.
func (Words) Curves(rv rules.View) []rules.Curve {
	v := rv.(*engine.View)
	return []rules.Curve{
		{Name: "Monarchist ministers", Value: v.CountMinisters(engine.Monarchist), High: "Monarchists"},
		{Name: "Republican ministers", Value: v.CountMinisters(engine.Republican), High: "Republicans"},
	}
}

// Telling implements rules.Chronicler.
func (Words) Telling() []string {
	return []string{"is voted ", "stays unresolved", "purged and lose", "a revolution.", "shows ", " token to ", " no token.",
		"revolution succeeds", "revolution fails", "no legal seat"}
}
