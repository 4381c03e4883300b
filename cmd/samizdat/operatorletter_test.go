package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"samizdat/mail"
)

// TestTellOperator: one letter, however often it is asked for, and none without
// an address; and without a database an error, so that nothing is moved.
func TestTellOperator(t *testing.T) {
	t.Parallel()
	bad := mail.BadLetter{Times: 3, Reason: errors.New("hand of seat 1: 24"), Letter: mail.Received{
		UIDValidity: 7, UID: 12, Arrived: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Size: 5000, Raw: []byte("Subject: secret plan\r\n\r\nEVENT 24\r\n")}}
	for operator, want := range map[string]int{"": 0, "op@club.example": 1} {
		cfg := DefaultConfig()
		cfg.Data, cfg.Operator = t.TempDir(), operator
		d, err := openDaemon(t.Context(), cfg, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		outbox, woken := d.db.Outbox(cfg.Address), 0
		tell := d.tellOperator(outbox, func() { woken++ })
		for range 2 {
			if err := tell(t.Context(), bad); err != nil {
				t.Fatal(err)
			}
		}
		due, err := outbox.Due(t.Context(), time.Now(), 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(due) != want || (woken > 0) != (want > 0) {
			t.Errorf("operator %q: %d letters, sender woken %d times", operator, len(due), woken)
		}
		for _, o := range due {
			text := string(o.Raw)
			if o.To != operator || !strings.Contains(text, "number   12") || !strings.Contains(text, "Samizdat/Quarantine") {
				t.Errorf("the letter to %s:\n%s", o.To, text)
			}
			if strings.Contains(text, "24") || strings.Contains(text, "secret") {
				t.Errorf("the letter tells what it should not:\n%s", text)
			}
		}
		if err := d.close(); err != nil {
			t.Fatal(err)
		}
		if err := tell(t.Context(), bad); err == nil {
			t.Error("no error without a database")
		}
	}
}
