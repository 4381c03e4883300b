package clubmail_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
)

// TestMisuse: every order of the club, misused in three ways, has an answer that helps, and
// bothers nobody else.
func TestMisuse(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/misuse.txtar")
	if err != nil {
		t.Fatal(err)
	}
	letters := txtar.Parse(text).Files
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.answers("Ben", "OFFER 1989")
	others := len(h.mailbox[at("Ben")]) + len(h.mailbox[at("Cleo")])
	misused := map[string]int{}
	var out strings.Builder
	for _, f := range letters {
		got := h.answers("Ada", string(f.Data)).Text
		narrow(t, got)
		_, got, _ = strings.Cut(got, "\n\n")
		got, page, _ := strings.Cut(got, "WHAT YOU CAN WRITE")
		if page != "" {
			got += "(and the page on orders)\n"
		}
		fmt.Fprintf(&out, "== %s ==\n%s\n%s\n", f.Name, strings.TrimSpace(string(f.Data)), strings.TrimPrefix(strings.TrimSpace(got), "YOUR LETTER\n-----------\n\n"))
		misused[f.Name[:len(f.Name)-2]]++
		if m, err := h.db.Club.MemberByAddress(t.Context(), at("Ada")); err != nil || m == nil {
			t.Fatal(m, err)
		} else if m.State != club.MemberActive {
			h.answers("Ada", "REGISTER Ada")
		}
	}
	golden(t, "misuse-answers.txt", out.String())
	for _, e := range letter.OrderSpecsByRole[letter.RoleMember] {
		if word := string(e.Word); misused[word] != 3 {
			t.Errorf("%s is misused in %d ways", word, misused[word])
		}
	}
	if n := len(h.mailbox[at("Ben")]) + len(h.mailbox[at("Cleo")]) - others; n > 0 {
		t.Errorf("others got %d letters", n)
	}
}
