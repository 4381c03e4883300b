package engine

import (
	"bytes"
	"encoding/json"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
)

// TestPositionIsReadBack writes and reads positions of random matches, calls of revolutions
// included, after every answer.
func TestPositionIsReadBack(t *testing.T) {
	t.Parallel()
	for players := LeastSeats; players <= MostSeats; players += 4 {
		table, err := Rules{}.Table(rules.Setup{Seats: players, Revision: newestRevision})
		if err != nil {
			t.Fatal(err)
		}
		m := table.(*matchTable)
		d := newDice(uint64(players))
		for range long.N(1, 10) {
			if err := m.Begin(d); err != nil {
				t.Fatal(err)
			}
			for {
				readBack(t, &m.p)
				decision, options, open := m.Ask()
				if !open {
					break
				}
				a := options[d.r.IntN(len(options))]
				if decision.Kind == KindCall && d.r.IntN(8) > 0 {
					a = options[0]
				}
				if err := m.Answer(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func readBack(t *testing.T, p *Position) {
	t.Helper()
	data, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	q, err := Rules{}.Decode(data)
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	want, got := *p, *q.(*Position)
	want.room = pile{}
	if want != got {
		t.Fatalf("%s\nread back as\n%+v\nwas\n%+v", data, got, want)
	}
	for seat := rules.Nobody; seat < 1; seat++ {
		v := p.View(seat)
		data, err := v.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Rules{}.DecodeView(data, seat)
		if err != nil {
			t.Fatal(err)
		}
		if *back.(*View) != *v.(*View) {
			t.Fatalf("the view %s is not read back", data)
		}
	}
}

// TestViewHides compares views of positions that differ in what a seat may not know: the
// objectives of others, what takes no part, and gifts that a call has announced.
func TestViewHides(t *testing.T) {
	t.Parallel()
	one := board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton")
	other := board(t, 5).deal("robespierre", "danton", "louis", "fouche", "artois")
	other.listed, other.lists[1] = rules.Only(2), 4
	for seat := rules.Nobody; seat <= arch; seat++ {
		a, err := one.View(seat).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.View(seat).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("seat %d sees a difference:\n%s\n%s", seat, a, b)
		}
	}
}

// TestDecodeRefuses gives errors, and never a panic, for what is no position.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{}`, `[]`, `{"players":5,"phase":"seat"}`, `{"revision":3,"players":5,"phase":"seat"}`,
		`{"revision":2,"players":5,"phase":"seat","units":{"1-2":"nobody"}}`, `{"revision":2,"players":5,"phase":"nap"}`,
		`{"revision":2,"players":13}`, `{"revision":2,"players":5,"phase":"seat","queue":[77]}`, `{"revision":2,"players":5,"phase":"seat","order":["arch","arch","arch","arch","arch","arch"]}`,
		`{"revision":2,"players":5,"phase":"seat","vote":{"space":2}}`, `{"revision":2,"players":4,"phase":"seat","asked":{"lamp":3}}`} {
		p, err := Rules{}.Decode([]byte(text))
		if err == nil {
			out, _ := json.Marshal(p)
			t.Errorf("%s was read as %s", text, out)
		}
	}
}
