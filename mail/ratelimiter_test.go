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
			if got := r.Allow(t.Context(), who, who) == 0; got != w {
				t.Errorf("%s, try %d: got %v", who, i, got)
			}
		}
	}
	take("ann", true, true, true, false)
	take("bob", true, false) // of two that were left he has taken as much as is left now
	take("eva", true, false) // the bucket of all is empty
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
	if r.Allow(t.Context(), "ann", "ann") > 0 {
		t.Fatal("the first is refused")
	}
	for i := range 10_000 {
		if r.Allow(t.Context(), fmt.Sprint(i), fmt.Sprint(i)) > 0 {
			t.Fatalf("sender %d is refused", i)
		}
		if i%50 == 0 && r.Allow(t.Context(), "ann", "ann") == 0 {
			t.Fatalf("ann is forgotten after %d others", i)
		}
	}
	if len(r.senders) != 100 || r.order.Len() != 100 {
		t.Errorf("%d senders are kept in mind, and %d in order", len(r.senders), r.order.Len())
	}
}

// TestFloodLeavesOthers: whoever floods us, by as many seats as he has, leaves answers to the others; and each who is
// refused learns when he is not any more.
func TestFloodLeavesOthers(t *testing.T) {
	t.Parallel()
	for flooders := range 10 {
		now := time.Unix(0, 0)
		r := NewRateLimiter(Rate{60, time.Minute}, Rate{600, time.Second}, func() time.Time { return now })
		for i := range 10_000 {
			r.Allow(t.Context(), fmt.Sprint("seat ", i%300, " of ", i%(flooders+1)), fmt.Sprint(i%(flooders+1)))
		}
		for i := range 20 {
			if wait := r.Allow(t.Context(), fmt.Sprint(i), fmt.Sprint("other ", i)); wait > 0 {
				t.Errorf("%d flood us, and somebody else waits for %v", flooders+1, wait)
			}
		}
		wait := r.Allow(t.Context(), "another seat of 0", "0")
		if wait == 0 {
			t.Errorf("of %d who flood us one is answered still", flooders+1)
		}
		now = now.Add(wait)
		if wait := r.Allow(t.Context(), "another seat of 0", "0"); wait > 0 {
			t.Errorf("he was to wait until now, and is to wait for %v more", wait)
		}
	}
}
