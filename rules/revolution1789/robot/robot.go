// Package robot holds the robots for 1789. A robot receives only the views of its seat and remembers one match.
package robot

import (
	"math/rand/v2"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Makers returns the makers of robots except the random robot, weakest first. Level 1 is another name for partisan.
func Makers() []rules.RobotMaker {
	return []rules.RobotMaker{
		{Name: "quiet", New: func(seed uint64) rules.Robot { return quietRobot{rules.NewRandomRobot(seed)} }},
		{Name: "level1", New: newPartisan},
		{Name: "partisan", New: newPartisan},
		{Name: "level2", New: newSearcher, IsSlow: true},
	}
}

func newPartisan(seed uint64) rules.Robot {
	return &partisanRobot{random: rand.New(rand.NewPCG(seed, 1789))}
}

// quietRobot plays at random and never starts a revolution.
type quietRobot struct{ rules.RandomRobot }

func (r quietRobot) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	if d.Kind == engine.KindCall {
		return options[0]
	}
	return r.RandomRobot.Choose(look, d, options)
}
