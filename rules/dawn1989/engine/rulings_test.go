package engine_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestRulings tells each case of testdata/rulings.txt, of what the revisions of the
// rules rule otherwise, by each of them.
func TestRulings(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "rulings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		for revision := engine.OldestRevision; revision <= engine.NewestRevision; revision++ {
			t.Run(fmt.Sprintf("%s by rules %d", f.Name, revision), func(t *testing.T) {
				t.Parallel()
				// The case says whose round it is, or whose card it plays.
				runCase(t, engine.ReformerRehabilitated, uint8(revision), string(f.Data))
			})
		}
	}
}

// TestRulingSecuritateHides (ruling 27, card 70): by revision 2 nothing that the Democrat
// draws in a struggle changes one byte of what the Communist and observers see of it, until it
// is played. By revision 1 the Communist sees it.
func TestRulingSecuritateHides(t *testing.T) {
	t.Parallel()
	for revision := uint8(engine.OldestRevision); revision <= engine.NewestRevision; revision++ {
		after := func(first, second string) *engine.Position {
			p := scene(t, engine.Democrat, holds(engine.Democrat, engine.RomaniaScoring), lasting(engine.Securitate), sp("Iasi", 3, 0), sp("Galati", 0, 3), by(revision))
			c := &told{t: t, draws: []string{first, second}, deals: [2][]string{
				engine.Democrat:  {"Support Surges", "Strike-3", "Strike-3", "Strike-4", "Strike-4", "Strike-5"},
				engine.Communist: {"March-3", "March-3", "March-3", "March-4", "March-4", "March-5"}}}
			return tell(t, p, c, "PLAY 95 EVENT", "PASS", "PASS", "ATTACK Support Surges")
		}
		one, two := after("Rally", "Petition-6"), after("Strike-3", "Elite Leader")
		if same := bytes.Equal(seenBy(t, one, engine.Communist), seenBy(t, two, engine.Communist)); same != (revision >= 2) {
			t.Errorf("revision %d: that the Communist sees the same of different cards drawn later is %v", revision, same)
		}
		if !bytes.Equal(seen(t, one, rules.Nobody), seen(t, two, rules.Nobody)) {
			t.Errorf("revision %d: observers see what was drawn", revision)
		}
		for i, world := range (engine.Rules{}).Imagine(one.View(one.Sits[engine.Communist])) {
			if !bytes.Equal(seenBy(t, world.(*engine.Position), engine.Communist), seenBy(t, one, engine.Communist)) {
				t.Errorf("revision %d: what the Communist may suppose (%d) shows him something else", revision, i)
			}
		}
		if bytes.Equal(seenBy(t, one, engine.Democrat), seenBy(t, two, engine.Democrat)) {
			t.Errorf("revision %d: the Democrat does not see what he has drawn", revision)
		}
		for _, side := range []engine.Side{engine.Democrat, engine.Communist} {
			if _, err := (engine.Rules{}).DecodeView(seenBy(t, one, side), one.Sits[side]); err != nil {
				t.Errorf("revision %d, the view of the %v: %v", revision, side, err)
			}
		}
	}
}

// TestUnknownRevision: no match begins and no position is read of a revision that is not
// known here.
func TestUnknownRevision(t *testing.T) {
	t.Parallel()
	for _, revision := range []int{-1, 0, engine.NewestRevision + 1, 257} {
		if _, err := (dawn1989.Game{}).Begin(rules.Setup{Seats: 2, Revision: revision}); err == nil {
			t.Errorf("a match of revision %d begins", revision)
		}
		data := seenBy(t, engine.NewPosition(), engine.Democrat)
		old := fmt.Appendf(nil, `"revision":%d`, engine.NewestRevision)
		data = bytes.Replace(data, old, fmt.Appendf(nil, `"revision":%d`, revision), 1)
		if _, err := (engine.Rules{}).DecodeView(data, 0); err == nil {
			t.Errorf("a view of revision %d is read", revision)
		}
	}
}
