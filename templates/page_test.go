package templates

import (
	"os"
	"path/filepath"
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
	if m.Head != "ff" || m.Sections[0].Blocks[0].Rows[0].Cells[0] != "D" || m.Sections[0].Blocks[0].Text != "C" || m.Lines[0].Fate != "done" {
		t.Errorf("mapped: %+v", m)
	}
	if after, err := l.HTML(); err != nil || after != before {
		t.Errorf("the letter itself has changed (%v)", err)
	}
}
