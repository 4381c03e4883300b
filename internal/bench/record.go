package bench

import (
	"bytes"
	"context"
	"errors"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// wholeSeed is that of a match between good robots that lasts.
const wholeSeed = 7

// whole is the record of a match from the deal on, with its secret.
func (b *bench) whole() (*record.Record, error) {
	m, err := b.make("whole", wholeSeed, b.best(), b.History)
	if err != nil {
		return nil, err
	}
	h := record.Header{Format: record.Format, Version: record.Version, Game: b.game.Name(), Rules: b.setup.Revision, Match: m.match.ID,
		Options: m.match.Options, Seats: map[string]string{}, Commitment: m.match.Secret.Commitment(), Secret: m.match.Secret.Hex()}
	for _, s := range m.match.Seats {
		h.Seats[s.Name] = s.Name
		h.Words = append(h.Words, s.Words)
	}
	rec := &record.Record{Header: h}
	for _, e := range m.entries {
		rec.Add(e)
	}
	return rec, nil
}

// again is how often a record is gone through in one run.
const again = 5

// record measures how a record is played again, and how it is verified from the bytes of its
// file.
func (b *bench) record(context.Context) error {
	rec, err := b.whole()
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := rec.Write(&file); err != nil {
		return err
	}
	n := len(rec.Steps)
	err = b.took("an entry of a record played again", "us", again*n, func() (err error) {
		for range again {
			_, failed := record.Replay(rec, b.game, nil)
			err = errors.Join(err, failed)
		}
		return err
	})
	if err != nil {
		return err
	}
	return b.took("a record of "+thousands(int64(n))+" entries read and verified", "ms", again, func() (err error) {
		for range again {
			read, failed := record.Read(bytes.NewReader(file.Bytes()))
			if failed != nil {
				return failed
			}
			_, failed = record.Replay(read, b.game, nil)
			err = errors.Join(err, failed, record.VerifyStream(read))
		}
		return err
	})
}

// picture measures the pictures of letters, each of another entry of a match.
func (b *bench) picture(context.Context) error {
	maps, ok := b.game.(adjudicator.Cartographer)
	if !ok {
		return nil
	}
	rec, err := b.whole()
	if err != nil {
		return err
	}
	var shown []func() *picture.Picture
	if _, err = record.Replay(rec, b.game, func(v record.Visit) error {
		view, events := v.Position.View(0), v.Events
		shown = append(shown, func() *picture.Picture { return maps.Draw(view, public(events)) })
		return nil
	}); err != nil {
		return err
	}
	shapes := make([]*picture.Picture, len(shown))
	err = b.took("the shapes of one picture", "ms", len(shown), func() error {
		for i, s := range shown {
			shapes[i] = s()
		}
		return nil
	})
	if err != nil {
		return err
	}
	var painter picture.Painter
	return b.took("one picture drawn and written as a file", "ms", len(shown), func() (err error) {
		for _, s := range shapes {
			_, failed := painter.LetterPNG(s)
			err = errors.Join(err, failed)
		}
		return err
	})
}

// public are events that everybody may know.
func public(events []rules.Event) (out []rules.Event) {
	for _, e := range events {
		if e.Audience.Has(rules.Nobody) {
			out = append(out, e)
		}
	}
	return out
}
