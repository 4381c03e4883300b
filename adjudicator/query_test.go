package adjudicator_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// TestQueries: a letter may ask at any time, whoever is to move, and nothing in
// the match changes.
func TestQueries(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, seat, text string
		folder           mail.Folder
	}{
		{"history", "communist", "HISTORY", mail.Done},
		{"history-other-seat", "democrat", "history of turn 1", mail.Done},
		{"history-future", "communist", "HISTORY 7", mail.Refused},
		{"hand", "democrat", "HAND", mail.Done},
		{"stats", "democrat", "STATS", mail.Done},
		{"discards", "communist", "Discards", mail.Done},
		{"map", "communist", "MAP", mail.Done},
		{"map-big", "democrat", "MAP BIG", mail.Done},
		{"rules-topic", "communist", "RULES support checks", mail.Done},
		{"rules-misspelt", "communist", "RULES suport cheks", mail.Done},
		{"rules-shortened", "communist", "RULES placem", mail.Done},
		{"rules-list", "democrat", "RULES", mail.Done},
		{"rules-unknown", "democrat", "RULES offside", mail.Done},
		{"resend", "communist", "RESEND 3", mail.Done},
		{"resend-too-new", "communist", "RESEND 300", mail.Refused},
		{"several", "communist", "HAND\nI wonder.\nDISCARDS; RULES dice", mail.Done},
		{"refused-beside", "communist", "PLACE Vienna 3\nDISCARDS", mail.Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, 8)
			before := c.export(id, true)
			if f := c.receive(c.letter(tt.seat, tt.text)); f != tt.folder {
				t.Errorf("filed in %s, want %s", f, tt.folder)
			}
			if !bytes.Equal(before, c.export(id, true)) {
				t.Error("the question changed the match")
			}
			text := c.last(tt.seat).Text
			narrow(t, text)
			golden(t, "query/"+tt.name+".txt", answerText(c.last(tt.seat)))
		})
	}
	t.Run("talk", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 8)
		text := c.sends("democrat", "Hand on heart, that was lucky.\nRules are rules, and I keep to them.\nHistory repeats itself.\nMap out your plans!\nHAND").Text
		if n := strings.Count(text, ": not understood"); n != 4 || !strings.Contains(text, "- HAND: done") {
			t.Errorf("%d lines are ignored, want 4:\n%s", n, text)
		}
	})
	t.Run("beside an order", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		text := c.sends("communist", "HISTORY\nPLAY 14 EVENT\nDISCARDS").Text
		for _, want := range []string{"- HISTORY: done", "- PLAY 14 EVENT: done", "- DISCARDS: done", "\nTHE MAP\n", "\nTHE OPEN CARDS\n", "\nYOUR HAND\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("the answer lacks %q:\n%s", want, text)
			}
		}
	})
	t.Run("reply to the answer", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		c.sends("communist", "HAND")
		if text := c.sends("communist", "PLAY 14 EVENT").Text; !strings.Contains(text, "- PLAY 14 EVENT: done") {
			t.Errorf("an order in reply to an answer is not carried out:\n%s", text)
		}
	})
}

// TestStatsAreShort: the answer to STATS has ten lines at most, whoever asks and how often.
func TestStatsAreShort(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 53)
	for _, seat := range dawnSeats {
		text := c.sends(seat, "STATS\nSTATS").Text
		_, part, _ := strings.Cut(text, "DICE AND CARDS IN NUMBERS\n-------------------------\n")
		part, _, _ = strings.Cut(part, "\n\n")
		if n := strings.Count(part, "\n") + 1; n > 10 || n < 6 || strings.Count(text, "DICE AND CARDS") != 1 || !strings.Contains(part, "Power struggles won: ") {
			t.Errorf("%d lines:\n%s", n, text)
		}
		narrow(t, part)
	}
}

