package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/internal/daemon"
)

func siteCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "site -o DIRECTORY",
		Short: "Write the pages of the club and of the matches that are over",
		Long: "Write the pages into a directory: the ladder, the players, matches that run and that are\n" +
			"over, tournaments, a feed of results; and of each match that is over its history and its\n" +
			"record. What has not changed is left alone. A daemon that has \"site\" in its\n" +
			"configuration writes them by itself.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return errUsage{cmd, errors.New("-o is missing: name a directory")}
			}
			return withDatabase(cmd, func(d *daemon.Daemon) error {
				w, err := d.WriteSite(cmd.Context(), dir)
				if err != nil {
					return err
				}
				text := "The pages of the matches are in " + dir + ". There is no club."
				if d.Club != nil {
					text = fmt.Sprintf("The pages are in %s. The club has %d; %d have changed, %d are gone.", dir, w.Pages, w.Changed, w.Removed)
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the directory")
	return cmd
}
