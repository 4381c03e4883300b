package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

// The questions of an action round and of Operations.

// shown are the modes of play in the order in which examples stand: the common
// ones first.
var shown = [...]Mode{PlayOps, PlayEventAfter, PlayEventFirst, PlayEvent, PlayWithHome, PlayNoEvent, PlayBothAfter,
	PlayBothFirst, PlayTiananmen}

func (q *asking) round() {
	q.say("Which card does %s play, and for what?", q.side.the())
	if q.ask == AskExtraRound {
		q.say("Eighth action round: %s may play one more card.", q.side.the())
	}
	if c := q.p.force.announced; c != 0 && q.side == Democrat && q.p.piles[PileDemocrat].has(c) {
		q.out.Question += fmt.Sprintf(" It must be %s, which was announced.", c.full())
	}
	for i, m := range shown {
		if c := q.example(m); c != 0 {
			q.form(q.playForm(c, m, i%2 == 1)...)
		}
	}
	q.duties()
	q.cardNotes()
	if q.example(PlayTiananmen) != 0 {
		q.note("Tiananmen", q.attemptNote())
	}
	if d := newDraft(q.p, 0, q.side, NoCountry); len(q.with(VerbPlay)) > 0 {
		q.placingNote(d.p.reach)
		q.checkNote(d.p.targets(q.side), "other than Ops", func(s Space) int {
			return q.p.sum(q.side, s, 0, 0, false).total() - q.p.opsValue(q.side, 0, false)
		})
	}
}

// duties warns of the scoring cards in the hand, which lose the match when they
// are still there at the end of the turn (rule 10.2).
func (q *asking) duties() {
	set := q.p.piles[hand(q.side)].and(scoringCards)
	left := max(1, roundsATurn-int(q.p.round)+1)
	if !set.empty() {
		q.note("To be played this turn", fmt.Sprintf("%s; action rounds left, this one included: %d", numberList(set), left))
	}
}

// example is the card that shows a mode of play: the one worth most Ops.
func (q *asking) example(m Mode) Card {
	var best Card
	for _, a := range q.with(VerbPlay) {
		if c := Card(AtomValue(a)); Mode(AtomFlag(a)) == m && (best == 0 || c.Info().Ops > best.Info().Ops) {
			best = c
		}
	}
	return best
}

// playForm is an example of a card's play, with an operation where it takes one.
func (q *asking) playForm(c Card, m Mode, check bool) []rules.Atom {
	out := []rules.Atom{play(c, m)}
	switch m {
	case PlayEvent, PlayTiananmen, PlayStrike, PlayEventFirst, PlayBothFirst:
		return out
	}
	d := newDraft(q.p, c, q.side, NoCountry)
	if checks := d.checks(); check && len(checks) > 0 {
		return append(out, checks...)
	}
	if points := d.points(); len(points) > 0 {
		return append(out, points...)
	}
	return append(out, d.checks()...)
}

// cardNotes sorts the hand by what its cards can be played for.
func (q *asking) cardNotes() {
	var events, enemies, silent CardSet
	for _, a := range q.with(VerbPlay) {
		switch Mode(AtomFlag(a)) {
		case PlayEvent:
			events.add(Card(AtomValue(a)))
		case PlayEventFirst, PlayEventAfter:
			enemies.add(Card(AtomValue(a)))
		}
	}
	hand := q.p.piles[hand(q.side)]
	for rest := hand; !rest.empty(); {
		c := rest.next()
		if c.Info().Side == q.side.Enemy() && !q.p.playable(c, q.side.Enemy()) {
			silent.add(c)
		}
	}
	for _, n := range []struct {
		title string
		set   CardSet
	}{
		{"For the event", events},
		{"Enemy events, EVENT FIRST or EVENT AFTER", enemies},
		{"Enemy events that cannot happen, no clause", silent},
	} {
		if !n.set.empty() {
			q.note(n.title, numberList(n.set))
		}
	}
}

// attemptNote is what an attempt adds to the die, and what it needs. An own star
// adds one more.
func (q *asking) attemptNote() string {
	box := q.p.tiananmen[q.side].Box + 1
	text := fmt.Sprintf("box %d needs %d of die and Ops", box, required[q.side][box])
	if n := q.p.attemptMods(q.side, Prudence); n > 0 {
		text += fmt.Sprintf(" %s", signed(n))
	}
	return text + ", +1 with an own card"
}

func numberList(set CardSet) string {
	var out []string
	for _, n := range set.numbers() {
		out = append(out, fmt.Sprint(n))
	}
	return joinComma(out)
}

