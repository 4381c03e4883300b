package playout

import (
	"errors"
	"slices"

	"samizdat/rules"
)

// tableFor returns the game's own fast table, or a plainTable if the game has none.
func tableFor(g *rules.Game, s rules.Setup) (rules.Table, error) {
	if g.Table != nil {
		return g.Table(s)
	}
	start, err := g.Begin(s)
	if err != nil {
		return nil, err
	}
	return &plainTable{game: g, start: start}, nil
}

// plainTable plays any game by the contract of positions, which check that each answer is legal. Seats
// with open decisions are asked in turn. Sealed answers take effect once all seats of the group have
// answered; for example, simultaneous card choices.
type plainTable struct {
	game       *rules.Game
	start, pos rules.Position
	chance     rules.Chance
	owed       []rules.Decision
	// asked is the index in owed of the decision that is being asked.
	asked   int
	options []rules.Atom
	events  []rules.Event
	sealed  map[rules.DecisionID]rules.Atom
}

func (t *plainTable) Begin(c rules.Chance) (err error) {
	t.pos, t.chance, t.sealed = t.start.Clone(), c, map[rules.DecisionID]rules.Atom{}
	t.events, err = t.pos.Resume(c, t.events[:0])
	return err
}

func (t *plainTable) Ask() (rules.Decision, []rules.Atom, bool) {
	t.owed = t.pos.OpenDecisions(t.owed[:0])
	t.asked = slices.IndexFunc(t.owed, func(d rules.Decision) bool { _, given := t.sealed[d.ID]; return !given })
	if t.asked < 0 {
		return rules.Decision{}, nil, false
	}
	d := t.owed[t.asked]
	t.options = t.pos.Options(t.options[:0], d.ID)
	return d, t.options, true
}

func (t *plainTable) View() rules.View { return t.pos.View(t.owed[t.asked].Seat) }

func (t *plainTable) Answer(a rules.Atom) (err error) {
	if len(t.owed) == 0 || t.asked < 0 {
		return errors.New("nothing is asked")
	}
	d := t.owed[t.asked]
	if !d.Sealed || d.Max > 1 {
		t.events, err = t.pos.Apply(d.ID, a, t.chance, t.events[:0])
		return err
	}
	t.sealed[d.ID] = a
	var group []rules.Ballot
	for _, o := range t.owed {
		if !o.Sealed || o.Group != d.Group {
			continue
		}
		given, ok := t.sealed[o.ID]
		if !ok {
			return nil
		}
		group = append(group, rules.Ballot{Decision: o, Atom: given})
	}
	return t.open(group)
}

// open executes all sealed answers of a group.
func (t *plainTable) open(group []rules.Ballot) (err error) {
	clear(t.sealed)
	t.events = t.events[:0]
	if group[0].Decision.Ballot {
		outcome, err := t.game.Ballots.CountBallots(group)
		if err == nil {
			t.events, err = t.game.Ballots.ApplyOutcome(t.pos, group[0].Decision.Group, outcome, t.chance, t.events)
		}
		return err
	}
	for _, b := range group {
		if t.events, err = t.pos.Apply(b.Decision.ID, b.Atom, t.chance, t.events); err != nil {
			return err
		}
	}
	return nil
}

// Turn returns 0, because positions do not count turns.
func (t *plainTable) Turn() int { return 0 }

// Figures adds no figures, because positions have none.
func (t *plainTable) Figures(dst []rules.Figure) []rules.Figure { return dst }

func (t *plainTable) Result() (rules.Result, bool) { return t.pos.Result() }
