package daemon

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"samizdat/internal/config"
	"samizdat/mail/message"
	"samizdat/storage"
)

// TestDirectorLetter: the letter names match, seat and reason, and neither addresses
// nor tokens.
func TestDirectorLetter(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Director = "dora@club.example"
	raw, err := directorLetter(cfg, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), []storage.Trouble{
		{Match: "mabcdefg", Name: "north", Returned: 2, Reason: "5.1.1 <ada@example.org>: no such\r\nuser"},
		{Match: "mabcdefg", Seat: 1, Name: "south", Failed: 1, Reason: "550 referee+mabcdefg-0-7-aaaaaaaaaaaaaaaa@x.test and [samizdat mabcdefg-1-7-bbbbbbbbbbbbbbbb] refused"},
		{Match: "mhijklmn", Name: "north", Returned: 1, Failed: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := message.Read(raw).Text
	for _, want := range []string{"Match mabcdefg, north:\n2 letters came back", "5.1.1 (address) no such user", "Match mabcdefg, south:\n1 letter could not be sent.",
		"1 letter came back from an address that does not work; 1 letter could not be", "No reason was given."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, hidden := range []string{"@", "aaaaaaaa", "bbbbbbbb"} {
		if strings.Contains(text, hidden) {
			t.Errorf("the letter tells %q:\n%s", hidden, text)
		}
	}
}

// TestTellNobody: without a director nothing is looked for.
func TestTellNobody(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	cfg = housed(t, cfg)
	d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := d.tellDirector(t.Context(), time.Now()); err != nil {
		t.Error(err)
	}
	d.Config.Director = "dora@club.example"
	if err := d.tellDirector(t.Context(), time.Now()); err == nil {
		t.Error("no error without a database")
	}
}
