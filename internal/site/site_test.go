package site_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/net/html"

	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/club/usage"
	"samizdat/internal/site"
	"samizdat/internal/test/long"
)

var begin = time.Date(2026, 8, 3, 9, 0, 0, 0, time.UTC)

// club is one of n players with m results, made up.
func club(t testing.TB, n, m int) *site.Club {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	c := &site.Club{Name: "The <Quiet> Club", Address: "club@example.org", Join: "Write REGISTER and your name to club@example.org."}
	for i := range n {
		c.Players = append(c.Players, site.Member{ID: site.Player(i + 1), Name: fmt.Sprintf("Player & %d", i+1), Since: begin, Left: i%50 == 49, Pace: "Answers within 5 hours."})
	}
	for i := range m {
		addResult(c, r, i, begin.Add(time.Duration(i)*100*24*time.Hour/time.Duration(m)))
	}
	for i := range n / 2 {
		c.Running = append(c.Running, site.RunningMatch{Match: fmt.Sprint("run", i), Game: "1989", Players: []site.Player{site.Player(2*i + 1), site.Player(2*i + 2)},
			Seats: []string{"Democrat", "Communist"}, State: "turn 3; round 2", Since: begin})
	}
	open, err := tournament.New(tournament.Terms{Kind: tournament.KnockOut})
	if err != nil {
		t.Fatal(err)
	}
	swiss, err := tournament.New(tournament.Terms{Kind: tournament.Swiss, Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	var seeds []pairing.ID
	for i := range min(n, 7) {
		if err := swiss.Enter(pairing.ID(i + 1)); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, pairing.ID(i+1))
	}
	if err := swiss.Start(seeds); err != nil {
		t.Fatal(err)
	}
	for i, at := range swiss.UnstartedMeetings() {
		if err := swiss.RecordStart(at, fmt.Sprint("cup", i)); err != nil {
			t.Fatal(err)
		}
	}
	swiss.RecordResult("cup0", &[2]int{1, 1})
	c.Tournaments = []site.Tournament{{Name: "autumn-cup", Title: "The autumn cup", Game: "1989", Starts: begin, Tournament: swiss},
		{Name: "spring", Title: "Spring", Game: "1789", Starts: begin, Tournament: open}}
	played := usage.NewTotals()
	played.Add(usage.Match{LastTurn: 7, Dice: map[string][6]int{"democrat": {1, 2, 3, 4, 5, 6}}, Openings: map[string]string{"democrat": "Gdansk 2"},
		Plays: map[string]map[string][]int{"democrat": {"14 event": {3}}}}, map[string]usage.Score{"democrat": {N: 1, Won: 1}, "communist": {N: 1}})
	c.Notices = []site.Notice{{At: begin, Text: "The cup <b>begins</b>.\nWelcome."}}
	c.Acts = []site.Notice{{At: begin, Text: "m7 annulled: both agreed."}}
	rate(c)
	c.Games[0].Usage = played
	return c
}

func addResult(c *site.Club, r *rand.Rand, i int, ended time.Time) {
	a := site.Player(1 + r.IntN(len(c.Players)))
	b := 1 + a%site.Player(len(c.Players))
	res := site.Result{Match: fmt.Sprint("m", i), Game: "1989", Ended: ended, Players: []site.Player{a, b}, Seats: []string{"Democrat", "Communist"},
		Won: []bool{r.IntN(3) > 0, false}, How: "by support", Rated: i%10 != 3, Files: site.Files{History: fmt.Sprintf("m%d.html", i), Record: fmt.Sprintf("m%d.jsonl", i), Check: fmt.Sprintf("desk/#check.m%d", i)}}
	res.Won[1] = !res.Won[0] && r.IntN(4) > 0
	if i%17 == 5 {
		res.Annulled = "both asked for it"
	}
	c.Results = append(c.Results, res)
}

// rate makes the ladders out of the results.
func rate(c *site.Club) {
	var results []ladder.Result
	for _, r := range c.Results {
		if !r.Rated || r.Annulled != "" {
			continue
		}
		x := ladder.Result{Match: r.Match, Ended: r.Ended, Drawn: !slices.Contains(r.Won, true)}
		for i, p := range r.Players {
			x.Seats = append(x.Seats, ladder.Seat{Player: p, Won: r.Won[i]})
		}
		results = append(results, x)
	}
	c.Games = []site.Game{{Name: "1989", Title: "1989: Dawn of Freedom", Seats: []string{"Democrat", "Communist"}, Ladder: ladder.Compute(begin.Add(101*24*time.Hour), results)},
		{Name: "1789", Title: "1789"}}
}

// read is what stands in a directory.
func read(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name()] = string(text)
	}
	return out
}

