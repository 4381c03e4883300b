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

// session is an IMAP connection. Its methods are called by one goroutine at a time, except Close, which the library may
// call during Idle. The account is not locked while output is written to the connection.
type session struct {
	server  *Server
	account *account

	// box is the selected mailbox, or nil. changed receives a value when box has changed. savedUIDs is the result of
	// SEARCH RETURN (SAVE).
	box       *mailbox
	tracker   *imapserver.SessionTracker
	readOnly  bool
	savedUIDs imap.UIDSet
	changed   chan struct{}
}

var _ imapserver.SessionIMAP4rev2 = (*session)(nil)

func (s *session) Login(user, password string) error {
	a := s.server.authenticate(user, password)
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
	a.stateLock.Lock()
	defer a.stateLock.Unlock()
	b, err := a.mailbox(name)
	if err != nil {
		return nil, err
	}
	s.box, s.tracker, s.readOnly, s.savedUIDs = b, b.tracker.NewSession(), opts.ReadOnly, nil
	s.changed = make(chan struct{}, 1)
	b.sessions[s] = struct{}{}
	unseen := slices.IndexFunc(b.messages, func(m *message) bool { return !hasFlag(m.flags, imap.FlagSeen) })
	return &imap.SelectData{
		Flags:          append(slices.Clone(systemFlags), b.keywords()...),
		NumMessages:    uint32(len(b.messages)),
		UIDNext:        b.uidNext,
		UIDValidity:    b.validity,
		PermanentFlags: append(slices.Clone(systemFlags), imap.FlagWildcard),

		FirstUnseenSeqNum: uint32(unseen + 1),
	}, nil
}

// keywords returns the flags in use that are not system flags.
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
	s.account.stateLock.Lock()
	defer s.account.stateLock.Unlock()
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

// Idle sends updates until stop. It polls first, because changes since the last command must not wait for the next
// change. It copies tracker and changed, because the library closes the session of a disconnected client while Idle
// runs.
func (s *session) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	s.account.stateLock.RLock()
	tracker, changed := s.tracker, s.changed
	s.account.stateLock.RUnlock()
	if tracker == nil {
		<-stop
		return nil
	}
	for {
		if err := tracker.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-stop:
			return nil
		}
	}
}

func (s *session) Namespace() (*imap.NamespaceData, error) {
	return &imap.NamespaceData{Personal: []imap.NamespaceDescriptor{{Delim: delimiter}}}, nil
}

func (s *session) Append(name string, r imap.LiteralReader, opts *imap.AppendOptions) (*imap.AppendData, error) {
	if r.Size() > s.server.cfg.MaxMessage {
		return nil, newRefusal(imap.ResponseCodeTooBig, "Message is too big")
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
		return nil, s.serverError("append", err)
	}
	return &imap.AppendData{UIDValidity: validity, UID: uid}, nil
}

// serverError logs an error of the server, and returns an answer to the client. An *imap.Error already is an answer and
// is returned unchanged.
func (s *session) serverError(op string, err error) error {
	if _, ok := err.(*imap.Error); ok || err == nil || s.server.isClosing() {
		return err
	}
	s.server.log.Error("an operation of the embedded mail server failed", "operation", op, "account", s.account.address, "error", err)
	return newRefusal(imap.ResponseCodeServerBug, "The mailbox could not be read or written")
}

// foundMessage is a snapshot of a message with its sequence number in the session.
type foundMessage struct {
	seq uint32
	message
}

