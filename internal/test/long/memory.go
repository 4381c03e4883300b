package long

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// Tests come to an end soon, and memory is there: to collect garbage as often as the program
// does takes them a tenth of their time, and the programs that they start a fifth. What is
// measured is measured as the program runs.
func init() {
	measures := slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-test.bench") || a == "-slow" })
	if os.Getenv("GOGC") == "" && !measures {
		debug.SetGCPercent(400)
		_ = os.Setenv("GOGC", "400") // It fails for odd names only.
	}
}
