package council

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"samizdat/rules"
)

// The phases. Deal, lot and tie wait for a chance outcome, the others for answers.
const (
	phaseDeal = "deal"
	phaseName = "name"
	phaseLot  = "lot"
	phaseVote = "vote"
	phaseTie  = "tie"
	phaseHold = "hold"
	phaseFine = "fine"
	phaseOver = "over"
)

// state is the JSON of a position.
type state struct {
	Revision int    `json:"revision"`
	Seats    int    `json:"seats"`
	Rounds   int    `json:"rounds"`
	Round    int    `json:"round"`
	Phase    string `json:"phase"`
	// Aims are hidden; Pile holds the aims left over.
	Aims []int `json:"aims,omitempty"`
	Pile []int `json:"pile,omitempty"`
	// Chair is the seat in the chair, at first -1. Tied holds the seats between which a lot decides.
	Chair int   `json:"chair"`
	Tied  []int `json:"tied,omitempty"`
	// Named holds the seats named so far in the open group.
	Named []int `json:"named,omitempty"`
	Calls []int `json:"calls,omitempty"`
	Water int   `json:"water"`
	// Turns counts how often the water reached or left its mark.
	Turns int   `json:"turns"`
	Fines []int `json:"fines,omitempty"`
	// Next is the last decision ID given out; Asked holds the open decisions by seat.
	Next  rules.DecisionID   `json:"next"`
	Asked []rules.DecisionID `json:"asked,omitempty"`
	Group uint32             `json:"group,omitempty"`
}

type position struct{ state }

func (p *position) Clone() rules.Position {
	q := *p
	for _, list := range []*[]int{&q.Aims, &q.Pile, &q.Tied, &q.Named, &q.Calls, &q.Fines} {
		*list = slices.Clone(*list)
	}
	q.Asked = slices.Clone(p.Asked)
	return &q
}

// MarshalJSON returns the position.
func (p *position) MarshalJSON() ([]byte, error) { return json.Marshal(p.state) }

// Decode reads a position.
func (game) Decode(data []byte) (rules.Position, error) {
	p := new(position)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p.state); err != nil {
		return nil, fmt.Errorf("read a position of the council: %w", err)
	}
	return p, nil
}

// OpenDecisions appends the decisions that are open now.
func (p *position) OpenDecisions(dst []rules.Decision) []rules.Decision {
	for s, id := range p.Asked {
		if id == 0 {
			continue
		}
		d := rules.Decision{ID: id, Seat: rules.Seat(s), Kind: p.Phase, Min: 1, Max: 1, Silence: rules.SilenceLot, Play: uint32(p.Round)}
		if p.Phase != phaseFine {
			d.Sealed, d.Group = true, p.Group
		}
		switch p.Phase {
		case phaseVote:
			d.Ballot = true
		case phaseHold:
			d.Silence, d.Repeats = rules.SilenceDefault, true
		}
		dst = append(dst, d)
	}
	return dst
}

// Options appends the legal atoms of an open decision.
func (p *position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	asked := slices.Index(p.Asked, id)
	if id == 0 || asked < 0 {
		return dst
	}
	switch p.Phase {
	case phaseVote:
		return append(dst, atom(verbVote, no), atom(verbVote, yes))
	case phaseHold:
		return append(dst, atom(verbHold, 0), atom(verbCall, 0))
	}
	for s := range p.Seats {
		switch {
		case p.Phase == phaseName:
			dst = append(dst, atom(verbName, s))
		case s != asked:
			dst = append(dst, atom(verbFine, s))
		}
	}
	return dst
}

// Result returns how the match ended.
func (p *position) Result() (rules.Result, bool) {
	if p.Phase != phaseOver {
		return rules.Result{}, false
	}
	r := rules.Result{Reason: "the end of the council"}
	if len(p.Calls) > 0 {
		r.Reason = "a call"
	}
	for s, aim := range p.Aims {
		if p.Fines[s] == 0 && (p.Water > 0 && aim == wet || p.Water < 0 && aim == dry) {
			r.Winners |= rules.Only(rules.Seat(s))
		}
	}
	switch r.AllLost = r.Winners == 0; {
	case p.Water == 0:
		r.Words = "The water is at its mark, which was no player's aim."
	case r.AllLost:
		r.Words = "Every player whose aim was reached had a fine."
	default:
		r.Words = fmt.Sprintf("The water level is %d.", p.Water)
	}
	return r, true
}

// Stalled reports whether the position waits for chance.
func (p *position) Stalled() bool {
	return p.Phase == phaseDeal || p.Phase == phaseLot || p.Phase == phaseTie
}
