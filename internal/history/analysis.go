package history

import (
	"fmt"
	"html/template"
	"strings"
)

// drawChances draws how likely a win was after each move, in percent, as an SVG curve. It returns "" without an
// analysis.
func (s *Story) drawChances() template.HTML {
	a := s.Analysis
	if a == nil {
		return ""
	}
	sc := curveScale{minValue: 0, maxValue: 100, moveCount: len(s.Moves)}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img"><title>%s</title>`, curveWidth, curveHeight,
		template.HTMLEscapeString(a.CurveTitle()))
	for _, v := range []int{0, 50, 100} {
		y := sc.y(v)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="end">%d</text>`, marginLeft-6, y+4, v)
		fmt.Fprintf(&b, `<line class="a" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, marginLeft, curveWidth-marginRight, y, y)
	}
	s.writeTurns(&b, sc)
	b.WriteString(`<path class="c c0" d="`)
	for i, p := range a.Curve {
		fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(i, 1)], sc.x(float64(i)), sc.y(int(p.Chance+0.5)))
	}
	b.WriteString(`"/></svg>`)
	return template.HTML(b.String())
}
