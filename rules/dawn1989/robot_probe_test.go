package dawn1989

import ("testing";"samizdat/playout";"fmt")

func TestProbe(t *testing.T) {
	for n := range 600 {
		s, err := playout.Run(playout.Plan{Game: Game{}, Robots: []string{"sensible"}, Games: 1, Seed: playout.GameSeed(99, n)})
		if err != nil { t.Fatal(err) }
		if s.Results["held scoring card communist"] > 0 { fmt.Println(n, playout.GameSeed(99, n)); break }
	}
}
