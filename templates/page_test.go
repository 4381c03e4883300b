package templates

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/goldentest"
	"samizdat/rules"
)

// TestHTML compares pages with files. Whatever players wrote is escaped.
func TestHTML(t *testing.T) {
	t.Parallel()
	for name, l := range letters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.Reply = Reply{"a+b@x.test", `Re: "><b>`}
			l.Subject = "[samizdat mabc] A Game: <b>your move</b>"
			l.Status = `</p><script>alert("x")</script>`
			l.Picture = &Picture{ID: `map."><x@y`, Title: "The map", AltText: `Lodz & "Krakow" <b>`, Width: 10, Height: 20}
			if name == "begin" {
				l.Sections = []rules.Section{{Title: "The <map>", Lines: []string{"never shown"}, Blocks: []rules.Block{
					{Label: "7", Lead: "A <card>", Aside: "2 & 3", Text: "one\ntwo"}, {Lead: "VP:", Text: "3"},
					{Heading: "North", Aside: "(A)", Text: "x", Rows: []rules.Row{
						{Cells: []string{"W3", "Lodz <", "1", ".", "D", "Krak"}, Side: 1, Strong: true}, {Cells: []string{"W3", "Krakow", ".", "2", "", ""}, Side: 9},
					}},
				}}}
			}
			got := l.HTML()
			for _, bad := range []string{"<script", "<card", "<b>your", "Krakow\" <b>", "\"><x"} {
				if strings.Contains(got, bad) {
					t.Errorf("not escaped: %s", bad)
				}
			}
			goldentest.Compare(t, name+".html", got)
		})
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	got := Page("<s>", "=== mark ===\n\nCome & play.\n\n    JOIN\n\nor not.\n\n    YES\n\nhttps://x/desk/#a\"b\n", Reply{"a+b@x", "Re: s"}, "YES")
	for _, want := range []string{"&lt;s&gt;", ">=== mark ===</p>", "Come &amp; play.", ">JOIN</pre>", `href="mailto:a%2Bb@x?subject=Re%3A%20s&amp;body=YES%0D%0A"><code>YES</code></a>`, "<p style=\"margin:0 0 12px\">or not.</p>", `<a href="https://x/desk/#a&#34;b">https://x/desk/#a&#34;b</a>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 74)
	for _, tt := range []struct{ in, want []string }{
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{long, "word and more", "b"}, []string{long + " word and more", "b"}},
		{[]string{long, "A point costs: 2"}, []string{long, "A point costs: 2"}},
		{[]string{long, "What checks need:", "Lodz 2"}, []string{long, "What checks need:", "Lodz 2"}},
		{[]string{"Lodz,", "Krakow: 2"}, []string{"Lodz, Krakow: 2"}},
		{[]string{long, "or"}, []string{long, "or"}},
		{[]string{long, "1 point"}, []string{long + " 1 point"}},
		{[]string{""}, []string{""}},
	} {
		if d := cmp.Diff(tt.want, joinWrapped(tt.in)); d != "" {
			t.Errorf("join %q:\n%s", tt.in, d)
		}
	}
}

// TestMap changes a letter's words and leaves its hashes, and the letter that it
// was made from.
func TestMap(t *testing.T) {
	t.Parallel()
	l := letters["answer"]
	l.Sections = []rules.Section{{Title: "a", Lines: []string{"b"}, Blocks: []rules.Block{{Text: "c", Rows: []rules.Row{{Cells: []string{"d"}}}}}}}
	before := l.HTML()
	m := l.MapTexts(strings.ToUpper)
	if m.HistoryHash != "ff" || m.Sections[0].Blocks[0].Rows[0].Cells[0] != "D" || m.Sections[0].Blocks[0].Text != "C" || m.Lines[0].Outcome != "done" {
		t.Errorf("mapped: %+v", m)
	}
	if after := l.HTML(); after != before {
		t.Error("the letter itself has changed")
	}
}

// TestLegible: nothing on a page is smaller than 12 pixels, and every colour of writing
// stands out from what it may be written on, light or dark, as much as WCAG 2 asks for
// (4.5). A page sets no ground of its own. The colours of further sides are the same on
// both grounds, and do for large writing.
func TestLegible(t *testing.T) {
	t.Parallel()
	l := letters["answer"]
	l.Reply = Reply{"a@x.test", "Re: s"}
	l.Lines = append(l.Lines, Line{"x", "saved", ""})
	l.Sections = []rules.Section{{Title: "t", Lines: []string{"x"}}}
	page := l.HTML()
	page += Page("s", "m\n\nx\n\n    y\n", l.Reply, "y")
	if bad := regexp.MustCompile(`<(body|div style="max)[^>]*(color|background)`).FindString(page); bad != "" {
		t.Errorf("the page sets a ground or a colour for all of it: %s", bad)
	}
	media := regexp.MustCompile(`@media \(prefers-color-scheme:dark\).*`)
	light, dark, sides := media.ReplaceAllString(page, ""), strings.Join(media.FindAllString(page, -1), ""), ""
	for i := range sideColours {
		sides += cellTag(3+i) + rowTag(rules.Row{Side: 3 + i})
	}
	for _, tt := range []struct {
		paper, css string
		least      float64
		colours    int
	}{{"#ffffff", light, 4.5, 4}, {"#121212", dark, 4.5, 4}, {"#1e1e1e", dark, 4.5, 4}, {"#ffffff", sides, 3.8, 10}, {"#121212", sides, 3.5, 10}} {
		grounds := []string{tt.paper}
		for _, m := range regexp.MustCompile(`background:rgba\(([\d,]+),(\.\d+)\)`).FindAllStringSubmatch(tt.css, -1) {
			grounds = append(grounds, over(t, tt.paper, m[1], m[2]))
		}
		colours := regexp.MustCompile(`[;"{]color:(#[0-9a-f]{6}|rgb\([\d,]+)`).FindAllStringSubmatch(tt.css, -1)
		if len(colours) < tt.colours || len(grounds) < 3 {
			t.Errorf("on %s: grounds %v, colours %v", tt.paper, grounds, colours)
		}
		for _, m := range colours {
			colour := m[1]
			if numbers, ok := strings.CutPrefix(colour, "rgb("); ok {
				colour = over(t, tt.paper, numbers, "1")
			}
			for _, ground := range grounds {
				if c := contrast(t, ground, colour); c < tt.least {
					t.Errorf("%s on %s has a contrast of %.1f", colour, ground, c)
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`font(?:-size)?:(?:bold )?([0-9.]+)(\w+)`).FindAllStringSubmatch(page, -1) {
		if size, err := strconv.ParseFloat(m[1], 64); err != nil || m[2] != "px" || size < 12 {
			t.Errorf("writing of %s", m[0])
		}
	}
	if strings.Contains(page, "nowrap;width") || strings.Contains(page, "min-width") {
		t.Error("a part of the page cannot shrink to a telephone's width")
	}
}

// over is a colour of some opacity on a ground.
func over(t *testing.T, ground, numbers, opacity string) string {
	t.Helper()
	o, err := strconv.ParseFloat(opacity, 64)
	if err != nil {
		t.Fatal(err)
	}
	out := "#"
	for i, s := range strings.Split(numbers, ",") {
		above, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		below, err := strconv.ParseUint(ground[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		out += fmt.Sprintf("%02x", int(o*above+(1-o)*float64(below)+.5))
	}
	return out
}

// TestReplyLink: a link carries what is asked for through any reader of links, and a plus
// is never one that may be read as a space.
func TestReplyLink(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"PASS", "PLAY 36 OPS PLACE Łódź 2, Székesfehérvár", "A+B & C=D? 100% #1 <x> \"y\" 'z'"} {
		r := Reply{"referee+mabc-0-1-aaaa@x.test", "Re: [a] b & c: d + e"}
		u, err := url.Parse(r.link(order))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(u.String(), "+") || u.Scheme != "mailto" {
			t.Errorf("the link is %s", u)
		}
		to, err := url.PathUnescape(u.Opaque)
		if got := u.Query(); err != nil || to != r.To || got.Get("subject") != r.Subject || got.Get("body") != order+"\r\n" || len(got) != 2 {
			t.Errorf("to %q: %v, %v", to, got, err)
		}
	}
	for _, r := range []Reply{{}, {"nobody", "x"}} {
		if got := r.link("PASS"); got != "" {
			t.Errorf("a link to %q: %s", r.To, got)
		}
	}
}

// contrast is the contrast of two colours by WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	light := func(s string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(s[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum + 0.05
	}
	x, y := light(a), light(b)
	return max(x, y) / min(x, y)
}

func TestUnbroken(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"12 The Card, 3 A": "12&nbsp;The Card, 3&nbsp;A", "3 + 2 Ops = 5": "3 + 2&nbsp;Ops = 5", "is VP -2.": "is VP&nbsp;-2.", "4 in Lodz": "4 in Lodz", "": "",
	} {
		if got := addNoBreakSpaces(in); got != want {
			t.Errorf("unbroken(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := Wrap(strings.Repeat("x", 74)+" 12 The Card"), strings.Repeat("x", 74)+"\n12 The Card"; got != want {
		t.Errorf("wrapped: %q", got)
	}
}

// In a list of letters the first words of a page are what it says, not the mark.
func TestPageBeginsWithWhatItSays(t *testing.T) {
	t.Parallel()
	page := Page("You are invited", "=== Mark ===\n\nYou are invited to <a> match,\nby mail.\n\nJoin.\n", Reply{})
	_, body, _ := strings.Cut(page, "<body")
	said, mark := strings.Index(body, "You are invited to &lt;a&gt; match, by mail."), strings.Index(body, "=== Mark ===")
	if said < 0 || mark < said {
		t.Errorf("the page does not begin with what it says:\n%s", body)
	}
}
