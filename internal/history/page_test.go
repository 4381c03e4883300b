package history_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/history"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// everything is a reader who may know all.
var everything = history.Reader{Seat: rules.NoSeat, All: true}

// told is the page of a record for a reader.
func told(t testing.TB, g *rules.Game, rec *record.Record, r history.Reader) (page string, s *history.Story) {
	t.Helper()
	s, err := history.NewStory(g, rec, r)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := s.HTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String(), s
}

var (
	scripts   = regexp.MustCompile(`(?s)<script[^>]*>.*?</script>|<style>.*?</style>`)
	ids       = regexp.MustCompile(` id="([^"]*)"`)
	links     = regexp.MustCompile(` href="([^"]*)"`)
	elsewhere = regexp.MustCompile(` src=|srcset=|url\(|@import|fetch\(|XMLHttpRequest|https?://`)
)

// checkForm holds what every page must be: well-formed, and nothing from elsewhere.
func checkForm(t testing.TB, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(scripts.ReplaceAllString(page, "")))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "link", "input"}, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
	}
	have := map[string]bool{}
	for _, m := range ids.FindAllStringSubmatch(page, -1) {
		if have[m[1]] {
			t.Errorf("two elements have the id %s", m[1])
		}
		have[m[1]] = true
	}
	for _, m := range links.FindAllStringSubmatch(page, -1) {
		if id, inside := strings.CutPrefix(m[1], "#"); !have[id] && m[1] != "data:," || !inside && m[1] != "data:," {
			t.Errorf("a link leads to %s", m[1])
		}
	}
	own := strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, "")
	if found := elsewhere.FindString(own); found != "" {
		t.Errorf("something is taken from elsewhere: %s", found)
	}
}

// TestPage: the page of a whole match is small, has all that was played as text, and as many
// positions of the map.
func TestPage(t *testing.T) {
	t.Parallel()
	rec := whole(t)
	page, s := told(t, dawn1989.Game(), rec, everything)
	checkForm(t, page)
	if len(page) > 2_000_000 || len(s.Moves) < 100 {
		t.Errorf("%d bytes for %d moves", len(page), len(s.Moves))
	}
	dice := 0
	for _, e := range rec.Entries() {
		for _, o := range e.Chance {
			if o.Roll > 0 {
				dice++
			}
		}
		if !strings.Contains(page, fmt.Sprintf(`<article class="move" id="%d">`, e.Seq)) {
			t.Errorf("entry %d has no place", e.Seq)
		}
		for _, o := range e.Orders {
			if !strings.Contains(page, "<code>"+o+"</code>") {
				t.Errorf("entry %d: %s is missing", e.Seq, o)
			}
		}
		if !strings.Contains(page, e.Hash) {
			t.Errorf("entry %d: its hash is missing", e.Seq)
		}
	}
	if n := strings.Count(page, `<span class="die">`); n != dice {
		t.Errorf("%d dice are shown of %d", n, dice)
	}
	for _, want := range []string{"The Democrat has won (New Year&#39;s Eve Party).", "<h3>The power struggle in Poland</h3>", "attacks with", "What the Democrat holds", "What the Communist holds",
		"Victory points: 0 at first, 17 at the end", `<desc id="map-words">`, "<h2>Turn 9</h2>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	var data struct {
		Changes [][]int
		Words   []string
	}
	_, text, _ := strings.Cut(page, `id="data">`)
	text, _, _ = strings.Cut(text, "</script>")
	if err := json.Unmarshal([]byte(text), &data); err != nil || len(data.Changes) != len(s.Moves) || len(data.Words) != len(s.Moves) {
		t.Errorf("the map has %d positions, and words for %d: %v", len(data.Changes), len(data.Words), err)
	}
}

// TestPageHidden: what one seat must not know changes no byte of its page, nor of that for
// everybody, and changes that of the seat whose card it is: after the deal, and after a turn
// with a power struggle.
func TestPageHidden(t *testing.T) {
	t.Parallel()
	full := whole(t)
	for entries, cards := range map[int]struct {
		held, undrawn int
		name          string
	}{6: {7, 9, "State Run Media"}, 60: {9, 28, "The Wall"}} {
		part := func(dealt int) *record.Record {
			rec := &record.Record{Header: full.Header}
			for _, e := range full.Entries()[:entries] {
				c := *e
				c.Hash, c.Prev, c.Sealed, c.State, c.Chance = "", "", "", "", slices.Clone(e.Chance)
				for k, o := range c.Chance {
					if o.Draw == cards.held && o.To == "democrat" {
						c.Chance[k].Draw = dealt
					}
					c.Chance[k].I, c.Chance[k].N = nil, nil
				}
				rec.Add(c)
			}
			return rec
		}
		one, two := part(cards.held), part(cards.undrawn)
		for name, r := range map[string]history.Reader{"everybody": {Seat: rules.NoSeat}, "democrat": {Seat: 0}, "communist": {Seat: 1}} {
			a, _ := told(t, dawn1989.Game(), one, r)
			b, _ := told(t, dawn1989.Game(), two, r)
			if isSame := a == b; isSame != (name != "democrat") {
				t.Errorf("after %d entries, for the %s: the pages are the same: %t", entries, name, isSame)
			}
			if strings.Contains(a, cards.name) != (name == "democrat") {
				t.Errorf("after %d entries the %s is shown a card, or is not", entries, name)
			}
		}
	}
}

