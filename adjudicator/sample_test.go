package adjudicator_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/match/record"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// dawnSeats are the seats of 1989 in the order that their players are named.
var dawnSeats = []string{"democrat", "communist"}

// sampleClub is a club in which a match of 1989 with the chance of the
// rulebook's sample turn has begun.
func sampleClub(t testing.TB) (c *club, id string) {
	t.Helper()
	return sampleAfter(t, 0)
}

// sampleAfter is that club after the first n letters of the sample turn.
func sampleAfter(t testing.TB, n int) (c *club, id string) {
	t.Helper()
	return changedSample(t, "", taskNone, n)
}

// changedSample is a club after the first n letters of the sample turn with some of
// its chance changed. The name says how.
func changedSample(t testing.TB, name string, change change, n int) (c *club, id string) {
	t.Helper()
	type moment struct {
		change  string
		letters int
	}
	return copyOf(t, moment{name, n}, func() (*club, string) {
		if n == 0 {
			c := newClub(t, dawn1989.Game())
			return c, c.match("1989", sampleChance(t, change), dawnSeats...)
		}
		const step = 5 // from one moment to the next, so that few letters are sent again
		from := (n - 1) / step * step
		c, id := changedSample(t, name, change, from)
		for i := from; i < n; i++ {
			sampleLetter(t, c, i)
		}
		return c, id
	})
}

// sampleChance is the chance of the sample turn, changed.
func sampleChance(t testing.TB, change change) []record.Outcome {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	chance := []record.Outcome{}
	for _, entry := range rec.Entries() {
		for _, o := range entry.Chance {
			change(&o)
			chance = append(chance, o)
		}
	}
	return chance
}

// sampleLetters lets the players send the first n letters of the sample turn.
func sampleLetters(t testing.TB, c *club, n int) {
	t.Helper()
	for i := range n {
		sampleLetter(t, c, i)
	}
}

// sampleLetter sends one letter of the sample turn, counted from 0.
func sampleLetter(t testing.TB, c *club, n int) {
	t.Helper()
	f := txtar.Parse(testdata.SampleLetters).Files[n]
	_, seat, _ := strings.Cut(f.Name, " ")
	if a := c.sends(seat, string(f.Data)); strings.Contains(a.Text, ": refused") {
		t.Fatalf("letter %s was refused:\n%s", f.Name, a.Text)
	}
}

// TestSampleTurn plays the rulebook's sample turn letter by letter. The position
// at the end is the rulebook's, no line of any letter is too wide, and some
// letters are golden.
func TestSampleTurn(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	keep := map[int]string{0: "first", 7: "after-three-rounds", 22: "event-first", 38: "struggle"}
	for n := range txtar.Parse(testdata.SampleLetters).Files {
		if name, ok := keep[n]; ok {
			for _, s := range dawnSeats {
				golden(t, "sample/"+name+"-"+s+".txt", c.last(s).Text)
			}
		}
		sampleLetter(t, c, n)
		for _, s := range dawnSeats {
			narrow(t, c.last(s).Text)
		}
	}
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	pos, err := dawn1989.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	var last json.RawMessage
	for _, s := range rec.Steps {
		if s.Expect != nil {
			last = s.Expect
		}
	}
	diffs, err := dawn1989.Game().Differences(pos, last)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diffs {
		t.Error(d)
	}
	if !pos.Stalled() {
		t.Error("the sample's chance has run out, and the position is not stalled")
	}
}
