package dawn1989

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/rules"
)

// dice is chance for tests: seeded, and the same on every run.
type dice struct{ r *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1989))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.r.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.r.IntN(len(w.Pile)), nil }

// begin is a new match after the deal.
func begin(t testing.TB, d dice) *Position {
	t.Helper()
	p := newPosition()
	x := Run{Chance: d}
	if err := p.Go(&x); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRandomPlay plays whole matches at random and holds every position against
// what must always be true.
func TestRandomPlay(t *testing.T) {
	t.Parallel()
	endings := map[Ending]int{}
	for seed := range uint64(200) {
		d := newDice(seed)
		p := begin(t, d)
		var x Run
		var buf []rules.Atom
		for n := 0; p.ending == NotOver; n++ {
			if n > 5000 {
				t.Fatalf("seed %d: the match does not end", seed)
			}
			buf = p.Choices(buf[:0])
			if len(buf) == 0 {
				t.Fatalf("seed %d: nothing to answer to %v %v", seed, p.question.Ask, p.question.Source)
			}
			for i := 1; i < len(buf); i++ {
				if buf[i-1] >= buf[i] {
					t.Fatalf("seed %d: options of %v do not ascend: %x", seed, p.question.Ask, buf)
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
		endings[p.ending]++
	}
	t.Log(endings)
}

// sound checks the invariants of a position against slow recomputations.
func sound(t testing.TB, p *Position) {
	t.Helper()
	if err := p.conserved(); err != nil {
		t.Fatal(err)
	}
	for s := Space(1); s < spaces; s++ {
		dem, com := int(p.support[Democrat][s]), int(p.support[Communist][s])
		if dem < 0 || com < 0 {
			t.Fatalf("%v: support %d, %d", s, dem, com)
		}
		st := s.Info().Stability
		if p.controls[Democrat].has(s) != (dem-com >= st) || p.controls[Communist].has(s) != (com-dem >= st) {
			t.Fatalf("%v: %d, %d: control is kept wrongly", s, dem, com)
		}
		if p.holds[Democrat].has(s) != (dem > 0) || p.holds[Communist].has(s) != (com > 0) {
			t.Fatalf("%v: %d, %d: presence is kept wrongly", s, dem, com)
		}
	}
	if p.ending == NotOver && p.struggle.Country == NoCountry && p.phase != PhaseParty && (p.vp >= 20 || p.vp <= -20) {
		t.Fatalf("VP %d and the match goes on", p.vp)
	}
}

// sameAfterStorage stores a position, reads it back and compares everything.
func sameAfterStorage(t *testing.T, p *Position) {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Game{}.Decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if *q.(*Position) != *p {
		t.Fatalf("not the same after storage:\n%s", cmp.Diff(p, q, cmp.AllowUnexported(Position{}, inForce{})))
	}
}

// onlyOptions: every listed option is taken, and nothing else.
func onlyOptions(t *testing.T, p *Position, d dice) {
	t.Helper()
	options := p.Choices(nil)
	if len(options) == 0 {
		return
	}
	id := p.Owed(nil)[0].ID
	for _, a := range options {
		if _, err := p.Clone().Apply(id, a, d, nil); err != nil {
			t.Fatalf("the option %x of %v is refused: %v", a, p.question.Ask, err)
		}
	}
	for range 20 {
		a := atom(Verb(1+d.r.IntN(int(VerbStop))), uint8(d.r.IntN(12)), d.r.IntN(cards))
		if slices.Contains(options, a) {
			continue
		}
		q := *p
		if _, err := q.Apply(id, a, d, nil); err == nil {
			t.Fatalf("%x is taken by %v, which does not list it", a, p.question.Ask)
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
func hiddenCardsHide(t *testing.T, p *Position, d dice) {
	t.Helper()
	for owner := Democrat; owner <= Communist; owner++ {
		q := *p
		mine, deck := q.piles[hand(owner)].minus(q.known[owner]).cards(), q.piles[PileDeck].cards()
		if q.question.Ask == AskGrant {
			// Red titles have just been shown (card 46): there are no others.
			deck = q.piles[PileDeck].minus(redTitles).cards()
		}
		if len(mine) > 0 && len(deck) > 0 {
			a, b := mine[d.r.IntN(len(mine))], deck[d.r.IntN(len(deck))]
			q.move(a, hand(owner), PileDeck)
			q.move(b, PileDeck, hand(owner))
		}
		// What lies before one side only: the card put aside (card 77), the cards
		// of box 3.
		for _, pile := range [...]Pile{PileAside, PileShown} {
			mine, deck := q.piles[pile].cards(), q.piles[PileDeck].cards()
			if (pile == PileAside && owner == Democrat || pile == PileShown && q.question.Side == owner) && len(mine) > 0 && len(deck) > 0 {
				q.move(mine[0], pile, PileDeck)
				q.move(deck[d.r.IntN(len(deck))], PileDeck, pile)
			}
		}
		h, rest := &q.struggle.Hands[owner], &q.struggle.Deck
		// Securitate (card 70) shows a hand.
		open := owner == Democrat && q.force.cards.has(Securitate) && q.struggle.Country == Romania
		for k := range h {
			if open {
				break
			}
			if j := (k + 7) % len(h); h[k] > 0 && rest[j] > 0 {
				h[k]--
				h[j]++
				rest[k]++
				rest[j]--
			}
		}
		reader := owner.Enemy()
		for _, seat := range []rules.Seat{p.sits[reader], rules.Nobody} {
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
		if p.question.Side == reader && !slices.Equal(p.Choices(nil), q.Choices(nil)) {
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
		var x Run
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
		pos, err := Game{}.Decode(data)
		if err != nil {
			return
		}
		if _, err := json.Marshal(pos); err != nil {
			t.Fatal(err)
		}
	})
}
