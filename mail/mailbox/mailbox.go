// Package mailbox reads mail from files: an mbox (RFC 4155), a maildir, a directory of messages, or a single message.
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

// maxMessage is the maximum length in bytes of a message, and of a line; the rest is dropped.
const maxMessage = 1 << 20

// Message is a message in a mailbox.
type Message struct {
	Raw []byte
	// Received is the time in the separator line of an mbox ("From ann@x.test Sun Jun  4 09:00:00 1989"), or the
	// modification time of the file.
	Received time.Time
}

// Messages iterates over the messages of a file, or of all files below a directory. Long messages are truncated. Raw is
// valid until the next message. After an error in a file the iteration continues with the next file.
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
				return fs.SkipDir // Messages in tmp of a maildir are incomplete.
			case d.IsDir(), name != root && (!d.Type().IsRegular() || isIndex(name)):
				return nil
			default:
				err = readFile(name, yield)
			}
			if err == nil || !errors.Is(err, fs.SkipAll) && yield(Message{}, err) {
				return nil
			}
			return fs.SkipAll
		})
	}
}

// isIndex reports whether a file is beside the directory cur of a maildir, e.g. dovecot.index.
func isIndex(name string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(name), "cur"))
	return err == nil && info.IsDir()
}

// separatorPattern matches the line "From ..." before a message in an mbox. Text such as "From there to 10:30" contains no
// year.
var separatorPattern = regexp.MustCompile(`^From .*[ \t]\d{1,2}:\d{2}(:\d{2})?[ \t].*\b\d{4}\b`)

var separatorLayouts = []string{"Mon Jan 2 15:04:05 2006", "Mon Jan 2 15:04:05 2006 -0700", "Mon Jan 2 15:04:05 -0700 2006",
	"Mon Jan 2 15:04:05 MST 2006", "Mon Jan 2 15:04 2006", "Mon Jan 2 15:04 MST 2006"}

func separatorTime(line []byte, fallback time.Time) time.Time {
	words := strings.Fields(string(line))
	for i := 1; i < len(words); i++ {
		for _, layout := range separatorLayouts {
			if at, err := time.Parse(layout, strings.Join(words[i:], " ")); err == nil {
				return at.UTC()
			}
		}
	}
	return fallback
}

// readFile iterates over the messages of a file. It returns fs.SkipAll if yield returned false.
func readFile(name string, yield func(Message, error) bool) (err error) {
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
	if err = readAll(f, info.ModTime(), yield); err != nil && !errors.Is(err, fs.SkipAll) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// Read iterates over the messages in r: an mbox, or a single message. fallback is the time of a message without a
// separator.
func Read(r io.Reader, fallback time.Time) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		if err := readAll(r, fallback, yield); err != nil && !errors.Is(err, fs.SkipAll) {
			yield(Message{}, err)
		}
	}
}

// readAll calls yield for each message in r, as Read describes. It returns fs.SkipAll if yield returned false.
func readAll(r io.Reader, fallback time.Time, yield func(Message, error) bool) error {
	received := fallback
	in := bufio.NewReaderSize(r, 64<<10)
	var message []byte
	emit := func() bool {
		more := len(bytes.TrimSpace(message)) == 0 || yield(Message{message, received}, nil)
		message = message[:0]
		return more
	}
	isMbox, isBlank, end := false, true, false
	for isFirst := true; !end; isFirst = false {
		line, err := readLine(in)
		if end = err == io.EOF; err != nil && !end {
			return err
		}
		isSeparator := isBlank && (isFirst || isMbox) && separatorPattern.Match(line)
		isBlank = len(bytes.TrimRight(line, "\r\n")) == 0
		switch {
		case isSeparator && !emit():
			return fs.SkipAll
		case isSeparator:
			isMbox, received = true, separatorTime(line, fallback)
		case len(message) < maxMessage:
			message = append(message, bytes.TrimPrefix(line, quoteMark(isMbox, line))...)
		}
	}
	if !emit() {
		return fs.SkipAll
	}
	return nil
}

// quoteMark returns the ">" that a mail program has put before a line of an mbox that starts with "From ".
func quoteMark(isMbox bool, line []byte) []byte {
	if isMbox && bytes.HasPrefix(line, []byte(">")) && bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
		return line[:1]
	}
	return nil
}

func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if line == nil && err != bufio.ErrBufferFull {
			return part, err
		}
		if len(line) < maxMessage {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
