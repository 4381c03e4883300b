package playout

import (
	"errors"

	"samizdat/rules"
)

// tableFor is the game's own table, or one that plays through the contract of
// positions.
func tableFor(g rules.Game, s rules.Setup) (rules.Table, error) {
	if m, ok := g.(rules.TableMaker); ok {
		return m.Table(s)
	}
	start, err := g.Begin(s)
	if err != nil {
		return nil, err
	}
	return &plainTable{start: start}, nil
}

// plainTable plays any game through its positions. Every answer passes the
// position's own test of what is legal.
type plainTable struct {
	start, pos rules.Position
	chance     rules.Chance
	owed       []rules.Decision
	options    []rules.Atom
	events     []rules.Event
}

func (t *plainTable) Begin(c rules.Chance) (err error) {
	t.pos, t.chance = t.start.Clone(), c
	t.events, err = t.pos.Resume(c, t.events[:0])
	return err
}

func (t *plainTable) Ask() (rules.Decision, []rules.Atom, bool) {
	t.owed = t.pos.Owed(t.owed[:0])
	if len(t.owed) == 0 {
		return rules.Decision{}, nil, false
	}
	t.options = t.pos.Options(t.options[:0], t.owed[0].ID)
	return t.owed[0], t.options, true
}

func (t *plainTable) Look() rules.View { return t.pos.View(t.owed[0].Seat) }

func (t *plainTable) Answer(a rules.Atom) (err error) {
	if len(t.owed) == 0 {
		return errors.New("nothing is asked")
	}
	t.events, err = t.pos.Apply(t.owed[0].ID, a, t.chance, t.events[:0])
	return err
}

// Turn is 0: the contract of positions does not count.
func (t *plainTable) Turn() int { return 0 }

func (t *plainTable) Result() (rules.Result, bool) { return t.pos.Result() }
