package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// questionWriter writes the texts about one question: its prompt, notes, examples and refusals.
type questionWriter struct {
	v       *engine.View
	p       *engine.Position
	d       rules.Decision
	ask     engine.QuestionKind
	side    engine.Side
	options []rules.Atom
	out     rules.Prompt
}

func newAsking(rv rules.View, d rules.Decision, options []rules.Atom) *questionWriter {
	v := rv.(*engine.View)
	return &questionWriter{v: v, p: &v.Visible, d: d, ask: engine.ParseQuestionKind(d.Kind), side: v.Visible.SideOf(d.Seat), options: options}
}

// Prompt implements rules.LetterTexts.
func (Words) Prompt(rv rules.View, d rules.Decision, options []rules.Atom) rules.Prompt {
	q := newAsking(rv, d, options)
	if write := prompters[q.ask]; write != nil {
		write(q)
	}
	q.out.Notes = append(sourceText(q.p, d), q.out.Notes...)
	if slices.Contains(options, engine.AtomPass) {
		q.addForm(engine.AtomPass)
	}
	q.numberAnswers()
	q.addOffers()
	return q.out
}

const maxNumbered = 9

// canNumber reports whether the answers are few and name no cards. Orders that give up Power are never numbered.
func (q *questionWriter) canNumber() bool {
	switch q.ask {
	case engine.AskSpace, engine.AskCountry, engine.AskSide, engine.AskDeclare:
		return len(q.options) > 1 && len(q.options) <= maxNumbered
	}
	return false
}

func (q *questionWriter) numberAnswers() {
	if !q.canNumber() {
		return
	}
	q.out.Forms, q.out.Numbered = nil, true
	for _, a := range q.options {
		if a != engine.AtomPass {
			q.addForm(a)
		}
	}
	if slices.Contains(q.options, engine.AtomPass) {
		q.addForm(engine.AtomPass)
	}
}

var prompters [engine.QuestionKinds]func(*questionWriter)

func init() {
	prompters = [engine.QuestionKinds]func(*questionWriter){
		engine.AskSetup: promptSetup, engine.AskRound: promptRound, engine.AskExtraRound: promptRound, engine.AskStrike: promptStrike,
		engine.AskOps: promptOperations, engine.AskSecondCheck: promptSecondCheck, engine.AskPlace: promptPlace,
		engine.AskRemove: promptRemove, engine.AskCheck: promptCheck, engine.AskSpace: promptSpace, engine.AskTake: promptTake,
		engine.AskDiscard: promptDiscard, engine.AskStakes: promptStakes, engine.AskAttack: promptAttack,
		engine.AskDefend: promptDefend, engine.AskPower: promptPower, engine.AskCountry: promptCountry,
		engine.AskAnnounce: promptAnnounce, engine.AskGrant: promptOperations, engine.AskWay: promptWay, engine.AskCard: promptCard,
		engine.AskDeclare: promptDeclare, engine.AskBid: promptBid, engine.AskSide: promptSide,
	}
}

func (q *questionWriter) say(format string, a ...any) { q.out.Question = fmt.Sprintf(format, a...) }

// addForm adds an example order. Orders with a Warning are examples only if no other exists.
func (q *questionWriter) addForm(atoms ...rules.Atom) {
	if len(atoms) > 0 && (len(q.out.Forms) == 0 || !q.hasWarning(atoms...)) {
		q.out.Forms = append(q.out.Forms, formatAnswer(atoms))
	}
}

// formatAnswer writes an answer, with abbreviated spaces if it is too long.
func formatAnswer(atoms []rules.Atom) string {
	line := Words{}.FormatOrder(atoms)
	if len(line) > columns {
		for _, a := range atoms {
			switch engine.AtomVerb(a) {
			case engine.VerbOpsPlace, engine.VerbOpsCheck, engine.VerbPlace, engine.VerbRemove:
				s := engine.Space(engine.AtomValue(a))
				line = strings.ReplaceAll(line, s.String(), abbreviation(s))
			}
		}
	}
	return line
}

