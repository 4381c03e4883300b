package daemon

import (
	"os"
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

// collectSeldom sets that for a process which serves, unless its environment says otherwise.
var collectSeldom = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(mostGarbage)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mostMemory)
	}
})
