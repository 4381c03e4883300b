package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/storage"
)

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file, while the daemon runs",
		Long: "Copy the database to a new file and check the copy. The daemon may be running. The\n" +
			"key file is not copied: keep it somewhere else, since both together tell coming\n" +
			"dice. A file that is there already is not overwritten. A database of PostgreSQL is backed\n" +
			"up by its own programs.",
		Args: arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			if err := findDatabase(cfg); err != nil {
				return err
			}
			if err := storage.Backup(cmd.Context(), cfg.Database(), args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The database is in %s, and the copy is sound. Its key is %s; keep that apart.\n", args[0], cfg.KeyFile())
			return nil
		},
	}
}

func restoreCommand() *cobra.Command {
	var why string
	var goOn bool
	cmd := &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Put a backup in the place of the database",
		Long: "Put a backup in the place of the database; the daemon must not be running. The\n" +
			"database that was there is kept beside it. The epoch of every match under way\n" +
			"rises: dice and cards that were known since the backup do not come again. A match\n" +
			"that has ended since the backup stays over, as it ended: its last letters tell the\n" +
			"secret that its dice come from. When the daemon starts, it reads the handled letters\n" +
			"since the backup once more. Each player's next letter tells of the restore, with the\n" +
			"reason that --because names; the match's record keeps both.\n\n" +
			"A database of PostgreSQL is put back by PostgreSQL's own programs. Then call this without\n" +
			"FILE, before any daemon starts: it does all the rest, where the configuration says.",
		Example: "  samizdat restore /somewhere/samizdat-2026-11-21.db --because \"The disk was broken.\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			names := []string{"FILE"}
			if cfg.OnServer() {
				if names = nil; len(args) > 0 {
					return fmt.Errorf("restore %s: %w. Put it back with them, and call this without a file, before any daemon starts", args[0], storage.ErrOnServer)
				}
			}
			if err := arguments(names...)(cmd, args); err != nil {
				return err
			}
			backup := strings.Join(args, "")
			r, err := daemon.Restore(cmd.Context(), cfg, backup, storage.Restoring{Why: strings.Join(strings.Fields(why), " "), GoOn: goOn})
			if err != nil {
				return err
			}
			tellRestored(cmd.OutOrStdout(), cfg, r, goOn)
			return nil
		},
	}
	cmd.Flags().StringVar(&why, "because", "", "why, as players are told")
	cmd.Flags().BoolVar(&goOn, "go-on", false, "let matches go on that have ended since the backup, though their secrets are known")
	return cmd
}

// tellRestored says what a restore has done.
func tellRestored(out io.Writer, cfg config.Config, r storage.Restored, goOn bool) {
	fmt.Fprintf(out, "The backup is in place. Matches under way, each in a new epoch: %d.\n", r.Matches)
	if r.Kept != "" {
		fmt.Fprintf(out, "The database that was there is %s.\n", r.Kept)
	}
	if len(r.Ended) > 0 {
		as := "they stay over, as they ended"
		if goOn {
			as = "they go on, though their last letters tell the secret that their dice come from"
		}
		fmt.Fprintf(out, "Matches that have ended since the backup: %s; %s.\n", strings.Join(r.Ended, ", "), as)
	}
	if r.Unknown != nil {
		fmt.Fprintf(out, "Which matches have ended since the backup is not known: %v.\n"+
			"One that has goes on, though its last letters tell the secret that its dice come from: let the director annul it.\n", r.Unknown)
	}
	if r.Since.IsZero() {
		return
	}
	fmt.Fprintf(out, "Letters that came since %s are read again when the daemon starts.\n", r.Since.Format("2 January 2006, 15:04 MST"))
	if cfg.OnServer() {
		fmt.Fprintf(out, "Of several daemons, start the one with the data directory %s first: it reads them.\n", cfg.Data)
	}
}
