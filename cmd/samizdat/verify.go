package main

import (
	"errors"
	"runtime/debug"

	"github.com/spf13/cobra"

	"samizdat/internal/report"
)

func verifyCommand() *cobra.Command {
	var held report.Evidence
	var partial bool
	var mailboxes []string
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check records: their chain, their dice and cards, and every order",
		Long: "Check a record from nothing but itself: that each entry follows on the one before,\n" +
			"that every die and card is what the published secret and the players' words give,\n" +
			"and that every order was legal and led where the record says. Whatever made dice and\n" +
			"cards new is listed: a take-back, an undo, a restore. Of a match that goes on only\n" +
			"the chain and that list can be checked. \"-\" reads the standard input.\n\n" +
			"The history must reach the end of the match: --partial takes one that stops before.\n" +
			"A cut leaves no trace in a record of a match that goes on, nor at an end that was\n" +
			"undone later. What you hold yourself tells: --hash takes a hash from the foot of any\n" +
			"letter, --commitment that of the invitation, and --words your own words for the dice.\n" +
			"A record that does not have them is not that of the match that the letters told of.\n\n" +
			"--letters does all of it with the mailbox in which you keep letters, an mbox, a maildir\n" +
			"or a directory of messages: each letter of the match must show a hash of this\n" +
			"history, in its order and with its epoch, and once the secret is published dice, hand,\n" +
			"map, winner and whose move it is must be those of the record. One that is otherwise is\n" +
			"named by its date and subject. Other mails may lie between. Of several FILEs a line\n" +
			"each is printed.",
		Example: "  samizdat verify match.jsonl --hash e204c455b365bc84bb725710ff36184d4cbbb3894d4652e5f51049780f97ffa8\n" +
			"  samizdat verify match.jsonl --letters ~/Mail/samizdat",
		Args: someFiles,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if held.Letters, err = report.ReadLetters(mailboxes); err != nil {
				return err
			}
			if len(args) > 1 {
				if len(held.Hashes)+len(held.Commitments)+len(held.Words) > 0 {
					return errUsage{cmd, errors.New("--hash, --commitment and --words are of one match: name one FILE")}
				}
				// A record is soon done with: to collect it less often takes little more memory.
				defer debug.SetGCPercent(debug.SetGCPercent(800))
				same, err := report.VerifyFiles(cmd.Context(), cmd.OutOrStdout(), games, args, held.Letters, partial)
				return orDiffers(same, err)
			}
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
	cmd.Flags().StringArrayVar(&mailboxes, "letters", nil, "a mailbox with letters of the referee: an mbox, a maildir, or a directory of messages")
	cmd.Flags().StringArrayVar(&held.Seals, "seal", nil, "a seal of words, out of the letter that showed them all; may be given more than once")
	cmd.Flags().Int64SliceVar(&held.Rounds, "round", nil, "the round of a public beacon, out of the letter that named it")
	cmd.Flags().BoolVar(&partial, "partial", false, "take a record that stops before the match ends")
	return cmd
}

// someFiles wants one file or more.
func someFiles(cmd *cobra.Command, args []string) error {
	return arguments("FILE")(cmd, args[:min(len(args), 1)])
}
