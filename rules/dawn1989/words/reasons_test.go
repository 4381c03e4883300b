package words

import (
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]rules.Reason{
		"deal": engine.Reason(engine.ReasonDeal, 0), "support check in Gdansk": engine.Reason(engine.ReasonCheck, int(engine.Gdansk)),
		"Tiananmen attempt": engine.Reason(engine.ReasonAttempt, 0), "Dash for the West": engine.Reason(engine.ReasonEvent, int(engine.DashForTheWest)),
		"counterattack": engine.Reason(engine.ReasonCounter, 0), "support loss": engine.Reason(engine.ReasonLoss, 0),
		"victory points": engine.Reason(engine.ReasonVictory, 0), "General Strike": engine.Reason(engine.ReasonStrike, 35),
		"power struggle deal": engine.Reason(engine.ReasonStruggleDeal, 0), "box 3": engine.Reason(engine.ReasonBox3, 0),
		"Support Falters": engine.Reason(engine.ReasonStruggleCard, int(engine.SupportFalters)), "": engine.Reason(99, 0),
	} {
		if got := (Words{}).Reason(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestAbbreviations: what the map abbreviates, orders understand.
func TestAbbreviations(t *testing.T) {
	t.Parallel()
	seen := map[string]engine.Space{}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if seen[short(s)] != 0 || len(short(s)) < shortest {
			t.Errorf("%v is %q, as %v is", s, short(s), seen[short(s)])
		}
		seen[short(s)] = s
	}
}
