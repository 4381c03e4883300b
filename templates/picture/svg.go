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

// fonts are substitutes of the Go fonts for SVG readers.
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
		s.put(`<svg xmlns="http://www.w3.org/2000/svg" role="img"`)
		s.number("width", float64(p.Width))
		s.number("height", float64(p.Height))
		s.put(` viewBox="0 0 `, strconv.Itoa(p.Width), " ", strconv.Itoa(p.Height), `" font-family="`, fonts, "\">\n")
	}
	head := []string{
		format(func(s svg) { s.writeElement("title", p.Title) }),
		format(func(s svg) { s.writeElement("desc", p.Words) }),
		format(func(s svg) { s.writeBackground(p.Back) }),
	}
	for _, i := range p.Items {
		head = append(head, e.item(i))
	}
	return format(size), slices.DeleteFunc(head, func(text string) bool { return text == "" })
}

// item returns the element of an item; empty if the item is invisible.
func (e *Elements) item(i Item) string {
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

// format returns the text that a function writes.
func format(write func(svg)) string {
	var out strings.Builder
	s := svg{bufio.NewWriter(&out)}
	write(s)
	_ = s.Flush() // A strings.Builder does not fail.
	return out.String()
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

func (s svg) writeBackground(c Colour) {
	if c != 0 {
		s.put(`<rect width="100%" height="100%" fill="`, c.String(), "\"/>\n")
	}
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
	s.number("x", t.startX(width))
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
