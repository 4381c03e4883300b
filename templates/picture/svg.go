package picture

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// fonts are replacements of the Go fonts for SVG readers.
const fonts = "Go, 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif"

// SVG writes the picture as a self-contained file without scripts, styles or external references.
// Every text has its width (textLength), so that it fits with any font.
func (p *Picture) SVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	s := svg{b}
	s.put(`<svg xmlns="http://www.w3.org/2000/svg" role="img"`)
	s.number("width", float64(p.Width))
	s.number("height", float64(p.Height))
	s.put(` viewBox="0 0 `, strconv.Itoa(p.Width), " ", strconv.Itoa(p.Height), `" font-family="`, fonts, "\">\n")
	s.writeElement("title", p.Title)
	s.writeElement("desc", p.Words)
	if p.Back != 0 {
		s.put(`<rect width="100%" height="100%" fill="`, p.Back.String(), "\"/>\n")
	}
	for _, i := range p.Items {
		i.write(s)
	}
	s.put("</svg>\n")
	return b.Flush()
}

// svg writes parts of a file; bufio.Writer keeps the first error.
type svg struct{ *bufio.Writer }

func (s svg) put(parts ...string) {
	for _, p := range parts {
		s.WriteString(p)
	}
}

// escape writes a text. EscapeText replaces invalid XML characters.
func (s svg) escape(text string) {
	// Flush returns the writer's error.
	_ = xml.EscapeText(s, []byte(text))
}

func (s svg) writeElement(name, text string) {
	if text == "" {
		return
	}
	s.put("<", name, ">")
	s.escape(text)
	s.put("</", name, ">\n")
}

func (s svg) number(name string, n float64) { s.put(" ", name, `="`, decimal(n), `"`) }

func (s svg) writeStyle(st Style) {
	s.put(` fill="`, st.Fill.String(), `"`)
	if st.Stroke != 0 {
		s.put(` stroke="`, st.Stroke.String(), `" stroke-linejoin="round" stroke-linecap="round"`)
		s.number("stroke-width", st.Width)
	}
}

func (p Path) write(s svg) {
	s.put(`<path d="`)
	letters := [...]string{moveTo: "M", lineTo: "L", curveTo: "Q"}
	for _, c := range p.outline() {
		s.put(letters[c.op])
		if c.op == curveTo {
			s.put(decimal(c.control.X), " ", decimal(c.control.Y), " ")
		}
		s.put(decimal(c.to.X), " ", decimal(c.to.Y))
	}
	if p.Closed {
		s.put("Z")
	}
	s.put(`"`)
	s.writeStyle(p.Style)
	s.put("/>\n")
}

func (o Circle) write(s svg) {
	s.put("<circle")
	s.number("cx", o.Centre.X)
	s.number("cy", o.Centre.Y)
	s.number("r", o.Radius)
	s.writeStyle(o.Style)
	s.put("/>\n")
}

func (t Text) write(s svg) {
	if strings.TrimSpace(t.Words) == "" || t.Colour == 0 {
		return
	}
	width := TextWidth(t.Words, t.Size, t.Bold)
	s.put("<text")
	s.number("x", t.start(width))
	s.number("y", t.At.Y)
	s.number("font-size", t.Size)
	if t.Bold {
		s.put(` font-weight="bold"`)
	}
	s.put(` fill="`, t.Colour.String(), `"`)
	s.number("textLength", width)
	s.put(` lengthAdjust="spacingAndGlyphs">`)
	s.escape(t.Words)
	s.put("</text>\n")
}

// decimal formats a coordinate in tenths of a pixel.
func decimal(n float64) string {
	s := strconv.FormatFloat(n, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}
