package record_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/match/record"
)

func TestPlayWriteReadReplayVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := newMatch(t)
		m.play(func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "pick") })
		file := isCanonical(t, m.rec)
		rec := read(t, file)
		if again := isCanonical(t, rec); !bytes.Equal(again, file) {
			rt.Fatalf("read and written again:\n%s", cmp.Diff(string(again), string(file)))
		}
		var visits int
		final, err := record.Replay(rec, game, func(record.Visit) error { visits++; return nil })
		if err != nil {
			rt.Fatal(err)
		}
		if final.Stalled || final.EntryCount != visits || visits != len(rec.Entries()) {
			rt.Fatalf("%d entries, %d visits of %d, stalled %t", final.EntryCount, visits, len(rec.Entries()), final.Stalled)
		}
		got, _ := final.Position.MarshalJSON()
		want, _ := m.pos.MarshalJSON()
		if !bytes.Equal(got, want) {
			rt.Fatal(cmp.Diff(string(got), string(want)))
		}
		if err := record.VerifyChain(rec); err != nil {
			rt.Fatal(err)
		}
		if err := record.VerifyStream(rec); err != nil {
			rt.Fatal(err)
		}
		public := read(t, isCanonical(t, rec.Public()))
		if err := record.VerifyChain(public); err != nil {
			rt.Fatalf("public form: %v", err)
		}
		if _, err := record.Replay(public, game, nil); err == nil {
			rt.Fatal("the public form of a record was played again, hidden deal included")
		}
	})
}
