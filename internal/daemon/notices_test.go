package daemon

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/storage"
)

// TestDirectorLetter: the letter names match, seat and reason, and neither addresses
// nor tokens.
func TestDirectorLetter(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Director = "dora@club.example"
	raw, err := newDirectorLetter(cfg, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), []storage.SeatFailures{
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
	if err := d.notifyDirector(t.Context(), time.Now()); err != nil {
		t.Error(err)
	}
	d.Config.Director = "dora@club.example"
	if err := d.notifyDirector(t.Context(), time.Now()); err == nil {
		t.Error("no error without a database")
	}
}

// TestTellOperator: one letter, however often it is asked for, and none without
// an address; and without a database an error, so that nothing is moved.
func TestTellOperator(t *testing.T) {
	t.Parallel()
	bad := mail.BadLetter{Failures: 3, Reason: errors.New("hand of seat 1: 24"), Letter: mail.Received{
		UIDValidity: 7, UID: 12, Arrived: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Size: 5000, Raw: []byte("Subject: secret plan\r\n\r\nEVENT 24\r\n")}}
	for operator, want := range map[string]int{"": 0, "op@club.example": 1} {
		cfg := config.Default()
		cfg.Data, cfg.Operator = t.TempDir(), operator
		cfg = housed(t, cfg)
		d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		outbox, woken := d.DB.Outbox(cfg.Address), 0
		tell := d.operatorNotifier(outbox, func() { woken++ })
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
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if err := tell(t.Context(), bad); err == nil {
			t.Error("no error without a database")
		}
	}
}

// noticesOf are the letters that wait for the operator, in order.
func noticesOf(t *testing.T, d *Daemon) []message.Letter {
	t.Helper()
	due, err := d.DB.Outbox(d.Config.Address).Due(t.Context(), time.Now(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	var out []message.Letter
	for _, o := range due {
		out = append(out, message.Read(o.Raw))
	}
	return out
}

// TestOperatorIsNotFlooded: of many bad letters on a day the operator gets the bound, also
// when each of them ended the process; the last says that there may be more. The next day
// he is told again.
func TestOperatorIsNotFlooded(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data, cfg.Operator = t.TempDir(), "op@club.example"
	cfg = housed(t, cfg)
	synctest.Test(t, func(t *testing.T) {
		n := uint32(0)
		day := func(want int) {
			t.Helper()
			for range maxQuarantineNotices + 10 {
				d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
				if err != nil {
					t.Fatal(err)
				}
				n++
				bad := mail.BadLetter{Failures: 3, Letter: mail.Received{UIDValidity: 7, UID: n, Arrived: time.Now(), Raw: fmt.Appendf(nil, "letter %d", n)}}
				if err := d.operatorNotifier(d.DB.Outbox(cfg.Address), func() {})(t.Context(), bad); err != nil {
					t.Fatal(err)
				}
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
			}
			d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			got := noticesOf(t, d)
			if len(got) != want {
				t.Errorf("%d letters wait, want %d", len(got), want)
			}
			for i, l := range got {
				if hasMore := strings.Contains(l.Text, "More letters may be moved to the folder"); hasMore != ((i+1)%maxQuarantineNotices == 0) {
					t.Errorf("letter %d:\n%s", i+1, l.Text)
				}
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
		day(maxQuarantineNotices)
		time.Sleep(24 * time.Hour)
		day(2 * maxQuarantineNotices)
	})
}

// TestQuarantineWords: what the letter says is true of the letter that it tells of.
func TestQuarantineWords(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Operator = "op@club.example"
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		letter    mail.Received
		has, lack []string
	}{
		"handed out": {mail.Received{UID: 1, Size: 3, Raw: []byte("abc"), Arrived: at},
			[]string{"The program failed to handle a letter, in 3 tries", "unchanged to the folder", "arrived  Sat, 21 Nov 2026 09:00:00 +0000", "bytes    3", "sha256   ba7816bf"},
			[]string{"did not deliver", "first", "More letters"}},
		"empty": {mail.Received{UID: 1, Raw: []byte{}, Arrived: at}, []string{"The program failed", "bytes    0", "sha256   e3b0c442"}, []string{"did not deliver"}},
		"too long": {mail.Received{UID: 1, Size: 30 << 20, Raw: []byte("abc"), Truncated: true, Arrived: at},
			[]string{"bytes    31457280", "ba7816bf", "(of the first 3 bytes, more were not read)"}, []string{"did not deliver"}},
		"not handed out": {mail.Received{UID: 1, Size: 99, Arrived: at},
			[]string{"did not deliver it in 3 tries", "unread", "missed since  Sat, 21 Nov 2026", "bytes         99, as the server says"},
			[]string{"program failed", "crash", "unchanged to the folder", "sha256", "arrived", "After the fault"}},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			sum := ""
			if c.letter.Raw != nil {
				sum = fmt.Sprintf("%x", sha256.Sum256(c.letter.Raw))
			}
			raw, err := newQuarantineNotice(cfg, mail.BadLetter{Letter: c.letter, Failures: 3}, sum, false)
			if err != nil {
				t.Fatal(err)
			}
			text := message.Read(raw).Text
			for _, w := range c.has {
				if !strings.Contains(text, w) {
					t.Errorf("%q is missing in\n%s", w, text)
				}
			}
			for _, w := range c.lack {
				if strings.Contains(text, w) {
					t.Errorf("%q stands in\n%s", w, text)
				}
			}
			for line := range strings.Lines(text) {
				if len(line) > 85 {
					t.Errorf("a long line: %s", line)
				}
			}
		})
	}
}
