package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"samizdat/rules"
)

// TestRule55FirstOfTwoCallers puts the faction with more ministers first.
func TestRule55FirstOfTwoCallers(t *testing.T) {
	t.Parallel()
	m := printed(t, Monarchist, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call, cheese: call})
	m.want("first", m.Revolution.First, cheese)
	m.want("second", m.Revolution.Second, arch)
	m.want("shown", m.ShownSeats, rules.Only(arch)|rules.Only(cheese))
}

// TestRule55OnlyLeadersCall gives everybody the question, but only leaders the choice.
func TestRule55OnlyLeadersCall(t *testing.T) {
	t.Parallel()
	m := printed(t, Monarchist, Monarchist, Republican)
	for s := range rules.Seat(5) {
		options := m.Options(nil, m.DecisionIDs[s])
		m.want("may call: "+CitizenKey(int(s)), slices.Contains(options, NewAtom(VerbRevolution, 0)), s == arch || s == cheese)
		m.want("silence means", options[0], NewAtom(VerbHold, 0))
	}
	if _, err := m.Apply(m.DecisionIDs[lamp], NewAtom(VerbRevolution, 0), m.dice, nil); !errors.Is(err, errNoOption) {
		t.Errorf("Lamp's call: %v", err)
	}
}

// TestRule55Winners tries the four outcomes of two revolutions (ruling 16): who wins when both
// fail does not depend on the ministers.
func TestRule55Winners(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		first, second []rules.Seat
		want          []rules.Seat
	}{
		{"both succeed", []rules.Seat{lamp}, []rules.Seat{croissant}, []rules.Seat{arch, lamp}},
		{"the first succeeds", []rules.Seat{lamp}, nil, []rules.Seat{arch, lamp}},
		{"the second succeeds", nil, []rules.Seat{croissant}, []rules.Seat{cheese, croissant}},
		{"both fail", nil, []rules.Seat{croissant, grape}, []rules.Seat{grape}},
	} {
		for _, ministers := range [][]Colour{{Republican, Monarchist, Republican}, {Republican, Republican, Republican}} {
			m := printed(t, ministers...)
			m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
			m.answer(arch, give(c.first...)...)
			m.answer(cheese, give(c.second...)...)
			t.Log(c.name)
			m.wantWinners(c.want...)
		}
	}
}

// TestRuling16NobodyWins lets the Bonapartes win where there is none: nobody wins.
func TestRuling16NobodyWins(t *testing.T) {
	t.Parallel()
	m := board(t, 4).deal("robespierre", "louis", "antoinette", "danton")
	copy(m.Ministers[:], []Colour{Republican, Monarchist, Republican})
	m.take("3-4")
	m.holdAll(map[rules.Seat][]rules.Atom{0: call})
	m.answer(0, give()...)
	m.answer(1, give()...)
	m.wantWinners()
}

// TestRule55Allowance allows no error up to 6 players, one up to 9, two up to 12.
func TestRule55Allowance(t *testing.T) {
	t.Parallel()
	for players, want := range map[int]int{4: 0, 6: 0, 7: 1, 9: 1, 10: 2, 12: 2} {
		if got := Allowance(players); got != want {
			t.Errorf("%d players: %d errors allowed, not %d", players, got, want)
		}
	}
}

// TestRuling13ShownLeader keeps the second from giving a token to the leader who has shown his
// card, while the first may give one by error to a leader who has not.
func TestRuling13ShownLeader(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	if !slices.Contains(m.Options(nil, m.DecisionIDs[arch]), NewAtom(VerbGive, int(cheese))) {
		t.Error("Arch cannot give to the hidden Louis")
	}
	m.answer(arch, give(cheese)...)
	m.want("errors", m.CountErrors(arch, m.Revolution.Gifts[0]), 2)
	if slices.Contains(m.Options(nil, m.DecisionIDs[cheese]), NewAtom(VerbGive, int(arch))) {
		t.Error("Cheese can give to the shown Robespierre")
	}
}

