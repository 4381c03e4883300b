package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/invitation"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/doctor"
	"samizdat/mail/embedded"
	"samizdat/storage"
)

func serveCommand() *cobra.Command {
	var create bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the referee: read orders from the inbox and answer them, until stopped",
		Long: "Run the referee until stopped. Without a configuration the program runs its own mail\n" +
			"server on this machine and prints how an ordinary mail program connects to it.\n\n" +
			"If there is no database, the command creates a new database, and says so. If \"data\" in the\n" +
			"configuration file is a relative path, a new database needs --create, because the command\n" +
			"may have been called in the wrong directory.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			if err := daemon.CheckStart(cmd.Context(), cfg); err != nil {
				return err
			}
			if err := announceNewDatabase(cmd, cfg, create); err != nil {
				return err
			}
			err = withOpenedDaemon(cmd, daemon.OpenWithRetry, func(d *daemon.Daemon) error {
				database, err := d.Config.FindDatabase()
				if err != nil {
					return err
				}
				return d.Run(cmd.Context(), func(server *embedded.Server) {
					if server != nil {
						printMailboxes(cmd, d.Config, server)
					}
					fmt.Fprintf(cmd.OutOrStdout(), "Samizdat referees at %s, with the database %s. Stop with Ctrl-C.\n", d.Config.Address, database)
					if d.Config.Contact == "" {
						fmt.Fprintf(cmd.OutOrStdout(), "No contact is set, so letters name no person for questions: "+
							"letters with ASK go to the folder %s of the referee's mailbox.\n", daemon.Questions)
					}
					if n := d.CountMatchesToRebuild(cmd.Context()); n > 0 {
						fmt.Fprintf(cmd.OutOrStdout(), "Another version of this program stored %d running matches: they are replayed in the "+
							"background, and each before its next letter.\n", n)
					}
				})
			})
			if errors.Is(err, context.Canceled) && cmd.Context().Err() != nil {
				return nil // The program was stopped while it waited for the database.
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&create, "create", false, "create a new database if there is none")
	return cmd
}

// If there is no database, announceNewDatabase prints that a new database is created. It returns an error if the
// configuration file has a relative data directory and create is not set, because the working directory may be wrong.
func announceNewDatabase(cmd *cobra.Command, cfg config.Config, create bool) error {
	if err := storage.CheckRestoreFinished(cfg.DSN()); err != nil {
		return err
	}
	path, err := cfg.FindDatabase()
	switch file := configPath(cmd); {
	case !errors.Is(err, config.ErrNoDatabase):
		return nil // Another error is reported when the database is opened.
	case !create && file != "" && !filepath.IsAbs(cfg.Data):
		return fmt.Errorf("there is no database %s: run this command in the directory of your database, or set \"data\" in %s to "+
			"an absolute path; to create a new database here, add --create", path, file)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "There is no database yet: a new one is created, %s. If you have a database elsewhere, "+
		"stop this command and run it there.\n", path)
	return nil
}

func printMailboxes(cmd *cobra.Command, cfg config.Config, server *embedded.Server) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "Mail server on this machine, for this machine only, without encryption:\n"+
		"  IMAP %s   SMTP %s   login with address and password\n", server.IMAPAddr(), server.SMTPAddr())
	accounts := cfg.Embedded.Accounts
	for _, a := range accounts {
		fmt.Fprintf(w, "  mailbox %s   password %s\n", a.Address, a.Password)
	}
	minimum, _ := games[0].Seats()
	if len(accounts) < minimum {
		return
	}
	fmt.Fprintf(w, "To start a match, in another terminal, in this directory:\n  ")
	if data := os.Getenv("SAMIZDAT_DATA"); data != "" {
		fmt.Fprintf(w, "SAMIZDAT_DATA=%s ", shellWord(data))
	}
	fmt.Fprintf(w, "%s new %s", programName(), games[0].Name())
	if f := cmd.Flag("config"); f.Changed {
		fmt.Fprintf(w, " --config %s", shellWord(f.Value.String()))
	}
	for _, a := range accounts[:minimum] {
		fmt.Fprintf(w, " --seat %s", a.Address)
	}
	fmt.Fprintln(w)
}

func doctorCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the set-up, and say what to do",
		Long: "Check the configuration, the data directory, the database and the mail account, and print\n" +
			"a line for each finding: ok, note, or bad with advice. Then send a letter to the referee's\n" +
			"own address, usually with a plus and more before the @, and wait until it arrives. The\n" +
			"letter is moved to Samizdat/Ignored; nothing is deleted, and nothing in the database is\n" +
			"changed. The exit status is 1 if something is bad. No password is shown.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			bad, err := doctor.Run(cmd.Context(), cmd.OutOrStdout(), configPath(cmd), wait)
			if err == nil && bad > 0 {
				err = errDiffers
			}
			return err
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait for the letter; 0 sends none")
	return cmd
}

const maxStdin = 64 << 10

func sealCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "seal [WORDS]",
		Short: "Print the seal of words for the dice, to join a match with",
		Long: "Print the seal of words for the dice: their SHA-256, which you send after JOIN SEALED. The\n" +
			"words stay on this machine. Without an argument they are read from the standard input, so\n" +
			"that they are not in the history of your shell. Several spaces between words count as\n" +
			"one, and those at the start and the end are ignored, as when you OPEN the words by letter.",
		Example: "  samizdat seal six words that nobody else knows\n  samizdat seal < words.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if len(args) == 0 {
				in, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxStdin))
				if err != nil {
					return fmt.Errorf("read the words: %w", err)
				}
				text = string(in)
			}
			words, seal, err := invitation.SealWords(text)
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

func retryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "retry",
		Short: "Move the letters in quarantine back into the inbox",
		Long: "Move all letters of the folder Samizdat/Quarantine back into the inbox. They are then handled\n" +
			"like new letters, each with its original time of arrival. First correct the cause of the\n" +
			"failure, which the log and the letter to the operator name. You can run this command while\n" +
			"a daemon is running.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			n, err := daemon.ReturnQuarantined(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Letters put back into the inbox: %d.\n", n)
			return nil
		},
	}
}

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file, while the daemon runs",
		Long: "Copy the database to a new file and check the copy. You can run this command while the\n" +
			"daemon is running. The key file is not copied: keep it in another place, because both\n" +
			"together reveal future dice. An existing FILE is not overwritten. For a PostgreSQL\n" +
			"database use the programs of PostgreSQL.",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			if err := checkDatabase(cfg); err != nil {
				return err
			}
			if err := storage.Backup(cmd.Context(), cfg.DSN(), args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The database was copied to %s, and the copy was checked. The key is %s; keep it in another place.\n",
				args[0], cfg.KeyFile())
			return nil
		},
	}
}

func restoreCommand() *cobra.Command {
	var reason string
	var continueEnded bool
	cmd := &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Replace the database by a backup",
		Long: "Replace the database by a backup. The daemon must not be running. The old database is\n" +
			"kept in the same directory. Every match in play gets a new epoch, so dice and cards that\n" +
			"were known since the backup are not used again. A match that has ended since the backup\n" +
			"stays over, because its last letters published the secret of its dice. When the daemon\n" +
			"starts, it reads the letters since the backup again. The next letter to each player\n" +
			"mentions the restore and the reason of --because. Both are in the record of the match.\n\n" +
			"Restore a PostgreSQL database with the programs of PostgreSQL. Then run this command\n" +
			"without FILE before a daemon starts: it does the rest in the configured database.",
		Example: "  samizdat restore /somewhere/samizdat-2026-11-21.db --because \"The disk was broken.\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			names := []string{"FILE"}
			if cfg.UsesPostgres() {
				if names = nil; len(args) > 0 {
					return fmt.Errorf("restore %s: %w. Restore it with them, and run this command without FILE before a daemon starts", args[0],
						storage.ErrOnServer)
				}
			}
			if err := exactArgs(names...)(cmd, args); err != nil {
				return err
			}
			backup := strings.Join(args, "")
			r, err := daemon.Restore(cmd.Context(), cfg, backup,
				storage.RestoreOptions{Reason: strings.Join(strings.Fields(reason), " "), ContinueEnded: continueEnded})
			if err != nil {
				return err
			}
			printRestored(cmd.OutOrStdout(), cfg, r, continueEnded)
			return nil
		},
	}
	cmd.Flags().StringVar(&reason, "because", "", "the reason, for the players")
	cmd.Flags().BoolVar(&continueEnded, "go-on", false, "continue matches that have ended since the backup, although their secrets are known")
	return cmd
}

