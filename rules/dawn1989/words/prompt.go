package words

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// questionWriter writes the texts about one decision: the question, notes, example orders (Prompt.Forms) and
// refusals.
type questionWriter struct {
	view     *engine.View
	pos      *engine.Position
	decision rules.Decision
	kind     engine.QuestionKind
	side     engine.Side
	options  []rules.Atom
	prompt   rules.Prompt
}

func newQuestionWriter(rv rules.View, d rules.Decision, options []rules.Atom) *questionWriter {
	v := rv.(*engine.View)
	return &questionWriter{view: v, pos: &v.Visible, decision: d, kind: engine.ParseQuestionKind(d.Kind), side: v.Visible.SideOf(d.Seat),
		options: options}
}

// Prompt implements rules.LetterTexts.
func (Words) Prompt(rv rules.View, d rules.Decision, options []rules.Atom) rules.Prompt {
	q := newQuestionWriter(rv, d, options)
	if write := prompters[q.kind]; write != nil {
		write(q)
	}
	q.prompt.Notes = append(sourceText(q.pos, d), q.prompt.Notes...)
	if slices.Contains(options, engine.AtomPass) {
		q.addForm(engine.AtomPass)
	}
	q.numberAnswers()
	q.addOffers()
	return q.prompt
}

const maxNumberedAnswers = 9

// mayNumberAnswers reports whether the answers may be numbered, so that a player can answer "2". The answers must be
// few. Cards are not numbered, because they have printed numbers, and orders that give up Power are never numbered.
func (q *questionWriter) mayNumberAnswers() bool {
	switch q.kind {
	case engine.AskSpace, engine.AskCountry, engine.AskSide, engine.AskDeclare:
		return len(q.options) > 1 && len(q.options) <= maxNumberedAnswers
	}
	return false
}

func (q *questionWriter) numberAnswers() {
	if !q.mayNumberAnswers() {
		return
	}
	q.prompt.Forms, q.prompt.IsNumbered = nil, true
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
		engine.AskAnnounce: promptAnnounce, engine.AskGrant: promptOperations, engine.AskAlternative: promptAlternative,
		engine.AskCard:    promptCard,
		engine.AskDeclare: promptDeclare, engine.AskBid: promptBid, engine.AskSide: promptSide,
	}
}

func (q *questionWriter) setQuestion(format string, a ...any) {
	q.prompt.Question = fmt.Sprintf(format, a...)
}

// addForm adds an example order. An order with a Warning is an example only if there is no other.
func (q *questionWriter) addForm(atoms ...rules.Atom) {
	if len(atoms) > 0 && (len(q.prompt.Forms) == 0 || !q.hasWarning(atoms...)) {
		q.prompt.Forms = append(q.prompt.Forms, formatAnswer(atoms))
	}
}

