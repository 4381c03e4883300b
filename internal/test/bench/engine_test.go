//go:build long && linux

package bench

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// engine measures decisions of random matches: alone; with the view of whoever is asked, as
// robots need it; through the contract of positions with the views of all seats; and with all of
// these as JSON, from which the position is read again, as a server of a play in browsers does.
func (b *bench) engine(t *testing.T) {
	table, err := b.game.NewSimulation(b.setup)
	check(t, err)
	for _, way := range []struct {
		name string
		play func(*rulestest.Dice) (decisions int)
	}{
		{"alone", func(dice *rulestest.Dice) int { return playTable(t, table, dice, false) }},
		{"with the view of the seat that is asked", func(dice *rulestest.Dice) int { return playTable(t, table, dice, true) }},
		{"with new views of all seats", func(dice *rulestest.Dice) int { return b.playPosition(t, dice, false) }},
		{"with new views and the position as JSON, which is read again", func(dice *rulestest.Dice) int { return b.playPosition(t, dice, true) }},
	} {
		dice := rulestest.NewDice(1989)
		used, n := processor(), 0
		for n < b.decisions {
			n += way.play(dice)
		}
		busy := max(processor()-used, time.Microsecond)
		b.table.note("engine, "+way.name, "decisions/s", float64(n)/busy.Seconds())
	}
}

// playTable plays one random match at a table. It does not call check: t.Helper alone takes
// longer than a decision.
func playTable(t *testing.T, table rules.Simulation, dice *rulestest.Dice, look bool) (decisions int) {
	err := table.Begin(dice)
	for err == nil {
		_, options, open := table.Ask()
		if !open || len(options) == 0 {
			return decisions
		}
		if look {
			table.View()
		}
		err = table.Answer(options[dice.Intn(len(options))])
		decisions++
	}
	t.Fatal(err)
	return 0
}

// playPosition plays one random match through the contract of positions.
func (b *bench) playPosition(t *testing.T, dice *rulestest.Dice, asJSON bool) (decisions int) {
	pos, err := b.game.Begin(b.setup)
	if err == nil {
		_, err = pos.Resume(dice, nil)
	}
	var owed []rules.Decision
	var options []rules.Atom
	var events []rules.Event
	for err == nil {
		if owed = pos.OpenDecisions(owed[:0]); len(owed) == 0 {
			return decisions
		}
		options = pos.Options(options[:0], owed[0].ID)
		for seat := range b.seats {
			view := pos.View(rules.Seat(seat))
			if asJSON {
				if _, err := view.MarshalJSON(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if asJSON {
			data, err := pos.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if pos, err = b.game.Decode(data); err != nil {
				t.Fatal(err)
			}
		}
		events, err = pos.Apply(owed[0].ID, options[dice.Intn(len(options))], dice, events[:0])
		decisions++
	}
	t.Fatal(err)
	return 0
}

// again is how often a record is gone through in one run.
const again = 5

// records measures how a record is played again, and how it is verified from the bytes of its
// file.
func (b *bench) records(t *testing.T) {
	rec := b.whole(t)
	var file bytes.Buffer
	check(t, rec.Write(&file))
	n := len(rec.Steps)
	check(t, b.table.took("an entry of a record played again", "us", again*n, func() (err error) {
		for range again {
			_, failed := record.Replay(rec, b.game, nil)
			err = errors.Join(err, failed)
		}
		return err
	}))
	check(t, b.table.took("a record of "+thousands(n)+" entries read and verified", "ms", again, func() error {
		for range again {
			read, err := record.Read(bytes.NewReader(file.Bytes()))
			if err != nil {
				return err
			}
			_, err = record.Replay(read, b.game, nil)
			if err := errors.Join(err, record.VerifyStream(read)); err != nil {
				return err
			}
		}
		return nil
	}))
}

// whole is the record of a long match from the deal on.
func (b *bench) whole(t *testing.T) *record.Record {
	t.Helper()
	m, err := b.match("whole", longSeed, good, b.history)
	check(t, err)
	return m.Record
}

// pictures measures the pictures of letters, each of another entry of a match.
func (b *bench) pictures(t *testing.T) {
	maps := b.game.Map
	var shown []func() *picture.Picture
	_, err := record.Replay(b.whole(t), b.game, func(v record.Visit) error {
		var public []rules.Event
		for _, e := range v.Events {
			if e.Audience.Has(rules.NoSeat) {
				public = append(public, e)
			}
		}
		view := v.Position.View(0)
		shown = append(shown, func() *picture.Picture { return maps.Draw(view, public) })
		return nil
	})
	check(t, err)
	shapes := make([]*picture.Picture, len(shown))
	check(t, b.table.took("the shapes of one picture", "ms", len(shown), func() error {
		for i, s := range shown {
			shapes[i] = s()
		}
		return nil
	}))
	var painter picture.Painter
	check(t, b.table.took("one picture drawn and written as a file", "ms", len(shown), func() (err error) {
		for _, s := range shapes {
			_, failed := painter.LetterPNG(s)
			err = errors.Join(err, failed)
		}
		return err
	}))
}
