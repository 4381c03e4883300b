package daemon

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

// build names this program by the source that it was built from, or by its own bytes where
// that is not known, so that a position stored by another one is checked against its
// history first.
var build = sync.OnceValue(func() string {
	if revision := sourceRevision(); revision != "" {
		return revision
	}
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	name, err := linkedAs(path)
	if err != nil || len(name) == 0 {
		name, err = hashOf(path)
	}
	if err != nil {
		return ""
	}
	return fmt.Sprintf("program-%.20x", sha256.Sum256(name))
})

// sourceRevision is the revision of the source; empty where it is not known, or has changes
// that are in none.
func sourceRevision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	if revision == "" || modified == "true" {
		return ""
	}
	return revision
}

// linkedAs is what Go has written into a program when it was linked, a hash of its bytes
// among it: to read that takes a hundredth of the time in which they are hashed again, which
// every short command would wait for. Nothing stands there in programs linked without it.
func linkedAs(path string) (id []byte, err error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err // Other systems have other files.
	}
	defer func() { _ = f.Close() }() // nothing was written
	note := f.Section(".note.go.buildid")
	if note == nil {
		return nil, nil
	}
	data, err := note.Data()
	// Behind lengths, kind and owner.
	const head = 16
	if err != nil || len(data) < head {
		return nil, err
	}
	return bytes.TrimRight(data[head:], "\x00"), nil
}

// hashOf is the SHA-256 of a file.
func hashOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}