// formatAnswer returns an answer as an order, with abbreviated names of spaces if the line is too long.
func formatAnswer(atoms []rules.Atom) string {
	line := Words{}.FormatOrder(atoms)
	if len(line) > lineWidth {
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

func (q *questionWriter) addNote(title, text string) {
	q.prompt.Notes = append(q.prompt.Notes, formatItem(title, text)...)
}

func (q *questionWriter) frame() *engine.Frame { return q.pos.TopFrame() }

func (q *questionWriter) sourceName() string { return sourceTitle(q.pos.Question.Source) }

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

// maxFullNames is the largest number of spaces that are listed with their full names.
const maxFullNames = 20

// noteSpaces adds a note that lists a set of spaces, country by country.
func (q *questionWriter) noteSpaces(title string, set engine.SpaceSet) {
	if q.pos.ExistingSpaces().Minus(set).IsEmpty() {
		q.addNote(title, "every space")
		return
	}
	names, countries := spaceList, countriesOf(q, set)
	if set.Len() > maxFullNames {
		names = abbreviatedList
	}
	if len(countries) < 2 || set.Len() < len(countries)*2 {
		q.addNote(title, spaceList(set))
		return
	}
	for _, c := range countries {
		inCountry := set.And(engine.InCountry[c])
		text := names(inCountry)
		if q.pos.ExistingSpaces().And(engine.InCountry[c]).Minus(inCountry).IsEmpty() {
			text = "every space"
		}
		q.addNote(fmt.Sprintf("%s in %v", title, c), text)
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
	q.setQuestion("Set-up: place %s in spaces where %s has none.", q.pointsToPlace(), sideName(q.side.Enemy()))
	q.addForm(q.exampleSpread(engine.VerbPlace, nil)...)
	q.noteSpaces("Legal", q.spacesOf(engine.VerbPlace))
}

// pointsToPlace returns the number of points to place, for example "2 support points", or "1 more support point" if a
// part of the answer is given already.
func (q *questionWriter) pointsToPlace() string {
	if q.pos.Question.Given > 0 {
		return pluralize(q.decision.Max, "more support point")
	}
	return pluralize(q.decision.Max, "support point")
}

func promptPlace(q *questionWriter) {
	q.setQuestion("%s: place %s.", capitalize(q.sourceName()), q.pointsToPlace())
	if s := q.step(); s != nil && s.Act == &engine.ActMove {
		q.setQuestion("%s: you may move up to %s out of %v.", capitalize(q.sourceName()), pluralize(q.decision.Max, "support point"),
			engine.Space(s.Value(q.pos, q.frame())))
	}
	q.noteLimit()
	q.addForm(q.exampleSpread(engine.VerbPlace, nil)...)
	q.noteSpaces("Legal", q.spacesOf(engine.VerbPlace))
}

func promptRemove(q *questionWriter) {
	loser := q.removalSide()
	owner := map[bool]string{true: "your own support", false: sideName(loser)}[loser == q.side]
	q.setQuestion("%s: remove %s from %s.", capitalize(q.sourceName()), pluralize(q.decision.Max, "support point"), owner)
	q.noteLimit()
	pointsThere := func(s engine.Space) int { return int(q.pos.Support[loser][s]) }
	q.addForm(q.exampleSpread(engine.VerbRemove, pointsThere)...)
	q.addNote("You can remove from (points there now)", joinComma(mapTexts(q.spacesOf(engine.VerbRemove).List(), func(s engine.Space) string {
		return fmt.Sprintf("%v %d", s, pointsThere(s))
	})))
}

// removalSide returns the side that loses the points: usually the enemy of the asked side, but the asked side after a
// lost power struggle and in card 86 (The Wall Must Go!).
func (q *questionWriter) removalSide() engine.Side {
	if s := q.pos.Question.Source; s == engine.SourceLoss || s == engine.Source(engine.WallMustGo) {
		return q.side
	}
	return q.side.Enemy()
}

func (q *questionWriter) noteLimit() {
	if maxPerSpace := int(q.pos.Question.MaxPerSpace); maxPerSpace > 0 {
		q.prompt.Question += fmt.Sprintf(" At most %d in one space.", maxPerSpace)
	}
}

func (q *questionWriter) pointsToControl(s engine.Space) int {
	return s.Info().Stability + int(q.pos.Support[q.side.Enemy()][s]-q.pos.Support[q.side][s])
}

// sortByUse sorts spaces for an example order: battlegrounds first, then spaces that need few points to control.
func (q *questionWriter) sortByUse(options []rules.Atom) []rules.Atom {
	rank := func(a rules.Atom) int {
		s := engine.Space(engine.AtomValue(a))
		n := q.pointsToControl(s)
		if !engine.Battlegrounds.Has(s) {
			n += 50
		}
		if q.pointsToControl(s) <= 0 {
			n += 100
		}
		return n
	}
	return slices.SortedStableFunc(slices.Values(options), func(a, b rules.Atom) int { return rank(a) - rank(b) })
}

// exampleSpread returns an example answer that places or removes the required number of points within the limits.
// pointsThere returns the largest number of points that a space can lose; nil means no limit.
func (q *questionWriter) exampleSpread(v engine.Verb, pointsThere func(engine.Space) int) []rules.Atom {
	options, total := q.optionsOf(v), q.decision.Max
	if v == engine.VerbPlace || q.removalSide() != q.side {
		options = q.sortByUse(options)
	}
	maxPerSpace := int(q.pos.Question.MaxPerSpace)
	if maxPerSpace == 0 {
		maxPerSpace = (total + 1) / 2
	}
	var out []rules.Atom
	for round := 0; len(out) < total && round < 2; round++ {
		for _, a := range options {
			s := engine.Space(engine.AtomValue(a))
			used := 0
			for _, b := range out {
				if b == a {
					used++
				}
			}
			n := min(maxPerSpace-int(q.pos.Question.PointsBySpace[s]), total-len(out))
			if v == engine.VerbPlace && round == 0 {
				n = min(n, max(1, q.pointsToControl(s)))
			}
			if pointsThere != nil {
				n = min(n, pointsThere(s)-used)
			}
			for range n {
				out = append(out, a)
			}
		}
		// Points that are left over may all go to one space.
		if q.pos.Question.MaxPerSpace == 0 {
			maxPerSpace = total
		}
	}
	return sortAtoms(out)
}

func sortAtoms(atoms []rules.Atom) []rules.Atom { return slices.Sorted(slices.Values(atoms)) }

func promptSpace(q *questionWriter) {
	q.setQuestion("%s: choose one space%s.", capitalize(q.sourceName()), describePurpose(q))
	for _, a := range q.options[:min(1, len(q.options))] {
		q.addForm(a)
	}
	if !q.mayNumberAnswers() {
		q.noteSpaces("Legal", q.spacesOf(engine.VerbChoose))
	}
}

// describePurpose describes the effect on the chosen space, for example " to destroy".
func describePurpose(q *questionWriter) string {
	s := q.step()
	if s == nil {
		return ""
	}
	switch enemy := sideName(q.side.Enemy()); s.Act {
	case &engine.ActTarget:
		return " for the revolt"
	case &engine.ActDestroy:
		return " to destroy"
	case &engine.ActPlaceRefuge:
		return " for the refuge of the Ceausescus"
	case &engine.ActPlaceInOne:
		return fmt.Sprintf("; it gets %s", pluralize(s.N, "support point"))
	case &engine.ActRemoveOne:
		if s.N == engine.AllPoints {
			return fmt.Sprintf("; %s loses all support there", enemy)
		}
		return fmt.Sprintf("; %s loses %s there", enemy, pluralize(s.N, "support point"))
	case &engine.ActReplace:
		if s.N == engine.AllPoints {
			return fmt.Sprintf("; all support of %s there changes sides", enemy)
		}
		verb := "change"
		if s.N == 1 {
			verb = "changes"
		}
		return fmt.Sprintf("; %s of %s there %s sides", pluralize(s.N, "support point"), enemy, verb)
	case &engine.ActControl:
		return " to take control of"
	}
	return ""
}

func (q *questionWriter) step() *engine.Step { return q.frame().EventStep() }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// hasWarning reports whether an answer needs the words FOR SURE.
func (q *questionWriter) hasWarning(atoms ...rules.Atom) bool {
	return Words{}.Warning(q.view, q.decision, atoms) != ""
}
