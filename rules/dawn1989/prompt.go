package dawn1989

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// asking is one question with all that its words are made of.
type asking struct {
	v       *View
	p       *Position
	d       rules.Decision
	ask     Ask
	side    Side
	options []rules.Atom
	out     rules.Prompt
}

func newAsking(rv rules.View, d rules.Decision, options []rules.Atom) *asking {
	v := rv.(*View)
	return &asking{v: v, p: &v.p, d: d, ask: askNamed(d.Kind), side: v.p.sideOf(d.Seat), options: options}
}

func askNamed(kind string) Ask {
	if i := slices.Index(askNames[:], kind); i > 0 {
		return Ask(i)
	}
	return AskNothing
}

// Prompt implements rules.Scribe.
func (Game) Prompt(rv rules.View, d rules.Decision, options []rules.Atom) rules.Prompt {
	q := newAsking(rv, d, options)
	if write := prompters[q.ask]; write != nil {
		write(q)
	}
	q.out.Notes = append(sourceText(d), q.out.Notes...)
	if slices.Contains(options, pass) {
		q.form(pass)
	}
	q.number()
	return q.out
}

// mostNumbered is how many answers a letter numbers at most.
const mostNumbered = 9

// numbered reports whether the answers are few and name no cards. What gives up
// Power is always written out.
func (q *asking) numbered() bool {
	switch q.ask {
	case AskSpace, AskCountry, AskSide, AskDeclare:
		return len(q.options) > 1 && len(q.options) <= mostNumbered
	}
	return false
}

// number lists all answers where a letter numbers them.
func (q *asking) number() {
	if !q.numbered() {
		return
	}
	q.out.Forms, q.out.Numbered = nil, true
	for _, a := range q.options {
		if a != pass {
			q.form(a)
		}
	}
	if slices.Contains(q.options, pass) {
		q.form(pass)
	}
}

var prompters [asks]func(*asking)

func init() {
	prompters = [asks]func(*asking){
		AskSetup: (*asking).setup, AskRound: (*asking).round, AskExtraRound: (*asking).round, AskStrike: (*asking).strike,
		AskOps: (*asking).operations, AskSecondCheck: (*asking).secondCheck, AskPlace: (*asking).place,
		AskRemove: (*asking).remove, AskCheck: (*asking).check, AskSpace: (*asking).space, AskTake: (*asking).take,
		AskDiscard: (*asking).discard, AskStakes: (*asking).stakes, AskAttack: (*asking).attack,
		AskDefend: (*asking).defend, AskPower: (*asking).power, AskCountry: (*asking).country,
		AskAnnounce: (*asking).announce, AskGrant: (*asking).operations, AskWay: (*asking).way, AskCard: (*asking).card,
		AskDeclare: (*asking).declare, AskBid: (*asking).bid, AskSide: (*asking).sideChoice,
	}
}

func (q *asking) say(format string, a ...any) { q.out.Question = fmt.Sprintf(format, a...) }

// form adds an order as an example. A line that would be too long has its spaces
// abbreviated as on the map.
func (q *asking) form(atoms ...rules.Atom) {
	if len(atoms) == 0 {
		return
	}
	line := Game{}.Line(atoms)
	if len(line) > columns {
		for _, a := range atoms {
			switch AtomVerb(a) {
			case VerbOpsPlace, VerbOpsCheck, VerbPlace, VerbRemove:
				s := Space(AtomValue(a))
				line = strings.ReplaceAll(line, s.String(), short[s])
			}
		}
	}
	q.out.Forms = append(q.out.Forms, line)
}

func (q *asking) note(title, text string) {
	q.out.Notes = append(q.out.Notes, item(title, text)...)
}

// frame is the procedure that asks.
func (q *asking) frame() *Frame { return &q.p.stack[max(1, q.p.depth)-1] }

// source is who asks, for the beginning of a question.
func (q *asking) source() string { return q.p.question.Source.title() }

