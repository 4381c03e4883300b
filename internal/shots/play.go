package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
	"samizdat/testdata"
)

const referee = "referee@samizdat.example"

var players = []string{"ada@samizdat.example", "ben@samizdat.example"}

// desk is a store that keeps the newest letter to each player.
type desk struct {
	adjudicator.Store
	last [2]adjudicator.Dispatch
}

func (d *desk) Create(ctx context.Context, m *adjudicator.Match, letters []adjudicator.Dispatch) error {
	d.keep(letters)
	return d.Store.Create(ctx, m, letters)
}

func (d *desk) Apply(ctx context.Context, c adjudicator.Change) error {
	if err := d.Store.Apply(ctx, c); err != nil {
		return err
	}
	d.keep(c.Letters)
	return nil
}

func (d *desk) keep(letters []adjudicator.Dispatch) {
	for _, l := range letters {
		if l.Seat != rules.Nobody {
			d.last[l.Seat] = l
		}
	}
}

// play plays the sample turn, and shows the newest letters after each letter.
func play(ctx context.Context, show func(n, seat int, d adjudicator.Dispatch) error) (err error) {
	tmp, err := os.MkdirTemp("", "shots")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	db, err := storage.Open(ctx, filepath.Join(tmp, "shots.db"), filepath.Join(tmp, "shots.key"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		return err
	}
	now := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
	d := &desk{Store: db}
	codec := post.Codec{Address: referee, Name: "Samizdat"}
	a := adjudicator.New(adjudicator.Config{
		Games: []rules.Game{dawn1989.Game{}}, Store: d, Post: codec, Now: func() time.Time { return now },
		Random: rand.NewChaCha8([32]byte{19, 89}), Letters: adjudicator.Letters{HTML: true, Pictures: true},
	})
	if _, err := a.New(ctx, adjudicator.Invitation{Game: "1989", Players: players, Recorded: rec.Outcomes()}); err != nil {
		return err
	}
	handler := post.Handler{Codec: codec, Adjudicator: a}
	seats, texts := sample()
	seats, texts = append([]int{0, 1}, seats...), append([]string{"JOIN", "JOIN"}, texts...)
	for i, seat := range seats {
		now = now.Add(time.Minute)
		raw, err := message.Draft{From: players[seat], To: codec.ReplyTo(d.last[seat].Token), Subject: "orders", MessageID: fmt.Sprintf("%d@samizdat.example", i),
			Date: now, Text: texts[i]}.Render()
		if err != nil {
			return err
		}
		folder, err := handler.Handle(ctx, mail.Received{Raw: raw, Arrived: now, UID: uint32(i)})
		if err != nil || folder != mail.Done {
			return fmt.Errorf("letter %d was filed in %s: %w", i, folder, err)
		}
		for s := range players {
			if err := show(i-1, s, d.last[s]); err != nil {
				return err
			}
		}
	}
	return nil
}
