package words

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Labels implements rules.Planner. It returns the sources of decisions that are not cards, for example "STRUGGLE".
func (Words) Labels() []string {
	return mapTexts([]engine.Source{engine.SourceBox3, engine.SourceBox4, engine.SourceBox5, engine.SourceBox6, engine.SourceStakes,
		engine.SourceStruggle, engine.SourceLoss, engine.SourcePower, engine.SourceExtra}, engine.Source.String)
}

// PlanLabel implements rules.Planner. For ATTACK and DEFEND it returns "STRUGGLE", because these orders answer only
// decisions of a power struggle.
func (Words) PlanLabel(o rules.Order) string {
	switch o.Clauses[0].Word {
	case wordAttack, wordDefend:
		return engine.SourceStruggle.String()
	}
	return ""
}

// IsAction implements rules.Planner.
func (Words) IsAction(d rules.Decision) bool {
	switch d.Kind {
	case engine.AskRound.String(), engine.AskExtraRound.String(), engine.AskStrike.String():
		return true
	}
	return false
}

// Period implements rules.Planner. The period is the turn, so conditional orders expire at the end of the turn.
func (Words) Period(v rules.View) int { return int(v.(*engine.View).Visible.Turn) }

// ParseCondition implements rules.Planner.
//
//	Gdansk MINE, Gdansk THEIRS, Gdansk FREE   control of a space
//	Gdansk 3                                  at least 3 support points of the writer
//	VP 3, VP -3 OR LESS, VP 3 OR MORE         the victory points; positive is good for the Democrat
//	HOLD 27                                   a card in the writer's hand
//	HAPPENED 2                                an event that has taken place
//	TURN 4, ROUND 5                           the current turn or round; with OR MORE also a later turn or round
func (Words) ParseCondition(text string, find rules.Finder) (func(rules.View) bool, error) {
	words := strings.Fields(strings.ToUpper(text))
	if len(words) < 2 {
		return nil, newConditionError(text)
	}
	remaining := strings.Join(strings.Fields(text)[1:], " ")
	switch words[0] {
	case "VP", "TURN", "ROUND":
		return parseNumberCondition(words)
	case "HOLD", "HAPPENED":
		n, err := find(nameCard, remaining)
		if err != nil {
			return nil, err
		}
		c := engine.Card(n.Code)
		if words[0] == "HAPPENED" {
			return func(v rules.View) bool { return v.(*engine.View).Visible.Effects.PastEvents.Has(c) }, nil
		}
		return func(v rules.View) bool {
			view := v.(*engine.View)
			side := view.Visible.SideOf(view.Seat())
			return side != engine.Neutral && view.Visible.Piles[engine.HandPile(side)].Has(c)
		}, nil
	}
	last := len(words) - 1
	s, err := find(nameSpace, strings.Join(strings.Fields(text)[:last], " "))
	if err != nil {
		return nil, fmt.Errorf("%s (%w)", newConditionError(text), err)
	}
	return parseSpaceCondition(engine.Space(s.Code), words[last], text)
}

func parseSpaceCondition(s engine.Space, state, text string) (func(rules.View) bool, error) {
	forWriter := func(test func(p *engine.Position, side engine.Side) bool) func(rules.View) bool {
		return func(v rules.View) bool {
			view := v.(*engine.View)
			side := view.Visible.SideOf(view.Seat())
			return side != engine.Neutral && test(&view.Visible, side)
		}
	}
	switch state {
	case "MINE":
		return forWriter(func(p *engine.Position, side engine.Side) bool { return p.Controlled[side].Has(s) }), nil
	case "THEIRS":
		return forWriter(func(p *engine.Position, side engine.Side) bool { return p.Controlled[side.Enemy()].Has(s) }), nil
	case "FREE":
		return forWriter(func(p *engine.Position, side engine.Side) bool {
			return !p.Controlled[side].Has(s) && !p.Controlled[side.Enemy()].Has(s)
		}), nil
	}
	n, err := strconv.Atoi(state)
	if err != nil || n < 1 {
		return nil, newConditionError(text)
	}
	return forWriter(func(p *engine.Position, side engine.Side) bool { return int(p.Support[side][s]) >= n }), nil
}