// with lists the options of a verb.
func (q *asking) with(v Verb) []rules.Atom {
	var out []rules.Atom
	for _, a := range q.options {
		if AtomVerb(a) == v {
			out = append(out, a)
		}
	}
	return out
}

// spacesOf is the set of spaces that the options of a verb name.
func (q *asking) spacesOf(v Verb) SpaceSet {
	var set SpaceSet
	for _, a := range q.with(v) {
		set.add(Space(AtomValue(a)))
	}
	return set
}

// cardsOf is the set of cards that the options of a verb name.
func (q *asking) cardsOf(v Verb) CardSet {
	var set CardSet
	for _, a := range q.with(v) {
		set.add(Card(AtomValue(a)))
	}
	return set
}

// most is a set of spaces in words: named, or by what is missing from the map.
func (q *asking) most(set SpaceSet) string {
	rest := q.p.onMap().minus(set)
	switch {
	case rest.empty():
		return "every space"
	case rest.len() < set.len()/2:
		return "every space except " + join(spaceNames(rest), "and")
	}
	return spaceList(set)
}

// mostNamed is how many spaces a list names in full.
const mostNamed = 20

// compact is a set of spaces, abbreviated as on the map when they are many.
func (q *asking) compact(set SpaceSet) string {
	rest := q.p.onMap().minus(set)
	switch {
	case set.len() <= mostNamed:
		return spaceList(set)
	case rest.empty():
		return "every space"
	case rest.len() < set.len():
		return "every space except " + shortList(rest)
	}
	return shortList(set)
}

func (q *asking) setup() {
	q.say("Set-up: place %s where %s has none.", count(q.d.Max, "support point"), q.side.Enemy().the())
	q.form(q.spread(VerbPlace, nil)...)
	q.note("Legal", q.most(q.spacesOf(VerbPlace)))
}

func (q *asking) place() {
	q.say("%s: %s places %s.", upper(q.source()), q.side.the(), count(q.d.Max, "support point"))
	if s := q.step(); s != nil && s.verb == &moveVerb {
		q.say("%s: %s may move up to %s out of %v.", upper(q.source()), q.side.the(), count(q.d.Max, "support point"),
			Space(s.value(q.p, q.frame())))
	}
	q.limit()
	q.form(q.spread(VerbPlace, nil)...)
	q.note("Legal", q.most(q.spacesOf(VerbPlace)))
}

func (q *asking) remove() {
	of := q.victim()
	q.say("%s: remove %s of %s.", upper(q.source()), count(q.d.Max, "support point"), of.the())
	q.limit()
	there := func(s Space) int { return int(q.p.support[of][s]) }
	q.form(q.spread(VerbRemove, there)...)
	var list []string
	set := q.spacesOf(VerbRemove)
	for s := set.next(); s != 0; s = set.next() {
		list = append(list, fmt.Sprintf("%v %d", s, there(s)))
	}
	q.note("Legal, with the points there", joinComma(list))
}

// victim is whose points a removal takes: the enemy's, but one's own after a
// lost power struggle and a lost Wall (card 86).
func (q *asking) victim() Side {
	if s := q.p.question.Source; s == SourceLoss || s == Source(WallMustGo) {
		return q.side
	}
	return q.side.Enemy()
}

func (q *asking) limit() {
	if per := int(q.p.question.Per); per > 0 {
		q.out.Question += fmt.Sprintf(" At most %d in one space.", per)
	}
}

