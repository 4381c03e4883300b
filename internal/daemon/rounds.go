package daemon

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"samizdat/adjudicator/beacon"
)

const (
	roundTimeout = 10 * time.Second
	// maxResponseBytes limits the bytes of an answer; a round needs less than 1 kB.
	maxResponseBytes = 16 << 10
)

// roundFetcher fetches rounds of public beacons from servers with drand's HTTP API (https://drand.love). An answer counts
// only with a valid signature of the beacon. run asks the servers for a wanted round, one after another, until a server
// has it. While no server has the round, the pauses between the tries grow.
type roundFetcher struct {
	urls          []string
	client        *http.Client
	log           *slog.Logger
	wake          chan struct{}
	fetchBackoffs backoffs

	mu         sync.Mutex
	wanted     map[wantedRound]beacon.Chain
	signatures map[wantedRound][]byte
}

// wantedRound identifies a round of a beacon, e.g. {"quicknet", 4711}.
type wantedRound struct {
	chain string
	round int64
}

func (w wantedRound) String() string { return w.chain + " " + strconv.FormatInt(w.round, 10) }

func newRoundFetcher(urls []string, log *slog.Logger) *roundFetcher {
	return &roundFetcher{urls: urls, client: &http.Client{Timeout: roundTimeout}, log: log, wake: make(chan struct{}, 1),
		wanted: map[wantedRound]beacon.Chain{}, signatures: map[wantedRound][]byte{}}
}

// Signature returns the signature of a round. If it is not known yet, Signature queues the round for run and returns false; the
// caller asks again later.
func (r *roundFetcher) Signature(chain beacon.Chain, round int64) (signature []byte, ok bool) {
	w := wantedRound{chain.Name, round}
	r.mu.Lock()
	defer r.mu.Unlock()
	if signature, ok := r.signatures[w]; ok {
		return signature, true
	}
	r.wanted[w] = chain
	signal(r.wake)
	return nil, false
}

// run fetches wanted rounds until the context ends. A round that could not be fetched is tried again when Signature is
// called for it again.
func (r *roundFetcher) run(ctx context.Context) error {
	defer r.client.CloseIdleConnections()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-r.wake:
		}
		r.mu.Lock()
		wanted := maps.Clone(r.wanted)
		clear(r.wanted)
		r.mu.Unlock()
		r.fetchBackoffs.dropFinished(func(name string) bool {
			return slices.ContainsFunc(slices.Collect(maps.Keys(wanted)), func(w wantedRound) bool { return w.String() == name })
		})
		for w, chain := range wanted {
			if r.fetchBackoffs.isWaiting(w.String(), time.Now()) {
				continue
			}
			signature, err := r.fetch(ctx, chain, w.round)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				r.log.Warn("the round of a beacon cannot be fetched", "chain", w.chain, "round", w.round, "error", err, "retry_in",
					r.fetchBackoffs.add(w.String(), time.Now()))
				continue
			}
			r.mu.Lock()
			r.signatures[w] = signature
			r.mu.Unlock()
		}
	}
}

func (r *roundFetcher) fetch(ctx context.Context, chain beacon.Chain, round int64) ([]byte, error) {
	errs := []error{}
	for _, url := range r.urls {
		signature, err := r.fetchFrom(ctx, url, chain, round)
		if err == nil {
			return signature, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", url, err))
	}
	if len(errs) == 0 {
		return nil, errors.New("no beacon server is configured; set \"url\" under \"beacon\" in the configuration")
	}
	return nil, errors.Join(errs...)
}

// fetchFrom asks one server for a round and verifies the signature. For example, GET {url}/{chain hash}/public/4711
// answers {"round":4711,"signature":"b44679b9..."}.
func (r *roundFetcher) fetchFrom(ctx context.Context, url string, chain beacon.Chain, round int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		fmt.Sprintf("%s/%s/public/%d", strings.TrimRight(url, "/"), chain.Hash, round), nil)
	if err != nil {
		return nil, err
	}
	res, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", res.Status)
	}
	var answer struct {
		Round     int64  `json:"round"`
		Signature string `json:"signature"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxResponseBytes)).Decode(&answer); err != nil {
		return nil, fmt.Errorf("read the answer of the server: %w", err)
	}
	if answer.Round != round {
		return nil, fmt.Errorf("expected round %d from the server, got %d", round, answer.Round)
	}
	if err := chain.VerifyHex(round, answer.Signature); err != nil {
		return nil, err
	}
	return hex.DecodeString(answer.Signature)
}
