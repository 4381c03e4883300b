package words

import (
	"errors"
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// A PLAY order answers the action round. Its later parts (the Operations after EVENT FIRST, the
// second support check) are separate answers. For example, "PLAY 36 EVENT FIRST OPS PLACE Lodz 2"
// becomes the play and, after the event, a placement.

type playOrder struct {
	card engine.Card
	with engine.Card
	// how is OPS, BOTH, EVENT or STRIKE; when is the event clause, for example EVENT FIRST.
	how, when string
	op        *rules.Clause
	bonus     bool
}

func (r *orderReader) play(c rules.Clause) ([]rules.Answer, error) {
	o := playOrder{card: engine.Card(c.Items[0].Name.Code)}
	for _, c := range r.order.Clauses[1:] {
		if err := o.add(c); err != nil {
			return nil, err
		}
	}
	mode, err := o.mode()
	if err != nil {
		return nil, err
	}
	if o.with != 0 && o.card == engine.CommonEuropeanHome {
		o.card = o.with
	}
	atoms := []rules.Atom{engine.PlayAtom(o.card, mode)}
	asks := []engine.QuestionKind{engine.AskRound, engine.AskExtraRound, engine.AskStrike}
	if o.op == nil || mode == engine.PlayTiananmen {
		return oneAnswer(asks, atoms...), nil
	}
	now, later, err := o.operation()
	if err != nil {
		return nil, err
	}
	if mode == engine.PlayEventFirst || mode == engine.PlayBothFirst {
		later = append([]rules.Answer{answer([]engine.QuestionKind{engine.AskOps}, now...)}, later...)
		now = nil
	}
	// The Operations of a PLAY order belong to the card, never to its event.
	for i := range later {
		later[i].Plain = true
	}
	return append([]rules.Answer{answer(asks, append(atoms, now...)...)}, later...), nil
}

func (o *playOrder) add(c rules.Clause) error {
	put := func(field *string) error {
		if *field == wordOps && c.Word == wordOps {
			return nil // "event after ops" says OPS a second time.
		}
		if *field != "" {
			if c.Word == wordEvent || *field == wordEvent {
				return fmt.Errorf("say when the event happens: %s or %s, or play the card for the event only", wordFirst, wordAfter)
			}
			return fmt.Errorf("%s and %s do not go together", *field, c.Word)
		}
		*field = c.Word
		return nil
	}
	switch c.Word {
	case wordOps, wordBoth, wordEvent, wordStrike:
		return put(&o.how)
	case wordFirst, wordAfter, wordNoEvent:
		return put(&o.when)
	case wordPlace, wordCheck, wordTiananmen:
		if o.op != nil {
			return fmt.Errorf("%s and %s: a card's Operations are spent in one way only", o.op.Word, c.Word)
		}
		o.op = &c
	case wordBonus:
		o.bonus = true
	case wordWith:
		o.with = engine.Card(c.Items[0].Name.Code)
	default:
		return fmt.Errorf("%s does not go with PLAY; give it a line of its own below", c.Word)
	}
	return nil
}

func (o *playOrder) mode() (engine.Mode, error) {
	if o.how == "" && (o.when != "" || o.op != nil && o.op.Word == wordTiananmen) {
		// An event clause belongs to Operations unless the order has BOTH.
		o.how = wordOps
	}
	switch {
	case o.bonus && (o.op == nil || o.op.Word != wordCheck):
		return 0, errors.New("BONUS follows CHECK and its spaces; a placement has its extra point without it")
	case o.how == "":
		return o.impliedMode()
	case o.with != 0:
		return o.withHome()
	case o.how == wordStrike || o.how == wordEvent:
		return o.eventOrStrikeMode()
	case o.op != nil && o.op.Word == wordTiananmen:
		return o.tiananmen()
	case o.how == wordBoth:
		return o.both()
	}
	switch o.when {
	case wordFirst:
		return engine.PlayEventFirst, nil
	case wordAfter:
		return engine.PlayEventAfter, nil
	case wordNoEvent:
		return engine.PlayNoEvent, nil
	}
	return engine.PlayOps, nil
}

// impliedMode returns the mode of an order with only a card, which is complete for scoring cards alone.
func (o *playOrder) impliedMode() (engine.Mode, error) {
	switch {
	case o.op == nil && o.when == "" && o.with == 0 && o.card.Info().Scoring != engine.NoCountry:
		return engine.PlayEvent, nil
	case o.op != nil:
		return 0, fmt.Errorf("write PLAY %d OPS %s; what the event asks for stands on a line of its own", o.card, clauseText(*o.op))
	}
	return 0, fmt.Errorf("what is card %d played for, its event or Operations?", o.card)
}

func (o *playOrder) withHome() (engine.Mode, error) {
	home := int(engine.CommonEuropeanHome)
	switch {
	case o.card != engine.CommonEuropeanHome && o.with != engine.CommonEuropeanHome || o.card == o.with:
		return 0, fmt.Errorf("WITH is for card %d, %v, and another card that is played for Operations", home, engine.CommonEuropeanHome)
	case o.how != wordOps || o.op != nil && o.op.Word == wordTiananmen:
		return 0, fmt.Errorf("with card %d the other card is played for Operations, and PLACE or CHECK follows OPS", home)
	case o.when != "":
		return 0, fmt.Errorf("with card %d no event happens: leave %s out", home, o.when)
	}
	return engine.PlayWithHome, nil
}

// eventOrStrikeMode returns the mode of PLAY <card> EVENT and PLAY <card> STRIKE, which allow no further clause.
func (o *playOrder) eventOrStrikeMode() (engine.Mode, error) {
	switch {
	case o.op != nil:
		return 0, fmt.Errorf("PLAY %d %s takes no operation; what the event asks for stands on a line of its own", o.card, o.how)
	case o.when != "":
		return 0, fmt.Errorf("%s goes with OPS, not with %s", o.when, o.how)
	case o.how == wordStrike:
		return engine.PlayStrike, nil
	}
	return engine.PlayEvent, nil
}

func (o *playOrder) tiananmen() (engine.Mode, error) {
	switch {
	case o.how == wordBoth:
		return 0, errors.New("BOTH takes PLACE or CHECK, not TIANANMEN")
	case o.when != "":
		return 0, fmt.Errorf("no event happens with a Tiananmen attempt: leave %s out", o.when)
	}
	return engine.PlayTiananmen, nil
}

func (o *playOrder) both() (engine.Mode, error) {
	switch o.when {
	case wordFirst:
		return engine.PlayBothFirst, nil
	case wordAfter:
		return engine.PlayBothAfter, nil
	}
	if o.op == nil {
		return 0, fmt.Errorf("say when the event happens: PLAY %d BOTH EVENT FIRST, or PLAY %[1]d BOTH PLACE ... EVENT AFTER", o.card)
	}
	return 0, fmt.Errorf("say when the event happens: PLAY %d BOTH %s EVENT FIRST, or EVENT AFTER", o.card, clauseText(*o.op))
}

func (o *playOrder) operation() (now []rules.Atom, later []rules.Answer, err error) {
	c := *o.op
	switch c.Word {
	case wordPlace:
		return pointAtoms(engine.VerbOpsPlace, c), nil, nil
	case wordTiananmen:
		return []rules.Atom{engine.NewAtom(engine.VerbOpsTiananmen, 0, 0)}, nil, nil
	}
	if len(c.Items) > engine.MaxOpsChecks {
		return nil, nil, fmt.Errorf("a card's Operations are two support checks, not %d", len(c.Items))
	}
	for i, item := range c.Items {
		// The first check claims the bonus for both.
		claim := uint8(0)
		if o.bonus && i == 0 {
			claim = 1
		}
		a := engine.NewAtom(engine.VerbOpsCheck, claim, item.Name.Code)
		if item.Name.Kind == nameEnd {
			if i == 0 || engine.Verb(item.Name.Code) != engine.VerbPass {
				return nil, nil, fmt.Errorf("%s does not go with CHECK here", item.Name.Text)
			}
			a = engine.AtomPass
		}
		if i == 0 {
			now = append(now, a)
		} else {
			later = append(later, answer([]engine.QuestionKind{engine.AskSecondCheck}, a))
		}
	}
	return now, later, nil
}

func (r *orderReader) ops(rules.Clause) ([]rules.Answer, error) {
	if len(r.order.Clauses) == 1 {
		return nil, errors.New("OPS wants an operation after it, which is PLACE, CHECK or TIANANMEN")
	}
	return r.operations(r.order.Clauses[1:])
}

// operation parses PLACE, CHECK and TIANANMEN orders that mean Operations.
func (r *orderReader) operation(rules.Clause) ([]rules.Answer, error) {
	return r.operations(r.order.Clauses)
}

func (r *orderReader) operations(list []rules.Clause) ([]rules.Answer, error) {
	var o playOrder
	for _, c := range list {
		switch c.Word {
		case wordPlace, wordCheck, wordTiananmen, wordBonus:
			if err := o.add(c); err != nil {
				return nil, err
			}
		case wordFirst, wordAfter, wordNoEvent, wordEvent:
			return nil, fmt.Errorf("%s belongs after PLAY and the card", c.Word)
		default:
			return nil, fmt.Errorf("%s does not go with OPS", c.Word)
		}
	}
	switch {
	case o.op == nil:
		return nil, errors.New("OPS wants PLACE, CHECK or TIANANMEN")
	case o.bonus && o.op.Word != wordCheck:
		return nil, errors.New("BONUS follows CHECK and its spaces; a placement has its extra point without it")
	}
	now, later, err := o.operation()
	if err != nil {
		return nil, err
	}
	asks := []engine.QuestionKind{engine.AskOps, engine.AskGrant}
	if o.op.Word == wordCheck {
		asks = append(asks, engine.AskSecondCheck)
	}
	return append(oneAnswer(asks, now...), later...), nil
}
