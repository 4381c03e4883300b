package daemon

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

const (
	// mostGarbage is how much garbage there may be, in percent of what is in use, before it is
	// collected. With half of it a letter takes up to a tenth more of the processor.
	mostGarbage = 400
	// mostMemory is with how much memory it is collected sooner.
	mostMemory = 160 << 20
)

// Tune sets the runtime for a process which serves, unless its environment says otherwise. It
// gets a processor more than there are cores: a goroutine that is in SQLite, which is C, keeps its
// processor until that is taken from it, and others wait meanwhile.
var Tune = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(mostGarbage)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mostMemory)
	}
})
