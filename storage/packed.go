package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/klauspost/compress/zstd"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// packed is what an archive holds of a match. It is written as lines, which are compressed:
// itself as JSON, the position, and the entries. Of an entry that the match's secret seals to
// the same, what the seal adds is left out: hashes take the most room by far.
type packed struct {
	Held []adjudicator.Held `json:"held,omitempty"`
	Sent []packedLetter     `json:"sent,omitempty"`

	position []byte
	entries  []record.Entry
}

// packedLetter is a letter of ours to a seat, and what it asked.
type packedLetter struct {
	Seat      rules.Seat         `json:"s"`
	Number    int64              `json:"n"`
	Entries   int                `json:"e,omitempty"`
	Decisions []rules.DecisionID `json:"d,omitempty"`
}

// headLines is how many lines stand before the entries.
const headLines = 2

// errInexact: what was packed would not come out as it was.
var errInexact = errors.New("it would not be unpacked as it is")

// pack packs what belongs to a match, and makes sure that it can be had again to the byte.
func (p *packed) pack(z *zstd.Encoder, m *adjudicator.Match) ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	lines := [][]byte{head, p.position}
	prev := m.Secret.Commitment()
	for _, e := range p.entries {
		bare := unsealedEntry(e)
		again := bare
		if err := m.Secret.Seal(m.ID, prev, &again); err != nil || again.Sealed != e.Sealed || again.Prev != e.Prev || again.Hash != e.Hash {
			bare = e
		}
		line, err := json.Marshal(bare)
		if err != nil {
			return nil, fmt.Errorf("pack entry %d: %w", e.Seq, err)
		}
		lines = append(lines, line)
		prev = e.Hash
	}
	out := z.EncodeAll(bytes.Join(lines, []byte("\n")), nil)
	switch again, err := unpack(out, m, true); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errInexact, err)
	case !reflect.DeepEqual(p, again):
		return nil, errInexact
	}
	return out, nil
}

// unsealedEntry is an entry without what its seal adds.
func unsealedEntry(e record.Entry) record.Entry {
	e.Sealed, e.Prev, e.Hash = "", "", ""
	return e
}

// decoder unpacks. It is made when the first archive is read.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true))
})

// unpack reads what pack has written, with the entries if they are wanted.
func unpack(data []byte, m *adjudicator.Match, entries bool) (*packed, error) {
	z, err := decoder()
	if err != nil {
		return nil, err
	}
	plain, err := z.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack an archive: %w", err)
	}
	lines := bytes.Split(plain, []byte("\n"))
	if len(lines) < headLines {
		return nil, fmt.Errorf("unpack an archive: it has %d lines", len(lines))
	}
	p := &packed{position: bytes.Clone(lines[1])}
	if err := json.Unmarshal(lines[0], p); err != nil || !entries {
		return p, err
	}
	prev := m.Secret.Commitment()
	for _, line := range lines[headLines:] {
		var e record.Entry
		err := json.Unmarshal(line, &e)
		if err == nil && e.Hash == "" {
			err = m.Secret.Seal(m.ID, prev, &e)
		}
		if err != nil {
			return nil, fmt.Errorf("unpack an entry: %w", err)
		}
		p.entries, prev = append(p.entries, e), e.Hash
	}
	return p, nil
}

// letters are the letters to a seat that are packed.
func (p *packed) letters(seat rules.Seat) (out []adjudicator.Sent) {
	for _, l := range p.Sent {
		if l.Seat == seat {
			out = append(out, adjudicator.Sent{Number: l.Number, Decisions: l.Decisions, Entries: l.Entries})
		}
	}
	return out
}