// findMessages returns snapshots of the messages in a set, in ascending order, without messages that the server has not
// yet announced to the client.
func (s *session) findMessages(set imap.NumSet) []foundMessage {
	s.account.stateLock.RLock()
	defer s.account.stateLock.RUnlock()
	var out []foundMessage
	appendMessage := func(i int) {
		if seq := s.tracker.EncodeSeqNum(uint32(i) + 1); seq != 0 {
			out = append(out, foundMessage{seq: seq, message: *s.box.messages[i]})
		}
	}
	if imap.IsSearchRes(set) {
		set = s.savedUIDs
	}
	switch set := set.(type) {
	case imap.UIDSet:
		for _, i := range s.box.indexesInSet(set) {
			appendMessage(i)
		}
	case imap.SeqSet:
		static := resolveSeqSet(set, uint32(len(s.box.messages)))
		for i := range s.box.messages {
			if seq := s.tracker.EncodeSeqNum(uint32(i) + 1); seq != 0 && static.Contains(seq) {
				appendMessage(i)
			}
		}
	}
	return out
}

func (b *mailbox) indexesInSet(set imap.UIDSet) []int {
	var out []int
	if len(b.messages) == 0 {
		return nil
	}
	for _, r := range resolveUIDSet(set, b.messages[len(b.messages)-1].uid) {
		i, _ := b.indexOf(r.Start)
		for ; i < len(b.messages) && b.messages[i].uid <= r.Stop; i++ {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// resolveUIDSet replaces "*" by the highest UID.
func resolveUIDSet(set imap.UIDSet, highest imap.UID) imap.UIDSet {
	out := slices.Clone(set)
	for i, r := range out {
		out[i].Start, out[i].Stop = resolveRange(r.Start, r.Stop, highest)
	}
	return out
}

func resolveSeqSet(set imap.SeqSet, highest uint32) imap.SeqSet {
	out := slices.Clone(set)
	for i, r := range out {
		out[i].Start, out[i].Stop = resolveRange(r.Start, r.Stop, highest)
	}
	return out
}

func resolveRange[T ~uint32](start, stop, highest T) (first, last T) {
	if start != 0 && stop != 0 {
		return start, stop
	}
	start, stop = cmp.Or(start, highest), cmp.Or(stop, highest)
	return min(start, stop), max(start, stop)
}

func uidsOf(messages []foundMessage) []imap.UID {
	out := make([]imap.UID, len(messages))
	for i, m := range messages {
		out[i] = m.uid
	}
	return out
}

func (s *Server) mechanismNames() []string {
	return append([]string{sasl.Plain, sasl.Login}, slices.Sorted(maps.Keys(s.cfg.Mechanisms))...)
}

func (s *Server) authenticate(user, password string) *account {
	a := s.accounts[strings.ToLower(user)]
	if a == nil || subtle.ConstantTimeCompare([]byte(a.password), []byte(password)) != 1 {
		return nil
	}
	return a
}

// newMechanism returns the server side of a SASL mechanism, or nil for an unknown name. The server side calls setAccount
// with the authenticated account, or returns refusal after a failed login.
func (s *Server) newMechanism(name string, refusal error, setAccount func(*account)) sasl.Server {
	authenticated := func(a *account) error {
		if a == nil {
			return refusal
		}
		setAccount(a)
		return nil
	}
	switch name {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, user, password string) error { return authenticated(s.authenticate(user, password)) })
	case sasl.Login:
		return &loginServer{login: func(user, password string) error { return authenticated(s.authenticate(user, password)) }}
	}
	if newServer := s.cfg.Mechanisms[name]; newServer != nil {
		return newServer(func(address string) error { return authenticated(s.accounts[strings.ToLower(address)]) })
	}
	return nil
}

func (s *session) AuthenticateMechanisms() []string { return s.server.mechanismNames() }

func (s *session) Authenticate(mechanism string) (sasl.Server, error) {
	m := s.server.newMechanism(mechanism, imapserver.ErrAuthFailed, func(a *account) { s.account = a })
	if m == nil {
		return nil, newRefusal("", "SASL mechanism not supported")
	}
	return m, nil
}

func (s *smtpSession) AuthMechanisms() []string { return s.server.mechanismNames() }

func (s *smtpSession) Auth(mechanism string) (sasl.Server, error) {
	m := s.server.newMechanism(mechanism, smtp.ErrAuthFailed, func(a *account) { s.user = a.address })
	if m == nil {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	return m, nil
}
