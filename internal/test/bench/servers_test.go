//go:build integration && long && linux

package bench

import (
	"os"
	"slices"
	"testing"

	"samizdat/internal/config"
	"samizdat/internal/test/mailtest/realmail"
	"samizdat/mail"
)

// TestServers measures the loops with Postfix and Dovecot, and prints the table, as the second
// one of docs/speed.md is with
//
//	go test -tags integration,long ./internal/test/bench -run TestServers -v -args -full -matches 700 -letters 100
func TestServers(t *testing.T) {
	s := realmail.Start(t, []string{"referee@test", "ada@test", "ben@test"}, nil)
	b := newBench(t, chosen)
	cfg := config.Default()
	login := mail.Login{CAFile: s.CA, User: "referee@test", Password: realmail.Password}
	cfg.Address, cfg.IMAP.Login, cfg.SMTP.Login = "referee@test", login, login
	cfg.IMAP.Address, cfg.IMAP.TLS = s.IMAPS, mail.TLS
	cfg.SMTP.Address, cfg.SMTP.TLS = s.Submission, mail.StartTLS
	b.servers, b.inbox, b.mailboxes = &cfg, s.IMAP, []string{"ada@test", "ben@test"}
	b.measure(t, "loop|pictures")
	check(t, b.table.write(os.Stdout))
	if !slices.ContainsFunc(b.table.Rows, func(r row) bool { return r.Name == "letters, 1 match, with pictures" }) {
		t.Error("letters with pictures were not measured")
	}
}
