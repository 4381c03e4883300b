package words

import (
	"errors"
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// playOrder is a parsed PLAY order, the answer to the decision of an action round. Two parts of the order become
// answers of their own: the Operations after EVENT FIRST, and the second support check. For example, "PLAY 36 EVENT
// FIRST OPS PLACE Lodz 2" becomes two answers: the play and, after the event, the placement.
type playOrder struct {
	card engine.Card
	// withCard is the card after WITH, or 0.
	withCard engine.Card
	// use is OPS, BOTH, EVENT or STRIKE, and eventClause is EVENT FIRST, EVENT AFTER or NO EVENT. Each is "" if the
	// order does not have it.
	use, eventClause string
	operationClause  *rules.Clause
	hasBonus         bool
}

// parsePlay parses PLAY, for example "PLAY 40 OPS PLACE Lodz 2 EVENT AFTER".
func (r *orderParser) parsePlay(c rules.Clause) ([]rules.Answer, error) {
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
	if o.withCard != 0 && o.card == engine.CommonEuropeanHome {
		o.card = o.withCard
	}
	atoms := []rules.Atom{engine.PlayAtom(o.card, mode)}
	kinds := []engine.QuestionKind{engine.AskRound, engine.AskExtraRound, engine.AskStrike}
	if o.operationClause == nil || mode == engine.PlayTiananmen {
		return newAnswerList(kinds, atoms...), nil
	}
	now, later, err := o.operationAtoms()
	if err != nil {
		return nil, err
	}
	if mode == engine.PlayEventFirst || mode == engine.PlayBothFirst {
		later = append([]rules.Answer{newAnswer([]engine.QuestionKind{engine.AskOps}, now...)}, later...)
		now = nil
	}
	// Plain is set, because the Operations of a PLAY order are those of the card, not Operations that its event
	// grants.
	for i := range later {
		later[i].Plain = true
	}
	return append([]rules.Answer{newAnswer(kinds, append(atoms, now...)...)}, later...), nil
}

// add adds a clause of the order. It returns an error if the order already has a clause that excludes it.
func (o *playOrder) add(c rules.Clause) error {
	setOnce := func(field *string) error {
		if *field == wordOps && c.Word == wordOps {
			return nil // The player wrote OPS again, as in "event after ops".
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
		return setOnce(&o.use)
	case wordFirst, wordAfter, wordNoEvent:
		return setOnce(&o.eventClause)
	case wordPlace, wordCheck, wordTiananmen:
		if o.operationClause != nil {
			return fmt.Errorf("%s and %s: a card's Operations are spent in one way only", o.operationClause.Word, c.Word)
		}
		o.operationClause = &c
	case wordBonus:
		o.hasBonus = true
	case wordWith:
		o.withCard = engine.Card(c.Items[0].Name.Code)
	default:
		return fmt.Errorf("%s does not go with PLAY; give it a line of its own below", c.Word)
	}
	return nil
}

// mode returns the mode of play that the clauses describe, or an error with a text for the player.
func (o *playOrder) mode() (engine.Mode, error) {
	if o.use == "" && (o.eventClause != "" || o.operationClause != nil && o.operationClause.Word == wordTiananmen) {
		// EVENT FIRST, EVENT AFTER, NO EVENT and TIANANMEN imply OPS, unless the order has another use.
		o.use = wordOps
	}
	switch {
	case o.hasBonus && (o.operationClause == nil || o.operationClause.Word != wordCheck):
		return 0, errors.New("BONUS follows CHECK and its spaces; a placement has its extra point without it")
	case o.use == "":
		return o.impliedMode()
	case o.withCard != 0:
		return o.withHomeMode()
	case o.use == wordStrike || o.use == wordEvent:
		return o.eventOrStrikeMode()
	case o.operationClause != nil && o.operationClause.Word == wordTiananmen:
		return o.tiananmenMode()
	case o.use == wordBoth:
		return o.bothMode()
	}
	switch o.eventClause {
	case wordFirst:
		return engine.PlayEventFirst, nil
	case wordAfter:
		return engine.PlayEventAfter, nil
	case wordNoEvent:
		return engine.PlayNoEvent, nil
	}
	return engine.PlayOps, nil
}

// impliedMode returns the mode of an order without OPS, BOTH, EVENT or STRIKE. A scoring card can be played so, for
// its event; for other cards impliedMode returns an error.
func (o *playOrder) impliedMode() (engine.Mode, error) {
	switch {
	case o.operationClause == nil && o.eventClause == "" && o.withCard == 0 && o.card.Info().Scoring != engine.NoCountry:
		return engine.PlayEvent, nil
	case o.operationClause != nil:
		return 0, fmt.Errorf("to use the card for Operations, write PLAY %d OPS %s", o.card, clauseText(*o.operationClause))
	}
	return 0, fmt.Errorf("what is card %d played for, its event or Operations?", o.card)
}

func (o *playOrder) withHomeMode() (engine.Mode, error) {
	home := int(engine.CommonEuropeanHome)
	switch {
	case o.card != engine.CommonEuropeanHome && o.withCard != engine.CommonEuropeanHome || o.card == o.withCard:
		return 0, fmt.Errorf("WITH is for card %d, %v, and another card that is played for Operations", home, engine.CommonEuropeanHome)
	case o.use != wordOps || o.operationClause != nil && o.operationClause.Word == wordTiananmen:
		return 0, fmt.Errorf("with card %d the other card is played for Operations, and PLACE or CHECK follows OPS", home)
	case o.eventClause != "":
		return 0, fmt.Errorf("with card %d no event happens: leave %s out", home, o.eventClause)
	}
	return engine.PlayWithHome, nil
}

// eventOrStrikeMode returns the mode of PLAY ... EVENT and PLAY ... STRIKE. These orders may have no other clause.
func (o *playOrder) eventOrStrikeMode() (engine.Mode, error) {
	switch {
	case o.operationClause != nil:
		return 0, fmt.Errorf("PLAY %d %s takes no operation; if the event asks for something, answer it on the next line", o.card, o.use)
	case o.eventClause != "":
		return 0, fmt.Errorf("%s goes with OPS, not with %s", o.eventClause, o.use)
	case o.use == wordStrike:
		return engine.PlayStrike, nil
	}
	return engine.PlayEvent, nil
}

func (o *playOrder) tiananmenMode() (engine.Mode, error) {
	switch {
	case o.use == wordBoth:
		return 0, errors.New("BOTH takes PLACE or CHECK, not TIANANMEN")
	case o.eventClause != "":
		return 0, fmt.Errorf("no event happens with a Tiananmen attempt: leave %s out", o.eventClause)
	}
	return engine.PlayTiananmen, nil
}

func (o *playOrder) bothMode() (engine.Mode, error) {
	switch o.eventClause {
	case wordFirst:
		return engine.PlayBothFirst, nil
	case wordAfter:
		return engine.PlayBothAfter, nil
	}
	if o.operationClause == nil {
		return 0, fmt.Errorf("say when the event happens: PLAY %d BOTH EVENT FIRST, or PLAY %[1]d BOTH PLACE ... EVENT AFTER", o.card)
	}
	return 0, fmt.Errorf("say when the event happens: PLAY %d BOTH %s EVENT FIRST, or EVENT AFTER", o.card, clauseText(*o.operationClause))
}

// operationAtoms returns the atoms that answer the first decision about the Operations (now), and the answers to
// later decisions (later). For example, CHECK Gdansk, Lodz gives the atom of Gdansk now, and later an answer with the
// atom of Lodz.
func (o *playOrder) operationAtoms() (now []rules.Atom, later []rules.Answer, err error) {
	c := *o.operationClause
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
		// The first check claims the bonus for both checks.
		claim := uint8(0)
		if o.hasBonus && i == 0 {
			claim = 1
		}
		a := engine.NewAtom(engine.VerbOpsCheck, claim, item.Name.Code)
		if item.Name.Kind == nameListEnd {
			if i == 0 || engine.Verb(item.Name.Code) != engine.VerbPass {
				return nil, nil, fmt.Errorf("%s does not go with CHECK here", item.Name.Text)
			}
			a = engine.AtomPass
		}
		if i == 0 {
			now = append(now, a)
		} else {
			later = append(later, newAnswer([]engine.QuestionKind{engine.AskSecondCheck}, a))
		}
	}
	return now, later, nil
}

// parseOps parses an order that begins with OPS, for example "OPS PLACE Lodz 2".
func (r *orderParser) parseOps(rules.Clause) ([]rules.Answer, error) {
	if len(r.order.Clauses) == 1 {
		return nil, errors.New("OPS wants an operation after it, which is PLACE, CHECK or TIANANMEN")
	}
	return r.parseOperations(r.order.Clauses[1:])
}

// parseOperation parses an order that begins with PLACE, CHECK or TIANANMEN and is meant for Operations.
func (r *orderParser) parseOperation(rules.Clause) ([]rules.Answer, error) {
	return r.parseOperations(r.order.Clauses)
}

// parseOperations parses the clauses of an operation, for example "CHECK Leipzig, Dresden BONUS".
func (r *orderParser) parseOperations(list []rules.Clause) ([]rules.Answer, error) {
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
	case o.operationClause == nil:
		return nil, errors.New("OPS wants PLACE, CHECK or TIANANMEN")
	case o.hasBonus && o.operationClause.Word != wordCheck:
		return nil, errors.New("BONUS follows CHECK and its spaces; a placement has its extra point without it")
	}
	now, later, err := o.operationAtoms()
	if err != nil {
		return nil, err
	}
	kinds := []engine.QuestionKind{engine.AskOps, engine.AskGrant}
	if o.operationClause.Word == wordCheck {
		kinds = append(kinds, engine.AskSecondCheck)
	}
	return append(newAnswerList(kinds, now...), later...), nil
}
