package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

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
	if err := p.Go(&x); err != nil {
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
			buf = p.Choices(buf[:0])
			if len(buf) == 0 {
				t.Fatalf("seed %d: nothing to answer to %v %v", seed, p.Question.Ask, p.Question.Source)
			}
			for i := 1; i < len(buf); i++ {
				if buf[i-1] >= buf[i] {
					t.Fatalf("seed %d: options of %v do not ascend: %x", seed, p.Question.Ask, buf)
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
		if p.Controls[engine.Democrat].Has(s) != (dem-com >= st) || p.Controls[engine.Communist].Has(s) != (com-dem >= st) {
			t.Fatalf("%v: %d, %d: control is kept wrongly", s, dem, com)
		}
		if p.Holds[engine.Democrat].Has(s) != (dem > 0) || p.Holds[engine.Communist].Has(s) != (com > 0) {
			t.Fatalf("%v: %d, %d: presence is kept wrongly", s, dem, com)
		}
	}
	if p.Ending == engine.NotOver && p.Struggle.Country == engine.NoCountry && p.Phase != engine.PhaseParty && (p.VP >= 20 || p.VP <= -20) {
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
	q, err := dawn1989.Game{}.Decode(data)
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
	options := p.Choices(nil)
	if len(options) == 0 {
		return
	}
	id := p.Owed(nil)[0].ID
	for _, a := range options {
		if _, err := p.Clone().Apply(id, a, d, nil); err != nil {
			t.Fatalf("the option %x of %v is refused: %v", a, p.Question.Ask, err)
		}
	}
	for range 20 {
		a := engine.NewAtom(engine.Verb(1+d.r.IntN(int(engine.VerbStop))), uint8(d.r.IntN(12)), d.r.IntN(engine.Cards))
		if slices.Contains(options, a) {
			continue
		}
		q := *p
		if _, err := q.Apply(id, a, d, nil); err == nil {
			t.Fatalf("%x is taken by %v, which does not list it", a, p.Question.Ask)
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
		mine, deck := q.Piles[engine.HandOf(owner)].Minus(q.Known[owner]).List(), q.Piles[engine.PileDeck].List()
		if q.Question.Ask == engine.AskGrant {
			// Red titles have just been shown (card 46): there are no others.
			deck = q.Piles[engine.PileDeck].Minus(engine.RedTitles).List()
		}
		if len(mine) > 0 && len(deck) > 0 {
			a, b := mine[d.r.IntN(len(mine))], deck[d.r.IntN(len(deck))]
			q.Move(a, engine.HandOf(owner), engine.PileDeck)
			q.Move(b, engine.PileDeck, engine.HandOf(owner))
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
		h, rest := &q.Struggle.Hands[owner], &q.Struggle.Deck
		// Securitate (card 70) shows a hand, but for what was drawn later.
		open := owner == engine.Democrat && q.Effects.Cards.Has(engine.Securitate) && q.Struggle.Country == engine.Romania
		drawn := &q.Struggle.Drawn
		for k := range h {
			j := (k + 7) % len(h)
			if h[k] == 0 || rest[j] == 0 || open && drawn[k] == 0 {
				continue
			}
			if open {
				drawn[k]--
				drawn[j]++
			}
			h[k]--
			h[j]++
			rest[k]++
			rest[j]--
		}
		reader := owner.Enemy()
		for _, seat := range []rules.Seat{p.Sits[reader], rules.Nobody} {
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
		if p.Question.Side == reader && !slices.Equal(p.Choices(nil), q.Choices(nil)) {
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
			options := p.Choices(nil)
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
		pos, err := dawn1989.Game{}.Decode(data)
		if err != nil {
			return
		}
		if _, err := json.Marshal(pos); err != nil {
			t.Fatal(err)
		}
	})
}
