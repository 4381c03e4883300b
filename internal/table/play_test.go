package table

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// playOut plays a match in which robots are at the keyboard, and returns what the screen
// showed. The record plays again.
func playOut(t *testing.T, p Options, robot string) string {
	t.Helper()
	m, err := Begin(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	typists := map[rules.Seat]rules.Robot{}
	for i := range m.store.match.Seats {
		if typists[rules.Seat(i)], err = p.Game.Robot(robot, 9+uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := m.Play(t.Context(), &typing{t: t, match: m, robots: typists}, &out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "match.jsonl")
	if err := m.SaveRecord(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.Replay(rec, p.Game, nil); err != nil {
		t.Errorf("play the record again: %v", err)
	}
	text := out.String()
	if !strings.Contains(text, "\nThe match is over. ") {
		t.Errorf("it ends with:\n%s", text[max(0, len(text)-1000):])
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 78 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	return text
}

// TestPlayWhole plays a whole match in the terminal against a robot; another robot
// is at the keyboard.
func TestPlayWhole(t *testing.T) {
	t.Parallel()
	text := playOut(t, Options{Game: dawn1989.Game(), Seed: 5, Robot: "random", Seat: "communist"}, "sensible")
	if strings.Contains(text, "\nPower struggle in ") && !strings.Contains(text, "\nTHE POWER STRUGGLE IN ") {
		t.Error("the power struggle cards are not shown")
	}
	if strings.Contains(text, "democrat> ") {
		t.Error("the robot's side is asked")
	}
	// Each screen has at most 40 lines, the prompt included, and the map, or in a power struggle the cards there.
	screens := strings.Split(text, "\ncommunist> ")
	for i, screen := range screens[:len(screens)-1] {
		if !strings.Contains(screen, "\nTHE MAP (") && !strings.Contains(screen, "\nTHE POWER STRUGGLE ") {
			t.Errorf("screen %d has no map:\n%s", i, screen)
		}
		if n := strings.Count(screen, "\n") + 1; n > windowLines {
			t.Errorf("screen %d has %d lines:\n%s", i, n, screen)
		}
	}
}

// TestResume: a match that is left again and again, and gone on with, stands as one that is
// played at one sitting.
func TestResume(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	play := func(sittings, orders int) (*Match, string) {
		m, err := Begin(t.Context(), Options{Game: g, Seed: 8})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "match.jsonl")
		typists := map[rules.Seat]rules.Robot{}
		for i := range m.store.match.Seats {
			if typists[rules.Seat(i)], err = g.Robot("random", 9+uint64(i)); err != nil {
				t.Fatal(err)
			}
		}
		for range sittings {
			if err := m.Play(t.Context(), &typing{t: t, match: m, robots: typists, most: orders}, io.Discard); err != nil {
				t.Fatal(err)
			}
			backup, err := m.Save(t.Context(), path)
			if err != nil || backup != path {
				t.Fatalf("kept in %q: %v", backup, err)
			}
			if m, err = Resume(t.Context(), rules.Games{g}, path, 1); err != nil {
				t.Fatal(err)
			}
		}
		return m, path
	}
	once, _ := play(1, 60)
	often, path := play(4, 15)
	if !bytes.Equal(once.store.match.Position, often.store.match.Position) || once.store.match.EntryCount < 50 {
		t.Errorf("the two stand differently after %d and %d entries", once.store.match.EntryCount, often.store.match.EntryCount)
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(record.VerifyChain(rec), record.VerifyStream(rec)); err != nil {
		t.Errorf("verify the record: %v", err)
	}
}

// TestResumeAhead: what was kept for later is there when the match goes on, and only at the
// moment for which it was.
func TestResumeAhead(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	m, err := Begin(t.Context(), Options{Game: g, Seed: 8})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "match.jsonl")
	if _, err := m.writeLetter(t.Context(), 0, "ANSWER LOSS REMOVE Poznan"); err != nil {
		t.Fatal(err)
	}
	held := m.store.match.Pending
	if len(held) != 1 {
		t.Fatalf("%d orders are kept", len(held))
	}
	again := func() []match.PendingAnswer {
		t.Helper()
		m, err := Resume(t.Context(), rules.Games{g}, path, 1)
		if err != nil {
			t.Fatal(err)
		}
		return m.store.match.Pending
	}
	if err := m.SaveRecord(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(held, again()); d != "" {
		t.Errorf("kept, and there again:\n%s", d)
	}
	m.store.match.Head = "another"
	if err := m.savePending(path); err != nil {
		t.Fatal(err)
	}
	if got := again(); len(got) > 0 {
		t.Errorf("of another moment: %+v", got)
	}
	m.store.match.Pending = nil
	if err := m.SaveRecord(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(pendingPath(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing is kept: %v", err)
	}
}

// TestLeave: who presses Ctrl-C leaves the table at once, whatever the keyboard does.
func TestLeave(t *testing.T) {
	t.Parallel()
	m, err := Begin(t.Context(), Options{Game: dawn1989.Game(), Seed: 8})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, typist := io.Pipe()
	t.Cleanup(func() { _ = typist.Close() })
	go func() {
		// The second line is read when the first was answered.
		_, _ = typist.Write([]byte("HAND\n"))
		_, _ = typist.Write([]byte("PLACE"))
		cancel()
	}()
	var out bytes.Buffer
	if err := m.Play(ctx, in, &out); err != nil {
		t.Error(err)
	}
	if !strings.HasSuffix(out.String(), "\nYou have left the table.\n") {
		t.Errorf("it ends with:\n%s", out.String()[max(0, out.Len()-300):])
	}
}

// oneSeat is Three Orchards whose robots answer for one seat only.
func oneSeat(t *testing.T, robots *int) *rules.Game {
	g := rulestest.Game()
	g.Robots = []rules.RobotMaker{{Name: "loyal", New: func(seed uint64) rules.Robot {
		*robots++
		return &loyal{t, rules.NewRandomRobot(seed), rules.NoSeat}
	}}}
	return g
}

type loyal struct {
	t    *testing.T
	to   rules.Robot
	seat rules.Seat
}

func (l *loyal) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	if l.seat != rules.NoSeat && l.seat != d.Seat {
		l.t.Errorf("a robot of seat %d answers for seat %d", l.seat, d.Seat)
	}
	l.seat = d.Seat
	return l.to.Choose(look, d, options)
}

// TestPlayThree: at a table of three each robot has a seat of its own, and people are
// asked in turn; sealed answers to several questions at once are given one by one.
func TestPlayThree(t *testing.T) {
	t.Parallel()
	robots := 0
	g := oneSeat(t, &robots)
	for seat, others := range map[string][]string{"north": {"east", "west"}, "west": {"north", "east"}, "": nil} {
		p, want := Options{Game: g, Seed: 3, Seat: seat}, 3
		if seat != "" {
			p.Robot, want = "loyal", 5
		}
		robots = 0
		text := playOut(t, p, "loyal")
		if robots != want {
			t.Errorf("%q: %d robots were made, want %d", seat, robots, want)
		}
		for _, o := range others {
			if strings.Contains(text, "For the eyes of the "+o) {
				t.Errorf("the %s is shown what the %s sees", seat, o)
			}
		}
		for _, s := range []string{"north", "east", "west"} {
			if seat == "" && !strings.Contains(text, "For the eyes of the "+s) {
				t.Errorf("the %s is shown nothing", s)
			}
		}
	}
}

// TestPlayAnyNumber: a match is played by as many as sit down, sealed ballots included.
func TestPlayAnyNumber(t *testing.T) {
	t.Parallel()
	g := council.Game()
	minimum, maximum := g.Seats()
	for _, n := range []int{minimum, 5, maximum} {
		for _, robot := range []string{"", "random"} {
			text := playOut(t, Options{Game: g, Seats: n, Seed: 4, Robot: robot}, "random")
			shown := 0
			for i, name := range g.SeatNames(rules.Setup{Seats: n, Revision: g.Revision()}) {
				if strings.Contains(text, "\n"+name+"> ") {
					shown++
				} else if i == 0 {
					t.Errorf("%d seats: the first is shown nothing", n)
				}
			}
			if want := map[bool]int{true: n, false: 1}[robot == ""]; shown != want {
				t.Errorf("%d seats, robot %q: %d of them are shown something, want %d", n, robot, shown, want)
			}
		}
	}
	for _, n := range []int{minimum - 1, maximum + 1} {
		if _, err := Begin(t.Context(), Options{Game: g, Seats: n}); err == nil {
			t.Errorf("a match of %d begins", n)
		}
	}
}

// typing is robots that type.
type typing struct {
	t      *testing.T
	match  *Match
	robots map[rules.Seat]rules.Robot
	last   string
	number int
	// most is how many orders are typed before the table is left; 0 for all.
	most int
}

// Read types the answer to what is asked; what was refused is typed again with
// FOR SURE behind it.
func (k *typing) Read(p []byte) (int, error) {
	if k.most > 0 && k.number == k.most {
		return 0, io.EOF
	}
	if k.number++; k.number > 5000 {
		k.t.Fatal("the match does not end")
	}
	asked, pos, err := k.match.openDecisions()
	if err != nil {
		return 0, err
	}
	d := asked[0]
	atoms, err := playout.Answer(pos, d, k.robots[d.Seat])
	if err != nil {
		return 0, err
	}
	line := k.match.game.FormatOrder(atoms)
	if strings.Contains(k.match.store.newestLetters[d.Seat].Body, "If you are sure, write ") && line == k.last {
		line += " FOR SURE"
	}
	k.last = line
	return copy(p, line+"\n"), nil
}
