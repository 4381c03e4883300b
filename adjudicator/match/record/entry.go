// Package record is the history of a match as a verifiable record: the sealed stream of outcomes,
// the chain of entries, the file format, replay and verification. docs/record.md specifies the
// format. It can never change, because players have letters with hashes that were computed from it.
//
// The main formulas, with H(x) = SHA-256 and HMAC(k, x) = HMAC-SHA256 of canonical JSON (RFC 8785):
//
//	key       = HMAC(secret, ["key", match, [words of every seat]])
//	digest    = HMAC(key, [epoch, n, i, kind])           an outcome of chance (Key.Sample)
//	entry key = HMAC(secret, ["entry", match, seq])
//	sealed    = HMAC(entry key, hidden fields)
//	hash      = H([prev, public fields, sealed])         prev is the hash of the entry before
//
// The commitment is the SHA-256 of the secret. It is in the invitations, so it is known before any seat sends its
// words. The epoch rises with every take-back, undo and restore, so no place in the stream is used twice. The hidden
// fields of an entry are hidden draws, the indexes of all draws, private orders and the position hash. "sealed" is an
// HMAC because there are only about ten million possible hands: a plain hash could be broken by trying them all.
//
// A record is a file of JSON lines: a header, then entries. For example:
//
//	{"format":"samizdat-record","version":1,"game":"1989","rules":2,"options":{},"seats":{...}}
//	{"seq":0,"seat":null,"chance":[{"draw":36,"from":"strategy","to":"communist"}],"hash":"5be1..."}
//	{"seq":1,"seat":"communist","orders":["PLACE Berlin 2"],"prev":"5be1...","hash":"07aa..."}
//
// Replay executes a record; VerifyChain, VerifyStream, VerifySeals, VerifyBeacon, VerifyEpochs, VerifyForm and VerifyWitnesses
// check its proofs. In the public form of a record, which has no secret and no hidden fields, everything except the
// outcomes can be verified.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// Entry is an entry of a match's history: an answer with its outcomes of chance, or another change of the
// match. docs/record.md lists the public members.
type Entry struct {
	// Seq is the number of the entry; 0 is the first deal.
	Seq int `json:"seq"`
	// At is the time of execution in whole seconds of UTC. An entry with sealed answers has one time for all of them.
	At time.Time `json:"at,omitzero"`
	// Seat is the seat that answered; "" for the first deal and for sealed answers.
	Seat SeatName `json:"seat"`
	// Letter is the SHA-256 of the raw letter with the order; for a conditional order, Secret.LetterDigest of that letter.
	Letter string `json:"letter,omitempty"`
	// Setup is the digest of the header (Header.Digest), only in entry 0. It makes the header part of the chain.
	Setup string `json:"setup,omitempty"`
	// Epoch rises by one with every take-back, undo and restore.
	Epoch int `json:"epoch,omitempty"`
	// Orders are the orders in canonical form, one for each decision.
	Orders []string `json:"orders,omitempty"`
	// Private is set if Orders are hidden from other seats and from the public record.
	Private bool `json:"private,omitempty"`
	// Silence is SilenceDefault or SilenceLot if the referee answered for a silent player; empty for other entries.
	Silence string `json:"silence,omitempty"`
	// FirstTakenBack is set in an entry that takes entries back: the entry with this number and all later entries. The match
	// returns to the position before that number. The entry that takes back has no orders and no outcomes, and raises the epoch by one.
	FirstTakenBack int `json:"takeback,omitempty"`
	// Player is the new player of Seat. An entry with a new player has no orders and no outcomes.
	Player string `json:"player,omitempty"`
	// Act is a change other than an answer. An Undo also has FirstTakenBack.
	Act *Act `json:"act,omitempty"`
	// Answers are sealed answers that were opened together, in the order of seats. Seat and Orders are then empty.
	Answers []Answer `json:"answers,omitempty"`
	// Tally is the published result of a group of ballots. Seat and Orders are then empty, and no other field of
	// the entry, public or hidden, contains anything about the ballots.
	Tally  *Tally    `json:"tally,omitempty"`
	Chance []Outcome `json:"chance,omitempty"`
	// State is the hash of the resulting position (HashPosition).
	State string `json:"state,omitempty"`
	// Source says which card or rule asked the question: the number of a card, or a label. It is only in records of other programs.
	Source any `json:"source,omitempty"`
	// Forced marks an answer without an alternative; only in records of other programs. If the engine has
	// answered the decision automatically, replay skips the entry.
	Forced bool `json:"forced,omitempty"`
	// Note is a free remark, which a replay ignores.
	Note string `json:"note,omitempty"`
	// Sealed is the HMAC of the hidden fields. Prev is the hash of the previous entry; in entry 0 it is the commitment.
	// Hash is the hash of this entry.
	Sealed string `json:"sealed,omitempty"`
	Prev   string `json:"prev,omitempty"`
	Hash   string `json:"hash,omitempty"`
}

