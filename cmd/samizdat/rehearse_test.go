package main

import (
	"testing"
	"time"

	"samizdat/internal/rehearse"
	"samizdat/internal/test/long"
	"samizdat/rules/dawn1989"
)

// TestRehearsal lets a small club live for some days, and a larger one for longer in a long run.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	plan := rehearse.Plan{Game: dawn1989.Game{}, Dir: t.TempDir(), Members: long.N(8, 40), Matches: long.N(12, 100), Days: long.N(2, 10), Seed: 16, Tempo: "8h+6h<=16h", Looks: 9 * time.Hour, Measured: long.N(0, 100), MemoryMB: 400}
	if long.Raced {
		plan.MemoryMB = 0
	}
	sum, err := rehearse.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sum.Wrong {
		t.Error(w)
	}
	for what, n := range map[string]int{"letters to members": sum.ToMembers, "things that were due": sum.Due, "records": sum.Verified, "matches lost by silence": sum.Silent} {
		if n == 0 {
			t.Errorf("there are no %s: %+v", what, sum)
		}
	}
	if long.Run && sum.Results == 0 {
		t.Errorf("no result was counted: %+v", sum)
	}
	if sum.FromMembers < 2*sum.Members+sum.Matches || sum.Matches < sum.Filled {
		t.Errorf("too little has happened: %+v", sum)
	}
}

// TestNamesOfMembers: no two members are called alike.
func TestNamesOfMembers(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range rehearse.MostNames {
		if n := rehearse.NameOf(i); seen[n] || len(n) != 6 {
			t.Errorf("member %d is called %s", i, n)
		} else {
			seen[n] = true
		}
	}
}

// TestPlansOfRehearsals: a club that cannot be is refused.
func TestPlansOfRehearsals(t *testing.T) {
	t.Parallel()
	for _, p := range []rehearse.Plan{{Members: 2, Matches: 10, Days: 1}, {Members: 10, Matches: 5, Days: 1}, {Members: 10, Matches: 1000, Days: 1}, {Members: 10, Matches: 10, Days: -1}} {
		p.Game = dawn1989.Game{}
		if _, err := rehearse.Run(t.Context(), p); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
}
