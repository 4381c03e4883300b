//go:build long && linux

package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// table is what was measured.
type table struct {
	Rows []row `json:"rows"`
}

// row is one thing that was measured, with its value in each run.
type row struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Values []float64 `json:"values"`
}

// note adds a value to the row of its name.
func (t *table) note(name, unit string, value float64) {
	i := slices.IndexFunc(t.Rows, func(r row) bool { return r.Name == name && r.Unit == unit })
	if i < 0 {
		i = len(t.Rows)
		t.Rows = append(t.Rows, row{Name: name, Unit: unit})
	}
	t.Rows[i].Values = append(t.Rows[i].Values, value)
}

// took notes how long something takes each of n times: by the clock, and of the processor
// alone, which other programs disturb less.
func (t *table) took(name, unit string, n int, do func() error) error {
	scale := map[string]float64{"us": 1e6, "ms": 1e3}[unit] / float64(n)
	began, used := time.Now(), processor()
	if err := do(); err != nil {
		return err
	}
	busy, passed := processor()-used, time.Since(began)
	t.note(name, unit, passed.Seconds()*scale)
	t.note(name+", of the processor", unit, busy.Seconds()*scale)
	return nil
}

// processor is how much of the processor this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// inMillis is a time in the unit of most rows.
func inMillis(d time.Duration) float64 { return d.Seconds() * 1000 }

// write writes the table as docs/speed.md has it.
func (t *table) write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| | unit | minimum | median | maximum |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range t.Rows {
		v := slices.Sorted(slices.Values(r.Values))
		n := len(v)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Name, r.Unit, rounded(v[0]), rounded((v[(n-1)/2]+v[n/2])/2), rounded(v[n-1]))
	}
	fmt.Fprintf(&b, "\n%s\n", machine())
	_, err := io.WriteString(w, b.String())
	return err
}

// writeJSON writes the table for programs.
func (t *table) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(map[string]any{"machine": machine(), "rows": t.Rows})
}

// machine says what was measured on, and which source.
func machine() string {
	return fmt.Sprintf("%d cores, %s/%s, %s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), *revision)
}

// rounded writes a number with three figures that mean something.
func rounded(v float64) string {
	switch abs := math.Abs(v); {
	case abs >= 1000:
		return thousands(int(math.Round(v)))
	case abs >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case abs >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// TestTable: a table as a text and as JSON.
func TestTable(t *testing.T) {
	var tab table
	for _, v := range []float64{3, 1234567, 2.346} {
		tab.note("one", "ms", v)
	}
	tab.note("two", "MB", -1234.567)
	var text, data bytes.Buffer
	check(t, errors.Join(tab.write(&text), tab.writeJSON(&data)))
	for _, want := range []string{"| one | ms | 2.35 | 3.00 | 1,234,567 |\n", "| two | MB | -1,235 | -1,235 | -1,235 |\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	var read table
	check(t, json.Unmarshal(data.Bytes(), &read))
	if len(read.Rows) != 2 || !slices.Equal(read.Rows[0].Values, tab.Rows[0].Values) {
		t.Errorf("the JSON has %+v", read)
	}
}
