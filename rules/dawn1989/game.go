package dawn1989

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/chart"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/dawn1989/words"
	"samizdat/templates/picture"
)

// The options of a match. A match without options is the standard match.
const (
	// OptionExtra is the number of extra support points for the Democrat in set-up: "2" in a "+2" match.
	OptionExtra   = engine.OptionExtra
	OptionBidding = engine.OptionBidding // "yes" if the players bid for their sides (rule 13)
)

// Game returns 1989: Dawn of Freedom.
func Game() *rules.Game {
	var e engine.Rules
	var w words.Words
	return &rules.Game{
		Engine: e, Language: w, LetterTexts: w,
		Robots:        robot.Makers(),
		Analyst:       robot.NewAnalyst,
		NewSimulation: e.NewSimulation,
		Bidding:       map[string]string{OptionBidding: "yes"},
		Draws:         true,
		Ahead:         w, Warning: w.Warning, Imagine: e.Imagine, DecodeView: e.DecodeView, Desk: desk(),
		Headline: w.Headline, Role: w.Role, MarkedSections: w.MarkedSections, Focus: w.Focus, Map: mapDrawer{w}, Speech: w,
		Manual: w.Manual, ExplainOrder: w.ExplainOrder, Samples: w.Samples, Topics: w.Topics, Cards: w.Cards,
		AnswerQuery: w.AnswerQuery, Turn: w.Turn,
		Chronicle: w, Counts: w, Uses: w.Uses, Facts: words.FactReader{},
		Differences: e.Differences, Canonical: engine.AppendCanonical,
	}
}

// mapDrawer implements rules.MapDrawer: words writes the status line, chart draws the map.
type mapDrawer struct{ words words.Words }

// TextMap implements rules.MapDrawer.
func (m mapDrawer) TextMap(v rules.View, since []rules.Event) []string {
	return chart.Text(v, m.words.Status(v), since)
}

// Draw implements rules.MapDrawer.
func (m mapDrawer) Draw(v rules.View, since []rules.Event) *picture.Picture {
	return chart.Draw(v, m.words.Status(v), since)
}
