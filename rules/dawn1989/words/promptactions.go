package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file writes the questions of an action round and of Operations.

// exampleModes are the modes of play in the order of their examples, common modes first.
var exampleModes = [...]engine.Mode{engine.PlayOps, engine.PlayEventAfter, engine.PlayEventFirst, engine.PlayEvent, engine.PlayWithHome,
	engine.PlayNoEvent, engine.PlayBothAfter,
	engine.PlayBothFirst, engine.PlayTiananmen}

func promptRound(q *questionWriter) {
	q.say("Which card will you play, and how?")
	if q.ask == engine.AskExtraRound {
		q.say("Eighth action round: you may play one more card.")
	}
	if c := q.p.Effects.Announced; c != 0 && q.side == engine.Democrat && q.p.Piles[engine.PileDemocrat].Has(c) {
		q.out.Question += fmt.Sprintf(" It must be %s, which you announced.", fullTitle(c))
	}
	for i, m := range exampleModes {
		if c := q.example(m); c != 0 {
			q.addForm(q.playForm(c, m, i%2 == 1)...)
		}
	}
	q.warnOfScoringCards()
	q.cardNotes()
	if q.example(engine.PlayTiananmen) != 0 {
		q.noteAttempt()
	}
	if d := engine.NewOpsTrial(q.p, 0, q.side); len(q.optionsOf(engine.VerbPlay)) > 0 {
		q.placingNote(d.PlaceableSpaces())
		few, many := q.opsInHand()
		more := ""
		if few < many {
			more = "; 1 more is needed for each Op fewer"
		}
		q.checkNote(fmt.Sprintf("A check with %d Ops succeeds on", many), more, q.p.CheckTargets(q.side), func(s engine.Space) int {
			return q.p.CheckBonus(q.side, s, 0, 0, false).Total() - q.p.OpsValue(q.side, 0, false) + many
		})
	}
}

// opsInHand returns the least and the most Ops of the cards that may be played for Operations.
func (q *questionWriter) opsInHand() (few, many int) {
	for _, a := range q.optionsOf(engine.VerbPlay) {
		switch engine.Mode(engine.AtomFlag(a)) {
		case engine.PlayEvent, engine.PlayTiananmen, engine.PlayStrike:
			continue
		}
		n := q.p.OpsValue(q.side, engine.Card(engine.AtomValue(a)).Info().Ops, false)
		if few, many = min(few, n), max(many, n); few == 0 {
			few = n
		}
	}
	return few, many
}

// warnOfScoringCards warns of scoring cards in the hand, which lose the match at the end of the turn (rule
// 10.2).
func (q *questionWriter) warnOfScoringCards() {
	set := q.p.Piles[engine.HandPile(q.side)].And(engine.ScoringCards)
	remaining := max(1, engine.RoundsATurn-int(q.p.Round)+1)
	if !set.IsEmpty() {
		q.note("You must play this turn", fmt.Sprintf("%s (%s left, counting this "+
			"one)", cardList(set), pluralize(remaining, "action round")))
	}
}

// example returns the card in the example of a mode of play: the card with the most Ops and no Warning.
func (q *questionWriter) example(m engine.Mode) engine.Card {
	var best engine.Card
	for _, a := range q.optionsOf(engine.VerbPlay) {
		if c := engine.Card(engine.AtomValue(a)); engine.Mode(engine.AtomFlag(a)) == m && (best == 0 ||
			c.Info().Ops > best.Info().Ops) && !q.hasWarning(a) {
			best = c
		}
	}
	return best
}

// playForm returns an example play of a card, with Operations if the mode has them.
func (q *questionWriter) playForm(c engine.Card, m engine.Mode, check bool) []rules.Atom {
	out := []rules.Atom{engine.PlayAtom(c, m)}
	switch m {
	case engine.PlayEvent, engine.PlayTiananmen, engine.PlayStrike, engine.PlayEventFirst, engine.PlayBothFirst:
		return out
	}
	d := engine.NewOpsTrial(q.p, c, q.side)
	if checks := d.ExampleChecks(); check && len(checks) > 0 {
		return append(out, checks...)
	}
	if points := d.ExamplePlacement(); len(points) > 0 {
		return append(out, points...)
	}
	return append(out, d.ExampleChecks()...)
}

