// Package playout plays matches between robots in memory, many and fast, and
// sums up how they went. It knows no game: everything comes from the contract in
// package rules.
package playout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"samizdat/rules"
)

// Plan is what to play.
type Plan struct {
	Game rules.Game
	// Options are those of the matches' set-up.
	Options map[string]string
	// Robots names the robot of each seat. One name is for every seat.
	Robots []string
	// Games is how many matches are played.
	Games int
	// Seed determines every match, see GameSeed.
	Seed uint64
	// Style is how the robots write: StylePlain, which is meant by "" too, or
	// StylePrograms.
	Style string
}

// MostDecisions is how many decisions a match may take before it counts as
// stuck.
const MostDecisions = 50_000

// errStuck ends a match that cannot go on.
var errStuck = errors.New("stuck")

// Run plays the matches of a plan one after the other.
func Run(plan Plan) (Summary, error) {
	least, most := plan.Game.Seats()
	seats := max(least, len(plan.Robots))
	if seats > most || len(plan.Robots) != 1 && len(plan.Robots) != seats {
		return Summary{}, fmt.Errorf("%s wants one robot, or one for each of its %d seats; %d were named",
			plan.Game.Title(), least, len(plan.Robots))
	}
	setup := rules.Setup{Seats: seats, Options: plan.Options, Revision: plan.Game.Revision()}
	maker, ok := plan.Game.(rules.RobotMaker)
	if !ok {
		return Summary{}, fmt.Errorf("%s has no robots", plan.Game.Title())
	}
	t, err := tableFor(plan.Game, setup)
	if err != nil {
		return Summary{}, err
	}
	p := player{plan: plan, maker: maker, table: t, names: plan.Game.SeatNames(setup), robots: make([]rules.Robot, seats)}
	p.look, p.setup = t.Look, setup
	switch plan.Style {
	case "", StylePlain:
	case StylePrograms:
		if p.writing, err = newWriting(plan.Game); err != nil {
			return Summary{}, err
		}
	default:
		return Summary{}, fmt.Errorf("there is no style %q; there are %s and %s", plan.Style, StylePlain, StylePrograms)
	}
	p.sum.begin(plan, p.names)
	started := time.Now()
	for n := range plan.Games {
		if err := p.game(n); err != nil {
			return Summary{}, err
		}
	}
	p.sum.end(time.Since(started))
	return p.sum, nil
}

// player plays the matches of one plan.
type player struct {
	plan   Plan
	maker  rules.RobotMaker
	table  rules.Table
	names  []string
	robots []rules.Robot
	look   func() rules.View
	sum    Summary
	setup  rules.Setup
	// writing is set when orders ahead are written.
	writing *writing
}

// game plays one match and books it. An error is one of the plan, not of the
// match.
func (p *player) game(n int) error {
	seed := GameSeed(p.plan.Seed, n)
	for seat := range p.robots {
		name := p.plan.Robots[min(seat, len(p.plan.Robots)-1)]
		r, err := p.maker.Robot(name, mix(seed+uint64(seat)+1))
		if err != nil {
			return err
		}
		p.robots[seat] = r
	}
	var m match
	if p.writing != nil {
		if err := p.writing.play(p, &m, seed, p.setup); err != nil {
			p.sum.bad(n, seed, &m, err)
		}
		r, over := p.writing.pos.Result()
		p.sum.book(&m, p.writing.turn(), r, over, p.names)
		return nil
	}
	if err := p.play(&m, seed); err != nil {
		p.sum.bad(n, seed, &m, err)
	}
	r, over := p.table.Result()
	p.sum.book(&m, p.table.Turn(), r, over, p.names)
	return nil
}

// match is what is counted in one match.
type match struct {
	decisions, orders int
	illegal           bool
	// handovers counts how often another seat has to write than the one before,
	// changes how often another seat answers, by hand or by an order ahead.
	handovers, changes int
	fired, dropped     int
	saved              Saved
}

// play plays one match to its end. A panic is an error: the other matches still
// count, and its seed is told.
func (p *player) play(m *match, seed uint64) (err error) {
	defer func() {
		if v := recover(); v != nil {
			m.illegal, err = true, fmt.Errorf("panic: %v", v)
		}
	}()
	if err := p.table.Begin(newDice(seed)); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	d, options, open := p.table.Ask()
	writer := rules.Nobody
	for open && len(options) > 0 {
		if m.decisions == MostDecisions {
			return fmt.Errorf("%w: not over after %d decisions", errStuck, m.decisions)
		}
		m.decisions++
		if d.Seat != writer {
			if writer != rules.Nobody {
				m.handovers++
				m.changes++
			}
			writer = d.Seat
		}
		a := p.robots[d.Seat].Choose(p.look, d, options)
		if _, legal := slices.BinarySearch(options, a); !legal {
			m.illegal = true
			return fmt.Errorf("the robot of %s answered %q with %#x, which is no option", p.names[d.Seat], d.Kind, uint32(a))
		}
		if err := p.table.Answer(a); err != nil {
			m.illegal = true
			return fmt.Errorf("the answer %#x of %s to %q: %w", uint32(a), p.names[d.Seat], d.Kind, err)
		}
		seat := d.Seat
		d, options, open = p.table.Ask()
		if !open || !d.Midway || d.Seat != seat {
			m.orders++
		}
	}
	if _, over := p.table.Result(); over {
		return nil
	}
	if open {
		return fmt.Errorf("%w: %s has no answer to %q %s", errStuck, p.names[d.Seat], d.Kind, d.Source)
	}
	return fmt.Errorf("%w: nothing is asked and the match is not over", errStuck)
}

// GameSeed is the seed of match n of a plan. The first match has the plan's own
// seed, so that any match can be played again alone. Seeds stay below 2^53, which
// every reader of JSON can hold.
func GameSeed(seed uint64, n int) uint64 {
	if n == 0 {
		return seed
	}
	return mix(seed+uint64(n)*golden) >> 11
}

// golden is the step of the SplitMix64 generator, whose output function mix is.
const golden = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z += golden
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// dice is the chance of one match.
type dice struct{ rnd *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, golden))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.rnd.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.rnd.IntN(len(w.Pile)), nil }
