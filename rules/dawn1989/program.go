package dawn1989

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

var _ rules.Planner = Game{}

// Labels implements rules.Planner.
func (Game) Labels() []string {
	var out []string
	for _, s := range []Source{SourceBox3, SourceBox4, SourceBox5, SourceBox6, SourceStakes, SourceStruggle, SourceLoss, SourcePower, SourceExtra} {
		out = append(out, s.String())
	}
	return out
}

// Plan implements rules.Planner: attacks and defences belong to a power struggle.
func (Game) Plan(o rules.Order) string {
	switch o.Clauses[0].Word {
	case wordAttack, wordDefend:
		return SourceStruggle.String()
	}
	return ""
}

// Action implements rules.Planner.
func (Game) Action(d rules.Decision) bool {
	switch d.Kind {
	case AskRound.String(), AskExtraRound.String(), AskStrike.String():
		return true
	}
	return false
}

// Period implements rules.Planner: orders ahead are for one turn.
func (Game) Period(v rules.View) int { return int(v.(*View).p.turn) }

// Condition implements rules.Planner.
//
//	Gdansk MINE, Gdansk THEIRS, Gdansk FREE   who controls a space
//	Gdansk 3                                  so many support points of the writer, or more
//	VP 3, VP -3 OR LESS, VP 3 OR MORE         the victory points, as they are counted
//	HOLD 27                                   a card in the writer's hand
//	HAPPENED 2                                an event that has taken place
//	TURN 4, ROUND 5                           now, or with OR MORE later
func (Game) Condition(text string, find rules.Finder) (func(rules.View) bool, error) {
	words := strings.Fields(strings.ToUpper(text))
	if len(words) < 2 {
		return nil, badCondition(text)
	}
	rest := strings.Join(strings.Fields(text)[1:], " ")
	switch words[0] {
	case "VP", "TURN", "ROUND":
		return counted(words)
	case "HOLD", "HAPPENED":
		n, err := find(nameCard, rest)
		if err != nil {
			return nil, err
		}
		c := Card(n.Code)
		if words[0] == "HAPPENED" {
			return func(v rules.View) bool { return v.(*View).p.force.happened.has(c) }, nil
		}
		return func(v rules.View) bool {
			own := v.(*View)
			side := own.p.sideOf(own.seat)
			return side != Neutral && own.p.piles[hand(side)].has(c)
		}, nil
	}
	last := len(words) - 1
	s, err := find(nameSpace, strings.Join(strings.Fields(text)[:last], " "))
	if err != nil {
		return nil, fmt.Errorf("%s (%w)", badCondition(text), err)
	}
	return spaceIs(Space(s.Code), words[last], text)
}

// spaceIs tests a space.
func spaceIs(s Space, what, text string) (func(rules.View) bool, error) {
	by := func(test func(p *Position, side Side) bool) func(rules.View) bool {
		return func(v rules.View) bool {
			own := v.(*View)
			side := own.p.sideOf(own.seat)
			return side != Neutral && test(&own.p, side)
		}
	}
	switch what {
	case "MINE":
		return by(func(p *Position, side Side) bool { return p.controls[side].has(s) }), nil
	case "THEIRS":
		return by(func(p *Position, side Side) bool { return p.controls[side.Enemy()].has(s) }), nil
	case "FREE":
		return by(func(p *Position, side Side) bool { return !p.controls[side].has(s) && !p.controls[side.Enemy()].has(s) }), nil
	}
	n, err := strconv.Atoi(what)
	if err != nil || n < 1 {
		return nil, badCondition(text)
	}
	return by(func(p *Position, side Side) bool { return int(p.support[side][s]) >= n }), nil
}

