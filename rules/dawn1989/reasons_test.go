package dawn1989

import (
	"testing"

	"samizdat/rules"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]rules.Reason{
		"deal": reason(reasonDeal, 0), "support check in Gdansk": reason(reasonCheck, int(gdansk)),
		"Tiananmen attempt": reason(reasonAttempt, 0), "Dash for the West": reason(reasonEvent, int(DashForTheWest)),
		"counterattack": reason(reasonCounter, 0), "support loss": reason(reasonLoss, 0),
		"victory points": reason(reasonVictory, 0), "General Strike": reason(reasonStrike, 35),
		"power struggle deal": reason(reasonStruggleDeal, 0), "box 3": reason(reasonBox3, 0),
		"Support Falters": reason(reasonStruggleCard, int(SupportFalters)), "": reason(99, 0),
	} {
		if got := (Game{}).Reason(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestElements(t *testing.T) {
	t.Parallel()
	if got := (Game{}).Element(drawStrategy, 27); got != 27 {
		t.Errorf("got %v, want the number 27", got)
	}
	if got := (Game{}).Element(drawStruggle, int16(TacticFails)); got != "Tactic Fails" {
		t.Errorf("got %v, want the name of the card", got)
	}
}

// TestAbbreviations: what the map abbreviates, orders understand.
func TestAbbreviations(t *testing.T) {
	t.Parallel()
	seen := map[string]Space{}
	for s := Space(1); s < spaces; s++ {
		if seen[short[s]] != 0 || len(short[s]) < shortest {
			t.Errorf("%v is %q, as %v is", s, short[s], seen[short[s]])
		}
		seen[short[s]] = s
	}
}