var numberLimits = map[string][2]int{"VP": {-20, 20}, "TURN": {1, engine.Turns}, "ROUND": {1, engine.RoundsPerTurn + 1}}

// parseNumberCondition parses a condition with a number, for example "VP 3 OR MORE".
func parseNumberCondition(words []string) (func(rules.View) bool, error) {
	text := strings.Join(words, " ")
	n, err := strconv.Atoi(strings.TrimPrefix(words[1], "+"))
	if err != nil {
		return nil, newConditionError(text)
	}
	if limits := numberLimits[words[0]]; n < limits[0] || n > limits[1] {
		return nil, fmt.Errorf("the condition %q can never hold: %s is between %d and %d", text, words[0], limits[0], limits[1])
	}
	valueOf := map[string]func(p *engine.Position) int{
		"VP": func(p *engine.Position) int { return int(p.VP) }, "TURN": func(p *engine.Position) int { return int(p.Turn) },
		"ROUND": func(p *engine.Position) int { return int(p.Round) },
	}[words[0]]
	var matches func(x int) bool
	switch strings.Join(words[2:], " ") {
	case "":
		matches = func(x int) bool { return x == n }
	case "OR MORE":
		matches = func(x int) bool { return x >= n }
	case "OR LESS":
		matches = func(x int) bool { return x <= n }
	default:
		return nil, newConditionError(text)
	}
	return func(v rules.View) bool { return matches(valueOf(&v.(*engine.View).Visible)) }, nil
}

func newConditionError(text string) error {
	return fmt.Errorf("the condition %q is not understood; these are: Gdansk MINE, THEIRS or FREE, Gdansk 3, VP -3 OR LESS, "+
		"VP 3 OR MORE, HOLD 27, HAPPENED 2, TURN 4, ROUND 5, joined with AND, with NOT before them", text)
}

// baseline holds the facts of a view that DescribeSurprise compares with a later view. Controls are the spaces that
// the writer of the order controls.
type baseline struct {
	VP       int            `json:"vp"`
	Controls []engine.Space `json:"controls"`
}

// DescribeDoubt implements rules.Planner. It reports if an order ahead plays a card that the hand does not have now,
// or attacks or defends with a card that the power struggle hand does not have now.
func (Words) DescribeDoubt(rv rules.View, answers []rules.Answer) string {
	v := rv.(*engine.View)
	side := v.Visible.SideOf(v.Seat())
	if side == engine.Neutral || len(answers) == 0 || len(answers[0].Atoms) == 0 {
		return ""
	}
	a := answers[0].Atoms[0]
	switch c := engine.AtomValue(a); engine.AtomVerb(a) {
	case engine.VerbPlay:
		if !v.Visible.Piles[engine.HandPile(side)].Has(engine.Card(c)) {
			return fmt.Sprintf("Card %d, %v, is not in your hand now.", c, engine.Card(c))
		}
	case engine.VerbAttack, engine.VerbDefend:
		if v.Visible.Struggle.Country != engine.NoCountry && v.Visible.Struggle.Hands[side][c] == 0 {
			return fmt.Sprintf("%v is not among your cards of this power struggle now.", engine.StruggleCard(c))
		}
	}
	return ""
}

// Baseline implements rules.Planner.
func (Words) Baseline(v rules.View) []byte {
	view := v.(*engine.View)
	side := view.Visible.SideOf(view.Seat())
	b := baseline{VP: int(view.Visible.VP)}
	if side != engine.Neutral {
		b.Controls = view.Visible.Controlled[side].List()
	}
	data, err := json.Marshal(b)
	if err != nil {
		return nil
	}
	return data
}

