package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"samizdat/rules"
)

// dice are chance for matches that nobody checks.
type dice struct{ *rand.Rand }

func (d dice) Roll(rules.Reason) (int, error)    { return 1 + d.IntN(6), nil }
func (d dice) Draw(draw rules.Draw) (int, error) { return d.IntN(len(draw.Pile)), nil }

// engine measures decisions of random matches: alone; with the view of whoever is asked, as
// robots need it; through the contract of positions with the views of all seats; and with
// those and the position as JSON, as a server of a play in browsers needs them.
func (b *bench) engine(context.Context) error {
	maker, ok := b.game.(rules.TableMaker)
	if !ok {
		return nil
	}
	t, err := maker.Table(b.setup)
	if err != nil {
		return err
	}
	alone := func(r *rand.Rand) (int, error) { return playTable(t, r, false) }
	looking := func(r *rand.Rand) (int, error) { return playTable(t, r, true) }
	views := func(r *rand.Rand) (int, error) { return b.playPosition(r, false) }
	positions := func(r *rand.Rand) (int, error) { return b.playPosition(r, true) }
	return errors.Join(b.decisions("alone", alone), b.decisions("with the view of the seat that is asked", looking),
		b.decisions("with new views of all seats", views), b.decisions("with new views, and the position as JSON", positions))
}

// decisions notes how many decisions a second of the processor matches have.
func (b *bench) decisions(name string, play func(*rand.Rand) (int, error)) error {
	r := rand.New(rand.NewPCG(1989, 7))
	used, n := processor(), 0
	for n < b.Decisions {
		made, err := play(r)
		if err != nil {
			return err
		}
		n += made
	}
	busy := max(processor()-used, time.Microsecond)
	b.table.note("engine, "+name, "decisions/s", float64(n)/busy.Seconds())
	return nil
}

// playTable plays one random match at a table.
func playTable(t rules.Table, r *rand.Rand, look bool) (n int, err error) {
	if err := t.Begin(dice{r}); err != nil {
		return 0, err
	}
	for {
		_, options, open := t.Ask()
		if !open || len(options) == 0 {
			return n, nil
		}
		if look {
			t.Look()
		}
		if err := t.Answer(options[r.IntN(len(options))]); err != nil {
			return n, err
		}
		n++
	}
}

// playPosition plays one random match through the contract of positions.
func (b *bench) playPosition(r *rand.Rand, positions bool) (n int, err error) {
	pos, err := b.game.Begin(b.setup)
	if err != nil {
		return 0, err
	}
	if _, err := pos.Resume(dice{r}, nil); err != nil {
		return 0, err
	}
	var owed []rules.Decision
	var options []rules.Atom
	var events []rules.Event
	for {
		if owed = pos.Owed(owed[:0]); len(owed) == 0 {
			return n, nil
		}
		d := owed[0]
		options = pos.Options(options[:0], d.ID)
		for seat := range b.seats {
			if pos.View(rules.Seat(seat)) == nil {
				return n, fmt.Errorf("%s has no view", b.game.Title())
			}
		}
		if positions {
			if _, err := pos.MarshalJSON(); err != nil {
				return n, err
			}
		}
		if events, err = pos.Apply(d.ID, options[r.IntN(len(options))], dice{r}, events[:0]); err != nil {
			return n, err
		}
		n++
	}
}
