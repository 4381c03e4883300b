package dawn1989

import (
	"fmt"
	"math/rand/v2"

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

// Robot implements rules.RobotMaker.
func (Game) Robot(name string, seed uint64) (rules.Robot, error) {
	switch name {
	case robotRandom:
		return &randomRobot{rand.NewPCG(seed, robotStream)}, nil
	case robotSensible:
		return &sensible{}, nil
	}
	return nil, fmt.Errorf("1989 has no robot %q; it has %s and %s", name, robotRandom, robotSensible)
}

// robotStream keeps a robot's numbers apart from those of the dice when both were
// given the same seed.
const robotStream = 0x726f626f74

// randomRobot answers with any option, each as likely as the others.
type randomRobot struct{ source *rand.PCG }

func (r *randomRobot) Choose(_ func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	return options[below(r.source.Uint64(), len(options))]
}

// below maps 64 random bits to a number below n. With at most some hundred
// options the bias is far below anything that could be measured.
func below(bits uint64, n int) int { return int((bits >> 32) * uint64(n) >> 32) }
