package adjudicator

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/match"
)

// TestRetryInRetry: what is tried again inside of something that is tried again logs a panic
// once, and is not tried any oftener.
func TestRetryInRetry(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	a := &Adjudicator{Config: Config{ReplyConfig: conversation.ReplyConfig{Log: slog.New(slog.NewTextHandler(&log, nil))}}}
	nested := func(f func() error) error {
		return a.retryOnConflict(t.Context(), "letter 1", func() error { return a.retryOnConflict(t.Context(), "match m", f) })
	}
	err := nested(func() error { panic("boo") })
	if p := (*PanicError)(nil); !errors.As(err, &p) || strings.Count(log.String(), "msg=panic") != 1 || !strings.Contains(log.String(), "match m") {
		t.Errorf("%v is logged as\n%s", err, log.String())
	}
	n := 0
	err = nested(func() error { n++; return match.ErrConflict })
	if !errors.Is(err, match.ErrConflict) || n != maxAttempts {
		t.Errorf("tried %d times: %v", n, err)
	}
	n = 0
	if err := nested(func() error {
		if n++; n < 3 {
			return match.ErrConflict
		}
		return nil
	}); err != nil || n != 3 {
		t.Errorf("tried %d times: %v", n, err)
	}
}
