package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/search"
)

// position is a position of a match with its label.
type position struct {
	Turn     int8           `json:"turn"`
	Features robot.Features `json:"features"`
	// Label is the share of playouts that the Democrat wins, Result his result in the match
	// itself: 0, 0.5 or 1.
	Label  float64 `json:"label"`
	Result float64 `json:"result"`
}

// played is a line of the file of a generation: the positions of a match.
type played struct {
	N         int        `json:"n"`
	Positions []position `json:"positions"`
}

// readMatches reads a file of matches. A missing file has none.
func readMatches(path string) (map[int][]position, error) {
	out := map[int][]position{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	for lines := json.NewDecoder(bytes.NewReader(data)); err == nil; {
		var m played
		if err = lines.Decode(&m); err == nil {
			out[m.N] = m.Positions
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}

// earlier returns the positions of the other generations and attempts. Their labels are as good as new
// ones: a playout does not use the leaf.
func (t *training) earlier(seed uint64) (out []position, err error) {
	for n := range seed {
		matches, err := readMatches(t.path("positions", int(n)))
		if err != nil {
			return nil, err
		}
		for _, k := range slices.Sorted(maps.Keys(matches)) {
			out = append(out, matches[k]...)
		}
	}
	return out, nil
}

// positions plays the matches of a generation that its file does not have, appends each to the file,
// and returns the positions of all.
func (t *training) positions(ctx context.Context, l *robot.Leaf, seed uint64) ([]position, error) {
	path := t.path("positions", int(seed))
	matches, err := readMatches(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var mu sync.Mutex
	var failed error
	next := 0
	// A match that ended early has no positions.
	isPlayed := func(n int) bool { _, ok := matches[n]; return ok }
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		for isPlayed(next) {
			next++
		}
		next++
		return next - 1, next <= t.games && failed == nil && ctx.Err() == nil
	}
	var wait sync.WaitGroup
	for range t.processors {
		wait.Go(func() {
			for n, more := take(); more; n, more = take() {
				found, err := t.match(l, seed<<20+uint64(n))
				mu.Lock()
				if matches[n] = found; err == nil {
					err = json.NewEncoder(file).Encode(played{n, found})
				}
				failed = cmp.Or(failed, err)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if failed = cmp.Or(failed, ctx.Err()); failed != nil {
		return nil, failed
	}
	var out []position
	for n := range t.games {
		out = append(out, matches[n]...)
	}
	return out, nil
}

// match plays one match, and returns positions of it. In every second match some options are
// taken at random up to some turn, so that the leaf learns of unusual positions too.
func (t *training) match(l *robot.Leaf, seed uint64) (out []position, err error) {
	var lot search.Lot
	lot.Seed(seed, 1)
	begun, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: engine.Rules{}.Revision()})
	if err != nil {
		return nil, err
	}
	p := begun.(*engine.Position)
	s := robot.Level(3)
	s.Leaf, s.Simulations = l, t.simulations
	r := robot.NewSearcher(s, seed)
	stirred := int8(0)
	if seed%2 == 1 {
		stirred = int8(1 + rules.RandomBelow(&lot, 8))
	}
	x := engine.Run{Chance: &lot}
	look := func() rules.View { return p.View(p.SeatOfSide[p.Question.Side]) }
	var room [engine.MaxOptions]rules.Atom
	take := func() {
		out = append(out, position{Turn: p.Turn, Features: robot.ComputeFeatures(p),
			Label: float64(robot.Playouts(p, t.labels, seed+uint64(len(out))<<40)) / search.Certain})
	}
	for p.Ending == engine.NotOver {
		if p.Question.Kind == engine.AskNothing {
			x.Events = x.Events[:0]
			turn := p.Turn
			if err := p.Step(&x); err != nil {
				return nil, fmt.Errorf("match %d: %w", seed, err)
			}
			if p.Turn > turn && p.Turn > max(1, stirred) && p.Ending == engine.NotOver && rules.RandomBelow(&lot, 2) == 0 {
				take()
			}
			continue
		}
		if p.Question.Kind == engine.AskRound && p.Turn > stirred && rules.RandomBelow(&lot, t.every) == 0 {
			take()
		}
		options := p.LegalAtoms(room[:0])
		a := options[rules.RandomBelow(&lot, len(options))]
		if p.Turn > stirred || rules.RandomBelow(&lot, 8) != 0 {
			a = r.Choose(look, rules.Decision{}, options)
		}
		p.AnswerQuestion(&x, a)
	}
	for i := range out {
		out[i].Result = resultOf(p)
	}
	return out, nil
}
