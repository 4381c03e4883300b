package robot

import (
	"fmt"

	"samizdat/rules"
)

// Makers lists the robots of 1989 except the random robot, the weakest first. "level1" is another name for the
// sensible robot, which is deterministic and needs no seed.
func Makers() []rules.RobotMaker {
	makers := []rules.RobotMaker{
		{Name: "sensible", New: func(uint64) rules.Robot { return &sensible{} }},
		{Name: "level1", New: func(uint64) rules.Robot { return &sensible{} }},
	}
	for i, s := range levels {
		makers = append(makers, rules.RobotMaker{Name: fmt.Sprintf("level%d", i+2), IsSlow: true,
			New: func(seed uint64) rules.Robot { return NewSearcher(s, seed) }})
	}
	return makers
}

// levels are the skills of levels 2 to 5. docs/robots.md shows how often each level beats the level
// below it.
var levels = [...]Skill{
	{Simulations: 16, Horizon: 0, Options: 6, Evaluator: &plainEvaluator},
	{Simulations: 80, Horizon: 2, Options: 8, Evaluator: &plainEvaluator},
	{Simulations: 200, Horizon: 0, Options: 8, Evaluator: strongEvaluator},
	{Simulations: 400, Horizon: 2, Options: 8, Evaluator: strongEvaluator},
}

// Level returns the skill of a level from 2 to 5.
func Level(n int) Skill { return levels[n-2] }
