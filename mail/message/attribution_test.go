package message

import (
	"strings"
	"testing"
)

// referee is whose letters are answered.
var referee = Us{Addresses: []string{"judge@example.net", "judge@demo.example", "judge@club.example", "j@d"}, Names: []string{"Samizdat"}}

// attributions stand for what programs write above a quote.
var attributions = []string{
	"On Sat, 21 Nov 2026 at 10:02, NAME <judge@example.net> wrote:",
	"On 21/11/2026 10:02, NAME wrote:",
	"On Sat, 21 Nov 2026 at 10:02, NAME\n<judge@example.net> wrote:",
	"On Saturday, November 21, 2026,\nNAME <judge@example.net>\nwrote:",
	"Am 21.11.2026 um 10:02 schrieb NAME:",
	"Am 21.11.2026 um 10:02 schrieb NAME\n<judge@example.net>:",
	"Le sam. 21 nov. 2026 à 10:02, NAME <judge@example.net> a écrit :",
	"W dniu 21.11.2026 o 10:02, NAME pisze:",
	"sob., 21 lis 2026 o 10:02 NAME <judge@example.net> napisał(a):",
	"NAME kirjoitti 21.11.2026 klo 10.02:",
	"NAME kirjoitti\n21.11.2026 klo 10.02:",
	"NAME <judge@example.net> schrieb am Sa., 21. Nov. 2026, 10:02:",
	"2026-11-21 10:02 GMT+01:00 NAME <judge@example.net>:",
	"NAME <judge@example.net> wrote on 21 Nov 2026 10:02:",
}

// TestLineAboveAttribution: an order right above an attribution is none of it. Without
// it half a letter would be carried out, and nobody would know.
func TestLineAboveAttribution(t *testing.T) {
	t.Parallel()
	lines := []string{
		"OPS PLACE Poznan 2, Lodz", "DISCARD 35", "DISCARD 12, 35", "ELSE", "Elite", "36 event", "2 in Krakow", "40 event",
		"1. PLAY 14 EVENT", "2. CHECK Gdansk", "ADDRESS new@example.org", "Option 1 please", "on 36: event", "Am 36 event",
		"samizdat check", "36 - ops - 2 Krakow - 1 Lodz - event after", "PLACE:", "MESSAGE",
	}
	for _, a := range attributions {
		a = strings.ReplaceAll(a, "NAME", "Samizdat")
		for _, line := range lines {
			want := "PLAY 36 OPS EVENT FIRST\n" + line + "\n"
			for _, gap := range []string{"", "\n"} {
				if got := OrderText(want+gap+a+"\n> PLAY 99 EVENT\n", referee); got != want {
					t.Errorf("%q above %q: got %q", line, a, got)
				}
			}
			if got := OrderText(want+a+"\n\n"+Mark+"\nPLAY 99 EVENT\n", referee); got != want {
				t.Errorf("%q above %q and an unmarked copy: got %q", line, a, got)
			}
		}
	}
}

// TestRefereesName: what introduces a copy does not depend on the referee's name.
func TestRefereesName(t *testing.T) {
	t.Parallel()
	for _, a := range attributions {
		for _, name := range []string{"Samizdat", "Referee", "Judge, the", "1989 Club", "Élodie"} {
			line := strings.ReplaceAll(a, "NAME", name)
			us := Us{Addresses: referee.Addresses, Names: []string{name}}
			if got := OrderText(line+"\n> EVENT 99\n\nEVENT 24\n", us); got != "EVENT 24\n" {
				t.Errorf("%s: above a quote: %q", line, got)
			}
			if got := OrderText("EVENT 24\n\n"+line+"\n\n"+Mark+"\nEVENT 99\n", us); got != "EVENT 24\n" {
				t.Errorf("%s: above a copy: %q", line, got)
			}
		}
	}
}
