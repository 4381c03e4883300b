package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"syscall"
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
// parsed, resolved, stored, answered, and the answers handed to SMTP, with the embedded
// servers and a real database. Each letter is of a match of its own, as in a club, with
// pictures and without; or all are of one match.
func BenchmarkLetters(b *testing.B) {
	for _, pictures := range []bool{false, true} {
		b.Run(fmt.Sprintf("club/pictures=%v", pictures), func(b *testing.B) { benchLetters(b, pictures, fillInbox) })
	}
	b.Run("match/pictures=false", func(b *testing.B) { benchLetters(b, false, fillInboxOfOne) })
}

// benchPairs is how many pairs of players there are: a player's letters are handled one after
// the other.
const benchPairs = 50

// benchLetters serves until the letters that fill has put into the inbox are answered.
func benchLetters(b *testing.B, pictures bool, fill func(*testing.B, *daemon.Daemon, *smtp.Client, int) (answers int)) {
	var names []string
	for i := range 2 * benchPairs {
		names = append(names, fmt.Sprintf("player%d", i))
	}
	cfg := config.Local(b.TempDir(), names)
	cfg.Letters.Pictures, cfg.Answers = pictures, config.Answers{}
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
	client, err := smtp.Dial(server.SMTPAddr())
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	if err := client.Auth(sasl.NewPlainClient("", cfg.Embedded.Accounts[0].Address, cfg.Embedded.Accounts[0].Password)); err != nil {
		b.Fatal(err)
	}
	answers := fill(b, d, client, b.N)
	emptyOutbox(b, d)

	ctx, stop := context.WithCancel(b.Context())
	served := make(chan error, 1)
	b.ResetTimer()
	worked := processorTime(b)
	go func() { served <- d.Serve(ctx, in, out) }()
	for began := time.Now(); !sent(b, d, began, answers); {
		select {
		case err := <-served:
			b.Fatalf("the daemon ended: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	b.StopTimer()
	b.ReportMetric(float64((processorTime(b)-worked).Microseconds())/1000/float64(b.N), "cpu-ms/letter")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "letters/s")
	stop()
	if err := <-served; err != nil && !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}
}

// processorTime is how long the processor has worked for this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// beginMatch begins a match, and returns what writes a letter of a seat in answer to a
// letter to it.
func beginMatch(b *testing.B, d *daemon.Daemon, pair int) func(seat int, number int64, id, text string) []byte {
	b.Helper()
	a := d.Config.Embedded.Accounts
	players := []string{a[2*pair].Address, a[2*pair+1].Address}
	m, err := d.Adjudicator.New(b.Context(), adjudicator.Invitation{Game: "1989", Players: players})
	if err != nil {
		b.Fatal(err)
	}
	letter := func(seat int, number int64, id, text string) []byte {
		raw, err := message.Draft{
			From: players[seat], To: message.TokenAddress(d.Config.Address, message.NewToken(m.Seats[seat].Key, message.Name{Match: m.ID, Holder: seat, Number: number}).String()), Subject: "orders",
			MessageID: fmt.Sprintf("%s-%d-%d-%s@bench", id, seat, number, m.ID), Date: time.Now(), Text: text,
		}.Render()
		if err != nil {
			b.Fatal(err)
		}
		return raw
	}
	handler := d.Handler(func() {})
	for seat := range players {
		if _, err := handler.Handle(b.Context(), mail.Received{Raw: letter(seat, 1, "join", "JOIN")}); err != nil {
			b.Fatal(err)
		}
	}
	return letter
}

// fillInbox begins n matches and puts one letter of orders of each into the
// referee's inbox. Each is answered by two.
func fillInbox(b *testing.B, d *daemon.Daemon, client *smtp.Client, n int) (answers int) {
	b.Helper()
	for i := range n {
		letter := beginMatch(b, d, i%benchPairs)
		raw := letter(1, 2, "orders", "PLACE Miskolc, Debrecen")
		if err := client.SendMail(d.Config.Embedded.Accounts[0].Address, []string{d.Config.Address}, bytes.NewReader(raw)); err != nil {
			b.Fatal(err)
		}
	}
	return 2 * n
}

// fillInboxOfOne begins a match and puts n letters of both its players into the inbox, each
// of which is answered by one.
func fillInboxOfOne(b *testing.B, d *daemon.Daemon, client *smtp.Client, n int) (answers int) {
	b.Helper()
	letter := beginMatch(b, d, 0)
	for i := range n {
		raw := letter(i%2, 2, fmt.Sprint(i), "STATUS")
		if err := client.SendMail(d.Config.Embedded.Accounts[0].Address, []string{d.Config.Address}, bytes.NewReader(raw)); err != nil {
			b.Fatal(err)
		}
	}
	return n
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