// cardNotes groups the hand by the possible modes of play.
func (q *questionWriter) cardNotes() {
	var events, enemies, silent engine.CardSet
	for _, a := range q.optionsOf(engine.VerbPlay) {
		switch engine.Mode(engine.AtomFlag(a)) {
		case engine.PlayEvent:
			events.Add(engine.Card(engine.AtomValue(a)))
		case engine.PlayEventFirst, engine.PlayEventAfter:
			enemies.Add(engine.Card(engine.AtomValue(a)))
		}
	}
	hand := q.p.Piles[engine.HandPile(q.side)]
	for _, c := range hand.List() {
		if c.Info().Side == q.side.Enemy() && !q.p.IsEventPlayable(c, q.side.Enemy()) {
			silent.Add(c)
		}
	}
	for _, n := range []struct {
		title string
		set   engine.CardSet
	}{
		{"Cards you can play for the event", events},
		{"Enemy cards (for Ops, with EVENT FIRST or EVENT AFTER)", enemies},
		{"Enemy cards whose event cannot happen (for Ops)", silent},
	} {
		if !n.set.IsEmpty() {
			q.note(n.title, numberList(n.set))
		}
	}
}

// noteAttempt notes the total that a Tiananmen attempt needs, and the modifiers of the die.
func (q *questionWriter) noteAttempt() {
	box := q.p.Tiananmen[q.side].Box + 1
	text := fmt.Sprintf("die plus Ops must reach %d; your own cards add 1", engine.BoxThresholds[q.side][box])
	if n := q.p.AttemptMods(q.side, engine.Prudence); n > 0 {
		text += fmt.Sprintf(", and you have %s", signed(n))
	}
	q.note(fmt.Sprintf("Tiananmen, box %d", box), text)
}

func numberList(set engine.CardSet) string {
	return joinComma(each(set.List(), func(c engine.Card) string { return strconv.Itoa(int(c)) }))
}

func promptStrike(q *questionWriter) {
	q.say("%v: discard a card and roll, or play a scoring card. The strike ends if die plus Ops reach 6.", engine.GeneralStrike)
	for _, m := range [...]engine.Mode{engine.PlayStrike, engine.PlayEvent} {
		if c := q.example(m); c != 0 {
			q.addForm(engine.PlayAtom(c, m))
		}
	}
	var list []string
	for _, c := range q.cardsOf(engine.VerbPlay).List() {
		if c.Info().Scoring == engine.NoCountry {
			list = append(list, fmt.Sprintf("%d (%d)", c, q.p.OpsValue(q.side, c.Info().Ops, false)))
		}
	}
	q.note("Cards and their Ops", joinComma(list))
}

func promptOperations(q *questionWriter) {
	f := q.frame()
	d := engine.ResumeOpsTrial(q.p, f)
	c := f.Card
	v := q.p.OpsValue(q.side, f.PrintedOps(), false)
	q.say("You have %d Ops of %s to spend.", v, fullTitle(c))
	if f.May {
		q.say("You may use %d Ops of %s.", v, fullTitle(c))
	}
	if f.Country != engine.NoCountry {
		q.out.Question += fmt.Sprintf(" You can use them only in %v.", f.Country)
	}
	if n := int(f.N); n > 0 {
		q.out.Question = fmt.Sprintf("You have spent %d of %d Ops of %s on placing.", n, v, fullTitle(c))
	}
	placing, checks := d.ExamplePlacement(), d.ExampleChecks()
	q.addForm(placing...)
	q.addForm(checks...)
	q.addForm(q.claimedChecks()...)
	q.addForm(q.firstOption(engine.VerbOpsTiananmen)...)
	if takeable := q.cardsOf(engine.VerbTake); !takeable.IsEmpty() {
		q.out.Question += " Or take one of the cards shown, for its event."
		q.addForm(q.firstOption(engine.VerbTake)...)
		q.note("You can take", cardList(takeable))
	}
	q.placingNote(q.spacesOf(engine.VerbOpsPlace))
	q.opsCheckNote(f, false)
}

// hasBonus reports whether the bonus of Austria-Hungary Border Reopened may be claimed.
func (q *questionWriter) hasBonus() bool { return len(q.claimedChecks()) > 0 }

// claimedChecks returns the checks with the bonus of card 58.
func (q *questionWriter) claimedChecks() []rules.Atom {
	for _, a := range q.optionsOf(engine.VerbOpsCheck) {
		if engine.AtomFlag(a) == 1 {
			return []rules.Atom{a}
		}
	}
	return nil
}

func promptSecondCheck(q *questionWriter) {
	f := q.frame()
	q.say("In which space do you make the second support check with %s?", fullTitle(f.Card))
	best := rules.Atom(0)
	for _, a := range q.optionsOf(engine.VerbOpsCheck) {
		if best == 0 || marginOf(q, f, a) > marginOf(q, f, best) {
			best = a
		}
	}
	if best != 0 {
		q.addForm(best)
	}
	q.opsCheckNote(f, q.hasBonus())
}