func write(t testing.TB, c *site.Club, dir string) site.WriteResult {
	t.Helper()
	w, err := c.Write(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestPages: all pages are whole, what people have written is text in them, each link leads to
// a page or to a match's, and no address but the club's stands anywhere.
func TestPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := club(t, 60, 200)
	write(t, c, dir)
	pages := read(t, dir)
	if home := pages["index.html"]; !strings.Contains(home, "1989 run3") || !strings.Contains(home, "All 30 matches") || !strings.Contains(home, "The cup ") {
		t.Errorf("the first page has no running match, or no announcement:\n%s", home)
	}
	for name, text := range pages {
		if remaining := strings.ReplaceAll(text, c.Address, ""); strings.Contains(remaining, "@") && !strings.Contains(remaining, "@media") || strings.Count(remaining, "@") > strings.Count(remaining, "@media") {
			t.Errorf("%s holds an address", name)
		}
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		doc, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		headings := 0
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			switch n.Data {
			case "quiet", "b":
				if n.Data == "quiet" || n.Parent.Data != "div" {
					t.Errorf("%s: text became an element: %s", name, n.Data)
				}
			case "h1":
				headings++
			case "a", "link":
				for _, a := range n.Attr {
					if a.Key != "href" || a.Val == "data:," {
						continue
					}
					to, _, _ := strings.Cut(a.Val, "#")
					if to != "" && pages[to] == "" && !strings.HasPrefix(to, "m") && to != "desk/" {
						t.Errorf("%s leads to %q, which is not there", name, a.Val)
					}
				}
			}
		}
		if headings != 1 {
			t.Errorf("%s has %d headings", name, headings)
		}
	}
	for page, words := range map[string]string{
		"index.html": "Write REGISTER", "tournament-autumn-cup.html": "½ : ½", "tournament-spring.html": "ENTER spring", "log.html": "m7 annulled",
		"ladder-1989.html": "about equal", "player-1.html": "Has played", "player-2.html": "Answers within 5 hours.", "results.html": "September 2026", "results-2026-09.html": "samizdat verify m", "matches.html": "turn 3; round 2", "statistics-1989.html": "Gdansk 2",
	} {
		if !strings.Contains(pages[page], words) {
			t.Errorf("%s does not say %q", page, words)
		}
	}
}

// strictSchema returns the schema of the data, which allows no member without a description here.
func strictSchema(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var closeObjects func(any)
	closeObjects = func(v any) {
		if v, ok := v.(map[string]any); ok {
			if v["type"] == "object" && v["properties"] != nil {
				v["additionalProperties"] = false
			}
			for _, inner := range v {
				closeObjects(inner)
			}
		}
	}
	for name, def := range doc.(map[string]any)["$defs"].(map[string]any) {
		if name != "position" {
			closeObjects(def)
		}
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("club.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("club.schema.json")
}

// TestData: beside each page are its data, in the form that the schema describes; the links of pages to data, feeds and calendars lead to
// files; data that the schema does not describe are refused.
func TestData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, club(t, 60, 200), dir)
	files := read(t, dir)
	schema := strictSchema(t, files["club.schema.json"])
	validate := func(text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(doc)
	}
	for name := range files {
		page, ok := strings.CutSuffix(name, ".html")
		if !ok {
			continue
		}
		if err := validate(files[page+".json"]); err != nil {
			t.Errorf("%s.json: %v", page, err)
		}
	}
	for what, change := range map[string][2]string{"a new member": {`"name":"Player`, `"address":"x","name":"Player`}, "a missing member": {`"since"`, `"sinze"`},
		"another version": {`"version":1`, `"version":2`}, "an unknown kind": {`"kind":"player"`, `"kind":"prayer"`}, "a local time": {`:00Z"`, `:00+02:00"`}} {
		changed := strings.Replace(files["player-1.json"], change[0], change[1], 1)
		if changed == files["player-1.json"] || validate(changed) == nil {
			t.Errorf("the schema allows %s", what)
		}
	}
	for file, words := range map[string]string{"ladder-1989.json": `"players":[{"player":{"id":`, "player-1.json": `"weeks":[{"week":"2026-`,
		"tournament-autumn-cup.json": `"points":[0.5,0.5]`, "statistics-1989.json": `{"card":14,"seat":"democrat","how":"event","n":1,"won":1,"drawn":0,"turns":{"3":1}}`,
		"matches.json": `"state":"turn 3; round 2"`, "results.json": `"results-2026-09.json"`,
		"tournament-autumn-cup.ics": "SUMMARY:The autumn cup: round 1", "tournament-spring.ics": "DTSTART:20260803T090000Z",
		"announcements.atom": "<title>The cup &lt;b&gt;begins&lt;/b&gt;.</title>"} {
		if !strings.Contains(files[file], words) {
			t.Errorf("%s does not contain %q", file, words)
		}
	}
}

