// Package robot plays 1789. A robot is given views and nothing else, and remembers what it
// has seen of one match.
package robot

import (
	"fmt"
	"math/rand/v2"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// The names of the robots, the simplest first.
const (
	// random gives any answer.
	random = "random"
	// quiet gives any answer, but never calls a revolution.
	quiet = "quiet"
	// partisan plays for its objective.
	partisan = "partisan"
)

// Names lists the robots.
func Names() []string { return []string{random, quiet, partisan} }

// New makes a robot.
func New(name string, seed uint64) (rules.Robot, error) {
	switch name {
	case random:
		return rules.NewRandomRobot(seed), nil
	case quiet:
		return quietRobot{rules.NewRandomRobot(seed)}, nil
	case partisan:
		return &partisanRobot{lot: rand.New(rand.NewPCG(seed, 1789))}, nil
	}
	return nil, fmt.Errorf("1789 has no robot %q; there is random, quiet and partisan", name)
}

// quietRobot plays at random and leaves revolutions to others.
type quietRobot struct{ rules.RandomRobot }

// Choose implements rules.Robot.
func (r quietRobot) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	if d.Kind == engine.KindCall {
		return options[0]
	}
	return r.RandomRobot.Choose(look, d, options)
}
