package words

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// orderParser converts an order into answers. It has a method for each verb.
type orderParser struct {
	order rules.Order
	// openKinds are the kinds of the writer's open decisions.
	openKinds []string
	// source is the Decision.Source of the writer's open decision that asks to choose a space (AskSpace), or "".
	source string
}

// Answers implements rules.Language.
func (Words) Answers(o rules.Order, decisions []rules.Decision) ([]rules.Answer, error) {
	if len(o.Clauses) == 0 {
		return nil, errors.New("an order begins with a verb, such as PLAY or CHECK")
	}
	r := orderParser{order: o}
	for _, d := range decisions {
		r.openKinds = append(r.openKinds, d.Kind)
		if d.Kind == engine.AskSpace.String() {
			r.source = d.Source
		}
	}
	if err := r.rejectModifiers(); err != nil {
		return nil, err
	}
	r.movePlayToFront()
	first := r.order.Clauses[0]
	for _, v := range verbs {
		if slices.Contains(v.orderWords, first.Word) {
			return v.parse(&r, first)
		}
	}
	return nil, fmt.Errorf("no order begins with %s", first.Word)
}

// movePlayToFront moves PLAY to the front of an order such as "OPS PLACE Lodz 3, PLAY 40".
func (r *orderParser) movePlayToFront() {
	i := slices.IndexFunc(r.order.Clauses, func(c rules.Clause) bool { return c.Word == wordPlay })
	if i > 0 {
		list := slices.Clone(r.order.Clauses)
		r.order.Clauses = append([]rules.Clause{list[i]}, slices.Delete(list, i, i+1)...)
	}
}

// rejectModifiers returns an error if the order has AS or IN where they have no meaning.
func (r *orderParser) rejectModifiers() error {
	for _, c := range r.order.Clauses {
		if c.Word == wordAttack || c.Word == wordDefend || c.Word == wordRaise {
			continue // The methods for these verbs check the modifiers.
		}
		for _, item := range c.Items {
			if len(item.Modifiers) > 0 {
				m := item.Modifiers[0]
				return fmt.Errorf("%s %s after %s is not understood: %s belongs to an attack", m.Word, m.Name.Text, item.Name.Text, m.Word)
			}
		}
	}
	return nil
}

func newAnswer(kinds []engine.QuestionKind, atoms ...rules.Atom) rules.Answer {
	return rules.Answer{Atoms: atoms, Kinds: mapTexts(kinds, engine.QuestionKind.String)}
}

func newAnswerList(kinds []engine.QuestionKind, atoms ...rules.Atom) []rules.Answer {
	return []rules.Answer{newAnswer(kinds, atoms...)}
}

func (r *orderParser) isAsked(kinds ...engine.QuestionKind) bool {
	return slices.ContainsFunc(kinds, func(a engine.QuestionKind) bool { return slices.Contains(r.openKinds, a.String()) })
}

func (r *orderParser) expectOneClause() error {
	if len(r.order.Clauses) == 1 {
		return nil
	}
	first, next := r.order.Clauses[0].Word, r.order.Clauses[1].Word
	switch next {
	case wordFirst, wordAfter, wordNoEvent, wordEvent:
		return fmt.Errorf("%s belongs after PLAY and the card, not after %s", next, first)
	}
	return fmt.Errorf("%s does not go with %s; give it a line of its own", next, first)
}

// expectsOperations reports whether the writer has an open decision about Operations. PLACE, CHECK and TIANANMEN then
// answer it, even without OPS before them.
func (r *orderParser) expectsOperations() bool {
	return r.isAsked(engine.AskOps, engine.AskGrant, engine.AskSecondCheck)
}

// parseSpaces parses PLACE and REMOVE, for example "PLACE Gdansk 2, Lodz".
func (r *orderParser) parseSpaces(c rules.Clause) ([]rules.Answer, error) {
	if c.Word == wordPlace && r.expectsOperations() {
		return r.parseOperation(c)
	}
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	if r.isAsked(engine.AskSpace) {
		return r.parseSpaceChoice(c)
	}
	if c.Word == wordPlace {
		return newAnswerList([]engine.QuestionKind{engine.AskSetup, engine.AskPlace, engine.AskAlternative},
			pointAtoms(engine.VerbPlace, c)...), nil
	}
	return newAnswerList([]engine.QuestionKind{engine.AskRemove}, pointAtoms(engine.VerbRemove, c)...), nil
}

