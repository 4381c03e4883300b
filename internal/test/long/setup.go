package long

import (
	"flag"
	"os"
	"strconv"
)

// Waiting lets so many tests of a package run at once: those that wait for mail servers and
// for processes take no core meanwhile. It is called before the flags are read, which
// may name another number.
func Waiting(n int) {
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// Checks lets a property hold for so many examples in an ordinary run, for rapid's hundred in a
// long one. It is called before the flags are read, which may name another number.
func Checks(n int) {
	if Run {
		return
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// InMemory puts the temporary files of a package's tests into memory, where the machine
// has a place for that, and returns what takes them away. A killed process leaves the
// same there as on a disk. Long runs use the disk.
func InMemory() (remove func()) {
	if Run {
		return func() {}
	}
	dir, err := os.MkdirTemp("/dev/shm", "samizdat")
	if err != nil {
		return func() {}
	}
	if err := os.Setenv("TMPDIR", dir); err != nil {
		panic(err)
	}
	return func() { _ = os.RemoveAll(dir) }
}
