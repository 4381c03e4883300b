package history_test

import (
	"encoding/json"
	"strings"
	"testing"

	"samizdat/internal/history"
	"samizdat/internal/test/rulestest"
)

// TestLog: a line has six fields, and as an object says the same.
func TestLog(t *testing.T) {
	t.Parallel()
	rec := played(t, rulestest.Game(), 3, 5)
	_, s := told(t, rulestest.Game(), rec, history.Reader{Seat: 0})
	var text, objects, second strings.Builder
	for out, l := range map[*strings.Builder]history.LogWriter{&text: {}, &objects: {JSON: true}, &second: {Turn: 2}} {
		if err := l.Write(out, s); err != nil {
			t.Fatal(err)
		}
	}
	lines, list := strings.Split(strings.TrimSpace(text.String()), "\n"), strings.Split(strings.TrimSpace(objects.String()), "\n")
	if len(lines) != len(list) || len(lines) < 2*len(s.Moves) {
		t.Fatalf("%d lines, %d objects", len(lines), len(list))
	}
	kinds := map[string]int{}
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		var l history.LogLine
		if err := json.Unmarshal([]byte(list[i]), &l); err != nil {
			t.Fatal(err)
		}
		if len(fields) != 6 || l.String() != line || fields[4] != string(l.Kind) {
			t.Errorf("%q is not %q", line, l)
		}
		kinds[string(l.Kind)]++
	}
	for _, kind := range []string{"order", "die", "draw", "told", "alone"} {
		if kinds[kind] == 0 {
			t.Errorf("there is no line of the kind %s", kind)
		}
	}
	if n := strings.Count(second.String(), "\n"); n == 0 || n >= len(lines) || !strings.Contains(text.String(), second.String()) {
		t.Errorf("turn 2 has %d lines of %d", n, len(lines))
	}
	for _, want := range []string{"0\t1989-06-04T09:00:00Z\t1\t-\tdraw\t", " hidden (", "\talone\tnorth: You are dealt "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%.2000s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "east: You are dealt") {
		t.Error("a seat is told what another was dealt")
	}
}
