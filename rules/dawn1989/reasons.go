package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

// Reason implements rules.Game.
func (Game) Reason(r rules.Reason) string {
	what, arg := int(r>>8), int(r&0xff)
	switch what {
	case reasonDeal:
		return "deal"
	case reasonCheck:
		return fmt.Sprintf("support check in %v", Space(arg))
	case reasonAttempt:
		return "Tiananmen attempt"
	case reasonEvent:
		return Card(arg).String()
	case reasonCounter:
		return "counterattack"
	case reasonLoss:
		return "support loss"
	case reasonVictory:
		return "victory points"
	case reasonStrike:
		return GeneralStrike.String()
	case reasonStruggleDeal:
		return "power struggle deal"
	case reasonBid:
		return "equal bids"
	case reasonContest:
		return fmt.Sprintf("%v: %v", WallMustGo, Side(arg))
	case reasonDraw:
		return "replacement"
	case reasonBox3:
		return "box 3"
	case reasonStruggleCard:
		return StruggleCard(arg).String()
	}
	return ""
}

// Element implements rules.Game: a strategy card by its number, a power struggle
// card by the name of its kind.
func (Game) Element(kind string, code int16) any {
	if kind == drawStruggle {
		return StruggleCard(code).String()
	}
	return int(code)
}
