package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIdentityConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, yaml, want string }{
		{"no such place", "identity:\n  token: header\n", "identity: token must be address or subject, got \"header\""},
		{"no such proof", "identity:\n  proof: spf\n", "identity: proof must be none, dkim or server, got \"spf\""},
		{"no server", "identity:\n  proof: server\n", "name the server"},
		{"negative", "answers:\n  burst: -1\n", "answers"},
		{"no time", "answers:\n  every: 0s\n", "answers"},
		{"good", "identity:\n  token: subject\n  proof: server\n  server: mx.example\nanswers:\n  burst: 0\n  every: 0s\n", ""},
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(f, []byte(tt.yaml), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(f)
		if tt.want == "" {
			if each, totalRate := c.ReplyLimits.Rates(); err != nil || c.SenderAuth.NewProof() == nil || each.Burst != 0 || totalRate.Burst == 0 {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	if Default().SenderAuth.NewProof() != nil {
		t.Error("a proof is demanded, though nobody asked for it")
	}
}