// marginOf returns the total of a check by Operations without the die.
func marginOf(q *questionWriter, f *engine.Frame, a rules.Atom) int {
	s := engine.Space(engine.AtomValue(a))
	return q.p.CheckBonus(q.side, s, f.PrintedOps(), 0, engine.AtomFlag(a) == 1).Total() - 2*s.Info().Stability
}

func (q *questionWriter) opsCheckNote(f *engine.Frame, inEastGermany bool) {
	q.checkNote(checkSucceeds, "", q.spacesOf(engine.VerbOpsCheck), func(s engine.Space) int {
		return q.p.CheckBonus(q.side, s, f.PrintedOps(), 0, inEastGermany).Total()
	})
	if !inEastGermany && q.hasBonus() {
		q.note(wordBonus, fmt.Sprintf("1 more for both checks in East Germany (%v)", engine.AustriaHungaryBorder))
	}
}

// promptCheck asks for a support check of an event or of box 6.
func promptCheck(q *questionWriter) {
	f := q.frame()
	ops, extra := f.Card.Info().Ops, 0
	if s := q.step(); s != nil {
		extra = s.Extra
	}
	if q.p.Question.Source == engine.SourceBox6 {
		ops = engine.Box6Ops
	}
	q.say("%s: in which space do you make a support check?", capitalize(q.source()))
	set := q.spacesOf(engine.VerbCheck)
	// Checks bound to East Germany have the bonus of card 58.
	sum := func(s engine.Space) int {
		inEastGermany := set.Minus(engine.InCountry[engine.EastGermany]).IsEmpty() || s.Info().Country == engine.EastGermany
		return q.p.CheckBonus(q.side, s, ops, extra, inEastGermany).Total()
	}
	if best := engine.BestCheckTarget(set, sum); best != 0 {
		q.addForm(engine.SpaceAtom(engine.VerbCheck, best))
	}
	q.checkNote(checkSucceeds, "", set, sum)
}

// placingNote lists the spaces where points may be placed, and those that cost 2.
func (q *questionWriter) placingNote(set engine.SpaceSet) {
	if set.IsEmpty() {
		return
	}
	q.noteLegal("Place", set)
	var costly engine.SpaceSet
	for rest := set; !rest.IsEmpty(); {
		if s := rest.Next(); q.p.PlacementCost(q.side, s) > 1 {
			costly.Add(s)
		}
	}
	switch {
	case costly.IsEmpty():
	case len(countriesOf(q, costly)) > 3:
		// One line for all countries: a line for each would make the letter too long.
		q.note("2 Ops for each point", spaceList(costly))
	default:
		q.noteLegal("2 Ops for each point", costly)
	}
}

const maxTargets = 12

// checkSucceeds is the title of the note on a check with known Ops.
const checkSucceeds = "The check succeeds on"

// checkNote lists targets of support checks by the die that succeeds, the best first. For example, "2+ in Czech Writers; 4+ in
// Szeged, Budapest". The argument sum returns the total without the die, more is added to the list. Checks that give the enemy VP
// are marked.
func (q *questionWriter) checkNote(title, more string, set engine.SpaceSet, sum func(engine.Space) int) {
	if set.IsEmpty() {
		return
	}
	list := set.List()
	slices.SortStableFunc(list, func(a, b engine.Space) int {
		return (sum(b) - 2*b.Info().Stability) - (sum(a) - 2*a.Info().Stability)
	})
	paid, marked := q.payingSpaces(), false
	needed := func(s engine.Space) int { return max(1, 2*s.Info().Stability-sum(s)+1) }
	possible := slices.DeleteFunc(slices.Clone(list), func(s engine.Space) bool { return needed(s) > 6 })
	var groups []string
	before := 0
	for _, s := range possible[:min(len(possible), maxTargets)] {
		name := s.String()
		if paid.Has(s) {
			name, marked = name+"*", true
		}
		if n := needed(s); n != before {
			groups, before = append(groups, dieInWords(n)+" in "+name), n
		} else {
			groups[len(groups)-1] += ", " + name
		}
	}
	switch rest := len(possible) - maxTargets; {
	case len(possible) == 0:
		groups, more = []string{"no die"}, ""
	case rest > 0:
		groups = append(groups, fmt.Sprintf("less likely in %d more", rest))
	case len(possible) < len(list):
		groups = append(groups, "never in other spaces")
	}
	text := strings.Join(groups, "; ") + more
	if marked {
		text += "; * gives the Democrat 1 VP"
	}
	q.note(title, text)
	if marked && set.Minus(paid).Len() < 2 && q.bothChecks() {
		// The first check may leave no other space (ruling 11).
		q.note("The second check", "you must make it if any space can be checked, even where it gives the Democrat VP")
	}
}

