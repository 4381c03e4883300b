package history

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
)

// stampStart begins the line of a page that names the program build and the newest hash.
const stampStart = `<meta name="generator" content="samizdat `

// stamp returns the stamp of a page. For example: <meta name="generator" content="samizdat v1.2 9f86d081...">.
// IsCurrent compares the stamp, so that unchanged pages are not written again.
func stamp(build, head string) string {
	return stampStart + html.EscapeString(build+" "+head) + `">`
}

// Analysed is the text after the hash in the stamp of a page with an analysis.
const Analysed = " analysed"

// stampReach is the number of bytes at the start of a page that contain its stamp.
const stampReach = 512

// IsCurrent reports whether this build made the page at path from a history with head as its newest hash. isOurs
// reports whether the file is a history page at all; other files must not be overwritten.
func IsCurrent(path, build, head string) (isCurrent, isOurs bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	start := make([]byte, stampReach)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, false, fmt.Errorf("read page stamp: %w", err)
	}
	start = start[:n]
	return bytes.Contains(start, []byte(stamp(build, head))), bytes.Contains(start, []byte(stampStart)), nil
}
