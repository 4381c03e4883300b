package daemon

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// restLook is how often the daemon asks itself whether it rests.
const restLook = time.Second

// giveBack gives memory back whenever nothing is done, until the context ends.
func giveBack(ctx context.Context) error {
	var r rest
	t := time.NewTicker(restLook)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if r.rests(measured("/gc/heap/allocs:bytes")) {
				debug.FreeOSMemory()
			}
		}
	}
}

// keepRoom keeps the room for garbage what it is, until the context ends: it looks whenever garbage
// was collected. Where the process's environment says how much there may be, that holds.
func keepRoom(ctx context.Context) error {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	collected := make(chan struct{}, 1)
	var g garbage
	for {
		if g.changes(measured("/gc/heap/live:bytes")) {
			debug.SetGCPercent(int(g))
		}
		runtime.AddCleanup(new(*byte), func(c chan<- struct{}) { c <- struct{}{} }, collected)
		select {
		case <-ctx.Done():
			return nil
		case <-collected:
		}
	}
}

// measured is a figure of the runtime, or 0 where it has none of that name.
func measured(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
