package main

import (
	"github.com/spf13/cobra"

	"samizdat/internal/report"
)

func verifyCommand() *cobra.Command {
	var heads []string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a record: its chain, its dice and cards, and every order",
		Long: "Check a record from nothing but itself: that each entry follows on the one before,\n" +
			"that every die and card is what the published secret and the players' words give,\n" +
			"and that every order was legal and led where the record says. Whatever made dice and\n" +
			"cards new is listed: a take-back, an undo. Of a match that goes on only the chain and\n" +
			"that list can be checked. \"-\" reads the standard input.\n\n" +
			"--hash takes a history hash from the foot of a letter, and looks for its entry: a\n" +
			"record that does not have it is not that of the match that the letter told of.",
		Example: "  samizdat verify match.jsonl --hash e204c455b365bc84bb725710ff36184d4cbbb3894d4652e5f51049780f97ffa8",
		Args:    arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			same, err := report.Verify(cmd.OutOrStdout(), games, rec, heads)
			return orDiffers(same, err)
		},
	}
	cmd.Flags().StringArrayVar(&heads, "hash", nil, "a history hash of a letter; may be given more than once")
	return cmd
}