// spread is an example of so many points as are wanted, within the limits. there
// is how many points a space can give; nil means any number.
func (q *asking) spread(v Verb, there func(Space) int) []rules.Atom {
	options, wanted := q.with(v), q.d.Max
	per := int(q.p.question.Per)
	if per == 0 {
		per = (wanted + 1) / 2
	}
	var out []rules.Atom
	for round := 0; len(out) < wanted && round < 2; round++ {
		for _, a := range options {
			s := Space(AtomValue(a))
			used := 0
			for _, b := range out {
				used += flag(b == a)
			}
			n := min(per-int(q.p.question.Tally[s]), wanted-len(out))
			if there != nil {
				n = min(n, there(s)-used)
			}
			for range n {
				out = append(out, a)
			}
		}
		// What half the points in one space could not use up, all can.
		if q.p.question.Per == 0 {
			per = wanted
		}
	}
	return sorted(out)
}

func sorted(atoms []rules.Atom) []rules.Atom { return slices.Sorted(slices.Values(atoms)) }

func (q *asking) space() {
	q.say("%s: %s chooses one space%s.", upper(q.source()), q.side.the(), q.purpose())
	for _, a := range q.options[:min(1, len(q.options))] {
		q.form(a)
	}
	if !q.numbered() {
		q.note("Legal", spaceList(q.spacesOf(VerbChoose)))
	}
}

// purpose says what happens to the space that is chosen, from the step of the
// event that asks.
func (q *asking) purpose() string {
	s := q.step()
	if s == nil {
		return ""
	}
	switch enemy := q.side.Enemy().the(); s.verb {
	case &targetVerb:
		return ", where the revolt is"
	case &destroyVerb:
		return " to destroy"
	case &hideVerb:
		return " for the refuge of the Ceausescus"
	case &stackVerb:
		return fmt.Sprintf(", which gets %s", count(s.n, "support point"))
	case &removeOneVerb:
		if s.n == everything {
			return fmt.Sprintf(", where %s loses all support", enemy)
		}
		return fmt.Sprintf(", where %s loses %s", enemy, count(s.n, "support point"))
	case &replaceVerb:
		if s.n == everything {
			return fmt.Sprintf(", where all support of %s changes sides", enemy)
		}
		return fmt.Sprintf(", where %s of %s changes sides", count(s.n, "support point"), enemy)
	case &controlVerb:
		return " to take control of"
	}
	return ""
}

// step is the step of the event that asks, or nil.
func (q *asking) step() *Step {
	f := q.frame()
	if f.Proc != ProcEvent || int(f.Step) >= len(scripts[f.Card]) {
		return nil
	}
	return &scripts[f.Card][f.Step]
}

func (q *asking) take() {
	q.say("%s: which card does %s take?", upper(q.source()), q.side.the())
	set := q.cardsOf(VerbTake)
	q.form(q.first(VerbTake)...)
	q.note("There are", cardList(set))
}

func (q *asking) discard() {
	q.say("%s: which card does %s discard?", upper(q.source()), q.side.the())
	if s := q.step(); s != nil && s.verb == &exchangeVerb {
		q.say("%s: which cards does %s discard? As many are drawn.", upper(q.source()), q.side.the())
	} else if s != nil && s.verb == &mayCancelVerb {
		q.say("%s: %s may discard a card of at least %d Ops, which cancels the support check.", upper(q.source()), q.side.the(), s.n)
	}
	q.form(q.first(VerbDiscard)...)
	q.note("There are", cardList(q.cardsOf(VerbDiscard)))
}

func (q *asking) announce() {
	q.say("%v: announce the card that the Democrat plays in this action round.", Stasi)
	q.duties()
	q.form(q.first(VerbChoose)...)
	q.note("There are", cardList(q.cardsOf(VerbChoose)))
}

func (q *asking) country() {
	q.say("%s: choose a country.", upper(q.source()))
	q.form(q.first(VerbChoose)...)
	if q.numbered() {
		return
	}
	var names []string
	for _, a := range q.with(VerbChoose) {
		names = append(names, Country(AtomValue(a)).String())
	}
	q.note("Legal", joinComma(names))
}

// first is the first option of a verb as an answer.
func (q *asking) first(v Verb) []rules.Atom {
	w := q.with(v)
	return w[:min(1, len(w))]
}