func pointAtoms(v engine.Verb, c rules.Clause) []rules.Atom {
	var out []rules.Atom
	for _, item := range c.Items {
		for range min(item.Count, maxPoints) {
			out = append(out, engine.SpaceAtom(v, engine.Space(item.Name.Code)))
		}
	}
	return out
}

// maxPoints limits the points in one space of an order. All decisions ask for fewer points.
const maxPoints = 50

// parseSpaceChoice parses PLACE or REMOVE as the answer to a decision that asks to choose a space. The card says how
// many points; the order may state this number, as in "PLACE Lodz 3", but no other number.
func (r *orderParser) parseSpaceChoice(c rules.Clause) ([]rules.Answer, error) {
	item := c.Items[0]
	if len(c.Items) > 1 {
		return nil, fmt.Errorf("one space is to be chosen: write %s %s", wordChoose, item.Name.Text)
	}
	if n := item.Count; n > 1 && !slices.Contains(fixedCounts(r.source), n) {
		return nil, fmt.Errorf("the card settles the number of points: write %s %s", wordChoose, item.Name.Text)
	}
	return newAnswerList([]engine.QuestionKind{engine.AskSpace}, choiceAtom(engine.ChooseSpace, item.Name.Code)), nil
}

// fixedCounts returns the numbers of points in the steps of the event of a card, given as a Decision.Source.
func fixedCounts(source string) []int {
	var out []int
	for c := engine.Card(1); c < engine.Cards; c++ {
		if engine.Source(c).String() == source {
			for _, s := range engine.StepsOf(c) {
				out = append(out, s.N)
			}
		}
	}
	return out
}

// parseChecks parses CHECK, for example "CHECK Gdansk, Lodz" or "CHECK Gdansk, PASS".
func (r *orderParser) parseChecks(c rules.Clause) ([]rules.Answer, error) {
	if r.expectsOperations() {
		return r.parseOperation(c)
	}
	if err := r.expectOneClause(); err != nil {
		if r.order.Clauses[1].Word == wordBonus {
			return nil, errors.New("BONUS belongs to Operations, after the spaces of OPS CHECK")
		}
		return nil, err
	}
	var out []rules.Answer
	for _, item := range c.Items {
		a := engine.SpaceAtom(engine.VerbCheck, engine.Space(item.Name.Code))
		if item.Name.Kind == nameListEnd {
			if engine.Verb(item.Name.Code) != engine.VerbPass {
				return nil, errors.New("support checks are ended by PASS, not by CONCEDE")
			}
			a = engine.AtomPass
		}
		kinds := []engine.QuestionKind{engine.AskCheck, engine.AskAlternative}
		if a == engine.AtomPass {
			kinds = kinds[:1]
		}
		out = append(out, newAnswer(kinds, a))
	}
	return out, checkPassLast(out)
}

// checkPassLast returns an error if another answer follows PASS or CONCEDE in a list.
func checkPassLast(list []rules.Answer) error {
	for i, a := range list[:len(list)-1] {
		if v := engine.AtomVerb(a.Atoms[0]); v == engine.VerbPass || v == engine.VerbConcede {
			return fmt.Errorf("%s ends a list: leave out what follows it (entry %d)", Words{}.FormatOrder(a.Atoms), i+2)
		}
	}
	return nil
}

// parseChoice parses CHOOSE, and choices that are written without CHOOSE and a name, for example KEEP POWER.
func (r *orderParser) parseChoice(c rules.Clause) ([]rules.Answer, error) {
	if len(c.Items) == 0 {
		return r.parseBareKeyword(c)
	}
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	n := c.Items[0].Name
	if n.Kind == nameOption {
		return newAnswerList([]engine.QuestionKind{questionOfOption[n.Code]}, choiceAtom(engine.ChooseOption, n.Code)), nil
	}
	choice := choices[n.Kind]
	return newAnswerList(choice.asks, choiceAtom(choice.of, n.Code)), nil
}