func (q *questionWriter) note(title, text string) {
	q.out.Notes = append(q.out.Notes, formatItem(title, text)...)
}

func (q *questionWriter) frame() *engine.Frame { return q.p.TopFrame() }

func (q *questionWriter) source() string { return sourceTitle(q.p.Question.Source) }

func (q *questionWriter) optionsOf(v engine.Verb) []rules.Atom {
	var out []rules.Atom
	for _, a := range q.options {
		if engine.AtomVerb(a) == v {
			out = append(out, a)
		}
	}
	return out
}

func (q *questionWriter) spacesOf(v engine.Verb) engine.SpaceSet {
	var set engine.SpaceSet
	for _, a := range q.optionsOf(v) {
		set.Add(engine.Space(engine.AtomValue(a)))
	}
	return set
}

func (q *questionWriter) cardsOf(v engine.Verb) engine.CardSet {
	var set engine.CardSet
	for _, a := range q.optionsOf(v) {
		set.Add(engine.Card(engine.AtomValue(a)))
	}
	return set
}

const maxNamed = 20

// noteLegal adds a note with a set of spaces, country by country. Long lists are abbreviated as on the map.
func (q *questionWriter) noteLegal(title string, set engine.SpaceSet) {
	if q.p.ExistingSpaces().Minus(set).IsEmpty() {
		q.note(title, "every space")
		return
	}
	names, countries := spaceList, countriesOf(q, set)
	if set.Len() > maxNamed {
		names = abbreviatedList
	}
	if len(countries) < 2 || set.Len() < len(countries)*2 {
		q.note(title, spaceList(set))
		return
	}
	for _, c := range countries {
		here := set.And(engine.InCountry[c])
		text := names(here)
		if q.p.ExistingSpaces().And(engine.InCountry[c]).Minus(here).IsEmpty() {
			text = "every space"
		}
		q.note(fmt.Sprintf("%s in %v", title, c), text)
	}
}

func countriesOf(q *questionWriter, set engine.SpaceSet) []engine.Country {
	var out []engine.Country
	for c := engine.EastGermany; c < engine.Countries; c++ {
		if !set.And(engine.InCountry[c]).IsEmpty() {
			out = append(out, c)
		}
	}
	return out
}

func promptSetup(q *questionWriter) {
	q.say("Set-up: place %s in spaces where %s has none.", pluralize(q.d.Max, "support point"), sideName(q.side.Enemy()))
	q.addForm(q.exampleSpread(engine.VerbPlace, nil)...)
	q.noteLegal("Legal", q.spacesOf(engine.VerbPlace))
}

func promptPlace(q *questionWriter) {
	q.say("%s: place %s.", capitalize(q.source()), pluralize(q.d.Max, "support point"))
	if s := q.step(); s != nil && s.Act == &engine.ActMove {
		q.say("%s: you may move up to %s out of %v.", capitalize(q.source()), pluralize(q.d.Max, "support point"),
			engine.Space(s.Value(q.p, q.frame())))
	}
	q.noteLimit()
	q.addForm(q.exampleSpread(engine.VerbPlace, nil)...)
	q.noteLegal("Legal", q.spacesOf(engine.VerbPlace))
}

func promptRemove(q *questionWriter) {
	of := q.removalSide()
	whose := map[bool]string{true: "your own support", false: sideName(of)}[of == q.side]
	q.say("%s: remove %s from %s.", capitalize(q.source()), pluralize(q.d.Max, "support point"), whose)
	q.noteLimit()
	there := func(s engine.Space) int { return int(q.p.Support[of][s]) }
	q.addForm(q.exampleSpread(engine.VerbRemove, there)...)
	q.note("Legal, with the points there", joinComma(each(q.spacesOf(engine.VerbRemove).List(), func(s engine.Space) string {
		return fmt.Sprintf("%v %d", s, there(s))
	})))
}

// removalSide returns the side that loses points in a removal: the enemy, but the side itself after a lost power
// struggle and in card 86 (The Wall Must Go!).
func (q *questionWriter) removalSide() engine.Side {
	if s := q.p.Question.Source; s == engine.SourceLoss || s == engine.Source(engine.WallMustGo) {
		return q.side
	}
	return q.side.Enemy()
}

