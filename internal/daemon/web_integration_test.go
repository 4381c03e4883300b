//go:build integration

package daemon

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/browsertest"
)

// TestServedInBrowser: the pages of a club ask for nothing that their policy forbids. The script of a match's page runs, and
// the link "check it yourself" opens the desk, which verifies the record.
func TestServedInBrowser(t *testing.T) {
	t.Parallel()
	s := newSiteTest(t, club.RegistrationOpen)
	m := s.match("mresign2", record.Resign, time.Time{})
	r := club.Result{Match: m.ID, Game: m.Game, Ended: m.Ended.At, How: "resigned"}
	c := club.Change{}
	for i, seat := range m.Seats {
		c.Members = append(c.Members, &club.Member{ID: seat.Player.ID, Name: seat.Name, Skeleton: seat.Name, State: club.MemberActive, Since: time.Now(),
			Address: seat.Player.Address})
		r.Seats = append(r.Seats, club.ResultSeat{Player: seat.Player.ID, Name: seat.Name, Won: i == 0})
	}
	c.ExaminedMatches = []club.ExaminedMatch{{Match: m.ID, Version: m.Version, Result: &r}}
	if err := s.DB.Apply(t.Context(), exchange.Change{Club: &c}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteSite(t.Context(), s.dir, false); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(newPagesHandler(s.dir))
	t.Cleanup(server.Close)
	ctx := browsertest.Tab(t, browsertest.Start(t), 1200, "light", server.URL+"/")
	browsertest.Do(t, ctx, chromedp.Navigate(server.URL+"/"))
	if style := browsertest.Ask[string](t, ctx, `getComputedStyle(document.body).maxWidth`); style != "1000px" {
		t.Errorf("the first page is %s wide: its style is not there", style)
	}
	browsertest.Do(t, ctx, chromedp.Navigate(server.URL+"/mresign2.html#1"))
	if browsertest.Ask[bool](t, ctx, `document.querySelector(".script").hidden`) || browsertest.Ask[string](t, ctx, `document.querySelector(".move[aria-current]").id`) != "1" {
		t.Error("the page's script does not run")
	}
	browsertest.Do(t, ctx, chromedp.Navigate(server.URL+"/"), chromedp.Click(chromedp.CSS(`a[href="desk/#check.mresign2"]`)), chromedp.WaitVisible(chromedp.ID("found")))
	if got := browsertest.Ask[string](t, ctx, `document.getElementById("found").textContent`); !strings.Contains(got, "Chance: 16 dice and cards, each is what the secret and the players' words give.") {
		t.Errorf("of the match the desk says:\n%s", got)
	}
}
