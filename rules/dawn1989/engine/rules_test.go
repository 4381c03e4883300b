package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// halting is chance that fails every other time it is asked.
type halting struct {
	dice
	ready bool
}

func (h *halting) fails() bool {
	h.ready = !h.ready
	return h.ready
}

func (h *halting) Roll(reason rules.Reason) (int, error) {
	if h.fails() {
		return 0, rules.ErrNoOutcome
	}
	return h.dice.Roll(reason)
}

func (h *halting) Draw(d rules.Draw) (int, error) {
	if h.fails() {
		return 0, rules.ErrNoOutcome
	}
	return h.dice.Draw(d)
}

// TestStalls plays matches twice: once with chance at hand, and once with chance
// that fails before every outcome, the position stored and read back at each
// stall. Positions and events are the same.
func TestStalls(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.N(4, 40)) {
		choose := rand.New(rand.NewPCG(seed, 1))
		smooth, rough := engine.NewPositionBy(revisionOf(seed)), engine.NewPositionBy(revisionOf(seed))
		a, b := newDice(seed), &halting{dice: newDice(seed)}
		var events, toldToo []rules.Event
		events, err := smooth.Resume(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		rough, toldToo = resumed(t, rough, b, nil, rules.ErrNoOutcome)
		for n := 0; smooth.Ending == engine.NotOver && n < 3000; n++ {
			if *smooth != *rough || !slices.Equal(events, toldToo) {
				t.Fatalf("seed %d, answer %d: a stall has changed the match", seed, n)
			}
			options := smooth.LegalAtoms(nil)
			if len(options) == 0 {
				t.Fatalf("seed %d: nothing to answer to %v", seed, smooth.Question.Kind)
			}
			o, id := options[choose.IntN(len(options))], smooth.OpenDecisions(nil)[0].ID
			if events, err = smooth.Apply(id, o, a, nil); err != nil {
				t.Fatal(err)
			}
			toldToo, err = rough.Apply(id, o, b, nil)
			rough, toldToo = resumed(t, rough, b, toldToo, err)
		}
		if *smooth != *rough {
			t.Fatalf("seed %d: a stall has changed the end of the match", seed)
		}
	}
}

// resumed stores, reads and resumes a position until it stalls no more.
func resumed(t *testing.T, p *engine.Position, c rules.Chance, events []rules.Event, err error) (*engine.Position, []rules.Event) {
	t.Helper()
	for errors.Is(err, rules.ErrNoOutcome) {
		if !p.Stalled() || len(p.OpenDecisions(nil)) != 0 {
			t.Fatal("chance has failed, and the position waits for something else")
		}
		sound(t, p)
		data, e := json.Marshal(p)
		if e != nil {
			t.Fatal(e)
		}
		q, e := dawn1989.Game().Decode(data)
		if e != nil {
			t.Fatal(e)
		}
		p = q.(*engine.Position)
		events, err = p.Resume(c, events)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, events
}

// TestFlat: a position is a value, and its clone is independent.
func TestFlat(t *testing.T) {
	t.Parallel()
	if n := unsafe.Sizeof(engine.Position{}); n > 2048 {
		t.Errorf("a position takes %d bytes, want 2048 at most", n)
	}
	p := begin(t, newDice(1))
	q := p.Clone().(*engine.Position)
	before := *p
	x := engine.Run{Chance: newDice(2)}
	for q.Question.Kind == engine.AskSetup {
		if err := q.Decide(&x, q.LegalAtoms(nil)[0]); err != nil {
			t.Fatal(err)
		}
	}
	if *p != before || *q == before {
		t.Error("the clone shares something with its original, or has not moved")
	}
	if _, err := p.Resume(nil, nil); err != nil || *p != before {
		t.Errorf("resuming what has not stalled: %v", err)
	}
}

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
		if isSame := bytes.Equal(seenBy(t, one, engine.Communist), seenBy(t, two, engine.Communist)); isSame != (revision >= 2) {
			t.Errorf("revision %d: that the Communist sees the same of different cards drawn later is %v", revision, isSame)
		}
		if !bytes.Equal(seen(t, one, rules.NoSeat), seen(t, two, rules.NoSeat)) {
			t.Errorf("revision %d: observers see what was drawn", revision)
		}
		for i, world := range (engine.Rules{}).Imagine(one.View(one.SeatOfSide[engine.Communist])) {
			if !bytes.Equal(seenBy(t, world.(*engine.Position), engine.Communist), seenBy(t, one, engine.Communist)) {
				t.Errorf("revision %d: what the Communist may suppose (%d) shows him something else", revision, i)
			}
		}
		if bytes.Equal(seenBy(t, one, engine.Democrat), seenBy(t, two, engine.Democrat)) {
			t.Errorf("revision %d: the Democrat does not see what he has drawn", revision)
		}
		for _, side := range []engine.Side{engine.Democrat, engine.Communist} {
			if _, err := (engine.Rules{}).DecodeView(seenBy(t, one, side), one.SeatOfSide[side]); err != nil {
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
		if _, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: revision}); err == nil {
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

// dice is chance for tests: seeded, and the same on every run.
type dice struct{ r *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1989))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.r.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.r.IntN(len(w.Pile)), nil }