func (q *questionWriter) noteLimit() {
	if per := int(q.p.Question.MaxPerSpace); per > 0 {
		q.out.Question += fmt.Sprintf(" At most %d in one space.", per)
	}
}

// missing returns the number of points that a side needs to control a space.
func (q *questionWriter) missing(s engine.Space) int {
	return s.Info().Stability + int(q.p.Support[q.side.Enemy()][s]-q.p.Support[q.side][s])
}

// byUse sorts spaces for an example order: battlegrounds first, the least missing points to control first, then other spaces.
func (q *questionWriter) byUse(options []rules.Atom) []rules.Atom {
	rank := func(a rules.Atom) int {
		s := engine.Space(engine.AtomValue(a))
		n := q.missing(s)
		if !engine.Battlegrounds.Has(s) {
			n += 50
		}
		if q.missing(s) <= 0 {
			n += 100
		}
		return n
	}
	return slices.SortedStableFunc(slices.Values(options), func(a, b rules.Atom) int { return rank(a) - rank(b) })
}

// exampleSpread returns an example that places or removes the asked number of points within the limits. there is
// the number of points that a space can give; nil means no limit.
func (q *questionWriter) exampleSpread(v engine.Verb, there func(engine.Space) int) []rules.Atom {
	options, wanted := q.optionsOf(v), q.d.Max
	if v == engine.VerbPlace || q.removalSide() != q.side {
		options = q.byUse(options)
	}
	per := int(q.p.Question.MaxPerSpace)
	if per == 0 {
		per = (wanted + 1) / 2
	}
	var out []rules.Atom
	for round := 0; len(out) < wanted && round < 2; round++ {
		for _, a := range options {
			s := engine.Space(engine.AtomValue(a))
			used := 0
			for _, b := range out {
				if b == a {
					used++
				}
			}
			n := min(per-int(q.p.Question.PointsBySpace[s]), wanted-len(out))
			if v == engine.VerbPlace && round == 0 {
				n = min(n, max(1, q.missing(s)))
			}
			if there != nil {
				n = min(n, there(s)-used)
			}
			for range n {
				out = append(out, a)
			}
		}
		// If half the points in one space leave a rest, one space may take all.
		if q.p.Question.MaxPerSpace == 0 {
			per = wanted
		}
	}
	return sortAtoms(out)
}

func sortAtoms(atoms []rules.Atom) []rules.Atom { return slices.Sorted(slices.Values(atoms)) }

func promptSpace(q *questionWriter) {
	q.say("%s: choose one space%s.", capitalize(q.source()), purposeOf(q))
	for _, a := range q.options[:min(1, len(q.options))] {
		q.addForm(a)
	}
	if !q.canNumber() {
		q.noteLegal("Legal", q.spacesOf(engine.VerbChoose))
	}
}

// purposeOf describes the effect on the chosen space, from the step of the event.
func purposeOf(q *questionWriter) string {
	s := q.step()
	if s == nil {
		return ""
	}
	switch enemy := sideName(q.side.Enemy()); s.Act {
	case &engine.ActTarget:
		return ", where the revolt is"
	case &engine.ActDestroy:
		return " to destroy"
	case &engine.ActHide:
		return " for the refuge of the Ceausescus"
	case &engine.ActStack:
		return fmt.Sprintf(", which gets %s", pluralize(s.N, "support point"))
	case &engine.ActRemoveOne:
		if s.N == engine.AllPoints {
			return fmt.Sprintf(", where %s loses all support", enemy)
		}
		return fmt.Sprintf(", where %s loses %s", enemy, pluralize(s.N, "support point"))
	case &engine.ActReplace:
		if s.N == engine.AllPoints {
			return fmt.Sprintf(", where all support of %s changes sides", enemy)
		}
		return fmt.Sprintf(", where %s of %s changes sides", pluralize(s.N, "support point"), enemy)
	case &engine.ActControl:
		return " to take control of"
	}
	return ""
}

