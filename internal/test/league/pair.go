// Package league plays matches between robots in pairs of equal chance. tools/league and
// tools/train use it.
package league

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"samizdat/rules"
	"samizdat/rules/search"
)

// League is a plan of matches: robot A against robot B.
type League struct {
	Game *rules.Game
	// A and B are names as Robot takes them.
	A, B  string
	Seed  uint64
	Seats int
}

// Pair is the result of two matches with the same chance.
type Pair struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Seed uint64 `json:"seed"`
	N    int    `json:"n"`
	// Won is the number of wins of robot A, a draw counts half; in the seats of a game for
	// more than two that of robot B is beside it.
	Won  [2]float64 `json:"won"`
	WonB float64    `json:"won_b,omitempty"`
	// Decisions is the number of A's answers, Processor their processor time.
	Decisions int           `json:"decisions"`
	Processor time.Duration `json:"processor"`
	// Slowest is the longest processor time of an answer.
	Slowest time.Duration `json:"slowest"`
}

// Play plays the pairs missing in the state file, and returns all pairs.
func (l *League) Play(ctx context.Context, pairs, processors int, path string) ([]Pair, error) {
	file, played, err := l.openState(path)
	if err != nil {
		return nil, err
	}
	if file != nil {
		defer file.Close()
	}
	var mu sync.Mutex
	next := 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		for played[next] != nil {
			next++
		}
		next++
		return next - 1, next <= pairs && ctx.Err() == nil && err == nil
	}
	var wait sync.WaitGroup
	for range processors {
		wait.Go(func() {
			for n, more := take(); more; n, more = take() {
				p, failed := l.pair(n)
				mu.Lock()
				if failed == nil {
					played[n] = &p
					failed = keep(file, &p)
				}
				if failed != nil {
					err = failed
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	var out []Pair
	for n := range pairs {
		if p := played[n]; p != nil {
			out = append(out, *p)
		}
	}
	return out, err
}

// openState reads the pairs of this league in a file and opens it for more.
func (l *League) openState(path string) (*os.File, map[int]*Pair, error) {
	played := map[int]*Pair{}
	if path == "" {
		return nil, played, nil
	}
	if old, err := os.Open(path); err == nil {
		defer old.Close()
		for lines := bufio.NewScanner(old); lines.Scan(); {
			var p Pair
			if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
				return nil, nil, fmt.Errorf("read %s: %w", path, err)
			}
			if p.A == l.A && p.B == l.B && p.Seed == l.Seed {
				played[p.N] = &p
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return file, played, err
}

// keep appends a pair to the state file, if there is one.
func keep(file *os.File, p *Pair) error {
	if file == nil {
		return nil
	}
	return json.NewEncoder(file).Encode(p)
}

// pair plays pair n.
func (l *League) pair(n int) (Pair, error) {
	p := Pair{A: l.A, B: l.B, Seed: l.Seed, N: n}
	if l.Seats == 2 {
		for seat := range 2 {
			won, err := l.match(&p, seat, seat, n)
			if err != nil {
				return p, err
			}
			p.Won[seat] = won
		}
		return p, nil
	}
	seat := n % l.Seats
	var err error
	if p.Won[0], err = l.match(&p, seat, seat, n); err != nil {
		return p, err
	}
	p.WonB, err = l.match(&p, -1, seat, n)
	return p, err
}

// dice is the chance of a match.
type dice struct{ *rand.Rand }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.IntN(len(w.Pile)), nil }

// match plays one match with A in a seat, and returns how much of it another seat has won: 1,
// or 1/2 for a draw.
func (l *League) match(p *Pair, seatOfA, seat, n int) (float64, error) {
	table, err := l.Game.NewSimulation(rules.Setup{Seats: l.Seats, Revision: l.Game.Revision()})
	if err != nil {
		return 0, err
	}
	seed := search.Mix(l.Seed<<20 + uint64(n))
	robots := make([]rules.Robot, l.Seats)
	for s := range robots {
		name := l.B
		if s == seatOfA {
			name = l.A
		}
		if robots[s], err = Robot(l.Game, name, search.Mix(seed+uint64(s))); err != nil {
			return 0, err
		}
	}
	if err := table.Begin(dice{rand.New(rand.NewPCG(seed, 1989))}); err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for d, options, open := table.Ask(); open; d, options, open = table.Ask() {
		var began time.Duration
		timed := int(d.Seat) == seatOfA && len(options) > 1
		if timed {
			began = processorTime()
		}
		a := robots[d.Seat].Choose(table.View, d, options)
		if timed {
			took := processorTime() - began
			p.Decisions, p.Processor, p.Slowest = p.Decisions+1, p.Processor+took, max(p.Slowest, took)
		}
		if err := table.Answer(a); err != nil {
			return 0, fmt.Errorf("pair %d, seat %d, %s: %w", n, d.Seat, d.Kind, err)
		}
	}
	result, over := table.Result()
	switch {
	case !over:
		return 0, fmt.Errorf("pair %d: no decision is open and the match is not over", n)
	case result.Winners.Has(rules.Seat(seat)):
		return 1, nil
	case result.Winners == 0 && !result.AllLost:
		return 0.5, nil
	}
	return 0, nil
}

// processorTime is the processor time of the calling thread.
func processorTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
