package engine_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// seenBy is a side's view as it is stored.
func seenBy(t *testing.T, p *engine.Position, side engine.Side) []byte {
	t.Helper()
	data, err := json.Marshal(p.View(p.Sits[side]))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSamizdatHidesKnownCards: after Samizdat (card 77) nobody can be certain
// that a card which was announced is still in the hand.
func TestSamizdatHidesKnownCards(t *testing.T) {
	t.Parallel()
	known := func(p *engine.Position) { p.Known[engine.Democrat].Add(engine.EcoGlasnost) }
	p := scene(t, engine.Communist, holds(engine.Communist, engine.Samizdat), holds(engine.Democrat, engine.EcoGlasnost, engine.Fidesz), known, sp("Lodz", 0, 3))
	p = carry(t, p, nil, "PLAY 77 OPS EVENT FIRST")
	one := tell(t, p, &told{t: t, draws: []string{"1"}}, "CHOOSE 39")
	two := tell(t, p, &told{t: t, draws: []string{"1"}}, "CHOOSE 34")
	if !bytes.Equal(seenBy(t, one, engine.Communist), seenBy(t, two, engine.Communist)) {
		t.Error("the Communist's view tells which card was put aside")
	}
}

// TestAnnouncedCardIsFree: a card that was announced under Stasi (card 13), left
// the hand and was drawn again binds no longer.
func TestAnnouncedCardIsFree(t *testing.T) {
	t.Parallel()
	p := scene(t, engine.Communist, holds(engine.Communist, engine.ExitVisas), holds(engine.Democrat, engine.EcoGlasnost), lasting(engine.Stasi), sp("Lodz", 0, 3),
		lay(engine.PileRemoved, engine.InPeriod[engine.Early].List()...), holds(engine.Democrat, engine.EcoGlasnost, engine.Fidesz), lasting(engine.Stasi), holds(engine.Communist, engine.ExitVisas),
		func(p *engine.Position) { p.Effects.Announced = engine.EcoGlasnost })
	lay(engine.PileDeck, engine.PapalVisit)(p)
	p = carry(t, p, nil, "PLAY 75 OPS EVENT FIRST")
	p = tell(t, p, &told{t: t, draws: []string{"19", "39"}}, "DISCARD 34, 39")
	lies(t, p, engine.EcoGlasnost, engine.PileDemocrat)
	if p.Effects.Announced != 0 {
		t.Error("the card that came back still binds the Democrat")
	}
}

// TestOptionsOnlyList: listing the options of either bid leaves the position as
// it is (rule 13).
func TestOptionsOnlyList(t *testing.T) {
	t.Parallel()
	pos, err := dawn1989.Game{}.Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: engine.BidYes}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&told{t: t}, nil); err != nil {
		t.Fatal(err)
	}
	p := pos.(*engine.Position)
	before := *p
	for _, d := range p.Owed(nil) {
		if len(p.Options(nil, d.ID)) != 2*(engine.MostGiven+1) {
			t.Errorf("decision %d has %d options", d.ID, len(p.Options(nil, d.ID)))
		}
	}
	if *p != before {
		t.Error("the position has changed")
	}
}
