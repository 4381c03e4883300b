package engine_test

import (
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// Further examples that the rulebook prints: events, power struggles, bidding.

// TestExamplesOfEvents holds the examples of rules 5.2 to 5.3 and 7.6.
func TestExamplesOfEvents(t *testing.T) {
	t.Parallel()
	t.Run("rule 5.2, example 5: Elena after the Tyrant has gone counts as played", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.Elena), sp("Lodz", 1, 0), caseEffects["tyrant gone"])
		p = carry(t, p, nil, "PLAY 101 OPS PLACE Lodz EVENT AFTER")
		has(t, p, "Cluj-Napoca", 0, 0)
		lies(t, p, engine.Elena, engine.PileRemoved)
	})
	t.Run("rule 5.3, example 1: Brought in for Questioning discards Poland Scoring, and no struggle follows", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, lay(engine.PileDeck, engine.JanPalachWeek), holds(engine.Democrat, engine.BroughtIn, engine.PolandScoring), sp("Lodz", 1, 0))
		p = carry(t, p, []any{engine.PolandScoring}, "PLAY 6 OPS PLACE Lodz 3 EVENT AFTER")
		lies(t, p, engine.PolandScoring, engine.PileDiscard)
		if p.Power[engine.Poland].Times != 0 || p.Struggle.Country != engine.NoCountry {
			t.Error("a power struggle has taken place")
		}
	})
	t.Run("rule 5.3, example 2: Kiss of Death discards Poland Scoring, and the struggle takes place", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, lay(engine.PileDeck, engine.TearGas), holds(engine.Communist, engine.KissOfDeath, engine.PolandScoring), sp("Lodz", 0, 1), prudent(engine.Communist))
		p = tell(t, p, &told{t: t, draws: []string{"22"}, dice: []int{1, 1}}, "PLAY 71 OPS PLACE Lodz 2 EVENT AFTER", "PASS")
		mustAsk(t, p, engine.AskPower, engine.Communist)
		p = carry(t, p, nil, "SURRENDER POWER")
		lies(t, p, engine.PolandScoring, engine.PileRemoved)
	})
	t.Run("rule 7.6.4: Systematization while the Tyrant waits", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Systematization), lasting(engine.CrowdTurns, engine.TyrantIsGone))
		p = carry(t, p, nil, "PLAY 69 EVENT", "CHOOSE Romanian Writers")
		if p.Destroyed != engine.SpaceNamed("Romanian Writers") {
			t.Errorf("%v is destroyed", p.Destroyed)
		}
	})
}

// TestExamplesOfControl holds the examples of rules 2.1.7 and 2.3.2.
func TestExamplesOfControl(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		democrat, communist int
		want                engine.Side
	}{{0, 3, engine.Neutral}, {0, 4, engine.Communist}, {5, 2, engine.Neutral}, {6, 2, engine.Democrat}} {
		p := scene(t, engine.Democrat, sp("Dresden", tt.democrat, tt.communist))
		got := engine.Neutral
		for s := engine.Democrat; s <= engine.Communist; s++ {
			if p.Controls[s].Has(engine.SpaceNamed("Dresden")) {
				got = s
			}
		}
		if got != tt.want {
			t.Errorf("rule 2.1.7: Dresden with %d and %d is controlled by %v, want %v", tt.democrat, tt.communist, got, tt.want)
		}
	}
	p := struggling(t, nil, hands{[]string{"Elite Leader", "Worker Leader", "Church Leader"}, []string{"March-3"}}, sp("Bydgoszcz", 0, 4), sp("Lodz", 0, 3))
	for card, want := range map[engine.StruggleCard]bool{engine.StruggleCardByName["Elite Leader"]: true, engine.StruggleCardByName["Worker Leader"]: true,
		engine.StruggleCardByName["Church Leader"]: false} {
		if got := p.Usable(engine.Communist, card); got != want {
			t.Errorf("rule 2.3.2: %v usable: %v, want %v", card, got, want)
		}
	}
}

// TestExampleOfStruggle plays the struggle in Poland that rules 8.2 to 8.4 tell
// in their examples.
func TestExampleOfStruggle(t *testing.T) {
	t.Parallel()
	p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring), sp("Polish Catholic Church", 5, 0), sp("Polish Writers", 2, 0), sp("Wroclaw", 3, 0), sp("Krakow", 3, 0), sp("Bydgoszcz", 0, 4), sp("Warszawa", 0, 3))
	p = tell(t, p, &told{t: t, deals: [2][]string{
		{"March-6", "March-5", "March-4", "March-3", "Petition-5", "Petition-6", "Strike-3", "Strike-3", "Strike-4", "Strike-4", "Petition-5", "Rally"},
		{"March-3", "Elite Leader", "Intellectual Leader", "Strike-3", "Strike-4", "Petition-5", "Rally", "Rally"},
	}}, "PLAY 22")
	mustAsk(t, p, engine.AskStakes, engine.Democrat)
	p = carry(t, p, nil, "RAISE Petition-5, Petition-6, Strike-3", "PASS")
	mustAsk(t, p, engine.AskAttack, engine.Democrat)
	p = carry(t, p, nil, "ATTACK March-6")
	mustRefuse(t, p, "DEFEND Intellectual Leader")
	// A 2 is less than the rank 6: the Democrat leads again.
	p = carry(t, p, []any{2}, "DEFEND March-3")
	mustAsk(t, p, engine.AskAttack, engine.Democrat)
	mustRefuse(t, p, "PASS")
	p = carry(t, p, nil, "ATTACK March-5")
	// The loser's 1 is 2 with the stakes: one point. The winner's 3 is 4: 2 VP
	// and Power.
	p = carry(t, p, []any{1}, "CONCEDE")
	mustAsk(t, p, engine.AskRemove, engine.Communist)
	vp := p.VP
	p = carry(t, p, []any{3}, "REMOVE Bydgoszcz")
	has(t, p, "Bydgoszcz", 0, 3)
	if p.Power[engine.Poland].Held != engine.Democrat {
		t.Error("rule 8.4.4: the Democrat does not take Power")
	}
	lies(t, p, engine.PolandScoring, engine.PileRemoved)
	// 2 VP, then Domination of 6 + 2 against Presence of 3 + 1 (rule 9.3.3).
	if got := p.VP - vp; got != 2+4 {
		t.Errorf("%d VP, want 6", got)
	}
}

// tell carries orders out with chance that is told; nothing of it may be left.
func tell(t *testing.T, p *engine.Position, c *told, orders ...string) *engine.Position {
	t.Helper()
	for _, text := range orders {
		next, err := try(t, p, c, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p = next
	}
	if left := c.left(); left != "" {
		t.Fatalf("chance is left over: %s", left)
	}
	return p
}

// TestExampleOfBidding is the example of rule 13.
func TestExampleOfBidding(t *testing.T) {
	t.Parallel()
	p := bids(t, "BID COMMUNIST GIVE 2", "BID COMMUNIST GIVE 1")
	if p.Sits[engine.Communist] != 0 || p.Extra != 2 || p.ExtraTo != engine.Democrat {
		t.Errorf("seats %v, %d points for the %v", p.Sits, p.Extra, p.ExtraTo)
	}
}