// dieInWords formats the least die that succeeds. For example, "3+" or "6".
func dieInWords(least int) string {
	switch least {
	case 1:
		return "any die"
	case 6:
		return "6"
	}
	return fmt.Sprintf("%d+", least)
}

// payingSpaces returns the spaces where a check gives the enemy VP.
func (q *questionWriter) payingSpaces() engine.SpaceSet {
	var out engine.SpaceSet
	if q.side != engine.Communist {
		return out
	}
	for _, paid := range engine.PaidChecks {
		if q.p.Effects.Cards.Has(paid.Card) {
			out = out.Or(paid.In)
		}
	}
	return out
}

// bothChecks reports whether the question is for Operations with two checks.
func (q *questionWriter) bothChecks() bool {
	switch q.ask {
	case engine.AskRound, engine.AskExtraRound, engine.AskOps:
		return true
	case engine.AskGrant:
		return !q.frame().MayStopChecks()
	}
	return false
}

// The questions of a power struggle.

func promptStakes(q *questionWriter) {
	st := &q.p.Struggle
	q.say("Power struggle in %v: do you raise the stakes by discarding three cards? Each raise adds 1 to both dice after the "+
		"struggle.", st.Country)
	q.addForm(exampleRaise(q)...)
	q.struggleNotes()
}

// exampleRaise returns an example for RAISE: unusable leaders first, then the lowest ranks.
func exampleRaise(q *questionWriter) []rules.Atom {
	st := &q.p.Struggle
	remaining := st.Hands[q.side]
	var out []rules.Atom
	for _, useless := range [...]bool{true, false} {
		for k := range engine.StruggleCard(engine.StruggleKinds) {
			if useless != (k.Info().Leader && !q.p.CanUseLeader(q.side, k)) {
				continue
			}
			for remaining[k] > 0 && len(out) < q.d.Max {
				remaining[k]--
				out = append(out, engine.NewAtom(engine.VerbRaise, 0, int(k)))
			}
		}
	}
	return out
}

func promptAttack(q *questionWriter) {
	st := &q.p.Struggle
	q.say("Power struggle in %v: you have the initiative. Which card do you attack with?", st.Country)
	q.offerCards(engine.VerbAttack)
	q.notePlayable(engine.VerbAttack)
	q.struggleNotes()
}

func promptDefend(q *questionWriter) {
	st := &q.p.Struggle
	q.say("Power struggle in %v: %s attacks with %v", st.Country, sideName(q.side.Enemy()), st.Attack)
	if st.Attack.Info().Leader {
		q.out.Question += fmt.Sprintf(" as %v", st.Suit)
	}
	q.out.Question += ". How do you defend?"
	q.offerCards(engine.VerbDefend)
	q.addForm(engine.AtomConcede)
	if r := st.Attack.Info().Rank; r > 1 {
		q.note("Counterattack", fmt.Sprintf("after a successful defence, roll %d or more to take the initiative", r))
	} else {
		q.note("Counterattack", "after a successful defence, you take the initiative without a die roll")
	}
	q.notePlayable(engine.VerbDefend)
	q.struggleNotes()
}

// offerCards adds an answer for each playable card, with one suit for a leader.
func (q *questionWriter) offerCards(v engine.Verb) {
	last := -1
	for _, a := range q.optionsOf(v) {
		if k := engine.AtomValue(a); k != last {
			last = k
			q.addForm(a)
		}
	}
}

func (q *questionWriter) notePlayable(v engine.Verb) {
	var h engine.StruggleCards
	for _, a := range q.optionsOf(v) {
		k := engine.AtomValue(a)
		h[k] = max(1, q.p.Struggle.Hands[q.side][k])
	}
	q.note("You can play", handList(h))
}

func (q *questionWriter) struggleNotes() {
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
}

func promptPower(q *questionWriter) {
	c := q.p.Struggle.Country
	pw := q.p.Power[c]
	q.say("Do you keep Power in %v? Keeping it gives %d VP (%s power struggle there).",
		c, -engine.CountryValues[c].Power*int(pw.Times), ordinal(int(pw.Times)))
	for _, a := range q.optionsOf(engine.VerbChoose) {
		q.addForm(a)
	}
	q.note("Afterwards", fmt.Sprintf("%v is scored. If you surrender Power, its scoring card leaves the game.", c))
}
