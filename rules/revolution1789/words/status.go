package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Status implements rules.Scribe.
func (Words) Status(rv rules.View) string {
	v := rv.(*engine.View)
	switch {
	case v.Phase == engine.Over && v.Revolt.First != rules.Nobody:
		return fmt.Sprintf("The match ended in turn %d with a revolution.", v.Turn)
	case v.Phase == engine.Over:
		return fmt.Sprintf("The match ended after turn %d: the ministers decide.", v.Turn)
	case v.Turn == 0:
		return "All name the first Chairman."
	}
	what := "takes a seat"
	switch v.Phase {
	case engine.Voting:
		what = fmt.Sprintf("is in the chair; %s is voted on", v.Cards[v.VotedOn].Name())
	case engine.Purging:
		what = fmt.Sprintf("is in the chair; purge at %s", v.Cards[v.VotedOn].Name())
	case engine.Calling:
		what = "is in the chair; a revolution may be called"
	case engine.GivingFirst, engine.GivingSecond:
		what = "is in the chair; a revolution"
	}
	return fmt.Sprintf("Turn %d: %s %s.", v.Turn, citizen(v.InChair()), what)
}

// Headline is rules.Game.Headline.
func (Words) Headline(rv rules.View) string {
	if v := rv.(*engine.View); v.Turn > 0 {
		return fmt.Sprintf("turn %d", v.Turn)
	}
	return "the first Chairman"
}

// Role is rules.Game.Role.
func (Words) Role(rv rules.View) string {
	if rv.Seat() == rules.Nobody {
		return "nobody"
	}
	return citizen(rv.Seat())
}

// Turn is rules.Game.Turn.
func (Words) Turn(rv rules.View) int { return max(1, int(rv.(*engine.View).Turn)) }

var reasons = map[rules.Reason]string{
	engine.ReasonCrisis: "the crisis on the next space", engine.ReasonOrder: "who sits next in the order",
	engine.ReasonTakePart: "an objective that takes part", engine.ReasonObjective: "an objective", engine.ReasonChairman: "the first Chairman",
}

// Reason says in words what an outcome is for.
func (Words) Reason(r rules.Reason) string { return reasons[r] }
