package adjudicator

import (
	"context"
	"errors"
	"fmt"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// The errors where somebody cannot be asked.
var (
	errNoQuestion = errors.New("no letter can be sent to that address")
	errNoNotice   = errors.New("no letter can be sent to the address that you have, to ask whether it is you")
)

// addressLetters writes the letters of notices that come of a letter to a seat. It may
// be that none can be made for an address; that stops only what needs it.
func (a *Adjudicator) addressLetters(ctx context.Context, m *Match, seat rules.Seat, notices []contact.Notice) ([]Dispatch, error) {
	var out []Dispatch
	for i, n := range notices {
		d, err := a.addressLetter(ctx, m, seat, n, i)
		if err != nil {
			return nil, err
		}
		if d.Raw, err = a.Post.Render(d); err == nil {
			out = append(out, d)
			continue
		}
		a.Log.WarnContext(ctx, "an address cannot be told", "match", m.ID, "seat", int(seat), "error", err)
		switch {
		case n.Kind == contact.AskNew:
			return nil, fmt.Errorf("%w: %w", errNoQuestion, err)
		case n.Needed():
			return nil, fmt.Errorf("%w: %w", errNoNotice, err)
		}
	}
	return out, nil
}

// addressLetter writes a short letter beside the letters of the match through which
// something was asked: its reader may know of no other.
func (a *Adjudicator) addressLetter(ctx context.Context, m *Match, seat rules.Seat, n contact.Notice, i int) (d Dispatch, err error) {
	r, who := &n.Request, &m.Seats[seat]
	if r.Match != m.ID {
		if m, err = a.Store.Match(ctx, r.Match); err != nil {
			return d, err
		}
	}
	title, text := noticeText(a.Post.Mark(), n, who.Player)
	d = Dispatch{
		Addressee: Addressee{Match: m.ID, Seat: rules.Nobody, To: n.To},
		Heading:   Heading{Subject: subject(m, title, match.Capital(m.Game)), MessageID: a.Replies.ID("address", m.ID, fmt.Sprint(r.Seat), n.To, title, text, fmt.Sprint(who.Letters, who.Player.Serial, i))},
		Sending:   Sending{Date: a.Now()},
		Content:   Content{Body: text + a.Replies.Foot()},
	}
	switch n.Kind {
	case contact.AskNew:
		d.Token = a.Post.Token(a.Replies.RequestKey(r), Token{Match: r.Match, Seat: r.Seat, Number: r.Serial})
		d.HTML = a.Replies.Page(d, string(letter.Yes))
	case contact.AskOld:
		d.Token = a.Post.Token(a.Replies.NoticeKey(r, n.To), Token{Match: r.Match, Seat: r.Seat, Number: r.Serial})
		d.MessageID = a.Replies.NoticeID(r, n.To)
		d.HTML = a.Replies.Page(d, string(letter.Yes), addressKeep)
	case contact.Announce:
		// It is no letter of the match, but can be answered like one.
		d.Token = a.Post.Token(who.Key, Token{Match: m.ID, Seat: seat, Number: noLetter})
		d.MessageID = a.Replies.NoticeID(r, n.To)
		d.HTML = a.Replies.Page(d, addressKeep)
	}
	return d, nil
}
