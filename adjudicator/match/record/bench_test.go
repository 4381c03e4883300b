package record_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/recordtest"
	"samizdat/rules/dawn1989"
)

// whole is a match of 1989 from the first deal to its end, as its file holds it.
func whole(t testing.TB) []byte {
	t.Helper()
	return recordtest.Unpacked(t, filepath.Join("..", "..", "..", "testdata", "records", "1989-rules2-random-107.jsonl.gz"))
}

// BenchmarkVerify checks a whole match in every way, from the bytes of its file, and says
// how long that takes for each entry.
func BenchmarkVerify(b *testing.B) {
	data := whole(b)
	entries := 0
	for b.Loop() {
		rec, err := record.Read(bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		entries = len(rec.Steps)
		final, err := record.Replay(rec, dawn1989.Game(), nil)
		if err = errors.Join(err, record.VerifyStream(rec)); err != nil || final.EntryCount != entries {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entries), "ns/entry")
}

// BenchmarkRead reads the record of a whole match, BenchmarkReplay plays it with nothing that proves
// it, as the letters that tell what has happened do.
func BenchmarkRead(b *testing.B) {
	data := whole(b)
	for b.Loop() {
		if _, err := record.Read(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	rec, err := record.Read(bytes.NewReader(whole(b)))
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range rec.Entries() {
		e.Hash, e.State = "", ""
	}
	for b.Loop() {
		if _, err := record.Replay(rec, dawn1989.Game(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
