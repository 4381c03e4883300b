package revolution1789_test

import (
	"fmt"
	"strings"
	"testing"

	"samizdat/rules/revolution1789/engine"
)

// TestTopicsAgreeWithTables holds the numbers that the texts on the rules give to the tables
// that the engine plays by.
func TestTopicsAgreeWithTables(t *testing.T) {
	t.Parallel()
	numbers := [...]string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	right, remaining, bridges, pairs := 0, 0, 0, 0
	for u := engine.Unit(1); u < engine.Units; u++ {
		switch a, b := u.Spaces(); {
		case u.IsPair():
			pairs++
		case a <= 6 && b > 6:
			bridges++
		case a <= 6:
			right++
		default:
			remaining++
		}
	}
	if right != remaining {
		t.Fatalf("%d seats on the Right Bank, %d on the left", right, remaining)
	}
	leaders, factions, others := 0, map[engine.Faction]int{}, 0
	for o := engine.Objective(1); o < engine.Objectives; o++ {
		if o.IsLeader() {
			leaders++
			continue
		}
		others++
		factions[o.Faction()]++
	}
	texts := map[string]string{}
	for _, topic := range game.Topics() {
		texts[topic.Name] = strings.Join(strings.Fields(topic.Text), " ")
	}
	for topic, wants := range map[string][]string{
		"seat": {
			fmt.Sprintf("There are %d: %s on each bank, %s that are bridges", engine.Units-1, numbers[right], numbers[bridges]),
			numbers[pairs] + " connected pairs",
		},
		"end": {
			fmt.Sprintf("Besides the %s leaders there are %s objectives", numbers[leaders], numbers[others]),
			numbers[factions[engine.Monarchists]] + " to each",
			fmt.Sprintf("The %s that want both colours are Bonapartes", numbers[factions[engine.Bonapartes]]),
			fmt.Sprintf("of the %s others %s fewer than there are players", numbers[others], numbers[leaders]),
		},
		"revolution": {
			"With 4 to 6 players no error", "with 7 to 9 " + numbers[engine.Allowance(9)],
			"with 10 to 12 " + numbers[engine.Allowance(12)],
		},
	} {
		for _, want := range wants {
			if !strings.Contains(texts[topic], want) {
				t.Errorf("the text on %s does not say %q:\n%s", topic, want, texts[topic])
			}
		}
	}
}
