package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
)

// BenchmarkLetters measures the whole way of a letter: from the inbox over IMAP,
// parsed, resolved, stored, answered, and both players' letters handed to SMTP,
// with the embedded servers and a real database. Each letter is of a match of
// its own, as in a club.
func BenchmarkLetters(b *testing.B) {
	cfg := config.Local(b.TempDir(), []string{"democrat", "communist"})
	log := slog.New(slog.DiscardHandler)
	d, err := daemon.Open(b.Context(), cfg, games, log)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	in, out := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := daemon.StartEmbedded(b.Context(), cfg, &in, &out)
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	fillInbox(b, d, server.SMTPAddr(), b.N)

	ctx, stop := context.WithCancel(b.Context())
	served := make(chan error, 1)
	b.ResetTimer()
	go func() { served <- d.Serve(ctx, in, out) }()
	for began := time.Now(); !sent(b, d, began, 2*b.N); {
		select {
		case err := <-served:
			b.Fatalf("the daemon ended: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	b.StopTimer()
	stop()
	if err := <-served; err != nil && !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "letters/s")
}

// fillInbox begins n matches and puts one letter of orders of each into the
// referee's inbox.
func fillInbox(b *testing.B, d *daemon.Daemon, smtpAddr string, n int) {
	b.Helper()
	ctx := b.Context()
	client, err := smtp.Dial(smtpAddr)
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	players := []string{d.Config.Embedded.Accounts[0].Address, d.Config.Embedded.Accounts[1].Address}
	if err := client.Auth(sasl.NewPlainClient("", players[1], d.Config.Embedded.Accounts[1].Password)); err != nil {
		b.Fatal(err)
	}
	handler := d.Handler(func() {})
	for i := range n {
		m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: "1989", Players: players})
		if err != nil {
			b.Fatal(err)
		}
		letter := func(seat int, number int64, text string) []byte {
			raw, err := message.Draft{
				From: players[seat], To: message.TokenAddress(d.Config.Address, message.NewToken(m.Seats[seat].Key, message.Name{Match: m.ID, Holder: seat, Number: number}).String()), Subject: "orders",
				MessageID: fmt.Sprintf("%d-%d-%d@bench", i, seat, number), Date: time.Now(), Text: text,
			}.Render()
			if err != nil {
				b.Fatal(err)
			}
			return raw
		}
		for seat := range players {
			if _, err := handler.Handle(ctx, mail.Received{Raw: letter(seat, 1, "JOIN")}); err != nil {
				b.Fatal(err)
			}
		}
		raw := letter(1, 2, "PLACE Miskolc, Debrecen")
		if err := client.SendMail(players[1], []string{d.Config.Address}, bytes.NewReader(raw)); err != nil {
			b.Fatal(err)
		}
	}
	emptyOutbox(b, d)
}

// emptyOutbox books everything that the preparation queued.
func emptyOutbox(b *testing.B, d *daemon.Daemon) {
	b.Helper()
	box := post.NewOutbox(d.DB.Outbox(""), slog.New(slog.DiscardHandler), nil)
	if err := drawAll(b.Context(), box); err != nil {
		b.Fatal(err)
	}
	for {
		due, err := box.Due(b.Context(), time.Now().Add(time.Hour), 1000)
		if err != nil {
			b.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		ids := make([]int64, 0, len(due))
		for _, o := range due {
			ids = append(ids, o.ID)
		}
		if err := box.Sent(b.Context(), ids, time.Now()); err != nil {
			b.Fatal(err)
		}
	}
}

// drawAll draws the pictures that letters wait for.
func drawAll(ctx context.Context, box *post.Outbox) error {
	for {
		if n, err := box.Draw(ctx); n == 0 || err != nil {
			return err
		}
	}
}

// sent reports whether so many letters have been handed over since a time.
func sent(b *testing.B, d *daemon.Daemon, since time.Time, letters int) bool {
	b.Helper()
	box := d.DB.Outbox("")
	if _, waiting, err := box.NextDue(b.Context()); err != nil || waiting {
		if err != nil {
			b.Fatal(err)
		}
		return false
	}
	if undrawn, err := box.Undrawn(b.Context(), 1); err != nil || len(undrawn) > 0 {
		if err != nil {
			b.Fatal(err)
		}
		return false
	}
	at, err := box.SentSince(b.Context(), since)
	if err != nil {
		b.Fatal(err)
	}
	return len(at) >= letters
}
