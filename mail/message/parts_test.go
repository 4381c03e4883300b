package message

import (
	"runtime"
	"strings"
	"testing"

	"samizdat/internal/test/climb"
	"samizdat/internal/test/long"
)

// TestHugeAttachment: what hangs on a letter is skipped, not decoded, and costs
// nothing but its bytes. It runs alone, since it measures.
func TestHugeAttachment(t *testing.T) {
	var b strings.Builder
	b.WriteString("From: ann@example.org\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nPLACE Lodz 2\r\n--a\r\n" +
		"Content-Type: video/mp4; name=film.mp4\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=film.mp4\r\n\r\n")
	line := strings.Repeat("QUJD", 19) + "\r\n"
	for b.Len() < 30<<20 {
		b.WriteString(line)
	}
	b.WriteString("--a--\r\n")
	raw := []byte(b.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l := Read(raw)
	runtime.ReadMemStats(&after)
	if l.Text != "PLACE Lodz 2" {
		t.Errorf("the text is %q, problems %q", l.Text, l.Problems)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("reading a letter of %d bytes took %d bytes", len(raw), used)
	}
	// Cut off within the attachment, as it is when it is over the limit.
	if l := Read(raw[:1<<20]); l.Text != "PLACE Lodz 2" || len(l.Problems) == 0 {
		t.Errorf("cut off: the text is %q, problems %q", l.Text, l.Problems)
	}
}

func TestHeaderLimits(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"one long field":  "From: ann@example.org\r\nX: " + strings.Repeat("x", 300_000) + "\r\nTo: a@x\r\n\r\nEVENT 24\r\n",
		"many fields":     "From: ann@example.org\r\n" + strings.Repeat("X: y\r\n", 3000) + "\r\nEVENT 24\r\n",
		"one folded":      "From: ann@example.org\r\nX: y\r\n" + strings.Repeat(" z\r\n", 100_000) + "\r\nEVENT 24\r\n",
		"no end":          "From: ann@example.org\r\n" + strings.Repeat("X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n", 30_000),
		"a line, no end":  "From: ann@example.org\r\nX: " + strings.Repeat("x", 1<<20),
		"long field name": "From: ann@example.org\r\n" + strings.Repeat("x", 300_000) + ": y\r\nTo: a@x\r\n\r\nEVENT 24\r\n",
	} {
		l := Read([]byte(raw))
		if l.Author != "" || strings.Contains(l.Text, "EVENT") {
			t.Errorf("%s: from %q, text %q", name, l.Author, l.Text)
		}
	}
	if l := Read([]byte("From: ann@example.org\r\nTo: " + strings.Repeat("somebody@example.org,\r\n ", 5000) + "a@x\r\n\r\nEVENT 24\r\n")); l.Author == "" || l.Text != "EVENT 24\n" {
		t.Errorf("a letter to many: from %q, text %q", l.Author, l.Text)
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, encoding, in, out string
		whole                   bool
	}{
		{"nothing", "base64", "", "", true},
		{"no padding", "base64", "QUI", "AB", true},
		{"junk", "base64", "QU!I=\r\n", "AB", false},
		{"one sign too many", "base64", "QUJDR", "ABC", false},
		{"lines", "base64", "QU\r\nJD\r\n", "ABC", true},
		{"soft break at the end", "quoted-printable", "a=", "a", true},
		{"soft break with blanks", "quoted-printable", "a=  \r\nb", "ab", true},
		{"blanks at the end of a line", "quoted-printable", "a  \r\nb", "a\r\nb", true},
		{"lower case", "quoted-printable", "=c5=81", "Ł", true},
		{"a lone sign", "quoted-printable", "1 = 2", "1 = 2", false},
		{"cut off", "quoted-printable", "a=C", "a=C", false},
		{"bare line feed", "quoted-printable", "a\nb\n", "a\r\nb\r\n", true},
		{"eight bit", "8BIT", "Ł", "Ł", true},
	} {
		out, whole, isKnown := decodeTransfer([]byte(tt.in), tt.encoding)
		if string(out) != tt.out || whole != tt.whole || !isKnown {
			t.Errorf("%s: got %q %v %v", tt.name, out, whole, isKnown)
		}
	}
	if out, _, isKnown := decodeTransfer([]byte("x"), "x-uuencode"); isKnown || string(out) != "x" {
		t.Errorf("an unknown encoding gives %q %v", out, isKnown)
	}
}

// TestNoSlowLetters: no letter of the size that is read takes long, however it is
// made. Each of these took seconds or minutes once.
func TestNoSlowLetters(t *testing.T) {
	t.Parallel()
	climb.NotRaced(t)
	length := long.N(1<<19, 1<<20)
	many := func(s string) string { return strings.Repeat(s, length/len(s)) }
	for name, raw := range map[string]string{
		"fields":              "\r\n" + many("To: x\n"),
		"attributions":        "\r\n" + many("On 1 a\nb wrote:\nx\n"),
		"telephones":          "\r\n" + many("sent from my\n"),
		"one line":            "\r\n" + many("On 1 a@b"),
		"open comments":       "Content-Type: text/html\r\n\r\n<p style='" + many("/* ") + "'>",
		"ends":                "Content-Type: text/html\r\n\r\n" + strings.Repeat("<div>", 2000) + many("</p>"),
		"header lines":        "Return-Path: <>\r\n\r\n" + many("Received: x\r\n"),
		"header blocks":       "Return-Path: <>\r\n\r\n" + many("Received: x\r\n\r\n"),
		"folded header lines": "X: y\r\n" + many(" z\r\n"),
		"nested parts":        many("Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n"),
		"renamed boundaries":  "Content-Type: multipart/mixed; boundary=a\r\n\r\n" + many("--b\r\nContent-Type: multipart/mixed; boundary=z\r\n\r\n"),
	} {
		notSlow(t, name, []byte(raw))
	}
}
