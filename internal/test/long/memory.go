package long

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// Tests collect garbage less often (GOGC=400), which saves a tenth of their time, and a fifth of the
// time of programs that they start. Benchmarks keep the default.
func init() {
	measures := slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-test.bench") || a == "-slow" })
	if os.Getenv("GOGC") == "" && !measures {
		debug.SetGCPercent(400)
		_ = os.Setenv("GOGC", "400") // It fails for invalid names only.
	}
}
