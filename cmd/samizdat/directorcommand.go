package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/directing"
	"samizdat/internal/daemon"
)

func directorCommand() *cobra.Command {
	var why string
	var yes bool
	forms := ""
	for _, f := range directing.Forms() {
		forms += fmt.Sprintf("\n  %-36s %s", f.Act, f.Does)
	}
	cmd := &cobra.Command{
		Use:   "director MATCH [ACT] [--why REASON] [--yes]",
		Short: "Mend what went wrong in a match, as its director",
		Long: "Show how a match stands for everybody, with the numbers of its history; or do an act\n" +
			"of the director to it, in the words that he writes in letters too. Every act but\n" +
			"TELL ALL needs a reason, which the players are told and the record keeps. Nothing is\n" +
			"rewritten: an act is an entry of the history. It can be done while a daemon serves.\n\n" +
			"The acts:" + forms,
		Example: "  samizdat director mabcdefg\n" +
			"  samizdat director mabcdefg undo to 12 --why \"The wrong letter was taken for an order\" --yes\n" +
			"  samizdat director mabcdefg tell all \"The server moves on Sunday.\" --yes",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return arguments("MATCH", "ACT")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return showDirected(cmd, args[0])
			}
			act, err := directing.Parse(strings.Join(args[1:], " "), why)
			if err != nil {
				return err
			}
			return direct(cmd, args[0], act, yes)
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, for the players and the record")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this the command only says what it would do")
	return cmd
}

// showDirected shows how a match stands.
func showDirected(cmd *cobra.Command, match string) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		text, err := d.Adjudicator.Directed(cmd.Context(), match)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\nAn act is done with: samizdat director %s ACT --why REASON --yes\n", text, match)
		return err
	})
}

// direct does an act, or says what it would do.
func direct(cmd *cobra.Command, match string, act directing.Act, yes bool) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		effect, err := d.Adjudicator.Direct(cmd.Context(), match, act, yes)
		if err != nil {
			return err
		}
		done := "Nothing was changed; --yes does it."
		if yes {
			done = "It is done. Letters go out as soon as \"samizdat serve\" runs."
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s:\n%s\n%s\n", match, act, effect, done)
		return err
	})
}
