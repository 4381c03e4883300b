package daemon

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

// TestGarbage: the room for garbage stays as it is, however much is in use, and the runtime is told
// when it would not.
func TestGarbage(t *testing.T) {
	const mb = 1 << 20
	var g gcPercent
	for _, look := range []struct {
		inUse uint64
		told  bool
		share gcPercent
	}{
		{0, true, 900},
		{4 * mb, false, 900},
		{8 * mb, true, 450},
		{8*mb + mb/2, false, 450},
		{7*mb + mb/2, false, 450},
		{12 * mb, true, 300},
		{100 * mb, true, 200},
		{1000 * mb, false, 200},
		{6 * mb, true, 600},
	} {
		if wasNotified := g.update(look.inUse); wasNotified != look.told || g != look.share {
			t.Errorf("with %d kB in use: told %t, %d %%, want %t, %d %%", look.inUse>>10, wasNotified, g, look.told, look.share)
		}
	}
}

// TestKeepRoom: the runtime is told how much garbage there may be when more is in use, and when less is.
// It runs alone, since it measures.
func TestKeepRoom(t *testing.T) {
	t.Setenv("GOGC", "")
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- adjustGC(ctx) }()
	becomes := func(what string, least, most uint64) {
		t.Helper()
		for range 1000 {
			if is := readMetric("/gc/gogc:percent"); least <= is && is <= most {
				return
			}
			runtime.GC()
		}
		t.Errorf("%s: %d %% of what is in use, want %d to %d", what, readMetric("/gc/gogc:percent"), least, most)
	}
	becomes("little in use", 201, maxGCPercent)
	much := make([]byte, 64<<20)
	becomes("much in use", minGCPercent, minGCPercent)
	runtime.KeepAlive(much)
	becomes("little in use again", 201, maxGCPercent)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRest: memory is given back once after work, and not between letters nor for ticks.
func TestRest(t *testing.T) {
	const tick, letter = 20 << 10, 2 << 20
	var r idleDetector
	allocated := uint64(0)
	given := func(asked ...uint64) (n int) {
		for _, a := range asked {
			allocated += a
			if r.shouldFree(allocated) {
				n++
			}
		}
		return n
	}
	if n := given(3<<20, tick, tick, tick, tick); n != 0 {
		t.Errorf("a start that needs little gives memory back %d times", n)
	}
	if n := given(letter, tick, letter, tick, letter, tick, letter); n != 0 {
		t.Errorf("gives memory back %d times while letters come", n)
	}
	if n := given(tick); n != 0 {
		t.Errorf("gives memory back %d times right after a letter", n)
	}
	if n := given(tick); n != 1 {
		t.Errorf("gives memory back %d times when letters stop, want once", n)
	}
	if n := given(tick, tick, tick, tick, letter, tick, tick, tick); n != 0 {
		t.Errorf("gives memory back %d times again for a single letter", n)
	}
	if n := given(letter, tick, tick, tick); n != 1 {
		t.Errorf("gives memory back %d times after more letters, want once", n)
	}
}

// TestRestGivesBack: what was garbage does not stay with the process.
func TestRestGivesBack(t *testing.T) {
	held := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	var garbage [][]byte
	for range 64 {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		garbage = append(garbage, b)
	}
	before := held()
	runtime.KeepAlive(garbage)
	garbage = nil
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- freeIdleMemory(ctx) }()
		time.Sleep(10 * time.Second)
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
	if is := held(); is+60<<20 > before {
		t.Errorf("holds %d MB, and %d MB when 64 MB were in use", is>>20, before>>20)
	}
}
