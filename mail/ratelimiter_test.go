package mail

import (
	"fmt"
	"testing"
	"time"
)

func TestRates(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	r := NewRateLimiter(Rate{3, time.Minute}, Rate{5, time.Second}, func() time.Time { return now })
	take := func(who string, want ...bool) {
		t.Helper()
		for i, w := range want {
			if got := r.Allow(t.Context(), who); got != w {
				t.Errorf("%s, try %d: got %v", who, i, got)
			}
		}
	}
	take("ann", true, true, true, false)
	take("bob", true, true, false) // the bucket of all is empty now
	now = now.Add(time.Second)
	take("ann", false)
	take("bob", true, false)
	now = now.Add(time.Minute)
	take("ann", true, false)
	now = now.Add(-time.Hour)
	take("ann", false)
	now = now.Add(100 * time.Hour)
	take("ann", true, true, true, false)
}

// TestRatesBounded: a million senders do not fill the memory, and whoever writes
// much is not forgotten for them.
func TestRatesBounded(t *testing.T) {
	t.Parallel()
	r := NewRateLimiter(Rate{1, time.Hour}, Rate{}, func() time.Time { return time.Unix(0, 0) })
	r.most = 100
	if !r.Allow(t.Context(), "ann") {
		t.Fatal("the first is refused")
	}
	for i := range 10_000 {
		if !r.Allow(t.Context(), fmt.Sprint(i)) {
			t.Fatalf("sender %d is refused", i)
		}
		if i%50 == 0 && r.Allow(t.Context(), "ann") {
			t.Fatalf("ann is forgotten after %d others", i)
		}
	}
	if len(r.senders) != 100 || r.order.Len() != 100 {
		t.Errorf("%d senders are kept in mind, and %d in order", len(r.senders), r.order.Len())
	}
}