// choices says, for the kind of the name after CHOOSE, which Choice the answer has (of) and to which questions it
// belongs (asks).
var choices = map[rules.NameKind]struct {
	of   engine.Choice
	asks []engine.QuestionKind
}{
	nameCountry: {engine.ChooseCountry, []engine.QuestionKind{engine.AskCountry}},
	nameSide:    {engine.ChooseSide, []engine.QuestionKind{engine.AskSide}},
	nameCard:    {engine.ChooseCard, []engine.QuestionKind{engine.AskAnnounce, engine.AskCard}},
	nameSpace:   {engine.ChooseSpace, []engine.QuestionKind{engine.AskSpace}},
}

func choiceAtom(of engine.Choice, code int) rules.Atom {
	return engine.NewAtom(engine.VerbChoose, uint8(of), code)
}

var questionOfOption = [...]engine.QuestionKind{engine.OptionKeepPower: engine.AskPower, engine.OptionSurrenderPower: engine.AskPower,
	engine.OptionClear: engine.AskAlternative, engine.OptionDeclare: engine.AskDeclare}

// parseBid parses a bid, for example "BID DEMOCRAT GIVE 2".
func (r *orderParser) parseBid(c rules.Clause) ([]rules.Answer, error) {
	if len(r.order.Clauses) != 2 || r.order.Clauses[1].Word != wordGive || r.order.Clauses[1].Number == nil {
		return nil, fmt.Errorf("say how many support points you give for the side, from 0 to %d, after %s", engine.MaxBid, wordGive)
	}
	n := *r.order.Clauses[1].Number
	if n < 0 || n > engine.MaxBid {
		return nil, fmt.Errorf("%s takes a number from 0 to %d", wordGive, engine.MaxBid)
	}
	return newAnswerList([]engine.QuestionKind{engine.AskBid}, engine.NewAtom(engine.VerbBid, uint8(c.Items[0].Name.Code), n)), nil
}

// parseCards parses TAKE and DISCARD, for example "DISCARD 27, 40".
func (r *orderParser) parseCards(c rules.Clause) ([]rules.Answer, error) {
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	if first := c.Items[0].Name; c.Word == wordDiscard && first.Kind == nameCard && r.isAsked(engine.AskStrike) {
		mode := engine.PlayStrike
		if engine.Card(first.Code).Info().Scoring != engine.NoCountry {
			mode = engine.PlayEvent
		}
		return nil, fmt.Errorf("a round under %v is answered with %s", engine.GeneralStrike,
			Words{}.FormatOrder([]rules.Atom{engine.PlayAtom(engine.Card(first.Code), mode)}))
	}
	v, kinds := engine.VerbTake, []engine.QuestionKind{engine.AskTake, engine.AskGrant}
	if c.Word == wordDiscard {
		v, kinds = engine.VerbDiscard, []engine.QuestionKind{engine.AskDiscard}
	}
	var atoms []rules.Atom
	for i, item := range c.Items {
		if item.Name.Kind == nameListEnd {
			if i > 0 || engine.Verb(item.Name.Code) != engine.VerbPass {
				return nil, fmt.Errorf("%s does not go with %s; to decline, write PASS", item.Name.Text, c.Word)
			}
			return r.parsePass(), nil
		}
		atoms = append(atoms, engine.NewAtom(v, 0, item.Name.Code))
	}
	return newAnswerList(kinds, atoms...), nil
}

// parseRaise parses RAISE with three cards, for example "RAISE Rally, Strike-3, March-6".
func (r *orderParser) parseRaise(c rules.Clause) ([]rules.Answer, error) {
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	if len(c.Items) != stakesDiscards {
		return nil, fmt.Errorf("the stakes are raised with exactly three power struggle cards, not %d; PASS leaves them", len(c.Items))
	}
	var atoms []rules.Atom
	for _, item := range c.Items {
		if len(item.Modifiers) > 0 {
			return nil, fmt.Errorf("%s is only for an attack", item.Modifiers[0].Word)
		}
		atoms = append(atoms, engine.NewAtom(engine.VerbRaise, 0, item.Name.Code))
	}
	return newAnswerList([]engine.QuestionKind{engine.AskStakes}, atoms...), nil
}

// parseAttack parses ATTACK with a list of attacks, for example "ATTACK Rally, Strike-3". It returns an answer for
// each attack.
func (r *orderParser) parseAttack(c rules.Clause) ([]rules.Answer, error) {
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	var out []rules.Answer
	for _, item := range c.Items {
		a, err := attackAtom(item)
		if err != nil {
			return nil, err
		}
		out = append(out, newAnswer([]engine.QuestionKind{engine.AskAttack}, a))
	}
	return out, nil
}

