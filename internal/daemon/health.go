package daemon

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/storage"
)

// health answers /healthz in text and /metrics in the format of Prometheus. The answers mention no player and no
// match.
type health struct {
	db *storage.DB
	// poller is nil if another daemon reads the inbox.
	poller atomic.Pointer[mail.Poller]
	// sender is nil if no letters are sent.
	sender    *mail.Sender
	refusals  refusalTracker
	scheduler *scheduler
	// dir is the data directory, for the free space of its disk.
	dir string
	// A fault that may end by itself, e.g. a missing inbox scan, becomes a condition after transientDelay. A fault that
	// only a person can end, e.g. a refused login, becomes a condition after alarmDelay.
	transientDelay, alarmDelay time.Duration
	startedAt                  time.Time
	counters                   counters
	log                        *slog.Logger
}

func newHealth(db *storage.DB, s *scheduler, dir string, transientDelay, alarmDelay time.Duration, log *slog.Logger) *health {
	return &health{db: db, scheduler: s, dir: dir, transientDelay: transientDelay, alarmDelay: alarmDelay,
		startedAt: time.Now(), log: log, counters: newCounters()}
}

const scrapeTimeout = 5 * time.Second

func (h *health) newHandler() (http.Handler, error) {
	registry := prometheus.NewRegistry()
	for _, c := range append(h.collectors(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})) {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), scrapeTimeout)
		defer cancel()
		conditions, _ := h.conditions(ctx, time.Now())
		text := []string{"well"}
		if len(conditions) > 0 {
			rw.WriteHeader(http.StatusServiceUnavailable)
			text = nil
		}
		for _, c := range conditions {
			text = append(text, c.format())
		}
		if _, err := fmt.Fprintln(rw, strings.Join(text, "\n")); err != nil {
			h.log.Debug("the answer of /healthz could not be sent", "error", err)
		}
	})
	return requireLoopback(mux), nil
}

