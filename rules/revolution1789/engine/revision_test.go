package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"samizdat/rules"
)

// TestQueueIsWrittenByRevision writes the queue of crises as numbers, and in matches of
// revision 1 as base64 still: their records hold hashes of it. Both are read.
func TestQueueIsWrittenByRevision(t *testing.T) {
	t.Parallel()
	for revision, want := range map[int]string{1: `"Cw=="`, 2: `[11]`} {
		m := board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton")
		m.Revision, m.Queue = revision, [2]Space{11}
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
	m.want("first gifts", m.Revolt.Gifts[0], rules.Only(grape)|rules.Only(lamp))
	m.wantRefused(cheese, arch)
	m.answer(cheese, NewAtom(VerbGiveListed, 0))
	m.want("second gifts", m.Revolt.Gifts[1], rules.Only(croissant))

	m = printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: list(cheese, lamp), cheese: call})
	m.answer(arch, silenceOf(m, arch))
	m.want("silent first gifts", m.Revolt.Gifts[0], rules.Only(lamp))
}

// wantRefused wants the newest private event to tell a leader that another takes no token.
func (m *match) wantRefused(leader, other rules.Seat) {
	m.t.Helper()
	i := slices.IndexFunc(m.events, func(e rules.Event) bool { return e.Kind == EventListRefused && e.Seat == leader })
	if i < 0 {
		m.t.Fatalf("%s is not told that the call names %s", Citizen(int(leader)), Citizen(int(other)))
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
	m.want("first gifts", m.Revolt.Gifts[0], rules.Only(lamp))
	for _, e := range m.events {
		m.want("told of the list", e.Kind == EventListRefused, false)
	}
}
