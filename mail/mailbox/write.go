package mailbox

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"time"
)

// fromLinePattern matches the start of a line that must be quoted in an mbox.
var fromLinePattern = regexp.MustCompile(`(?m)^(>*From )`)

// Write appends a message to an mbox of the reversible variant mboxrd. received is the time in its separator line.
func Write(w io.Writer, received time.Time, message []byte) error {
	text := fromLinePattern.ReplaceAll(bytes.TrimSuffix(bytes.ReplaceAll(message, []byte("\r\n"), []byte("\n")), []byte("\n")), []byte(">$1"))
	if _, err := fmt.Fprintf(w, "From MAILER-DAEMON %s\n%s\n\n", received.UTC().Format(time.ANSIC), text); err != nil {
		return fmt.Errorf("write a mailbox: %w", err)
	}
	return nil
}
