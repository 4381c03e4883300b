package liarsdice

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

//go:embed desk.dictionary
var deskDictionary []byte

var desk = &rules.Desk{Dictionary: deskDictionary, ImaginePositions: imaginePositions}

func decodeView(data []byte, seat rules.Seat) (rules.View, error) {
	v := &view{seat: seat}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&v.state); err != nil {
		return nil, fmt.Errorf("decode view of liar's dice: %w", err)
	}
	if !v.isPlausible() {
		return nil, errors.New("decode view of liar's dice: invalid seats, dice or bid")
	}
	return v, nil
}

// isPlausible reports whether a match could have this view. Views come from links, which anyone can forge.
func (v *view) isPlausible() bool {
	n := len(v.DiceLeft)
	isInRange := func(i, maximum int) bool { return i >= 0 && i <= maximum }
	if n < minSeats || n > maxSeats || len(v.Cups) != n || !isInRange(v.ActiveSeat, n-1) || !isInRange(v.Bidder, n-1) ||
		!isInRange(int(v.seat)+1, n) ||
		slices.ContainsFunc(v.DiceLeft, func(remaining int) bool { return !isInRange(remaining, fullCup) }) || v.totalDice() == 0 {
		return false
	}
	for s, cup := range v.Cups {
		if rules.Seat(s) != v.seat && cup != nil || len(cup) > v.DiceLeft[s] ||
			slices.ContainsFunc(cup, func(die int) bool { return !isInRange(die-1, faces-1) }) {
			return false
		}
	}
	return v.Bid == bid{} || isInRange(v.Bid.Dice-1, v.totalDice()-1) && v.Bid.Face > wild && v.Bid.Face <= faces
}

// imaginePositions returns a position for each face: in the first all hidden dice are ones, in the second twos, and so
// on.
func imaginePositions(rv rules.View) []rules.Position {
	v := rv.(*view)
	var out []rules.Position
	for face := wild; face <= faces; face++ {
		p := (&position{v.state}).Clone().(*position)
		for s := range p.Cups {
			if rules.Seat(s) != v.seat {
				p.Cups[s] = slices.Repeat([]int{face}, p.DiceLeft[s])
			}
		}
		out = append(out, p)
	}
	return out
}
