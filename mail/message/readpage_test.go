package message

import (
	"strings"
	"testing"
)

// TestReadPage: the page beside a text is read, and nothing where there is none.
func TestReadPage(t *testing.T) {
	t.Parallel()
	const both = "Content-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: multipart/alternative; boundary=a\n\n" +
		"--a\nContent-Type: text/plain\n\nVP 3\n--a\nContent-Type: text/html\n\n<p>VP <b>4</b></p>\n--a--\n--m--\n"
	for raw, want := range map[string]string{both: "VP 4", "Subject: x\n\nVP 3\n": "", "Content-Type: text/html\n\n<p>VP 4</p>": ""} {
		if got := strings.TrimSpace(ReadPage([]byte(raw))); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
	if got := strings.TrimSpace(Read([]byte(both)).Text); got != "VP 3" {
		t.Errorf("the text is %q", got)
	}
}