// TestHistoryIsTheLetters: HISTORY shows a seat exactly what its letters told, in
// the same words and each thing once, under the first letter that told it; RESEND shows
// exactly what the letter of that number told.
func TestHistoryIsTheLetters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		game    *rules.Game
		seats   []string
		letters int
	}{
		{"orchards", rulestest.Game(), orchards, 60},
		{"1989", dawn1989.Game(), dawnSeats, long.N(70, 160)},
		// The letters of the sample turn keep orders for later.
		{"sample", dawn1989.Game(), dawnSeats, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var c *club
			var id string
			if tt.letters == 0 {
				c, id = sampleAfter(t, len(txtar.Parse(testdata.SampleLetters).Files))
			} else {
				c = newClub(t, tt.game)
				id = c.match(tt.game.Name(), nil, tt.seats...)
				answerOften(t, c, tt.game, id, tt.seats, tt.letters, rand.New(rand.NewPCG(7, 7)))
			}
			for i, seat := range tt.seats {
				told := map[int][]string{}
				for n, l := range c.mailbox[address(seat)] {
					if lines := bullets(part(l.Text, "WHAT HAPPENED")); lines != nil {
						told[n+1] = lines
					}
				}
				pos, err := tt.game.Decode(c.position(id))
				if err != nil {
					t.Fatal(err)
				}
				last := tt.game.Turn(pos.View(rules.Seat(i)))
				seen := map[int][]string{}
				for turn := 1; turn <= last; turn++ {
					text := c.sends(seat, fmt.Sprintf("HISTORY %d", turn)).Text
					for n, lines := range byLetter(part(text, fmt.Sprintf("WHAT HAPPENED IN TURN %d", turn))) {
						if seen[n] != nil && !slices.Equal(seen[n], lines) {
							t.Errorf("%s: letter %d is told in two ways", seat, n)
						}
						seen[n] = lines
					}
				}
				for n, lines := range told {
					// "The play of 33 Sajudis continues." begins a part of a play that the letter tells whole.
					if len(seen[n]) > 1 && strings.HasSuffix(seen[n][0], " continues.") && !slices.Contains(lines, seen[n][0]) {
						seen[n] = seen[n][1:]
					}
					if own := len(seen[n]); own == 0 || own > len(lines) || !slices.Equal(seen[n], lines[len(lines)-own:]) {
						t.Errorf("%s: letter %d told\n%q\nHISTORY tells\n%q", seat, n, lines, seen[n])
					}
				}
				if len(seen) != len(told) {
					t.Errorf("%s: HISTORY tells of %d letters, %d told something", seat, len(seen), len(told))
				}
				checked := 0
				for n, lines := range told {
					if checked++; checked > 5 {
						break
					}
					text := c.sends(seat, fmt.Sprintf("RESEND %d", n)).Text
					if got := bullets(part(text, fmt.Sprintf("LETTER %d: WHAT HAPPENED", n))); !slices.Equal(got, lines) {
						t.Errorf("%s: letter %d told\n%q\nRESEND tells\n%q", seat, n, lines, got)
					}
					old := c.mailbox[address(seat)][n-1].Text
					for _, s := range []string{"THE MAP", "YOUR HAND", "WHAT IS KNOWN", "FIELDS"} {
						if got, want := part(text, fmt.Sprintf("LETTER %d: %s", n, s)), part(old, s); got != want && want != "" {
							t.Errorf("%s: %s of letter %d was\n%s\nRESEND shows\n%s", seat, s, n, want, got)
						}
					}
				}
			}
		})
	}
}

// answerOften answers open questions with orders of any sort.
func answerOften(t *testing.T, c *club, g *rules.Game, id string, seats []string, letters int, rnd *rand.Rand) {
	t.Helper()
	voted := map[rules.DecisionID]bool{}
	for range letters {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		owed := slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return voted[d.ID] })
		if len(owed) == 0 {
			return
		}
		d := owed[rnd.IntN(len(owed))]
		voted[d.ID] = d.Sealed
		line := g.FormatOrder(rulestest.Pick(pos, d, rnd.IntN))
		if a := c.sends(seats[d.Seat], line); strings.Contains(a.Text, "If you are sure, write ") {
			c.sends(seats[d.Seat], line+" FOR SURE")
		}
	}
}

// answerText is a letter without the question that it asks besides, and without
// hashes: other tests are about those.
func answerText(l message.Letter) string {
	text := unhashed(l).Text
	before, rest, ok := strings.Cut(text, "\nYOUR DECISION\n-------------\n")
	if !ok {
		return text
	}
	i := nextHeading.FindStringIndex(rest)
	if i == nil {
		i = []int{strings.Index(rest, "Reply to this letter and write")}
	}
	return before + "\n" + rest[i[0]:]
}

// part is what stands below a heading of a letter, up to the next one.
func part(text, heading string) string {
	_, rest, ok := strings.Cut(text, "\n"+heading+"\n"+strings.Repeat("-", len(heading))+"\n")
	if !ok && heading == "YOUR ORDERS" { // A short letter calls them so.
		return strings.TrimSuffix(ordersPart(text), "\n") + "\n"
	}
	if !ok {
		return ""
	}
	if i := nextHeading.FindStringIndex(rest); i != nil {
		rest = rest[:i[0]]
	}
	for _, foot := range []string{"\nReply to this letter", "\nYou need not reply."} {
		rest, _, _ = strings.Cut(rest, foot)
	}
	return strings.Trim(rest, "\n") + "\n"
}

var nextHeading = regexp.MustCompile(`(?m)^[A-Z0-9][^a-z]*\n-{4,}$`)

// bullets joins the lines of each bullet.
func bullets(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			out = append(out, line)
		case strings.HasPrefix(line, "  ") && len(out) > 0:
			out[len(out)-1] += " " + strings.TrimSpace(line)
		}
	}
	return out
}

// byLetter cuts a history into what each letter told.
func byLetter(text string) map[int][]string {
	out := map[int][]string{}
	for _, block := range strings.Split("\n"+text, "\nLetter ")[1:] {
		var n int
		if _, err := fmt.Sscanf(block, "%d:", &n); err == nil {
			out[n] = bullets(block)
		}
	}
	return out
}
