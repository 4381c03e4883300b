//go:build integration

package mail_test

import (
	"os"
	"testing"
	"time"

	"samizdat/internal/test/mailtest/realmail"
)

// These tests run against a real Dovecot and a real Postfix.

const password = realmail.Password

func accessToken(user string, until time.Time) string { return realmail.AccessToken(user, until) }

type servers struct {
	imap, imaps, lmtp, smtp, submission, submissions, ca string
}

func startServers(t *testing.T) servers {
	t.Helper()
	s := realmail.Start(t, []string{"judge@test", "ways@test", "back@test", "ann@test"}, []string{"gone@test"})
	return servers{imap: s.IMAP, imaps: s.IMAPS, lmtp: s.LMTP, smtp: s.SMTP, submission: s.Submission, submissions: s.Submissions, ca: s.CA}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
