package main

import (
	"context"
	"fmt"
	"math"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/search"
)

// calibrationSimulations is the number of simulations of a judged position.
const calibrationSimulations = 16

// calibrate lets a robot of level 2 play matches against itself, and prints how often the side ahead wins, for three parts of
// the match: where the analyst gives it a chance of 45 to 55 %, 55 to 65 % and so on. An interrupt ends it early.
func calibrate(ctx context.Context, games int, seed uint64) error {
	const bins, parts = 11, 3
	var n, chance, won [parts][bins]float64
	played := 0
	for ; played < games && ctx.Err() == nil; played++ {
		positions, result, err := judgeMatch(seed + uint64(played))
		if err != nil {
			return err
		}
		for _, p := range positions {
			ahead, wins := p.chance, result
			if ahead < 0.5 {
				ahead, wins = 1-ahead, 1-wins
			}
			part, bin := min(parts-1, int(p.turn-1)/4), int(math.Round(ahead*(bins-1)))
			n[part][bin]++
			chance[part][bin] += ahead
			won[part][bin] += wins
		}
	}
	fmt.Printf("%d matches\n", played)
	for part, turns := range [...]string{"1 to 4", "5 to 8", "9 and 10"} {
		for bin := range bins {
			if k := n[part][bin]; k > 0 {
				fmt.Printf("turns %-8s called %5.1f %%, won %5.1f %% of %4.0f positions\n", turns, 100*chance[part][bin]/k, 100*won[part][bin]/k, k)
			}
		}
	}
	return nil
}

// judged is a position with the Democrat's chance to win, from 0 to 1.
type judged struct {
	turn   int8
	chance float64
}

// judgeMatch plays a match, and judges one action round out of four.
func judgeMatch(seed uint64) (out []judged, result float64, err error) {
	var lot search.Lot
	lot.Seed(seed, 2)
	begun, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: engine.Rules{}.Revision()})
	if err != nil {
		return nil, 0, err
	}
	p := begun.(*engine.Position)
	r, analyst := robot.NewSearcher(robot.Level(2), seed), robot.NewAnalyst(calibrationSimulations)
	x := engine.Run{Chance: &lot}
	look := func() rules.View { return p.View(p.SeatOfSide[p.Question.Side]) }
	var room [engine.MaxOptions]rules.Atom
	for p.Ending == engine.NotOver {
		if p.Question.Kind == engine.AskNothing {
			x.Events = x.Events[:0]
			if err := p.Step(&x); err != nil {
				return nil, 0, fmt.Errorf("match %d: %w", seed, err)
			}
			continue
		}
		if p.Question.Kind == engine.AskRound && rules.RandomBelow(&lot, 4) == 0 {
			chance := float64(analyst.WinChance(p)) / search.Certain
			if p.SideOf(0) == engine.Communist {
				chance = 1 - chance
			}
			out = append(out, judged{p.Turn, chance})
		}
		p.AnswerQuestion(&x, r.Choose(look, rules.Decision{}, p.LegalAtoms(room[:0])))
	}
	return out, resultOf(p), nil
}

// resultOf returns 1 if the Democrat has won, 0 if the Communist has, and 0.5 for a draw.
func resultOf(p *engine.Position) float64 {
	switch {
	case p.Winners.Has(p.SeatOfSide[engine.Democrat]):
		return 1
	case p.Winners.Has(p.SeatOfSide[engine.Communist]):
		return 0
	}
	return 0.5
}
