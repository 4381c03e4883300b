package mail

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/mail/message"
)

const (
	// mostInHand is how many letters are in hand at most, with batchBytes together. Those with
	// a key in common wait there for each other.
	mostInHand = batchLetters
	// stragglers is how long a scan waits at its end for letters that are in hand still.
	stragglers = 250 * time.Millisecond
)

// mostAtOnce is how many letters are handled at the same time: more than there are cores,
// since some wait for the disk, and few enough for the memory that a letter takes.
func mostAtOnce() int { return min(max(8, 4*runtime.GOMAXPROCS(0)), mostInHand) }

// workers handle letters, each in a goroutine of its own that ends with it. All methods are for
// one goroutine.
type workers struct {
	handle func(context.Context, Received) (f Folder, crashed bool, err error)
	// lay is that of the configuration.
	lay func(Received, []string)
	// places has one for each letter that is being handled.
	places chan struct{}
	// ended brings back what came of letters, and has room for all of them: nobody waits to say it.
	ended chan outcome
	// last is, for each key, the end of the newest letter that has it.
	last   map[string]chan struct{}
	inHand map[inboxUID]held
	// bytes is how long they are together.
	bytes int
}

// held is a letter in hand: how long it is, and a time after which it came.
type held struct {
	bytes int
	after time.Time
}

// outcome is what came of a letter.
type outcome struct {
	letter Received
	// keys are those that it is handled in order by here, concerns all that it has.
	keys, concerns []string
	end            chan struct{}
	folder         Folder
	crashed        bool
	err            error
}

func newWorkers(lay func(Received, []string), handle func(context.Context, Received) (Folder, bool, error)) *workers {
	places := mostAtOnce()
	if lay != nil {
		places = mostInHand
	}
	return &workers{lay: lay, handle: handle, places: make(chan struct{}, places), ended: make(chan outcome, mostInHand),
		last: map[string]chan struct{}{}, inHand: map[inboxUID]held{}}
}

// take lets a letter be handled as soon as those before it that share a key with it are, and
// there is a place. There must be room for it. After is a time after which it came.
func (w *workers) take(ctx context.Context, r Received, keys []string, after time.Time) {
	concerns := keys
	if w.lay != nil {
		w.lay(r, keys)
		keys = nil
	}
	o := outcome{letter: r, keys: keys, concerns: concerns, end: make(chan struct{})}
	var before []chan struct{}
	for _, k := range keys {
		if end := w.last[k]; end != nil && end != o.end {
			before = append(before, end)
		}
		w.last[k] = o.end
	}
	w.inHand[inboxUID{r.UIDValidity, r.UID}] = held{len(r.Raw), after}
	w.bytes += len(r.Raw)
	go func() {
		for _, end := range before {
			<-end
		}
		w.places <- struct{}{}
		if o.err = context.Cause(ctx); o.err == nil {
			growStack()
			o.folder, o.crashed, o.err = w.handle(ctx, r)
		}
		<-w.places
		close(o.end)
		w.ended <- o
	}()
}

// stackOfLetter is about what the handling of a letter needs of the stack.
const stackOfLetter = 26 << 10

// growStack makes a goroutine's stack as large as that at once. It begins small, and would be made twice as large, and
// copied, four times on the way down.
//
//go:noinline
func growStack() {
	var room [stackOfLetter]byte
	runtime.KeepAlive(&room)
}

// put forgets a letter that is not in hand any more.
func (w *workers) put(o outcome) {
	for _, k := range o.keys {
		if w.last[k] == o.end {
			delete(w.last, k)
		}
	}
	id := inboxUID{o.letter.UIDValidity, o.letter.UID}
	w.bytes -= w.inHand[id].bytes
	delete(w.inHand, id)
}

// room reports whether one more letter of a length may be taken.
func (w *workers) room(length int) bool {
	return w.idle() || len(w.inHand) < mostInHand && w.bytes+length <= batchBytes
}

func (w *workers) idle() bool { return len(w.inHand) == 0 }

func (w *workers) has(id inboxUID) bool { _, in := w.inHand[id]; return in }

// since is a time after which all that is in hand came; zero where that is not known.
func (w *workers) since() time.Time {
	var first time.Time
	for _, h := range w.inHand {
		if h.after.IsZero() {
			return h.after
		}
		if first.IsZero() || h.after.Before(first) {
			first = h.after
		}
	}
	return first
}

// wait lets all that is in hand end.
func (w *workers) wait() {
	for !w.idle() {
		w.put(<-w.ended)
	}
}

// forever is the timeout of who waits for as long as it takes.
const forever time.Duration = math.MaxInt64

