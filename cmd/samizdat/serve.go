package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail/embedded"
	"samizdat/storage"
)

func serveCommand() *cobra.Command {
	var create bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Referee: read orders from the inbox and answer them, until stopped",
		Long: "Referee until stopped. Without a configuration the program runs its own mail server\n" +
			"on this machine and prints how an ordinary mail program connects to it.\n\n" +
			"Where no database is, a new one is begun, and that is said. With a configuration file\n" +
			"whose \"data\" is no whole path that wants --create: it may be the wrong directory.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			// Before there is anything that would have to be tidied up.
			if err := daemon.CheckStart(cmd.Context(), cfg); err != nil {
				return err
			}
			if err := tellNew(cmd, cfg, create); err != nil {
				return err
			}
			err = withOpened(cmd, daemon.OpenPatiently, func(d *daemon.Daemon) error {
				database, err := d.Config.FindDatabase()
				if err != nil {
					return err
				}
				return d.Run(cmd.Context(), func(server *embedded.Server) {
					if server != nil {
						printMailboxes(cmd, d.Config, server)
					}
					fmt.Fprintf(cmd.OutOrStdout(), "Samizdat referees at %s, with the database %s. Stop with Ctrl-C.\n", d.Config.Address, database)
					if d.Config.Questions() == "" {
						fmt.Fprintf(cmd.OutOrStdout(), "No contact is set, so letters name nobody whom players may ask: a letter with ASK is put in the folder %s of the referee's mailbox.\n", daemon.Questions)
					}
					if n := d.ToRebuild(cmd.Context()); n > 0 {
						fmt.Fprintf(cmd.OutOrStdout(), "Another program has stored %d running matches: each is played again before its next letter, all of them in the background.\n", n)
					}
				})
			})
			if errors.Is(err, context.Canceled) && cmd.Context().Err() != nil {
				return nil // It was stopped while it waited for the database.
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&create, "create", false, "begin a new database, if none is there")
	return cmd
}

// tellNew says that a new database is begun, or refuses where that may be an accident: a
// place that depends on the directory in which the command is called, with a configuration
// that was written for some directory.
func tellNew(cmd *cobra.Command, cfg config.Config, create bool) error {
	if err := storage.Restorable(cfg.Database()); err != nil {
		return err
	}
	path, err := cfg.FindDatabase()
	switch file := cmd.Flag("config"); {
	case !errors.Is(err, config.ErrNoDatabase):
		return nil // What else there is to say of it is said when it is opened.
	case !create && file.Changed && !filepath.IsAbs(cfg.Data):
		return fmt.Errorf("there is no database %s: call this where yours is, or write its whole path as \"data\" in %s; to begin a new one here, add --create",
			path, file.Value)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "There is no database yet: a new one begins in %s. If you have one elsewhere, stop this and call it there.\n", path)
	return nil
}

// printMailboxes says how a mail program connects.
func printMailboxes(cmd *cobra.Command, cfg config.Config, server *embedded.Server) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "Mail server of our own, without encryption, for this machine only:\n"+
		"  IMAP %s   SMTP %s   login with address and password\n", server.IMAPAddr(), server.SMTPAddr())
	accounts := cfg.Embedded.Accounts
	for _, a := range accounts {
		fmt.Fprintf(w, "  mailbox %s   password %s\n", a.Address, a.Password)
	}
	least, _ := games[0].Seats()
	if len(accounts) < least {
		return
	}
	fmt.Fprintf(w, "To begin a match, in another terminal, in this directory:\n  ")
	if data := os.Getenv("SAMIZDAT_DATA"); data != "" {
		fmt.Fprintf(w, "SAMIZDAT_DATA=%s ", shellWord(data))
	}
	fmt.Fprintf(w, "%s new %s", typed(), games[0].Name())
	if f := cmd.Flag("config"); f.Changed {
		fmt.Fprintf(w, " --config %s", shellWord(f.Value.String()))
	}
	for _, a := range accounts[:least] {
		fmt.Fprintf(w, " --seat %s", a.Address)
	}
	fmt.Fprintln(w)
}
