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

// Labels implements rules.Planner.
func (Words) Labels() []string {
	return each([]engine.Source{engine.SourceBox3, engine.SourceBox4, engine.SourceBox5, engine.SourceBox6, engine.SourceStakes,
		engine.SourceStruggle, engine.SourceLoss, engine.SourcePower, engine.SourceExtra}, engine.Source.String)
}

// PlanLabel implements rules.Planner: attacks and defences belong to a power struggle.
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

// Period implements rules.Planner: conditional orders last one turn.
func (Words) Period(v rules.View) int { return int(v.(*engine.View).Visible.Turn) }

// ParseCondition implements rules.Planner.
//
//	Gdansk MINE, Gdansk THEIRS, Gdansk FREE   control of a space
//	Gdansk 3                                  at least 3 support points of the writer
//	VP 3, VP -3 OR LESS, VP 3 OR MORE         the victory points, plus for the Democrat
//	HOLD 27                                   a card in the writer's hand
//	HAPPENED 2                                an event that has taken place
//	TURN 4, ROUND 5                           now; with OR MORE also later
func (Words) ParseCondition(text string, find rules.Finder) (func(rules.View) bool, error) {
	words := strings.Fields(strings.ToUpper(text))
	if len(words) < 2 {
		return nil, badCondition(text)
	}
	rest := strings.Join(strings.Fields(text)[1:], " ")
	switch words[0] {
	case "VP", "TURN", "ROUND":
		return parseNumberCondition(words)
	case "HOLD", "HAPPENED":
		n, err := find(nameCard, rest)
		if err != nil {
			return nil, err
		}
		c := engine.Card(n.Code)
		if words[0] == "HAPPENED" {
			return func(v rules.View) bool { return v.(*engine.View).Visible.Effects.Happened.Has(c) }, nil
		}
		return func(v rules.View) bool {
			own := v.(*engine.View)
			side := own.Visible.SideOf(own.Seat())
			return side != engine.Neutral && own.Visible.Piles[engine.HandPile(side)].Has(c)
		}, nil
	}
	last := len(words) - 1
	s, err := find(nameSpace, strings.Join(strings.Fields(text)[:last], " "))
	if err != nil {
		return nil, fmt.Errorf("%s (%w)", badCondition(text), err)
	}
	return parseSpaceCondition(engine.Space(s.Code), words[last], text)
}

func parseSpaceCondition(s engine.Space, what, text string) (func(rules.View) bool, error) {
	by := func(test func(p *engine.Position, side engine.Side) bool) func(rules.View) bool {
		return func(v rules.View) bool {
			own := v.(*engine.View)
			side := own.Visible.SideOf(own.Seat())
			return side != engine.Neutral && test(&own.Visible, side)
		}
	}
	switch what {
	case "MINE":
		return by(func(p *engine.Position, side engine.Side) bool { return p.Controlled[side].Has(s) }), nil
	case "THEIRS":
		return by(func(p *engine.Position, side engine.Side) bool { return p.Controlled[side.Enemy()].Has(s) }), nil
	case "FREE":
		return by(func(p *engine.Position, side engine.Side) bool {
			return !p.Controlled[side].Has(s) && !p.Controlled[side.Enemy()].Has(s)
		}), nil
	}
	n, err := strconv.Atoi(what)
	if err != nil || n < 1 {
		return nil, badCondition(text)
	}
	return by(func(p *engine.Position, side engine.Side) bool { return int(p.Support[side][s]) >= n }), nil
}

func parseNumberCondition(words []string) (func(rules.View) bool, error) {
	text := strings.Join(words, " ")
	n, err := strconv.Atoi(strings.TrimPrefix(words[1], "+"))
	if err != nil {
		return nil, badCondition(text)
	}
	value := map[string]func(p *engine.Position) int{
		"VP": func(p *engine.Position) int { return int(p.VP) }, "TURN": func(p *engine.Position) int { return int(p.Turn) },
		"ROUND": func(p *engine.Position) int { return int(p.Round) },
	}[words[0]]
	var fits func(x int) bool
	switch strings.Join(words[2:], " ") {
	case "":
		fits = func(x int) bool { return x == n }
	case "OR MORE":
		fits = func(x int) bool { return x >= n }
	case "OR LESS":
		fits = func(x int) bool { return x <= n }
	default:
		return nil, badCondition(text)
	}
	return func(v rules.View) bool { return fits(value(&v.(*engine.View).Visible)) }, nil
}

func badCondition(text string) error {
	return fmt.Errorf("the condition %q is not understood; these are: Gdansk MINE, THEIRS or FREE, Gdansk 3, VP -3 OR LESS, "+
		"VP 3 OR MORE, HOLD 27, HAPPENED 2, TURN 4, ROUND 5, joined with AND, with NOT before them", text)
}

// baseline holds the facts that DescribeSurprise compares with later views.
type baseline struct {
	VP       int            `json:"vp"`
	Controls []engine.Space `json:"controls"`
}

// Baseline implements rules.Planner.
func (Words) Baseline(v rules.View) []byte {
	own := v.(*engine.View)
	side := own.Visible.SideOf(own.Seat())
	b := baseline{VP: int(own.Visible.VP)}
	if side != engine.Neutral {
		b.Controls = own.Visible.Controlled[side].List()
	}
	data, err := json.Marshal(b)
	if err != nil {
		return nil
	}
	return data
}

