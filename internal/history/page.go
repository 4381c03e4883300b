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

// page is the input of page.html.tmpl.
type page struct {
	*Story
	Stamp  template.HTML
	Style  template.CSS
	Script template.JS
	// Map is the map with a frame for each move. Curve is the drawing of the game's curves.
	Map, Curve template.HTML
	// Chances is the drawing of how likely a win was after each move; empty without an analysis.
	Chances    template.HTML
	CurveTexts []curveText
	Chapters   []chapter
	Data       pageData
	// ReaderText is a sentence that names the reader of the page.
	ReaderText string
}

// pageData is the input of page.js, which steps through the moves.
type pageData struct {
	// Changes are, for each frame of the map, the numbers of the SVG groups that appear or disappear (picture.Frames.Changes).
	Changes [][]int `json:"changes"`
	// Words are the descriptions of the frames. A description is empty if it equals that of the frame before.
	Words []string `json:"words"`
	// Left and Width are the start and the width of the curve in SVG units.
	Left  float64 `json:"left"`
	Width float64 `json:"width"`
	// Start is the index of the move that is shown first.
	Start int `json:"start"`
}

// chapter holds the moves of a turn.
type chapter struct {
	ID     string
	Title  string
	Scenes []scene
}

// scene holds the moves of an episode in a turn.
type scene struct {
	Title string
	Moves []Move
}

// ScriptHash returns the hash of the page script for a Content-Security-Policy header, in the form
// "sha256-...". The policy then blocks all other scripts.
func ScriptHash() string {
	hash := sha256.Sum256([]byte(pageScript))
	return "sha256-" + base64.StdEncoding.EncodeToString(hash[:])
}

// HTML writes the page. The page needs no other file and can be read without JavaScript.
func (s *Story) HTML(w io.Writer) error {
	head := s.Head
	if s.Analysis != nil {
		head += Analysed
	}
	p := page{Story: s, Stamp: template.HTML(stamp(s.Build, head)), Chances: s.drawChances(), Style: template.CSS(pageStyle),
		Script:   template.JS(pageScript),
		Chapters: s.groupByTurn(), ReaderText: s.describeReader()}
	var drawn strings.Builder
	if err := s.frames.SVG(&drawn, "map"); err != nil {
		return fmt.Errorf("draw the map: %w", err)
	}
	p.Map = template.HTML(drawn.String())
	p.Curve, p.CurveTexts = s.drawCurves()
	p.Data = pageData{Changes: s.frames.Changes(), Left: marginLeft, Width: curveWidth - marginLeft - marginRight}
	before := ""
	for _, words := range s.frames.Descriptions() {
		if words == before {
			words = ""
		} else {
			before = words
		}
		p.Data.Words = append(p.Data.Words, words)
	}
	if !s.IsOver {
		p.Data.Start = len(s.Moves) - 1
	}
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("write the page of %s: %w", s.Match, err)
	}
	return nil
}

// JSON returns Data as JSON, for a script element of the page.
func (p page) JSON() (template.JS, error) {
	data, err := json.Marshal(p.Data)
	return template.JS(data), err
}

func (s *Story) describeReader() string {
	switch {
	case s.Reader.All:
		return "This page shows everything, also what was hidden during the match."
	case s.Reader.Seat >= 0:
		return "This page shows the match as the " + s.Roles[s.Reader.Seat] + " sees it."
	}
	return "This page shows only public information."
}

func (s *Story) groupByTurn() (out []chapter) {
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
		lastScene := &c.Scenes[len(c.Scenes)-1]
		lastScene.Moves = append(lastScene.Moves, m)
	}
	return out
}
