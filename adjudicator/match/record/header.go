package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"samizdat/rules"
)

// Format and Version of the header.
const (
	Format  = "samizdat-record"
	Version = 1
)

// ChanceRecorded in a header means that the outcomes are not from a sealed stream, for example
// those of a game at a table.
const ChanceRecorded = "recorded"

// Header is the first line of a record.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Game is the short name of the game, Rules the revision.
	Game  string `json:"game"`
	Rules int    `json:"rules"`
	// Match is the match's identifier.
	Match string `json:"match,omitempty"`
	// Options are the game's options.
	Options map[string]string `json:"options"`
	// Seats has the players by seat name.
	Seats map[string]string `json:"seats"`
	// Commitment is the SHA-256 of the secret.
	Commitment string `json:"commitment,omitempty"`
	// Words are the players' words in the order of seats.
	Words []string `json:"words,omitempty"`
	// Seals are the seals of the words, if they were sealed.
	Seals []string `json:"seals,omitempty"`
	// Beacon is the beacon round in the key, or nil.
	Beacon *Beacon `json:"beacon,omitempty"`
	// Secret is published when the match is over.
	Secret string `json:"secret,omitempty"`
	// Chance is ChanceRecorded or empty.
	Chance string `json:"chance,omitempty"`
}

// Digest returns the SHA-256 of the canonical JSON of the agreed parts of the header: all members except Seats (so
// that a record can be published without names) and Secret. Missing members count as empty, but missing Seals and
// Beacon are left out.
func (h Header) Digest() (string, error) {
	options, words := h.Options, h.Words
	if options == nil {
		options = map[string]string{}
	}
	if words == nil {
		words = []string{}
	}
	agreed := map[string]any{"format": h.Format, "version": h.Version, "game": h.Game, "rules": h.Rules, "match": h.Match,
		"options": options, "commitment": h.Commitment, "words": words, "chance": h.Chance}
	if len(h.Seals) > 0 {
		agreed["seals"] = h.Seals
	}
	if h.Beacon != nil {
		agreed["beacon"] = h.Beacon
	}
	data, err := Canonical(agreed)
	if err != nil {
		return "", fmt.Errorf("digest of the header: %w", err)
	}
	return digest(data), nil
}

// Setup returns the game's set-up.
func (h Header) Setup(g *rules.Game) rules.Setup {
	minimum, _ := g.Seats()
	return rules.Setup{Seats: cmp.Or(len(h.Seats), minimum), Options: h.Options, Revision: h.Rules}
}

// published returns the secret in the record. It must match the commitment.
func (h Header) published() (Secret, error) {
	s, err := ParseSecret(h.Secret)
	if err != nil {
		return s, fmt.Errorf("line 1: %w", err)
	}
	if s.Commitment() != h.Commitment {
		return s, errors.New("line 1: the secret is not the one that was committed to")
	}
	return s, nil
}

// decodeHeader parses a header. Unknown members are ignored as remarks.
func decodeHeader(data []byte) (Header, error) {
	var h Header
	if err := json.Unmarshal(data, &h); err != nil {
		return h, err
	}
	switch {
	case h.Format != Format:
		return h, errors.New("this is not a record: it does not begin with a header of the format " + Format)
	case h.Version != Version:
		return h, fmt.Errorf("the record has version %d of the format, this program reads version %d", h.Version, Version)
	case h.Chance != "" && h.Chance != ChanceRecorded:
		return h, fmt.Errorf("chance is %q or missing, not %q", ChanceRecorded, h.Chance)
	}
	return h, checkKnownMembers(data, h)
}

// checkKnownMembers refuses members that other readers could understand differently: a known name
// in other capitals, or a value that the header does not keep.
func checkKnownMembers(data []byte, h Header) error {
	written, err := json.Marshal(h)
	if err != nil {
		return err
	}
	var members, again map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(data, &members), json.Unmarshal(written, &again)); err != nil {
		return err
	}
	header := reflect.TypeFor[Header]()
	for name, value := range members {
		for i := range header.NumField() {
			known, _, _ := strings.Cut(header.Field(i).Tag.Get("json"), ",")
			if name != known && strings.EqualFold(name, known) {
				return fmt.Errorf("the member %q, where %q is meant or nothing", name, known)
			}
		}
		read, known := again[name]
		if !known {
			continue
		}
		one, err := CanonicalJSON(value)
		if err != nil {
			return err
		}
		if two, err := CanonicalJSON(read); err != nil || !bytes.Equal(one, two) {
			return fmt.Errorf("the member %q holds what it cannot: %s", name, one)
		}
	}
	return nil
}
