package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"
)

// rewrapped are the lines of a text, none longer than a width: what does not fit stands on a line of
// its own below, as mail programs break what others have written.
func rewrapped(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > width {
			at := strings.LastIndex(line[:width], " ")
			if at <= 0 {
				break
			}
			out, line = append(out, line[:at]), line[at+1:]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// brokenQuote is a quote whose marked lines a program has broken at a width without marking the rest.
func brokenQuote(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, "> "+strings.TrimPrefix(rewrapped(line, width), " "))
	}
	return strings.Join(out, "\n")
}

// TestCopyWithoutMarks: a part of our letter that is quoted without marks, broken anew, and without
// the line that ends what is read, is none of the player's lines, wherever his order stands.
func TestCopyWithoutMarks(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 9)
	seat := c.asked(id)
	letter := c.last(seat).Text
	_, body, ok := strings.Cut(letter, "It is your move.\n")
	order := "PLAY 27 OPS PLACE Leipzig 3 EVENT AFTER"
	if !ok || !strings.Contains(body, " 27 ") {
		t.Fatalf("%s cannot be ordered:\n%s", order, letter)
	}
	half := strings.LastIndex(body[:len(body)/2], "\n")
	for _, width := range []int{60, 64, 70} {
		for name, text := range map[string]string{
			"below":   order + "\n\n" + rewrapped(body, width),
			"above":   rewrapped(body, width) + "\n\n" + order,
			"between": rewrapped(body[:half], width) + "\n\n" + order + "\n\n" + rewrapped(body[half:], width),
			"broken":  brokenQuote(body, width) + "\n" + order,
		} {
			t.Run(fmt.Sprintf("%s %d", name, width), func(t *testing.T) {
				c, _ := sampleAfter(t, 9)
				answer := c.sends(seat, text).Text
				if !strings.Contains(answer, "- "+order+": done") {
					t.Errorf("not done:\n%.3000s", answer)
				}
			})
		}
	}
	for name, text := range map[string]string{
		"the copy alone":  rewrapped(body, 64),
		"its orders":      "PLAY 14 EVENT\nCHECK Gdansk",
		"somebody's talk": "What a lovely evening we have had,\nand I hope that all of you are well\nand that the children sleep at last.\n36?",
	} {
		c, id := sampleAfter(t, 9)
		before := c.entries(id)
		answer := c.sends(seat, text).Text
		if name != "its orders" && c.entries(id) != before {
			t.Errorf("%s: something was done:\n%.3000s", name, answer)
		}
		if name == "the copy alone" && !strings.Contains(answer, "There were no orders in your letter") {
			t.Errorf("%s:\n%.3000s", name, answer)
		}
	}
}

// asked is the seat that the match asks now.
func (c *club) asked(id string) string {
	c.t.Helper()
	for _, s := range dawnSeats {
		if strings.Contains(c.last(s).Text, "It is your move.") {
			return s
		}
	}
	c.t.Fatalf("match %s asks nobody", id)
	return ""
}

// entries is how many entries the history of a match has.
func (c *club) entries(id string) int {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return m.EntryCount
}
