package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

// The questions of a power struggle.

func (q *asking) stakes() {
	st := &q.p.struggle
	q.say("Power struggle in %v: does %s raise the stakes with three cards? Every raise adds 1 to both rolls afterwards.",
		st.Country, q.side.the())
	q.form(q.raise()...)
	q.struggleNotes()
}

// raise is an example: leaders that cannot be used, then the lowest ranks.
func (q *asking) raise() []rules.Atom {
	st := &q.p.struggle
	left := st.Hands[q.side]
	var out []rules.Atom
	for _, useless := range [...]bool{true, false} {
		for k := range StruggleCard(struggleKinds) {
			if useless != (k.Info().Leader && !q.p.usable(q.side, k)) {
				continue
			}
			for left[k] > 0 && len(out) < q.d.Max {
				left[k]--
				out = append(out, atom(VerbRaise, 0, int(k)))
			}
		}
	}
	return out
}

func (q *asking) attack() {
	st := &q.p.struggle
	q.say("Power struggle in %v: %s has the initiative. Which card attacks?", st.Country, q.side.the())
	var plain, leader, scare bool
	for _, a := range q.with(VerbAttack) {
		k := StruggleCard(AtomValue(a))
		var seen *bool
		switch {
		case k.Info().Leader:
			seen = &leader
		case k == ScareTactics:
			seen = &scare
		default:
			seen = &plain
		}
		if !*seen {
			*seen = true
			q.form(a)
		}
	}
	q.playable(VerbAttack)
	q.struggleNotes()
}

func (q *asking) defend() {
	st := &q.p.struggle
	q.say("Power struggle in %v: %s attacks with %v", st.Country, q.side.Enemy().the(), st.Attack)
	if st.Attack.Info().Leader {
		q.out.Question += fmt.Sprintf(" as %v", st.Suit)
	}
	q.out.Question += fmt.Sprintf(". How does %s defend?", q.side.the())
	q.form(q.first(VerbDefend)...)
	q.form(concede)
	if r := st.Attack.Info().Rank; r > 1 {
		q.note("Counterattack", fmt.Sprintf("a die of %d or more takes the initiative", r))
	} else {
		q.note("Counterattack", "a defence takes the initiative without a die")
	}
	q.playable(VerbDefend)
	q.struggleNotes()
}

// playable lists the cards that the options of a verb name.
func (q *asking) playable(v Verb) {
	var h Hand
	for _, a := range q.with(v) {
		k := AtomValue(a)
		h[k] = max(1, q.p.struggle.Hands[q.side][k])
	}
	q.note("Playable", handList(h))
}

// struggleNotes are what both sides know of the struggle.
func (q *asking) struggleNotes() {
	st := &q.p.struggle
	var banned []string
	for s := RallySuit; s < suits; s++ {
		if st.Banned[s] {
			banned = append(banned, s.String())
		}
	}
	if len(banned) > 0 {
		q.note("Banned", joinComma(banned))
	}
	q.note("Cards held", fmt.Sprintf("Democrat %d, Communist %d; stakes raised: %d",
		q.v.struggleCount[Democrat], q.v.struggleCount[Communist], st.Raised))
}

func (q *asking) power() {
	c := q.p.struggle.Country
	pw := q.p.power[c]
	q.say("Does the Communist keep Power in %v? Keeping it scores %d VP for the Communist (%s power struggle there).",
		c, values[c].power*int(pw.Times), ordinal(int(pw.Times)))
	for _, a := range q.with(VerbChoose) {
		q.form(a)
	}
	q.note("Afterwards", fmt.Sprintf("%v is scored. If Power is surrendered, its scoring card leaves the game.", c))
}
