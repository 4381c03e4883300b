package board_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/desklink"
	"samizdat/internal/desk/board"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

var games = rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()}

// fragment returns the part of a seat's link behind the #.
func fragment(t testing.TB, g *rules.Game, seats int, seat rules.Seat, pos rules.Position) string {
	t.Helper()
	view, err := pos.View(seat).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	url, err := desklink.Link{Match: "m", Setup: rules.Setup{Seats: seats, Revision: g.Revision()}, Seat: seat, Letter: 7, To: "referee+x@club.example", Subject: "Re: x", View: view}.URL("", g)
	if err != nil {
		t.Fatal(err)
	}
	return url[1:]
}

// TestClicks: random clicks on the links of a match lead to complete orders, and the lines are read as they were clicked.
func TestClicks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		game  *rules.Game
		seats int
	}{{games[0], 2}, {games[1], 5}, {games[2], 3}} {
		t.Run(tt.game.Name(), func(t *testing.T) {
			t.Parallel()
			m, err := recordtest.Begin(recordtest.Plan{Game: tt.game, ID: "m", Seats: tt.seats, Revision: tt.game.Revision(), Robot: "random", Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			rnd, opener := rand.New(rand.NewPCG(1, 2)), board.NewOpener(games)
			var slowest, all time.Duration
			clicks := 0
			for steps := 0; !m.Over() && steps < 150; steps++ {
				for _, d := range m.Position.OpenDecisions(nil) {
					b, err := opener.Open(fragment(t, tt.game, tt.seats, d.Seat, m.Position))
					if err != nil {
						t.Fatal(err)
					}
					s, err := b.State(nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, a := range m.Position.Options(nil, d.ID) {
						if !slices.ContainsFunc(s.OpenQuestions, func(q board.OpenQuestion) bool {
							return slices.ContainsFunc(q.Options, func(o board.Option) bool { return o.Atom == a })
						}) {
							t.Errorf("%s answers %q, and cannot be clicked", tt.game.FormatOrder([]rules.Atom{a}), d.Kind)
						}
					}
					began := time.Now()
					lines := click(t, b, rnd)
					all += time.Since(began)
					slowest = max(slowest, time.Since(began))
					clicks++
					s, err = b.State(lines, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, l := range s.Lines {
						if l.IsWrong && !l.NeedsConfirm || l.Canonical != l.Text {
							t.Errorf("%q is read as %q: %s", l.Text, l.Canonical, l.Note)
						}
					}
					if steps%10 == 0 {
						compareMaps(t, opener, fragment(t, tt.game, tt.seats, d.Seat, m.Position), lines)
					}
				}
				if err := m.Step(); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d answers, %v on average, %v at most", clicks, all/time.Duration(clicks), slowest)
		})
	}
}

// compareMaps checks that the changes of the map, line by line, lead to the map that a new page draws at once.
func compareMaps(t *testing.T, opener *board.Opener, fragment string, lines []string) {
	t.Helper()
	var changed []string
	var places []board.Button
	open := func() *board.Board {
		b, err := opener.Open(fragment)
		if err == nil {
			_, err = b.State(lines, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := open()
	for i := range 2*len(lines) + 1 {
		n := min(i, 2*len(lines)-i) // The lines, and back.
		m := b.Map(n)
		if m == nil {
			return
		}
		for _, c := range m.Changes {
			changed = slices.Replace(changed, c.At, c.At+c.Remove, c.Add...)
		}
		if m.Places != nil {
			places = m.Places
		}
		whole := open().Map(n)
		if !whole.New || m.New != (i == 0) || !slices.Equal(changed, whole.Changes[0].Add) || !slices.Equal(places, whole.Places) {
			t.Fatalf("after %q the changes of the map lead to another map", lines[:n])
		}
	}
}

// click clicks at random until nothing more is asked, three orders at most.
func click(t *testing.T, b *board.Board, rnd *rand.Rand) (lines []string) {
	t.Helper()
	var atoms []rules.Atom
	for len(lines) < 3 {
		s, err := b.State(lines, atoms)
		if err != nil {
			t.Fatal(err)
		}
		var options []board.Option
		for _, a := range s.OpenQuestions {
			options = append(options, a.Options...)
		}
		switch {
		case s.IsComplete || s.MayEnd && rnd.IntN(2) == 0:
			lines, atoms = append(lines, s.BegunAnswer), nil
		case s.EndReason != "":
			return lines
		case len(options) == 0:
			t.Fatalf("nothing can be clicked after %q and %v: %+v", lines, atoms, s)
		default:
			atoms = append(atoms, options[rnd.IntN(len(options))].Atom)
		}
	}
	return lines
}

// TestGames: the quick robot comes first, and robots that are too slow for a browser are left out.
func TestGames(t *testing.T) {
	t.Parallel()
	robots := board.NewOpener(games).Games()[0].Robots
	if robots[0] != games[0].QuickRobot() || !slices.Contains(robots, "level4") || slices.Contains(robots, "level5") {
		t.Errorf("the page offers %q", robots)
	}
}

// TestLines: a line is read as the referee reads it, and a page says what is wrong with another.
func TestLines(t *testing.T) {
	t.Parallel()
	g := games[0]
	m, err := recordtest.Begin(recordtest.Plan{Game: g, ID: "m", Seats: 2, Revision: g.Revision(), Robot: "random", Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		if err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	opener := board.NewOpener(games)
	b, err := opener.Open(fragment(t, g, 2, m.Position.OpenDecisions(nil)[0].Seat, m.Position))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line, read, note string
		wrong            bool
	}{
		{"place dresden 3", "PLACE Dresden 3", "The Communist places 3", false},
		{"PLACE Dresden 4", "", "It would be refused.", true},
		{"PLACE Nowhere 3", "", "This page does not read this line", true},
		{"CONCEDE", "", "It would be refused.", true},
		{"answer stakes: pass", "ANSWER STAKES PASS", "It would be kept.", false},
		{"ANSWER nothing: PASS", "", "", true},
	} {
		s, err := b.State([]string{tt.line}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if l := s.Lines[0]; l.Canonical != tt.read || l.IsWrong != tt.wrong || !strings.Contains(l.Note, tt.note) {
			t.Errorf("%q is read as %q, wrong %t: %s", tt.line, l.Canonical, l.IsWrong, l.Note)
		}
	}
	s, err := b.State([]string{"PLACE Dresden 3", "PASS", "ANSWER STAKES PASS"}, nil)
	if err != nil || s.Lines[1].Canonical != "" || s.Lines[2].Canonical == "" || s.EndReason == "" {
		t.Errorf("behind the last order there is %+v, %v", s, err)
	}
}

// longest is the time in which the page must read a link or a line, which may be forged.
const longest = 100 * time.Millisecond

// FuzzView: the board reads forged views, and neither panics nor takes long. A number chooses the clicks.
func FuzzView(f *testing.F) {
	for i, seats := range []int{2, 5, 3} {
		m, err := recordtest.Begin(recordtest.Plan{Game: games[i], ID: "m", Seats: seats, Revision: games[i].Revision(), Robot: "random", Seed: 3})
		if err != nil {
			f.Fatal(err)
		}
		for n := 0; n < 120 && !m.Over(); n++ {
			seat := m.Position.OpenDecisions(nil)[0].Seat
			view, err := m.Position.View(seat).MarshalJSON()
			if err != nil {
				f.Fatal(err)
			}
			if n%12 == 0 {
				f.Add(uint8(i), uint8(seats), int8(seat), view, "PASS", uint64(n))
			}
			if err := m.Step(); err != nil {
				f.Fatal(err)
			}
		}
	}
	opener := board.NewOpener(games)
	f.Fuzz(func(t *testing.T, game, seats uint8, seat int8, view []byte, line string, clicks uint64) {
		g := games[int(game)%len(games)]
		url, err := desklink.Link{Setup: rules.Setup{Seats: int(seats), Revision: g.Revision()}, Seat: rules.Seat(seat), View: view}.URL("", g)
		if err != nil {
			return
		}
		took := time.Hour
		for range 3 { // Other programs may delay a run, and the first run builds the parser.
			began := time.Now()
			use(opener, url[1:], line, clicks)
			if took = min(took, time.Since(began)); took < longest {
				return
			}
		}
		t.Errorf("it took %v", took)
	})
}

// use opens a link as the page does, reads a line, and clicks.
func use(opener *board.Opener, fragment, line string, clicks uint64) {
	b, err := opener.Open(fragment)
	if err != nil {
		return
	}
	b.Facts()
	b.Map(0)
	rnd := rand.New(rand.NewPCG(clicks, 0))
	s, err := b.State([]string{line}, nil)
	var atoms []rules.Atom
	for range 4 {
		if err != nil || len(s.OpenQuestions) == 0 || len(s.OpenQuestions[0].Options) == 0 {
			break
		}
		atoms = append(atoms, s.OpenQuestions[0].Options[rnd.IntN(len(s.OpenQuestions[0].Options))].Atom)
		s, err = b.State(nil, atoms)
	}
	b.Map(1)
}
