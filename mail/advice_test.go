package mail

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"
)

// TestConnectAdvice: what to do fits what went wrong.
func TestConnectAdvice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"the server hung up", fmt.Errorf("imap login: %w", io.ErrUnexpectedEOF), "its log says why"},
		{"no STARTTLS in IMAP", fmt.Errorf(connectingIMAP+": %w", &imap.Error{Type: imap.StatusResponseTypeBad, Text: "TLS support isn't enabled"}), "no STARTTLS on this port"},
		{"no STARTTLS in SMTP", errors.New("smtp: server doesn't support STARTTLS"), "no STARTTLS on this port"},
		{"not now", fmt.Errorf("logging in: %w", &smtp.SMTPError{Code: 454, Message: "Temporary authentication failure"}), "try again in some minutes"},
		{"wrong password", fmt.Errorf("logging in: %w", &smtp.SMTPError{Code: 535, Message: "invalid token"}), "refuses the login"},
		{"no token", errNoToken{errors.New("there is no token")}, "token command or file"},
		{"no certificates", fmt.Errorf(readingTrust+": %w", errors.New("x holds none")), "ca_file"},
		{"something else", errors.New("a fault"), "check smtp: address and tls"},
	} {
		if got := connectAdvice(tt.err, "smtp"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q in it", tt.name, got, tt.want)
		}
	}
}

// TestFullness: a mailbox that takes no more letters is bad, one that will not for
// long is worth a remark.
func TestFullness(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what         imap.QuotaResourceType
		usage, limit int64
		level        Level
		says         string
	}{
		{imap.QuotaResourceStorage, 100 << 10, 1000 << 10, Fine, "to 10 percent, 100 of 1000 MB"},
		{imap.QuotaResourceStorage, 850 << 10, 1000 << 10, Remark, "to 85 percent"},
		{imap.QuotaResourceStorage, 2, 2, Wrong, "percent"},
		{imap.QuotaResourceMessage, 99, 100, Wrong, "99 of 100 letters"},
	} {
		var got []Finding
		p := Probe{Tell: func(f Finding) { got = append(got, f) }, secrets: &secrets{}}
		p.fullness(tt.what, tt.usage, tt.limit)
		if len(got) != 1 || got[0].Level != tt.level || !strings.Contains(got[0].What, tt.says) || (got[0].Do == "") != (tt.level == Fine) {
			t.Errorf("%d of %d: %+v", tt.usage, tt.limit, got)
		}
	}
}
