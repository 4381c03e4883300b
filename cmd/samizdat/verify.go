package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/record"
)

func verifyCommand() *cobra.Command {
	var heads []string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a record: its chain, its dice and cards, and every order",
		Long: "Check a record from nothing but itself: that each entry follows on the one before,\n" +
			"that every die and card is what the published secret and the players' words give,\n" +
			"and that every order was legal and led where the record says. Of a match that goes\n" +
			"on only the chain can be checked. \"-\" reads the standard input.\n\n" +
			"--hash takes a history hash from the foot of a letter, and looks for its entry: a\n" +
			"record that does not have it is not that of the match that the letter told of.",
		Example: "  samizdat verify match.jsonl --hash e204c455b365bc84bb725710ff36184d4cbbb3894d4652e5f51049780f97ffa8",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			return verify(cmd.OutOrStdout(), rec, heads)
		},
	}
	cmd.Flags().StringArrayVar(&heads, "hash", nil, "a history hash of a letter; may be given more than once")
	return cmd
}

// verify checks what can be checked of a record, and says what that was.
func verify(out io.Writer, rec *record.Record, heads []string) error {
	h := rec.Header
	recorded := h.Chance == record.ChanceRecorded
	if recorded && h.Commitment == "" {
		fmt.Fprintln(out, "Chain: none. This game was played elsewhere and written down.")
	} else {
		if err := record.VerifyChain(rec); err != nil {
			return fmt.Errorf("chain: %w", err)
		}
		fmt.Fprintf(out, "Chain: %d entries, each follows on the one before.\n", len(rec.Entries()))
	}
	for _, head := range heads {
		if err := witnessed(out, rec, head); err != nil {
			return err
		}
	}
	switch {
	case recorded:
		fmt.Fprintln(out, "Chance: a list from elsewhere; nothing can be computed again.")
	case h.Secret == "":
		fmt.Fprintln(out, "Chance: not checked. The secret is published when the match is over.")
		fmt.Fprintln(out, "Orders: not checked. This record holds public fields only.")
		return nil
	default:
		if err := record.VerifyStream(rec); err != nil {
			return fmt.Errorf("chance: %w", err)
		}
		fmt.Fprintf(out, "Chance: %d dice and cards, each is what the secret and the players' words give.\n", len(rec.Outcomes()))
	}
	g, err := games.Find(h.Game)
	if err != nil {
		return err
	}
	final, err := record.Replay(rec, g, nil)
	var diffs record.Differences
	switch {
	case errors.As(err, &diffs):
		fmt.Fprintln(out, diffs)
		return errDiffers
	case err != nil:
		return fmt.Errorf("orders: %w", err)
	}
	fmt.Fprintf(out, "Orders: %d entries played again, each is legal and leads where the record says.\n", final.Entries)
	return nil
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
