package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"samizdat/storage"
)

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file, while the daemon runs",
		Long: "Copy the database to a new file and check the copy. The daemon may be running. The\n" +
			"key file is not copied: keep it somewhere else, since both together tell coming\n" +
			"dice. A file that is there already is not overwritten.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
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
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: "Put a backup in the place of the database; the daemon must not be running. The\n" +
			"database that was there is kept beside it. The epoch of every match under way\n" +
			"rises: dice and cards that were known since the backup do not come again. When the\n" +
			"daemon starts, it reads the handled letters since the backup once more.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			release, err := lock(cfg.Data)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, release()) }()
			r, err := storage.Restore(cmd.Context(), args[0], cfg.Database(), cfg.KeyFile(), time.Now())
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "The backup is in place. Matches under way, each in a new epoch: %d.\n", r.Matches)
			if r.Kept != "" {
				fmt.Fprintf(out, "The database that was there is %s.\n", r.Kept)
			}
			if r.Since.IsZero() {
				return nil
			}
			since := r.Since.Add(-overlap)
			if err := askReread(cfg.Data, since); err != nil {
				return err
			}
			fmt.Fprintf(out, "Letters that came since %s are read again when the daemon starts.\n", since.Format("2 January 2006, 15:04 MST"))
			return nil
		},
	}
}

// overlap is how much further back than the newest letter of a backup letters are
// read again: they are not taken up in the order in which they came. Those that
// the backup knows are recognised, and change nothing.
const overlap = 24 * time.Hour

// rereadFile says since when handled letters are to be read again. It is a file,
// so that it outlasts a daemon that is stopped before it has done so.
func rereadFile(dir string) string { return filepath.Join(dir, "reread-since") }

func askReread(dir string, since time.Time) error {
	if err := os.WriteFile(rereadFile(dir), []byte(since.UTC().Format(time.RFC3339)+"\n"), 0o600); err != nil {
		return fmt.Errorf("note which letters to read again: %w", err)
	}
	return nil
}

// askedReread returns since when letters are to be read again; false when they are
// not.
func askedReread(dir string) (since time.Time, asked bool, err error) {
	b, err := os.ReadFile(rereadFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err == nil {
		since, err = time.Parse(time.RFC3339+"\n", string(b))
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("which letters to read again: %w", err)
	}
	return since, true, nil
}
