package engine

import (
	"bytes"
	"encoding/json"
	"fmt"

	"samizdat/rules"
)

// viewJSON is a view as docs/record.md describes it: a position without what is
// hidden, and the numbers of what is.
type viewJSON struct {
	positionJSON
	HandCount     counts  `json:"hand_count"`
	DeckCount     int     `json:"deck_count"`
	SamizdatCount int     `json:"samizdat_count,omitempty"`
	ShownCount    int     `json:"shown_count,omitempty"`
	StruggleCount *counts `json:"struggle_count,omitempty"`
	// StrugglePlayed names the open power struggle cards.
	StrugglePlayed []string `json:"struggle_played,omitempty"`
}

// DecodeView implements rules.ViewReader. It refuses a view whose cards do not add
// up, or that shows a seat what it may not see.
func (Rules) DecodeView(data []byte, seat rules.Seat) (rules.View, error) {
	var d viewJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("read a view of 1989: %w", err)
	}
	r := &reader{}
	p := r.position(&d.positionJSON)
	played := r.hand(d.StrugglePlayed)
	if r.err == nil {
		r.err = p.strugglePlays(played)
	}
	if r.err == nil {
		r.err = p.agrees(&d, seat)
	}
	if r.err != nil {
		return nil, fmt.Errorf("read a view of 1989: %w", r.err)
	}
	v := p.View(seat).(*View)
	v.Count[PileDemocrat], v.Count[PileCommunist], v.Count[PileDeck] = d.HandCount.Democrat, d.HandCount.Communist, d.DeckCount
	v.Count[PileAside], v.Count[PileShown] = d.SamizdatCount, d.ShownCount
	v.StrugglePlayed = played
	if n := d.StruggleCount; n != nil {
		v.StruggleCount = [2]int{n.Democrat, n.Communist}
	}
	return v, nil
}

// strugglePlays checks that the cards said to have been played can have been.
func (p *Position) strugglePlays(played Hand) error {
	for k, n := range played {
		if n+p.Struggle.Hands[Democrat][k]+p.Struggle.Hands[Communist][k] > WholeStruggleDeck[k] {
			return fmt.Errorf("%v is there too often", StruggleCard(k))
		}
	}
	return nil
}

// agreesInStruggle checks the power struggle hands of a view.
func (p *Position) agreesInStruggle(d *viewJSON) error {
	n := d.StruggleCount
	if n == nil {
		return nil
	}
	for s, count := range [2]int{n.Democrat, n.Communist} {
		held := p.Struggle.Hands[s].Len()
		part := Side(s) == Democrat && p.shown() && !p.securitateKeepsShowing() && held < count
		if count < 0 || count > WholeStruggleDeck.Len() || held != 0 && held != count && !part {
			return fmt.Errorf("a power struggle hand shows %d of %d cards", held, count)
		}
	}
	return nil
}

// agrees checks that what a view shows and what it counts are every card once, and
// that it is the view of the seat.
func (p *Position) agrees(d *viewJSON, seat rules.Seat) error {
	counted := map[Pile]int{
		PileDemocrat: d.HandCount.Democrat, PileCommunist: d.HandCount.Communist, PileDeck: d.DeckCount,
		PileAside: d.SamizdatCount, PileShown: d.ShownCount,
	}
	var seen CardSet
	shown, all := 0, 0
	for pile := range Piles {
		n := p.Piles[pile].Len()
		seen, shown = seen.Or(p.Piles[pile]), shown+n
		count, hideable := counted[pile]
		switch {
		case !hideable:
			count = n
		case count < n || n != 0 && n != count:
			return fmt.Errorf("a pile shows %d of %d cards", n, count)
		}
		all += count
	}
	if seen.Len() != shown || all != Cards-1 {
		return fmt.Errorf("the piles hold %d cards, %d of them shown, and not every card once", all, shown)
	}
	if err := p.agreesInStruggle(d); err != nil {
		return err
	}
	// A view hides from itself nothing more.
	whole, _ := p.MarshalJSON() // it never fails
	again, _ := p.View(seat).(*View).Seen.MarshalJSON()
	if !bytes.Equal(whole, again) {
		return fmt.Errorf("it shows what seat %d may not see", seat)
	}
	return nil
}
