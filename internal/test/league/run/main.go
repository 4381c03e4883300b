// Command run plays two robots against each other in pairs of equal chance and prints how
// often the first wins, with a confidence interval of 95 %, and the difference in Elo:
//
//	tools/league --a level3 --b sensible --games 400
//
// Both games of a pair have the same dice and cards, with the seats exchanged. In a game for
// more than two, robot A takes one seat and robot B all others; a second match of the pair,
// with B in every seat, says how often B would have won in A's place. With --state FILE every
// pair is kept in the file, and the same command goes on where it stopped.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"

	"samizdat/internal/test/league"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

func main() {
	log.SetFlags(0)
	var plan league.League
	game := flag.String("game", "1989", "the game")
	flag.StringVar(&plan.A, "a", "level3", "robot A, or for 1989 simulations=100,horizon=2,options=8,leaf=FILE")
	flag.StringVar(&plan.B, "b", "sensible", "robot B")
	games := flag.Int("games", 400, "number of matches, two for each pair")
	flag.Uint64Var(&plan.Seed, "seed", 1, "seed of the dice and the robots")
	flag.IntVar(&plan.Seats, "players", 0, "number of seats (default: the least that the game has)")
	state := flag.String("state", "", "file that keeps the pairs played")
	processors := flag.Int("processors", 2, "number of pairs played at once")
	flag.Parse()
	all := rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()}
	var err error
	if plan.Game, err = all.Find(*game); err != nil {
		log.Fatal(err)
	}
	if plan.Seats == 0 {
		plan.Seats, _ = plan.Game.Seats()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pairs, err := plan.Play(ctx, *games/2, *processors, *state)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Summary(pairs))
}
