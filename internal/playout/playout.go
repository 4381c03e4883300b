// Package playout plays many matches between robots in memory and summarises their results, for "samizdat playout". It
// knows games only by the interfaces in package rules.
package playout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"samizdat/rules"
)

// Plan describes the matches to play. For example, {Robots: ["partisan"], Seats: 5, Matches: 100} plays
// 100 matches of five partisan robots.
type Plan struct {
	Game *rules.Game
	// Revision is the revision of the rules; 0 means the newest.
	Revision int
	Options  map[string]string
	// Robots names the robot of each seat. A single name applies to all seats.
	Robots []string
	// Seats is the number of seats; 0 means the number of robot names, or the game's minimum if that is larger.
	Seats   int
	Matches int
	// Seed determines every match; see MatchSeed.
	Seed uint64
}

// MaxDecisions limits the decisions of a match. A longer match counts as stuck.
const MaxDecisions = 50_000

// MaxMatches limits the matches of a plan, because Run keeps the result of each in memory.
const MaxMatches = 10_000_000

var errStuck = errors.New("stuck")

// Run plays the matches of a plan on all processors. The summary does not depend on the number of processors. If ctx
// ends early, Run returns the summary of the finished matches and the cause of ctx as the error.
func Run(ctx context.Context, plan Plan) (Summary, error) {
	minimum, _ := plan.Game.Seats()
	seats := cmp.Or(plan.Seats, max(minimum, len(plan.Robots)))
	setup, err := rules.NewSetup(plan.Game, seats)
	if err != nil {
		return Summary{}, err
	}
	if len(plan.Robots) != 1 && len(plan.Robots) != seats {
		return Summary{}, fmt.Errorf("%s needs one robot, or one for each of its %d seats; got %d",
			plan.Game.Title(), seats, len(plan.Robots))
	}
	if plan.Matches < 1 || plan.Matches > MaxMatches {
		return Summary{}, fmt.Errorf("invalid number of matches %d: must be 1 to %d", plan.Matches, MaxMatches)
	}
	setup.Options, setup.Revision = plan.Options, cmp.Or(plan.Revision, setup.Revision)
	workers := make([]*worker, max(1, min(runtime.GOMAXPROCS(0), plan.Matches)))
	for i := range workers {
		var err error
		if workers[i], err = newWorker(plan, setup); err != nil {
			return Summary{}, err
		}
	}
	var summary Summary
	summary.begin(plan, workers[0].names)
	started := time.Now()
	played := make([]playedMatch, plan.Matches)
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, w := range workers {
		wait.Go(func() {
			for n := int(next.Add(1)) - 1; n < plan.Matches; n = int(next.Add(1)) - 1 {
				if ctx.Err() != nil {
					return
				}
				played[n] = w.playMatch(n)
			}
		})
	}
	wait.Wait()
	for n, g := range played {
		if !g.isComplete {
			continue
		}
		if g.fault != nil {
			return Summary{}, g.fault
		}
		summary.countMatch(n, &g, workers[0].names)
	}
	summary.finish(time.Since(started))
	if summary.Matches < plan.Matches {
		return summary, context.Cause(ctx)
	}
	return summary, nil
}

type worker struct {
	plan       Plan
	simulation rules.Simulation
	names      []string
	robots     []rules.Robot
	view       func() rules.View
}

func newWorker(plan Plan, setup rules.Setup) (*worker, error) {
	s, err := newSimulation(plan.Game, setup)
	if err != nil {
		return nil, err
	}
	return &worker{plan: plan, simulation: s, names: plan.Game.SeatNames(setup), robots: make([]rules.Robot, setup.Seats),
		view: s.View}, nil
}

type playedMatch struct {
	matchCounts
	seed   uint64
	turn   int
	result rules.Result
	isOver bool
	// statistics are the game's own counts.
	statistics []rules.Statistic
	// isComplete is false if the match was not played because ctx had ended.
	isComplete bool
	// err is a failure of this match. fault is an error in the plan, which stops the run.
	err, fault error
}

func (w *worker) playMatch(n int) (g playedMatch) {
	g.seed, g.isComplete = MatchSeed(w.plan.Seed, n), true
	if g.fault = w.seatRobots(g.seed); g.fault != nil {
		return g
	}
	g.err = w.play(&g.matchCounts, g.seed)
	g.turn = w.simulation.Turn()
	g.result, g.isOver = w.simulation.Result()
	g.statistics = w.simulation.Statistics(nil)
	return g
}

func (w *worker) seatRobots(seed uint64) (err error) {
	for seat := range w.robots {
		name := w.plan.Robots[min(seat, len(w.plan.Robots)-1)]
		if w.robots[seat], err = w.plan.Game.Robot(name, scramble(seed+uint64(seat)+1)); err != nil {
			return err
		}
	}
	return nil
}

type matchCounts struct {
	decisions, orders int
	// isFaulty is set after an illegal answer or a panic.
	isFaulty bool
	// handovers counts how often the next decision was for another seat.
	handovers int
}

// play plays a match. It turns a panic into an error, so that the other matches continue and the summary names the seed
// of this match.
func (w *worker) play(m *matchCounts, seed uint64) (err error) {
	defer func() {
		if v := recover(); v != nil {
			m.isFaulty, err = true, fmt.Errorf("panic: %v", v)
		}
	}()
	if err := w.simulation.Begin(newDice(seed)); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	d, options, isOpen := w.simulation.Ask()
	writer := rules.NoSeat
	for isOpen && len(options) > 0 {
		if m.decisions == MaxDecisions {
			return fmt.Errorf("%w: not over after %d decisions", errStuck, m.decisions)
		}
		m.decisions++
		if d.Seat != writer {
			if writer != rules.NoSeat {
				m.handovers++
			}
			writer = d.Seat
		}
		a := w.robots[d.Seat].Choose(w.view, d, options)
		if _, isLegal := slices.BinarySearch(options, a); !isLegal {
			m.isFaulty = true
			return fmt.Errorf("the robot of %s answered %q with %#x, not an option", w.names[d.Seat], d.Kind, uint32(a))
		}
		if err := w.simulation.Answer(a); err != nil {
			m.isFaulty = true
			return fmt.Errorf("the answer %#x of %s to %q: %w", uint32(a), w.names[d.Seat], d.Kind, err)
		}
		seat := d.Seat
		d, options, isOpen = w.simulation.Ask()
		if !isOpen || !d.Midway || d.Seat != seat {
			m.orders++
		}
	}
	if _, isOver := w.simulation.Result(); isOver {
		return nil
	}
	if isOpen {
		return fmt.Errorf("%w: %s has no answer to %q %s", errStuck, w.names[d.Seat], d.Kind, d.Source)
	}
	return fmt.Errorf("%w: no decision is open and the match is not over", errStuck)
}

// MatchSeed returns the seed of match n of a plan. Match 0 has the seed of the plan, so a plan with one match and a
// reported seed plays that match again. Other seeds are below 2^53 because JSON readers may hold numbers as float64.
func MatchSeed(seed uint64, n int) uint64 {
	if n == 0 {
		return seed
	}
	return scramble(seed+uint64(n)*goldenRatio) >> 11
}

// goldenRatio is the increment of the SplitMix64 generator (https://prng.di.unimi.it/splitmix64.c).
const goldenRatio = 0x9e3779b97f4a7c15

// scramble is the output function of SplitMix64.
func scramble(z uint64) uint64 {
	z += goldenRatio
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// dice implements rules.Chance.
type dice struct{ rnd *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, goldenRatio))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.rnd.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.rnd.IntN(len(w.Pile)), nil }
