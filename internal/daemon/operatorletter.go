package daemon

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/storage"
)

// mostNotices is how many letters a day (UTC) the operator gets about quarantine. What
// puts one letter there may put many.
const mostNotices = 20

// tellOperator queues one letter to the operator for each letter that is put in
// quarantine, up to mostNotices a day. The letter names the other one and quotes nothing:
// the operator may be a player. How many there were is kept in the database: a letter that
// ends the process is told of after a restart. Without an address it only shows that the
// database can be written, so that a full disk does not put good letters in quarantine.
func (d *Daemon) tellOperator(outbox *storage.Outbox, wake func()) func(context.Context, mail.BadLetter) error {
	return func(ctx context.Context, b mail.BadLetter) error {
		bad := storage.Bad{UIDValidity: b.Letter.UIDValidity, UID: b.Letter.UID}
		if b.Letter.Raw != nil {
			bad.SHA256 = fmt.Sprintf("%x", sha256.Sum256(b.Letter.Raw))
		}
		queued, err := outbox.NoteBad(ctx, d.Config.Operator, bad, time.Now(), mostNotices, func(last bool) ([]byte, error) {
			return quarantineLetter(d.Config, b, bad.SHA256, last)
		})
		if queued {
			wake()
		}
		return err
	}
}

// tellWriter tells whoever wrote a letter that is put in quarantine that nothing of it was done.
func (d *Daemon) tellWriter(h post.Handler, next func(context.Context, mail.BadLetter) error) func(context.Context, mail.BadLetter) error {
	return func(ctx context.Context, b mail.BadLetter) error {
		if b.Letter.Raw != nil && !b.Deadly {
			err := setAside(ctx, h, b.Letter)
			if _, is := fault(d.DB, err); is {
				return err
			}
			if err != nil { // The letter may be as much to blame for that.
				d.log.Error("whoever wrote a letter in quarantine cannot be told", "uid", b.Letter.UID, "error", err)
			}
		}
		return next(ctx, b)
	}
}

func setAside(ctx context.Context, h post.Handler, r mail.Received) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return h.SetAside(ctx, r)
}

// quarantineLetter is the letter to the operator. Its date is that of the other's
// arrival.
func quarantineLetter(cfg config.Config, b mail.BadLetter, sum string, last bool) ([]byte, error) {
	var text strings.Builder
	number := fmt.Sprintf("%d (uidvalidity %d)", b.Letter.UID, b.Letter.UIDValidity)
	at := b.Letter.Arrived.UTC().Format(time.RFC1123Z)
	id := fmt.Sprintf("quarantine-%d-%d", b.Letter.UIDValidity, b.Letter.UID)
	if b.Letter.Raw == nil {
		fmt.Fprintf(&text, "The mail server lists a letter and did not hand it out, %d times, while it handed\nout others. The letter was put in the folder %s\nunread. The other letters go on.\n\n"+
			"  missed since  %s\n  number        %s\n  bytes         %d, as the server says\n\n"+
			"The log says what the server answered. Perhaps another mail program can open the\nletter. When the server hands it out again, \"samizdat retry\" puts it back into the\ninbox: it is then handled like a new one.\n",
			b.Times, mail.Quarantine, at, number, b.Letter.Size)
	} else {
		id += "-" + sum[:16]
		if b.Letter.Truncated {
			sum += fmt.Sprintf("\n           (of the first %d bytes, more were not read)", len(b.Letter.Raw))
		}
		fmt.Fprintf(&text, "The program failed over a letter, %d times. The letter was put in the folder\n%s, with all its bytes. The other letters go on.\n\n"+
			"  arrived  %s\n  number   %s\n  bytes    %d\n  sha256   %s\n\n"+
			"The log says what went wrong. Its writer is told, if he is known, that nothing\nin it was done. When it is mended, \"samizdat retry\" puts all letters of the folder\nback into the inbox: they are then handled like new ones.\n",
			b.Times, mail.Quarantine, at, number, b.Letter.Size, sum)
	}
	if last {
		fmt.Fprintf(&text, "\nThis is the last letter of this sort today (UTC): there are no more than %d a day.\nMore letters may be put in quarantine. They lie in the same folder, and the log\nhas a line at level error for each.\n", mostNotices)
	}
	return notice(cfg, cfg.Operator, "A letter is in quarantine", id, b.Letter.Arrived, text.String())
}