// requireLoopback refuses requests for a Host that is not a loopback address of this machine. It prevents DNS
// rebinding, by which a web page reaches a loopback address under a host name of its own.
func requireLoopback(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(rw, "the host must be localhost or a loopback address", http.StatusForbidden)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

// run serves /healthz and /metrics until the context ends. The address must be a loopback address, because there is no
// login.
func (h *health) run(ctx context.Context, address string) error {
	handler, err := h.newHandler()
	if err != nil {
		return err
	}
	return serveHTTP(ctx, "metrics", address,
		&http.Server{Handler: handler, ReadHeaderTimeout: scrapeTimeout, WriteTimeout: 2 * scrapeTimeout}, h.log)
}

// condition is a lasting fault, reported by /healthz and in letters to the operator. For example, {causeIMAP, 19:04,
// "the inbox cannot be read: connection refused", "", false}.
type condition struct {
	cause string
	// since is the start of the condition, or zero if unknown.
	since time.Time
	// fault says what failed. hint says what to do.
	fault, hint string
	// loginRefused means that further logins might lock the account.
	loginRefused bool
}

const (
	causeIMAP     = "imap"
	causeUnfiled  = "unfiled"
	causeMailbox  = "mailbox"
	causeSMTP     = "smtp"
	causeOutbox   = "outbox"
	causeDisk     = "disk"
	causeDatabase = "database"
	causeLetters  = "letters"
	causeMatches  = "matches"
	causeStopped  = "stopped"
	// causeQuarantine has no alarm, because the operator gets a letter about each letter in quarantine.
	causeQuarantine = "quarantine"
)

// causeInfo has the texts about a cause that letters to the operator contain.
type causeInfo struct {
	title string
	// hint is the advice for conditions without a hint. consequence is the effect on letters while the condition lasts.
	hint, consequence string
}

const (
	lettersWait = "Letters wait on both sides, and none is lost. Time in which the inbox cannot be read costs no player anything."
	outboxWaits = "Letters to players wait, and none is lost."
)

// causes are the causes with an alarm. causeStopped has none, because stopped matches are reported separately.
var causes = map[string]causeInfo{
	causeIMAP:     {"The inbox cannot be read", "check whether this machine can reach the mail server, and whether the provider reports a fault", lettersWait},
	causeUnfiled:  {"Handled letters cannot be moved", "read in the log what the server answers about the folders below Samizdat", "The letters were carried out. They stay in the inbox, and are not carried out again."},
	causeMailbox:  {"The mailbox is full", mail.FullMailboxAdvice, "Letters of players come back to them."},
	causeSMTP:     {"Letters cannot be sent", "check whether this machine can reach the mail server, and whether the provider reports a fault", outboxWaits},
	causeOutbox:   {"Letters do not get through", "read in the log why the mail server refuses each letter, and ask the provider about the account and its address", "Deferred letters are tried again for five days. Letters that are refused permanently are rows with state = 'failed' in the table outbox."},
	causeDisk:     {"The disk is nearly full", "make room, or use a larger disk", "When the disk is full, letters stay in the inbox, and nothing is half done."},
	causeDatabase: {"The database cannot be used", "check whether the disk is full, or the database server is down", "Letters stay in the inbox, and nothing is half done."},
	causeLetters:  {"Letters cannot be handled", "read the reason in the log", "The letters stay in the inbox, and are tried again."},
	causeMatches:  {"Due work of matches cannot be carried out", "read the reason in the log", "The work is tried again, and the other matches continue."},
}

const (
	defaultAlarmDelay = 2 * time.Minute
	// minRefusedRecipients is the number of different recipients that must be refused in succession for a condition.
	minRefusedRecipients = 2
)

// conditions returns the current conditions. untriedCauses are the causes that this daemon has not tested since its start,
// e.g. causeSMTP before it first connects to the mail server.
func (h *health) conditions(ctx context.Context, now time.Time) (list []condition, untriedCauses map[string]bool) {
	untriedCauses = map[string]bool{causeIMAP: true, causeUnfiled: true, causeMailbox: true, causeSMTP: true}
	addIfLasting := func(cause, fault string, trouble mail.Trouble) bool {
		untriedCauses[cause] = !trouble.Tried
		delay := h.transientDelay
		if trouble.Hint != "" {
			delay = h.alarmDelay
		}
		if trouble.Since.IsZero() || now.Sub(trouble.Since) < delay {
			return false
		}
		list = append(list, condition{cause, trouble.Since, fmt.Sprintf("%s: %s", fault, trouble.Reason), trouble.Hint, trouble.LoginRefused})
		return true
	}
	in, out := h.mailStatus()
	isUnreadable := addIfLasting(causeIMAP, "the inbox cannot be read", in.Connection)
	untriedCauses[causeMailbox] = !in.Connection.Tried
	addIfLasting(causeUnfiled, "handled letters cannot be moved", in.Moving)
	if in.QuotaPercent >= mail.FullMailboxPercent {
		list = append(list, condition{cause: causeMailbox, fault: fmt.Sprintf("the mailbox is full to %d percent", in.QuotaPercent)})
	}
	if last := h.lastScan(ctx); now.Sub(last) > h.transientDelay && !isUnreadable {
		fault := fmt.Sprintf("the inbox was last scanned %s ago", now.Sub(last).Round(time.Second))
		if in.Connection.Reason != "" {
			fault += ": " + in.Connection.Reason
		}
		list = append(list, condition{causeIMAP, last, fault, in.Connection.Hint, in.Connection.LoginRefused})
	}
	isSMTPDown := addIfLasting(causeSMTP, "letters cannot be sent", out.Connection)
	addIfLasting(causeOutbox, "the mail server accepts no letter", out.Refusal)
	refused, tried := h.refusals.conditions(now, h.alarmDelay)
	list, untriedCauses[causeOutbox] = append(list, refused...), !tried && !out.Refusal.Tried
	if disk, err := MeasureDisk(h.dir, now); err == nil && disk.IsLow() {
		list = append(list, condition{cause: causeDisk, fault: "the disk is nearly full: " + disk.String()})
	}
	if n := in.Failing; n > 0 {
		list = append(list, condition{cause: causeLetters, fault: fmt.Sprintf("letters in the inbox that could not be handled: %d", n)})
	}
	if n := in.InQuarantine; n > 0 {
		list = append(list, condition{cause: causeQuarantine, fault: fmt.Sprintf("letters in quarantine: %d", n),
			hint: "after the fault in the log is fixed, call samizdat retry; or move them out of " + string(mail.Quarantine)})
	}
	if n := h.scheduler.countFailing(); n > 0 {
		list = append(list, condition{cause: causeMatches,
			fault: fmt.Sprintf("matches with due work that failed: %d", n)})
	}
	fault := in.Database
	if fault.Since.IsZero() {
		fault = out.Database
	}
	return append(list, h.databaseConditions(ctx, now, isSMTPDown, fault)...), untriedCauses
}

// databaseConditions returns the conditions that the database shows: stopped matches, a fault of the database, and
// letters that wait too long. If isSMTPDown is set, these letters count under causeSMTP.
func (h *health) databaseConditions(ctx context.Context, now time.Time, isSMTPDown bool, fault mail.Trouble) (out []condition) {
	s, err := h.db.Operator.Stats(ctx)
	if s.Stopped > 0 {
		out = append(out, condition{cause: causeStopped,
			fault: fmt.Sprintf("stopped matches, because this program computes another position than stored: %d", s.Stopped)})
	}
	switch {
	case err != nil:
		out = append(out, condition{cause: causeDatabase, fault: "the database cannot be read: " + err.Error()})
	case !fault.Since.IsZero():
		out = append(out, condition{causeDatabase, fault.Since, "letters wait, because the database cannot be used: " + fault.Reason, "", false})
	}
	if err == nil && !s.OldestDue.IsZero() && now.Sub(s.OldestDue) > h.transientDelay {
		c := condition{causeOutbox, s.OldestDue,
			fmt.Sprintf("the oldest waiting letter was due %s ago", now.Sub(s.OldestDue).Round(time.Second)), "", false}
		if isSMTPDown {
			c.cause = causeSMTP
		}
		out = append(out, c)
	}
	return out
}

func (h *health) mailStatus() (in mail.PollerStatus, out mail.SenderStatus) {
	if p := h.poller.Load(); p != nil {
		in = p.Status()
	}
	if h.sender != nil {
		out = h.sender.Status()
	}
	return in, out
}

func (c condition) format() string {
	if c.hint == "" {
		return c.fault
	}
	return c.fault + ". What to do: " + c.hint
}

func (c condition) advice() string { return cmp.Or(c.hint, causes[c.cause].hint) }

// refusalTracker detects that the mail server refuses letters to all recipients: letters to several recipients were refused
// in succession, with none accepted in between. For example, letters to Ada and to Ben are refused for two minutes. One
// player's full mailbox is not a condition.
type refusalTracker struct {
	mu sync.Mutex
	// recipients are the recipients of letters being sent, by letter ID.
	recipients map[int64]string
	// refused are the recipients that were refused in succession, and since is the time of the first refusal.
	refused map[string]bool
	since   time.Time
	reason  string
	// wasTried is set when a letter was accepted or refused.
	wasTried bool
}

func (r *refusalTracker) recordSending(letters []mail.Outgoing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recipients == nil || len(r.recipients) > 1000 {
		r.recipients = map[int64]string{}
	}
	for _, l := range letters {
		r.recipients[l.ID] = l.To
	}
}

// recordAccepted records that letters were accepted, which ends the succession of refusals.
func (r *refusalTracker) recordAccepted(ids []int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		delete(r.recipients, id)
	}
	r.refused, r.since, r.wasTried = nil, time.Time{}, true
}

func (r *refusalTracker) recordFailed(id int64, now time.Time, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	to, isSending := r.recipients[id]
	if !isSending {
		return
	}
	if r.refused == nil {
		r.refused, r.since = map[string]bool{}, now
	}
	r.refused[to], r.wasTried = true, true
	r.reason = message.WithoutAddresses(message.OneLine(reason))
}

// conditions returns a condition if letters to at least minRefusedRecipients recipients were refused in succession, the
// first of them at least minDuration ago. tried is set if a letter was accepted or refused since the start.
func (r *refusalTracker) conditions(now time.Time, minDuration time.Duration) (out []condition, tried bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.refused) < minRefusedRecipients || now.Sub(r.since) < minDuration {
		return nil, r.wasTried
	}
	return []condition{{causeOutbox, r.since,
		fmt.Sprintf("the mail server refused letters to %d different readers, and accepted no other letter since: %s", len(r.refused), r.reason),
		"", false}}, true
}
