package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"samizdat/internal/transcript"
)

func importCommand() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a record of a match that was played at a table and written down",
		Long: "Read a match that was played elsewhere: a line for each order, as in a letter, and\n" +
			"below it what was rolled and drawn, \"!roll 4\" and \"!draw 36\". Every line is checked.\n" +
			"The record goes to the standard output, or to the file of -o; \"replay\", \"verify\" and\n" +
			"\"map\" take it. docs/import.md has a whole turn as an example. \"-\" reads the\n" +
			"standard input. The status is 1 when a line is not good.",
		Args: arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(cmd, args[0])
			if err != nil {
				return err
			}
			made, err := transcript.Read(games, text)
			var bad transcript.Complaints
			if errors.As(err, &bad) {
				for _, c := range bad {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s, %s\n", args[0], c)
				}
				return errDiffers
			}
			if err != nil {
				return err
			}
			if path == "" {
				err = made.Record.Write(cmd.OutOrStdout())
			} else {
				err = made.Record.WriteFile(path)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d entries. %s\n", len(made.Record.Entries()), made.Standing())
			return nil
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write the record to")
	return cmd
}

// readText reads a file, or the standard input, as far as a transcript may go.
func readText(cmd *cobra.Command, path string) (string, error) {
	in := io.Reader(nil)
	if path == "-" {
		in = input(cmd, "Write the match, and Ctrl-D on a line of its own behind it.")
	} else {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, transcript.Longest+1))
	return string(text), err
}
