package daemon

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// mostMemory is with how much memory garbage is collected sooner.
const mostMemory = 160 << 20

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