// counted tests the victory points, the turn or the round.
func counted(words []string) (func(rules.View) bool, error) {
	text := strings.Join(words, " ")
	n, err := strconv.Atoi(strings.TrimPrefix(words[1], "+"))
	if err != nil {
		return nil, badCondition(text)
	}
	value := map[string]func(p *Position) int{
		"VP": func(p *Position) int { return int(p.vp) }, "TURN": func(p *Position) int { return int(p.turn) },
		"ROUND": func(p *Position) int { return int(p.round) },
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
	return func(v rules.View) bool { return fits(value(&v.(*View).p)) }, nil
}

func badCondition(text string) error {
	return fmt.Errorf("the condition %q is not understood; these are: Gdansk MINE, THEIRS or FREE, Gdansk 3, VP -3 OR LESS, "+
		"VP 3 OR MORE, HOLD 27, HAPPENED 2, TURN 4, ROUND 5, joined with AND, with NOT before them", text)
}

// baseline is what surprises are measured against.
type baseline struct {
	VP       int     `json:"vp"`
	Controls []Space `json:"controls"`
}

// Baseline implements rules.Planner.
func (Game) Baseline(v rules.View) []byte {
	own := v.(*View)
	side := own.p.sideOf(own.seat)
	b := baseline{VP: int(own.p.vp)}
	if side != Neutral {
		held := own.p.controls[side]
		for s := held.next(); s != 0; s = held.next() {
			b.Controls = append(b.Controls, s)
		}
	}
	data, err := json.Marshal(b)
	if err != nil {
		return nil
	}
	return data
}

func cardsOf(set CardSet) []Card {
	var out []Card
	for c := set.next(); c != 0; c = set.next() {
		out = append(out, c)
	}
	return out
}

// swing is how far the victory points may move before it is a surprise.
const swing = 3

// struggleSources are the sources of questions within a power struggle. That one
// begins, and what it costs, is what their answers were written for.
var struggleSources = []string{SourceStakes.String(), SourceStruggle.String(), SourceLoss.String(), SourcePower.String()}

// Surprise implements rules.Planner. A surprise is a Scoring Card that the other
// side plays, a card of the writer that the other side sees or makes him lose, a
// space lost, and a swing of victory points. Cards that he plays, discards or
// announces of his own choice are none.
func (Game) Surprise(source string, data []byte, v rules.View, events []rules.Event) string {
	if slices.Contains(struggleSources, source) {
		return ""
	}
	own := v.(*View)
	p := &own.p
	side := p.sideOf(own.seat)
	if side == Neutral {
		return ""
	}
	for i := range events {
		if why := surprising(side, &events[i]); why != "" {
			return why
		}
	}
	var b baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return "What it was measured against can no longer be read."
	}
	if n := int(p.vp) - b.VP; n >= swing || n <= -swing {
		return fmt.Sprintf("The victory points have moved by %+d since it was written.", n)
	}
	for _, s := range b.Controls {
		if !p.controls[side].has(s) {
			return fmt.Sprintf("%v was lost meanwhile.", s)
		}
	}
	return ""
}

// surprising says what is a surprise to a side in an event.
func surprising(side Side, e *rules.Event) string {
	first, second := Side(e.Args[0]), Card(e.Args[1])
	switch e.Kind {
	case EvPlayed, EvEvent:
		c, by := Card(e.Args[0]), Side(e.Args[1])
		if e.Kind == EvPlayed {
			by = Side(e.Args[2])
		}
		if by != side && c.Info().Scoring != NoCountry {
			return fmt.Sprintf("%v was played meanwhile.", c)
		}
	case EvShown:
		if first == side {
			return fmt.Sprintf("Your card %d was seen meanwhile.", second)
		}
	case EvHandedOver:
		if first == side {
			return fmt.Sprintf("Your card %d left your hand meanwhile.", second)
		}
	case EvTaken:
		if first != side && e.Args[2] == takenFromEnemy {
			return fmt.Sprintf("Your card %d left your hand meanwhile.", second)
		}
	case EvDiscarded:
		if first == side && byLot(Source(e.Args[2])) {
			return fmt.Sprintf("Your card %d left your hand meanwhile.", second)
		}
	}
	return ""
}

// byLot reports whether what a source makes a side discard is drawn out of its
// hand, and not its choice.
func byLot(s Source) bool {
	return s < Source(cards) && slices.ContainsFunc(scripts[s], func(st Step) bool { return st.verb == &discardAtRandomVerb })
}
