package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Evidence is what a player holds of a match beside its record, out of his letters.
type Evidence struct {
	// Hashes of the history, from the feet of letters.
	Hashes []string
	// Commitments are those of invitations.
	Commitments []string
	// Words are those that players have mixed in.
	Words []string
	// Letters are those of mailboxes.
	Letters Letters
	// Seals are those of words, out of the letter that showed them all.
	Seals []string
	// Rounds are those of a beacon, out of the letter that named one.
	Rounds []int64
}

// check holds a record against the evidence.
func (v Evidence) check(out io.Writer, g rules.Game, rec *record.Record) (letterCount, error) {
	names := g.SeatNames(rec.Header.Setup(g))
	if err := v.quoted(out, names, rec); err != nil {
		return letterCount{}, err
	}
	return v.Letters.check(out, names, rec)
}

// quoted holds a record against what a player has copied out of his letters.
func (v Evidence) quoted(out io.Writer, names []string, rec *record.Record) error {
	for _, c := range v.Commitments {
		if c = strings.ToLower(strings.TrimSpace(c)); c == "" || c != rec.Header.Commitment {
			return fmt.Errorf("commitment %q: that of this record is %q", c, rec.Header.Commitment)
		}
		fmt.Fprintf(out, "Commitment %s: that of this record.\n", c)
	}
	for _, w := range v.Words {
		i := slices.Index(rec.Header.Words, strings.TrimSpace(w))
		if i < 0 || i >= len(names) {
			return fmt.Errorf("words %q: no seat of this record has mixed them in", w)
		}
		fmt.Fprintf(out, "Words %q: mixed in by %s.\n", w, names[i])
	}
	for _, seal := range v.Seals {
		i := slices.Index(rec.Header.Seals, strings.ToLower(strings.TrimSpace(seal)))
		if i < 0 || i >= len(names) {
			return fmt.Errorf("seal %s: no seat of this record has sealed its words so", seal)
		}
		fmt.Fprintf(out, "Seal %s: of the words of %s.\n", seal, names[i])
	}
	for _, r := range v.Rounds {
		if b := rec.Header.Beacon; b == nil || b.Round != r {
			return fmt.Errorf("round %d: it is not mixed into the dice of this record", r)
		}
		fmt.Fprintf(out, "Round %d: that of this record.\n", r)
	}
	for _, h := range v.Hashes {
		if err := witnessed(out, rec, strings.ToLower(strings.TrimSpace(h))); err != nil {
			return err
		}
	}
	return nil
}

// witnessed says at which entry a record had a hash.
func witnessed(out io.Writer, rec *record.Record, head string) error {
	switch head {
	case "":
		return errors.New("the hash is empty")
	case rec.Header.Commitment:
		fmt.Fprintf(out, "Hash %s: the commitment, before the first entry.\n", head)
		return nil
	}
	for _, e := range rec.Entries() {
		if e.Hash == head {
			fmt.Fprintf(out, "Hash %s: entry %d.\n", head, e.Seq)
			return nil
		}
	}
	return fmt.Errorf("hash %s: this record has no such entry: it is cut off before it, or another match's", head)
}
