//go:build integration

package desk_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"samizdat/adjudicator/desklink"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/browsertest"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// How many whole matches TestMatches plays, and the seed of the first.
var (
	of1989 = flag.Int("desk-1989", 1, "how many matches of 1989 are clicked")
	of1789 = flag.Int("desk-1789", 1, "how many matches of 1789 are clicked")
	seed   = flag.Uint64("desk-seed", 1, "seed of the first match")
)

// clicked clicks an answer together in the page that is open: on the map where a place stands for the
// option, else on the button. It returns the link for the mail program.
const clicked = `(async (fragment, atoms) => {
	const byID = (id) => document.getElementById(id);
	location.hash = fragment;
	await new Promise((done) => addEventListener("hashchange", done, {once: true}));
	if (byID("work").hidden) return "closed: " + byID("status").textContent;
	const times = [];
	for (const [i, atom] of atoms.entries()) {
		let b = document.querySelector('#questions button[data-atom="' + atom + '"]');
		if (!b && i === atoms.length - 1 && !byID("done").hidden) b = byID("done"); // The end of a list.
		if (!b) return "no button for part " + i + " of " + atoms.length + ": " + byID("questions").textContent;
		const place = b.dataset.places && b.dataset.places.split(" ");
		if (place && i % 2) {
			const here = [...document.querySelectorAll("#questions button")].filter((o) => (o.dataset.places || "").split(" ").includes(place[0]));
			const on = document.querySelector('#map button.can[data-place="' + place[0] + '"]');
			if (on && here.length === 1) b = on;
		}
		const from = performance.now();
		b.click();
		times.push(performance.now() - from);
	}
	if (!byID("done").hidden) byID("done").click();
	return JSON.stringify({Mail: byID("mail").href, Times: times});
})`

// clicks are what clicked returns.
type clicks struct {
	Mail  string
	Times []float64
}

// TestMatches plays whole matches by mail in which each order is clicked together on the page of the
// letter's link. Every order is accepted, and the record has the orders that the robots chose.
func TestMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole matches by mail")
	}
	page := serve(t, nil)
	for _, tt := range []struct {
		game     *rules.Game
		seats, n int
	}{{dawn1989.Game(), 2, *of1989}, {revolution1789.Game(), 5, *of1789}} {
		kinds := map[string]int{}
		var times []float64
		for n := range tt.n {
			t.Run(fmt.Sprint(tt.game.Name(), "-", n), func(t *testing.T) { clickMatch(t, page, tt.game, tt.seats, *seed+uint64(n), kinds, &times) })
		}
		slices.Sort(times)
		if len(times) > 0 {
			t.Logf("%s: %d clicks, the median took %.1f ms, the 99th percentile %.1f ms", tt.game.Name(), len(times), times[len(times)/2], times[len(times)*99/100])
		}
		for _, k := range slices.Sorted(maps.Keys(kinds)) {
			t.Logf("%s: %d answers to %q", tt.game.Name(), kinds[k], k)
		}
	}
}

// clickMatch plays a match.
func clickMatch(t *testing.T, page string, g *rules.Game, seats int, seed uint64, kinds map[string]int, times *[]float64) {
	ctx := browsertest.Tab(t, browsertest.StartFor(t, 15*time.Minute), 1200, "light", page)
	browsertest.Do(t, ctx, chromedp.Navigate(page))
	for browsertest.Ask[bool](t, ctx, `!window.deskState`) {
		time.Sleep(10 * time.Millisecond)
	}
	setup, err := rules.NewSetup(g, seats)
	if err != nil {
		t.Fatal(err)
	}
	names := g.SeatNames(setup)
	cfg := config.Local(t.TempDir(), names)
	cfg.Desk = page
	var chosen []string
	states := map[int]string{} // The hashes of the positions after the chosen orders, where no chance follows, by order.
	write := func(l message.Letter, pos rules.Position, d rules.Decision, atoms []rules.Atom) (string, error) {
		fragment := desklink.Find(l.Text)
		if fragment == "" {
			return "", errors.New("the letter has no link:\n" + l.Text)
		}
		ask, err := json.Marshal(atoms)
		if err != nil {
			return "", err
		}
		said := browsertest.Ask[string](t, ctx, fmt.Sprintf("%s(%q, %s)", clicked, fragment, ask))
		var c clicks
		if err := json.Unmarshal([]byte(said), &c); err != nil {
			return "", fmt.Errorf("%s for %s: %s", d.Kind, g.FormatOrder(atoms), said)
		}
		*times = append(*times, c.Times...)
		u, err := url.Parse(c.Mail)
		if err != nil {
			return "", err
		}
		text := u.Query().Get("body")
		kinds[d.Kind]++
		if to, err := url.PathUnescape(u.Opaque); err != nil || !strings.EqualFold(to, l.ReplyTo[0]) || !strings.HasPrefix(text, g.FormatOrder(atoms)) {
			return "", fmt.Errorf("the page begins a letter to %s, for %s, with %q, and %s was clicked", u.Opaque, l.ReplyTo, text, g.FormatOrder(atoms))
		}
		if !d.Ballot && !d.Sealed {
			r, err := gate.Check(pos, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}})
			if err != nil {
				return "", err
			}
			if !r.Stalled {
				if states[len(chosen)], err = record.HashPosition(g, r.Position); err != nil {
					return "", err
				}
			}
			chosen = append(chosen, g.FormatOrder(atoms))
		}
		return text, nil
	}
	err = demo.WithPlayers(t.Context(), cfg, rules.Games{g}, names, func(d *daemon.Daemon, p *demo.Players) error {
		m, err := demo.NewMatch(t.Context(), d, p, g, seed, demo.Options{WriteAnswer: write})
		if err != nil {
			return err
		}
		if err := m.Play(t.Context()); err != nil {
			return err
		}
		rec, err := d.Adjudicator.Export(t.Context(), m.ID, true)
		if err != nil {
			return err
		}
		var orders []string
		compared := 0
		for i, e := range rec.Entries() {
			if want := states[len(orders)]; len(e.Orders) == 1 && want != "" && len(e.Chance) == 0 {
				if compared++; e.State != want {
					return fmt.Errorf("entry %d: %q leads to another position than the answer of the robot", i, e.Orders)
				}
			}
			orders = append(orders, e.Orders...)
		}
		if compared < len(orders)/4 {
			return fmt.Errorf("of %d orders only %d positions were compared", len(orders), compared)
		}
		if !slices.Equal(orders, chosen) {
			return fmt.Errorf("the record has the orders\n%q\nand clicked were\n%q", orders, chosen)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
