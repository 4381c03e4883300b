package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/internal/config"
	"samizdat/mail"
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
			return withDaemon(cmd, func(d *daemon) error { return serve(cmd, d) })
		},
	}
}

// serve referees until the command's context ends, with the embedded mail server
// if no other is configured.
func serve(cmd *cobra.Command, d *daemon) (err error) {
	if err := d.cfg.ReadSecrets(); err != nil {
		return err
	}
	release, err := lock(d.cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	in, out := d.cfg.IMAP, d.cfg.SMTP.SMTPConfig
	if d.cfg.UsesEmbedded() {
		server, err := startEmbedded(cmd.Context(), d.cfg, &in, &out)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.Close()) }()
		printMailboxes(cmd.OutOrStdout(), d.cfg, server)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Samizdat referees at %s. Stop with Ctrl-C.\n", d.cfg.Address)
	d.log.Info("samizdat serves", "build", build(), "data", d.cfg.Data)
	if err := d.serve(cmd.Context(), in, out); err != nil {
		return err
	}
	d.log.Info("samizdat has stopped, as it was told")
	return nil
}

// startEmbedded runs the embedded mail server and points the daemon to it.
func startEmbedded(ctx context.Context, cfg config.Config, in *mail.IMAPConfig, out *mail.SMTPConfig) (*embedded.Server, error) {
	password, err := refereePassword(cfg.Data)
	if err != nil {
		return nil, err
	}
	server, err := embedded.Start(ctx, mailboxes(cfg, password))
	if err != nil {
		return nil, err
	}
	in.Address, in.TLS, in.User, in.Password = server.IMAPAddr(), mail.NoTLS, cfg.Address, password
	out.Address, out.TLS, out.User, out.Password = server.SMTPAddr(), mail.NoTLS, cfg.Address, password
	return server, nil
}

// refereePassword is the password of the referee's own embedded mailbox. It is
// made once: nobody else needs it.
func refereePassword(dir string) (string, error) {
	path := filepath.Join(dir, "referee.password")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		raw := make([]byte, 16)
		if _, err := rand.Read(raw); err != nil {
			return "", err
		}
		b = []byte(hex.EncodeToString(raw) + "\n")
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("the referee's password: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// mailboxes is what the embedded server serves: the referee's own mailbox, whose
// password is made once and kept beside the database, and those of the configuration.
func mailboxes(cfg config.Config, password string) embedded.Config {
	e := cfg.Embedded
	e.Dir = filepath.Join(cfg.Data, "mail")
	e.Accounts = append([]embedded.Account{{Address: cfg.Address, Password: password}}, e.Accounts...)
	return e
}

// printMailboxes says how a mail program connects.
func printMailboxes(w io.Writer, cfg config.Config, server *embedded.Server) {
	fmt.Fprintf(w, "Mail server of our own, without encryption, for this machine only:\n"+
		"  IMAP %s   SMTP %s   login with address and password\n", server.IMAPAddr(), server.SMTPAddr())
	for _, a := range cfg.Embedded.Accounts {
		fmt.Fprintf(w, "  mailbox %s   password %s\n", a.Address, a.Password)
	}
	if len(cfg.Embedded.Accounts) >= 2 {
		fmt.Fprintf(w, "To begin a match, in another terminal:\n  samizdat new 1989 --seat %s --seat %s\n",
			cfg.Embedded.Accounts[0].Address, cfg.Embedded.Accounts[1].Address)
	}
}