// begin is a new match after the deal.
func begin(t testing.TB, d dice) *engine.Position {
	t.Helper()
	p := engine.NewPosition()
	x := engine.Run{Chance: d}
	if err := p.Advance(&x); err != nil {
		t.Fatal(err)
	}
	return p
}

// revisionOf spreads matches over the revisions of the rules.
func revisionOf(seed uint64) uint8 {
	return uint8(engine.OldestRevision + seed%(engine.NewestRevision-engine.OldestRevision+1))
}

// TestRandomPlay plays whole matches at random and holds every position against
// what must always be true.
func TestRandomPlay(t *testing.T) {
	t.Parallel()
	endings := map[engine.Ending]int{}
	for seed := range uint64(long.N(15, 200)) {
		d := newDice(seed)
		p := begin(t, d)
		p.Keep(revisionOf(seed))
		var x engine.Run
		var buf []rules.Atom
		for n := 0; p.Ending == engine.NotOver; n++ {
			if n > 5000 {
				t.Fatalf("seed %d: the match does not end", seed)
			}
			buf = p.LegalAtoms(buf[:0])
			if len(buf) == 0 {
				t.Fatalf("seed %d: nothing to answer to %v %v", seed, p.Question.Kind, p.Question.Source)
			}
			for i := 1; i < len(buf); i++ {
				if buf[i-1] >= buf[i] {
					t.Fatalf("seed %d: options of %v do not ascend: %x", seed, p.Question.Kind, buf)
				}
			}
			x.Chance, x.Events = d, x.Events[:0]
			if err := p.Decide(&x, buf[d.r.IntN(len(buf))]); err != nil {
				t.Fatal(err)
			}
			sound(t, p)
			if n%17 == 0 {
				sameAfterStorage(t, p)
				hiddenCardsHide(t, p, d)
			}
			if n%23 == 0 {
				onlyOptions(t, p, d)
			}
		}
		endings[p.Ending]++
	}
	t.Log(endings)
}

// sound checks the invariants of a position against slow recomputations.
func sound(t testing.TB, p *engine.Position) {
	t.Helper()
	if err := p.Conserved(); err != nil {
		t.Fatal(err)
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		dem, com := int(p.Support[engine.Democrat][s]), int(p.Support[engine.Communist][s])
		if dem < 0 || com < 0 {
			t.Fatalf("%v: support %d, %d", s, dem, com)
		}
		st := s.Info().Stability
		if p.Controlled[engine.Democrat].Has(s) != (dem-com >= st) || p.Controlled[engine.Communist].Has(s) != (com-dem >= st) {
			t.Fatalf("%v: %d, %d: control is kept wrongly", s, dem, com)
		}
		if p.Occupied[engine.Democrat].Has(s) != (dem > 0) || p.Occupied[engine.Communist].Has(s) != (com > 0) {
			t.Fatalf("%v: %d, %d: presence is kept wrongly", s, dem, com)
		}
	}
	if p.Ending == engine.NotOver && p.Struggle.Country == engine.NoCountry && p.Phase != engine.PhaseFinalStruggle && (p.VP >= 20 || p.VP <= -20) {
		t.Fatalf("VP %d and the match goes on", p.VP)
	}
}

// sameAfterStorage stores a position, reads it back and compares everything.
func sameAfterStorage(t *testing.T, p *engine.Position) {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := dawn1989.Game().Decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if again, err := engine.WrittenAgain(data, false); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("%v: encoding/json writes\n%s\nand not\n%s", err, again, data)
	}
	if *q.(*engine.Position) != *p {
		t.Fatalf("not the same after storage:\n%s", cmp.Diff(p, q, cmp.AllowUnexported(engine.Position{}, engine.Effects{})))
	}
}

