package rehearse

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"samizdat/rules/dawn1989"
)

// The flags of tools/rehearse. Without them a small club lives for two days.
var (
	plan    = Plan{Game: dawn1989.Game()}
	printed = flag.Bool("print", false, "print the summary as JSON, and tell what is under way")
)

func init() {
	flag.IntVar(&plan.Members, "members", 8, "how many members the club has")
	flag.IntVar(&plan.Matches, "matches", 12, "how many matches run when the month begins")
	flag.IntVar(&plan.Days, "days", 2, "how many days it lives; 0 for letters that are measured, and no life")
	flag.Uint64Var(&plan.Seed, "seed", 16, "seed of what the members do")
	flag.StringVar(&plan.Tempo, "tempo", "8h+6h<=16h", "how much time the players have; empty for much")
	flag.DurationVar(&plan.Looks, "looks", 9*time.Hour,
		"how long it is from one look into a member's mailbox to the next, on average; 0 for three days")
	flag.BoolVar(&plan.Hooks, "hooks", true, "whether each member has a web hook")
	flag.IntVar(&plan.Measured, "measured", 0, "how many letters are measured with ten matches and with all")
	flag.Float64Var(&plan.MemoryMB, "memory", 0, "how many MB of memory may be held; 0 for any number")
	flag.StringVar(&plan.Dir, "data", "", "new directory in which database and mailboxes are kept; empty keeps nothing")
}

// TestRehearsal lets a club live.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	if plan.Dir == "" {
		plan.Dir = t.TempDir()
	}
	if *printed {
		plan.Progress = os.Stderr
	}
	sum := Run(t, plan)
	if *printed {
		if err := json.NewEncoder(os.Stdout).Encode(sum); err != nil {
			t.Error(err)
		}
	}
	if sum.FromMembers < 2*sum.Members || sum.Matches < sum.Filled || sum.ToMembers == 0 || sum.Verified == 0 {
		t.Errorf("too little has happened: %+v", sum)
	}
	if sum.Due == 0 && plan.Days > 0 || sum.Silent == 0 && !*printed {
		t.Errorf("nobody was late: %+v", sum)
	}
}

// TestNamesOfMembers: no two members are called alike.
func TestNamesOfMembers(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range maxNames {
		if n := nameOf(i); seen[n] || len(n) != 6 {
			t.Errorf("member %d is called %s", i, n)
		} else {
			seen[n] = true
		}
	}
}
