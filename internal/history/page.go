package history

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

var pageTemplate = template.Must(template.New("page").Option("missingkey=error").Funcs(template.FuncMap{
	"when": func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
	"iso":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"join": func(lines []string) string { return strings.Join(lines, "\n") },
}).Parse(pageText))

// page is a story as the page's template wants it.
type page struct {
	*Story
	Stamp  template.HTML
	Style  template.CSS
	Script template.JS
	// Map is the drawn map of all moves, Curve their numbers.
	Map, Curve template.HTML
	// Courses say what the curve shows.
	Courses  []course
	Chapters []chapter
	Data     pageData
	// Whose says for whom the page is.
	Whose string
}

// pageData is what the page's script steps with.
type pageData struct {
	// Changes and Words are those of the map's frames. Words are left out where they are
	// those of the frame before.
	Changes [][]int  `json:"changes"`
	Words   []string `json:"words"`
	// Left and Width say where the curve begins, and how wide it is, in its own units.
	Left  float64 `json:"left"`
	Width float64 `json:"width"`
	// Start is the move that is shown first.
	Start int `json:"start"`
}

// chapter is a run of moves of one turn, scene one of moves that belong together.
type chapter struct {
	ID     string
	Title  string
	Scenes []scene
}

type scene struct {
	Title string
	Moves []Move
}

// ScriptHash names the script of the pages as a Content-Security-Policy does, which then lets
// no other run.
func ScriptHash() string {
	sum := sha256.Sum256([]byte(pageScript))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// HTML writes the page. It needs nothing beside itself, and can be read without its script.
func (s *Story) HTML(w io.Writer) error {
	p := page{Story: s, Stamp: template.HTML(stamp(s.Build, s.Head)), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Chapters: s.chapters(), Whose: s.whose()}
	var drawn strings.Builder
	if err := s.frames.SVG(&drawn, "map"); err != nil {
		return fmt.Errorf("draw the map: %w", err)
	}
	p.Map = template.HTML(drawn.String())
	p.Curve, p.Courses = s.curves()
	p.Data = pageData{Changes: s.frames.Changes(), Left: curveLeft, Width: curveWidth - curveLeft - curveRight}
	before := ""
	for _, words := range s.frames.Words() {
		if words == before {
			words = ""
		} else {
			before = words
		}
		p.Data.Words = append(p.Data.Words, words)
	}
	if !s.Over {
		p.Data.Start = len(s.Moves) - 1
	}
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("write the page of %s: %w", s.Match, err)
	}
	return nil
}

// JSON is the data for the script; it stands in an element of its own.
func (p page) JSON() (template.JS, error) {
	data, err := json.Marshal(p.Data)
	return template.JS(data), err
}

// whose says for whom a page is.
func (s *Story) whose() string {
	switch {
	case s.Reader.All:
		return "Everything is shown, what was hidden during the match as well."
	case s.Reader.Seat >= 0:
		return "It is shown as the " + s.Roles[s.Reader.Seat] + " sees it."
	}
	return "It is shown as everybody may see it: what is hidden is left out."
}

// chapters are the moves by turns, and in these by episodes.
func (s *Story) chapters() (out []chapter) {
	for i, m := range s.Moves {
		if i == 0 || m.Turn != s.Moves[i-1].Turn {
			title := "The moves"
			if m.Turn > 0 {
				title = fmt.Sprintf("Turn %d", m.Turn)
			}
			out = append(out, chapter{ID: fmt.Sprintf("part-%d", len(out)+1), Title: title})
		}
		c := &out[len(out)-1]
		if n := len(c.Scenes); n == 0 || c.Scenes[n-1].Title != m.Episode {
			c.Scenes = append(c.Scenes, scene{Title: m.Episode})
		}
		last := &c.Scenes[len(c.Scenes)-1]
		last.Moves = append(last.Moves, m)
	}
	return out
}
