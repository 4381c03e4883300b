package webhook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/club"
	"samizdat/storage"
)

const (
	// workers is the number of hosts that get requests at the same time. Each host gets one request at a time.
	workers = 8
	// maxHooks limits the hooks of a round (one call of Send).
	maxHooks = 200
	// maxNotices limits the notices that a hook gets in a round.
	maxNotices = 20
	// maxHostTime limits the time for a host in a round, so that a slow host does not delay other hosts.
	maxHostTime = 20 * time.Second
	// minPause is the pause after the first failure of a hook. The pause doubles with each failure until it is maxPause.
	minPause, maxPause = 30 * time.Second, time.Hour
	// maxAge is the age at which an unsent notice is dropped.
	maxAge = 24 * time.Hour
	// maxFailing is the time after which a hook that has failed all the time is dropped.
	maxFailing = 7 * 24 * time.Hour
)

// Sender sends the queued notices. The queue is in the database; the Sender holds only the notices of one round.
type Sender struct {
	Store storage.Hooks
	Now   func() time.Time
	// Link returns the URL of the public page of a notice, or "".
	Link func(club.Notice) string
	// ComposeDropLetter writes the letter to the owner of a hook that has failed for a week.
	ComposeDropLetter func(ctx context.Context, h club.Hook) (to string, raw []byte, err error)
	Log               *slog.Logger
	client            *http.Client
}

// NewSender returns a Sender with the fields of s. allowPrivate allows private addresses and plain HTTP.
func NewSender(s Sender, allowPrivate bool) *Sender {
	s.client = newClient(allowPrivate)
	return &s
}

// Send sends the notices that are due, within the limits of a round, and returns at the end of the round.
func (s *Sender) Send(ctx context.Context) error {
	hooks, err := s.Store.Due(ctx, s.Now(), maxHooks)
	if err != nil {
		return err
	}
	hosts := map[string][]club.Hook{}
	for _, h := range hooks {
		hosts[h.Host()] = append(hosts[h.Host()], h)
	}
	var g errgroup.Group
	g.SetLimit(workers)
	for _, hooks := range hosts {
		g.Go(func() error { return s.sendToHost(ctx, hooks) })
	}
	return g.Wait()
}

// deliveredIDs holds the IDs of the hooks that accepted a request, and of the notices that they accepted.
type deliveredIDs struct{ hooks, notices []int64 }

// saveDelivered deletes the delivered notices from the queue, and empties sent. Notices that were delivered before a
// crash and not yet deleted are sent again.
func (s *Sender) saveDelivered(ctx context.Context, sent *deliveredIDs) error {
	if len(sent.hooks) == 0 {
		return nil
	}
	defer func() { *sent = deliveredIDs{} }()
	return s.Store.MarkSent(context.WithoutCancel(ctx), sent.hooks, sent.notices)
}

// sendToHost sends the notices of the hooks at a host. If the host cannot be reached, its remaining hooks are not tried
// in this round, but a failure is recorded for each.
func (s *Sender) sendToHost(ctx context.Context, hooks []club.Hook) error {
	var sent deliveredIDs
	err := s.sendToHooks(ctx, hooks, &sent)
	return errors.Join(err, s.saveDelivered(ctx, &sent))
}

func (s *Sender) sendToHooks(ctx context.Context, hooks []club.Hook, sent *deliveredIDs) error {
	start, unreachableErr := time.Now(), error(nil)
	for _, h := range hooks {
		if ctx.Err() != nil || time.Since(start) > maxHostTime {
			return nil
		}
		failure := unreachableErr
		if failure == nil {
			var err error
			if failure, err = s.sendToHook(ctx, h, sent); err != nil {
				return err
			}
		}
		if failure == nil || ctx.Err() != nil {
			continue
		}
		if _, ok := errors.AsType[*unreachableError](failure); ok {
			unreachableErr = failure
		}
		// Saving a delivery clears the failure state of the hook, so it must come before the new failure.
		if err := errors.Join(s.saveDelivered(ctx, sent), s.recordFailure(ctx, h, failure)); err != nil {
			return err
		}
	}
	return nil
}

// sendToHook sends the notices of a hook, oldest first, or the confirmation code of a new hook. failure is an error of
// the hook, and err is an error of the database.
func (s *Sender) sendToHook(ctx context.Context, h club.Hook, sent *deliveredIDs) (failure, err error) {
	if h.State == club.HookCodeDue {
		failure = s.post(ctx, h, club.Notice{Kind: club.ConfirmCode, At: s.Now().UTC(),
			Text: "To get notices of Samizdat here, answer the club's " +
				"letter with: NOTIFY CODE " + h.Code})
		if failure == nil {
			sent.hooks = append(sent.hooks, h.ID)
		}
		return failure, nil
	}
	notices, err := s.Store.Notices(ctx, h.ID, maxNotices)
	if err != nil {
		return nil, err
	}
	var expired []int64
	for _, n := range notices {
		if s.Now().Sub(n.At) > maxAge {
			expired = append(expired, n.ID)
			continue
		}
		n.Link = s.Link(n.Notice)
		if failure = s.post(ctx, h, n.Notice); failure != nil {
			break
		}
		sent.hooks, sent.notices = append(sent.hooks, h.ID), append(sent.notices, n.ID)
	}
	if len(expired) > 0 {
		err = s.Store.DeleteNotices(ctx, expired)
	}
	return failure, err
}

func (s *Sender) recordFailure(ctx context.Context, h club.Hook, failure error) error {
	now := s.Now()
	if !h.FailingSince.IsZero() && now.Sub(h.FailingSince) > maxFailing {
		s.Log.Warn("a web hook has failed for a week and is dropped", "hook", h.ID, "host", h.Host(), "error", failure)
		to, raw, err := s.ComposeDropLetter(ctx, h)
		if err != nil {
			return err
		}
		return s.Store.Drop(ctx, h.ID, to, raw, now)
	}
	pause := min(minPause<<min(h.Attempts, 10), maxPause)
	s.Log.Info("a web hook has failed", "hook", h.ID, "host", h.Host(), "error", failure, "retry_in", pause)
	return s.Store.MarkFailed(ctx, h.ID, now, now.Add(pause))
}

// unreachableError means that the host did not answer, so the requests of its other hooks would fail too.
type unreachableError struct{ error }

// newUnreachableError returns the error of a request without its URL, which may be secret.
func newUnreachableError(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return &unreachableError{err}
}
