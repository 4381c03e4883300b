package picture

import (
	"bufio"
	"encoding/binary"
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// fonts lists the fonts for SVG in order of preference, because the Go fonts are rarely installed.
const fonts = "Go, 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif"

// SVG writes the picture as a file without scripts, styles or external references. Every text has a width
// (textLength), so that it fits with any font.
func (p *Picture) SVG(w io.Writer) error {
	var e Elements
	start, elements := e.SVG(p)
	_, err := io.WriteString(w, start+strings.Join(elements, "")+"</svg>\n")
	return err
}

// Elements writes pictures as SVG elements. It caches the elements of items, because the pictures of a series differ little.
type Elements struct{ cache map[any]string }

// SVG returns the start tag of a picture and its elements in painting order, e.g. `<circle cx="1" cy="2" r="3" fill="none"/>`.
func (e *Elements) SVG(p *Picture) (start string, elements []string) {
	size := func(s svg) {
		s.writeParts(`<svg xmlns="http://www.w3.org/2000/svg" role="img"`)
		s.writeNumber("width", float64(p.Width))
		s.writeNumber("height", float64(p.Height))
		s.writeParts(` viewBox="0 0 `, strconv.Itoa(p.Width), " ", strconv.Itoa(p.Height), `" font-family="`, fonts, "\">\n")
	}
	all := []string{
		format(func(s svg) { s.writeElement("title", p.Title) }),
		format(func(s svg) { s.writeElement("desc", p.Words) }),
		format(func(s svg) { s.writeBackground(p.Back) }),
	}
	for _, i := range p.Items {
		all = append(all, e.element(i))
	}
	return format(size), slices.DeleteFunc(all, func(text string) bool { return text == "" })
}

// element returns the SVG element of an item; empty if the item is invisible.
func (e *Elements) element(i Item) string {
	key := any(i)
	if p, ok := i.(Path); ok {
		var points []byte
		for _, q := range p.Points {
			points = binary.LittleEndian.AppendUint64(points, math.Float64bits(q.X))
			points = binary.LittleEndian.AppendUint64(points, math.Float64bits(q.Y))
		}
		key = struct {
			points string
			closed bool
			round  float64
			Style
		}{string(points), p.Closed, p.Round, p.Style}
	}
	text, ok := e.cache[key]
	if !ok {
		if e.cache == nil {
			e.cache = map[any]string{}
		}
		text = format(i.write)
		e.cache[key] = text
	}
	return text
}

func format(write func(svg)) string {
	var out strings.Builder
	s := svg{bufio.NewWriter(&out)}
	write(s)
	_ = s.Flush() // A strings.Builder does not fail.
	return out.String()
}

// svg writes parts of a file. bufio.Writer keeps the first error, which Flush returns.
type svg struct{ *bufio.Writer }

func (s svg) writeParts(parts ...string) {
	for _, p := range parts {
		s.WriteString(p)
	}
}

func (s svg) writeEscaped(text string) {
	// EscapeText replaces invalid XML characters. Flush returns the writer's error.
	_ = xml.EscapeText(s, []byte(text))
}

func (s svg) writeElement(name, text string) {
	if text == "" {
		return
	}
	s.writeParts("<", name, ">")
	s.writeEscaped(text)
	s.writeParts("</", name, ">\n")
}

func (s svg) writeBackground(c Colour) {
	if c != 0 {
		s.writeParts(`<rect width="100%" height="100%" fill="`, c.String(), "\"/>\n")
	}
}

func (s svg) writeNumber(name string, n float64) { s.writeParts(" ", name, `="`, decimal(n), `"`) }

func (s svg) writeStyle(st Style) {
	s.writeParts(` fill="`, st.Fill.String(), `"`)
	if st.Stroke != 0 {
		s.writeParts(` stroke="`, st.Stroke.String(), `" stroke-linejoin="round" stroke-linecap="round"`)
		s.writeNumber("stroke-width", st.Width)
	}
}

func (p Path) write(s svg) {
	s.writeParts(`<path d="`)
	letters := [...]string{moveTo: "M", lineTo: "L", curveTo: "Q"}
	for _, c := range p.outline() {
		s.writeParts(letters[c.op])
		if c.op == curveTo {
			s.writeParts(decimal(c.control.X), " ", decimal(c.control.Y), " ")
		}
		s.writeParts(decimal(c.to.X), " ", decimal(c.to.Y))
	}
	if p.Closed {
		s.writeParts("Z")
	}
	s.writeParts(`"`)
	s.writeStyle(p.Style)
	s.writeParts("/>\n")
}

func (o Circle) write(s svg) {
	s.writeParts("<circle")
	s.writeNumber("cx", o.Centre.X)
	s.writeNumber("cy", o.Centre.Y)
	s.writeNumber("r", o.Radius)
	s.writeStyle(o.Style)
	s.writeParts("/>\n")
}

func (t Text) write(s svg) {
	if strings.TrimSpace(t.Words) == "" || t.Colour == 0 {
		return
	}
	width := TextWidth(t.Words, t.Size, t.Bold)
	s.writeParts("<text")
	s.writeNumber("x", t.startX(width))
	s.writeNumber("y", t.At.Y)
	s.writeNumber("font-size", t.Size)
	if t.Bold {
		s.writeParts(` font-weight="bold"`)
	}
	s.writeParts(` fill="`, t.Colour.String(), `"`)
	s.writeNumber("textLength", width)
	s.writeParts(` lengthAdjust="spacingAndGlyphs">`)
	s.writeEscaped(t.Words)
	s.writeParts("</text>\n")
}

// decimal rounds a coordinate to tenths of a pixel: "12.5", or "12" for 12.04.
func decimal(n float64) string {
	s := strconv.FormatFloat(n, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}
