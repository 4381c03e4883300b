package lazyregexp_test

import (
	"testing"

	"samizdat/internal/lazyregexp"
)

func TestFirstUse(t *testing.T) {
	t.Parallel()
	if !lazyregexp.New(`^a+$`).MatchString("aaa") {
		t.Error("^a+$ does not match aaa")
	}
	wrong := lazyregexp.New(`(`) // Nothing is compiled yet.
	defer func() {
		if recover() == nil {
			t.Error("an expression that is none matches")
		}
	}()
	wrong.MatchString("")
}
