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

// Game is 1789 as a rules.Game: the engine and its words.
type Game struct {
	engine.Rules
	words.Words
}

var (
	_ rules.Game       = Game{}
	_ rules.Headliner  = Game{}
	_ rules.Informer   = Game{}
	_ rules.Librarian  = Game{}
	_ rules.Guide      = Game{}
	_ rules.Cards      = Game{}
	_ rules.Repeater   = Game{}
	_ rules.Foreseer   = Game{}
	_ rules.RobotMaker = Game{}
	_ rules.TableMaker = Game{}
	_ rules.Ender      = Game{}
	_ rules.Chronicler = Game{}
	_ rules.Counter    = Game{}
	_ rules.Stater     = Game{}
)

// Name implements rules.Game.
func (Game) Name() string { return "1789" }

// Title implements rules.Game.
func (Game) Title() string { return "1789" }

// Credit implements rules.Game.
func (Game) Credit() string {
	return "1789 is a game by Nicholas Hjelmberg, published by Nova Suecia Games."
}

// Draws implements rules.Ender: what nobody wins is lost.
func (Game) Draws(rules.Setup) bool { return false }

// Resigned implements rules.Ender: the others play on, and silence answers for who has left, who
// does not win.
func (Game) Resigned(p rules.Position, seats rules.Seats) (rules.Result, bool) {
	r, over := p.Result()
	pos, ok := p.(*engine.Position)
	return r.Without(seats), over && ok && !pos.LeftMayWin()
}

// TextMap implements adjudicator.Cartographer.
func (g Game) TextMap(v rules.View, _ []rules.Event) []string {
	var out []string
	for _, s := range g.Inform(v, rules.QueryMap) {
		out = append(append(out, strings.ToUpper(s.Title), ""), append(s.Lines, "")...)
	}
	return out[:len(out)-1]
}

// Draw implements adjudicator.Cartographer.
func (g Game) Draw(v rules.View, since []rules.Event) *picture.Picture {
	return chart.Draw(v, g.Status(v), since)
}

// Robots implements rules.RobotMaker.
func (Game) Robots() []string { return robot.Names() }

// Robot implements rules.RobotMaker.
func (Game) Robot(name string, seed uint64) (rules.Robot, error) { return robot.New(name, seed) }
