package dawn1989

import (
	"bytes"
	"encoding/json"
	"testing"

	"samizdat/rules"
)

// seenBy is a side's view as it is stored.
func seenBy(t *testing.T, p *Position, side Side) []byte {
	t.Helper()
	data, err := json.Marshal(p.View(p.sits[side]))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSamizdatHidesKnownCards: after Samizdat (card 77) nobody can be certain
// that a card which was announced is still in the hand.
func TestSamizdatHidesKnownCards(t *testing.T) {
	t.Parallel()
	known := func(p *Position) { p.known[Democrat].add(EcoGlasnost) }
	p := scene(t, Communist, holds(Communist, Samizdat), holds(Democrat, EcoGlasnost, Fidesz), known, sp("Lodz", 0, 3))
	p = carry(t, p, nil, "PLAY 77 OPS EVENT FIRST")
	one := tell(t, p, &told{t: t, draws: []string{"1"}}, "CHOOSE 39")
	two := tell(t, p, &told{t: t, draws: []string{"1"}}, "CHOOSE 34")
	if !bytes.Equal(seenBy(t, one, Communist), seenBy(t, two, Communist)) {
		t.Error("the Communist's view tells which card was put aside")
	}
}

// TestAnnouncedCardIsFree: a card that was announced under Stasi (card 13), left
// the hand and was drawn again binds no longer.
func TestAnnouncedCardIsFree(t *testing.T) {
	t.Parallel()
	p := scene(t, Communist, holds(Communist, ExitVisas), holds(Democrat, EcoGlasnost), lasting(Stasi), sp("Lodz", 0, 3),
		lay(PileRemoved, inPeriod[Early].cards()...), holds(Democrat, EcoGlasnost, Fidesz), lasting(Stasi), holds(Communist, ExitVisas),
		func(p *Position) { p.force.announced = EcoGlasnost })
	lay(PileDeck, PapalVisit)(p)
	p = carry(t, p, nil, "PLAY 75 OPS EVENT FIRST")
	p = tell(t, p, &told{t: t, draws: []string{"19", "39"}}, "DISCARD 34, 39")
	lies(t, p, EcoGlasnost, PileDemocrat)
	if p.force.announced != 0 {
		t.Error("the card that came back still binds the Democrat")
	}
}

// TestOptionsOnlyList: listing the options of either bid leaves the position as
// it is (rule 13).
func TestOptionsOnlyList(t *testing.T) {
	t.Parallel()
	pos, err := Game{}.Begin(rules.Setup{Seats: 2, Revision: revision, Options: map[string]string{OptionBidding: bidYes}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&told{t: t}, nil); err != nil {
		t.Fatal(err)
	}
	p := pos.(*Position)
	before := *p
	for _, d := range p.Owed(nil) {
		if len(p.Options(nil, d.ID)) != 2*(mostGiven+1) {
			t.Errorf("decision %d has %d options", d.ID, len(p.Options(nil, d.ID)))
		}
	}
	if *p != before {
		t.Error("the position has changed")
	}
}
