package dawn1989_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// TestTopics: every text can be asked for by a name of its own, and refers only to
// texts that there are.
func TestTopics(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, topic := range game.Topics() {
		for _, n := range append([]string{topic.Name}, topic.Aliases...) {
			n = strings.ToLower(n)
			if names[n] {
				t.Errorf("two texts are called %q", n)
			}
			names[n] = true
		}
		if topic.Text == "" || len(topic.Text) > 2500 {
			t.Errorf("the text on %s has %d letters", topic.Name, len(topic.Text))
		}
	}
	for _, want := range []string{"turn", "operations", "placement", "support checks", "tiananmen", "power struggle", "scoring", "victory",
		"bidding", "letters", "dice"} {
		if !names[want] {
			t.Errorf("there is no text on %s", want)
		}
	}
	see := regexp.MustCompile(`\b[Ss]ee ([A-Z][A-Z ,]+)`)
	for _, topic := range game.Topics() {
		for _, m := range see.FindAllStringSubmatch(topic.Text, -1) {
			for n := range strings.SplitSeq(m[1], ",") {
				if n = strings.ToLower(strings.TrimSpace(n)); n != "" && !names[n] {
					t.Errorf("the text on %s refers to %q", topic.Name, n)
				}
			}
		}
	}
}

// TestTopicsTellExceptions: a text on a rule names the cards that change the rule for good, and
// the card that does not do what its kind does.
func TestTopicsTellExceptions(t *testing.T) {
	t.Parallel()
	for topic, want := range map[string]string{
		"Tiananmen":      "plus 1 for the Communist after Li Peng (53)",
		"power struggle": "The fourth, Tactic Fails, only defends.",
		"bidding":        fmt.Sprintf("you can give 0 to %d", engine.MaxBid),
	} {
		i := slices.IndexFunc(game.Topics(), func(x rules.Topic) bool { return x.Name == topic })
		if i < 0 || !strings.Contains(strings.Join(strings.Fields(game.Topics()[i].Text), " "), want) {
			t.Errorf("the text on %s does not say %q", topic, want)
		}
	}
}

// TestInform: a spectator has no hand, and everybody sees the same open piles and
// the same map.
func TestInform(t *testing.T) {
	t.Parallel()
	g := game
	p, err := g.Begin(rules.Setup{Seats: 2, Revision: g.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	if got := g.AnswerQuery(p.View(rules.NoSeat), rules.QueryHand); got != nil {
		t.Errorf("a spectator is shown %v", got)
	}
	answer := func(seat rules.Seat, q rules.Query) []string {
		if v := p.View(seat); q == rules.QueryBigMap {
			return g.Map.TextMap(v, nil)
		} else if parts := g.AnswerQuery(v, q); len(parts) == 1 {
			return parts[0].Lines
		}
		return nil
	}
	for _, q := range []rules.Query{rules.QueryDiscards, rules.QueryMap, rules.QueryBigMap} {
		first := answer(0, q)
		if len(first) == 0 {
			t.Fatalf("%s is answered with nothing", q)
		}
		if !slices.Equal(first, answer(1, q)) {
			t.Errorf("%s is answered in two ways", q)
		}
		for _, l := range first {
			if len([]rune(l)) > 78 {
				t.Errorf("a line of %d columns: %s", len([]rune(l)), l)
			}
		}
	}
	if n := g.Turn(p.View(0)); n != 1 {
		t.Errorf("a match begins with turn %d", n)
	}
}
