package main

import (
	"github.com/spf13/cobra"

	"samizdat/internal/report"
)

func verifyCommand() *cobra.Command {
	var held report.Evidence
	var partial bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a record: its chain, its dice and cards, and every order",
		Long: "Check a record from nothing but itself: that each entry follows on the one before,\n" +
			"that every die and card is what the published secret and the players' words give,\n" +
			"and that every order was legal and led where the record says. Whatever made dice and\n" +
			"cards new is listed: a take-back, an undo, a restore. Of a match that goes on only\n" +
			"the chain and that list can be checked. \"-\" reads the standard input.\n\n" +
			"The history must reach the end of the match: --partial takes one that stops before.\n" +
			"A cut leaves no trace in a record of a match that goes on, nor at an end that was\n" +
			"undone later. What you hold yourself tells: --hash takes a hash from the foot of any\n" +
			"letter, --commitment that of the invitation, and --words your own words for the dice.\n" +
			"A record that does not have them is not that of the match that the letters told of.",
		Example: "  samizdat verify match.jsonl --hash e204c455b365bc84bb725710ff36184d4cbbb3894d4652e5f51049780f97ffa8",
		Args:    arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			same, err := report.Verify(cmd.OutOrStdout(), games, rec, held, partial)
			return orDiffers(same, err)
		},
	}
	cmd.Flags().StringArrayVar(&held.Hashes, "hash", nil, "a history hash of a letter; may be given more than once")
	cmd.Flags().StringArrayVar(&held.Commitments, "commitment", nil, "the SHA-256 of the secret, as the invitation says it")
	cmd.Flags().StringArrayVar(&held.Words, "words", nil, "the words for the dice that a player has joined with; may be given more than once")
	cmd.Flags().BoolVar(&partial, "partial", false, "take a record that stops before the match ends")
	return cmd
}
