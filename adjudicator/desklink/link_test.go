package desklink_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/desklink"
	"samizdat/internal/test/long"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

var games = rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()}

// The longest link, and the longest view in it, in bytes before base64.
const maxURL, maxView = 1800, 700

// link is that of a seat in a match, with names and an address as long as they come.
func link(g *rules.Game, setup rules.Setup, seat rules.Seat, pos rules.Position) desklink.Link {
	view, err := pos.View(seat).MarshalJSON()
	if err != nil {
		panic(err)
	}
	l := desklink.Link{Match: "mabcdefg", Setup: setup, Seat: seat, Letter: 123, View: view,
		To:      "referee-of-a-club-1+abcdefghijklmnopqrstuvwxyz234567abcdefg@mail.club.example.org",
		Subject: "Re: 1989: turn 10 round 7: It is your move [mabcdefg]"}
	for i := range setup.Seats {
		l.Names = append(l.Names, fmt.Sprintf("Player Number %d", i))
	}
	return l
}

// TestLinks: over whole matches every seat's link is short, and is read as it was written.
func TestLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		game  *rules.Game
		robot string
		seats int
	}{
		{games[0], "sensible", 2}, {games[0], "random", 2}, {games[1], "random", 5}, {games[1], "partisan", 12},
		{games[2], "random", 6},
	} {
		t.Run(fmt.Sprint(tt.game.Name(), " ", tt.robot), func(t *testing.T) {
			t.Parallel()
			longest, largest := 0, 0
			for seed := range uint64(long.N(1, 15)) {
				m, err := recordtest.Begin(recordtest.Plan{Game: tt.game, ID: "m", Seats: tt.seats, Revision: tt.game.Revision(), Robot: tt.robot, Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				for ; !m.Over(); err = m.Step() {
					if err != nil {
						t.Fatal(err)
					}
					for _, d := range m.Position.OpenDecisions(nil) {
						l := link(tt.game, rules.Setup{Seats: tt.seats, Revision: tt.game.Revision()}, d.Seat, m.Position)
						whole := roundTrip(t, tt.game, l)
						longest = max(longest, len(whole))
						l.View = []byte("{}")
						empty, err := l.URL("", tt.game)
						if err != nil {
							t.Fatal(err)
						}
						largest = max(largest, (len(whole)-len(empty)-len(page))*3/4)
					}
				}
			}
			t.Logf("the longest link has %d letters, the longest view %d bytes", longest, largest)
			if longest > maxURL || largest > maxView {
				t.Errorf("%d letters and %d bytes are too many", longest, largest)
			}
		})
	}
}

const page = "https://club.example.org/desk/"

// TestTooLong: a link leaves out what happened before it leaves out the names.
func TestTooLong(t *testing.T) {
	t.Parallel()
	g := games[2]
	setup := rules.Setup{Seats: 2, Revision: g.Revision()}
	m, err := recordtest.Begin(recordtest.Plan{Game: g, ID: "m", Seats: 2, Revision: g.Revision(), Robot: "random", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := link(g, setup, 0, m.Position)
	random := make([]byte, 1500)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random) // It is not compressed.
	long := base64.RawURLEncoding.EncodeToString(random)
	for _, tt := range []struct {
		happened, name  string
		tells, hasNames bool
	}{{"A die falls.", "Ada", true, true}, {long, "Ada", false, true}, {"A die falls.", long, false, false}} {
		l.Happened, l.Names = []string{tt.happened}, []string{tt.name, "Ben"}
		url, err := l.URL(page, g)
		if err != nil {
			t.Fatal(err)
		}
		_, fragment, _ := strings.Cut(url, "#")
		got, _, _, err := desklink.Read(games, fragment)
		if err != nil || len(url) > maxURL || (len(got.Happened) > 0) != tt.tells || (len(got.Names) > 0) != tt.hasNames {
			t.Errorf("%.20q, %.20q: the link of %d letters tells %q, %q: %v", tt.happened, tt.name, len(url), got.Happened, got.Names, err)
		}
	}
}

// roundTrip writes a link, reads it, and returns it.
func roundTrip(t *testing.T, g *rules.Game, l desklink.Link) string {
	t.Helper()
	url, err := l.URL(page, g)
	if err != nil {
		t.Fatal(err)
	}
	_, fragment, _ := strings.Cut(url, "#")
	got, game, view, err := desklink.Read(games, fragment)
	if err != nil || game != g {
		t.Fatalf("%s: %v", url, err)
	}
	again, err := view.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(l.View) || got.To != l.To || got.Subject != l.Subject || got.Seat != l.Seat || got.Letter != l.Letter || len(got.Names) != len(l.Names) {
		t.Fatalf("the link is read as %+v\nwith the view %s\nand was %+v\nwith %s", got, again, l, l.View)
	}
	return url
}

// update writes the links of this version, where the old ones are to be given up.
var update = flag.Bool("update", false, "write testdata/links.txt")

// TestOldLinks: links that letters have had since the first version are still read.
func TestOldLinks(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "links.txt")
	if *update {
		var out strings.Builder
		for i, seats := range []int{2, 5, 3} {
			m, err := recordtest.Begin(recordtest.Plan{Game: games[i], ID: "m", Seats: seats, Revision: games[i].Revision(), Robot: "random", Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				if err := m.Step(); err != nil {
					t.Fatal(err)
				}
			}
			seat := m.Position.OpenDecisions(nil)[0].Seat
			fmt.Fprintln(&out, games[i].Status(m.Position.View(seat)))
			fmt.Fprintln(&out, roundTrip(t, games[i], link(games[i], rules.Setup{Seats: seats, Revision: games[i].Revision()}, seat, m.Position)))
		}
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for i := 0; i < len(lines); i += 2 {
		_, g, view, err := desklink.Read(games, desklink.Find(lines[i+1]))
		if err != nil {
			t.Errorf("%s: %v", lines[i], err)
			continue
		}
		if got := g.Status(view); got != lines[i] {
			t.Errorf("%q is read, and was %q", got, lines[i])
		}
	}
}

// TestReadDamaged: a link that is cut off, changed or of another version is refused in words.
func TestReadDamaged(t *testing.T) {
	t.Parallel()
	g := games[2]
	const good = `{"round":1,"turn":0,"left":[5,5],"cups":[[1,2,3,4,6],null],"bid":{"dice":0,"face":0},"bidder":0,"asked":1}`
	url, err := desklink.Link{Setup: rules.Setup{Seats: 2, Revision: 1}, View: []byte(good)}.URL("", g)
	if err != nil {
		t.Fatal(err)
	}
	text := url[1:]
	if _, _, _, err := desklink.Read(games, text); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		if _, _, _, err := desklink.Read(games, text[:i]); err == nil {
			t.Fatalf("%q is read", text[:i])
		}
	}
	for _, bad := range []string{"", "x", "1" + text[1:], "2.chess.AAAA", text + "!", strings.Repeat("A", 10000), "2.liarsdice." + strings.Repeat("A", 9000)} {
		if _, _, _, err := desklink.Read(games, bad); err == nil || len(err.Error()) < 10 {
			t.Errorf("%.40q is read: %v", bad, err)
		}
	}
	for _, view := range []string{`{}`, strings.Replace(good, "[5,5]", "[5,5,5]", 1), strings.Replace(good, "null", "[1]", 1), strings.Replace(good, "[1,2,3,4,6]", "[7]", 1)} {
		url, err := desklink.Link{Setup: rules.Setup{Seats: 2, Revision: 1}, View: []byte(view)}.URL("", g)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := desklink.Read(games, url[1:]); err == nil {
			t.Errorf("the view %s is read", view)
		}
	}
}

// longest is how long the page may take to read a link, which may be forged.
const longest = 100 * time.Millisecond

// FuzzRead reads forged links: Read refuses a link or returns a view of the seat, and neither panics nor takes long. The
// JSON stands uncompressed in a deflate block (RFC 1951, 3.2.4), because few changes survive compression.
func FuzzRead(f *testing.F) {
	for i, seats := range []int{2, 5, 3} {
		m, err := recordtest.Begin(recordtest.Plan{Game: games[i], ID: "m", Seats: seats, Revision: games[i].Revision(), Robot: "random", Seed: 3})
		if err != nil {
			f.Fatal(err)
		}
		for n := 0; n < 120 && !m.Over(); n++ {
			if n%12 == 0 {
				seat := m.Position.OpenDecisions(nil)[0].Seat
				url, err := link(games[i], rules.Setup{Seats: seats, Revision: games[i].Revision()}, seat, m.Position).URL("", games[i])
				if err != nil {
					f.Fatal(err)
				}
				data, err := base64.RawURLEncoding.DecodeString(url[strings.LastIndex(url, ".")+1:])
				if err != nil {
					f.Fatal(err)
				}
				text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(data), games[i].Desk.Dictionary))
				if err != nil {
					f.Fatal(err)
				}
				f.Add(uint8(i), text)
			}
			if err := m.Step(); err != nil {
				f.Fatal(err)
			}
		}
	}
	f.Fuzz(func(t *testing.T, game uint8, text []byte) {
		if len(text) > math.MaxUint16 {
			return
		}
		n := uint16(len(text))
		block := append([]byte{1, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}, text...)
		fragment := "2." + games[int(game)%len(games)].Name() + "." + base64.RawURLEncoding.EncodeToString(block)
		took := time.Hour
		for range 20 { // Other programs may delay a run.
			began := time.Now()
			l, g, view, err := desklink.Read(games, fragment)
			if took = min(took, time.Since(began)); err == nil && g.Status(view) == "" {
				t.Errorf("the view of seat %d of %d has no status", l.Seat, l.Setup.Seats)
			}
			if took < longest {
				return
			}
		}
		t.Errorf("reading the link took %v", took)
	})
}
