package engine

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
)

// TestRule51HolderOfOneTwo is vector 1: who holds 1-2 may take neither it nor the four units
// beside it, and 13 others.
func TestRule51HolderOfOneTwo(t *testing.T) {
	t.Parallel()
	m := board(t, 5).hold(arch, "1-2")
	legal := m.legalUnits(arch)
	for _, u := range []string{"1-2", "1-7", "1-6", "2-3", "2-8"} {
		if slices.Contains(legal, u) {
			t.Errorf("%s is legal for the holder of 1-2", u)
		}
	}
	m.want("legal units", len(legal), 13)
	id := m.DecisionIDs[arch]
	if _, err := m.Apply(id, NewAtom(VerbSeat, int(m.unit("2-8"))), m.dice, nil); err == nil {
		t.Error("2-8 was taken")
	}
}

// church is the printed example: the Catholic Church on space 2, held by Arch, Grape and
// Cheese, about to be voted on.
func church(t *testing.T) *match {
	m := board(t, 5).hold(grape, "2-3").hold(cheese, "2-8")
	m.take("1-2")
	m.want("phase", m.Phase, Voting)
	m.want("card", m.Cards[2].String(), "church")
	return m
}

// TestRule54PrintedExample is vector 2: two ballots for Monarchy, and Cheese is purged.
func TestRule54PrintedExample(t *testing.T) {
	t.Parallel()
	m := church(t)
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, cheese}, [2]rules.Seat{cheese, grape}, [2]rules.Seat{grape, cheese})
	m.want("holder of 2-8", m.Holders[m.unit("2-8")], rules.NoSeat)
	m.want("trace on 2-8", m.Traces[m.unit("2-8")][0], cheese)
	m.want("Social", m.Ministers[Social], Monarchist)
	m.want("space 2", m.Verdicts[2], VotedMonarchist)
	for seat, isLegal := range map[rules.Seat]bool{cheese: true, lamp: true, arch: false, grape: false} {
		m.want("2-8 legal for "+CitizenKey(int(seat)), m.IsLegalUnit(seat, m.unit("2-8")), isLegal)
	}
	m.want("next Chairman", m.ChairmanSeat(), cheese)
}

// TestRule54EachTheNext is vector 3: each picks the next, and nothing changes but that the
// crisis is voted on.
func TestRule54EachTheNext(t *testing.T) {
	t.Parallel()
	m := church(t)
	before := m.State
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, grape}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, cheese})
	m.want("space 2", m.Verdicts[2], Unresolved)
	m.want("ministers", m.Ministers, [Reforms]Colour{})
	m.want("holders", m.Holders, before.Holders)
	m.want("traces", m.Traces, before.Traces)
}

// TestRule54AllAnswers tries the eight answers of three voters: six have one victim, two none.
func TestRule54AllAnswers(t *testing.T) {
	t.Parallel()
	unresolved := 0
	for bits := range 8 {
		m := church(t)
		m.vote(1, 2)
		voters := []rules.Seat{arch, cheese, grape}
		var pairs [][2]rules.Seat
		pointed := map[rules.Seat]int{}
		for i, v := range voters {
			at := voters[(i+1+bits>>i&1)%3]
			pairs = append(pairs, [2]rules.Seat{v, at})
			pointed[at]++
		}
		m.point(pairs...)
		if m.Verdicts[2] == Unresolved {
			unresolved++
			continue
		}
		m.want("space 2", m.Verdicts[2], VotedRepublican)
		for i, u := range UnitsAround(2) {
			at := []rules.Seat{arch, grape, cheese}[i]
			m.want("still seated", m.Holders[u] == at, pointed[at] != 2)
		}
	}
	if unresolved != 2 {
		t.Errorf("%d of the answers leave the crisis unresolved, not 2", unresolved)
	}
}

// double is vector 4: Arch takes 1-2 and fills spaces 1 and 2, and has 2 voted on first.
func double(t *testing.T) *match {
	m := board(t, 5).hold(grape, "2-3", "1-7").hold(cheese, "2-8").hold(lamp, "1-6")
	m.take("1-2")
	m.want("midway", m.decision(arch).Midway, true)
	m.answer(arch, NewAtom(VerbFirst, 2))
	m.want("voted on", m.VoteSpace, Space(2))
	return m
}

// TestRule51TwoCrises is vector 4: the second vote is held only if the first purge has left
// its crisis full.
func TestRule51TwoCrises(t *testing.T) {
	t.Parallel()
	m := double(t)
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, cheese}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, arch})
	m.want("no vote at 1", m.Verdicts[1], CrisisOpen)
	m.want("next", m.Phase, Seating)
	m.want("in the chair", m.ChairmanSeat(), cheese)

	m = double(t)
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, cheese}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, cheese})
	m.want("voted on", m.VoteSpace, Space(1))
	m.vote(3, 0)
	m.want("space 1", m.Verdicts[1], VotedMonarchist)
	m.want("in the chair", m.ChairmanSeat(), cheese)
}

// TestRuling6LowerSpaceFirst takes the lower space first where the Chairman names none.
func TestRuling6LowerSpaceFirst(t *testing.T) {
	t.Parallel()
	m := board(t, 5).hold(grape, "2-3", "1-7").hold(cheese, "2-8").hold(lamp, "1-6")
	m.take("1-2")
	m.answer(arch, m.decision(arch).Stop)
	m.want("voted on", m.VoteSpace, Space(1))
}

