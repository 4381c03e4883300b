package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"syscall"
	"time"
)

// idleCheckInterval is how often the daemon asks itself whether it rests.
const idleCheckInterval = time.Second

// freeIdleMemory gives memory back whenever nothing is done, until the context ends.
func freeIdleMemory(ctx context.Context) error {
	var r idleDetector
	return every(ctx, idleCheckInterval, func() {
		if r.shouldFree(readMetric("/gc/heap/allocs:bytes")) {
			debug.FreeOSMemory()
		}
	})
}

// adjustGC keeps the room for garbage what it is, until the context ends: it looks whenever garbage
// was collected. Where the process's environment says how much there may be, that holds.
func adjustGC(ctx context.Context) error {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	collected := make(chan struct{}, 1)
	var g gcPercent
	for {
		if g.update(readMetric("/gc/heap/live:bytes")) {
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

// readMetric is a figure of the runtime, or 0 where it has none of that name.
func readMetric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

const (
	// maxIdleAllocation is how many bytes a daemon may ask for between two looks and still rest: its ticks need some.
	maxIdleAllocation = 512 << 10
	// minIdleChecks is in how many looks after each other it must rest before memory is given back.
	minIdleChecks = 2
	// minAllocatedToFree is how many bytes must have been asked for since memory was last given back. A runtime
	// that nobody tuned collects garbage as often.
	minAllocatedToFree = 4 << 20
)

// idleDetector decides when a daemon gives memory back. While letters come, garbage gathers to a multiple
// of what is in use (see garbage), and nothing takes it away when they stop: the runtime collects next in two minutes,
// and even then keeps what it might need. A daemon that waits for letters, as most do nearly
// always, would hold on to it.
type idleDetector struct {
	// lastAllocated is how much had been asked for at the last look, given when memory was last given back.
	lastAllocated, allocatedAtFree uint64
	// idleChecks counts the looks at which it rested.
	idleChecks int
}

// shouldFree is told how many bytes were ever asked for, and says whether memory should be given back.
func (r *idleDetector) shouldFree(allocated uint64) bool {
	busy := allocated-r.lastAllocated > maxIdleAllocation
	r.lastAllocated = allocated
	if busy {
		r.idleChecks = 0
		return false
	}
	r.idleChecks++
	if r.idleChecks < minIdleChecks || allocated-r.allocatedAtFree < minAllocatedToFree {
		return false
	}
	r.allocatedAtFree = allocated
	return true
}

const (
	// garbageRoom is how many bytes of garbage may gather before it is collected. What that costs
	// depends on what is in use, which is little, and not on the garbage: with a seventh of it a letter
	// takes a sixth more of the processor.
	garbageRoom = 36 << 20
	// minGCPercent is how much there may be at least, and mostGarbage at most, in percent of what is in use.
	minGCPercent, maxGCPercent = 200, 900
)

// gcPercent is how much garbage there may be now, in percent of what is in use.
type gcPercent int

// update is told how many bytes were in use when garbage was last collected, and says whether the
// share has changed by so much that the runtime should know.
func (g *gcPercent) update(inUse uint64) bool {
	share := gcPercent(maxGCPercent)
	if inUse > 0 {
		share = gcPercent(min(max(100*garbageRoom/inUse, minGCPercent), maxGCPercent))
	}
	if d := share - *g; -*g < 8*d && 8*d < *g {
		return false
	}
	*g = share
	return true
}

// memoryLimit is with how much memory garbage is collected sooner.
const memoryLimit = 160 << 20

// Tune sets the runtime for a process which serves, unless its environment says otherwise. It
// gets a processor more than there are cores: a goroutine that is in SQLite, which is C, keeps its
// processor until that is taken from it, and others wait meanwhile.
var Tune = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(maxGCPercent)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
})

const (
	// MinFree is the free space below which a daemon may stop within days.
	MinFree = 100 << 20
	// minHours is how long the free space should last at the present rate.
	minHours = 24
	// sampleInterval is how often the free space is noted, and mostSamples how many notes are kept.
	sampleInterval = time.Hour
	maxSamples     = 25
)

// Disk is the room on the disk of the data directory.
type Disk struct {
	// Free is how many bytes are free.
	Free uint64
	// Hours is how long they last at the rate of the last day; infinite where the room does not shrink,
	// or nobody has watched it for an hour.
	Hours float64
}

// Low reports whether the room ends soon.
func (d Disk) Low() bool { return d.Free < MinFree || d.Hours < minHours }

// String says how much there is.
func (d Disk) String() string {
	text := fmt.Sprintf("%d GB are free", d.Free>>30)
	if d.Free < 10<<30 {
		text = fmt.Sprintf("%d MB are free", d.Free>>20)
	}
	if !math.IsInf(d.Hours, 1) {
		text += fmt.Sprintf(", enough for %.0f hours at the rate of the last day", d.Hours)
	}
	return text
}

// MeasureDisk measures the room on the disk of a data directory.
func MeasureDisk(dir string, now time.Time) (Disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return Disk{}, fmt.Errorf("look at the free space of %s: %w", dir, err)
	}
	d := Disk{Free: uint64(s.Bavail) * uint64(s.Bsize)}
	samples, err := readSamples(dir)
	d.Hours = hoursLeft(samples, now, d.Free)
	return d, err
}

// sample is how much was free at a time.
type sample struct {
	at   time.Time
	free uint64
}

// hoursLeft is for how long some free space lasts at the rate since the oldest sample, of a day at most.
func hoursLeft(samples []sample, now time.Time, free uint64) float64 {
	for _, s := range samples {
		passed := now.Sub(s.at)
		if passed > maxSamples*sampleInterval || passed < sampleInterval {
			continue
		}
		if s.free <= free {
			break
		}
		return passed.Hours() * float64(free) / float64(s.free-free)
	}
	return math.Inf(1)
}

// samplesFile has a line for each sample, oldest first: seconds since 1970, and bytes.
func samplesFile(dir string) string { return filepath.Join(dir, "disk-free") }

func readSamples(dir string) (out []sample, err error) {
	text, err := os.ReadFile(samplesFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read how the free space was: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		var at int64
		var free uint64
		if _, err := fmt.Sscan(line, &at, &free); err == nil { // A line that was cut off by a full disk is passed over.
			out = append(out, sample{time.Unix(at, 0), free})
		}
	}
	return out, nil
}

// recordSample adds a sample every hour.
func recordSample(dir string, now time.Time, free uint64) error {
	samples, err := readSamples(dir)
	if n := len(samples); err != nil || n > 0 && now.Sub(samples[n-1].at).Abs() < sampleInterval {
		return err
	}
	samples = append(samples, sample{now, free})
	text := ""
	for _, s := range samples[max(0, len(samples)-maxSamples):] {
		if !s.at.After(now) { // The clock was set back.
			text += fmt.Sprintln(s.at.Unix(), s.free)
		}
	}
	if err := os.WriteFile(samplesFile(dir), []byte(text), 0o600); err != nil {
		return fmt.Errorf("note how much of the disk is free: %w", err)
	}
	return nil
}
