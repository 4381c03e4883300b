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

const idleCheckInterval = time.Second

func freeIdleMemory(ctx context.Context) error {
	var r idleDetector
	return runEvery(ctx, idleCheckInterval, func() {
		if r.shouldFree(readMetric("/gc/heap/allocs:bytes")) {
			debug.FreeOSMemory()
		}
	})
}

// adjustGC sets the GC percentage after each collection, until the context ends, so that about garbageRoom bytes of
// garbage may gather (https://go.dev/doc/gc-guide). If the environment sets GOGC, adjustGC does nothing.
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
		// The cleanup of this unreachable value runs after the next collection.
		runtime.AddCleanup(new(*byte), func(c chan<- struct{}) { c <- struct{}{} }, collected)
		select {
		case <-ctx.Done():
			return nil
		case <-collected:
		}
	}
}

// readMetric reads a metric of the Go runtime. It returns 0 if the runtime lacks the metric.
func readMetric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

const (
	// maxIdleAllocation is the maximum number of bytes that an idle daemon allocates between two checks, for its ticks.
	maxIdleAllocation = 512 << 10
	minIdleChecks     = 2
	// minAllocatedToFree is the number of bytes that must be allocated before memory is returned to the system again. By
	// default, the runtime does not collect garbage in a heap smaller than this.
	minAllocatedToFree = 4 << 20
)

// idleDetector decides when to return memory to the system. Under load the heap grows to a multiple of the live bytes
// (see gcPercent). When letters stop, the runtime collects only after two minutes and keeps memory that it might need
// again. Most daemons are idle nearly always and would keep that memory.
type idleDetector struct {
	// lastAllocated is the number of bytes allocated from the start to the last check. allocatedAtFree is the number
	// allocated from the start to the last time that memory was returned.
	lastAllocated, allocatedAtFree uint64
	idleChecks                     int
}

// shouldFree takes the number of bytes allocated since the start, and reports whether memory should be returned now.
func (d *idleDetector) shouldFree(allocated uint64) bool {
	isBusy := allocated-d.lastAllocated > maxIdleAllocation
	d.lastAllocated = allocated
	if isBusy {
		d.idleChecks = 0
		return false
	}
	d.idleChecks++
	if d.idleChecks < minIdleChecks || allocated-d.allocatedAtFree < minAllocatedToFree {
		return false
	}
	d.allocatedAtFree = allocated
	return true
}

const (
	// garbageRoom is how many bytes of garbage may gather before a collection. A collection costs time for
	// the live bytes, not for the garbage, so a collection of more garbage is cheaper per byte: with a seventh of this
	// room a letter takes a sixth more processor time.
	garbageRoom                = 36 << 20
	minGCPercent, maxGCPercent = 200, 900
)

// gcPercent is the present GC percentage, as for debug.SetGCPercent.
type gcPercent int

// update computes the percentage from the live bytes after a collection. It changes the percentage, and returns true,
// only for a difference of an eighth or more. For example, 9 MiB of live bytes lead to 400 percent.
func (g *gcPercent) update(liveBytes uint64) bool {
	percent := gcPercent(maxGCPercent)
	if liveBytes > 0 {
		percent = gcPercent(min(max(100*garbageRoom/liveBytes, minGCPercent), maxGCPercent))
	}
	if d := percent - *g; -*g < 8*d && 8*d < *g {
		return false
	}
	*g = percent
	return true
}

// memoryLimit is the soft memory limit in bytes. Beyond it, garbage is collected sooner.
const memoryLimit = 160 << 20

// TuneRuntime tunes the Go runtime for a process that serves. It keeps settings from GOGC, GOMAXPROCS and GOMEMLIMIT.
// GOMAXPROCS is the number of cores plus one, because a goroutine that runs C code of SQLite blocks its processor.
var TuneRuntime = sync.OnceFunc(func() {
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
	// MinFree is the number of free bytes below which the disk is low.
	MinFree = 100 << 20
	// minHours is the number of hours that the free bytes should last at the present rate.
	minHours       = 24
	sampleInterval = time.Hour
	maxSamples     = 25
)

// Disk is the free space of the disk with the data directory.
type Disk struct {
	Free uint64
	// HoursLeft is how long the free bytes last at the rate of the last day; +Inf if the free space does not shrink or has
	// been sampled for less than an hour.
	HoursLeft float64
}

// IsLow reports whether the disk will soon be full.
func (d Disk) IsLow() bool { return d.Free < MinFree || d.HoursLeft < minHours }

// String returns e.g. "812 MB are free, enough for 5 hours at the rate of the last day".
func (d Disk) String() string {
	text := fmt.Sprintf("%d GB are free", d.Free>>30)
	if d.Free < 10<<30 {
		text = fmt.Sprintf("%d MB are free", d.Free>>20)
	}
	if !math.IsInf(d.HoursLeft, 1) {
		text += fmt.Sprintf(", enough for %.0f hours at the rate of the last day", d.HoursLeft)
	}
	return text
}

// MeasureDisk measures the free space of the disk with a data directory.
func MeasureDisk(dir string, now time.Time) (Disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return Disk{}, fmt.Errorf("measure the free space of %s: %w", dir, err)
	}
	d := Disk{Free: uint64(s.Bavail) * uint64(s.Bsize)}
	samples, err := readSamples(dir)
	d.HoursLeft = hoursLeft(samples, now, d.Free)
	return d, err
}

type sample struct {
	at   time.Time
	free uint64
}

// hoursLeft returns how many hours the free bytes last at the average rate since the oldest sample of the last day.
func hoursLeft(samples []sample, now time.Time, free uint64) float64 {
	for _, s := range samples {
		elapsed := now.Sub(s.at)
		if elapsed > maxSamples*sampleInterval || elapsed < sampleInterval {
			continue
		}
		if s.free <= free {
			break
		}
		return elapsed.Hours() * float64(free) / float64(s.free-free)
	}
	return math.Inf(1)
}

// samplesFile returns the path of the file with a line for each sample, oldest first: Unix time and free bytes,
// e.g. "1764183600 851443712".
func samplesFile(dir string) string { return filepath.Join(dir, "disk-free") }

func readSamples(dir string) (out []sample, err error) {
	text, err := os.ReadFile(samplesFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the samples of the free space: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		var at int64
		var free uint64
		if _, err := fmt.Sscan(line, &at, &free); err == nil { // A line that a full disk truncated is skipped.
			out = append(out, sample{time.Unix(at, 0), free})
		}
	}
	return out, nil
}

// recordSample adds a sample, at most once an hour.
func recordSample(dir string, now time.Time, free uint64) error {
	samples, err := readSamples(dir)
	if n := len(samples); err != nil || n > 0 && now.Sub(samples[n-1].at).Abs() < sampleInterval {
		return err
	}
	samples = append(samples, sample{now, free})
	text := ""
	for _, s := range samples[max(0, len(samples)-maxSamples):] {
		if !s.at.After(now) { // Later samples are from before the clock was set back.
			text += fmt.Sprintln(s.at.Unix(), s.free)
		}
	}
	if err := os.WriteFile(samplesFile(dir), []byte(text), 0o600); err != nil {
		return fmt.Errorf("record the free space: %w", err)
	}
	return nil
}
