package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// tries is how often something is adjudicated anew when its match moves on
// meanwhile.
const tries = 10

// anew does something to a match, and does it anew when the match has moved on
// meanwhile. What names it for the log.
func (a *Adjudicator) anew(ctx context.Context, what string, f func() error) error {
	for range tries {
		if err := a.guarded(ctx, what, f); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("%w %d times", ErrConflict, tries)
}

// guarded makes an error of a panic: one broken match must not end the daemon, and
// with it all the others.
func (a *Adjudicator) guarded(ctx context.Context, what string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			a.Log.ErrorContext(ctx, "panic", "in", what, "value", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}