// TestRuling6UnresolvedThenSecond holds the second vote also after a first that stays
// unresolved.
func TestRuling6UnresolvedThenSecond(t *testing.T) {
	t.Parallel()
	m := double(t)
	m.vote(1, 2)
	m.point([2]rules.Seat{arch, grape}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, cheese})
	m.want("space 2", m.Verdicts[2], Unresolved)
	m.want("voted on", m.VoteSpace, Space(1))
}

// TestRule54Pair is vector 5: a pair that is purged at one space is free at the other as well.
func TestRule54Pair(t *testing.T) {
	t.Parallel()
	m := board(t, 5).hold(grape, "1-7", "5-6").hold(cheese, "1-6").hold(lamp, "6-12")
	m.Verdicts[6] = CrisisOpen
	m.Holders[m.unit("5-6")] = rules.NoSeat
	m.take("1-2")
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, cheese}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, cheese})
	pair := m.unit("1-6")
	m.want("the pair", m.Holders[pair], rules.NoSeat)
	m.want("space 6 full", m.IsFull(6), false)
	m.want("legal for cheese while 6 is open", m.IsLegalUnit(cheese, pair), true)
	m.want("illegal for arch, who sits at 1", m.IsLegalUnit(arch, pair), false)
	m.Verdicts[6] = Unresolved
	m.want("legal once both are voted on", m.IsLegalUnit(cheese, pair), false)
}

// printed is the printed example of a revolution: Arch is Robespierre, Grape Napoleon, Lamp
// Danton, Cheese Louis, Croissant Antoinette, and the question for a revolution is open.
func printed(t *testing.T, ministers ...Colour) *match {
	m := board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton")
	copy(m.Ministers[:], ministers)
	m.take("3-4")
	m.want("phase", m.Phase, Calling)
	return m
}

// TestRule55PrintedExample is vector 6: both call, Robespierre is first, both make one error,
// and Grape wins as the only Bonaparte.
func TestRule55PrintedExample(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call, cheese: call})
	m.want("first", m.Revolution.First, arch)
	m.answer(arch, give(grape, lamp)...)
	m.answer(cheese, give()...)
	m.want("errors of Arch", m.CountErrors(arch, m.Revolution.Gifts[0]), 1)
	m.want("errors of Cheese", m.CountErrors(cheese, m.Revolution.Gifts[1]), 1)
	m.wantWinners(grape)
}

// TestRule6PrintedExample is the other half of vector 6: nobody calls, the next in the chair
// has no legal unit, and Lamp alone has both objectives.
func TestRule6PrintedExample(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	for s := range m.Verdicts {
		m.Verdicts[s] = Unresolved
	}
	m.holdAll(nil)
	m.wantWinners(lamp)
	r, _ := m.Result()
	m.want("reason", r.Reason, EndingMinisters)
	m.want("all cards are shown", m.ShownSeats, rules.Seats(1<<5-1))
}

// TestRule55Exempt is vector 7: a leader whose faction has all ministers may decline, and
// wins if the other fails; the other one must give.
func TestRule55Exempt(t *testing.T) {
	t.Parallel()
	m := printed(t, Monarchist, Monarchist, Monarchist)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.want("first", m.Revolution.First, arch)
	m.answer(arch, give(grape)...)
	options := m.Options(nil, m.DecisionIDs[cheese])
	m.want("silence means", options[0], NewAtom(VerbDecline, 0))
	m.answer(cheese, NewAtom(VerbDecline, 0))
	m.wantWinners(cheese, croissant)

	m = printed(t, Monarchist, Monarchist, Monarchist)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.answer(arch, give(lamp)...)
	m.answer(cheese, NewAtom(VerbDecline, 0))
	m.wantWinners(arch, lamp)

	m = printed(t, Republican, Republican, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.answer(arch, give(grape)...)
	if slices.Contains(m.Options(nil, m.DecisionIDs[cheese]), NewAtom(VerbDecline, 0)) {
		t.Error("Louis may decline with the Republicans in all offices")
	}
	m.answer(cheese, give(croissant)...)
	m.wantWinners(cheese, croissant)
}

// TestPositionIsReadBack writes and reads positions of random matches, calls of revolutions
// included, after every answer.
func TestPositionIsReadBack(t *testing.T) {
	t.Parallel()
	for players := MinSeats; players <= MaxSeats; players += 4 {
		table, err := Rules{}.NewSimulation(rules.Setup{Seats: players, Revision: newestRevision})
		if err != nil {
			t.Fatal(err)
		}
		m := table.(*simulation)
		d := newDice(uint64(players))
		for range long.N(1, 10) {
			if err := m.Begin(d); err != nil {
				t.Fatal(err)
			}
			for {
				readBack(t, &m.pos)
				decision, options, isOpen := m.Ask()
				if !isOpen {
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
	want.drawBuffer = pile{}
	if want != got {
		t.Fatalf("%s\nread back as\n%+v\nwas\n%+v", data, got, want)
	}
	for seat := rules.NoSeat; seat < 1; seat++ {
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
	other.hasGiftList, other.giftLists[1] = rules.Only(2), 4
	for seat := rules.NoSeat; seat <= arch; seat++ {
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

// TestDocumented: docs/record.md names every member of a position's JSON, and every phase.
func TestDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "record.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "\n## A position of 1789\n")
	if !ok {
		t.Fatal("docs/record.md has no part on positions of 1789")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	names := phaseNames[:]
	for _, v := range []any{positionJSON{}, voteJSON{}, revolutionJSON{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !strings.Contains(section, "`"+name+"`") {
			t.Errorf("docs/record.md does not name %s", name)
		}
	}
}