func printRestored(out io.Writer, cfg config.Config, r storage.Restored, continueEnded bool) {
	fmt.Fprintf(out, "The backup is restored. Matches in play, each in a new epoch: %d.\n", r.Matches)
	if r.PreviousPath != "" {
		fmt.Fprintf(out, "The old database is %s.\n", r.PreviousPath)
	}
	if len(r.Ended) > 0 {
		outcome := "they stay over"
		if continueEnded {
			outcome = "they continue, although their last letters published the secrets of their dice"
		}
		fmt.Fprintf(out, "Matches that have ended since the backup: %s; %s.\n", strings.Join(r.Ended, ", "), outcome)
	}
	if r.EndedErr != nil {
		fmt.Fprintf(out, "The matches that have ended since the backup are unknown: %v.\n"+
			"They continue, although their last letters published the secrets of their dice: let the director annul them.\n", r.EndedErr)
	}
	if r.NewestLetter.IsZero() {
		return
	}
	fmt.Fprintf(out, "The daemon reads the letters since %s again when it starts.\n", r.NewestLetter.Format("2 January 2006, 15:04 MST"))
	if cfg.UsesPostgres() {
		fmt.Fprintf(out, "If there are several daemons, first start the daemon with the data directory %s: it reads these letters.\n", cfg.Data)
	}
}

func copyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy the club to another database: a file, or a PostgreSQL server",
		Long: "Copy the club from one database to another. FROM and TO are SQLite files, or URLs of\n" +
			"databases on a PostgreSQL server. No daemon may be running. TO must be new, or empty, or\n" +
			"an unfinished copy of the same club; then the copying starts again from the beginning.\n" +
			"A database on a server must exist already; createdb creates it.\n\n" +
			"Everything is copied as stored: matches, waiting letters, receipts, the club. The key in the\n" +
			"data directory remains the key. Then the rows of every table are counted and compared, and\n" +
			"every match of the copy is exported, compared byte by byte with that of FROM, and verified.\n" +
			"TO cannot be used before all this is done. FROM is not changed.\n\n" +
			"Do not write a password in a command. SAMIZDAT_DATABASE_PASSWORD, or database_password in the\n" +
			"configuration, is the password of the server. If the configured database is on a server, this\n" +
			"password is only for that database; the password of another server comes from ~/.pgpass or\n" +
			"PGPASSWORD.",
		Example: "  samizdat copy samizdat-data/samizdat.db \"postgres://samizdat@db.example.org/samizdat?sslmode=verify-full\"",
		Args:    exactArgs("FROM", "TO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			sum, err := daemon.Copy(cmd.Context(), cfg, games, cfg.DSNFor(args[0]), cfg.DSNFor(args[1]), func(format string, args ...any) {
				fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The club is copied: %d rows in %d tables, the same in both. "+
				"The records of %d matches are equal, and the %d that have begun are verified.\n"+
				"Set database in the configuration to the copy. Do not run a daemon with the old database any more: "+
				"letters from both databases would reveal future dice.\n",
				sum.Rows, sum.Tables, sum.Matches, sum.WithHistory)
			return nil
		},
	}
}

func siteCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "site -o DIRECTORY",
		Short: "Write the pages of the club and of finished matches",
		Long: "Write the pages into a directory: the ladder, the players, running and finished matches,\n" +
			"tournaments and a feed of results, and the history and the record of each finished match.\n" +
			"Unchanged files are not written again. A daemon with \"site\" in its configuration writes\n" +
			"them without this command.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usageError{cmd, errors.New("-o is missing: name a directory")}
			}
			return withDatabase(cmd, func(d *daemon.Daemon) error {
				w, err := d.WriteSite(cmd.Context(), dir, false)
				if err != nil {
					return err
				}
				text := "The pages of the matches are in " + dir + ". There is no club."
				if d.Club != nil {
					text = fmt.Sprintf("The pages are in %s. Pages of the club: %d, changed: %d, removed: %d.", dir, w.Files, w.Changed, w.Removed)
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the directory")
	return cmd
}
