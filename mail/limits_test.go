package mail

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestRates(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	r := NewRateLimiter(Rate{3, time.Minute}, Rate{5, time.Second}, func() time.Time { return now })
	take := func(name string, want ...bool) {
		t.Helper()
		for i, w := range want {
			if got := r.Allow(t.Context(), name, name) == 0; got != w {
				t.Errorf("%s, try %d: got %v", name, i, got)
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
	r.maxBuckets = 100
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
	if len(r.buckets) != 100 || r.order.Len() != 100 {
		t.Errorf("%d senders are kept in mind, and %d in order", len(r.buckets), r.order.Len())
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

// urgentBox is a memBox that gives urgent letters first, as the database does.
type urgentBox struct {
	*memBox
	urgent map[int64]bool
}

func (b *urgentBox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error) {
	all, err := b.memBox.Due(ctx, now, 1000, except...)
	b.mu.Lock()
	for i := range all {
		all[i].Urgent = b.urgent[all[i].ID]
	}
	b.mu.Unlock()
	slices.SortStableFunc(all, func(a, b Outgoing) int {
		switch {
		case a.Urgent == b.Urgent:
			return 0
		case a.Urgent:
			return -1
		}
		return 1
	})
	return all[:min(limit, len(all))], err
}

// TestSenderKeepsLimits sends more than the provider takes and looks at every
// minute and every day.
func TestSenderKeepsLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := &urgentBox{newBox(), map[int64]bool{}}
		for id := range int64(300) {
			box.add(id+1, "a@x")
		}
		var sent []time.Time
		ids := map[int64]time.Time{}
		before := []time.Time{time.Now().Add(-23 * time.Hour), time.Now().Add(-time.Second)}
		s := NewSender(SMTPConfig{Limits: Limits{PerMinute: 5, PerDay: 100},
			SentTimes: func(context.Context, time.Time) ([]time.Time, error) { return before, nil }}, box, nil)
		dials := 0
		inner := scripted(func(letter Outgoing) (stage, error) {
			sent = append(sent, time.Now())
			ids[letter.ID] = time.Now()
			return "", nil
		})
		s.dial = func(ctx context.Context, c SMTPConfig) (transport, error) { dials++; return inner(ctx, c) }
		// A player's letter comes when the day's ordinary limit is used up.
		go func() {
			time.Sleep(2 * time.Hour)
			box.mu.Lock()
			box.urgent[1000] = true
			box.mu.Unlock()
			box.add(1000, "b@x")
			s.Wake()
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 5*24*time.Hour)
		defer cancel()
		startTime := time.Now()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if len(ids) != 301 || len(sent) != 301 {
			t.Fatalf("%d letters went out, %d times", len(ids), len(sent))
		}
		if d := ids[1000].Sub(startTime); d > 2*time.Hour+time.Minute {
			t.Errorf("the urgent letter waited until %v", d)
		}
		all := append(before, sent...)
		for i, at := range all {
			minute, day := 0, 0
			for _, other := range all[i:] {
				if other.Sub(at) < time.Minute {
					minute++
				}
				if other.Sub(at) < 24*time.Hour {
					day++
				}
			}
			if minute > 5 || day > 100 {
				t.Fatalf("from %v on there are %d letters in a minute and %d in a day", at.Sub(startTime), minute, day)
			}
		}
		if dials > 100 {
			t.Errorf("%d connections", dials)
		}
	})
}

func TestAllowanceReserve(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := &sendLimiter{limits: Limits{PerDay: 10}}
	for range 9 {
		if w := a.wait(now, false, 0); w != 0 {
			t.Fatalf("waits %v", w)
		}
		a.record(now)
	}
	if a.wait(now, false, 0) != dayWindow || a.wait(now, true, 0) != 0 {
		t.Errorf("the last letter of the day is for who is waited for: %v, %v", a.wait(now, false, 0), a.wait(now, true, 0))
	}
	a.record(now)
	if got := a.wait(now.Add(time.Hour), true, 0); got != 23*time.Hour {
		t.Errorf("waits %v", got)
	}
	if got := a.wait(now.Add(dayWindow), false, 0); got != 0 {
		t.Errorf("the next day it waits %v", got)
	}
	// The clock is set back by a year.
	if got := a.wait(now.AddDate(-1, 0, 0), true, 0); got != dayWindow {
		t.Errorf("with a wrong clock it waits %v", got)
	}
	if got := a.wait(now.AddDate(-1, 0, 0).Add(dayWindow), true, 0); got != 0 {
		t.Errorf("a day after the clock was set back it waits %v", got)
	}
}

// TestHistoryFromTheFuture: letters that are booked at a time still to come, by a
// clock that ran ahead, hold up others for a day and not until that time.
func TestHistoryFromTheFuture(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox()
		box.add(1, "a@x")
		startTime := time.Now()
		ahead := startTime.AddDate(1, 0, 0)
		s := NewSender(SMTPConfig{Limits: Limits{PerDay: 2},
			SentTimes: func(context.Context, time.Time) ([]time.Time, error) { return []time.Time{ahead, ahead}, nil }}, box, nil)
		var sent []time.Time
		s.dial = scripted(func(Outgoing) (stage, error) {
			sent = append(sent, time.Now())
			return "", nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 3*24*time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if len(sent) != 1 || sent[0].Sub(startTime) < 23*time.Hour || sent[0].Sub(startTime) > 25*time.Hour {
			t.Errorf("the letter went out %v after %v", sent, startTime)
		}
	})
}
