package engine

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// simulation implements rules.Simulation with reusable buffers. Ballots are collected here, and the position gets
// only their counts, so that later seats cannot see the ballots of earlier ones.
type simulation struct {
	start, pos Position
	chance     rules.Chance
	view       View
	current    rules.Decision
	options    []rules.Atom
	events     []rules.Event
	// monarchy counts the ballots for Monarchy in the current vote; voted are the seats that have voted.
	monarchy int
	voted    rules.Seats
	stats    [len(statNames)]int
}

const (
	statVotes = iota
	statUnanimous
	statPurged
	statUnresolved
	statTwoFilled // a unit filled two crises at once
	statAllMinisters
	statRevolutions
)

var statNames = [...]string{"votes", "unanimous", "purged", "unresolved", "two filled at once", "all ministers", "revolutions"}

func (sim *simulation) Statistics(dst []rules.Statistic) []rules.Statistic {
	for i, name := range statNames {
		dst = append(dst, rules.Statistic{Name: name, N: sim.stats[i]})
	}
	return dst
}

func (sim *simulation) updateStats() {
	for _, e := range sim.events {
		switch e.Kind {
		case EventCounted:
			sim.stats[statVotes]++
			if e.Args[1] == 0 || e.Args[2] == 0 {
				sim.stats[statUnanimous]++
			}
		case EventPurged:
			sim.stats[statPurged]++
		case EventUnresolved:
			sim.stats[statUnresolved]++
		case EventSeated:
			if sim.pos.VoteQueue[1] != 0 {
				sim.stats[statTwoFilled]++
			}
		case EventOver:
			if sim.pos.HasAllMinisters() {
				sim.stats[statAllMinisters] = 1
			}
			if sim.pos.Revolution.First != rules.NoSeat {
				sim.stats[statRevolutions] = 1
			}
		}
	}
}

// NewSimulation implements rules.Game.NewSimulation.
func (r Rules) NewSimulation(s rules.Setup) (rules.Simulation, error) {
	pos, err := r.Begin(s)
	if err != nil {
		return nil, err
	}
	return &simulation{start: *pos.(*Position), options: make([]rules.Atom, 0, maxOptions), events: make([]rules.Event, 0, 64)}, nil
}

func (sim *simulation) Begin(c rules.Chance) (err error) {
	sim.pos, sim.chance, sim.monarchy, sim.voted = sim.start, c, 0, 0
	clear(sim.stats[:])
	sim.events, err = sim.pos.Resume(c, sim.events[:0])
	return err
}

func (sim *simulation) Ask() (rules.Decision, []rules.Atom, bool) {
	for s := range rules.Seat(sim.pos.Players) {
		if sim.pos.DecisionIDs[s] != 0 && !sim.voted.Has(s) {
			sim.current = sim.pos.decision(s)
			sim.options = sim.pos.Options(sim.options[:0], sim.current.ID)
			return sim.current, sim.options, true
		}
	}
	return rules.Decision{}, nil, false
}

func (sim *simulation) View() rules.View {
	sim.pos.fillView(&sim.view, sim.current.Seat)
	return &sim.view
}

func (sim *simulation) Answer(a rules.Atom) (err error) {
	sim.events = sim.events[:0]
	if !sim.current.Ballot {
		sim.events, err = sim.pos.Apply(sim.current.ID, a, sim.chance, sim.events)
		sim.updateStats()
		return err
	}
	if !slices.Contains(sim.options, a) {
		return fmt.Errorf("ballot %#x: %w", uint32(a), errNoOption)
	}
	sim.voted |= rules.Only(sim.current.Seat)
	if Colour(AtomValue(a)) == Monarchist {
		sim.monarchy++
	}
	if countSeats(sim.voted) == len(sim.pos.Voters) {
		sim.events = sim.pos.ApplyVoteCount(sim.monarchy, sim.events)
		sim.updateStats()
		sim.monarchy, sim.voted = 0, 0
	}
	return nil
}

func (sim *simulation) Turn() int { return int(sim.pos.Turn) }

func (sim *simulation) Result() (rules.Result, bool) { return sim.pos.Result() }