// step returns the asking step of the event, or nil.
func (q *questionWriter) step() *engine.Step { return q.frame().EventStep() }

func promptTake(q *questionWriter) {
	q.say("%s: which card do you take?", capitalize(q.source()))
	q.offerCardsOf(engine.VerbTake)
}

func promptDiscard(q *questionWriter) {
	q.say("%s: which card do you discard?", capitalize(q.source()))
	if s := q.step(); s != nil && s.Act == &engine.ActExchange {
		q.say("%s: which cards do you discard? You draw as many new ones.", capitalize(q.source()))
	} else if s != nil && s.Act == &engine.ActMayCancel {
		q.say("%s: you may discard a card of at least %d Ops to cancel the support check.", capitalize(q.source()), s.N)
	}
	cards := q.firstOption(engine.VerbDiscard)
	if q.hasWarning(cards...) {
		// If several cards may be discarded at once, these must be discarded.
		cards = slices.DeleteFunc(q.optionsOf(engine.VerbDiscard), func(a rules.Atom) bool {
			return engine.Card(engine.AtomValue(a)).Info().Scoring == engine.NoCountry
		})
	}
	q.addForm(cards...)
	q.note("You can choose from", cardList(q.cardsOf(engine.VerbDiscard)))
}

func promptAnnounce(q *questionWriter) {
	q.say("%v: announce the card that you will play in this action round.", engine.Stasi)
	q.warnOfScoringCards()
	q.offerCardsOf(engine.VerbChoose)
}

// offerCardsOf offers the first card of a verb, and lists all.
func (q *questionWriter) offerCardsOf(v engine.Verb) {
	q.addForm(q.firstOption(v)...)
	q.note("You can choose from", cardList(q.cardsOf(v)))
}

func promptCountry(q *questionWriter) {
	q.say("%s: choose a country.", capitalize(q.source()))
	q.addForm(q.firstOption(engine.VerbChoose)...)
	if q.canNumber() {
		return
	}
	q.note("Legal", joinComma(each(q.optionsOf(engine.VerbChoose), func(a rules.Atom) string {
		return engine.Country(engine.AtomValue(a)).String()
	})))
}

// firstOption returns the first option of a verb without a Warning, as an answer.
func (q *questionWriter) firstOption(v engine.Verb) []rules.Atom {
	w := q.optionsOf(v)
	i := max(0, slices.IndexFunc(w, func(a rules.Atom) bool { return !q.hasWarning(a) }))
	return w[i:min(i+1, len(w))]
}

// The questions and sentences about bids for sides follow (rule 13).

// chairs are names of the players before they have sides.
var chairs = [...]string{"The first player", "The second player"}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func promptBid(q *questionWriter) {
	q.say("Bid for a side: which side do you want to play, and how many support points (0 to %d) do you give the other side for it?",
		engine.MaxBid)
	for side := engine.Communist; side >= engine.Democrat; side-- {
		for _, a := range q.optionsOf(engine.VerbBid) {
			if engine.Side(engine.AtomFlag(a)) == side && engine.AtomValue(a) == 2 {
				q.addForm(a)
			}
		}
	}
	q.note("How bids are settled", "If you want different sides, each player gets the wanted side and no points are given. If "+
		"you want the same side, the higher bid gets it, and the other player places the points at the end of set-up. Dice "+
		"decide between equal bids.")
}

func promptSide(q *questionWriter) {
	wants := q.p.Bids[0].Side
	q.say("The bids were equal and your die was higher: which side do you play? The %s gets %s.",
		sideTitles[wants.Enemy()], pluralize(int(q.p.Bids[0].Points), "support point"))
	for _, a := range q.optionsOf(engine.VerbChoose) {
		q.addForm(a)
	}
}

func bidRollSentence(a args) string {
	text := fmt.Sprintf("The bids are equal. The first player rolls %d, the second %d", a.n(0), a.n(1))
	if a.n(0) == a.n(1) {
		return text + "; they roll again."
	}
	return text + "."
}

