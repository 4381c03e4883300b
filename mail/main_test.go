package mail

import (
	"log/slog"
	"os"
	"testing"

	"go.uber.org/goleak"

	"samizdat/internal/test/long"
)

func TestMain(m *testing.M) {
	long.Waiting(8)
	remove := long.InMemory()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		remove()
		os.Exit(code)
	}))
}

func logTo(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}
