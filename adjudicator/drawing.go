package adjudicator

import (
	"encoding/hex"
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/templates"
	"samizdat/templates/picture"
)

// illustrate adds the picture that a page shows. It is stored as a list of shapes,
// and drawn when its letter is sent: to draw takes longer than to adjudicate, and no
// letter in has to wait for it. The list is made from the seat's view, so nothing
// hidden is kept with it.
//
// A map that is as the last picture shows it, and on which nothing is to be marked, is not
// sent again: the page says which letter has it.
func (j *adjudication) illustrate(d *Dispatch, l *templates.Letter) {
	c := j.turn.Game.Map
	who := &j.turn.Match.Seats[d.Seat]
	if c == nil || !j.a.sendsPictures(who) {
		return
	}
	view, told := j.turn.After.View(d.Seat), j.turn.EventsFor(d.Seat)
	p := c.Draw(view, told)
	bare := p
	if len(told) > 0 {
		bare = c.Draw(view, nil)
	}
	sum := pictureSum(bare, j.turn.Game.Status(view))
	// Letters up to Good went elsewhere.
	if had := who.Pictured; had.Number > who.Good && had.Sum == sum && p.Sum() == bare.Sum() && !j.wantsPicture(d.Seat) {
		l.Pictured = who.Pictured.Number
		return
	}
	d.Drawing = p.Pack()
	who.Pictured = match.Pictured{Number: d.Number, Sum: sum}
	// It is one of a kind, as the Message-ID is: some programs look content ids up in
	// all letters of a thread.
	d.PictureID = "map." + d.MessageID
	l.Picture = &templates.Picture{ID: d.PictureID, Title: p.Title, Words: p.Words, Width: p.Width, Height: p.Height}
}

// pictureSum tells a map from all others, but for where the match stands, which every letter
// begins with.
func pictureSum(p *picture.Picture, status string) string {
	bare := *p
	bare.Words = ""
	bare.Items = slices.DeleteFunc(slices.Clone(p.Items), func(i picture.Item) bool {
		t, ok := i.(picture.Text)
		return ok && t.Words == status
	})
	sum := bare.Sum()
	return hex.EncodeToString(sum[:12])
}
