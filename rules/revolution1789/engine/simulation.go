package engine

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// simulation implements rules.Simulation with reusable buffers. Sealed answers are applied one by one; a
// position hides them until all are in, so later seats cannot see them.
type simulation struct {
	fresh, p Position
	chance   rules.Chance
	view     View
	owed     rules.Decision
	options  []rules.Atom
	events   []rules.Event
	// monarchy counts the ballots for Monarchy in the running vote; voted are the seats that have voted.
	monarchy int
	voted    rules.Seats
	// figures are counted from the events of the match.
	figures [len(figureNames)]int
}

// The indexes of figures.
const (
	figureVotes = iota
	figureUnanimous
	figurePurged
	figureUnresolved
	figureDouble // a unit filled two crises at once
	figureAllMinisters
	figureRevolutions
)

var figureNames = [...]string{"votes", "unanimous", "purged", "unresolved", "two filled at once", "all ministers", "revolutions"}

// Statistics implements rules.Simulation.
func (sim *simulation) Statistics(dst []rules.Statistic) []rules.Statistic {
	for i, name := range figureNames {
		dst = append(dst, rules.Statistic{Name: name, N: sim.figures[i]})
	}
	return dst
}

func (sim *simulation) countFigures() {
	for _, e := range sim.events {
		switch e.Kind {
		case EventCounted:
			sim.figures[figureVotes]++
			if e.Args[1] == 0 || e.Args[2] == 0 {
				sim.figures[figureUnanimous]++
			}
		case EventPurged:
			sim.figures[figurePurged]++
		case EventUnresolved:
			sim.figures[figureUnresolved]++
		case EventSeated:
			if sim.p.Queue[1] != 0 {
				sim.figures[figureDouble]++
			}
		case EventOver:
			if sim.p.HasAllMinisters() {
				sim.figures[figureAllMinisters] = 1
			}
			if sim.p.Revolt.First != rules.NoSeat {
				sim.figures[figureRevolutions] = 1
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
	return &simulation{fresh: *pos.(*Position), options: make([]rules.Atom, 0, maxOptions), events: make([]rules.Event, 0, 64)}, nil
}

func (sim *simulation) Begin(c rules.Chance) (err error) {
	sim.p, sim.chance, sim.monarchy, sim.voted = sim.fresh, c, 0, 0
	clear(sim.figures[:])
	sim.events, err = sim.p.Resume(c, sim.events[:0])
	return err
}

func (sim *simulation) Ask() (rules.Decision, []rules.Atom, bool) {
	for s := range rules.Seat(sim.p.Players) {
		if sim.p.Asked[s] != 0 && !sim.voted.Has(s) {
			sim.owed = sim.p.decision(s)
			sim.options = sim.p.Options(sim.options[:0], sim.owed.ID)
			return sim.owed, sim.options, true
		}
	}
	return rules.Decision{}, nil, false
}

func (sim *simulation) View() rules.View {
	sim.p.fillView(&sim.view, sim.owed.Seat)
	return &sim.view
}

func (sim *simulation) Answer(a rules.Atom) (err error) {
	sim.events = sim.events[:0]
	if !sim.owed.Ballot {
		sim.events, err = sim.p.Apply(sim.owed.ID, a, sim.chance, sim.events)
		sim.countFigures()
		return err
	}
	if !slices.Contains(sim.options, a) {
		return fmt.Errorf("ballot %#x: %w", uint32(a), errNoOption)
	}
	sim.voted |= rules.Only(sim.owed.Seat)
	if Colour(AtomValue(a)) == Monarchist {
		sim.monarchy++
	}
	if count(sim.voted) == len(sim.p.Voters) {
		sim.events = sim.p.applyCounts(sim.monarchy, sim.events)
		sim.countFigures()
		sim.monarchy, sim.voted = 0, 0
	}
	return nil
}

func (sim *simulation) Turn() int { return int(sim.p.Turn) }

func (sim *simulation) Result() (rules.Result, bool) { return sim.p.Result() }
