package order_test

import (
	_ "embed"
	"strings"
	"testing"

	"samizdat/adjudicator/order"
	"samizdat/rules/dawn1989"
)

var (
	//go:embed testdata/harmless.txt
	harmless string
	//go:embed testdata/doubtful.txt
	doubtful string
)

// TestRemarks tells remarks that say nothing about an order beside them from those that may.
func TestRemarks(t *testing.T) {
	t.Parallel()
	p := order.New(dawn1989.Game{})
	for list, want := range map[string]bool{harmless: true, doubtful: false} {
		for line := range strings.Lines(list) {
			line = strings.TrimSpace(line)
			if got := p.Harmless(line) || p.Person(line) || p.Footer(line); got != want {
				t.Errorf("%q: harmless %v, want %v", line, got, want)
			}
		}
	}
}

// TestOwnName takes what a writer is called for his signature, though nobody else is called so.
func TestOwnName(t *testing.T) {
	t.Parallel()
	p := order.New(dawn1989.Game{})
	own := p.Letter("Xanthor Will", "never mind")
	for line, want := range map[string]bool{"xanthor": true, "Xanthor Will": true, "Will": false, "never mind": false, "Xanthor says": false} {
		if got := own.Person(line); got != want {
			t.Errorf("%q is a signature: %v, want %v", line, got, want)
		}
	}
	if p.Person("xanthor") {
		t.Error("a name that nobody has is a signature")
	}
}

// TestTakesBack: what stands below a signature may take an order back; what companies put
// there does not.
func TestTakesBack(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"Sent too early, sorry!! Please wait for my next mail.": true,
		"(Entwurf, bitte noch nicht nehmen)":                    true,
		"Mila Novak, Sales":                                     false,
		"+47 123 45 678":                                        false,
		"Sent from my iPhone":                                   false,
	} {
		if got := order.TakesBack(line); got != want {
			t.Errorf("%q takes an order back: %v", line, got)
		}
	}
	if !order.Disclaimer("This e-mail may be confidential.") || order.Disclaimer("Mila Novak, Sales") {
		t.Error("a disclaimer is taken for something else, or something else for one")
	}
}
