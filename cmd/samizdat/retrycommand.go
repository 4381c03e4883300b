package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/internal/daemon"
)

func retryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "retry",
		Short: "Put the letters in quarantine back into the inbox",
		Long: "Put all letters of the folder Samizdat/Quarantine back into the inbox, while the daemon runs\n" +
			"or not. They are then handled like new letters, each with the time at which it came. Call it when\n" +
			"what the program failed over is mended: the log and the letter to the operator name it.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			n, err := daemon.Retry(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Letters put back into the inbox: %d.\n", n)
			return nil
		},
	}
}
