package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/order"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/rules/dawn1989"
)

// TestMatchesAndResendWhileServing: other processes list the matches and write to a
// player while the daemon serves. He gets the letter, and it can be answered. Another
// player takes his seat in the same way.
func TestMatchesAndResendWhileServing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("the letters took too long"))
	defer cancel()
	dir := t.TempDir()
	seats := []string{"democrat", "communist"}
	cfg := config.Local(dir, append(slices.Clone(seats), "newcomer"))
	cfg.Letters.Pictures = false
	config := filepath.Join(dir, "samizdat.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "data: %s\naddress: %s\nletters: {pictures: false}\n%s", cfg.Data, cfg.Address, housed(t, &cfg)), 0o600); err != nil {
		t.Fatal(err)
	}
	says := func(args ...string) string {
		t.Helper()
		out, err := program(ctx, append(args, "--config", config)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	err := demo.WithPlayers(ctx, cfg, games, append(slices.Clone(seats), "newcomer"), func(d *daemon.Daemon, p *demo.Players) error {
		p.Seats = seats
		m, err := d.Adjudicator.CreateMatch(ctx, adjudicator.Invitation{Game: "1989", Players: p.Addresses()})
		if err != nil {
			return err
		}
		if err := p.Join(ctx, ""); err != nil {
			return err
		}
		line := regexp.MustCompile(`(?m)^` + m.ID + ` +1989 +running +\S+ \S+ +(democrat|communist)( +\S+ \S+) +-$`)
		found := line.FindStringSubmatch(says("matches"))
		if found == nil || !strings.Contains(found[2], time.Now().UTC().Format("2006-")) {
			t.Fatalf("the list:\n%s", says("matches"))
		}
		mover := p.Clients[found[1]]
		had := mover.Last
		if out := says("resend", m.ID, found[1]); !strings.Contains(out, "goes to "+mover.Address) {
			t.Errorf("resend says %s", out)
		}
		l, err := mover.Next(ctx)
		if err != nil {
			return err
		}
		if l.MessageID == had.MessageID || !strings.Contains(l.Text, "It is your move.") || !strings.Contains(l.Text, "in case earlier letters") {
			t.Errorf("the letter:\n%s", l.Text)
		}
		if err := p.Send(found[1], "STATUS"); err != nil {
			return err
		}
		if l, err = mover.Next(ctx); err == nil && !strings.Contains(l.Text, "STATUS: done") {
			t.Errorf("STATUS in reply to it is answered with\n%s", l.Text)
		}
		if err != nil {
			return err
		}
		newcomer := p.Clients["newcomer"]
		if out := says("replace", m.ID, found[1], newcomer.Address); !strings.Contains(out, "Nothing was changed") {
			t.Errorf("replace says %s", out)
		}
		says("replace", m.ID, found[1], newcomer.Address, "--yes")
		if l, err = newcomer.Next(ctx); err == nil && !strings.Contains(l.Text, "You have taken over the seat of") {
			t.Errorf("the letter to the newcomer:\n%s", l.Text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOrderExamples: every example of docs/orders-1989.md is an order of 1989.
func TestOrderExamples(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "orders-1989.md"))
	if err != nil {
		t.Fatal(err)
	}
	g := dawn1989.Game()
	p := order.New(g)
	n := 0
	for _, row := range regexp.MustCompile("(?m)^\\|.*\\| `([^`]+)` \\|$").FindAllStringSubmatch(string(doc), -1) {
		n++
		o, err := p.ParseOrder(row[1])
		if err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		if _, err := g.Answers(o, nil); err != nil {
			t.Errorf("%s: %v", row[1], err)
		}
	}
	if n < 20 {
		t.Errorf("only %d examples were found", n)
	}
}

// TestDocumentedCommands: the documents' commands have the names and flags that the
// program knows.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range append(docs, filepath.Join(root, "README.md"), filepath.Join(root, "docs", "debian", "README.md"), filepath.Join(root, "packaging", "samizdat.service")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		joined := strings.ReplaceAll(string(text), "\\\n", " ")
		// What is quoted inside of a line ends with its quotation mark.
		for _, m := range regexp.MustCompile("(?m)(?:^ {4,}.*?|`|ExecStart=.*|go run \\./cmd/)\\bsamizdat ((?:--config \\S+ +)?[a-z]+)( [^`#>|\n]*)?").FindAllStringSubmatch(joined, -1) {
			words := strings.Fields(m[1] + m[2])
			cmd, _, err := newCommand().Find(words)
			if err != nil || cmd.Parent() == nil {
				t.Errorf("%s: samizdat %s: there is no such command", file, strings.Join(words, " "))
				continue
			}
			n++
			cmd.InitDefaultHelpFlag()
			for _, w := range words {
				name, flag := strings.CutPrefix(w, "--")
				name, _, _ = strings.Cut(strings.TrimRight(name, ".,;:)"), "=")
				if flag && cmd.Flag(name) == nil {
					t.Errorf("%s: samizdat %s has no flag --%s", file, cmd.Name(), name)
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d commands were found", n)
	}
}
