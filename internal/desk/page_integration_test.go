//go:build integration

package desk_test

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"samizdat/adjudicator/desklink"
	"samizdat/internal/desk"
	"samizdat/internal/test/browsertest"
	"samizdat/internal/test/recordtest"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// shots is where TestShots writes pictures of the page for the documents.
var shots = flag.String("shots", "", "directory to write pictures of the page to")

// serve serves the page with a record beside it, and returns its address.
func serve(t *testing.T, record []byte) string {
	t.Helper()
	if _, err := desk.Page(); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(desk.Handler(record))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// link returns the link of the seat that is to move after some steps of a match.
func link(t *testing.T, page string, g *rules.Game, seats, steps int, happened ...string) string {
	t.Helper()
	m, err := recordtest.Begin(recordtest.Plan{Game: g, ID: "m", Seats: seats, Revision: g.Revision(), Robot: "random", Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for range steps {
		if err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return linkTo(t, page, g, rules.Setup{Seats: seats, Revision: g.Revision()}, m.Position, happened...)
}

// linkTo returns the link of the seat with the first open decision of a position.
func linkTo(t *testing.T, page string, g *rules.Game, setup rules.Setup, pos rules.Position, happened ...string) string {
	t.Helper()
	seat := pos.OpenDecisions(nil)[0].Seat
	view, err := pos.View(seat).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	url, err := desklink.Link{Match: "m", Setup: setup, Seat: seat, Letter: 7, To: "referee+x@club.example", Subject: "Re: It is your move",
		Happened: happened, View: view}.URL(page, g)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// open opens a link in a tab, and waits for the page to be ready.
func open(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	browsertest.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(url), chromedp.WaitVisible(chromedp.ID("work")))
}

// TestInBrowser: the page writes nothing to the console and requests only its own files. axe-core finds no violation at 400 and
// 1200 pixels, light and dark.
func TestInBrowser(t *testing.T) {
	t.Parallel()
	page := serve(t, nil)
	ctx := browsertest.Start(t)
	dawn, revolution := link(t, page, dawn1989.Game(), 2, 30), link(t, page, revolution1789.Game(), 5, 9)
	for _, tt := range []struct {
		url, scheme string
		width       int
	}{{dawn, "light", 400}, {dawn, "dark", 1200}, {revolution, "dark", 400}, {revolution, "light", 1200}} {
		t.Run(fmt.Sprint(tt.width, "-", tt.scheme), func(t *testing.T) {
			ctx := browsertest.Tab(t, ctx, tt.width, tt.scheme, page)
			open(t, ctx, tt.url)
			browsertest.Check(t, ctx, tt.width)
		})
	}
}

// TestClicks: clicks add to an order until it is a line of the answer, which the mail program gets; Undo
// takes them back.
func TestClicks(t *testing.T) {
	t.Parallel()
	page := serve(t, nil)
	ctx := browsertest.Tab(t, browsertest.Start(t), 400, "light", page)
	open(t, ctx, link(t, page, dawn1989.Game(), 2, 30, "The Communist <b>places</b> 3."))
	if got := browsertest.Ask[string](t, ctx, `document.getElementById("news").innerText`); !strings.Contains(got, "- The Communist <b>places</b> 3.") {
		t.Errorf("of what happened the page says %q", got)
	}
	for range 3 {
		browsertest.Ask[bool](t, ctx, `document.querySelector("#map button.can").click(), true`)
	}
	const lines, want = `document.getElementById("text").value`, "PLACE Dresden 3"
	if got := browsertest.Ask[string](t, ctx, lines); got != want {
		t.Errorf("three clicks on a place make %q, want %q", got, want)
	}
	if got := browsertest.Ask[string](t, ctx, `document.getElementById("mail").href`); got !=
		"mailto:referee%2Bx@club.example?subject=Re%3A%20It%20is%20your%20move&body=PLACE%20Dresden%203%0D%0A" {
		t.Errorf("the mail program gets %q", got)
	}
	browsertest.Ask[bool](t, ctx, `document.getElementById("undo").click(), true`)
	if got := browsertest.Ask[string](t, ctx, lines); got != "" {
		t.Errorf("Undo leaves %q", got)
	}
	// Clicks come faster than the map is drawn.
	if !browsertest.Ask[bool](t, ctx, `(async () => {
		const click = (nth) => { for (let i = 0; i < 3; i++) document.querySelector('#questions button[data-atom="' + atoms[nth] + '"]').click(); };
		const map = () => new Promise((done) => setTimeout(() => done(document.querySelector("#map svg").innerHTML)));
		const atoms = [...document.querySelectorAll("#questions button")].map((b) => b.dataset.atom);
		click(0);
		const before = await map();
		document.getElementById("undo").click();
		click(1);
		return before !== await map();
	})()`) {
		t.Error("the map shows an order that was taken back")
	}
	const age = `document.getElementById("age").textContent`
	if got := browsertest.Ask[string](t, ctx, age); !strings.Contains(got, "If a later letter has come, open its link: the position may have moved on.") {
		t.Errorf("of its age a link says %q", got)
	}
	browsertest.Ask[bool](t, ctx, `localStorage.setItem("letter of m", 9), true`) // A later link was opened.
	open(t, ctx, link(t, page, dawn1989.Game(), 2, 30))
	if got := browsertest.Ask[string](t, ctx, age); got != "You have opened letter 9 here. This link is of letter 7: the position may have moved on." {
		t.Errorf("of its age an older link says %q", got)
	}
}

// TestBid: the questions for a bid and, after equal bids, for a side are answered by clicks. Few matches have them.
func TestBid(t *testing.T) {
	t.Parallel()
	page, g := serve(t, nil), dawn1989.Game()
	setup := rules.Setup{Seats: 2, Revision: g.Revision(), Options: g.Bidding}
	pos, err := g.Begin(setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(rulestest.NewDice(1), nil); err != nil {
		t.Fatal(err)
	}
	ctx := browsertest.Tab(t, browsertest.Start(t), 400, "light", page)
	open(t, ctx, linkTo(t, page, g, setup, pos))
	browsertest.Ask[bool](t, ctx, `[...document.querySelectorAll("#questions button")].find((b) => b.textContent === "BID COMMUNIST GIVE 2").click(), true`)
	if got := browsertest.Ask[string](t, ctx, `document.getElementById("mail").href`); !strings.HasSuffix(got, "&body=BID%20COMMUNIST%20GIVE%202%0D%0A") {
		t.Errorf("the mail program gets %q", got)
	}
	for range 2 {
		d := pos.OpenDecisions(nil)[0]
		if _, err := pos.Apply(d.ID, pos.Options(nil, d.ID)[0], rulestest.NewDice(1), nil); err != nil {
			t.Fatal(err)
		}
	}
	open(t, ctx, linkTo(t, page, g, setup, pos))
	browsertest.Ask[bool](t, ctx, `document.querySelector("#questions button").click(), true`)
	if got := browsertest.Ask[string](t, ctx, `document.getElementById("mail").href`); !strings.HasSuffix(got, "&body=CHOOSE%20DEMOCRAT%0D%0A") {
		t.Errorf("the mail program gets %q", got)
	}
}

// TestShots writes pictures of the page for the documents.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("writes pictures: -shots ../../docs/desk")
	}
	page := serve(t, nil)
	ctx := browsertest.Start(t)
	for _, tt := range []struct {
		scheme string
		width  int
	}{{"light", 1200}, {"dark", 400}} {
		ctx := browsertest.Tab(t, ctx, tt.width, tt.scheme, page)
		open(t, ctx, link(t, page, dawn1989.Game(), 2, 30, "The Democrat plays 16 Nomenklatura for Operations; its event comes first."))
		browsertest.Do(t, ctx, chromedp.WaitVisible(chromedp.ID("board")))
		browsertest.Picture(t, ctx, filepath.Join(*shots, fmt.Sprintf("1989-%s-%d.png", tt.scheme, tt.width)))
	}
}

// TestKeyboard: the keyboard alone leads to an order, and every button of the list and of the map has a name.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	page := serve(t, nil)
	ctx := browsertest.Tab(t, browsertest.Start(t), 400, "light", page)
	open(t, ctx, link(t, page, dawn1989.Game(), 2, 30))
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			browsertest.Do(t, ctx, chromedp.KeyEvent(k))
		}
	}
	const focused = `(document.activeElement.getAttribute("aria-label") || document.activeElement.textContent)`
	const lines = `document.getElementById("text").value`
	for i := range 3 {
		// The focus stays on the button that was pressed.
		for n := 0; browsertest.Ask[string](t, ctx, focused) != "PLACE Plzen"; n++ {
			if press(kb.Tab); n > 40 || i > 0 {
				t.Fatal("Tab does not lead to the button")
			}
		}
		press(kb.Enter)
	}
	if got := browsertest.Ask[string](t, ctx, lines); got != "PLACE Plzen 3" {
		t.Errorf("the keyboard makes %q", got)
	}
	// The last click on the map disables the button with the focus.
	if focused := browsertest.Ask[string](t, ctx, `(() => {
		document.getElementById("undo").click();
		const place = document.querySelector("#map button.can");
		place.focus();
		for (let i = 0; i < 3; i++) place.click();
		return document.activeElement.id;
	})()`); focused != "mail" {
		t.Errorf("after the last click the focus is on %q", focused)
	}
	if unnamed := browsertest.Ask[int](t, ctx, `[...document.querySelectorAll("button")].filter((b) => !b.textContent && !b.getAttribute("aria-label")).length`); unnamed > 0 {
		t.Errorf("%d buttons have no name", unnamed)
	}
}
