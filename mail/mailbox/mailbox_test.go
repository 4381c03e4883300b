package mailbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// write makes files, by their names below a new directory.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// all are the messages at a path.
func all(t *testing.T, path string) (out []string) {
	t.Helper()
	for m, err := range Messages(path) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(m.Raw))
	}
	return out
}

func TestMbox(t *testing.T) {
	t.Parallel()
	const a, b = "Subject: a\n\nFrom here on\n\nFrom there to 10:30 it rained\n", "Subject: b\n\n>From me\nFrom you\n"
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"one mail":          {a, []string{a}},
		"mboxo":             {"From a@x.test Sun Jun  4 09:00:00 1989\n" + a + "\nFrom - Sun Jun  4 09:00:00 1989\n" + b, []string{a + "\n", "Subject: b\n\nFrom me\nFrom you\n"}},
		"mboxrd":            {"From a@x.test Sun Jun  4 09:00 MET 1989\nSubject: c\n\n>>From me\n", []string{"Subject: c\n\n>From me\n"}},
		"CRLF":              {"From a@x.test Sun Jun  4 09:00:00 1989\r\nSubject: a\r\n\r\nx\r\n\r\nFrom b Sun Jun  4 09:00:00 1989 +0200\r\nSubject: b\r\n", []string{"Subject: a\r\n\r\nx\r\n\r\n", "Subject: b\r\n"}},
		"no end of line":    {"From a Sun Jun  4 09:00:00 1989\nSubject: a\n\nx", []string{"Subject: a\n\nx"}},
		"empty":             {"", nil},
		"not behind a line": {"From a Sun Jun  4 09:00:00 1989\nSubject: a\n\nx\nFrom b Sun Jun  4 09:00:00 1989\n", []string{"Subject: a\n\nx\nFrom b Sun Jun  4 09:00:00 1989\n"}},
		"a quote in a mail": {"Subject: a\n\n>From me\n\nFrom b Sun Jun  4 09:00:00 1989\n", []string{"Subject: a\n\n>From me\n\nFrom b Sun Jun  4 09:00:00 1989\n"}},
	} {
		if got := all(t, filepath.Join(write(t, map[string]string{"box": tt.text}), "box")); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestLongMessage: of a message without an end the beginning is kept, and the next one whole.
func TestLongMessage(t *testing.T) {
	t.Parallel()
	const from = "From a Sun Jun  4 09:00:00 1989\n"
	long := from + "Subject: a\n\n" + strings.Repeat("x", 3*maxMessage) + "\n" + strings.Repeat("y\n", maxMessage) + "\n" + from + "Subject: b\n"
	got := all(t, filepath.Join(write(t, map[string]string{"box": long}), "box"))
	if len(got) != 2 || len(got[0]) > 3*maxMessage || got[1] != "Subject: b\n" {
		t.Errorf("%d messages", len(got))
	}
}

func TestMaildir(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"cur/1.x:2,S": "Subject: a\n", "new/2.x": "Subject: b\n", "tmp/3.x": "half", "dovecot.index": "index", "subscriptions": "Sent",
		".Sent/cur/4.x:2,S": "Subject: c\n", ".Sent/tmp/5.x": "half", ".Sent/maildirfolder": "", "old/box": "From a Sun Jun  4 09:00:00 1989\nSubject: d\n",
	})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link} {
		got := all(t, path)
		if slices.Sort(got); strings.Join(got, "") != "Subject: a\nSubject: b\nSubject: c\nSubject: d\n" {
			t.Errorf("%q", got)
		}
	}
	for range Messages(dir) {
		break // Who has seen enough is given no more.
	}
}

// TestKept: a message has the time of its separator, or of its file.
func TestKept(t *testing.T) {
	t.Parallel()
	file := time.Date(1990, 1, 2, 3, 4, 5, 0, time.UTC)
	for from, want := range map[string]time.Time{
		"From a@x.test Sun Jun  4 09:00:07 1989":          time.Date(1989, 6, 4, 9, 0, 7, 0, time.UTC),
		"From - Sun Jun 14 09:00:07 1989 +0200":           time.Date(1989, 6, 14, 7, 0, 7, 0, time.UTC),
		"From a@x.test Sun Jun  4 09:00 1989":             time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC),
		"From a@x.test at Sun, Jun  4 09:00:07 A.D. 1989": file,
		"Subject: b": file,
	} {
		path := filepath.Join(write(t, map[string]string{"box": from + "\nSubject: a\n\nx\n"}), "box")
		if err := os.Chtimes(path, file, file); err != nil {
			t.Fatal(err)
		}
		for m, err := range Messages(path) {
			if err != nil || !m.Received.Equal(want) {
				t.Errorf("%s: %v, %v", from, m.Received, err)
			}
		}
	}
}

func TestNoMailbox(t *testing.T) {
	t.Parallel()
	for _, err := range Messages(filepath.Join(t.TempDir(), "none")) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v", err)
		}
	}
}

// TestWrite: what was written is read again.
func TestWrite(t *testing.T) {
	t.Parallel()
	var box strings.Builder
	want := []string{"Subject: a\n\nFrom here to 10:30 on\n>From 1989\n\nFrom a Sun Jun  4 09:00:00 1989\n", "Subject: b\n\nx\n"}
	for _, m := range want {
		if err := Write(&box, time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC), []byte(strings.ReplaceAll(m, "\n", "\r\n"))); err != nil {
			t.Fatal(err)
		}
	}
	got := all(t, filepath.Join(write(t, map[string]string{"box": box.String()}), "box"))
	if len(got) != 2 || got[0] != want[0]+"\n" || got[1] != want[1]+"\n" {
		t.Errorf("%q", got)
	}
}
