package main

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEveryGame plays each registered game by mail between robots, from the invitation to the end:
// its record and letters are verified, its history is written as a page, and it is begun at a terminal.
func TestEveryGame(t *testing.T) {
	t.Parallel()
	for _, g := range games {
		t.Run(g.Name(), func(t *testing.T) {
			t.Parallel()
			minimum, _ := g.Seats()
			dir := filepath.Join(t.TempDir(), "match")
			record, seats := filepath.Join(dir, "record.jsonl"), strconv.Itoa(minimum)
			for _, c := range []struct{ command, want string }{
				{"demo --seed 1 --game " + g.Name() + " --seats " + seats + " --data " + dir, "played again without a difference"},
				{"verify " + record + " --letters " + filepath.Join(dir, "letters"), "End: the match is over"},
				{"replay " + record, "no difference"},
				{"stats " + record, ""},
				{"history " + record + " -o " + dir, " entries\n"},
				{"play --seed 1 --game " + g.Name() + " --seats " + seats + " --robot " + g.RobotNames()[len(g.Robots)], "You have left the table."},
			} {
				var out, errs bytes.Buffer
				if status := run(t.Context(), strings.Fields(c.command), &out, &errs); status != 0 || !strings.Contains(out.String(), c.want) {
					t.Fatalf("%s: status %d\n%s%s", c.command, status, out.String(), errs.String())
				}
			}
			if pages, err := filepath.Glob(filepath.Join(dir, "*.html")); err != nil || len(pages) != 1 {
				t.Errorf("there are the pages %q: %v", pages, err)
			}
		})
	}
}
