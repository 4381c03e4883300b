package adjudicator_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/desklink"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// deskPage is the address of the page that letters of tests link to.
const deskPage = "https://club.example/desk/"

// TestBoardLink: a letter that asks has one link to the desk in its text and one in its page, both to
// the position that it shows and to where its answer goes. Other letters have none, nor has any where
// the referee has no page.
func TestBoardLink(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"", deskPage} {
		c, _ := sampleAfter(t, 35)
		a := pages(c)
		c.adj.DeskURL = page
		for _, name := range []string{"democrat", "communist"} {
			c.sends(name, "STATUS") // Letters before had no page to link to.
		}
		asking, happened := 0, false
		for n := 35; n < 45; n++ {
			sampleLetter(t, c, n)
			for _, name := range []string{"democrat", "communist"} {
				outgoing := a.last(name)
				want := 0
				if page != "" && len(outgoing.Decisions) > 0 {
					want = 1
					asking++
				}
				if text, html := strings.Count(outgoing.Body, deskPage+"#"), strings.Count(outgoing.HTML, deskPage+"#"); text != want || html != want {
					t.Fatalf("letter %d to the %s has %d links and %d on its page, want %d:\n%s", outgoing.Number, name, text, html, want, outgoing.Body)
				}
				if want == 0 {
					continue
				}
				l, _, view, err := desklink.Read(rules.Games{dawn1989.Game()}, desklink.Find(outgoing.Body))
				if err != nil {
					t.Fatal(err)
				}
				happened = happened || len(l.Happened) > 0
				for _, said := range l.Happened {
					if first, _, _ := strings.Cut(said, " "); !strings.Contains(outgoing.Body, "- "+first) {
						t.Errorf("the link tells %q, and its letter\n%s", said, outgoing.Body)
					}
				}
				if !strings.Contains(outgoing.Body, dawn1989.Game().Status(view)) || l.Letter != outgoing.Number || l.Match != outgoing.Match {
					t.Errorf("letter %d to the %s links to letter %d: %s", outgoing.Number, name, l.Letter, dawn1989.Game().Status(view))
				}
			}
		}
		if page != "" && (asking == 0 || !happened) {
			t.Errorf("%d letters ask; a link tells what happened: %t", asking, happened)
		}
	}
}

// TestPracticeLink: the invitation of a new player has a link to rules of thumb and a practice match, where the referee has
// the page.
func TestPracticeLink(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"", deskPage} {
		c := newClub(t, dawn1989.Game())
		c.adj.DeskURL = page
		if _, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{address("democrat"), address("communist")}}); err != nil {
			t.Fatal(err)
		}
		c.deliver()
		if text := c.last("democrat").Text; strings.Contains(text, "\n\n"+deskPage+"#practice.1989\n") != (page != "") {
			t.Errorf("with the page %q the invitation says\n%s", page, text)
		}
	}
}
