package main

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/rules"
)

// TestPlayWhole plays a whole match in the terminal against a robot; another robot
// is at the keyboard. The record plays again.
func TestPlayWhole(t *testing.T) {
	t.Parallel()
	g := games[0]
	table, err := sitDown(t.Context(), g, 5, "random", "communist")
	if err != nil {
		t.Fatal(err)
	}
	typist, err := g.(rules.RobotMaker).Robot("sensible", 9)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	table.in, table.out = bufio.NewScanner(&keyboard{t, table, typist, "", 0}), &out
	if err := table.play(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "match.jsonl")
	if err := table.keep(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if _, err := playAgain(path, g); err != nil {
		t.Errorf("play the record again: %v", err)
	}
	text := out.String()
	if !strings.Contains(text, "\nThe match is over. ") {
		t.Errorf("it ends with:\n%s", text[max(0, len(text)-1000):])
	}
	if strings.Contains(text, "\nPower struggle in ") && !strings.Contains(text, "\nTHE POWER STRUGGLE IN ") {
		t.Error("the power struggle cards are not shown")
	}
	if strings.Contains(text, "For the eyes of the democrat") {
		t.Error("the robot's side is shown")
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 78 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
}

// keyboard is a robot that types.
type keyboard struct {
	t      *testing.T
	table  *hotSeat
	robot  rules.Robot
	last   string
	number int
}

// Read types the answer to what is asked; what was refused is typed again with
// SURELY behind it.
func (k *keyboard) Read(p []byte) (int, error) {
	if k.number++; k.number > 5000 {
		k.t.Fatal("the match does not end")
	}
	seat, pos, err := k.table.next()
	if err != nil {
		return 0, err
	}
	atoms, err := wholeAnswer(pos, seat, k.robot)
	if err != nil {
		return 0, err
	}
	line := k.table.game.Line(atoms)
	if strings.Contains(k.table.store.letters[seat].Body, "write SURELY") && line == k.last {
		line += " SURELY"
	}
	k.last = line
	return copy(p, line+"\n"), nil
}
