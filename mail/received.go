package mail

import (
	"context"
	"time"
)

// Received is one message as it lies in the IMAP inbox.
type Received struct {
	// UIDValidity and UID name the message for as long as it lies in the inbox.
	UIDValidity, UID uint32
	// Arrived is the INTERNALDATE: when our mail server took the letter in.
	Arrived time.Time
	// Size is the size of the whole message on the server, in bytes.
	Size int64
	// Raw is the message, or its first bytes when Truncated is set.
	Raw []byte
	// Truncated says that the message is longer than the configured limit.
	Truncated bool
}

// Folder says where a handled message is filed after the commit. The poller
// puts the names below into the server's own hierarchy and creates them.
type Folder string

// The folders a Handler can choose from.
const (
	// Done holds letters that were answered.
	Done Folder = "Samizdat/Done"
	// Refused holds letters that were understood as orders and refused.
	Refused Folder = "Samizdat/Refused"
	// Ignored holds machine mail and letters of strangers.
	Ignored Folder = "Samizdat/Ignored"
	// Questions holds letters that were answered and ask a person something, who finds them here.
	Questions Folder = "Samizdat/Questions"
)

// Handler takes in one message. It returns only after its effects are
// committed. An error means weather or our own fault: the message stays in the
// inbox and is tried again with back-off. It must be idempotent, and it should
// return when ctx is done. With [IMAPConfig.Keys] it is called from several goroutines.
type Handler interface {
	Handle(ctx context.Context, r Received) (Folder, error)
}

// HandlerFunc lets an ordinary function be a Handler.
type HandlerFunc func(ctx context.Context, r Received) (Folder, error)

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, r Received) (Folder, error) { return f(ctx, r) }
