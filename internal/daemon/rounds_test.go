package daemon

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/beacontest"
	"samizdat/internal/test/pgtest"
)

// published is what a server says of a round.
func published(round int64, signature []byte) string {
	return fmt.Sprintf(`{"round":%d,"randomness":"%s","signature":"%x"}`, round, beacon.Randomness(signature), signature)
}

// TestFetchRound: one server after the other is asked, and none is believed that has not the
// signature of that round.
func TestFetchRound(t *testing.T) {
	t.Parallel()
	chain, sign := beacontest.Chain(t)
	const round = 1989
	good := sign(round)
	servers := map[string]string{
		"good":    published(round, good),
		"other":   published(round+1, sign(round+1)),
		"forged":  published(round, sign(round+1)),
		"named":   published(round, append(bytes.Clone(good[:47]), good[47]^1)),
		"hex":     `{"round":1989,"signature":"zz"}`,
		"upper":   fmt.Sprintf(`{"round":1989,"signature":"%X"}`, good),
		"empty":   ``,
		"page":    `<html>`,
		"list":    `[]`,
		"endless": `{"signature":"` + strings.Repeat("0", 1<<20),
	}
	mux := http.NewServeMux()
	for name, says := range servers {
		mux.HandleFunc(fmt.Sprintf("/%s/%s/public/%d", name, chain.Hash, round), func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, says) })
	}
	mux.HandleFunc("/slow/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(mux)
	defer server.Close()
	for name := range servers {
		r := newRoundFetcher([]string{server.URL + "/" + name}, slog.New(slog.DiscardHandler))
		if got, err := r.fetch(t.Context(), chain, round); (err == nil) != (name == "good") || err == nil && !bytes.Equal(got, good) {
			t.Errorf("%s: %x, %v", name, got, err)
		}
	}
	r := newRoundFetcher([]string{server.URL + "/slow", server.URL + "/nowhere", "http://127.0.0.1:1", server.URL + "/forged", server.URL + "/good/"}, slog.New(slog.DiscardHandler))
	r.client.Timeout = 200 * time.Millisecond
	if got, err := r.fetch(t.Context(), chain, round); err != nil || !bytes.Equal(got, good) {
		t.Errorf("the last server has it: %v", err)
	}
	r.urls = r.urls[:4]
	if _, err := r.fetch(t.Context(), chain, round); err == nil || strings.Count(err.Error(), "\n") != 3 || !strings.Contains(err.Error(), "404 Not Found") {
		t.Errorf("no server has it: %v", err)
	}
	if _, err := newRoundFetcher(nil, nil).fetch(t.Context(), chain, round); err == nil {
		t.Error("a round is there without a server")
	}
}

// network is a beacon's server that can be out of reach; it publishes by the clock.
type network struct {
	chain beacon.Chain
	sign  func(round int64) []byte
	away  atomic.Bool
	asked atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked.Add(1)
	var round int64
	if _, err := fmt.Sscanf(r.URL.Path, "/"+n.chain.Hash+"/public/%d", &round); err != nil || n.away.Load() {
		return nil, errors.New("no route to the beacon")
	}
	if time.Now().Before(n.chain.PublicationTime(round)) {
		return &http.Response{StatusCode: http.StatusTooEarly, Status: "425 Too Early", Body: http.NoBody, Request: r}, nil
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(published(round, n.sign(round)))), Request: r}, nil
}

// TestBeaconDays: a match with a beacon begins by itself when its round is published, or when
// the network is there again, also if the daemon was stopped in between; and once.
func TestBeaconDays(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir := t.TempDir()
	chain, sign := beacontest.Chain(t)
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		h := newDueHouse(t, dir, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})), "democrat", "communist", "dora")
		net := &network{chain: chain, sign: sign}
		h.prepare = func(d *Daemon) { d.Adjudicator.BeaconChain, d.rounds.client.Transport = chain, net }
		h.start()
		m := h.invites(adjudicator.Invitation{Beacon: invitation.BeaconTerms{IsUsed: true}})
		state := func() *match.Match {
			t.Helper()
			now, err := h.daemon.DB.Match(t.Context(), m.ID)
			if err != nil {
				t.Fatal(err)
			}
			return now
		}
		named := state().Beacon
		if !h.has("democrat", fmt.Sprint(named.Round)) || !h.has("communist", fmt.Sprint(named.Round)) {
			t.Fatal("nobody is told the round")
		}
		h.pass(2 * time.Minute)
		if n := net.asked.Load(); n != 0 || state().State != match.Inviting {
			t.Errorf("the round was asked for %d times before it is published", n)
		}
		net.away.Store(true)
		h.stop()
		h.pass(time.Hour)
		h.start()
		h.pass(20 * time.Minute)
		if n := net.asked.Load(); state().State != match.Inviting || n < 3*5 || n > 3*20 {
			t.Errorf("the servers were asked %d times while none could be reached", n)
		}
		if lines := strings.Count(log.String(), "\n"); lines < 5 || lines > 20 || !strings.Contains(log.String(), "no route to the beacon") {
			t.Errorf("the log has %d lines:\n%s", lines, log.String())
		}
		net.away.Store(false)
		h.pass(11 * time.Minute)
		if now := state(); now.State != match.Playing || now.Beacon.Signature != hex.EncodeToString(sign(named.Round)) {
			t.Errorf("the match is %s, with %+v", now.State, now.Beacon)
		}
		had := h.counts(m.ID, "democrat", "communist")
		h.stop()
		h.start()
		h.pass(time.Minute)
		if has := h.counts(m.ID, "democrat", "communist"); has != had {
			t.Errorf("later there are %s, there were %s", has, had)
		}
		rec, err := h.daemon.Adjudicator.Export(t.Context(), m.ID, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(record.VerifyChain(rec), record.VerifyBeacon(rec, chain), record.VerifyStream(rec)); err != nil {
			t.Error(err)
		}
		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
}
