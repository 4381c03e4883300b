package dawn1989

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/chart"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/dawn1989/words"
	"samizdat/templates/picture"
)

// Game is 1989 as a rules.Game: the engine and its words, and what needs more than
// one of the rooms.
type Game struct {
	engine.Rules
	words.Words
}

var (
	_ rules.Game       = Game{}
	_ rules.Typesetter = Game{}
	_ rules.Marker     = Game{}
	_ rules.Headliner  = Game{}
	_ rules.Informer   = Game{}
	_ rules.Librarian  = Game{}
	_ rules.ViewReader = Game{}
	_ rules.RobotMaker = Game{}
	_ rules.TableMaker = Game{}
	_ rules.Planner    = Game{}
	_ rules.Cautious   = Game{}
	_ rules.Imaginer   = Game{}
	_ rules.Ender      = Game{}
	_ rules.Chronicler = Game{}
	_ rules.Counter    = Game{}
	_ rules.Stater     = Game{}
	_ rules.Bidder     = Game{}
)

// The options of a match. Without any it is the standard match.
const (
	// OptionExtra is the option of a "+N" match: how many more support points the
	// Democrat places at the end of set-up.
	OptionExtra = engine.OptionExtra
	// OptionBidding lets the players bid for their sides (rule 13): "yes".
	OptionBidding = engine.OptionBidding
)

// Name implements rules.Game.
func (Game) Name() string { return "1989" }

// Title implements rules.Game.
func (Game) Title() string { return "1989: Dawn of Freedom" }

// Credit implements rules.Game.
func (Game) Credit() string {
	return "1989: Dawn of Freedom is a game by Jason Matthews and Ted Torgerson, published by GMT Games."
}

// Bidding implements rules.Bidder.
func (Game) Bidding() map[string]string { return map[string]string{OptionBidding: "yes"} }

// Draws implements rules.Ender.
func (Game) Draws(rules.Setup) bool { return true }

// Resigned implements rules.Ender: the other chair wins.
func (Game) Resigned(p rules.Position, seats rules.Seats) (rules.Result, bool) {
	if r, over := p.Result(); over {
		return r.Without(seats), true
	}
	const both = 1<<2 - 1
	return rules.Result{Winners: both &^ seats, Lost: seats == both}, true
}

// Inform implements rules.Informer.
func (g Game) Inform(v rules.View, q rules.Query) []rules.Section {
	if q == rules.QueryBigMap {
		return []rules.Section{{Title: "The big map", Lines: g.TextMap(v, nil)}}
	}
	return g.Words.Inform(v, q)
}

// TextMap implements adjudicator.Cartographer.
func (g Game) TextMap(v rules.View, since []rules.Event) []string {
	return chart.Text(v, g.Status(v), since)
}

// Draw implements adjudicator.Cartographer.
func (g Game) Draw(v rules.View, since []rules.Event) *picture.Picture {
	return chart.Draw(v, g.Status(v), since)
}

// Robots implements rules.RobotMaker.
func (Game) Robots() []string { return robot.Names() }

// Robot implements rules.RobotMaker.
func (g Game) Robot(name string, seed uint64) (rules.Robot, error) {
	return robot.New(name, seed, g.Line)
}