// TestRuling14AnnouncedGifts binds the first to what his call announced, and gives it to the
// second as what silence means.
func TestRuling14AnnouncedGifts(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: list(lamp), cheese: list(croissant)})
	m.want("first gifts", m.Revolution.Gifts[0], rules.Only(lamp))
	m.want("asked", m.Phase, GivingSecond)
	m.want("silence means", m.Options(nil, m.DecisionIDs[cheese])[0], NewAtom(VerbGiveListed, 0))
	m.answer(cheese, NewAtom(VerbGiveListed, 0))
	m.want("second gifts", m.Revolution.Gifts[1], rules.Only(croissant))

	m = printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: list(), cheese: list(croissant)})
	m.want("an announced nothing binds as well", m.Phase, GivingSecond)
	m.answer(cheese, give()...)
	m.wantWinners(grape)
}

// TestRule55BetweenVotes asks for a revolution between two votes of one turn, and not before
// the first.
func TestRule55BetweenVotes(t *testing.T) {
	t.Parallel()
	m := board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton").
		hold(grape, "2-3", "1-7").hold(cheese, "2-8").hold(lamp, "1-6")
	copy(m.Ministers[:], []Colour{Republican, Monarchist, Republican})
	m.take("1-2")
	m.answer(arch, m.decision(arch).Stop)
	m.want("phase", m.Phase, Voting)
	m.vote(3, 0)
	m.want("phase", m.Phase, Calling)
	m.holdAll(nil)
	m.want("voted on", m.VoteSpace, Space(2))
	m.vote(0, 3)
	m.want("phase", m.Phase, Calling)
	m.holdAll(nil)
	m.want("phase", m.Phase, Seating)
}

// TestRule53MinisterGoesOver counts each change of a reform's minister, and none where the
// colour stays.
func TestRule53MinisterGoesOver(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before Colour
		moves  uint16
	}{{NoColour, 1}, {Republican, 1}, {Monarchist, 0}} {
		m := church(t)
		m.Ministers[Social] = c.before
		m.vote(3, 0)
		m.want("Social", m.Ministers[Social], Monarchist)
		m.want("moves", m.MinisterChanges, c.moves)
	}
}

// TestRuling5VotedCrisesCount forbids a unit at a crisis that one sits at, voted on or not.
func TestRuling5VotedCrisesCount(t *testing.T) {
	t.Parallel()
	m := board(t, 5).hold(arch, "1-2")
	m.Verdicts[2] = VotedMonarchist
	m.want("2-3", m.IsLegalUnit(arch, m.unit("2-3")), false)
	m.want("2-3 for grape", m.IsLegalUnit(grape, m.unit("2-3")), true)
}

// TestRule6OnlyTheChairman ends the match when the Chairman has no legal unit, even if others
// have one.
func TestRule6OnlyTheChairman(t *testing.T) {
	t.Parallel()
	m := board(t, 5)
	for s := range m.Verdicts {
		m.Verdicts[s] = Unresolved
	}
	m.Verdicts[9], m.Verdicts[1] = CrisisOpen, CrisisOpen
	m.hold(cheese, "3-9", "1-7")
	m.Verdicts[4], m.Verdicts[10] = Unresolved, Unresolved
	m.want("cheese has none", m.HasLegalUnit(cheese), false)
	m.want("lamp has one", m.HasLegalUnit(lamp), true)
	m.take("1-2")
	_, isOver := m.Result()
	m.want("over", isOver, true)
}

