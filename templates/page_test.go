package templates

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/rules"
)

// TestHTML compares pages with files. Whatever players wrote is escaped.
func TestHTML(t *testing.T) {
	t.Parallel()
	for name, l := range letters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.Subject = "[samizdat mabc] A Game: <b>your move</b>"
			l.Status = `</p><script>alert("x")</script>`
			l.Picture = &Picture{ID: `map."><x@y`, Title: "The map", Words: `Lodz & "Krakow" <b>`, Width: 10, Height: 20}
			if name == "begin" {
				l.Sections = []Section{{Title: "The <map>", Lines: []string{"never shown"}, Blocks: []rules.Block{
					{Label: "7", Lead: "A <card>", Aside: "2 & 3", Text: "one\ntwo"}, {Lead: "VP:", Text: "3"},
					{Heading: "North", Aside: "(A)", Text: "x", Rows: []rules.Row{
						{Cells: []string{"W3", "Lodz <", "1", ".", "D", "Krak"}, Side: 1, Strong: true}, {Cells: []string{"W3", "Krakow", ".", "2", "", ""}, Side: 9},
					}},
				}}}
			}
			got, err := l.HTML()
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"<script", "<card", "<b>your", "Krakow\" <b>", "\"><x"} {
				if strings.Contains(got, bad) {
					t.Errorf("not escaped: %s", bad)
				}
			}
			path := filepath.Join("testdata", name+".html")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, d)
			}
		})
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	got := Page("<s>", "=== mark ===\n\nCome & play.\n\n    JOIN\n\nor not.\n")
	for _, want := range []string{"&lt;s&gt;", ">=== mark ===</p>", "Come &amp; play.", ">JOIN</pre>", "<p style=\"margin:0 0 12px\">or not.</p>"} {
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
		{[]string{"Lodz,", "Krakow: 2"}, []string{"Lodz, Krakow: 2"}},
		{[]string{long, "or"}, []string{long, "or"}},
		{[]string{long, "1 point"}, []string{long + " 1 point"}},
		{[]string{""}, []string{""}},
	} {
		if d := cmp.Diff(tt.want, join(tt.in)); d != "" {
			t.Errorf("join %q:\n%s", tt.in, d)
		}
	}
}

// TestMap changes a letter's words and leaves its hashes, and the letter that it
// was made from.
func TestMap(t *testing.T) {
	t.Parallel()
	l := letters["answer"]
	l.Sections = []Section{{Title: "a", Lines: []string{"b"}, Blocks: []rules.Block{{Text: "c", Rows: []rules.Row{{Cells: []string{"d"}}}}}}}
	before, err := l.HTML()
	if err != nil {
		t.Fatal(err)
	}
	m := l.Map(strings.ToUpper)
	if m.Head != "ff" || m.Sections[0].Blocks[0].Rows[0].Cells[0] != "D" || m.Sections[0].Blocks[0].Text != "C" || m.Lines[0].Outcome != "done" {
		t.Errorf("mapped: %+v", m)
	}
	if after, err := l.HTML(); err != nil || after != before {
		t.Errorf("the letter itself has changed (%v)", err)
	}
}

// TestLegible: nothing on a page is smaller than 12 pixels, and every colour of
// writing stands out from what it may be written on as much as WCAG 2 asks for (4.5).
func TestLegible(t *testing.T) {
	t.Parallel()
	l := letters["answer"]
	l.Lines = append(l.Lines, Line{"x", "kept", ""})
	l.Sections = []Section{{Title: "t", Lines: []string{"x"}}}
	html, err := l.HTML()
	if err != nil {
		t.Fatal(err)
	}
	html += Page("s", "m\n\nx\n\n    y\n")
	grounds := map[string]bool{}
	for _, m := range regexp.MustCompile(`background:(#[0-9a-f]{6})`).FindAllStringSubmatch(html, -1) {
		grounds[m[1]] = true
	}
	colours := map[string]bool{}
	for _, m := range regexp.MustCompile(`[;"{]color:(#[0-9a-f]{6})`).FindAllStringSubmatch(html, -1) {
		colours[m[1]] = true
	}
	if len(grounds) < 3 || len(colours) < 5 {
		t.Errorf("grounds %v, colours %v", grounds, colours)
	}
	for ground := range grounds {
		for colour := range colours {
			if c := contrast(t, ground, colour); c < 4.5 {
				t.Errorf("%s on %s has a contrast of %.1f", colour, ground, c)
			}
		}
	}
	for _, m := range regexp.MustCompile(`font(?:-size)?:(?:bold )?([0-9.]+)(\w+)`).FindAllStringSubmatch(html, -1) {
		if size, err := strconv.ParseFloat(m[1], 64); err != nil || m[2] != "px" || size < 12 {
			t.Errorf("writing of %s", m[0])
		}
	}
	if strings.Contains(html, "nowrap;width") || strings.Contains(html, "min-width") {
		t.Error("a part of the page cannot shrink to a telephone's width")
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
		if got := unbroken(in); got != want {
			t.Errorf("unbroken(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := Wrap(strings.Repeat("x", 74)+" 12 The Card"), strings.Repeat("x", 74)+"\n12 The Card"; got != want {
		t.Errorf("wrapped: %q", got)
	}
}
