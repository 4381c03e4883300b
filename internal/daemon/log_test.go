package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	"samizdat/adjudicator"
	"samizdat/storage"
)

// TestEveryErrorHasAHint: no error stands in the log without a word of what to do about it.
func TestEveryErrorHasAHint(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []any
		want string
	}{
		{nil, `hint="this is a fault of the program`},
		{[]any{"error", errors.New("odd")}, `hint="if it comes again`},
		{[]any{"hint", "", "error", errors.New("odd")}, `hint="if it comes again`},
		{[]any{"hint", "buy another", "error", errors.New("odd")}, `hint="buy another" error=odd`},
		{[]any{"error", fmt.Errorf("write: %w", &fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.ENOSPC})}, `hint="the disk is full: make room"`},
		{[]any{"error", fmt.Errorf("commit: database or disk is full")}, `hint="the disk is full: make room"`},
		{[]any{"error", &fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.EACCES}}, `hint="look whether /srv/x can be used`},
		{[]any{"error", fmt.Errorf("letter: %w", &adjudicator.Panic{Value: 1})}, `hint="this is a fault of the program`},
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