// attackAtom returns the atom of an attack in the list, for example "Elite Leader AS Rally".
func attackAtom(item rules.Item) (rules.Atom, error) {
	k := engine.StruggleCard(item.Name.Code)
	a := engine.NewAtom(engine.VerbAttack, 0, int(k))
	if len(item.Modifiers) > 1 {
		return 0, fmt.Errorf("%v takes only one of AS and IN", k)
	}
	for _, m := range item.Modifiers {
		switch {
		case m.Word == wordAs && k.Info().Leader, m.Word == wordIn && k == engine.ScareTactics:
			a = engine.NewAtom(engine.VerbAttack, uint8(m.Name.Code), int(k))
		case m.Word == wordAs:
			return 0, fmt.Errorf("%v has no suit to choose: only leaders take AS", k)
		default:
			return 0, fmt.Errorf("%v names no space: only Scare Tactics takes IN", k)
		}
	}
	if k.Info().Leader && len(item.Modifiers) == 0 {
		return 0, fmt.Errorf("%v stands for a suit of your choice: write %s %[1]v %[3]s Rally, Strike, March or Petition",
			k, wordAttack, wordAs)
	}
	return a, nil
}

// parseDefend parses DEFEND with a list of defences, for example "DEFEND Rally, CONCEDE". It returns an answer for
// each defence.
func (r *orderParser) parseDefend(c rules.Clause) ([]rules.Answer, error) {
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	var out []rules.Answer
	for _, item := range c.Items {
		a := engine.NewAtom(engine.VerbDefend, 0, item.Name.Code)
		switch {
		case item.Name.Kind == nameListEnd && engine.Verb(item.Name.Code) == engine.VerbConcede:
			a = engine.AtomConcede
		case item.Name.Kind == nameListEnd:
			return nil, errors.New("a defence is given up with CONCEDE, not with PASS")
		case len(item.Modifiers) > 0:
			return nil, fmt.Errorf("%s is only for an attack; a leader defends in the attack's suit", item.Modifiers[0].Word)
		}
		out = append(out, newAnswer([]engine.QuestionKind{engine.AskDefend}, a))
	}
	return out, checkPassLast(out)
}

// parseBareKeyword parses orders without names: CONCEDE, KEEP POWER, SURRENDER POWER and PASS.
func (r *orderParser) parseBareKeyword(c rules.Clause) ([]rules.Answer, error) {
	if err := r.expectOneClause(); err != nil {
		return nil, err
	}
	switch c.Word {
	case wordConcede:
		return newAnswerList([]engine.QuestionKind{engine.AskDefend}, engine.AtomConcede), nil
	case wordKeep:
		return newAnswerList([]engine.QuestionKind{engine.AskPower}, choiceAtom(engine.ChooseOption, engine.OptionKeepPower)), nil
	case wordSurrender:
		return newAnswerList([]engine.QuestionKind{engine.AskPower}, choiceAtom(engine.ChooseOption, engine.OptionSurrenderPower)), nil
	}
	return r.parsePass(), nil
}

// parsePass parses PASS. The answer has all kinds of open questions, even of questions that cannot be declined: the
// refusal of the answer then explains this to the player.
func (r *orderParser) parsePass() []rules.Answer {
	a := newAnswer([]engine.QuestionKind{engine.AskExtraRound, engine.AskOps, engine.AskGrant, engine.AskSecondCheck, engine.AskPlace,
		engine.AskCheck, engine.AskTake, engine.AskDiscard, engine.AskStakes,
		engine.AskCountry, engine.AskCard, engine.AskDeclare}, engine.AtomPass)
	for _, k := range r.openKinds {
		if !slices.Contains(a.Kinds, k) {
			a.Kinds = append(a.Kinds, k)
		}
	}
	return []rules.Answer{a}
}

func clauseText(c rules.Clause) string {
	names := mapTexts(c.Items, func(item rules.Item) string {
		if item.Count > 1 {
			return fmt.Sprintf("%s %d", item.Name.Text, item.Count)
		}
		return item.Name.Text
	})
	return strings.TrimSpace(c.Word + " " + joinComma(names))
}
