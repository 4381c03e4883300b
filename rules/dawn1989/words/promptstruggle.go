package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The questions of a power struggle.

func (q *asking) stakes() {
	st := &q.p.Struggle
	q.say("Power struggle in %v: does %s raise the stakes with three cards? Every raise adds 1 to both rolls afterwards.",
		st.Country, the(q.side))
	q.form(q.raise()...)
	q.struggleNotes()
}

// raise is an example: leaders that cannot be used, then the lowest ranks.
func (q *asking) raise() []rules.Atom {
	st := &q.p.Struggle
	left := st.Hands[q.side]
	var out []rules.Atom
	for _, useless := range [...]bool{true, false} {
		for k := range engine.StruggleCard(engine.StruggleKinds) {
			if useless != (k.Info().Leader && !q.p.Usable(q.side, k)) {
				continue
			}
			for left[k] > 0 && len(out) < q.d.Max {
				left[k]--
				out = append(out, engine.NewAtom(engine.VerbRaise, 0, int(k)))
			}
		}
	}
	return out
}

func (q *asking) attack() {
	st := &q.p.Struggle
	q.say("Power struggle in %v: %s has the initiative. Which card attacks?", st.Country, the(q.side))
	q.cards(engine.VerbAttack)
	q.playable(engine.VerbAttack)
	q.struggleNotes()
}

func (q *asking) defend() {
	st := &q.p.Struggle
	q.say("Power struggle in %v: %s attacks with %v", st.Country, the(q.side.Enemy()), st.Attack)
	if st.Attack.Info().Leader {
		q.out.Question += fmt.Sprintf(" as %v", st.Suit)
	}
	q.out.Question += fmt.Sprintf(". How does %s defend?", the(q.side))
	q.cards(engine.VerbDefend)
	q.form(engine.AtomConcede)
	if r := st.Attack.Info().Rank; r > 1 {
		q.note("Counterattack", fmt.Sprintf("a die of %d or more takes the initiative", r))
	} else {
		q.note("Counterattack", "a defence takes the initiative without a die")
	}
	q.playable(engine.VerbDefend)
	q.struggleNotes()
}

// cards gives an answer for each card that can be played, a leader in one suit only.
func (q *asking) cards(v engine.Verb) {
	last := -1
	for _, a := range q.with(v) {
		if k := engine.AtomValue(a); k != last {
			last = k
			q.form(a)
		}
	}
}

// playable lists the cards that the options of a verb name.
func (q *asking) playable(v engine.Verb) {
	var h engine.Hand
	for _, a := range q.with(v) {
		k := engine.AtomValue(a)
		h[k] = max(1, q.p.Struggle.Hands[q.side][k])
	}
	q.note("Playable", handList(h))
}

// struggleNotes are what both sides know of the struggle.
func (q *asking) struggleNotes() {
	st := &q.p.Struggle
	var banned []string
	for s := engine.RallySuit; s < engine.Suits; s++ {
		if st.Banned[s] {
			banned = append(banned, s.String())
		}
	}
	if len(banned) > 0 {
		q.note("Banned", joinComma(banned))
	}
	q.note("Cards held", fmt.Sprintf("Democrat %d, Communist %d; stakes raised: %d",
		q.v.StruggleCount[engine.Democrat], q.v.StruggleCount[engine.Communist], st.Raised))
}

func (q *asking) power() {
	c := q.p.Struggle.Country
	pw := q.p.Power[c]
	q.say("Does the Communist keep Power in %v? Keeping it gives %d VP (%s power struggle there).",
		c, -engine.CountryValues[c].Power*int(pw.Times), ordinal(int(pw.Times)))
	for _, a := range q.with(engine.VerbChoose) {
		q.form(a)
	}
	q.note("Afterwards", fmt.Sprintf("%v is scored. If Power is surrendered, its scoring card leaves the game.", c))
}
