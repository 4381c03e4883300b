package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail/embedded"
)

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Referee: read orders from the inbox and answer them, until stopped",
		Long: "Referee until stopped. Without a configuration the program runs its own mail server\n" +
			"on this machine and prints how an ordinary mail program connects to it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withDaemon(cmd, func(d *daemon.Daemon) error {
				return d.Run(cmd.Context(), func(server *embedded.Server) {
					if server != nil {
						printMailboxes(cmd.OutOrStdout(), d.Config, server)
					}
					fmt.Fprintf(cmd.OutOrStdout(), "Samizdat referees at %s. Stop with Ctrl-C.\n", d.Config.Address)
				})
			})
		},
	}
}

// printMailboxes says how a mail program connects.
func printMailboxes(w io.Writer, cfg config.Config, server *embedded.Server) {
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
	fmt.Fprintf(w, "To begin a match, in another terminal:\n  samizdat new %s", games[0].Name())
	for _, a := range accounts[:least] {
		fmt.Fprintf(w, " --seat %s", a.Address)
	}
	fmt.Fprintln(w)
}
