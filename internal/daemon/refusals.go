package daemon

import (
	"fmt"
	"sync"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// refusals finds out that the mail server takes letters to nobody: a row of letters to different readers
// that failed, with none that was taken in between. One full mailbox is no fault of ours.
type refusals struct {
	mu sync.Mutex
	// readers are those of letters in hand, by the letters' numbers.
	readers map[int64]string
	// refused are the readers of the row, since its first.
	refused map[string]bool
	since   time.Time
	reason  string
	// tried is set when something is known.
	tried bool
}

// begin notes whose letters are about to be sent. Those before them have ended.
func (r *refusals) begin(letters []mail.Outgoing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.readers == nil || len(r.readers) > 1000 {
		r.readers = map[int64]string{}
	}
	for _, l := range letters {
		r.readers[l.ID] = l.To
	}
}

// taken ends the row.
func (r *refusals) taken(ids []int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		delete(r.readers, id)
	}
	r.refused, r.since, r.tried = nil, time.Time{}, true
}

// failed adds to it.
func (r *refusals) failed(id int64, now time.Time, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	to, known := r.readers[id]
	if !known {
		return
	}
	if r.refused == nil {
		r.refused, r.since = map[string]bool{}, now
	}
	r.refused[to], r.tried = true, true
	r.reason = message.WithoutAddresses(message.OneLine(reason))
}

// conditions is one where the row has several readers and lasts. Nothing is known before a letter was tried.
func (r *refusals) conditions(now time.Time, soon time.Duration) (out []condition, tried bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.refused) < refusedBy || now.Sub(r.since) < soon {
		return nil, r.tried
	}
	return []condition{{causeOutbox, r.since, fmt.Sprintf("the mail server took no letter to %d different readers, and none to others since: %s", len(r.refused), r.reason), "", false}}, true
}
