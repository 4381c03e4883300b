package secretary

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// duty is what is due in the club by itself, whether anybody writes or not. It is found by one
// indexed query, and each item is done in a transaction of its own, so that a stop in between
// leaves nothing half done and nothing is done twice.
type duty func(s *Secretary, ctx context.Context, now time.Time) error

// duties are all, in their order: who has lost a match on time is not paired before it is counted.
var duties = []duty{(*Secretary).forgetApplicants, (*Secretary).expire, (*Secretary).countResults, (*Secretary).pair, (*Secretary).holdTournaments, (*Secretary).computeLadders, (*Secretary).sendDigests}

// Due does what is due at a time. What fails holds up nothing else, and is tried again when it
// is called again.
func (s *Secretary) Due(ctx context.Context, now time.Time) error {
	var all []error
	for _, d := range duties {
		all = append(all, d(s, ctx, now))
	}
	return errors.Join(all...)
}

// forgetApplicants forgets addresses that have not answered while they could.
func (s *Secretary) forgetApplicants(ctx context.Context, now time.Time) error {
	if err := s.Store.ForgetApplicants(ctx, now.Add(-(askedDays+1)*24*time.Hour)); err != nil {
		return fmt.Errorf("forget who has not joined the club: %w", err)
	}
	return nil
}

// pause lets something be done no more often than every so often. A clock that was set back
// does not stop it.
type pause struct {
	mu   sync.Mutex
	last time.Time
}

// due reports whether so long has passed since it was done last, and when that was.
func (p *pause) due(now time.Time, every time.Duration) (bool, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := now.Sub(p.last)
	return since < 0 || since >= every, p.last
}

// done remembers when it was done last.
func (p *pause) done(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = now
}
