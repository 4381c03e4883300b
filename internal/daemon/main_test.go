package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// games are what the daemons of tests know.
var games = rules.Games{dawn1989.Game()}

func TestMain(m *testing.M) {
	defer long.InMemory()()
	m.Run()
}

// standsStill is why whole daemons by a clock of their own have files: that clock stands still while a server is asked, and
// a daemon on a server listens to it all the time.
const standsStill = "its clock stands still while a server is asked"

// local is a configuration without people, with a directory and a database of its own.
func local(t testing.TB) config.Config {
	t.Helper()
	return housed(t, config.Local(t.TempDir(), nil))
}

// housed lets a configuration have its database where tests have theirs.
func housed(t testing.TB, cfg config.Config) config.Config {
	t.Helper()
	cfg.DatabaseLocation = pgtest.Where(t, cfg.DSN(), cfg.KeyFile(), storage.Open)
	return cfg
}

// TestBuild: a program has a name of its own; where it is an ELF file, what Go has written
// into it is found, with the four parts that it always has.
func TestBuild(t *testing.T) {
	t.Parallel()
	if b := buildID(); !regexp.MustCompile(`^program-[0-9a-f]{40}$|^[0-9a-f]{40}$`).MatchString(b) {
		t.Errorf("the build is %q", b)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if hash, err := hashFile(self); err != nil || len(hash) != 32 {
		t.Errorf("its hash is %x, %v", hash, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if id, err := readBuildID(self); err != nil || bytes.Count(id, []byte("/")) != 3 {
		t.Errorf("it is linked as %q, %v", id, err)
	}
}

// TestEveryErrorHasAHint: no error stands in the log without a word of what to do about it.
func TestEveryErrorHasAHint(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []any
		want string
	}{
		{nil, `hint="this is a fault of the program`},
		{[]any{"error", errors.New("odd")}, `hint="if the error occurs again`},
		{[]any{"hint", "", "error", errors.New("odd")}, `hint="if the error occurs again`},
		{[]any{"hint", "buy another", "error", errors.New("odd")}, `hint="buy another" error=odd`},
		{[]any{"error", fmt.Errorf("write: %w", &fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.ENOSPC})}, `hint="the disk is full: make room"`},
		{[]any{"error", fmt.Errorf("commit: database or disk is full")}, `hint="the disk is full: make room"`},
		{[]any{"error", &fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.EACCES}}, `hint="check whether /srv/x can be used`},
		{[]any{"error", fmt.Errorf("letter: %w", &adjudicator.PanicError{Value: 1})}, `hint="this is a fault of the program`},
		{[]any{"error", storage.ErrDamaged}, `hint="restore a backup`},
	} {
		var out bytes.Buffer
		NewLog(&out, slog.LevelInfo).Error("it failed", tt.args...)
		if got := out.String(); !strings.Contains(got, tt.want) || strings.Count(got, "hint=") != 1 {
			t.Errorf("%v: %s, want %s", tt.args, got, tt.want)
		}
	}
	var out bytes.Buffer
	log := NewLog(&out, slog.LevelInfo)
	log.Warn("it may end by itself", "hint", "")
	log.Info("no", "hint", "")
	if got := out.String(); strings.Contains(got, `level=WARN msg="it may end by itself" hint`) {
		t.Error(got)
	}
}
