package site

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"samizdat/adjudicator/club/ladder"
)

// The size and the margins of the curve of a rating, in SVG units.
const (
	curveWidth, curveHeight = 600.0, 180.0
	marginLeft, marginRight = 58.0, 10.0
	marginTop, marginBottom = 12.0, 26.0
)

// drawCurve draws the weekly ratings of a player as a line, and their deviations as an area around the line (SVG). It
// returns "" for fewer than two weeks.
func drawCurve(l ladder.Line) template.HTML {
	if len(l.RatingPoints) < 2 {
		return ""
	}
	first, last := l.RatingPoints[0], l.RatingPoints[len(l.RatingPoints)-1]
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range l.RatingPoints {
		low, high = min(low, p.Rating.Rating-p.Deviation), max(high, p.Rating.Rating+p.Deviation)
	}
	low, high = 100*math.Floor(low/100), 100*math.Ceil(high/100)
	x := func(p ladder.Period) float64 {
		return marginLeft + (curveWidth-marginLeft-marginRight)*float64(p-first.Period)/float64(max(1, last.Period-first.Period))
	}
	y := func(v float64) float64 {
		return marginTop + (curveHeight-marginTop-marginBottom)*(high-v)/(high-low)
	}
	var line, above, below strings.Builder
	for i, p := range l.RatingPoints {
		fmt.Fprintf(&line, "%c%.1f %.1f", "ML"[min(i, 1)], x(p.Period), y(p.Rating.Rating))
		fmt.Fprintf(&above, "%c%.1f %.1f", "ML"[min(i, 1)], x(p.Period), y(p.Rating.Rating+p.Deviation))
		q := l.RatingPoints[len(l.RatingPoints)-1-i]
		fmt.Fprintf(&below, "L%.1f %.1f", x(q.Period), y(q.Rating.Rating-q.Deviation))
	}
	const day = "2 January 2006"
	description := fmt.Sprintf("From %.0f in the week of %s to %.0f in the week of %s.", first.Rating.Rating, first.Period.Start().Format(day),
		last.Rating.Rating, last.Period.Start().Format(day))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, curveWidth, curveHeight, template.HTMLEscapeString(description))
	step := 100.0
	for (high-low)/step > 5 {
		step *= 2
	}
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		fmt.Fprintf(&b, `<line class="a" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%.0f</text>`,
			marginLeft, curveWidth-marginRight, y(v), y(v), marginLeft-6, y(v)+4, v)
	}
	fmt.Fprintf(&b, `<path class="d" d="%s%sZ"/><path class="c" d="%s"/>`, above.String(), below.String(), line.String())
	fmt.Fprintf(&b, `<text x="%g" y="%g">%s</text><text x="%g" y="%g" text-anchor="end">%s</text></svg>`,
		marginLeft, curveHeight-6, first.Period.Start().Format(day), curveWidth-marginRight, curveHeight-6, last.Period.Start().Format(day))
	return template.HTML(b.String())
}
