// Package mailbox reads the mail that programs keep in files: an mbox, a maildir, a
// directory of messages, or a file with one.
package mailbox

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// longest is how many bytes of a message are kept, and of a line.
const longest = 1 << 20

// Message is one message of a mailbox.
type Message struct {
	Raw []byte
	// Kept is when the mailbox got the message: the time in the separator of an mbox
	// ("From ann@x.test Sun Jun  4 09:00:00 1989"), otherwise that of its file.
	Kept time.Time
}

// Messages goes through the messages of a file, or of a directory and everything below it,
// one at a time. Of a very long message it gives the beginning. A message is good until the
// next one. An error is about one file, and the others follow.
func Messages(path string) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		root, err := filepath.EvalSymlinks(path)
		if err != nil {
			yield(Message{}, err)
			return
		}
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case d.IsDir() && d.Name() == "tmp" && name != root:
				return fs.SkipDir // Of a maildir: what is being delivered.
			case d.IsDir(), name != root && (!d.Type().IsRegular() || isIndex(name)):
				return nil
			default:
				err = file(name, yield)
			}
			if err == nil || !errors.Is(err, fs.SkipAll) && yield(Message{}, err) {
				return nil
			}
			return fs.SkipAll
		})
	}
}

// isIndex reports whether a file lies beside the directories of a maildir, where the programs
// that keep it put files of their own.
func isIndex(name string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(name), "cur"))
	return err == nil && info.IsDir()
}

// separator is the line before a message in an mbox. A line of a letter that begins like it
// has no time of day and no year.
var separator = regexp.MustCompile(`^From .*[ \t]\d{1,2}:\d{2}(:\d{2})?[ \t].*\b\d{4}\b`)

// separatorTimes are how the time in a separator is written, behind the address.
var separatorTimes = []string{"Mon Jan 2 15:04:05 2006", "Mon Jan 2 15:04:05 2006 -0700", "Mon Jan 2 15:04:05 -0700 2006", "Mon Jan 2 15:04:05 MST 2006", "Mon Jan 2 15:04 2006", "Mon Jan 2 15:04 MST 2006"}

// separated is the time in a separator; otherwise, where it cannot be read, the other.
func separated(line []byte, otherwise time.Time) time.Time {
	words := strings.Fields(string(line))
	for i := 1; i < len(words); i++ {
		for _, layout := range separatorTimes {
			if at, err := time.Parse(layout, strings.Join(words[i:], " ")); err == nil {
				return at.UTC()
			}
		}
	}
	return otherwise
}

// quoted is a line of a message that would begin as a separator does.
var quoted = regexp.MustCompile(`^>+From `)

// file goes through the messages of one file. The error is fs.SkipAll when no more are wanted.
func file(name string, yield func(Message, error) bool) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	kept := info.ModTime()
	in := bufio.NewReaderSize(f, 64<<10)
	var message []byte
	give := func() bool {
		wanted := len(bytes.TrimSpace(message)) == 0 || yield(Message{message, kept}, nil)
		message = message[:0]
		return wanted
	}
	mbox, blank, end := false, true, false
	for first := true; !end; first = false {
		line, err := readLine(in)
		if end = err == io.EOF; err != nil && !end {
			return fmt.Errorf("%s: %w", name, err)
		}
		separates := blank && (first || mbox) && separator.Match(line)
		blank = len(bytes.TrimRight(line, "\r\n")) == 0
		switch {
		case separates && !give():
			return fs.SkipAll
		case separates:
			mbox, kept = true, separated(line, info.ModTime())
		case len(message) < longest:
			message = append(message, bytes.TrimPrefix(line, unquote(mbox, line))...)
		}
	}
	if !give() {
		return fs.SkipAll
	}
	return nil
}

// unquote is what a program that keeps an mbox has put before a line.
func unquote(mbox bool, line []byte) []byte {
	if mbox && quoted.Match(line) {
		return line[:1]
	}
	return nil
}

// readLine reads a line with its end.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if line == nil && err != bufio.ErrBufferFull {
			return part, err
		}
		if len(line) < longest {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
