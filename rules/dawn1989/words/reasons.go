package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Reason implements rules.Scribe.
func (Words) Reason(r rules.Reason) string {
	what, arg := int(r>>8), int(r&0xff)
	switch what {
	case engine.ReasonDeal:
		return "deal"
	case engine.ReasonCheck:
		return fmt.Sprintf("support check in %v", engine.Space(arg))
	case engine.ReasonAttempt:
		return "Tiananmen attempt"
	case engine.ReasonEvent:
		return engine.Card(arg).String()
	case engine.ReasonCounter:
		return "counterattack"
	case engine.ReasonLoss:
		return "support loss"
	case engine.ReasonVictory:
		return "victory points"
	case engine.ReasonStrike:
		return engine.GeneralStrike.String()
	case engine.ReasonStruggleDeal:
		return "power struggle deal"
	case engine.ReasonBid:
		return "equal bids"
	case engine.ReasonContest:
		return fmt.Sprintf("%v: %v", engine.WallMustGo, engine.Side(arg))
	case engine.ReasonDraw:
		return "replacement"
	case engine.ReasonBox3:
		return "box 3"
	case engine.ReasonStruggleCard:
		return engine.StruggleCard(arg).String()
	}
	return ""
}
