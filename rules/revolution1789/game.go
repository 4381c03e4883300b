package revolution1789

import (
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/chart"
	"samizdat/rules/revolution1789/engine"
	"samizdat/rules/revolution1789/robot"
	"samizdat/rules/revolution1789/words"
	"samizdat/templates/picture"
)

// Game returns 1789.
func Game() *rules.Game {
	var e engine.Rules
	var w words.Words
	return &rules.Game{
		Engine: e, Language: w, LetterTexts: w,
		Robots: robot.Makers(), NewSimulation: e.NewSimulation, Resigned: resultWithoutResigned,
		Ballots: e, CountChanges: w.CountChanges, MayStillAsk: w.MayStillAsk, DecodeView: e.DecodeView, Desk: desk(),
		Headline: w.Headline, Role: w.Role, Map: mapDrawer{w}, Speech: w,
		Manual: w.Manual, ExplainOrder: w.ExplainOrder, Topics: w.Topics, Cards: w.Cards, AnswerQuery: w.AnswerQuery, Turn: w.Turn,
		Chronicle: w, Counts: w, Facts: words.FactReader{},
	}
}

// resultWithoutResigned implements rules.Game.Resigned. The other players continue, and Silence answers for the resigned
// seats, which cannot win since revision 2 of the rules.
func resultWithoutResigned(p rules.Position, seats rules.Seats) (rules.Result, bool) {
	r, isOver := p.Result()
	pos, ok := p.(*engine.Position)
	return r.WithoutSeats(seats), isOver && ok && !pos.AbsentMayWin()
}

// mapDrawer implements rules.MapDrawer: chart draws the picture, words writes the map as text.
type mapDrawer struct{ words words.Words }

func (m mapDrawer) TextMap(v rules.View, _ []rules.Event) []string {
	var out []string
	for _, s := range m.words.AnswerQuery(v, rules.QueryMap) {
		out = append(append(out, strings.ToUpper(s.Title), ""), append(s.Lines, "")...)
	}
	return out[:len(out)-1]
}

func (m mapDrawer) Draw(v rules.View, since []rules.Event) *picture.Picture {
	return chart.Draw(v, m.words.Status(v), since)
}
