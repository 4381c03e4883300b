package clubmail_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/club/tournament"
)

// TestLife is the life of two members, letter by letter, and a season of theirs.
func TestLife(t *testing.T) {
	t.Parallel()
	for _, story := range []string{"life", "season", "habits"} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", story, "script.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			h := newHouse(t)
			read := map[string]int{}
			var out strings.Builder
			for _, f := range txtar.Parse(text).Files {
				name, how, _ := strings.Cut(f.Name, " ")
				said := strings.TrimSpace(string(f.Data))
				fmt.Fprintf(&out, "######## %s %s: %s\n\n", name, how, strings.ReplaceAll(said, "\n", " / "))
				h.does(name, how, said)
				for _, name := range []string{"Ada", "Ben"} {
					box := h.mailbox[at(name)]
					for ; read[name] < len(box); read[name]++ {
						l := box[read[name]]
						narrow(t, l.Text)
						if how != "orders" {
							fmt.Fprintf(&out, "==== To %s: %s\n\n%s\n", name, l.Subject, told(l.Subject, l.Text))
						}
					}
				}
			}
			golden(t, story+"/letters.txt", masked(out.String()))
		})
	}
}

// does is one step of a story.
func (h *house) does(name, how, text string) {
	h.t.Helper()
	switch how {
	case "writes":
		h.writes(name, text)
	case "answers":
		h.answers(name, text)
	case "plays":
		h.reply(name, h.ofMatch(name), text)
	case "orders":
		n, err := strconv.Atoi(text)
		if err != nil {
			h.t.Fatal(err)
		}
		m := h.match("Ada")
		h.plays(m.ID, n, m.Seats[0].PlayerName, m.Seats[1].PlayerName)
	case "holds":
		h.holds(text, tournament.Terms{Kind: tournament.RoundRobin})
	case "waits":
		d, err := time.ParseDuration(text)
		if err != nil {
			h.t.Fatal(err)
		}
		h.now = h.now.Add(d)
		if _, _, err := h.adj.RunDueTasks(h.t.Context(), h.now, nil); err != nil {
			h.t.Fatal(err)
		}
		h.due()
		h.due()
	default:
		h.t.Fatalf("%s is nothing to do", how)
	}
}

// points are those of a match, which chance changes.
var points = regexp.MustCompile(`VP\s-?\d+(\s\(\w+\sahead\))?`)

// seats are those of a match of which the sides are bid for.
var seats = regexp.MustCompile(`(Ada|Ben) \((Democrat|Communist)\)\s+beat\s+(Ada|Ben) \((Democrat|Communist)\):\s+time\s+forfeit`)

// told is what a letter says: of one about a match the beginning, which chance does not change.
func told(subject, text string) string {
	_, text, _ = strings.Cut(text, "\n\n")
	if !strings.HasSuffix(subject, "]") {
		return seats.ReplaceAllString(withoutHelp(text), "Ada and Ben (sides by bids): time forfeit")
	}
	text, _, _ = strings.Cut(text, "\n\n")
	if strings.Contains(text, "The players are bidding for sides.") {
		text, _, _ = strings.Cut(text, "\n") // A lot says who is the first player.
		text = regexp.MustCompile(`\((first|second) player\)`).ReplaceAllString(text, "(one player)")
	}
	return points.ReplaceAllString(text, "VP N") + "\n...\n"
}

// masked hides what another run has otherwise.
func masked(text string) string {
	for i, re := range []*regexp.Regexp{regexp.MustCompile(`\bm[a-z2-7]{7}\b`), regexp.MustCompile(`\b[0-9a-f]{64}\b`)} {
		names := map[string]string{}
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			if names[s] == "" {
				names[s] = fmt.Sprintf("%s%d", []string{"MATCH", "NUMBER"}[i], len(names)+1)
			}
			return names[s]
		})
	}
	return text
}
