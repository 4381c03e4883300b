package mail

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// urgentFirst gives letters in the order of the database: urgent ones, then those that
// are due for longest.
type urgentFirst struct{ *memBox }

func (b urgentFirst) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error) {
	due, err := b.memBox.Due(ctx, now, sendBatch, except...)
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.SortStableFunc(due, func(x, y Outgoing) int {
		if x.Urgent != y.Urgent {
			if x.Urgent {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.letters[x.ID].next.UnixNano(), b.letters[y.ID].next.UnixNano())
	})
	return due[:min(limit, len(due))], err
}

// week sends for seven days and adds a letter to ann@x every 47 minutes, which the
// server takes. It gives how many it took and the longest wait of one.
func week(t *testing.T, box *memBox, answer func(Outgoing) (stage, error)) (sent int, slowest time.Duration) {
	t.Helper()
	s := NewSender(SMTPConfig{}, urgentFirst{box}, nil)
	queued := map[int64]time.Time{}
	s.dial = scripted(func(o Outgoing) (stage, error) {
		if o.To != "ann@x" {
			return answer(o)
		}
		sent++
		slowest = max(slowest, time.Since(queued[o.ID]))
		return "", nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), 7*24*time.Hour)
	defer cancel()
	go func() {
		for id := int64(100); sleep(ctx, 47*time.Minute); id++ {
			box.mu.Lock()
			queued[id] = time.Now()
			box.mu.Unlock()
			box.add(id, "ann@x")
			for len(box.booked) > 0 {
				<-box.booked
			}
			s.Wake()
		}
	}()
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return sent, slowest
}

// TestOneRecipientSpeaksOfUs: a recipient's server may answer in words that speak of a
// sender's account. Nobody else's letter waits for that, and his ends some day.
func TestOneRecipientSpeaksOfUs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		urgent bool
		err    error
	}{
		{"a code for us", false, smtpError(550, 5, 7, 57, "Client not authenticated to send mail")},
		{"a code for us, urgent", true, smtpError(550, 5, 7, 57, "Client not authenticated to send mail")},
		{"his limit", true, smtpError(452, 4, 2, 2, "recipient exceeded daily message limit")},
		{"his account", true, smtpError(550, 5, 2, 1, "Your account has been disabled")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				box := newBox("odd@x")
				box.letters[1].Urgent = tt.urgent
				sent, slowest := week(t, box, func(Outgoing) (stage, error) { return atRcpt, tt.err })
				if odd := box.letters[1]; !odd.permanent || slowest > time.Second || sent < 200 {
					t.Errorf("%d tries, given up %v; %d others sent, one after %v", odd.Attempts, odd.permanent, sent, slowest)
				}
			})
		})
	}
}

// TestTwoDeadReaders: two recipients with one and the same answer look like a refusal
// of ours. They end as well, as soon as the server takes other letters.
func TestTwoDeadReaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("a@y", "b@z")
		box.letters[1].Urgent, box.letters[2].Urgent = true, true
		sent, slowest := week(t, box, func(Outgoing) (stage, error) { return atRcpt, smtpError(550, 5, 7, 1, "disabled by policy") })
		if !box.letters[1].permanent || !box.letters[2].permanent || sent < 200 {
			t.Errorf("%+v, %+v, sent %d", box.letters[1], box.letters[2], sent)
		}
		// While the two come together, a pause may lie before another letter.
		if slowest > lastRefusal {
			t.Errorf("another letter waited %v", slowest)
		}
	})
}

// TestOneLetterInAnOutage: while the server takes nothing at all from us, one letter
// alone is not lost, though no second recipient shows whose fault it is.
func TestOneLetterInAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("ann@x")
		began := time.Now()
		sent := 0
		s := NewSender(SMTPConfig{}, box, nil)
		s.dial = scripted(func(o Outgoing) (stage, error) {
			if d := time.Since(began); o.ID == 2 && d < 9*24*time.Hour {
				return atRcpt, smtpError(550, 5, 4, 5, "Daily user sending limit exceeded.")
			}
			sent++
			return "", nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 10*24*time.Hour)
		defer cancel()
		go func() {
			<-box.booked
			box.add(2, "ben@x")
			s.Wake()
		}()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if sent != 2 || box.letters[2].permanent {
			t.Errorf("sent %d, after %d tries: given up %v", sent, box.letters[2].Attempts, box.letters[2].permanent)
		}
	})
}
