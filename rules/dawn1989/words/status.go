package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Status implements rules.Scribe. It leaves out the least important when the
// line would be too long.
func (Words) Status(rv rules.View) string {
	v := rv.(*engine.View)
	p := &v.Seen
	if p.Ending != engine.NotOver {
		result := "It is a draw"
		if s := winner(v); s != engine.Neutral {
			result = capital(s) + " wins"
		}
		return fmt.Sprintf("%s: %v. VP %s.", result, p.Ending, signed(int(p.VP)))
	}
	if p.Phase == engine.PhaseBid {
		return "The sides are bid for. " + toAct(p) + "."
	}
	where := fmt.Sprintf("Turn %d of %d, %s.", p.Turn, engine.Turns, moment(p))
	to := toAct(p) + "."
	for _, line := range []string{
		fmt.Sprintf("%s %s VP %s%s.", where, to, signed(int(p.VP)), ahead(p)),
		fmt.Sprintf("%s %s VP %s.", where, to, signed(int(p.VP))),
	} {
		if len(line) <= columns {
			return line
		}
	}
	return where + " " + to
}

// moment is where in the turn a position stands.
func moment(p *engine.Position) string {
	if c := p.Struggle.Country; c != engine.NoCountry {
		return fmt.Sprintf("power struggle in %v", c)
	}
	switch p.Phase {
	case engine.PhaseSetup:
		return "set-up"
	case engine.PhaseDeal:
		return "the deal"
	case engine.PhaseGoddess:
		return "before the action rounds"
	case engine.PhaseExtraCheck, engine.PhaseVerify, engine.PhaseParty:
		return "after the action rounds"
	case engine.PhaseFinal:
		return "final scoring"
	}
	if p.Round > engine.RoundsATurn {
		return fmt.Sprintf("extra round %d", p.Round)
	}
	return fmt.Sprintf("round %d%s", p.Round, ofRounds)
}

// ofRounds says how many rounds a turn has.
var ofRounds = fmt.Sprintf(" of %d", engine.RoundsATurn)

// toAct says whose answer is awaited: to play is the side whose action round it
// is.
func toAct(p *engine.Position) string {
	q := &p.Question
	switch q.Ask {
	case engine.AskNothing:
		return "An outcome of chance is awaited"
	case engine.AskBid:
		return "Both players bid"
	case engine.AskSide:
		return chairs[q.Side] + " chooses"
	case engine.AskRound, engine.AskExtraRound, engine.AskStrike:
		return capital(q.Side) + " is to play"
	case engine.AskAttack:
		return capital(q.Side) + " is to attack"
	case engine.AskDefend:
		return capital(q.Side) + " is to defend"
	}
	return capital(q.Side) + " is to answer"
}

func ahead(p *engine.Position) string {
	switch {
	case p.VP > 0:
		return " (Democrat ahead)"
	case p.VP < 0:
		return " (Communist ahead)"
	}
	return ""
}