func sidesSentence(a args) string {
	democrat := a.n(0)
	text := fmt.Sprintf("%s plays the Democrat, %s the Communist.", chairs[democrat], lowerFirst(chairs[1-democrat]))
	if n := a.n(1); n > 0 {
		text += fmt.Sprintf(" %s places %s more at the end of set-up.", capitalSideName(a.side(2)), pluralize(n, "support point"))
	}
	return text
}

// The questions of single events follow.

func promptWay(q *questionWriter) {
	n := int(q.p.Question.Remaining)
	q.say("%s: choose one of two options.", capitalize(q.source()))
	if checks := q.spacesOf(engine.VerbCheck); !checks.IsEmpty() {
		s := q.step()
		q.out.Question += fmt.Sprintf(" Either make %s, or place %s.", pluralize(s.N, "support check"), pluralize(n, "support point"))
		q.addForm(q.firstOption(engine.VerbCheck)...)
		q.checkNote(checkSucceeds, "", checks, func(at engine.Space) int {
			return q.p.CheckBonus(q.side, at, q.frame().Card.Info().Ops, s.Extra, false).Total()
		})
	} else {
		q.out.Question += fmt.Sprintf(" Either place %s, or remove all support of %s from these spaces.",
			pluralize(n, "support point"), sideName(q.side.Enemy()))
		q.addForm(q.firstOption(engine.VerbChoose)...)
	}
	q.addForm(q.exampleSpread(engine.VerbPlace, nil)...)
	q.noteLegal("Legal to place", q.spacesOf(engine.VerbPlace))
}

func promptCard(q *questionWriter) {
	q.say("%s: which card do you hand over?", capitalize(q.source()))
	if q.p.Question.Source == engine.Source(engine.Samizdat) {
		q.say("%s: which card do you put aside until the next turn? You draw a card for it.", capitalize(q.source()))
	}
	q.offerCardsOf(engine.VerbChoose)
}

// promptDeclare asks the Communist whether the match ends with this turn (card 104).
func promptDeclare(q *questionWriter) {
	own := q.p.CountPowers(engine.Communist)
	n := engine.PartyVP * engine.Democrat.Sign()
	if own >= engine.PartyPowers {
		n = engine.PartyVP * engine.Communist.Sign()
	}
	q.say("%s: do you declare that the match ends with this turn? With Power in %s that gives %s "+
		"VP.", capitalize(q.source()), countriesText(own), signed(n))
	q.addForm(q.firstOption(engine.VerbChoose)...)
}

func countriesText(n int) string {
	if n == 1 {
		return "1 country"
	}
	return fmt.Sprintf("%d countries", n)
}

// addOffers adds an answer for each card of the hand that can be an answer, with the most common play.
func (q *questionWriter) addOffers() {
	for _, c := range q.p.Piles[engine.HandPile(q.side)].List() {
		if atoms := q.withCard(c); len(atoms) > 0 {
			q.out.Offers = append(q.out.Offers, rules.Offer{Label: strconv.Itoa(int(c)), Order: formatAnswer(atoms)})
		}
	}
}

func (q *questionWriter) withCard(c engine.Card) []rules.Atom {
	switch q.ask {
	case engine.AskRound, engine.AskExtraRound, engine.AskStrike:
		for _, m := range append(exampleModes[:], engine.PlayStrike) {
			if a := engine.PlayAtom(c, m); slices.Contains(q.options, a) && !q.hasWarning(a) {
				return q.playForm(c, m, false)
			}
		}
	case engine.AskDiscard, engine.AskCard, engine.AskAnnounce:
		for _, a := range q.options {
			if v := engine.AtomVerb(a); (v == engine.VerbDiscard || v == engine.VerbChoose) &&
				engine.Card(engine.AtomValue(a)) == c && !q.hasWarning(a) {
				return []rules.Atom{a}
			}
		}
	}
	return nil
}

// hasWarning reports whether an answer needs SURELY; such answers are no examples.
func (q *questionWriter) hasWarning(atoms ...rules.Atom) bool {
	return Words{}.Warning(q.v, q.d, atoms) != ""
}
