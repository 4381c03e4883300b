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

var desk = &rules.Desk{Dictionary: deskDictionary, Suppose: suppose}

// decodeView implements rules.Game.DecodeView.
func decodeView(data []byte, seat rules.Seat) (rules.View, error) {
	v := &view{seat: seat}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&v.state); err != nil {
		return nil, fmt.Errorf("read a view of liar's dice: %w", err)
	}
	if !v.plausible() {
		return nil, errors.New("read a view of liar's dice: its dice do not add up")
	}
	return v, nil
}

// plausible reports whether the numbers are, for example a match has.
func (v *view) plausible() bool {
	n := len(v.Left)
	within := func(i, maximum int) bool { return i >= 0 && i <= maximum }
	if n < minSeats || n > maxSeats || len(v.Cups) != n || !within(v.Turn, n-1) || !within(v.Bidder, n-1) || !within(int(v.seat)+1, n) ||
		slices.ContainsFunc(v.Left, func(remaining int) bool { return !within(remaining, fullCup) }) || v.total() == 0 {
		return false
	}
	for s, cup := range v.Cups {
		if rules.Seat(s) != v.seat && cup != nil || len(cup) > v.Left[s] ||
			slices.ContainsFunc(cup, func(die int) bool { return !within(die-1, faces-1) }) {
			return false
		}
	}
	return v.Bid == bid{} || within(v.Bid.Dice-1, v.total()-1) && v.Bid.Face > wild && v.Bid.Face <= faces
}

// suppose implements rules.Desk.Suppose: under the other cups are ones, or twos, and so on.
func suppose(rv rules.View) []rules.Position {
	v := rv.(*view)
	var out []rules.Position
	for face := wild; face <= faces; face++ {
		p := (&position{v.state}).Clone().(*position)
		for s := range p.Cups {
			if rules.Seat(s) != v.seat {
				p.Cups[s] = slices.Repeat([]int{face}, p.Left[s])
			}
		}
		out = append(out, p)
	}
	return out
}