// surprisingSwing is the change of victory points that counts as a surprise.
const surprisingSwing = 3

// struggleSources are the sources of questions in a power struggle. Answers for them expect that a
// struggle begins and costs points, so neither is a surprise.
var struggleSources = []string{engine.SourceStakes.String(), engine.SourceStruggle.String(), engine.SourceLoss.String(),
	engine.SourcePower.String()}

// DescribeSurprise implements rules.Planner. Surprises are a Scoring Card played by the enemy, a
// card of the writer that the enemy sees or makes the writer lose, a lost space, and a swing of
// victory points. Cards that the writer plays, discards or announces voluntarily are no surprise.
func (Words) DescribeSurprise(source string, data []byte, v rules.View, events []rules.Event) string {
	if slices.Contains(struggleSources, source) {
		return ""
	}
	own := v.(*engine.View)
	p := &own.Visible
	side := p.SideOf(own.Seat())
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
		return "What it was measured against can no longer be read."
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
		c, by := engine.Card(e.Args[0]), engine.Side(e.Args[1])
		if e.Kind == engine.EvPlayed {
			by = engine.Side(e.Args[2])
		}
		if by != side && c.Info().Scoring != engine.NoCountry {
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

// isRandomDiscard reports whether a source discards a random card of the hand, not a chosen card.
func isRandomDiscard(s engine.Source) bool {
	return s < engine.Source(engine.Cards) && slices.ContainsFunc(engine.StepsOf(engine.Card(s)),
		func(st engine.Step) bool { return st.Act == &engine.ActDiscardAtRandom })
}

// Warning implements rules.Game.Warning. A side that holds a Scoring Card at the end of a turn
// loses the match (rule 10.2). The warning comes if an answer leaves more Scoring Cards than action
// rounds to play them, and another answer does not.
func (Words) Warning(v rules.View, _ rules.Decision, atoms []rules.Atom) string {
	own := v.(*engine.View)
	p := &own.Visible
	side := p.SideOf(own.Seat())
	if side == engine.Neutral || len(atoms) == 0 || p.Question.Side != side || p.Phase != engine.PhaseRounds {
		return ""
	}
	current := scoringLoad{p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len(), roundsLeft(p, side)}
	if current.cards < current.rounds {
		return "" // No answer adds more than one.
	}
	after, best, asked := compareLoads(p, side, current, atoms)
	if !asked || after.bearable() || !best.bearable() {
		return ""
	}
	s := "s"
	if after.cards == 1 {
		s = ""
	}
	return fmt.Sprintf("You would hold %d Scoring Card%s, with %d of your action rounds left in this turn, and whoever holds one at the "+
		"end of the turn loses the match.", after.cards, s, after.rounds)
}

// scoringLoad is the number of Scoring Cards in a hand and the number of rounds left to play them.
type scoringLoad struct{ cards, rounds int }

func (l scoringLoad) bearable() bool { return l.cards <= l.rounds }

func roundsLeft(p *engine.Position, side engine.Side) int {
	n := engine.RoundsATurn - int(p.Round)
	if side == engine.Democrat && p.Phasing == engine.Communist {
		n++ // The Communist plays first in a round.
	}
	if side == engine.Communist && p.Effects.ExtraRound {
		n++
	}
	return max(0, n)
}

// compareLoads returns the burden after the answer and after the best answer.
func compareLoads(p *engine.Position, side engine.Side, current scoringLoad, atoms []rules.Atom) (after, best scoringLoad, asked bool) {
	after, best = current, current
	scoring := func(a rules.Atom) int {
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
				after.cards -= scoring(a)
			}
		}
	case q.Kind == engine.AskCard && q.Source == engine.Source(engine.Samizdat):
		best.cards = max(0, current.cards-1)
		if engine.AtomVerb(atoms[0]) == engine.VerbChoose {
			after.cards -= scoring(atoms[0])
		}
	case q.Kind == engine.AskTake && q.Source == engine.SourceBox3:
		after.cards += scoring(atoms[0])
		if p.Piles[engine.PileShown].Minus(engine.ScoringCards).IsEmpty() {
			best.cards++
		}
	default:
		return after, best, false
	}
	return after, best, true
}

// loadAfterPlay returns the least burden after a play: card 75 may discard all Scoring Cards, card 77 one, and card
// 15 adds a round.
func loadAfterPlay(p *engine.Position, side engine.Side, b scoringLoad, a rules.Atom) scoringLoad {
	if engine.AtomVerb(a) != engine.VerbPlay {
		return b
	}
	c, m := engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a))
	switch happens := m == engine.PlayEvent || m == engine.PlayBothFirst || m == engine.PlayBothAfter; {
	case c.Info().Scoring != engine.NoCountry:
		b.cards--
	case !happens || engine.EventSide(c, side) != side:
	case c == engine.ExitVisas:
		b.cards = 0
	case c == engine.Samizdat:
		b.cards = max(0, b.cards-1)
	case c == engine.Honecker && p.Round <= engine.RoundsATurn && !p.Effects.ExtraRound:
		b.rounds++
	}
	return b
}
