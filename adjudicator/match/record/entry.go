package record

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"samizdat/rules"
)

// SeatName is the name of a seat; "" is no seat and becomes null in JSON.
type SeatName string

// MarshalJSON writes the name, or null.
func (s SeatName) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(s))
}

// Entry is an entry of a match's history: an answer with its results, or another change of the
// match. docs/record.md lists the public members.
type Entry struct {
	// Seq is the number of the entry; 0 is the first deal.
	Seq int `json:"seq"`
	// At is the time of execution in whole seconds of UTC. An entry with sealed answers has one
	// time for all of them.
	At time.Time `json:"at,omitzero"`
	// Seat is the seat that answered; "" for the first deal and for sealed answers.
	Seat SeatName `json:"seat"`
	// Letter is the SHA-256 of the raw letter with the order, or for a conditional order
	// Secret.LetterDigest of it.
	Letter string `json:"letter,omitempty"`
	// Setup is the digest of the header (Header.Digest), only in entry 0. It makes the header part
	// of the chain.
	Setup string `json:"setup,omitempty"`
	// Epoch is the epoch of the outcomes.
	Epoch int `json:"epoch,omitempty"`
	// Orders are the orders in canonical form, one for each decision.
	Orders []string `json:"orders,omitempty"`
	// Private orders are hidden.
	Private bool `json:"private,omitempty"`
	// Silence is SilenceDefault or SilenceLot if the rule for silence answered.
	Silence string `json:"silence,omitempty"`
	// Takeback is the number of the entry that was taken back, with all later entries. The position
	// is that before it. The entry has no orders and no outcomes and the next epoch.
	Takeback int `json:"takeback,omitempty"`
	// Player is the new player of Seat. The entry has no orders and no outcomes.
	Player string `json:"player,omitempty"`
	// Act is a change other than an answer. An Undo also has Takeback.
	Act *Act `json:"act,omitempty"`
	// Answers are sealed answers, opened together in the order of seats, instead of Seat and
	// Orders.
	Answers []Answer `json:"answers,omitempty"`
	// Tally is the published result of a group of ballots, instead of Seat and Orders. The entry
	// has no other part of the ballots, not even sealed.
	Tally *Tally `json:"tally,omitempty"`
	// Chance are the outcomes, in order.
	Chance []Outcome `json:"chance,omitempty"`
	// State is the hash of the resulting position (HashPosition).
	State string `json:"state,omitempty"`
	// Source is the source of the question, only in foreign records: a card's number or a label.
	Source any `json:"source,omitempty"`
	// Forced marks an answer without an alternative, only in foreign records. If the engine has
	// answered it automatically, replay skips the entry.
	Forced bool `json:"forced,omitempty"`
	// Note is a remark without meaning.
	Note string `json:"note,omitempty"`
	// Sealed is the HMAC of the hidden fields, Prev the hash of the previous entry (the commitment
	// in entry 0), and Hash the hash of this entry.
	Sealed string `json:"sealed,omitempty"`
	Prev   string `json:"prev,omitempty"`
	Hash   string `json:"hash,omitempty"`
}

// Answer is a seat's part of an entry with sealed answers.
type Answer struct {
	Seat    SeatName `json:"seat"`
	Orders  []string `json:"orders,omitempty"`
	Private bool     `json:"private,omitempty"`
	// Letter is the SHA-256 of the raw letter with the order.
	Letter string `json:"letter,omitempty"`
	// Silence is as in Entry.
	Silence string `json:"silence,omitempty"`
}

// Tally is the published result of a group of ballots.
type Tally struct {
	// Group is the group of the answered decisions.
	Group uint32 `json:"group"`
	// Outcome is the game's object (rules.BallotCounter).
	Outcome json.RawMessage `json:"outcome"`
}

// HasOrders reports whether the entry has game orders, shown or hidden. Only such entries count for
// the places of outcomes.
func (e *Entry) HasOrders() bool {
	return len(e.Orders) > 0 || len(e.Answers) > 0 || e.Tally != nil || e.Private
}

