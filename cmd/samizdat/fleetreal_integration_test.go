//go:build integration

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"samizdat/internal/config"
	"samizdat/internal/mailclient"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/mailtest/realmail"
	"samizdat/mail/embedded"
)

// newRealCrash is newCrashMail with Dovecot and Postfix.
func newRealCrash(ctx context.Context, t *testing.T, dir string, accounts int) (*crash, config.Config) {
	c := &crash{t: t, ctx: ctx, rng: rand.New(rand.NewPCG(*fleetSeed, 1))}
	cfg := config.Local(dir, nil)
	cfg.Address = "referee@test"
	names := []string{cfg.Address}
	for i := range accounts {
		names = append(names, fmt.Sprintf("player%d@test", i))
	}
	for _, n := range names {
		c.boxes.Accounts = append(c.boxes.Accounts, embedded.Account{Address: n, Password: realmail.Password})
	}
	s := realmail.Start(t, names, nil)
	c.servers = fmt.Sprintf("address: %s\nimap: {address: %q, tls: tls, ca_file: %s, user: %[1]s, password: %[4]s}\n"+
		"smtp: {address: %[5]q, tls: starttls, ca_file: %[3]s, user: %[1]s, password: %[4]s}\n", cfg.Address, s.IMAPS, s.CA, realmail.Password, s.Submission)
	c.dial = func(a embedded.Account) (*mailclient.Client, error) { return newRealClient(s, a.Address) }
	c.folder = func(a embedded.Account) ([][]byte, error) {
		return mailtest.Mailbox{Server: s.IMAP, User: a.Address, Password: a.Password}.Folder("INBOX")
	}
	return c, cfg
}
