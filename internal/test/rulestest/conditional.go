package rulestest

import (
	"fmt"
	"strings"

	"samizdat/rules"
)

// Labels returns no labels: all sources of decisions are cards.
func (game) Labels() []string { return nil }

// PlanLabel returns no label: orders are never tied to a source.
func (game) PlanLabel(rules.Order) string { return "" }

// IsAction reports whether a decision begins a turn.
func (game) IsAction(d rules.Decision) bool { return d.Kind == kindPlay }

// Period is constant: conditional orders last for the whole match.
func (game) Period(rules.View) int { return 1 }

// ParseCondition parses "HOLD <card>", which is true while the writer's hand has the card.
func (game) ParseCondition(text string, find rules.Finder) (func(rules.View) bool, error) {
	word, rest, _ := strings.Cut(text, " ")
	if !strings.EqualFold(word, "HOLD") {
		return nil, fmt.Errorf("the condition %q is not understood: write HOLD <card>", text)
	}
	n, err := find(nameCard, rest)
	if err != nil {
		return nil, err
	}
	return func(rv rules.View) bool {
		v := rv.(*view)
		return v.seat != rules.NoSeat && v.p.hands[v.seat].has(n.Code)
	}, nil
}

// DescribeDoubt returns no doubts.
func (game) DescribeDoubt(rules.View, []rules.Answer) string { return "" }

// Baseline is empty, because DescribeSurprise needs only the events.
func (game) Baseline(rules.View) []byte { return nil }

// DescribeSurprise reports a card taken out of the writer's hand.
func (game) DescribeSurprise(_ string, _ []byte, v rules.View, events []rules.Event) string {
	for _, e := range events {
		if e.Kind == EventTaken && rules.Seat(e.Args[0]) == v.Seat() {
			return "A card was taken out of your hand."
		}
	}
	return ""
}

// Rash returns no warning: in Three Orchards no answer loses the match at once.
func (game) Rash(rules.View, rules.Decision, []rules.Atom) string { return "" }
