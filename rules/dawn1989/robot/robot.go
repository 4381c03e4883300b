// Package robot is who plays 1989 when no player does. A robot sees a view and nothing
// else; what it imagines, it imagines on positions that the view shows.
package robot

import (
	"fmt"

	"samizdat/rules"
)

// The names of the robots.
const (
	nameRandom   = "random"
	nameSensible = "sensible"
)

// Names lists the robots, the simplest first.
func Names() []string { return []string{nameRandom, nameSensible} }

// New makes a robot; write says an answer as an order. The sensible robot needs
// no seed: it answers the same question always alike.
func New(name string, seed uint64, write func(atoms []rules.Atom) string) (rules.Robot, error) {
	switch name {
	case nameRandom:
		return rules.NewRandomRobot(seed), nil
	case nameSensible:
		return &sensible{write: write}, nil
	}
	return nil, fmt.Errorf("1989 has no robot %q; it has %s and %s", name, nameRandom, nameSensible)
}
