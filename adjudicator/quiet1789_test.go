package adjudicator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// TestAnswersOf1789TellNothing plays the same match of five with its secret: once as it is, once
// with a player's HOLD ALWAYS in place of a HOLD each time, and once with those who are asked
// together answering in another order, but for the last. All that the others and those who watch get,
// and the records before the end and after it, with the secret, are the same to the byte.
func TestAnswersOf1789TellNothing(t *testing.T) {
	t.Parallel()
	g := revolution1789.Game()
	const standing, early, late = 2, 0, 1
	play := func(stands, turned bool) (seen []string) {
		c := newClub(t, g)
		c.adj.LetterOptions.HTML, c.adj.DeskURL = true, deskPage
		seats := citizensOf(5)
		id := c.inviteObserved(openly, "1789", nil, seats...)
		c.joinAll(seats...)
		c.watches("olga", id)
		dice, group, lines := rulestest.NewDice(12), uint32(0), map[rules.DecisionID]string{}
		stood, swapped, groups := false, 0, 0
		order := func(owed []rules.Decision) {
			if len(owed) < 3 {
				return
			}
			if owed[0].Group != group {
				group = owed[0].Group
				groups++
				seen = append(seen, string(c.export(id, false)))
			}
			// What is answered does not hang on the order.
			pos, err := g.Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range owed {
				options := pos.Options(nil, d.ID)
				lines[d.ID] = g.FormatOrder([]rules.Atom{options[dice.Intn(len(options))]})
			}
			// Where orders are published so are the digests of their letters, which differ here.
			if turned && owed[0].Seat == early && owed[1].Seat == late && (owed[0].Ballot || owed[0].Repeats) {
				swapped++
				owed[early], owed[late] = owed[late], owed[early]
			}
		}
		playsInOrder(t, c, id, seats, order, func(d rules.Decision, options []string) string {
			switch {
			case groups > long.N(12, 400):
				return enough
			case d.Kind == "call" && d.Seat == standing && stands && stood:
				return "STATUS" // A letter takes a minute.
			case d.Kind == "call" && d.Seat == standing && stands:
				stood = true
				return "HOLD ALWAYS"
			case d.Kind == "call":
				return "HOLD"
			case lines[d.ID] != "":
				return lines[d.ID]
			}
			return options[dice.Intn(len(options))]
		})
		if stands && !stood || turned && swapped < 3 {
			t.Fatal("nothing is tried: take another seed")
		}
		seen = append(seen, string(c.export(id, false)))
		verified(t, c, g, id)
		for i, s := range seats {
			if i > late && i != standing {
				seen = append(seen, c.bytes[address(s)]...)
			}
		}
		for _, l := range c.mailbox[address("olga")] {
			seen = append(seen, l.Subject+"\n"+l.Text)
		}
		return seen
	}
	want := play(false, false)
	for name, got := range map[string][]string{"HOLD ALWAYS": play(true, false), "the order of answers": play(false, true)} {
		if len(got) != len(want) {
			t.Fatalf("%s: %d letters and records, not %d", name, len(got), len(want))
		}
		for i := range want {
			if d := cmp.Diff(want[i], got[i]); d != "" {
				t.Fatalf("%s changes what is sent (%d of %d):\n%s", name, i, len(want), d)
			}
		}
	}
}

// TestAheadOf1789TellsNothing plays a vote and a purge of five twice: once a voter sends his
// ballot and his purge when he is asked, once both before. What the others get, those who watch,
// and the record is the same but for the digests of letters, and hashes.
func TestAheadOf1789TellsNothing(t *testing.T) {
	t.Parallel()
	g := revolution1789.Game()
	play := func(orders ...string) (seen []string) {
		c, seats := newClub(t, g), citizensOf(5)
		c.adj.LetterOptions.HTML, c.adj.DeskURL = true, deskPage
		id := c.inviteObserved(openly, "1789", deal1789("louis", "danton", "napoleon", "robespierre", "fouche"), seats...)
		c.joinAll(seats...)
		c.watches("olga", id)
		all(t, c, seats, "NAME arch")
		for _, o := range orders {
			says(t, c, o)
			seen = append(seen, string(c.export(id, false)))
		}
		for _, s := range seats {
			if s != "cheese" {
				seen = append(seen, c.bytes[address(s)]...)
			}
		}
		for _, l := range c.mailbox[address("olga")] {
			seen = append(seen, l.Subject+"\n"+l.Text)
		}
		return seen
	}
	asked := play("arch SEAT 1-2", "cheese STATUS", "cheese SEAT 2-8", "croissant SEAT 2-3", "cheese VOTE M", "arch VOTE M", "croissant VOTE R",
		"cheese PURGE Arch", "arch PURGE Cheese", "croissant PURGE Arch", "grape SEAT 4-5")
	ahead := play("arch SEAT 1-2", "cheese VOTE M AT Directorate", "cheese SEAT 2-8", "croissant SEAT 2-3", "cheese PURGE Arch AT Directorate", "arch VOTE M", "croissant VOTE R",
		"cheese STATUS", "arch PURGE Cheese", "croissant PURGE Arch", "grape SEAT 4-5")
	if len(asked) != len(ahead) {
		t.Fatalf("%d and %d letters and records", len(asked), len(ahead))
	}
	for i := range asked {
		if d := cmp.Diff(anyHash.ReplaceAllString(asked[i], "#"), anyHash.ReplaceAllString(ahead[i], "#")); d != "" {
			t.Fatalf("what is sent before it is asked for can be seen (%d of %d):\n%s", i, len(asked), d)
		}
	}
}