// public returns the public fields, without Sealed, Prev and Hash, which the chain adds.
func (e *Entry) public() Entry {
	p := *e
	p.State, p.Sealed, p.Prev, p.Hash = "", "", "", ""
	if p.Private {
		p.Orders = nil
	}
	p.Chance = slices.Clone(p.Chance)
	for i, o := range p.Chance {
		if o.Hidden {
			p.Chance[i].Draw = nil
		}
		if o.private() {
			p.Chance[i].I = nil
		}
		if o.hiddenLot() {
			p.Chance[i].N = nil
		}
	}
	p.Answers = slices.Clone(p.Answers)
	for i, a := range p.Answers {
		if a.Private {
			p.Answers[i].Orders = nil
		}
	}
	return p
}

type hidden struct {
	// Chance has [index, draw, i] for each draw with a hidden place, and [index, draw, i, n] for
	// each hidden lot.
	Chance [][]any `json:"chance,omitempty"`
	// Orders are the orders of a private entry.
	Orders []string `json:"orders,omitempty"`
	// Answers has [index, orders] for each private answer.
	Answers [][2]any `json:"answers,omitempty"`
	State   string   `json:"state,omitempty"`
}

func (e *Entry) hidden() hidden {
	h := hidden{State: e.State}
	if e.Private {
		h.Orders = e.Orders
	}
	for k, o := range e.Chance {
		switch {
		case o.hiddenLot():
			h.Chance = append(h.Chance, []any{k, o.Draw, o.I, o.N})
		case o.private():
			h.Chance = append(h.Chance, []any{k, o.Draw, o.I})
		}
	}
	for k, a := range e.Answers {
		if a.Private {
			h.Answers = append(h.Answers, [2]any{k, a.Orders})
		}
	}
	return h
}

// Public returns the public form of the entry, with Sealed, Prev and Hash.
func (e *Entry) Public() Entry {
	p := e.public()
	p.Sealed, p.Prev, p.Hash = e.Sealed, e.Prev, e.Hash
	return p
}

// HashPosition returns Entry.State of a position.
func HashPosition(g *rules.Game, p rules.Position) (string, error) {
	if e, ok := p.(ended); ok {
		p = e.Position
	}
	if g.Canonical != nil {
		b := buffers.Get().(*[]byte)
		defer buffers.Put(b)
		*b = g.Canonical((*b)[:0], p)
		return digest(*b), nil
	}
	data, err := p.MarshalJSON()
	if err != nil {
		return "", err
	}
	return HashPositionJSON(data)
}

// HashPositionJSON works like HashPosition for the JSON of a position.
func HashPositionJSON(data []byte) (string, error) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	var err error
	if *b, err = appendCanonicalJSON((*b)[:0], data); err != nil {
		return "", err
	}
	return digest(*b), nil
}

// decodeEntry parses an entry. Unknown members are refused, because they could be part of the hash.
func decodeEntry(data []byte) (*Entry, error) {
	e := new(Entry)
	return e, strict(data, e)
}

type decoder struct {
	in bytes.Reader
	*json.Decoder
}

// decoders is a pool: a record has thousands of short texts.
var decoders = sync.Pool{New: func() any {
	d := new(decoder)
	d.Decoder = json.NewDecoder(&d.in)
	d.DisallowUnknownFields()
	d.UseNumber()
	return d
}}

// strict parses a JSON text whose members are all in v. Numbers in interfaces stay json.Number.
func strict(data []byte, v any) error {
	d := decoders.Get().(*decoder)
	d.in.Reset(data)
	from := d.InputOffset()
	err := d.Decode(v)
	// A decoder that failed, or has unread input, cannot be used again.
	if err == nil && d.InputOffset()-from == int64(len(data)) {
		decoders.Put(d)
	}
	return err
}
