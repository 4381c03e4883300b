//go:build long && linux

package bench

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// dice are chance for matches that nobody checks.
type dice struct{ *rand.Rand }

func (d dice) Roll(rules.Reason) (int, error)    { return 1 + d.IntN(6), nil }
func (d dice) Draw(draw rules.Draw) (int, error) { return d.IntN(len(draw.Pile)), nil }

// engine measures decisions of random matches: alone; with the view of whoever is asked, as
// robots need it; through the contract of positions with the views of all seats; and with all of
// these as JSON, from which the position is read again, as a server of a play in browsers does.
func (b *bench) engine(t *testing.T) {
	table, err := b.game.Table(b.setup)
	check(t, err)
	for _, way := range []struct {
		name string
		play func(*rand.Rand) (int, error)
	}{
		{"alone", func(r *rand.Rand) (int, error) { return playTable(table, r, false) }},
		{"with the view of the seat that is asked", func(r *rand.Rand) (int, error) { return playTable(table, r, true) }},
		{"with new views of all seats", func(r *rand.Rand) (int, error) { return b.playPosition(r, false) }},
		{"with new views and the position as JSON, which is read again", func(r *rand.Rand) (int, error) { return b.playPosition(r, true) }},
	} {
		r := rand.New(rand.NewPCG(1989, 7))
		used, n := processor(), 0
		for n < b.decisions {
			made, err := way.play(r)
			check(t, err)
			n += made
		}
		busy := max(processor()-used, time.Microsecond)
		b.table.note("engine, "+way.name, "decisions/s", float64(n)/busy.Seconds())
	}
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
func (b *bench) playPosition(r *rand.Rand, asJSON bool) (n int, err error) {
	pos, err := b.game.Begin(b.setup)
	if err == nil {
		_, err = pos.Resume(dice{r}, nil)
	}
	var owed []rules.Decision
	var options []rules.Atom
	var events []rules.Event
	for err == nil {
		if owed = pos.Owed(owed[:0]); len(owed) == 0 {
			return n, nil
		}
		d := owed[0]
		options = pos.Options(options[:0], d.ID)
		for seat := range b.seats {
			view := pos.View(rules.Seat(seat))
			if asJSON {
				_, failed := view.MarshalJSON()
				err = errors.Join(err, failed)
			}
		}
		if asJSON {
			data, failed := pos.MarshalJSON()
			if err = errors.Join(err, failed); err != nil {
				return n, err
			}
			if pos, err = b.game.Decode(data); err != nil {
				return n, err
			}
		}
		events, err = pos.Apply(d.ID, options[r.IntN(len(options))], dice{r}, events[:0])
		n++
	}
	return n, err
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
			if e.Audience.Has(rules.Nobody) {
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
