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
			"If there is no database, a new one is created, and the command says so. If \"data\" in\n" +
			"the configuration file is a relative path, this needs --create, because the command may\n" +
			"have been called in the wrong directory.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			if err := daemon.CheckStart(cmd.Context(), cfg); err != nil {
				return err
			}
			if err := printFirstSteps(cmd, cfg, create); err != nil {
				return err
			}
			err = withOpened(cmd, daemon.OpenWithRetry, func(d *daemon.Daemon) error {
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
						fmt.Fprintf(cmd.OutOrStdout(), "No contact is set, so letters name nobody whom players may ask: "+
							"a letter with ASK is put in the folder %s of the referee's mailbox.\n", daemon.Questions)
					}
					if n := d.CountMatchesToRebuild(cmd.Context()); n > 0 {
						fmt.Fprintf(cmd.OutOrStdout(), "Another program has stored %d running matches: each is played again before its next letter, "+
							"all of them in the background.\n", n)
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

// printFirstSteps prints that a new database is created. It refuses one in a relative data directory of a
// configuration file, because the command may have been called in the wrong directory.
func printFirstSteps(cmd *cobra.Command, cfg config.Config, create bool) error {
	if err := storage.CheckRestoreFinished(cfg.Database()); err != nil {
		return err
	}
	path, err := cfg.FindDatabase()
	switch file := configPath(cmd); {
	case !errors.Is(err, config.ErrNoDatabase):
		return nil // Another error is reported when the database is opened.
	case !create && file != "" && !filepath.IsAbs(cfg.Data):
		return fmt.Errorf("there is no database %s: call this where yours is, or write its whole path as \"data\" in %s; "+
			"to begin a new one here, add --create",
			path, file)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "There is no database yet: a new one begins in %s. If you have one elsewhere, "+
		"stop this and call it there.\n", path)
	return nil
}

// printMailboxes prints how a mail program connects to the embedded server, and how to start a match.
func printMailboxes(cmd *cobra.Command, cfg config.Config, server *embedded.Server) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "Mail server of our own, without encryption, for this machine only:\n"+
		"  IMAP %s   SMTP %s   login with address and password\n", server.IMAPAddr(), server.SMTPAddr())
	accounts := cfg.Embedded.Accounts
	for _, a := range accounts {
		fmt.Fprintf(w, "  mailbox %s   password %s\n", a.Address, a.Password)
	}
	minimum, _ := games[0].Seats()
	if len(accounts) < minimum {
		return
	}
	fmt.Fprintf(w, "To begin a match, in another terminal, in this directory:\n  ")
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
			"own address and wait for it, to check that letters arrive, also with any text after a\n" +
			"plus in the address. The letter is moved to Samizdat/Ignored; nothing is deleted, and\n" +
			"nothing in the database is changed. The exit status is 1 if something is bad. No password\n" +
			"is shown.",
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

// maxStdin limits the bytes of words on the standard input.
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
		Long: "Move all letters of the folder Samizdat/Quarantine back into the inbox. A daemon may be\n" +
			"running. The letters are then handled like new ones, each with its time of arrival. Call\n" +
			"this after the cause of the failure was corrected: the log and the letter to the operator\n" +
			"name it.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := loadConfig(cmd)
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

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file, while the daemon runs",
		Long: "Copy the database to a new file and check the copy. The daemon may be running. The\n" +
			"key file is not copied: keep it somewhere else, since both together tell coming\n" +
			"dice. A file that is there already is not overwritten. A database of PostgreSQL is backed\n" +
			"up by its own programs.",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(cmd)
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
	var reason string
	var continueEnded bool
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
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			names := []string{"FILE"}
			if cfg.OnServer() {
				if names = nil; len(args) > 0 {
					return fmt.Errorf("restore %s: %w. Put it back with them, and call this without a file, before any daemon starts", args[0],
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
	cmd.Flags().StringVar(&reason, "because", "", "the reason that players are told")
	cmd.Flags().BoolVar(&continueEnded, "go-on", false, "continue matches that have ended since the backup, although their secrets are known")
	return cmd
}

func printRestored(out io.Writer, cfg config.Config, r storage.Restored, continueEnded bool) {
	fmt.Fprintf(out, "The backup is in place. Matches under way, each in a new epoch: %d.\n", r.Matches)
	if r.PreviousPath != "" {
		fmt.Fprintf(out, "The database that was there is %s.\n", r.PreviousPath)
	}
	if len(r.Ended) > 0 {
		outcome := "they stay over, as they ended"
		if continueEnded {
			outcome = "they go on, though their last letters tell the secret that their dice come from"
		}
		fmt.Fprintf(out, "Matches that have ended since the backup: %s; %s.\n", strings.Join(r.Ended, ", "), outcome)
	}
	if r.EndedErr != nil {
		fmt.Fprintf(out, "Which matches have ended since the backup is not known: %v.\n"+
			"One that has goes on, though its last letters tell the secret that its dice come from: let the director annul it.\n", r.EndedErr)
	}
	if r.NewestLetter.IsZero() {
		return
	}
	fmt.Fprintf(out, "Letters that came since %s are read again when the daemon starts.\n", r.NewestLetter.Format("2 January 2006, 15:04 MST"))
	if cfg.OnServer() {
		fmt.Fprintf(out, "Of several daemons, start the one with the data directory %s first: it reads them.\n", cfg.Data)
	}
}

func copyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy the club to another database: a file, or a PostgreSQL server",
		Long: "Copy the club from one database to another. Each is an SQLite file, or the URL of a\n" +
			"database on a PostgreSQL server. No daemon may be running. TO is new, or empty, or an\n" +
			"unfinished copy of the same club, which is started again. A database on a server must\n" +
			"exist already; createdb creates it.\n\n" +
			"Everything is copied as stored: matches, waiting letters, receipts, the club. The key in the\n" +
			"data directory remains the key. Then the rows of every table are counted and compared, and\n" +
			"every match of the copy is exported, compared byte by byte with that of FROM, and verified.\n" +
			"TO cannot be used before all this is done. FROM is not changed.\n\n" +
			"Do not write a password in a command. SAMIZDAT_DATABASE_PASSWORD, or database_password in the\n" +
			"configuration, is the password of the server that is copied to or from. If the configuration\n" +
			"names a server as its database, the password is only for that one; the password of another\n" +
			"server comes from ~/.pgpass or PGPASSWORD.",
		Example: "  samizdat copy samizdat-data/samizdat.db \"postgres://samizdat@db.example.org/samizdat?sslmode=verify-full\"",
		Args:    exactArgs("FROM", "TO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			sum, err := daemon.Copy(cmd.Context(), cfg, games, cfg.DatabaseOf(args[0]), cfg.DatabaseOf(args[1]), func(format string, args ...any) {
				fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The club is copied: %d rows in %d tables, the same in both. "+
				"Of %d matches the records are the same to the byte, and the %d that have begun are verified.\n"+
				"Set database in the configuration to the copy. Let no daemon serve the database that was copied any more: "+
				"both together would tell coming dice.\n",
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
