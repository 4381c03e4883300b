package history

import (
	"fmt"
	"html/template"
	"strings"
)

// The size and the margins of the curve drawing, in units of its SVG viewBox.
const (
	curveWidth, curveHeight = 600.0, 200.0
	marginLeft, marginRight = 34.0, 8.0
	marginTop, marginBottom = 22.0, 42.0
)

type curveScale struct {
	minValue, maxValue, moveCount int
}

func (s curveScale) x(move float64) float64 {
	return marginLeft + (curveWidth-marginLeft-marginRight)*move/float64(max(1, s.moveCount-1))
}

func (s curveScale) y(value int) float64 {
	return marginTop + (curveHeight-marginTop-marginBottom)*float64(s.maxValue-value)/float64(max(1, s.maxValue-s.minValue))
}

// curveColours is the number of colours that page.css defines for curves.
const curveColours = 6

// curveText is the description of a curve below the drawing, with the number of the curve's colour.
type curveText struct {
	Colour int
	Words  string
}

// drawCurves draws the game's curves over the moves and describes them. Both results are empty if the game has no curves.
func (s *Story) drawCurves() (drawing template.HTML, texts []curveText) {
	n := len(s.Moves[0].Curves)
	if n == 0 {
		return "", nil
	}
	scale := curveScale{moveCount: len(s.Moves)}
	for _, m := range s.Moves {
		for _, c := range m.Curves {
			scale.minValue, scale.maxValue = min(scale.minValue, c.Value), max(scale.maxValue, c.Value)
		}
	}
	var b strings.Builder
	names, sentences := make([]string, n), make([]string, n)
	for k := range n {
		names[k], sentences[k] = s.Moves[0].Curves[k].Name, s.describeCurve(k)
		texts = append(texts, curveText{k % curveColours, sentences[k]})
	}
	title, description := template.HTMLEscapeString(strings.Join(names, ", ")), template.HTMLEscapeString(strings.Join(sentences, " "))
	fmt.Fprintf(&b, `<svg id="curve" viewBox="0 0 %g %g" role="img" aria-labelledby="curve-title curve-words">`+
		`<title id="curve-title">%s</title><desc id="curve-words">%s</desc>`+"\n",
		curveWidth, curveHeight, title, description)
	s.writeAxes(&b, scale)
	for k := range n {
		fmt.Fprintf(&b, `<path class="c c%d" d="%s"/>`+"\n", k%curveColours, s.curvePath(k, scale))
	}
	fmt.Fprintf(&b, `<line id="cursor" y1="%g" y2="%g" x1="0" x2="0" display="none"/></svg>`+"\n", marginTop, curveHeight-marginBottom)
	return template.HTML(b.String()), texts
}

// describeCurve returns, for example, "VP: 0 at first, 7 at the end; highest 9 (entry 80), lowest -3 (entry 12)."
func (s *Story) describeCurve(k int) string {
	first, last := s.Moves[0].Curves[k], s.Moves[len(s.Moves)-1].Curves[k]
	high, low := s.Moves[0], s.Moves[0]
	for _, m := range s.Moves {
		if m.Curves[k].Value > high.Curves[k].Value {
			high = m
		}
		if m.Curves[k].Value < low.Curves[k].Value {
			low = m
		}
	}
	return fmt.Sprintf("%s: %d at first, %d at the end; highest %d (entry %d), lowest %d (entry %d).",
		first.Name, first.Value, last.Value, high.Curves[k].Value, high.Seq, low.Curves[k].Value, low.Seq)
}

// curvePath returns the SVG path of a curve, with a step at each change. For example: "M34.0
// 100.0H120.0V80.0H592.0".
func (s *Story) curvePath(k int, scale curveScale) string {
	var b strings.Builder
	value := s.Moves[0].Curves[k].Value
	fmt.Fprintf(&b, "M%.1f %.1f", scale.x(0), scale.y(value))
	for i, m := range s.Moves {
		if v := m.Curves[k].Value; v != value {
			fmt.Fprintf(&b, "H%.1fV%.1f", scale.x(float64(i)), scale.y(v))
			value = v
		}
	}
	fmt.Fprintf(&b, "H%.1f", scale.x(float64(len(s.Moves)-1)))
	return b.String()
}

// writeAxes draws lines at the lowest value, the highest value and zero, and at each turn. For a single curve it also
// writes which sides high and low values favour.
func (s *Story) writeAxes(b *strings.Builder, scale curveScale) {
	text := func(x, y float64, anchor, words string) {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, template.HTMLEscapeString(words))
	}
	// The label "0" is left out if it would be too near to another label.
	for _, v := range []int{scale.minValue, 0, scale.maxValue} {
		if v != 0 || scale.minValue == 0 || scale.maxValue == 0 || scale.maxValue-scale.minValue < 4 ||
			min(-scale.minValue, scale.maxValue)*8 > scale.maxValue-scale.minValue {
			text(marginLeft-6, scale.y(v)+4, "end", fmt.Sprint(v))
		}
		fmt.Fprintf(b, `<line class="a" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, marginLeft, curveWidth-marginRight, scale.y(v), scale.y(v))
	}
	if c := s.Moves[0].Curves[0]; len(s.Moves[0].Curves) == 1 {
		text(marginLeft, 14, "start", c.High)
		text(marginLeft, curveHeight-7, "start", c.Low)
		text(curveWidth-marginRight, 14, "end", c.Name)
	}
	s.writeTurns(b, scale)
	b.WriteByte('\n')
}

func (s *Story) writeTurns(b *strings.Builder, scale curveScale) {
	turn, labelX := s.Moves[0].Turn, marginLeft
	for i, m := range s.Moves {
		if m.Turn == turn {
			continue
		}
		turn = m.Turn
		x := scale.x(float64(i))
		fmt.Fprintf(b, `<line class="a" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/>`, x, x, marginTop, curveHeight-marginBottom)
		if x-labelX > 18 { // omit numbers that would overlap
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%d</text>`, x, curveHeight-26, turn)
			labelX = x
		}
	}
}
