package daemon

import (
	"bytes"
	"os"
	"regexp"
	"runtime"
	"testing"
)

// TestBuild: a program has a name of its own; where it is an ELF file, what Go has written
// into it is found, with the four parts that it always has.
func TestBuild(t *testing.T) {
	t.Parallel()
	if b := build(); !regexp.MustCompile(`^program-[0-9a-f]{40}$|^[0-9a-f]{40}$`).MatchString(b) {
		t.Errorf("the build is %q", b)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if hash, err := hashOf(self); err != nil || len(hash) != 32 {
		t.Errorf("its hash is %x, %v", hash, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if id, err := linkedAs(self); err != nil || bytes.Count(id, []byte("/")) != 3 {
		t.Errorf("it is linked as %q, %v", id, err)
	}
}
