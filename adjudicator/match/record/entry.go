package record

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"samizdat/rules"
)

// SeatName is a seat's name; the empty name is nobody and is written null.
type SeatName string

// MarshalJSON writes a name, or null.
func (s SeatName) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(s))
}

// Entry is one entry of a match's history: one answer with everything that
// followed from it until the next question. The doc comment of the package says
// which members are public.
type Entry struct {
	// Seq counts the entries of a match from 0, the first deal.
	Seq int `json:"seq"`
	// At is when it was carried out, in whole seconds of UTC. Entries that open
	// sealed answers have one time for all.
	At time.Time `json:"at,omitzero"`
	// Seat is who answered; nobody for the first deal and for sealed answers.
	Seat SeatName `json:"seat"`
	// Letter is the SHA-256 of the raw letter that ordered it; of a conditional order it
	// is what Secret.Letter makes of that.
	Letter string `json:"letter,omitempty"`
	// Setup, in entry 0, is the digest of what the match was agreed to be
	// (Header.Digest), which so becomes part of the chain.
	Setup string `json:"setup,omitempty"`
	// Epoch is the epoch of its outcomes' places.
	Epoch int `json:"epoch,omitempty"`
	// Orders are the orders in canonical form, one a question.
	Orders []string `json:"orders,omitempty"`
	// Private orders are hidden.
	Private bool `json:"private,omitempty"`
	// Silence is how the orders were found when the seat stayed silent: SilenceDefault
	// or SilenceLot.
	Silence string `json:"silence,omitempty"`
	// Takeback is the entry that was taken back, with all that followed: the match
	// stands again as it did before that one. Such an entry has no orders and no
	// outcomes, and its epoch is the next.
	Takeback int `json:"takeback,omitempty"`
	// Player names who sits at Seat from then on. Such an entry has no orders and no
	// outcomes.
	Player string `json:"player,omitempty"`
	// Act is what was done to the match beside playing it; that of Undo stands with Takeback.
	Act *Act `json:"act,omitempty"`
	// Answers are sealed answers that were opened together, in the order of
	// seats, instead of Seat and Orders.
	Answers []Answer `json:"answers,omitempty"`
	// Tally is what was published of a group of ballots, instead of Seat and Orders.
	// Nothing else of them is in the entry, in the open or sealed.
	Tally *Tally `json:"tally,omitempty"`
	// Chance are the outcomes, in order.
	Chance []Outcome `json:"chance,omitempty"`
	// State is the SHA-256 of the canonical JSON of the position reached.
	State string `json:"state,omitempty"`
	// Source, in foreign records, is what asked: a card's number or a label.
	Source any `json:"source,omitempty"`
	// Forced, in foreign records, marks an answer that public facts leave no
	// choice in; an engine that settles it unasked passes over the entry.
	Forced bool `json:"forced,omitempty"`
	// Note is a remark; it means nothing.
	Note string `json:"note,omitempty"`
	// Sealed binds the hidden fields, Prev is the hash of the entry before (the
	// commitment in entry 0), Hash is this entry's.
	Sealed string `json:"sealed,omitempty"`
	Prev   string `json:"prev,omitempty"`
	Hash   string `json:"hash,omitempty"`
}

// Answer is one seat's part of an entry that opens sealed answers.
type Answer struct {
	Seat    SeatName `json:"seat"`
	Orders  []string `json:"orders,omitempty"`
	Private bool     `json:"private,omitempty"`
	// Letter is the SHA-256 of the raw letter that ordered it.
	Letter string `json:"letter,omitempty"`
	// Silence is what it is in an entry.
	Silence string `json:"silence,omitempty"`
}

// Tally is what was published of a group of ballots.
type Tally struct {
	// Group is the group of the decisions that the ballots answered.
	Group uint32 `json:"group"`
	// Outcome is the game's own object.
	Outcome json.RawMessage `json:"outcome"`
}

// HasOrders reports whether the entry carries game orders, and so counts for
// the places of outcomes. Orders that are not shown count as well.
func (e *Entry) HasOrders() bool {
	return len(e.Orders) > 0 || len(e.Answers) > 0 || e.Tally != nil || e.Private
}

// public returns the entry's public fields: without what is hidden, and without
// Sealed, Prev and Hash, which stand beside them in the chain.
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

// hidden are an entry's hidden fields, as they are sealed.
type hidden struct {
	// Chance has [place in the list, draw, i] of every draw whose place in its
	// pile is hidden, and [place, draw, i, n] of every hidden lot.
	Chance [][]any `json:"chance,omitempty"`
	// Orders are the orders of a private entry.
	Orders []string `json:"orders,omitempty"`
	// Answers has [place in the list, orders] of every private answer.
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

// Public returns the entry as everybody may see it at any time: without its
// hidden fields, with the seal on them and its links in the chain.
func (e *Entry) Public() Entry {
	p := e.public()
	p.Sealed, p.Prev, p.Hash = e.Sealed, e.Prev, e.Hash
	return p
}

// HashPosition returns what State is for a position of a game.
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

// HashPositionJSON is StateOf for the JSON of a position.
func HashPositionJSON(data []byte) (string, error) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	var err error
	if *b, err = appendCanonicalJSON((*b)[:0], data); err != nil {
		return "", err
	}
	return digest(*b), nil
}

// decodeEntry reads one entry. A member that is not known is refused, as nobody
// could say whether it belongs to what is hashed.
func decodeEntry(data []byte) (*Entry, error) {
	e := new(Entry)
	return e, strict(data, e)
}

// decoder is a decoder of JSON texts, one after the other.
type decoder struct {
	in bytes.Reader
	*json.Decoder
}

// decoders are kept for their memory: a record has thousands of short texts.
var decoders = sync.Pool{New: func() any {
	d := new(decoder)
	d.Decoder = json.NewDecoder(&d.in)
	d.DisallowUnknownFields()
	d.UseNumber()
	return d
}}

// strict reads one JSON text, all of whose members v has. Numbers of any type stay as written.
func strict(data []byte, v any) error {
	d := decoders.Get().(*decoder)
	d.in.Reset(data)
	from := d.InputOffset()
	err := d.Decode(v)
	// One that has failed, or has something left over, would not read the next text alone.
	if err == nil && d.InputOffset()-from == int64(len(data)) {
		decoders.Put(d)
	}
	return err
}
