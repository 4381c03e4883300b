package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Table is what was measured.
type Table struct {
	Rows []Row `json:"rows"`
}

// Row is one thing that was measured, with its value in each run.
type Row struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Values []float64 `json:"values"`
}

// note adds a value to the row of its name.
func (t *Table) note(name, unit string, value float64) {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Name == name && r.Unit == unit })
	if i < 0 {
		i = len(t.Rows)
		t.Rows = append(t.Rows, Row{Name: name, Unit: unit})
	}
	t.Rows[i].Values = append(t.Rows[i].Values, value)
}

// spread is the least, the middle and the greatest of a row's values.
func (r Row) spread() (least, median, most float64) {
	v := slices.Sorted(slices.Values(r.Values))
	if len(v) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	n := len(v)
	return v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]
}

// Write writes the table as docs/speed.md has it.
func (t Table) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| | unit | minimum | median | maximum |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range t.Rows {
		least, median, most := r.spread()
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Name, r.Unit, rounded(least), rounded(median), rounded(most))
	}
	fmt.Fprintf(&b, "\n%s\n", machine())
	_, err := io.WriteString(w, b.String())
	return err
}

// rounded writes a number with three figures that mean something.
func rounded(v float64) string {
	switch abs := math.Abs(v); {
	case abs >= 1000:
		return thousands(int64(math.Round(v)))
	case abs >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case abs >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// WriteJSON writes the table for programs.
func (t Table) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(struct {
		Machine string `json:"machine"`
		Table
	}{machine(), t})
}

// machine says what was measured on, and which program.
func machine() string {
	revision := "unknown source"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value[:min(10, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("%d cores, %s/%s, %s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), revision)
}

// took notes how long something takes each of n times: by the clock, and of the processor
// alone, which other programs disturb less.
func (b *bench) took(name, unit string, n int, do func() error) error {
	scale := map[string]float64{"us": 1e6, "ms": 1e3, "s": 1}[unit] / float64(n)
	began, used := time.Now(), processor()
	if err := do(); err != nil {
		return err
	}
	busy, passed := processor()-used, time.Since(began)
	b.table.note(name, unit, passed.Seconds()*scale)
	b.table.note(name+", of the processor", unit, busy.Seconds()*scale)
	return nil
}

// processor is how much of the processor this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