// TestRuling4Chairman: who is named most often is in the chair, a lot decides among equals,
// and among all where nobody is named.
func TestRuling4Chairman(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []int
		among []rules.Seat
	}{
		{[]int{2, 2, 3, 1}, []rules.Seat{2}},
		{[]int{2, 2, 3, 3}, []rules.Seat{2, 3}},
		{[]int{-1, -1, -1, -1}, []rules.Seat{0, 1, 2, 3}},
		{[]int{-1, 3, -1, -1}, []rules.Seat{3}},
	} {
		seen := map[rules.Seat]bool{}
		for seed := range uint64(40) {
			p, err := Rules{}.Begin(rules.Setup{Seats: 4, Revision: newestRevision})
			if err != nil {
				t.Fatal(err)
			}
			m := &match{Position: p.(*Position), t: t, dice: newDice(seed)}
			if _, err := m.Resume(m.dice, nil); err != nil {
				t.Fatal(err)
			}
			for s, n := range c.names {
				a := NewAtom(VerbAbstain, 0)
				if n >= 0 {
					a = NewAtom(VerbName, n)
				}
				m.answer(rules.Seat(s), a)
			}
			seen[m.ChairmanSeat()] = true
		}
		for s := range rules.Seat(4) {
			if seen[s] != slices.Contains(c.among, s) {
				t.Errorf("named %v: seat %d in the chair: %v", c.names, s, seen[s])
			}
		}
	}
}

// TestQueueIsWrittenByRevision writes the queue of crises as numbers, and in matches of
// revision 1 as base64 still: their records hold hashes of it. Both are read.
func TestQueueIsWrittenByRevision(t *testing.T) {
	t.Parallel()
	for revision, want := range map[int]string{1: `"Cw=="`, 2: `[11]`} {
		m := board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton")
		m.Revision, m.VoteQueue = revision, [2]Space{11}
		data, err := m.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		m.want("queue", string(got["queue"]), want)
		readBack(t, m.Position)
	}
}

// list is a call that announces gifts.
func list(to ...rules.Seat) []rules.Atom {
	return append([]rules.Atom{NewAtom(VerbRevolution, 0)}, give(to...)...)
}

// TestRuling14ListNamesCaller asks a first leader again whose call names the other leader, who
// calls as well and has shown his card, and tells him alone why. GIVE AS CALLED is the rest of
// the list, and what silence means.
func TestRuling14ListNamesCaller(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: list(cheese, lamp), cheese: list(arch, croissant)})
	m.want("phase", m.Phase, GivingFirst)
	m.wantRefused(arch, cheese)
	m.want("silence means", silenceOf(m, arch), NewAtom(VerbGiveListed, 0))
	m.answer(arch, give(grape, lamp)...)
	m.want("first gifts", m.Revolution.Gifts[0], rules.Only(grape)|rules.Only(lamp))
	m.wantRefused(cheese, arch)
	m.answer(cheese, NewAtom(VerbGiveListed, 0))
	m.want("second gifts", m.Revolution.Gifts[1], rules.Only(croissant))

	m = printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: list(cheese, lamp), cheese: call})
	m.answer(arch, silenceOf(m, arch))
	m.want("silent first gifts", m.Revolution.Gifts[0], rules.Only(lamp))
}

// wantRefused wants the newest private event to tell a leader that another takes no token.
func (m *match) wantRefused(leader, other rules.Seat) {
	m.t.Helper()
	i := slices.IndexFunc(m.events, func(e rules.Event) bool { return e.Kind == EventListRefused && e.Seat == leader })
	if i < 0 {
		m.t.Fatalf("%s is not told that the call names %s", CitizenKey(int(leader)), CitizenKey(int(other)))
	}
	m.want("told", m.events[i].Audience, rules.Only(leader))
	m.want("takes no token", rules.Seats(m.events[i].Args[0]), rules.Only(other))
}

// TestRevision1DropsShownLeader keeps old matches as they were: the list binds without the
// leader who has shown his card.
func TestRevision1DropsShownLeader(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.Revision = 1
	m.holdAll(map[rules.Seat][]rules.Atom{arch: list(cheese, lamp), cheese: call})
	m.want("phase", m.Phase, GivingSecond)
	m.want("first gifts", m.Revolution.Gifts[0], rules.Only(lamp))
	for _, e := range m.events {
		m.want("told of the list", e.Kind == EventListRefused, false)
	}
}
