//go:build integration

package main

import (
	"bytes"
	"image/png"
	"io"
	"slices"

	gomessage "github.com/emersion/go-message"

	"samizdat/adjudicator/match/record"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// moment is how a match stood after an entry, and what that brought.
type moment struct {
	pos    rules.Position
	events []rules.Event
}

// pictures looks at the picture of each letter to the players of a match: it must be that which the seat is to see
// at the entry whose hash stands in the letter's foot. It counts them.
func (f *fleet) pictures(id string, players []*crashPlayer) (n int) {
	rec, err := f.reader.Adjudicator.Export(f.ctx, id, true)
	f.must(err)
	g, err := games.Find(rec.Header.Game)
	f.must(err)
	maps := g.Map
	if maps == nil {
		return 0
	}
	var moments []moment
	at := map[string]int{}
	_, err = record.Replay(rec, g, func(v record.Visit) error {
		at[v.Entry.Hash] = len(moments)
		moments = append(moments, moment{v.Position, slices.Clone(v.Events)})
		return nil
	})
	f.must(err)
	var painter picture.Painter
	for s, p := range players {
		told := -1
		for _, raw := range f.mailbox(p.Address, p.Password) {
			l := message.Read(raw)
			feet := message.FindFooters(l.Text)
			if letterNumber(l, id) == 0 || len(feet) == 0 {
				continue
			}
			current, played := at[feet[len(feet)-1].Head]
			drawn := f.drawn(raw)
			if drawn == nil || !played {
				if played && l.Text != "" && bytes.Contains(raw, []byte("cid:map.")) {
					f.t.Errorf("letter %s has no picture", l.MessageID)
				}
				continue
			}
			n++
			if !slices.ContainsFunc(since(told, current), func(from int) bool {
				var heard []rules.Event
				for _, m := range moments[from+1 : current+1] {
					heard = append(heard, m.events...)
				}
				heard = slices.DeleteFunc(heard, func(e rules.Event) bool { return !e.Audience.Has(rules.Seat(s)) })
				want, err := painter.LetterPNG(maps.Draw(moments[current].pos.View(rules.Seat(s)), heard))
				f.must(err)
				return bytes.Equal(want, drawn)
			}) {
				f.t.Errorf("the picture of letter %s is not that of entry %d", l.MessageID, current)
			}
			told = current
		}
	}
	return n
}

// since are the entries that may have been told a reader before he is told of another: mostly those up to the
// letter before. A letter may have come twice.
func since(told, current int) (out []int) {
	out = append(out, min(told, current))
	for from := current; from >= -1; from-- {
		out = append(out, from)
	}
	return out
}

// drawn is the picture in a letter, or nil for none. It must be whole, and one.
func (f *fleet) drawn(raw []byte) (out []byte) {
	e, err := gomessage.Read(bytes.NewReader(raw))
	f.must(err)
	f.must(e.Walk(func(_ []int, part *gomessage.Entity, err error) error {
		if kind, _, _ := part.Header.ContentType(); err != nil || kind != "image/png" {
			return err
		}
		if out != nil {
			f.t.Error("a letter has two pictures")
		}
		out, err = io.ReadAll(part.Body)
		return err
	}))
	if out != nil {
		if _, err := png.Decode(bytes.NewReader(out)); err != nil {
			f.t.Errorf("a picture: %v", err)
		}
	}
	return out
}
