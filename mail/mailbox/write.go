package mailbox

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"time"
)

// unquoted is the beginning of a line that would read as a separator, or as one that was
// quoted.
var unquoted = regexp.MustCompile(`(?m)^(>*From )`)

// Write appends a message to an mbox (of the kind mboxrd, which loses nothing).
func Write(w io.Writer, at time.Time, message []byte) error {
	text := unquoted.ReplaceAll(bytes.TrimSuffix(bytes.ReplaceAll(message, []byte("\r\n"), []byte("\n")), []byte("\n")), []byte(">$1"))
	if _, err := fmt.Fprintf(w, "From MAILER-DAEMON %s\n%s\n\n", at.UTC().Format(time.ANSIC), text); err != nil {
		return fmt.Errorf("write a mailbox: %w", err)
	}
	return nil
}
