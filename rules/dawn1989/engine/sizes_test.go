package engine_test

import (
	"encoding/json"
	"testing"
	"unsafe"

	"samizdat/internal/test/long"
	"samizdat/rules/dawn1989/engine"
)

// TestSizes: a position is under 4 kB as a value and under 8 kB as JSON, at any
// time of a match.
func TestSizes(t *testing.T) {
	t.Parallel()
	if n := unsafe.Sizeof(engine.Position{}); n >= 4096 {
		t.Errorf("a position has %d bytes", n)
	}
	most := 0
	for seed := range uint64(long.N(8, 60)) {
		d := newDice(seed)
		p := begin(t, d)
		x := engine.Run{Chance: d}
		for n := 0; p.Ending == engine.NotOver; n++ {
			options := p.Choices(nil)
			x.Events = x.Events[:0]
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%5 != 0 {
				continue
			}
			data, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, len(data))
		}
	}
	if most >= 8000 {
		t.Errorf("a position has %d bytes as JSON", most)
	}
	t.Logf("%d bytes as a value, at most %d as JSON", unsafe.Sizeof(engine.Position{}), most)
}
