package history

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
)

// stampStart begins the line of a page that says what it was made of.
const stampStart = `<meta name="generator" content="samizdat `

// stamp is that line: the program that made the page, and the newest hash of what it tells.
func stamp(build, head string) string {
	return stampStart + html.EscapeString(build+" "+head) + `">`
}

// reach is how many bytes of a page have its stamp.
const reach = 512

// Current reports whether the page at path was made by a build of a history with the newest
// hash. Ours is whether it is a page of a history at all.
func Current(path, build, head string) (current, ours bool, err error) {
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
