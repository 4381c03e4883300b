package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzLoadConfig: whatever stands in the file, loading it ends with an error or
// with a configuration that the daemon can be started with.
func FuzzLoad(f *testing.F) {
	example, err := os.ReadFile(filepath.Join("..", "..", "config.example.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	for _, s := range []string{
		"", "null", "[]", "1", "data: [", "imap: 1\n", "imap: {address: x:1}\nsmtp: {address: x:2}\n", "address: '@'\n", "address: a@\n", "address: a@b@c\n",
		"embedded:\n  accounts: 3\n", "embedded:\n  accounts: [{address: a}, null, 3]\n", "imap: {poll_interval: -1s}\n", "imap: {max_letter: 1e99}\n",
		"smtp: {dkim: {domain: samizdat.local, selector: s, key_file: /nowhere}}\n", "smtp: {dkim: []}\n", "letters: {html: maybe}\n",
		"a: &a [*a]\n", "<<: {data: x}\n", "imap::address: x\n", "data: !!binary AA==\n", "answers: {burst: -1}\n", "metrics: ':0'\n", "\x00", "\xff\xfe",
		"identity: {token: subject, proof: server, server: mx}\n", "? {a: b}\n: c\n", "data: x\n---\ndata: y\n", "data: 1\ndata: 2\n",
	} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := os.CreateTemp(dir, "*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(file.Name())
		if _, err := file.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		c, err := Load(file.Name())
		if err != nil {
			return
		}
		if err := c.Validate(); err != nil {
			t.Fatalf("what was loaded is refused: %v", err)
		}
		in, out := c.IMAP, c.SMTP
		for what, d := range map[string]time.Duration{"poll interval": in.PollInterval, "IMAP timeout": in.CommandTimeout, "idle restart": in.IdleRestart, "SMTP timeout": out.CommandTimeout} {
			if d <= 0 {
				t.Errorf("the %s is %v", what, d)
			}
		}
		if c.DSN() == "" || c.KeyFile() == "" || c.Address == "" {
			t.Errorf("%+v cannot be used", c)
		}
		if s, err := c.SMTP.DKIM.NewSigner(); err != nil || (s != nil) != (c.SMTP.DKIM != DKIM{}) {
			t.Errorf("the signing key: %v", err)
		}
		_ = c.SenderAuth.NewProof()
	})
}
