package long

import (
	"flag"
	"os"
	"strconv"
)

// Waiting sets the number of parallel tests in a package whose tests mostly wait for mail servers
// and processes. Call it before flag.Parse, so that the flag -parallel still applies.
func Waiting(n int) {
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// Checks sets the number of examples that rapid tries in an ordinary run. Long runs use rapid's
// default of 100. Call it before flag.Parse.
func Checks(n int) {
	if Run {
		return
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// InMemory moves the temporary files of a package's tests to /dev/shm, if possible, and returns a
// function that deletes them. A killed process leaves the same files there as on a disk. Long runs
// use the disk.
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