func (q *asking) strike() {
	q.say("%v: %s discards a card and rolls, or plays a scoring card. Die and Ops together above 5 end the strike.",
		GeneralStrike, q.side.the())
	for _, m := range [...]Mode{PlayStrike, PlayEvent} {
		if c := q.example(m); c != 0 {
			q.form(play(c, m))
		}
	}
	var list []string
	set := q.cardsOf(VerbPlay)
	for c := set.next(); c != 0; c = set.next() {
		if c.Info().Scoring == NoCountry {
			list = append(list, fmt.Sprintf("%d (%d)", c, q.p.opsValue(q.side, c.Info().Ops, false)))
		}
	}
	q.note("Cards and their Ops", joinComma(list))
}

// operations asks for what Operations are spent on.
func (q *asking) operations() {
	f := q.frame()
	d := draft{p: *q.p, f: *f}
	c := f.Card
	v := q.p.opsValue(q.side, f.printed(), false)
	q.say("%s has %d Ops of %s to spend.", q.side.capital(), v, c.full())
	if f.May {
		q.say("%s may use %d Ops of %s.", q.side.capital(), v, c.full())
	}
	if f.Country != NoCountry {
		q.out.Question += fmt.Sprintf(" They are for %v only.", f.Country)
	}
	if n := int(f.N); n > 0 {
		q.out.Question = fmt.Sprintf("%d of %d Ops of %s are spent on placing.", n, v, c.full())
	}
	placing, checks := d.points(), d.checks()
	q.form(placing...)
	q.form(checks...)
	q.form(q.claimed()...)
	q.form(q.first(VerbOpsTiananmen)...)
	if takable := q.cardsOf(VerbTake); !takable.empty() {
		q.out.Question += fmt.Sprintf(" Or %s takes one of the cards shown, for its event.", q.side.the())
		q.form(q.first(VerbTake)...)
		q.note("To take", cardList(takable))
	}
	q.placingNote(q.spacesOf(VerbOpsPlace))
	q.opsCheckNote(f, false)
}

// bonus reports whether the bonus of Austria-Hungary Border Reopened may be
// claimed.
func (q *asking) bonus() bool { return len(q.claimed()) > 0 }

// claimed is a check with the bonus.
func (q *asking) claimed() []rules.Atom {
	for _, a := range q.with(VerbOpsCheck) {
		if AtomFlag(a) == 1 {
			return []rules.Atom{a}
		}
	}
	return nil
}

func (q *asking) secondCheck() {
	f := q.frame()
	q.say("The second support check with %s: which space?", f.Card.full())
	best := rules.Atom(0)
	for _, a := range q.with(VerbOpsCheck) {
		if best == 0 || q.margin(f, a) > q.margin(f, best) {
			best = a
		}
	}
	if best != 0 {
		q.form(best)
	}
	q.opsCheckNote(f, q.bonus())
}

// margin is what a check by Operations comes to without the die.
func (q *asking) margin(f *Frame, a rules.Atom) int {
	s := Space(AtomValue(a))
	return q.p.sum(q.side, s, f.printed(), 0, AtomFlag(a) == 1).total() - 2*s.Info().Stability
}

func (q *asking) opsCheckNote(f *Frame, all bool) {
	q.checkNote(q.spacesOf(VerbOpsCheck), "", func(s Space) int {
		return q.p.sum(q.side, s, f.printed(), 0, all).total()
	})
	if !all && q.bonus() {
		q.note(wordBonus, fmt.Sprintf("1 more for both checks in East Germany (%v)", AustriaHungaryBorder))
	}
}

// check asks for a support check of an event or of box 6.
func (q *asking) check() {
	f := q.frame()
	ops, extra := f.Card.Info().Ops, 0
	if s := q.step(); s != nil {
		extra = s.extra
	}
	if q.p.question.Source == SourceBox6 {
		ops = box6Ops
	}
	q.say("%s: a support check of %s. Which space?", upper(q.source()), q.side.the())
	set := q.spacesOf(VerbCheck)
	// Checks that can only be in East Germany have the bonus of card 58.
	sum := func(s Space) int {
		all := set.minus(inCountry[EastGermany]).empty() || s.Info().Country == EastGermany
		return q.p.sum(q.side, s, ops, extra, all).total()
	}
	if best := likeliest(set, sum); best != 0 {
		q.form(at(VerbCheck, best))
	}
	q.checkNote(set, "", sum)
}

// likeliest is the space of a set where a check promises most.
func likeliest(set SpaceSet, sum func(Space) int) Space {
	var best Space
	for s := set.next(); s != 0; s = set.next() {
		if best == 0 || sum(s)-2*s.Info().Stability > sum(best)-2*best.Info().Stability {
			best = s
		}
	}
	return best
}
