package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/klauspost/compress/zstd"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// packed is what an archive holds of a match. It is written as lines, which are compressed:
// itself as JSON, the position, and the entries. Of an entry that the match's secret seals to
// the same, what the seal adds is left out: hashes take the most room by far.
type packed struct {
	Held []adjudicator.Held `json:"held,omitempty"`
	// Sent are the letters of ours to each seat.
	Sent []packedLetters `json:"sent,omitempty"`

	position []byte
	entries  []record.Entry
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
		bare := e
		bare.Sealed, bare.Prev, bare.Hash = "", "", ""
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
	out := squeeze(z, bytes.Join(lines, []byte("\n")))
	switch again, err := unpack(out, m, true); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errInexact, err)
	case !reflect.DeepEqual(p, again):
		return nil, errInexact
	}
	return out, nil
}

// unpack reads what pack has written, with the entries if they are wanted.
func unpack(data []byte, m *adjudicator.Match, entries bool) (*packed, error) {
	plain, err := unsqueeze(data)
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

// withLater are all entries of a match, of which the later stand in rows. Some may be packed as well. Where one
// is in neither, as without the archive, that is an error: what is left would be taken for the whole history.
func (p *packed) withLater(rows []record.Entry) (all []record.Entry, err error) {
	if p != nil {
		all = p.entries
	}
	for _, e := range rows {
		if e.Seq > len(all) {
			return nil, fmt.Errorf("%w: entries %d to %d", errGone, len(all), e.Seq-1)
		}
		if e.Seq == len(all) {
			all = append(all, e)
		}
	}
	return chained(all), nil
}

// errGone: something of a history is neither packed nor in rows.
var errGone = errors.New("entries are missing")

// packedLetters are letters to a seat, by number. Each number is the difference to the letter
// before, and decisions to the one before: so they are small, and alike.
type packedLetters struct {
	Numbers   []int64   `json:"n,omitempty"`
	Entries   []int     `json:"e,omitempty"`
	Decisions [][]int64 `json:"d,omitempty"`
}

// packLetters packs the letters to a seat.
func packLetters(letters []adjudicator.Sent) (p packedLetters) {
	var number, decision int64
	entries := 0
	for _, l := range letters {
		asked := []int64{}
		for _, d := range l.Decisions {
			asked = append(asked, int64(d)-decision)
			decision = int64(d)
		}
		p.Numbers, p.Entries, p.Decisions = append(p.Numbers, l.Number-number), append(p.Entries, l.Entries-entries), append(p.Decisions, asked)
		number, entries = l.Number, l.Entries
	}
	return p
}

// letters are the letters to a seat that are packed.
func (p *packed) letters(seat rules.Seat) (out []adjudicator.Sent) {
	if int(seat) >= len(p.Sent) {
		return nil
	}
	var l adjudicator.Sent
	var decision int64
	of := p.Sent[seat]
	for i := range of.Numbers {
		l.Number += of.Numbers[i]
		l.Entries += of.Entries[i]
		l.Decisions = nil
		for _, d := range of.Decisions[i] {
			decision += d
			l.Decisions = append(l.Decisions, rules.DecisionID(decision))
		}
		out = append(out, l)
	}
	return out
}
