package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	retry "github.com/cenkalti/backoff/v5"
	"golang.org/x/sync/errgroup"

	"samizdat/internal/config"
	"samizdat/rules"
	"samizdat/storage"
)

// The pause before a daemon tries again to reach a database server that is away doubles from the first to the most.
const (
	firstAway = 500 * time.Millisecond
	mostAway  = 15 * time.Second
)

// OpenPatiently is Open for a daemon: where the database server cannot be reached it waits until that comes back, as a
// daemon does that serves. Whoever asks how it does is told so meanwhile.
func OpenPatiently(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger) (d *Daemon, err error) {
	d, err = Open(ctx, cfg, games, log)
	if !storage.Away(err) {
		return d, err
	}
	pause := retry.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.Multiplier, pause.RandomizationFactor = firstAway, mostAway, 2, 0.2
	began := time.Now()
	g, ctx := errgroup.WithContext(ctx)
	telling, told := context.WithCancel(ctx)
	g.Go(func() error { return tellAway(telling, cfg.Metrics, log) })
	g.Go(func() error {
		defer told() // The daemon wants the address.
		d, err = retry.Retry(ctx, func() (*Daemon, error) {
			d, err := Open(ctx, cfg, games, log)
			if err != nil && !storage.Away(err) {
				err = retry.Permanent(err)
			}
			return d, err
		}, retry.WithBackOff(pause), retry.WithMaxElapsedTime(0), retry.WithNotify(func(err error, wait time.Duration) {
			log.Warn("waits for the database server", "error", err, "for", time.Since(began).Round(time.Second), "retry_in", wait.Round(time.Millisecond))
		}))
		return err
	})
	if err := g.Wait(); err != nil {
		if d != nil {
			err = errors.Join(err, d.Close())
		}
		return nil, err
	}
	return d, nil
}

// tellAway says at the address of the metrics that the database is away, until the context ends.
func tellAway(ctx context.Context, address string, log *slog.Logger) error {
	if address == "" {
		<-ctx.Done()
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintln(rw, "the database server cannot be reached: the daemon waits for it") // Whoever asked may have gone.
	})
	return serveHTTP(ctx, "metrics", address, &http.Server{Handler: mux, ReadHeaderTimeout: scrapeTime, WriteTimeout: 2 * scrapeTime}, log)
}
