package daemon

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestKeepRoom: the runtime is told how much garbage there may be when more is in use, and when less is.
// It runs alone, since it measures.
func TestKeepRoom(t *testing.T) {
	t.Setenv("GOGC", "")
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- keepRoom(ctx) }()
	becomes := func(what string, least, most uint64) {
		t.Helper()
		for range 1000 {
			if is := measured("/gc/gogc:percent"); least <= is && is <= most {
				return
			}
			runtime.GC()
		}
		t.Errorf("%s: %d %% of what is in use, want %d to %d", what, measured("/gc/gogc:percent"), least, most)
	}
	becomes("little in use", 201, mostGarbage)
	much := make([]byte, 64<<20)
	becomes("much in use", leastGarbage, leastGarbage)
	runtime.KeepAlive(much)
	becomes("little in use again", 201, mostGarbage)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
