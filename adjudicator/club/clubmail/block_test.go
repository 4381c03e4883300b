package clubmail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// said fails unless an answer has a text.
func (h *house) said(name, order, want string) {
	h.t.Helper()
	if got := h.answers(name, order).Text; !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
		h.t.Errorf("%s wrote %q and got\n%s", name, order, got)
	}
}

// TestBlock: who is blocked cannot challenge, accept or be paired, is not told of it, and is let
// in again.
func TestBlock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.answers("Ada", "OFFER 1989")
	had := len(h.mailbox[at("Ben")])
	golden(t, "offers/block.txt", h.answers("Ada", "BLOCK Ben\nSETTINGS").Text)
	if len(h.mailbox[at("Ben")]) != had {
		t.Error("Ben is told")
	}
	had = len(h.mailbox[at("Ada")])
	h.said("Ben", "CHALLENGE Ada 1989", "Ada does not want to play with you.")
	h.said("Ben", "ACCEPT 1", "Ada does not want to play with you.")
	h.said("Ben", "OFFERS", "There are no offers for you now.")
	h.said("Ada", "CHALLENGE Ben 1989", "You have blocked Ben. UNBLOCK Ben ends the block.")
	if n := len(h.mailbox[at("Ada")]) - had; n != 1 {
		t.Errorf("Ada got %d letters", n)
	}
	h.answers("Ada", "PAIR ME 1989")
	h.answers("Ben", "PAIR ME 1989")
	h.later(time.Minute)
	h.later(time.Minute)
	if n, err := h.db.Club.Queue(t.Context()); err != nil || len(n) != 2 || n[0].RunningMatches+n[1].RunningMatches > 0 {
		t.Errorf("they were paired: %+v, %v", n, err)
	}
	h.said("Ada", "UNBLOCK Ben", "Ben can challenge you again.")
	h.said("Ben", "ACCEPT 1", "You play against Ada.")
}

// TestDeclineAll: one line declines all challenges, and each challenger is told.
func TestDeclineAll(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.said("Ada", "DECLINE ALL", "No member has challenged you.")
	h.answers("Ben", "CHALLENGE Ada 1989")
	h.answers("Cleo", "CHALLENGE Ada 1989")
	h.said("Ada", "DECLINE ALL\nDECLINE ALL", "You have declined 2 challenges. The members who sent them have been told.")
	for _, name := range []string{"Ben", "Cleo"} {
		if l := h.last(name); !strings.Contains(l.Text, "Ada has declined your challenge") {
			t.Errorf("%s is told\n%s", name, l.Text)
		}
	}
}

// TestChallengesToOne: whoever challenges and withdraws again and again writes two letters a day.
func TestChallengesToOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	had := len(h.mailbox[at("Ada")])
	for i := range 6 {
		h.answers("Ben", "CHALLENGE Ada 1989")
		h.answers("Ben", fmt.Sprintf("WITHDRAW %d", i+1))
	}
	if n := len(h.mailbox[at("Ada")]) - had; n != 2 {
		t.Errorf("Ada got %d letters", n)
	}
	h.said("Ben", "CHALLENGE Ada 1989", "You have challenged Ada twice since yesterday.")
	h.now = h.now.Add(25 * time.Hour)
	h.said("Ben", "CHALLENGE Ada 1989", "Ada has been asked.")
}

// TestRobotsADay: a member begins so many matches against robots in a day, which count against no
// offers of his.
func TestRobotsADay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	for range 5 {
		h.said("Ada", "PLAY ROBOT 1989", "The match is called")
	}
	h.said("Ada", "PLAY ROBOT 1989", "You have begun 5 matches against robots since yesterday.")
	h.said("Ada", strings.Repeat("OFFER 1989\n", 10), "This is offer 15, open until")
	h.now = h.now.Add(25 * time.Hour)
	h.said("Ada", "PLAY ROBOT 1989", "The match is called")
}
