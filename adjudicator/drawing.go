package adjudicator

import (
	"samizdat/rules"
	"samizdat/templates"
	"samizdat/templates/picture"
)

// Cartographer is a game that draws maps. It is optional: a caller asks whether
// a rules.Game is one. Maps are made from a view, so that they show what its seat
// may see; since are events that the seat is an audience of, and what they changed
// is marked. Without events nothing is.
type Cartographer interface {
	// TextMap draws the map in plain ASCII, at most 78 columns wide.
	TextMap(v rules.View, since []rules.Event) []string
	// Draw draws the map as a picture.
	Draw(v rules.View, since []rules.Event) *picture.Picture
}

// illustrate adds the picture that a page shows. It is stored as a list of shapes,
// and drawn when its letter is sent: to draw takes longer than to adjudicate, and no
// letter in has to wait for it. The list is made from the seat's view, so nothing
// hidden is kept with it.
func (j *adjudication) illustrate(d *Dispatch, l *templates.Letter) {
	c, ok := j.game.(Cartographer)
	if !ok || !j.a.sendsPictures(&j.m.Seats[d.Seat]) {
		return
	}
	p := c.Draw(j.pos.View(d.Seat), j.toldTo(d.Seat))
	// It is one of a kind, as the Message-ID is: some programs look content ids up in
	// all letters of a thread.
	d.PictureID = "map." + d.MessageID
	l.Picture = &templates.Picture{ID: d.PictureID, Title: p.Title, Words: p.Words, Width: p.Width, Height: p.Height}
	d.Drawing = p.Pack()
}
