package storage

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// BenchmarkDue is what a wake costs while 10,000 letters wait.
func BenchmarkDue(b *testing.B) {
	db := open(b, b.TempDir())
	box := db.Outbox("r@x.test")
	must(b, db.write(b.Context(), func(ctx context.Context, tx *transaction) (err error) {
		for i := range 10_000 {
			err = errors.Join(err, enqueueIn(ctx, tx, fmt.Sprintf("m%d/%d", i/4, i%2), "a letter", noon))
		}
		return err
	}))
	for b.Loop() {
		if due, err := box.Due(b.Context(), noon, 64); err != nil || len(due) != 64 {
			b.Fatalf("%d letters are due: %v", len(due), err)
		}
	}
}
