package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/emersion/go-imap/v2"
)

// maxFailures is how often a letter may make the program fail.
const maxFailures = 3

// Quarantine holds letters that made the program fail three times, with all
// their bytes. A Handler cannot choose it.
const Quarantine Folder = "Samizdat/Quarantine"

// BadLetter is a letter that is put in quarantine, as the operator is told of it.
type BadLetter struct {
	// Letter has the raw bytes, or the first of them when the letter is too long.
	Letter Received
	// Times is how often the letter was tried.
	Times int
	// Reason is what went wrong the last time. It may tell hidden things: it is
	// for the log and not for a letter.
	Reason error
}

// hopeless reports whether a letter that failed goes into quarantine. An error
// can be weather, such as a full disk, and is given more time than a crash.
func (p *Poller) hopeless(s *letterState) bool {
	if s.failures < maxFailures {
		return false
	}
	return s.crashed || p.now().Sub(s.firstFailure) >= p.cfg.QuarantineAfter
}

// errDied is the reason of a letter that ended the whole process.
type errDied int

func (n errDied) Error() string {
	return fmt.Sprintf("the process died %d times with this letter in hand", int(n))
}

// failed notes that the Handler did not get through with a letter.
func (p *Poller) failed(ctx context.Context, r Received, err error, crashed bool, filed map[Folder][]imap.UID) {
	if errors.Is(err, ErrLater) {
		// The letter is not to blame, and will be told to be good or bad.
		p.fail(r.UID, "letter has to wait and stays in the inbox", err)
		return
	}
	s := p.state(r.UID)
	if s.failures == 0 {
		s.firstFailure = p.now()
	}
	s.failures++
	s.crashed = crashed
	if !p.hopeless(s) {
		p.fail(r.UID, "letter was not handled and stays in the inbox", err)
		return
	}
	p.quarantine(ctx, r, s, err, filed)
}

// quarantine tells the operator and gives the letter free to be moved. When he
// cannot be told, because the database is away, then the letter may not be what
// is wrong: it stays.
func (p *Poller) quarantine(ctx context.Context, r Received, s *letterState, reason error, filed map[Folder][]imap.UID) {
	if tell := p.cfg.Quarantined; tell != nil {
		tctx, cancel := context.WithTimeout(ctx, p.cfg.HandleTimeout)
		defer cancel()
		if err := tell(tctx, BadLetter{Letter: r, Times: s.failures, Reason: reason}); err != nil {
			p.fail(r.UID, "letter was not handled, and the operator could not be told", fmt.Errorf("%w; %w", reason, err))
			return
		}
	}
	p.log.Error("letter is put in quarantine: it made the program fail", "uidvalidity", r.UIDValidity, "uid", r.UID,
		"times", s.failures, "folder", string(Quarantine), "size", r.Size, "error", reason)
	s.handled, s.folder, s.next = true, Quarantine, time.Time{}
	filed[Quarantine] = append(filed[Quarantine], imap.UID(r.UID))
}
