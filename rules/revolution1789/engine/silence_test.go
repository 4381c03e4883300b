package engine

import (
	"slices"
	"testing"

	"samizdat/rules"
)

// TestRuling7Tokens: tokens forbid nothing. A citizen has five, and may hold more than five units.
func TestRuling7Tokens(t *testing.T) {
	t.Parallel()
	m := board(t, 4).hold(1, "1-6", "2-3", "4-5", "7-12")
	m.hold(1, "8-9")
	m.want("a sixth seat is legal", m.Legal(1, m.unit("10-11")), true)
}

// TestRuling8PurgeIsOpened: the three answers are told with names, and a purge without a victim
// ends the crisis, though not the turn.
func TestRuling8PurgeIsOpened(t *testing.T) {
	t.Parallel()
	m := church(t)
	m.vote(2, 1)
	before := len(m.events)
	m.point([2]rules.Seat{arch, grape}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, cheese})
	picks := map[rules.Seat]int16{}
	for _, e := range m.events[before:] {
		if e.Kind == EventPicked {
			picks[e.Seat] = e.Args[0]
			m.want("everybody is told", e.Audience, rules.Everyone)
		}
	}
	m.want("picks told", len(picks), 3)
	m.want("verdict", m.Verdicts[2], Unresolved)
}

// TestRuling9OneVoteIsEnough puts a minister where the colour that was voted last has him.
func TestRuling9OneVoteIsEnough(t *testing.T) {
	t.Parallel()
	for _, before := range []Colour{NoColour, Republican, Monarchist} {
		m := church(t)
		m.Ministers[Social] = before
		m.vote(3, 0)
		m.want("Social", m.Ministers[Social], Monarchist)
	}
}

// TestRuling10FixedPoints: nobody is asked for a revolution while a reform is empty, nor between
// a seat and its vote; the last chance comes before the ministers decide.
func TestRuling10FixedPoints(t *testing.T) {
	t.Parallel()
	m := board(t, 5)
	copy(m.Ministers[:], []Colour{Republican, Monarchist, NoColour})
	m.take("3-4")
	m.want("with an empty reform", m.Phase, Seating)

	m = board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton").hold(grape, "2-3").hold(cheese, "2-8")
	copy(m.Ministers[:], []Colour{Republican, Monarchist, Republican})
	m.take("1-2")
	m.want("behind a seat that fills a crisis", m.Phase, Voting)
	m.vote(1, 2)
	m.want("behind the counts", m.Phase, Purging)

	m = printed(t, Republican, Monarchist, Republican)
	for s := range m.Verdicts {
		m.Verdicts[s] = Unresolved
	}
	m.want("before the end", m.Phase, Calling)
	m.holdAll(nil)
	m.want("the ministers decide", m.Phase, Over)
}

// TestRuling11EverybodyIsAsked: the question goes to all, and looks the same but for what the
// seat's own card lets it do.
func TestRuling11EverybodyIsAsked(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	owed := m.Owed(nil)
	m.want("asked", len(owed), 5)
	for _, d := range owed {
		d.ID, d.Seat = owed[0].ID, owed[0].Seat
		m.want("the question", d, owed[0])
	}
}

// TestRuling12SecondShowsHisCard: when the first has given, the second leader's card is open,
// before he gives himself, and nobody else decides anything any more.
func TestRuling12SecondShowsHisCard(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.want("shown while the first gives", m.Shown, rules.Only(arch))
	m.want("the public view hides the second", m.View(lamp).(*View).Objectives[cheese], Objective(0))
	m.answer(arch, give(lamp)...)
	m.want("shown", m.Shown, rules.Only(arch)|rules.Only(cheese))
	owed := m.Owed(nil)
	m.want("asked", len(owed) == 1 && owed[0].Seat == cheese, true)
}

// TestRuling15Silence says for each question what silence means.
func TestRuling15Silence(t *testing.T) {
	t.Parallel()
	p := dealt(t, 5, 1)
	m := &match{Position: p, t: t, dice: newDice(1)}
	m.want("to the Chairman's name", silenceOf(m, 0), NewAtom(VerbAbstain, 0))

	m = board(t, 5)
	m.want("in the chair", m.decision(arch).Silence, rules.SilenceLot)
	m = church(t)
	m.want("at a ballot", m.decision(arch).Silence, rules.SilenceLot)
	m.vote(2, 1)
	m.want("at a purge", m.decision(arch).Silence, rules.SilenceLot)
	m.want("picks by lot", slices.Equal(m.Options(nil, m.Asked[arch]), []rules.Atom{NewAtom(VerbPurge, int(cheese)), NewAtom(VerbPurge, int(grape))}), true)

	m = printed(t, Monarchist, Monarchist, Monarchist)
	m.want("to a revolution", silenceOf(m, arch), NewAtom(VerbHold, 0))
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.want("of the first, without a list", silenceOf(m, arch), NewAtom(VerbGiven, 0))
	m.answer(arch, give()...)
	m.want("of the second, with all ministers", silenceOf(m, cheese), NewAtom(VerbDecline, 0))
}

// silenceOf is what a seat's silence answers.
func silenceOf(m *match, seat rules.Seat) rules.Atom {
	m.t.Helper()
	m.want("silence", m.decision(seat).Silence, rules.SilenceDefault)
	return m.Options(nil, m.Asked[seat])[0]
}

// TestRule54VictimSitsAgain: who was purged may take the very place again while its other
// crisis is open, and somebody else may as well.
func TestRule54VictimSitsAgain(t *testing.T) {
	t.Parallel()
	m := church(t)
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, cheese}, [2]rules.Seat{grape, cheese}, [2]rules.Seat{cheese, grape})
	m.want("for Cheese", m.Legal(cheese, m.unit("2-8")), true)
	m.want("for Lamp", m.Legal(lamp, m.unit("2-8")), true)
	m.Verdicts[8] = Unresolved
	m.want("when both are voted on", m.Legal(lamp, m.unit("2-8")), false)
}

// TestRule56Clockwise gives the chair to the next player of the order, and after the last to
// the first.
func TestRule56Clockwise(t *testing.T) {
	t.Parallel()
	m := board(t, 4)
	for _, unit := range []string{"1-2", "3-4", "5-6", "7-8", "9-10"} {
		at := m.Chairman
		m.take(unit)
		m.want("the chair", m.Chairman, uint8((int(at)+1)%4))
	}
}
