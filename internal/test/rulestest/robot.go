package rulestest

import (
	"fmt"

	"samizdat/rules"
)

var _ rules.RobotMaker = Game{}

// Robots names the only robot.
func (Game) Robots() []string { return []string{"random"} }

// Robot makes one.
func (Game) Robot(name string, seed uint64) (rules.Robot, error) {
	if name != "random" {
		return nil, fmt.Errorf("three orchards has no robot %q, only the random one", name)
	}
	return rules.NewRandomRobot(seed), nil
}
