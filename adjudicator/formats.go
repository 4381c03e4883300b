package adjudicator

import (
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// sendsPages reports whether a seat's letters have a page beside the text.
func (a *Adjudicator) sendsPages(s *match.Seat) bool {
	return a.Letters.HTML && s.Format != match.FormatText
}

// sendsPictures reports whether a seat's letters have a picture.
func (a *Adjudicator) sendsPictures(s *match.Seat) bool {
	return a.Letters.Pictures && (s.Format == "" || s.Format == match.FormatPicture)
}

// inScript writes a letter as its seat wants it written.
func (j *adjudication) inScript(l templates.Letter, seat rules.Seat) templates.Letter {
	switch j.turn.Match.Seats[seat].Script {
	case match.ScriptPlain:
		return l.Map(order.ASCII)
	case match.ScriptUTF8:
		return l.Map(compose.Printed(j.turn.Game))
	}
	return l
}
