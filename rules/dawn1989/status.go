package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

// Status implements rules.Scribe. It leaves out the least important when the
// line would be too long.
func (Game) Status(rv rules.View) string {
	v := rv.(*View)
	p := &v.p
	if p.ending != NotOver {
		result := "It is a draw"
		if s := v.winner(); s != Neutral {
			result = s.capital() + " wins"
		}
		return fmt.Sprintf("%s: %v. VP %s.", result, p.ending, signed(int(p.vp)))
	}
	if p.phase == PhaseBid {
		return "The sides are bid for. " + p.toAct() + "."
	}
	where := fmt.Sprintf("Turn %d, %s.", p.turn, p.moment())
	to := p.toAct() + "."
	for _, line := range []string{
		fmt.Sprintf("%s %s VP %s%s.", where, to, signed(int(p.vp)), p.ahead()),
		fmt.Sprintf("%s %s VP %s.", where, to, signed(int(p.vp))),
	} {
		if len(line) <= columns {
			return line
		}
	}
	return fmt.Sprintf("Turn %d, %s. %s", p.turn, p.moment(), to)
}

// moment is where in the turn a position stands.
func (p *Position) moment() string {
	if c := p.struggle.Country; c != NoCountry {
		return fmt.Sprintf("power struggle in %v", c)
	}
	switch p.phase {
	case PhaseSetup:
		return "set-up"
	case PhaseDeal:
		return "the deal"
	case PhaseGoddess:
		return "before the action rounds"
	case PhaseExtraCheck, PhaseVerify, PhaseParty:
		return "after the action rounds"
	case PhaseFinal:
		return "final scoring"
	}
	if p.round > roundsATurn {
		return fmt.Sprintf("extra action round %d", p.round)
	}
	return fmt.Sprintf("action round %d of %d", p.round, roundsATurn)
}

// toAct says whose answer is awaited: to play is the side whose action round it
// is.
func (p *Position) toAct() string {
	q := &p.question
	switch q.Ask {
	case AskNothing:
		return "An outcome of chance is awaited"
	case AskBid:
		return "Both players bid"
	case AskSide:
		return chairs[q.Side] + " chooses"
	case AskRound, AskExtraRound, AskStrike:
		return q.Side.capital() + " is to play"
	case AskAttack:
		return q.Side.capital() + " is to attack"
	case AskDefend:
		return q.Side.capital() + " is to defend"
	}
	return q.Side.capital() + " is to answer"
}

func (p *Position) ahead() string {
	switch {
	case p.vp > 0:
		return " (Democrat ahead)"
	case p.vp < 0:
		return " (Communist ahead)"
	}
	return ""
}
