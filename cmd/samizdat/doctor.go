package main

import (
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/doctor"
)

func doctorCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether everything is set up as it should be, and say what to do",
		Long: "Look at the configuration, the data directory, the database and the mail account, one\n" +
			"line for each: ok, bad with what to do about it, or note. Then send a letter to the\n" +
			"referee's own address and wait for it, to see whether letters arrive and whether the\n" +
			"part behind a plus may be anything. The letter is moved to Samizdat/Ignored; nothing\n" +
			"is deleted, and nothing in the database is changed. The status is 1 when something is\n" +
			"bad. No password is shown.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := cmd.Flags().GetString("config")
			if err != nil {
				return err
			}
			bad, err := doctor.Run(cmd.Context(), cmd.OutOrStdout(), path, wait)
			if err == nil && bad > 0 {
				err = errDiffers
			}
			return err
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", time.Minute, "for how long the letter is waited for; 0 sends none")
	return cmd
}
