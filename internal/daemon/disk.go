package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// LeastFree is the free space below which a daemon may stop within days.
	LeastFree = 100 << 20
	// leastHours is how long the free space should last at the present rate.
	leastHours = 24
	// sampled is how often the free space is noted, and mostSamples how many notes are kept.
	sampled     = time.Hour
	mostSamples = 25
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
func (d Disk) Low() bool { return d.Free < LeastFree || d.Hours < leastHours }

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

// LookAtDisk measures the room on the disk of a data directory.
func LookAtDisk(dir string, now time.Time) (Disk, error) {
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
		if passed > mostSamples*sampled || passed < sampled {
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

// noteDisk adds a sample every hour.
func noteDisk(dir string, now time.Time, free uint64) error {
	samples, err := readSamples(dir)
	if n := len(samples); err != nil || n > 0 && now.Sub(samples[n-1].at).Abs() < sampled {
		return err
	}
	samples = append(samples, sample{now, free})
	text := ""
	for _, s := range samples[max(0, len(samples)-mostSamples):] {
		if !s.at.After(now) { // The clock was set back.
			text += fmt.Sprintln(s.at.Unix(), s.free)
		}
	}
	if err := os.WriteFile(samplesFile(dir), []byte(text), 0o600); err != nil {
		return fmt.Errorf("note how much of the disk is free: %w", err)
	}
	return nil
}
