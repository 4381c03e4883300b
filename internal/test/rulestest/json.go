package rulestest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"samizdat/rules"
)

// wire is the JSON of a position. In a view hidden members are missing.
type wire struct {
	Revision int                       `json:"revision"`
	Rounds   int                       `json:"rounds"`
	Round    int                       `json:"round"`
	Phase    string                    `json:"phase"`
	First    string                    `json:"first,omitempty"`
	Turns    int                       `json:"turns"`
	Card     int                       `json:"card,omitempty"`
	Wanted   int                       `json:"wanted,omitempty"`
	Given    int                       `json:"given,omitempty"`
	Tokens   map[string]map[string]int `json:"tokens"`
	Points   map[string]int            `json:"points"`
	Hands    map[string][]int          `json:"hands,omitempty"`
	Held     map[string]int            `json:"held,omitempty"`
	Deck     []int                     `json:"deck,omitempty"`
	Discard  []int                     `json:"discard"`
	Kept     map[string]int            `json:"kept,omitempty"`
	Votes    map[string]string         `json:"votes,omitempty"`
	Next     rules.DecisionID          `json:"next"`
	Group    uint32                    `json:"group,omitempty"`
	Play     uint32                    `json:"play"`
	Pending  []pending                 `json:"pending"`
	Result   *result                   `json:"result,omitempty"`
}

type pending struct {
	ID   rules.DecisionID `json:"id,omitempty"`
	Seat string           `json:"seat,omitempty"`
	Kind string           `json:"kind"`
}

type result struct {
	Winners []string `json:"winners"`
	Reason  string   `json:"reason"`
}

// wire converts the position. It includes the hands, kept cards and votes of the seats for which see
// returns true.
func (p *position) wire(see func(seat int) bool) wire {
	w := wire{Revision: p.revision, Rounds: p.rounds, Round: p.round, Phase: phaseNames[p.phase], Turns: p.turns,
		Card: p.card, Wanted: p.wanted, Given: p.given, Tokens: map[string]map[string]int{},
		Points: map[string]int{}, Hands: map[string][]int{}, Held: map[string]int{}, Discard: p.discard.list(),
		Kept: map[string]int{}, Votes: map[string]string{}, Next: p.next, Group: p.group, Play: p.play,
		Pending: []pending{}}
	if p.phase > phaseLot {
		w.First = seatNames[p.first]
	}
	for s, name := range seatNames {
		w.Points[name] = p.points[s]
		if !see(s) {
			w.Held[name] = len(p.hands[s].list())
			continue
		}
		w.Hands[name] = p.hands[s].list()
		if p.kept[s] != 0 {
			w.Kept[name] = p.kept[s]
		}
		if p.votes[s] != 0 {
			w.Votes[name] = weatherNames[p.votes[s]]
		}
	}
	for f := 1; f <= fields; f++ {
		for s, n := range p.tokens[f] {
			if n == 0 {
				continue
			}
			if w.Tokens[fieldNames[f]] == nil {
				w.Tokens[fieldNames[f]] = map[string]int{}
			}
			w.Tokens[fieldNames[f]][seatNames[s]] = n
		}
	}
	for _, d := range p.OpenDecisions(nil) {
		w.Pending = append(w.Pending, pending{ID: d.ID, Seat: seatNames[d.Seat], Kind: d.Kind})
	}
	if p.Stalled() {
		w.Pending = append(w.Pending, pending{Kind: "chance"})
	}
	if r, over := p.Result(); over {
		w.Result = &result{Winners: []string{}, Reason: r.Reason}
		for s, name := range seatNames {
			if r.Winners.Has(rules.Seat(s)) {
				w.Result.Winners = append(w.Result.Winners, name)
			}
		}
	}
	return w
}

// MarshalJSON returns the complete position.
func (p *position) MarshalJSON() ([]byte, error) {
	w := p.wire(func(int) bool { return true })
	w.Deck = p.deck.list()
	return json.Marshal(w)
}

// Decode reads a position that MarshalJSON wrote.
func (game) Decode(data []byte) (rules.Position, error) {
	var w wire
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&w); err != nil {
		return nil, fmt.Errorf("decode a position of three orchards: %w", err)
	}
	p, err := w.position()
	if err != nil {
		return nil, fmt.Errorf("decode a position of three orchards: %w", err)
	}
	return p, nil
}

func (w wire) position() (*position, error) {
	p := &position{revision: w.Revision, rounds: w.Rounds, round: w.Round, turns: w.Turns, card: w.Card,
		wanted: w.Wanted, given: w.Given, next: w.Next, group: w.Group, play: w.Play}
	ph := slices.Index(phaseNames[:], w.Phase)
	if ph < 0 || w.Rounds < 1 || w.Rounds > 2 || w.Turns < 0 || w.Turns >= seats || w.Card < 0 || w.Card > cards {
		return nil, fmt.Errorf("phase %q, rounds %d, turns %d, card %d: no such thing", w.Phase, w.Rounds, w.Turns, w.Card)
	}
	p.phase = phase(ph)
	if w.First != "" {
		if p.first = slices.Index(seatNames[:], w.First); p.first < 0 {
			return nil, fmt.Errorf("no seat %q", w.First)
		}
	}
	for f := 1; f <= fields; f++ {
		for s, name := range seatNames {
			p.tokens[f][s] = w.Tokens[fieldNames[f]][name]
		}
	}
	for s, name := range seatNames {
		p.points[s], p.kept[s] = w.Points[name], w.Kept[name]
		p.votes[s] = max(0, slices.Index(weatherNames[:], w.Votes[name]))
		if err := fill(&p.hands[s], w.Hands[name]); err != nil {
			return nil, err
		}
	}
	if err := fill(&p.deck, w.Deck); err != nil {
		return nil, err
	}
	if err := fill(&p.discard, w.Discard); err != nil {
		return nil, err
	}
	for _, d := range w.Pending {
		s := slices.Index(seatNames[:], d.Seat)
		switch {
		case d.Kind == "chance":
		case s < 0:
			return nil, fmt.Errorf("no seat %q", d.Seat)
		case d.Kind == kindVote:
			p.ballots[s] = d.ID
		default:
			p.asked[s] = d.ID
		}
	}
	return p, nil
}

func fill(s *set, list []int) error {
	for _, c := range list {
		if c < 1 || c > cards {
			return fmt.Errorf("no card %d", c)
		}
		s.add(c)
	}
	return nil
}