// TestPageOfAnyGame: games of 2 to 12 seats, without a map, have pages for everybody and
// for each seat.
func TestPageOfAnyGame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		game  *rules.Game
		seats int
	}{{rulestest.Game(), 3}, {council.Game(), 2}, {council.Game(), 5}, {council.Game(), 12}, {revolution1789.Game(), 4}} {
		t.Run(fmt.Sprint(tt.game.Name(), tt.seats), func(t *testing.T) {
			t.Parallel()
			rec := played(t, tt.game, tt.seats, 5)
			page, s := told(t, tt.game, rec, everything)
			checkForm(t, page)
			if len(s.Moves) != len(rec.Entries()) || !s.IsOver || !strings.Contains(page, s.Result[:8]) {
				t.Errorf("%d moves of %d, over %t: %s", len(s.Moves), len(rec.Entries()), s.IsOver, s.Result)
			}
			if isDrawn := tt.game.Map != nil; strings.Contains(page, "How the match stands") == isDrawn {
				t.Error("there is a map beside words of how the match stands, or neither")
			}
			for seat := range tt.seats {
				told(t, tt.game, rec, history.Reader{Seat: rules.Seat(seat)})
			}
		})
	}
}

// TestPrivateOrders are shown to their seat, and to all at the end.
func TestPrivateOrders(t *testing.T) {
	t.Parallel()
	rec := played(t, rulestest.Game(), 3, 5)
	keeps := func(r history.Reader) (n int) {
		_, s := told(t, rulestest.Game(), rec, r)
		for _, m := range s.Moves {
			for _, o := range m.Orders {
				n += len(slices.DeleteFunc(slices.Clone(o.Lines), func(l string) bool { return !strings.HasPrefix(l, "KEEP ") }))
			}
		}
		return n
	}
	own := 0
	for seat := range 3 {
		own += keeps(history.Reader{Seat: rules.Seat(seat)})
	}
	if total, none := keeps(everything), keeps(history.Reader{Seat: rules.NoSeat}); total == 0 || own != total || none != 0 {
		t.Errorf("all see %d, the seats %d together, everybody %d", total, own, none)
	}
}

// TestActs: what is done beside play is told in the words of letters, and what is taken back
// stays to be read, and does not count.
func TestActs(t *testing.T) {
	t.Parallel()
	full := whole(t)
	rec := &record.Record{Header: full.Header}
	add := func(e record.Entry) {
		e.Seq, e.Hash, e.Prev, e.Sealed, e.State = len(rec.Steps), "", "", "", ""
		rec.Add(e)
	}
	for _, e := range full.Entries()[:3] {
		add(*e)
	}
	first, last := full.Entries()[0].At, full.Entries()[2].At
	back := record.Entry{Seat: "democrat", FirstTakenBack: 2, Epoch: 1}
	for _, e := range []record.Entry{
		back,
		{Epoch: 1, Act: &record.Act{Kind: record.Tell, By: record.ByDirector, Why: "<b>Be kind.</b>"}},
		{Epoch: 2, FirstTakenBack: 1, Act: &record.Act{Kind: record.Undo, By: record.ByDirector, Why: "wrong match", Until: first}},
		{Epoch: 2, Seat: "communist", Player: "player 3"},
		{Epoch: 3, Act: &record.Act{Kind: record.Restore, By: record.ByOperator, Until: last}},
	} {
		e.At = last
		add(e)
	}
	page, s := told(t, dawn1989.Game(), rec, history.Reader{Seat: rules.NoSeat})
	for _, want := range []string{
		"the Democrat takes back &#34;" + full.Entries()[2].Orders[0] + "&#34; and everything after it.", "The director told everyone: &#34;&lt;b&gt;Be kind.&lt;/b&gt;&#34;.",
		"The director undid everything since 4 June 1989, 09:00 UTC.", "A new player has taken the seat of the Communist.", "restored a backup",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if !strings.Contains(s.Status, "set-up") || len(s.Moves) != 8 {
		t.Errorf("after %d moves it is %s", len(s.Moves), s.Status)
	}
}

// TestScriptHash: the script of a page is the one that its hash lets run.
func TestScriptHash(t *testing.T) {
	t.Parallel()
	page, _ := told(t, council.Game(), played(t, council.Game(), 5, 5), everything)
	_, remaining, _ := strings.Cut(page, "<script>")
	script, _, found := strings.Cut(remaining, "</script>")
	sum := sha256.Sum256([]byte(script))
	if want := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !found || history.ScriptHash() != want {
		t.Errorf("the page's script has %s, and %s may run", want, history.ScriptHash())
	}
}
