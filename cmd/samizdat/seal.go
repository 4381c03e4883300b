package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
)

// mostSealed is how much is read of the standard input: more are no words.
const mostSealed = 64 << 10

func sealCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "seal [WORDS]",
		Short: "Print the seal of words for the dice, to join a match with",
		Long: "Print the seal of words for the dice: their SHA-256, to be sent as JOIN SEALED and the\n" +
			"seal. The words stay here. Without an argument they are read from the standard input,\n" +
			"and so are not in the history of your shell. Spaces between words become one, and\n" +
			"those at either end are left out, as when you OPEN the words by letter.",
		Example: "  samizdat seal six words that nobody else knows\n  samizdat seal < words.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if len(args) == 0 {
				in, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), mostSealed))
				if err != nil {
					return fmt.Errorf("read the words: %w", err)
				}
				text = string(in)
			}
			words, seal, err := adjudicator.SealWords(text)
			if err != nil {
				return err
			}
			if words != strings.TrimRight(text, "\r\n") {
				fmt.Fprintln(cmd.ErrOrStderr(), "The words that are sealed:", words)
			}
			fmt.Fprintln(cmd.OutOrStdout(), seal)
			return nil
		},
	}
}
