// Command train makes the next generation of the leaf of 1989's searching robots:
//
//	tools/train --games 3000 --dir /tmp/train
//
// A searcher with the last leaf plays matches against itself, and notes the chances that its searches find. Each position is
// labelled with the chances found from there on and the result of the match (temporal differences, TD(lambda)). A network with a
// hidden layer is fitted to the labels. The new leaf is kept only if it beats the last in a league. The directory keeps
// leaf-0.json, leaf-1.json and so on, the matches and the league of each generation; the same command continues an interrupted
// generation, or makes the next one. --print writes a leaf in the format of rules/dawn1989/robot/strong.leaf.
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

	"samizdat/internal/test/league"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/robot"
)

// training holds the values of the flags.
type training struct {
	dir                  string
	games                int
	simulations, horizon int
	// lambda is the weight of the later estimates in a label.
	lambda float64
	// ridge says how strongly weights are drawn towards the last leaf, layerRidge those of the hidden layer towards 0.
	ridge, layerRidge float64
	rate              float64
	epochs            int
	files             int
	leagueGames       int
	processors        int
}

func main() {
	log.SetFlags(log.Ltime)
	var t training
	flag.StringVar(&t.dir, "dir", "train", "directory of the leaves and positions")
	flag.IntVar(&t.games, "games", 3000, "matches that a generation plays against itself")
	flag.IntVar(&t.simulations, "simulations", 60, "simulations of a decision in these matches")
	flag.IntVar(&t.horizon, "horizon", 0, "action rounds of a simulation in these matches")
	flag.Float64Var(&t.lambda, "lambda", 0.8, "how much the chances found later count in a label, 0 to 1")
	flag.Float64Var(&t.ridge, "ridge", 400, "how strongly weights are drawn towards the last leaf")
	flag.Float64Var(&t.layerRidge, "layer-ridge", 60, "how strongly weights of the hidden layer are drawn towards 0")
	flag.Float64Var(&t.rate, "rate", 0.002, "first step of the descent")
	flag.IntVar(&t.epochs, "epochs", 7, "passes over the positions")
	flag.IntVar(&t.files, "files", 1, "number of generations whose matches the fit takes, the last ones")
	flag.IntVar(&t.leagueGames, "league", 200, "matches of the new leaf against the last")
	flag.IntVar(&t.processors, "processors", 1, "number of matches played at once")
	generations := flag.Int("generations", 1, "number of generations")
	show := flag.String("print", "", "write this leaf as it is embedded in the robot, and do nothing else")
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
		if err := writeLeaf(t.path("leaf", 0), robot.Level(5).Evaluator); err != nil {
			return err
		}
	}
	old, err := league.ReadEvaluator(t.path("leaf", last))
	if err != nil {
		return err
	}
	attempt := 1
	for exists(t.path("failed", last*100+attempt)) {
		attempt++
	}
	seed := last*100 + attempt
	if err := t.playMatches(ctx, old, t.path("matches", seed), uint64(seed)<<20); err != nil {
		return err
	}
	var paths []string
	for n := seed; n > 0 && len(paths) < t.files; n-- {
		if exists(t.path("matches", n)) {
			paths = append(paths, t.path("matches", n))
		}
	}
	matches, err := t.positions(paths)
	if err != nil {
		return err
	}
	log.Printf("generation %d", last+1)
	leaf := t.fit(matches, old)
	candidate := t.path("candidate", last+1)
	if err := writeLeaf(candidate, leaf); err != nil {
		return err
	}
	l := league.League{Game: dawn1989.Game(), Seats: 2, Seed: uint64(seed),
		A: fmt.Sprintf("simulations=50,horizon=0,leaf=%s", candidate), B: fmt.Sprintf("simulations=50,horizon=0,leaf=%s", t.path("leaf", last))}
	pairs, err := l.Play(ctx, t.leagueGames/2, t.processors, t.path("league", seed))
	if err != nil {
		return err
	}
	log.Print(l.Summary(pairs))
	if league.Share(pairs) <= 0.5 {
		log.Printf("the last leaf is as good: generation %d is not kept", last+1)
		return os.Rename(candidate, t.path("failed", seed))
	}
	return os.Rename(candidate, t.path("leaf", last+1))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func writeLeaf(path string, l *robot.Evaluator) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// printLeaf writes a leaf in the format that is embedded in the robot.
func printLeaf(path string) error {
	l, err := league.ReadEvaluator(path)
	if err != nil {
		return err
	}
	data, err := l.MarshalBinary()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(data)
	return err
}
