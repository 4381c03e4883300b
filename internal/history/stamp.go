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

// stamp returns the stamp of a page. For example: <meta name="generator" content="samizdat v1.2
// 9f86d081...">. Current compares it to skip pages that have not changed.
func stamp(build, head string) string {
	return stampStart + html.EscapeString(build+" "+head) + `">`
}

// Analysed follows the hash in the stamp of a page with an analysis.
const Analysed = " analysed"

// reach is the number of bytes at the start of a page that contain its stamp.
const reach = 512

// IsCurrent reports whether this build made the page at path from the history with hash head. ours
// reports whether the file is a history page at all; do not overwrite other files.
func IsCurrent(path, build, head string) (current, isOurs bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	start := make([]byte, reach)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, false, fmt.Errorf("read the head of a page: %w", err)
	}
	start = start[:n]
	return bytes.Contains(start, []byte(stamp(build, head))), bytes.Contains(start, []byte(stampStart)), nil
}
