// Command train makes the next generation of the leaf of 1989's searching robots:
//
//	tools/train --games 300 --dir /tmp/train
//
// A searcher with the last leaf plays matches against itself. Positions of these matches are
// labelled by playouts to the end with the policy of the search. A logistic regression, drawn
// towards the last leaf, fits the weights to the labels. The new leaf is kept only if it beats
// the last in a league. The directory keeps leaf-0.json, leaf-1.json and so on, the positions and the
// league of each generation; the same command continues an interrupted generation, or makes the next
// one from the positions of all. --print writes a leaf as Go source, for
// rules/dawn1989/robot/weights.go.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"samizdat/internal/test/league"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/robot"
)

// training holds the values of the flags.
type training struct {
	dir                  string
	games, labels, every int
	simulations          int
	leagueGames          int
	ridge, results       float64
	processors           int
}

func main() {
	log.SetFlags(log.Ltime)
	var t training
	flag.StringVar(&t.dir, "dir", "train", "directory of the leaves and positions")
	flag.IntVar(&t.games, "games", 300, "matches that a generation plays against itself")
	flag.IntVar(&t.simulations, "simulations", 16, "simulations of a decision in these matches")
	flag.IntVar(&t.labels, "labels", 3, "playouts that label a position")
	flag.IntVar(&t.every, "every", 2, "a position is taken in one action round out of this number")
	flag.IntVar(&t.leagueGames, "league", 200, "matches of the new leaf against the last")
	flag.Float64Var(&t.ridge, "ridge", 400, "how strongly weights are drawn towards the last leaf")
	flag.Float64Var(&t.results, "results", 0.2, "how much a match's result counts in the labels of its positions, 0 to 1")
	flag.IntVar(&t.processors, "processors", 1, "number of matches played at once")
	generations := flag.Int("generations", 1, "number of generations")
	show := flag.String("print", "", "write this leaf as Go source, and do nothing else")
	calibration := flag.Int("calibrate", 0, "play this number of matches, compare the analyst's chances with the results, and do nothing else")
	seed := flag.Uint64("seed", 1, "number of the first match of --calibrate")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *calibration > 0 {
		if err := calibrate(ctx, *calibration, *seed); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *show != "" {
		if err := printLeaf(*show); err != nil {
			log.Fatal(err)
		}
		return
	}
	for range *generations {
		if err := t.generation(ctx); err != nil {
			log.Fatal(err)
		}
	}
}

func (t *training) path(kind string, n int) string {
	return filepath.Join(t.dir, fmt.Sprintf("%s-%d.json", kind, n))
}

// generation makes one leaf out of the last.
func (t *training) generation(ctx context.Context) error {
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return err
	}
	last := 0
	for exists(t.path("leaf", last+1)) {
		last++
	}
	if !exists(t.path("leaf", 0)) {
		if err := writeLeaf(t.path("leaf", 0), robot.Level(5).Leaf); err != nil {
			return err
		}
	}
	old, err := league.ReadLeaf(t.path("leaf", last))
	if err != nil {
		return err
	}
	attempt := 1
	for exists(t.path("failed", last*100+attempt)) {
		attempt++
	}
	seed := uint64(last*100 + attempt)
	positions, err := t.positions(ctx, old, seed)
	if err != nil {
		return err
	}
	earlier, err := t.earlier(seed)
	if err != nil {
		return err
	}
	log.Printf("generation %d: %d positions and %d earlier ones", last+1, len(positions), len(earlier))
	leaf := fit(append(earlier, positions...), old, t.ridge, t.results)
	candidate := t.path("candidate", last+1)
	if err := writeLeaf(candidate, leaf); err != nil {
		return err
	}
	l := league.League{Game: dawn1989.Game(), Seats: 2, Seed: seed,
		A: fmt.Sprintf("simulations=50,leaf=%s", candidate), B: fmt.Sprintf("simulations=50,leaf=%s", t.path("leaf", last))}
	pairs, err := l.Play(ctx, t.leagueGames/2, t.processors, t.path("league", int(seed)))
	if err != nil {
		return err
	}
	log.Print(l.Summary(pairs))
	if league.Share(pairs) <= 0.5 {
		log.Printf("the last leaf is as good: generation %d is not kept", last+1)
		return os.Rename(candidate, t.path("failed", int(seed)))
	}
	return os.Rename(candidate, t.path("leaf", last+1))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func writeLeaf(path string, l *robot.Leaf) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// printLeaf writes a leaf as Go source.
func printLeaf(path string) error {
	l, err := league.ReadLeaf(path)
	if err != nil {
		return err
	}
	for i, w := range l[:robot.Evolving] {
		fmt.Printf("\t{%d, %d, %d}, // %s\n", w.Even, w.Slope, w.Last, robot.FeatureName(i))
	}
	for marks := range slices.Chunk(l[robot.Evolving:], 6) {
		fmt.Print("\t")
		for _, w := range marks {
			fmt.Printf("{%d, 0, %d}, ", w.Even, w.Last)
		}
		fmt.Println()
	}
	return nil
}
