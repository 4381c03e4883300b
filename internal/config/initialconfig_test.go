package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProvidersPage: docs/providers.md shows what "samizdat init" writes for each provider.
func TestProvidersPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "providers.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?m)(^    .*\n)+`).FindAllString(string(page), -1)
	for _, p := range Providers {
		if p.Name == EmbeddedServer {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			f := InitialConfig{Provider: p, Data: "/var/lib/samizdat", Address: "referee@example.org", Operator: "ann@example.org",
				IMAP: MailServer{Address: "mail.example.org:993"}, SMTP: MailServer{Address: "mail.example.org:465"}, PasswordFile: "/etc/samizdat/password", Registration: "none"}
			if p.UsesToken {
				f.PasswordFile, f.TokenCommand = "", "/usr/local/bin/print-token"
			}
			text, err := f.Text()
			if err != nil {
				t.Fatal(err)
			}
			_, servers, _ := strings.Cut(string(text), "operator: ann@example.org\n")
			want := "    " + strings.ReplaceAll(strings.TrimSpace(servers), "\n", "\n    ") + "\n"
			for _, b := range blocks {
				if b == want {
					return
				}
			}
			t.Errorf("docs/providers.md has no block of lines like this:\n%s\nbut\n%s", want, cmp.Diff(want, strings.Join(blocks, "\n")))
		})
	}
}
