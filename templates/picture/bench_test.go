//go:build unix

package picture

import (
	"syscall"
	"testing"
	"time"
)

// perPicture reports the processor's time a picture, which other programs disturb less than
// the clock's.
func perPicture(b *testing.B, do func(n int)) {
	b.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before, n := used(), 0
	for b.Loop() {
		do(n)
		n++
	}
	b.ReportMetric(float64((used()-before).Microseconds())/1000/float64(n), "cpu-ms/op")
}

// BenchmarkLetterPNG draws the pictures of consecutive moves for letters.
func BenchmarkLetterPNG(b *testing.B) {
	var size int
	var t Painter
	perPicture(b, func(n int) {
		data, err := t.LetterPNG(board(n))
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	})
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkPack writes and reads the shapes of a picture.
func BenchmarkPack(b *testing.B) {
	p, size := board(1), 0
	perPicture(b, func(int) {
		data := p.Pack()
		if _, err := Unpack(data); err != nil {
			b.Fatal(err)
		}
		size = len(data)
	})
	b.ReportMetric(float64(size), "bytes")
}
