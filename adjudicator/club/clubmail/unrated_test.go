package clubmail_test

import (
	"testing"
	"time"

	"samizdat/adjudicator/match"
)

// TestUnrated: a match that was offered as one that is not rated is not, however it ends.
func TestUnrated(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ada", "OFFER 1989 AS COMMUNIST UNRATED")
	h.answers("Ben", "ACCEPT 1")
	id := h.match("Ada").ID
	names := []string{"Ada", "Ben"}
	if h.stored(id).Seats[0].PlayerName != "Ada" {
		names = []string{"Ben", "Ada"}
	}
	h.plays(id, 6, names...)
	h.resigns(id, "Ada")
	h.later(time.Minute)
	if r := h.result(id); r == nil || r.UnratedReason == "" {
		t.Errorf("the result is %+v", r)
	}
}

// TestSilenceIsNoPlay: a match of 1789 that silence plays for all is not rated, and nobody wins it;
// where one player has sent an order only he may win, and it is not rated either.
func TestSilenceIsNoPlay(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"", "NAME arch"} {
		h := newHouse(t)
		names := []string{"Ada", "Ben", "Cleo", "Dora"}
		h.joins(names...)
		h.answers("Ada", "OFFER 1789 SEATS 4 TEMPO fast ZERO silence")
		for _, n := range names[1:] {
			h.answers(n, "ACCEPT 1")
		}
		id := h.match("Ada").ID
		if order != "" {
			h.reply("Ada", h.newest("Ada", id), order)
		}
		for i := 0; i < 400 && h.stored(id).State != match.Over; i++ {
			h.does("", "waits", "48h")
		}
		h.does("", "waits", "1h")
		r := h.result(id)
		if r == nil || r.UnratedReason != "not all players had sent an order" || r.Drawn {
			t.Fatalf("%q: the result of a match that is %s: %+v", order, h.stored(id).State, r)
		}
		ada := string(seatOf(h.stored(id), "Ada"))
		for _, s := range r.Seats {
			if s.Won && (order == "" || s.Name != ada) {
				t.Errorf("%q: %s has won without an order: %+v", order, s.Name, r)
			}
		}
	}
}
