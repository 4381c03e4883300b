package report

import (
	"errors"
	"fmt"
	"io"

	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// Verify checks what can be checked of a record, and says what that was. It returns false
// if the record differs from what it expects.
func Verify(out io.Writer, games rules.Games, rec *record.Record, heads []string) (same bool, err error) {
	h := rec.Header
	recorded := h.Chance == record.ChanceRecorded
	if recorded && h.Commitment == "" {
		fmt.Fprintln(out, "Chain: none. This game was played elsewhere and written down.")
	} else {
		if err := record.VerifyChain(rec); err != nil {
			return false, fmt.Errorf("chain: %w", err)
		}
		fmt.Fprintf(out, "Chain: %d entries, each follows on the one before.\n", len(rec.Entries()))
	}
	for _, head := range heads {
		if err := witnessed(out, rec, head); err != nil {
			return false, err
		}
	}
	if err := epochs(out, rec); err != nil {
		return false, err
	}
	switch {
	case recorded:
		fmt.Fprintln(out, "Chance: a list from elsewhere; nothing can be computed again.")
	case h.Secret == "":
		fmt.Fprintln(out, "Chance: not checked. The secret is published when the match is over.")
		fmt.Fprintln(out, "Orders: not checked. This record holds public fields only.")
		return true, nil
	default:
		if err := record.VerifyStream(rec); err != nil {
			return false, fmt.Errorf("chance: %w", err)
		}
		fmt.Fprintf(out, "Chance: %d dice and cards, each is what the secret and the players' words give.\n", len(rec.Outcomes()))
	}
	g, err := games.Find(h.Game)
	if err != nil {
		return false, err
	}
	final, err := record.Replay(rec, g, nil)
	var diffs record.Differences
	switch {
	case errors.As(err, &diffs):
		fmt.Fprintln(out, diffs)
		return false, nil
	case err != nil:
		return false, fmt.Errorf("orders: %w", err)
	}
	fmt.Fprintf(out, "Orders: %d entries played again, each is legal and leads where the record says.\n", final.Entries)
	return true, nil
}

// witnessed says at which entry a record had a hash.
func witnessed(out io.Writer, rec *record.Record, head string) error {
	if head == rec.Header.Commitment {
		fmt.Fprintf(out, "Hash %s: the commitment, before the first entry.\n", head)
		return nil
	}
	for _, e := range rec.Entries() {
		if e.Hash == head {
			fmt.Fprintf(out, "Hash %s: entry %d.\n", head, e.Seq)
			return nil
		}
	}
	return fmt.Errorf("hash %s: this record has no such entry", head)
}
