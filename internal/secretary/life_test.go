package secretary_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestLife is the life of two members, letter by letter.
func TestLife(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/life/script.txtar")
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	read := map[string]int{}
	var out strings.Builder
	for _, f := range txtar.Parse(text).Files {
		who, how, _ := strings.Cut(f.Name, " ")
		said := strings.TrimSpace(string(f.Data))
		fmt.Fprintf(&out, "######## %s %s: %s\n\n", who, how, strings.ReplaceAll(said, "\n", " / "))
		switch how {
		case "writes":
			h.writes(who, said)
		case "answers":
			h.answers(who, said)
		case "plays":
			h.reply(who, h.ofMatch(who), said)
		case "waits":
			d, err := time.ParseDuration(said)
			if err != nil {
				t.Fatal(err)
			}
			h.now = h.now.Add(d)
			if _, _, err := h.adj.Due(t.Context(), h.now, nil); err != nil {
				t.Fatal(err)
			}
			h.due()
			h.due()
		default:
			t.Fatalf("%s is nothing to do", how)
		}
		for _, name := range []string{"Ada", "Ben"} {
			box := h.mailbox[at(name)]
			for ; read[name] < len(box); read[name]++ {
				l := box[read[name]]
				narrow(t, l.Text)
				fmt.Fprintf(&out, "==== To %s: %s\n\n%s\n", name, l.Subject, told(l.Subject, l.Text))
			}
		}
	}
	golden(t, "life/letters.txt", masked(out.String()))
}

// told is what a letter says: of one about a match the beginning, which chance does not change.
func told(subject, text string) string {
	_, text, _ = strings.Cut(text, "\n\n")
	if !strings.HasSuffix(subject, "]") {
		return withoutHelp(text)
	}
	text, _, _ = strings.Cut(text, "\n\n")
	return text + "\n...\n"
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