// element is what each feed and entry of Atom must have (RFC 4287, 4.1).
type element struct {
	ID      string    `xml:"id"`
	Title   string    `xml:"title"`
	Updated time.Time `xml:"updated"`
	Links   []struct {
		Href string `xml:"href,attr"`
	} `xml:"link"`
}

// readFeed reads the feed of a directory, and checks its form.
func readFeed(t *testing.T, dir string) (entries []element) {
	t.Helper()
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		element
		Author  string    `xml:"author>name"`
		Entries []element `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(read(t, dir)["results.atom"]), &feed); err != nil {
		t.Fatal(err)
	}
	if feed.Author == "" {
		t.Error("the feed has no author, and its entries have none")
	}
	ids := map[string]bool{}
	for _, e := range append([]element{feed.element}, feed.Entries...) {
		if id, err := url.Parse(e.ID); err != nil || !id.IsAbs() || ids[e.ID] {
			t.Errorf("%q is an id twice, or none: %v", e.ID, err)
		}
		ids[e.ID] = true
		if e.Title == "" || e.Updated.IsZero() || e.Updated.After(feed.Updated) || len(e.Links) == 0 {
			t.Errorf("%+v", e)
		}
	}
	return feed.Entries
}

// TestFeed: the feed has what Atom wants, with ids that stay as results are added.
func TestFeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := club(t, 10, 0)
	write(t, c, dir)
	if entries := readFeed(t, dir); len(entries) != 0 {
		t.Errorf("%d entries of no results", len(entries))
	}
	c = club(t, 10, 60)
	write(t, c, dir)
	before := readFeed(t, dir)
	addResult(c, rand.New(rand.NewPCG(8, 8)), 60, begin.Add(101*24*time.Hour))
	write(t, c, dir)
	now := readFeed(t, dir)
	if diff := cmp.Diff(before[:49], now[1:]); len(now) != 50 || diff != "" {
		t.Errorf("%d entries (-before +now)\n%s", len(now), diff)
	}
	r := &c.Results[55]
	r.Annulled, r.Changed = "both asked for it", begin.Add(110*24*time.Hour)
	write(t, c, dir)
	for _, e := range readFeed(t, dir) {
		if ok := strings.HasSuffix(e.ID, ":"+r.Match); ok != e.Updated.Equal(r.Changed) {
			t.Errorf("after the annulment of match %s: %+v", r.Match, e)
		}
	}
}

// TestOneResult: the same club changes nothing; one result more changes the pages that it
// stands in, and no other; a player who is gone takes his page with him, and what is not ours
// stays.
func TestOneResult(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := club(t, 60, 200)
	if err := os.WriteFile(filepath.Join(dir, "m1.html"), []byte("a match"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := write(t, c, dir)
	if again := write(t, c, dir); again.Changed != 0 || again.Removed != 0 || again.Files != first.Files || first.Changed != first.Files {
		t.Errorf("first %+v, again %+v", first, again)
	}
	before := read(t, dir)
	addResult(c, rand.New(rand.NewPCG(8, 8)), 200, begin.Add(100*24*time.Hour))
	played := c.Games[0].Usage
	rate(c)
	c.Games[0].Usage = played
	write(t, c, dir)
	var changed []string
	for name, text := range read(t, dir) {
		if before[name] != text {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	r := c.Results[200]
	want := []string{"index.html", "ladder-1989.html", fmt.Sprintf("player-%d.html", r.Players[0]), fmt.Sprintf("player-%d.html", r.Players[1]), "results-2026-11.html"}
	for _, page := range slices.Clone(want[1:]) {
		want = append(want, strings.TrimSuffix(page, ".html")+".json")
	}
	want = append(want, "results.atom")
	slices.Sort(want)
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	c.Players = c.Players[:59]
	if w := write(t, c, dir); w.Removed != 2 { // the page and its data
		t.Errorf("%+v", w)
	}
	now := read(t, dir)
	if now["player-60.html"] != "" || now["m1.html"] != "a match" || !strings.Contains(now["matches.html"], "a former player") {
		t.Error("the page of who is gone stays, or another is gone")
	}
}

// TestCurve: a rating that moved is drawn, with words for those who do not see it.
func TestCurve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, club(t, 4, 40), dir)
	page := []byte(read(t, dir)["player-1.html"])
	if !bytes.Contains(page, []byte("<svg")) || !bytes.Contains(page, []byte(`aria-label="From `)) {
		t.Errorf("no curve in\n%s", page)
	}
}

// TestLarge: a club of two thousand with ten thousand results, in a long run.
func TestLarge(t *testing.T) {
	t.Parallel()
	long.Only(t)
	dir := t.TempDir()
	c := club(t, 2000, 10000)
	start := time.Now()
	w := write(t, c, dir)
	duration := time.Since(start)
	t.Logf("%d pages in %v", w.Files, duration)
	if duration > 20*time.Second {
		t.Errorf("%d pages took %v", w.Files, duration)
	}
}
