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

// Plan describes the matches to play. For example, {Robots: ["partisan"], Seats: 5, Games: 100} plays
// 100 matches of five partisan robots.
type Plan struct {
	Game *rules.Game
	// Revision is the revision of the rules; 0 means the newest.
	Revision int
	// Options are the options of each match's set-up.
	Options map[string]string
	// Robots names the robot of each seat. A single name applies to all seats.
	Robots []string
	// Seats is the number of seats; 0 means the number of robot names, or the game's minimum if that is larger.
	Seats int
	// Games is how many matches are played.
	Games int
	// Seed determines every match; see GameSeed.
	Seed uint64
}

// MaxDecisions limits the decisions of a match. A longer match counts as stuck.
const MaxDecisions = 50_000

// MaxGames limits the matches of a plan, because Run keeps the result of each in memory.
const MaxGames = 10_000_000

// errStuck ends a match that cannot continue.
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
	if plan.Games < 1 || plan.Games > MaxGames {
		return Summary{}, fmt.Errorf("invalid number of matches %d: must be 1 to %d", plan.Games, MaxGames)
	}
	setup.Options, setup.Revision = plan.Options, cmp.Or(plan.Revision, setup.Revision)
	players := make([]*player, max(1, min(runtime.GOMAXPROCS(0), plan.Games)))
	for i := range players {
		var err error
		if players[i], err = newPlayer(plan, setup); err != nil {
			return Summary{}, err
		}
	}
	var summary Summary
	summary.begin(plan, players[0].names)
	started := time.Now()
	played := make([]playedGame, plan.Games)
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, p := range players {
		wait.Go(func() {
			for n := int(next.Add(1)) - 1; n < plan.Games; n = int(next.Add(1)) - 1 {
				if ctx.Err() != nil {
					return
				}
				played[n] = p.playGame(n)
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
		summary.countGame(n, &g, players[0].names)
	}
	summary.finish(time.Since(started))
	if summary.Games < plan.Games {
		return summary, context.Cause(ctx)
	}
	return summary, nil
}

// player plays matches of a plan one after the other.
type player struct {
	plan       Plan
	simulation rules.Simulation
	names      []string
	robots     []rules.Robot
	view       func() rules.View
}

func newPlayer(plan Plan, setup rules.Setup) (*player, error) {
	s, err := newSimulation(plan.Game, setup)
	if err != nil {
		return nil, err
	}
	return &player{plan: plan, simulation: s, names: plan.Game.SeatNames(setup), robots: make([]rules.Robot, setup.Seats),
		view: s.View}, nil
}

// playedGame is a match after playing.
type playedGame struct {
	match
	seed   uint64
	turn   int
	result rules.Result
	isOver bool
	// statistics are the game's own counts.
	statistics []rules.Statistic
	// isComplete is false for a match that was left out because ctx ended.
	isComplete bool
	// err is a failure of this match. fault is an error in the plan, which stops the run.
	err, fault error
}

func (p *player) playGame(n int) (g playedGame) {
	g.seed, g.isComplete = GameSeed(p.plan.Seed, n), true
	if g.fault = p.seatRobots(g.seed); g.fault != nil {
		return g
	}
	g.err = p.play(&g.match, g.seed)
	g.turn = p.simulation.Turn()
	g.result, g.isOver = p.simulation.Result()
	g.statistics = p.simulation.Statistics(nil)
	return g
}

func (p *player) seatRobots(seed uint64) (err error) {
	for seat := range p.robots {
		name := p.plan.Robots[min(seat, len(p.plan.Robots)-1)]
		if p.robots[seat], err = p.plan.Game.Robot(name, scramble(seed+uint64(seat)+1)); err != nil {
			return err
		}
	}
	return nil
}

// match counts the decisions and orders of a match.
type match struct {
	decisions, orders int
	isIllegal         bool
	// handovers counts changes of the seat that must answer.
	handovers int
}

// play plays a match to its end. It turns a panic into an error, so that the other matches continue
// and the summary reports the seed of this match.
func (p *player) play(m *match, seed uint64) (err error) {
	defer func() {
		if v := recover(); v != nil {
			m.isIllegal, err = true, fmt.Errorf("panic: %v", v)
		}
	}()
	if err := p.simulation.Begin(newDice(seed)); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	d, options, isOpen := p.simulation.Ask()
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
		a := p.robots[d.Seat].Choose(p.view, d, options)
		if _, isLegal := slices.BinarySearch(options, a); !isLegal {
			m.isIllegal = true
			return fmt.Errorf("the robot of %s answered %q with %#x, not an option", p.names[d.Seat], d.Kind, uint32(a))
		}
		if err := p.simulation.Answer(a); err != nil {
			m.isIllegal = true
			return fmt.Errorf("the answer %#x of %s to %q: %w", uint32(a), p.names[d.Seat], d.Kind, err)
		}
		seat := d.Seat
		d, options, isOpen = p.simulation.Ask()
		if !isOpen || !d.Midway || d.Seat != seat {
			m.orders++
		}
	}
	if _, isOver := p.simulation.Result(); isOver {
		return nil
	}
	if isOpen {
		return fmt.Errorf("%w: %s has no answer to %q %s", errStuck, p.names[d.Seat], d.Kind, d.Source)
	}
	return fmt.Errorf("%w: no decision is open and the match is not over", errStuck)
}

// GameSeed returns the seed of match n of a plan. Match 0 has the seed of the plan, so a plan with one match and a
// reported seed plays that match again. Other seeds are below 2^53 because JSON readers may hold numbers as float64.
func GameSeed(seed uint64, n int) uint64 {
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

// dice is the source of chance for a match.
type dice struct{ rnd *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, goldenRatio))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.rnd.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.rnd.IntN(len(w.Pile)), nil }
