package clubmail_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator/club"
)

// TestOneLetter: orders of one letter that are about the same thing are carried out one after
// the other, or refused; none makes the letter one that can never be taken up.
func TestOneLetter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, text string
		open         int
	}{
		"withdraw, leave": {"OFFER 1989", "WITHDRAW 1\nLEAVE", 0},
		"offer, leave":    {"", "OFFER 1989\nLEAVE", 0},
		"decline, leave":  {"", "DECLINE 1\nACCEPT 1\nLEAVE", 0},
		"rematch twice":   {"", "REMATCH\nREMATCH", 1},
		"rematch, both":   {"REMATCH", "REMATCH\nREMATCH", 1},
		"rename twice":    {"", "NAME Bob\nNAME Bib", 0},
		"play robot":      {"", "PLAY ROBOT 1989\nPLAY ROBOT 1989\nLEAVE", 0},
		"zone, resend":    {"", "TIMEZONE Warsaw\nRESEND ALL\nPLAY ROBOT 1989\nRESEND ALL", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.joins("Ada", "Ben")
			if strings.HasPrefix(name, "decline") {
				h.answers("Ben", "CHALLENGE Ada 1989")
			}
			if strings.HasPrefix(name, "rematch") {
				id := h.invites("Ada", "Ben")
				h.resigns(id, "Ada")
			}
			if c.before != "" && !strings.HasSuffix(name, "both") {
				h.answers("Ada", c.before)
			}
			if strings.HasSuffix(name, "both") {
				h.answers("Ben", c.before)
			}
			h.answers("Ada", c.text)
			open, err := h.db.Club.OpenOffers(t.Context())
			if err != nil || len(open) != c.open {
				t.Errorf("%d offers are open, want %d, %v", len(open), c.open, err)
			}
		})
	}
}

// TestQueueOfOneLetter: the last word about the queue counts.
func TestQueueOfOneLetter(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	for i, c := range []struct {
		text  string
		waits int
	}{{"PAIR ME 1989", 1}, {"UNPAIR\nPAIR ME 1989", 1}, {"PAIR ME 1989\nUNPAIR", 0}, {"PAIR ME 1989\nUNPAIR 1989\nPAIR ME 1989", 1}} {
		got := h.answers("Ada", c.text).Text
		queue, err := h.db.Club.Queue(t.Context())
		if err != nil || len(queue) != c.waits {
			t.Errorf("%d: %d wait, want %d, %v:\n%s", i, len(queue), c.waits, err, got)
		}
	}
}

// TestDataOnce: what is stored is gathered once a letter, however often it asks.
func TestDataOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	if got := h.answers("Ada", "MY DATA\nMY DATA").Text; strings.Count(got, "is attached as JSON") != 1 {
		t.Errorf("Ada is told:\n%s", got)
	}
}

// TestYesAlone: a YES that forgets its writer does it alone: beside other orders it would forget
// somebody who has just begun a match.
func TestYesAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ben", "OFFER 1989")
	for _, text := range []string{"ACCEPT 1\nYES", "YES\nACCEPT 1", "YES\nNAME Bob"} {
		h.answers("Ada", "FORGET ME")
		h.answers("Ada", text)
		m, err := h.db.Club.Member(t.Context(), 1)
		if err != nil || m.State != club.MemberActive {
			t.Fatalf("%q: Ada is %+v, %v", text, m, err)
		}
	}
}

// TestAskedBack: an order beside words that were not understood waits for a YES. A letter that says YES and NO does
// nothing.
func TestAskedBack(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{"yes please": "Bob", "NO": "Ada", "YES\n\nNO": "Ada", "NO\nYES": "Ada", "YES\nbut not this week": "Ada"} {
		h := newHouse(t)
		h.joins("Ada")
		got := h.answers("Ada", "NAME Bob\nmy cat insists")
		if !strings.HasPrefix(got.Subject, "Not done yet") || !strings.Contains(got.Text, "Please confirm it:\n\n    NAME Bob\n\nYES carries it out; NO drops it. Until you answer, nothing is done.\n\n    YES\n    NO\n") {
			t.Fatalf("Ada is asked:\n%s\n%s", got.Subject, got.Text)
		}
		h.answers("Ada", answer)
		if m, err := h.db.Club.Member(t.Context(), 1); err != nil || m.Name != want {
			t.Errorf("after %q she is called %q, want %q: %v", answer, m.Name, want, err)
		}
	}
}