// surprisingSwing is the smallest change of VP that counts as a surprise.
const surprisingSwing = 3

// struggleSources are the sources of decisions in a power struggle. If a conditional order is for such decisions, no
// event counts as a surprise: its writer expects that a scoring card is played and that the VP change.
var struggleSources = []string{engine.SourceStakes.String(), engine.SourceStruggle.String(), engine.SourceLoss.String(),
	engine.SourcePower.String()}

// DescribeSurprise implements rules.Planner. These surprises stop a conditional order: the enemy played a Scoring
// Card; a card of the writer was shown to the enemy or left the hand against the writer's will; the writer lost
// control of a space; or the VP have changed by surprisingSwing or more.
func (Words) DescribeSurprise(source string, data []byte, v rules.View, events []rules.Event) string {
	if slices.Contains(struggleSources, source) {
		return ""
	}
	view := v.(*engine.View)
	p := &view.Visible
	side := p.SideOf(view.Seat())
	if side == engine.Neutral {
		return ""
	}
	for i := range events {
		if reason := describeEventSurprise(side, &events[i]); reason != "" {
			return reason
		}
	}
	var b baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return "The position in which it was written can no longer be read."
	}
	if n := int(p.VP) - b.VP; n >= surprisingSwing || n <= -surprisingSwing {
		return fmt.Sprintf("The victory points have moved by %+d since it was written.", n)
	}
	for _, s := range b.Controls {
		if !p.Controlled[side].Has(s) {
			return fmt.Sprintf("%v was lost meanwhile.", s)
		}
	}
	return ""
}

func describeEventSurprise(side engine.Side, e *rules.Event) string {
	first, second := engine.Side(e.Args[0]), engine.Card(e.Args[1])
	switch e.Kind {
	case engine.EvPlayed, engine.EvEvent:
		c, actor := engine.Card(e.Args[0]), engine.Side(e.Args[1])
		if e.Kind == engine.EvPlayed {
			actor = engine.Side(e.Args[2])
		}
		if actor != side && c.Info().Scoring != engine.NoCountry {
			return fmt.Sprintf("%v was played meanwhile.", c)
		}
	case engine.EvShown:
		if first == side {
			return fmt.Sprintf("Your card %d was seen meanwhile.", second)
		}
	case engine.EvHandedOver:
		if first == side {
			return fmt.Sprintf("Your card %d left your hand meanwhile.", second)
		}
	case engine.EvTaken:
		if first != side && e.Args[2] == engine.TakenFromEnemy {
			return fmt.Sprintf("Your card %d left your hand meanwhile.", second)
		}
	case engine.EvDiscarded:
		if first == side && isRandomDiscard(engine.Source(e.Args[2])) {
			return fmt.Sprintf("Your card %d left your hand meanwhile.", second)
		}
	}
	return ""
}

// isRandomDiscard reports whether a source is an event that discards a random card, and not a card that the player
// chooses.
func isRandomDiscard(s engine.Source) bool {
	return s < engine.Source(engine.Cards) && slices.ContainsFunc(engine.StepsOf(engine.Card(s)),
		func(st engine.Step) bool { return st.Act == &engine.ActDiscardAtRandom })
}

// Warning implements rules.Game.Warning. A side that holds a Scoring Card at the end of a turn loses the match (rule
// 10.2). Warning warns of an answer after which the hand has more Scoring Cards than action rounds are left, unless
// all answers have this result.
func (Words) Warning(v rules.View, _ rules.Decision, atoms []rules.Atom) string {
	view := v.(*engine.View)
	p := &view.Visible
	side := p.SideOf(view.Seat())
	if side == engine.Neutral || len(atoms) == 0 || p.Question.Side != side || p.Phase != engine.PhaseRounds {
		return ""
	}
	current := scoringLoad{p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len(), roundsLeft(p, side)}
	if current.cards < current.rounds {
		return "" // An answer adds at most one Scoring Card, so there will still be enough rounds.
	}
	after, best, isRelevant := compareLoads(p, side, current, atoms)
	if !isRelevant || after.isPlayable() || !best.isPlayable() {
		return ""
	}
	s := "s"
	if after.cards == 1 {
		s = ""
	}
	return fmt.Sprintf("You would hold %d Scoring Card%s, with %d of your action rounds left in this turn, and whoever holds one at the "+
		"end of the turn loses the match.", after.cards, s, after.rounds)
}

