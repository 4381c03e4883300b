package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

var (
	_ rules.RobotMaker = Game{}
	_ rules.TableMaker = Game{}
)

// The names of the robots.
const (
	robotRandom   = "random"
	robotSensible = "sensible"
)

// Robots implements rules.RobotMaker.
func (Game) Robots() []string { return []string{robotRandom, robotSensible} }

// Robot implements rules.RobotMaker. The sensible robot needs no seed: it answers
// the same question always alike.
func (Game) Robot(name string, seed uint64) (rules.Robot, error) {
	switch name {
	case robotRandom:
		return rules.NewRandomRobot(seed), nil
	case robotSensible:
		return &sensible{}, nil
	}
	return nil, fmt.Errorf("1989 has no robot %q; it has %s and %s", name, robotRandom, robotSensible)
}