// Answer is a seat's part of an entry with sealed answers.
type Answer struct {
	Seat    SeatName `json:"seat"`
	Orders  []string `json:"orders,omitempty"`
	Private bool     `json:"private,omitempty"`
	// Letter and Silence are as in Entry.
	Letter  string `json:"letter,omitempty"`
	Silence string `json:"silence,omitempty"`
}

// Tally is the published result of a group of ballots.
type Tally struct {
	Group uint32 `json:"group"`
	// Outcome is the game's object (rules.BallotCounter).
	Outcome json.RawMessage `json:"outcome"`
}

// HasOrders reports whether the entry has game orders, shown or hidden. Place.Entry counts only these entries.
func (e *Entry) HasOrders() bool {
	return len(e.Orders) > 0 || len(e.Answers) > 0 || e.Tally != nil || e.Private
}

// publicFields returns the entry without its hidden fields, and without Sealed, Prev and Hash, which Secret.Seal sets.
func (e *Entry) publicFields() Entry {
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
		if o.hasHiddenIndex() {
			p.Chance[i].I = nil
		}
		if o.isHiddenLot() {
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

// hiddenFields are the fields of an entry that a public record omits. Sealed is their HMAC.
type hiddenFields struct {
	// Chance has [k, draw, i] for each outcome k with a hidden index, or [k, draw, i, n] if it is a hidden lot.
	Chance [][]any  `json:"chance,omitempty"`
	Orders []string `json:"orders,omitempty"`
	// Answers has [k, orders] for each private answer k.
	Answers [][2]any `json:"answers,omitempty"`
	State   string   `json:"state,omitempty"`
}

func (e *Entry) hiddenFields() hiddenFields {
	h := hiddenFields{State: e.State}
	if e.Private {
		h.Orders = e.Orders
	}
	for k, o := range e.Chance {
		switch {
		case o.isHiddenLot():
			h.Chance = append(h.Chance, []any{k, o.Draw, o.I, o.N})
		case o.hasHiddenIndex():
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
	p := e.publicFields()
	p.Sealed, p.Prev, p.Hash = e.Sealed, e.Prev, e.Hash
	return p
}

// HashPosition returns the hash of a position, as in Entry.State.
func HashPosition(g *rules.Game, p rules.Position) (string, error) {
	if e, ok := p.(endedPosition); ok {
		p = e.Position
	}
	if g.Canonical != nil {
		b := bufferPool.Get().(*[]byte)
		defer bufferPool.Put(b)
		*b = g.Canonical((*b)[:0], p)
		return sha256Hex(*b), nil
	}
	data, err := p.MarshalJSON()
	if err != nil {
		return "", err
	}
	return HashPositionJSON(data)
}

// HashPositionJSON works like HashPosition for the JSON of a position.
func HashPositionJSON(data []byte) (string, error) {
	b := bufferPool.Get().(*[]byte)
	defer bufferPool.Put(b)
	var err error
	if *b, err = appendCanonicalJSON((*b)[:0], data); err != nil {
		return "", err
	}
	return sha256Hex(*b), nil
}

// decodeEntry decodes the JSON of an entry. Unknown members are an error, because another program may have included them in the hash.
func decodeEntry(data []byte) (*Entry, error) {
	e := new(Entry)
	return e, decodeStrictly(data, e)
}

type decoder struct {
	in bytes.Reader
	*json.Decoder
}

// decoderPool reuses decoders, because a record has thousands of short JSON texts.
var decoderPool = sync.Pool{New: func() any {
	d := new(decoder)
	d.Decoder = json.NewDecoder(&d.in)
	d.DisallowUnknownFields()
	d.UseNumber()
	return d
}}

// decodeStrictly decodes JSON into v. Members that v does not have are an error. A number in a field of type any becomes a json.Number.
func decodeStrictly(data []byte, v any) error {
	d := decoderPool.Get().(*decoder)
	d.in.Reset(data)
	from := d.InputOffset()
	err := d.Decode(v)
	// A decoder that failed, or has unread input, cannot be used again.
	if err == nil && d.InputOffset()-from == int64(len(data)) {
		decoderPool.Put(d)
	}
	return err
}

// Presence counts the orders that the players of a match have sent. It omits answers for silent players. It also omits
// ballots, because the history does not show their senders.
type Presence struct {
	// orderCounts counts the orders of the current player of each seat. wasSilent holds the seats for which the referee
	// has answered since that player came.
	orderCounts map[SeatName]int
	wasSilent   map[SeatName]bool
}

// CountPresence returns the presence in a history.
func CountPresence(entries []Entry) Presence {
	var p Presence
	for i := range entries {
		p.AddEntry(&entries[i])
	}
	return p
}

// AddEntry adds the next entry of the history.
func (p *Presence) AddEntry(e *Entry) {
	if p.orderCounts == nil {
		p.orderCounts, p.wasSilent = map[SeatName]int{}, map[SeatName]bool{}
	}
	if e.Player != "" {
		delete(p.orderCounts, e.Seat)
		delete(p.wasSilent, e.Seat)
	}
	if e.Seat != "" && e.HasOrders() {
		p.recordAnswer(e.Seat, e.Silence == "", e.Silence != "")
	}
	for _, a := range e.Answers {
		// An answer without a letter may be a default answer, although the entry does not show the silence.
		p.recordAnswer(a.Seat, a.Silence == "" && a.Letter != "", a.Silence != "")
	}
}

func (p *Presence) recordAnswer(seat SeatName, isSent, isSilent bool) {
	if isSent {
		p.orderCounts[seat]++
	}
	p.wasSilent[seat] = p.wasSilent[seat] || isSilent
}

// OrdersSent returns the number of orders that the current player of a seat has sent.
func (p *Presence) OrdersSent(seat SeatName) int { return p.orderCounts[seat] }

// AbsentSeats returns the seats whose players have sent no order, and for which the referee has answered.
func (p *Presence) AbsentSeats(names []string) (out rules.Seats) {
	for i, n := range names {
		if p.wasSilent[SeatName(n)] && p.orderCounts[SeatName(n)] == 0 {
			out |= rules.Only(rules.Seat(i))
		}
	}
	return out
}

// ExcludeAbsent corrects the result of a finished match: seats whose players left, or sent no order, do not win. It
// returns p unchanged if the match is in play or no absent seat wins.
func ExcludeAbsent(g *rules.Game, p rules.Position, absent rules.Seats) rules.Position {
	r, over := p.Result()
	if !over || r.Winners&absent == 0 {
		return p
	}
	without := r.WithoutSeats(absent)
	if g.Resigned != nil {
		if without, over = g.Resigned(p, absent); !over {
			return p
		}
	}
	return EndPosition(p, without)
}

func (r *replay) excludeAbsent(e *Entry) {
	r.presence.AddEntry(e)
	if e.Act == nil {
		r.pos = ExcludeAbsent(r.game, r.pos, r.resigned|r.presence.AbsentSeats(r.outcomeNames.Seats))
	}
}

// EpochChange is an entry that changes the epoch, or that should change it: a take-back, an undo or a restore.
type EpochChange struct {
	// Line is the entry's line in the record. Previous is the epoch of the entry before.
	Line     int
	Entry    *Entry
	Previous int
}

// IsExplained reports whether the entry may raise the epoch: it is a take-back, an undo or a restore, has no other effect, and
// raises the epoch by one. If other entries could raise it, the owner of the secret could choose among the outcomes of many epochs.
func (c EpochChange) IsExplained() bool {
	e := c.Entry
	if e.Epoch != c.Previous+1 || e.HasOrders() || len(e.Chance) > 0 {
		return false
	}
	switch a := e.Act; {
	case a == nil:
		return e.FirstTakenBack > 0 && e.Seat != ""
	case a.Kind == Restore:
		return e.FirstTakenBack == 0 && a.By == ByOperator
	default:
		return e.FirstTakenBack > 0 && a.Kind == Undo && a.By == ByDirector
	}
}

func (e *Entry) raisesEpoch() bool {
	return e.FirstTakenBack != 0 || e.Act != nil && e.Act.Kind == Restore
}

func (c EpochChange) chainError() error {
	if c.Entry.Epoch == c.Previous {
		problem := fmt.Sprintf("the entry takes moves back, but the epoch is still %d", c.Previous)
		return &ChainError{Line: c.Line, Seq: c.Entry.Seq, Problem: problem}
	}
	problem := fmt.Sprintf("the epoch changes from %d to %d without a take-back, undo or restore", c.Previous, c.Entry.Epoch)
	return &ChainError{Line: c.Line, Seq: c.Entry.Seq, Problem: problem}
}

// VerifyEpochs lists the changes of the epoch that IsExplained accepts. The error lists all other changes as
// *ChainError. The check needs no secret, so public records can be verified.
func VerifyEpochs(rec *Record) (explained []EpochChange, err error) {
	epoch := 0
	for _, s := range rec.Steps {
		if s.Entry == nil || s.Entry.Epoch == epoch && !s.Entry.raisesEpoch() {
			continue
		}
		change := EpochChange{Line: s.Line, Entry: s.Entry, Previous: epoch}
		epoch = s.Entry.Epoch
		if change.IsExplained() {
			explained = append(explained, change)
			continue
		}
		err = errors.Join(err, change.chainError())
	}
	return explained, err
}