// scoringLoad is the number of Scoring Cards in a hand, and the number of action rounds that are left to play them.
type scoringLoad struct{ cards, rounds int }

func (l scoringLoad) isPlayable() bool { return l.cards <= l.rounds }

func roundsLeft(p *engine.Position, side engine.Side) int {
	n := engine.RoundsPerTurn - int(p.Round)
	if side == engine.Democrat && p.Phasing == engine.Communist {
		n++ // The Communist plays first in a round, so the Democrat's round with this number is still to come.
	}
	if side == engine.Communist && p.Effects.ExtraRound {
		n++
	}
	return max(0, n)
}

// compareLoads returns the scoringLoad after the answer with these atoms (after), and after the answer that leaves
// the fewest Scoring Cards for the rounds (best). isRelevant reports whether answers to this decision can change the
// load.
func compareLoads(p *engine.Position, side engine.Side, current scoringLoad,
	atoms []rules.Atom) (after, best scoringLoad, isRelevant bool) {
	after, best = current, current
	countScoring := func(a rules.Atom) int {
		if engine.Card(engine.AtomValue(a)).Info().Scoring != engine.NoCountry {
			return 1
		}
		return 0
	}
	switch q := &p.Question; {
	case q.Kind == engine.AskRound || q.Kind == engine.AskExtraRound || q.Kind == engine.AskStrike:
		after = loadAfterPlay(p, side, current, atoms[0])
		for _, a := range p.LegalAtoms(nil) {
			if b := loadAfterPlay(p, side, current, a); b.cards-b.rounds < best.cards-best.rounds {
				best = b
			}
		}
	case q.Kind == engine.AskDiscard && q.Source == engine.Source(engine.ExitVisas):
		best.cards = 0
		for _, a := range atoms {
			if engine.AtomVerb(a) == engine.VerbDiscard {
				after.cards -= countScoring(a)
			}
		}
	case q.Kind == engine.AskCard && q.Source == engine.Source(engine.Samizdat):
		best.cards = max(0, current.cards-1)
		if engine.AtomVerb(atoms[0]) == engine.VerbChoose {
			after.cards -= countScoring(atoms[0])
		}
	case q.Kind == engine.AskTake && q.Source == engine.SourceBox3:
		after.cards += countScoring(atoms[0])
		if p.Piles[engine.PileShown].Minus(engine.ScoringCards).IsEmpty() {
			best.cards++
		}
	default:
		return after, best, false
	}
	return after, best, true
}

// loadAfterPlay returns the smallest scoringLoad that is possible after a play. The event of card 75 may discard all
// Scoring Cards, the event of card 77 may put one card aside, and the event of card 15 adds a round.
func loadAfterPlay(p *engine.Position, side engine.Side, load scoringLoad, a rules.Atom) scoringLoad {
	if engine.AtomVerb(a) != engine.VerbPlay {
		return load
	}
	c, m := engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a))
	switch eventHappens := m == engine.PlayEvent || m == engine.PlayBothFirst || m == engine.PlayBothAfter; {
	case c.Info().Scoring != engine.NoCountry:
		load.cards--
	case !eventHappens || engine.EventSide(c, side) != side:
	case c == engine.ExitVisas:
		load.cards = 0
	case c == engine.Samizdat:
		load.cards = max(0, load.cards-1)
	case c == engine.Honecker && p.Round <= engine.RoundsPerTurn && !p.Effects.ExtraRound:
		load.rounds++
	}
	return load
}
