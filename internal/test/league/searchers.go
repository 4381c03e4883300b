package league

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/robot"
)

// Robot makes a robot by name, or by the skill of a searcher:
//
//	level3
//	simulations=100,horizon=2,options=8,leaf=/tmp/leaf.json
func Robot(g *rules.Game, name string, seed uint64) (rules.Robot, error) {
	if !strings.Contains(name, "=") {
		return g.Robot(name, seed)
	}
	s, err := skill(name)
	if err != nil {
		return nil, err
	}
	return robot.NewSearcher(s, seed), nil
}

// skills are those that have been read.
var skills sync.Map

func skill(text string) (robot.Skill, error) {
	if s, found := skills.Load(text); found {
		return s.(robot.Skill), nil
	}
	s := robot.Level(5)
	for _, part := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		if key == "leaf" {
			l, err := ReadEvaluator(value)
			if err != nil {
				return s, err
			}
			s.Evaluator = l
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return s, fmt.Errorf("read the skill %q: %w", text, err)
		}
		switch key {
		case "simulations":
			s.Simulations = n
		case "horizon":
			s.Horizon = n
		case "options":
			s.Options = n
		default:
			return s, fmt.Errorf("the skill %q has no %q", text, key)
		}
	}
	skills.Store(text, s)
	return s, nil
}

// ReadEvaluator reads weights as tools/train writes them.
func ReadEvaluator(path string) (*robot.Evaluator, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l := new(robot.Evaluator)
	if err := json.Unmarshal(data, l); err != nil {
		return nil, fmt.Errorf("read the leaf %s: %w", path, err)
	}
	return l, nil
}
