package secretary_test

import (
	"testing"
	"time"
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
	if h.stored(id).Seats[0].Called != "Ada" {
		names = []string{"Ben", "Ada"}
	}
	h.plays(id, 6, names...)
	h.resigns(id, "Ada")
	h.later(time.Minute)
	if r := h.result(id); r == nil || r.Unrated == "" {
		t.Errorf("the result is %+v", r)
	}
}