// gather takes in what came of letters in hand, until there is enough of it or the timeout is over.
func (p *Poller) gather(ctx context.Context, enough func() bool, timeout time.Duration, filed map[Folder][]imap.UID) {
	if enough() {
		return
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	for !enough() {
		select {
		case o := <-p.workers.ended:
			p.took(ctx, o, filed)
			continue
		default:
		}
		select {
		case o := <-p.workers.ended:
			p.took(ctx, o, filed)
		case <-t.C:
			return
		}
	}
}

// took notes what came of a letter.
func (p *Poller) took(ctx context.Context, o outcome, filed map[Folder][]imap.UID) {
	p.workers.put(o)
	r := o.letter
	switch {
	case r.UIDValidity != p.validity:
		// Its number is another letter's. It is known when it is read again.
	case o.err == nil:
		s := p.state(r.UID)
		s.handled, s.folder = true, o.folder
		filed[o.folder] = append(filed[o.folder], imap.UID(r.UID))
		p.handledOne()
	case ctx.Err() != nil:
		// Stopped in the middle: no fault of anybody.
	case errors.Is(o.err, message.ErrLater):
		// The letter is not to blame, and will be told to be good or bad.
		p.fail(r.UID, "letter has to wait and stays in the inbox", o.err)
	default:
		if reason, is := p.fault(o.err); is {
			p.putOff(r.UID, o.concerns, reason, o.err)
			return
		}
		p.failed(ctx, r, o.err, o.crashed, filed)
	}
}

// handIn lets a letter be handled, once there is room. One with which a process has died is
// alone in hand, so that no other is blamed for it, nor it for another. Who kills a process again and again may well
// do so while it has the same letter in hand: so the last try is that of a process which has lived for a while, and what came
// behind the letter waits for that.
func (p *Poller) handIn(ctx context.Context, r Received, filed map[Folder][]imap.UID) {
	id := inboxUID{r.UIDValidity, r.UID}
	died, suspect := p.inFlight.left(id)
	if proven := p.began.Add(p.cfg.ProvenAfter); p.now().Before(proven) && p.inFlight.lastTry(id) {
		p.state(r.UID).next = proven
		return
	}
	if died > maxFailures {
		s := p.state(r.UID)
		s.crashed = true
		p.noted(p.inFlight.begin(id)) // What is read of it to tell its writer may be what it dies of.
		if p.quarantine(ctx, r, s, died, errDied(died), filed); s.handled {
			p.noted(p.inFlight.end(id, true))
		} else {
			p.noted(p.inFlight.end(id, false))
		}
		return
	}
	enough := func() bool { return p.workers.room(len(r.Raw)) }
	if suspect {
		enough = p.workers.idle
	}
	p.gather(ctx, enough, forever, filed)
	keys := p.keys(r)
	if p.behind(r.UID, keys) {
		return
	}
	p.workers.take(ctx, r, keys, p.listed)
	if suspect {
		p.gather(ctx, enough, forever, filed)
	}
}

// keys names what a letter concerns. What cannot be found out is handled like what concerns
// the same as all others of that sort.
func (p *Poller) keys(r Received) (keys []string) {
	unknown := []string{""}
	if p.cfg.Keys == nil {
		return unknown
	}
	id := inboxUID{r.UIDValidity, r.UID}
	p.noted(p.inFlight.begin(id))
	defer func() {
		if v := recover(); v != nil {
			p.log.Error("what a letter concerns cannot be found out", "uid", r.UID, "panic", v, "stack", string(debug.Stack()))
			keys = unknown
		}
		p.noted(p.inFlight.end(id, false))
	}()
	return p.cfg.Keys(r)
}

// work handles a letter, which stands in the file of those in flight meanwhile.
func (p *Poller) work(ctx context.Context, r Received) (f Folder, crashed bool, err error) {
	id := inboxUID{r.UIDValidity, r.UID}
	p.noted(p.inFlight.begin(id))
	defer func() { p.noted(p.inFlight.end(id, err == nil)) }()
	return Guarded(ctx, p.handler, r, p.cfg.HandleTimeout)
}

// noted says that the file of letters in flight could not be written. A letter matters more than the note.
func (p *Poller) noted(err error) {
	if err != nil {
		p.log.Error("letter in hand is not noted", "error", err)
	}
}

// ErrCrashed is of a Handler that has crashed in another process, ErrDied of one whose process
// has died again and again.
var (
	ErrCrashed = errors.New("handling the letter crashed")
	ErrDied    = fmt.Errorf("processes died with this letter in hand, at least %d times", maxFailures)
)

// Guarded lets a Handler handle a letter, for so long at most. A panic in there is our fault and
// must not take the daemon, and with it everybody's letters, down.
func Guarded(ctx context.Context, h Handler, r Received, most time.Duration) (f Folder, crashed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			crashed, err = true, fmt.Errorf("handling letter %d: panic: %v\n%s", r.UID, v, debug.Stack())
		}
	}()
	f, err = h.Handle(ctx, r)
	if err != nil {
		return "", errors.Is(err, ErrCrashed), fmt.Errorf("handling letter %d: %w", r.UID, err)
	}
	switch f {
	case Done, Refused, Ignored, Questions:
		return f, false, nil
	}
	return "", false, fmt.Errorf("handling letter %d: unknown folder %q", r.UID, f)
}
