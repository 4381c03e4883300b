//go:build integration

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest/realmail"
)

// TestBenchServers measures the loops with Postfix and Dovecot, and prints the table. A
// long run measures as the table of docs/speed.md is.
func TestBenchServers(t *testing.T) {
	s := realmail.Start(t, []string{"referee@test", "ada@test", "ben@test"}, nil)
	file := filepath.Join(t.TempDir(), "samizdat.yaml")
	text := fmt.Sprintf("address: referee@test\n"+
		"imap: {address: %q, tls: tls, ca_file: %s, user: referee@test, password: %[3]s}\n"+
		"smtp: {address: %[4]q, tls: starttls, ca_file: %[2]s, user: referee@test, password: %[3]s}\n", s.IMAPS, s.CA, realmail.Password, s.Submission)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"bench", "--config", file, "--only", "loop|pictures", "--player", "ada@test", "--player", "ben@test"}
	if long.Run {
		args = append(args, "--matches", "700", "--letters", "100")
	} else {
		args = append(args, "--quick")
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), args, &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, errs.String())
	}
	t.Logf("\n%s", out.String())
	for _, want := range []string{"| null loop | letters/s", "| letters, 1 match, text and page | letters/s", "with pictures"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q was not measured", want)
		}
	}
}
