package embedded

import (
	"cmp"
	"crypto/subtle"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// session is one IMAP connection. Its methods are called by one goroutine at a
// time. Nothing is written to the connection while the account is locked.
type session struct {
	server  *Server
	account *account

	// The selected mailbox, if any.
	box      *mailbox
	tracker  *imapserver.SessionTracker
	readOnly bool
	saved    imap.UIDSet
	news     chan struct{}
}

var _ imapserver.SessionIMAP4rev2 = (*session)(nil)

func (s *session) Login(user, password string) error {
	a := s.server.owner(user, password)
	if a == nil {
		return imapserver.ErrAuthFailed
	}
	s.account = a
	return nil
}

func (s *session) Close() error {
	if s.box != nil {
		return s.Unselect()
	}
	return nil
}

func (s *session) Select(name string, opts *imap.SelectOptions) (*imap.SelectData, error) {
	a := s.account
	a.state.Lock()
	defer a.state.Unlock()
	b, err := a.box(name)
	if err != nil {
		return nil, err
	}
	s.box, s.tracker, s.readOnly, s.saved = b, b.tracker.NewSession(), opts.ReadOnly, nil
	s.news = make(chan struct{}, 1)
	b.sessions[s] = struct{}{}
	unseen := slices.IndexFunc(b.messages, func(m *message) bool { return !hasFlag(m.flags, imap.FlagSeen) })
	return &imap.SelectData{
		Flags:          append(slices.Clone(systemFlags), b.keywords()...),
		NumMessages:    uint32(len(b.messages)),
		UIDNext:        b.next,
		UIDValidity:    b.validity,
		PermanentFlags: append(slices.Clone(systemFlags), imap.FlagWildcard),

		FirstUnseenSeqNum: uint32(unseen + 1),
	}, nil
}

// keywords gives the flags in use that are not system flags.
func (b *mailbox) keywords() []imap.Flag {
	var out []imap.Flag
	for _, m := range b.messages {
		for _, f := range m.flags {
			if !strings.HasPrefix(string(f), `\`) && !hasFlag(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s *session) Unselect() error {
	s.account.state.Lock()
	defer s.account.state.Unlock()
	delete(s.box.sessions, s)
	s.tracker.Close()
	s.box, s.tracker = nil, nil
	return nil
}

func (s *session) Poll(w *imapserver.UpdateWriter, allowExpunge bool) error {
	if s.tracker == nil {
		return nil
	}
	return s.tracker.Poll(w, allowExpunge)
}

// Idle polls before it waits: what came between the last command and now must
// not wait for the next message.
//
// When the client hangs up, the library closes the session while this still
// runs: hence the copies.
func (s *session) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	s.account.state.RLock()
	tracker, news := s.tracker, s.news
	s.account.state.RUnlock()
	if tracker == nil {
		<-stop
		return nil
	}
	for {
		if err := tracker.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-news:
		case <-stop:
			return nil
		}
	}
}

func (s *session) Namespace() (*imap.NamespaceData, error) {
	return &imap.NamespaceData{Personal: []imap.NamespaceDescriptor{{Delim: delim}}}, nil
}

func (s *session) Append(name string, r imap.LiteralReader, opts *imap.AppendOptions) (*imap.AppendData, error) {
	if r.Size() > s.server.cfg.MaxMessage {
		return nil, refuse(imap.ResponseCodeTooBig, "Message is too big")
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	at := opts.Time
	if at.IsZero() {
		at = s.server.cfg.Now()
	}
	validity, uid, err := s.account.deliver(name, raw, at, opts.Flags)
	if err != nil {
		return nil, s.fail("append", err)
	}
	return &imap.AppendData{UIDValidity: validity, UID: uid}, nil
}

// fail logs what is not an answer to the client, and gives it one.
func (s *session) fail(op string, err error) error {
	if _, ok := err.(*imap.Error); ok || err == nil || s.server.closing() {
		return err
	}
	s.server.log.Error("embedded mail server", "operation", op, "account", s.account.address, "error", err)
	return refuse(imap.ResponseCodeServerBug, "The mailbox could not be read or written")
}

// hit is one message a command is about.
type hit struct {
	seq uint32
	message
}

// hits gives snapshots of the messages in a set that this session knows of, in
// ascending order.
func (s *session) hits(set imap.NumSet) []hit {
	s.account.state.RLock()
	defer s.account.state.RUnlock()
	var out []hit
	take := func(i int) {
		if seq := s.tracker.EncodeSeqNum(uint32(i) + 1); seq != 0 {
			out = append(out, hit{seq: seq, message: *s.box.messages[i]})
		}
	}
	if imap.IsSearchRes(set) {
		set = s.saved
	}
	switch set := set.(type) {
	case imap.UIDSet:
		for _, i := range s.box.inUIDSet(set) {
			take(i)
		}
	case imap.SeqSet:
		static := staticSeqSet(set, uint32(len(s.box.messages)))
		for i := range s.box.messages {
			if seq := s.tracker.EncodeSeqNum(uint32(i) + 1); seq != 0 && static.Contains(seq) {
				take(i)
			}
		}
	}
	return out
}

// inUIDSet gives the indexes of a set's messages without looking at the others.
func (b *mailbox) inUIDSet(set imap.UIDSet) []int {
	var out []int
	if len(b.messages) == 0 {
		return nil
	}
	for _, r := range staticUIDSet(set, b.messages[len(b.messages)-1].uid) {
		i, _ := b.index(r.Start)
		for ; i < len(b.messages) && b.messages[i].uid <= r.Stop; i++ {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// staticUIDSet replaces "*", which is the highest number in use.
func staticUIDSet(set imap.UIDSet, highest imap.UID) imap.UIDSet {
	out := slices.Clone(set)
	for i, r := range out {
		out[i].Start, out[i].Stop = static(r.Start, r.Stop, highest)
	}
	return out
}

func staticSeqSet(set imap.SeqSet, highest uint32) imap.SeqSet {
	out := slices.Clone(set)
	for i, r := range out {
		out[i].Start, out[i].Stop = static(r.Start, r.Stop, highest)
	}
	return out
}

func static[T ~uint32](start, stop, highest T) (first, last T) {
	if start != 0 && stop != 0 {
		return start, stop
	}
	start, stop = cmp.Or(start, highest), cmp.Or(stop, highest)
	return min(start, stop), max(start, stop)
}

func uidsOf(hits []hit) []imap.UID {
	out := make([]imap.UID, len(hits))
	for i, h := range hits {
		out[i] = h.uid
	}
	return out
}

// mechanisms are the ways to log in, for both services.
func (s *Server) mechanisms() []string {
	return append([]string{sasl.Plain, sasl.Login}, slices.Sorted(maps.Keys(s.cfg.Mechanisms))...)
}

// owner finds the account of a login by password, or nil.
func (s *Server) owner(user, password string) *account {
	a := s.accounts[strings.ToLower(user)]
	if a == nil || subtle.ConstantTimeCompare([]byte(a.password), []byte(password)) != 1 {
		return nil
	}
	return a
}

// mechanism is the server side of a login. take is called with the account that was
// proved; without one the answer is refusal.
func (s *Server) mechanism(name string, refusal error, take func(*account)) sasl.Server {
	enter := func(a *account) error {
		if a == nil {
			return refusal
		}
		take(a)
		return nil
	}
	switch name {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, user, password string) error { return enter(s.owner(user, password)) })
	case sasl.Login:
		return &loginServer{login: func(user, password string) error { return enter(s.owner(user, password)) }}
	}
	if further := s.cfg.Mechanisms[name]; further != nil {
		return further(func(address string) error { return enter(s.accounts[strings.ToLower(address)]) })
	}
	return nil
}

// AuthenticateMechanisms implements imapserver.SessionSASL.
func (s *session) AuthenticateMechanisms() []string { return s.server.mechanisms() }

// Authenticate implements imapserver.SessionSASL.
func (s *session) Authenticate(mech string) (sasl.Server, error) {
	m := s.server.mechanism(mech, imapserver.ErrAuthFailed, func(a *account) { s.account = a })
	if m == nil {
		return nil, refuse("", "SASL mechanism not supported")
	}
	return m, nil
}

func (s *smtpSession) AuthMechanisms() []string { return s.server.mechanisms() }

func (s *smtpSession) Auth(mech string) (sasl.Server, error) {
	m := s.server.mechanism(mech, smtp.ErrAuthFailed, func(a *account) { s.user = a.address })
	if m == nil {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	return m, nil
}