// onlyOptions: every listed option is taken, and nothing else.
func onlyOptions(t *testing.T, p *engine.Position, d dice) {
	t.Helper()
	options := p.LegalAtoms(nil)
	if len(options) == 0 {
		return
	}
	id := p.OpenDecisions(nil)[0].ID
	for _, a := range options {
		if _, err := p.Clone().Apply(id, a, d, nil); err != nil {
			t.Fatalf("the option %x of %v is refused: %v", a, p.Question.Kind, err)
		}
	}
	for range 20 {
		a := engine.NewAtom(engine.Verb(1+d.r.IntN(int(engine.VerbStop))), uint8(d.r.IntN(12)), d.r.IntN(engine.Cards))
		if slices.Contains(options, a) {
			continue
		}
		q := *p
		if _, err := q.Apply(id, a, d, nil); err == nil {
			t.Fatalf("%x is taken by %v, which does not list it", a, p.Question.Kind)
		}
		if q != *p {
			t.Fatalf("the refused %x has changed the position", a)
		}
	}
	if _, err := p.Clone().Apply(id+1, options[0], d, nil); err == nil {
		t.Fatal("an answer to another decision is taken")
	}
}

// hiddenCardsHide exchanges a card in a hand for one in the draw deck, and power
// struggle cards in a hand for others. The other seat's view and options are the
// same to the byte.
func hiddenCardsHide(t *testing.T, p *engine.Position, d dice) {
	t.Helper()
	for owner := engine.Democrat; owner <= engine.Communist; owner++ {
		q := *p
		mine, deck := q.Piles[engine.HandPile(owner)].Minus(q.KnownCards[owner]).List(), q.Piles[engine.PileDeck].List()
		if q.Question.Kind == engine.AskGrant {
			// Red titles have just been shown (card 46): there are no others.
			deck = q.Piles[engine.PileDeck].Minus(engine.RedTitles).List()
		}
		if len(mine) > 0 && len(deck) > 0 {
			a, b := mine[d.r.IntN(len(mine))], deck[d.r.IntN(len(deck))]
			q.Move(a, engine.HandPile(owner), engine.PileDeck)
			q.Move(b, engine.PileDeck, engine.HandPile(owner))
		}
		// What lies before one side only: the card put aside (card 77), the cards
		// of box 3.
		for _, pile := range [...]engine.Pile{engine.PileAside, engine.PileShown} {
			mine, deck := q.Piles[pile].List(), q.Piles[engine.PileDeck].List()
			if (pile == engine.PileAside && owner == engine.Democrat || pile == engine.PileShown && q.Question.Side == owner) && len(mine) > 0 && len(deck) > 0 {
				q.Move(mine[0], pile, engine.PileDeck)
				q.Move(deck[d.r.IntN(len(deck))], engine.PileDeck, pile)
			}
		}
		hand, remaining := &q.Struggle.Hands[owner], &q.Struggle.Deck
		// Securitate (card 70) shows a hand, but for what was drawn later.
		isOpen := owner == engine.Democrat && q.Effects.Cards.Has(engine.Securitate) && q.Struggle.Country == engine.Romania
		drawn := &q.Struggle.Drawn
		for k := range hand {
			j := (k + 7) % len(hand)
			if hand[k] == 0 || remaining[j] == 0 || isOpen && drawn[k] == 0 {
				continue
			}
			if isOpen {
				drawn[k]--
				drawn[j]++
			}
			hand[k]--
			hand[j]++
			remaining[k]++
			remaining[j]--
		}
		reader := owner.Enemy()
		for _, seat := range []rules.Seat{p.SeatOfSide[reader], rules.NoSeat} {
			one, err := json.Marshal(p.View(seat))
			if err != nil {
				t.Fatal(err)
			}
			two, err := json.Marshal(q.View(seat))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one, two) {
				t.Fatalf("seat %d sees the %v's hidden cards:\n%s\n%s", seat, owner, one, two)
			}
		}
		if p.Question.Side == reader && !slices.Equal(p.LegalAtoms(nil), q.LegalAtoms(nil)) {
			t.Fatalf("what is asked of the %v depends on the %v's hidden cards", reader, owner)
		}
	}
}

// TestSameBytes: the same answers and the same chance give the same bytes.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	playOn := func() (out []byte) {
		d := newDice(11)
		p := begin(t, d)
		var x engine.Run
		for range 300 {
			options := p.LegalAtoms(nil)
			if len(options) == 0 {
				break
			}
			x.Chance, x.Events = d, nil
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			out = append(append(out, data...), fmt.Sprint(x.Events)...)
		}
		return out
	}
	if !bytes.Equal(playOn(), playOn()) {
		t.Error("two plays of the same match differ")
	}
}

// FuzzDecode: whatever is read as a position, nothing panics, and what was read
// is written and read again the same.
func FuzzDecode(f *testing.F) {
	d := newDice(1)
	p := begin(f, d)
	data, err := json.Marshal(p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"stack":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		pos, err := dawn1989.Game().Decode(data)
		if err != nil {
			return
		}
		if _, err := json.Marshal(pos); err != nil {
			t.Fatal(err)
		}
	})
}
