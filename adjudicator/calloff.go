package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
)

// Invited is what becomes of the invitations to a match that has not begun.
type Invited struct {
	// Lapses is when they lapse unless all have joined; zero for never.
	Lapses time.Time `json:"lapses,omitzero"`
	// Returned are the seats whose invitations came back, Told those of which others know.
	Returned rules.Seats `json:"returned,omitempty"`
	Told     rules.Seats `json:"told,omitempty"`
	// Asked is when those who have sealed their words were asked to open them; zero before.
	// Reminded means that those who had not were reminded.
	Asked    time.Time `json:"asked,omitzero"`
	Reminded bool      `json:"reminded,omitempty"`
	// Off is why the match was called off; nil where it was not.
	Off *CallOff `json:"off,omitempty"`
}

// again forgets that the invitation to a seat came back, since another is invited, who has as
// much time as the first.
func (i *Invited) again(seat rules.Seat, now time.Time, span time.Duration) {
	i.Returned, i.Told = i.Returned&^rules.Only(seat), i.Told&^rules.Only(seat)
	i.extend(now, span)
}

// extend lets invitations that lapse be good for a span from now.
func (i *Invited) extend(now time.Time, span time.Duration) {
	if !i.Lapses.IsZero() && span > 0 {
		i.Lapses = now.UTC().Add(span).Truncate(time.Second)
	}
}

// CallOff says why a match was called off before it began.
type CallOff struct {
	How CalledOffBy `json:"how"`
	// Seat is who has declined, Why is his word for the others, or the director's.
	Seat rules.Seat `json:"seat"`
	Why  string     `json:"why,omitempty"`
}

// CalledOffBy says in what way a match was called off.
type CalledOffBy string

// The ways: a player declined, the invitations lapsed, or the director took them back.
const (
	Declined  CalledOffBy = "declined"
	Lapsed    CalledOffBy = "lapsed"
	Cancelled CalledOffBy = "cancelled"
)

// callOff calls a match off that has not begun. All are told, and so is the operator.
func (j *adjudication) callOff(ctx context.Context, off CallOff) {
	j.turn.m.State, j.turn.m.Acts.Invited.Off = CalledOff, &off
	j.turn.remarks = append(j.turn.remarks, j.turn.calledOff())
	if off.How != Cancelled {
		j.toOperator(ctx, "Called off", j.turn.calledOff())
	}
}

// calledOff says why the match was called off.
func (c *account) calledOff() string {
	off := c.m.Acts.Invited.Off
	said := ""
	switch {
	case off.How == Declined:
		said = capital(c.called(off.Seat)) + " has declined the invitation."
	case off.How == Lapsed && c.m.unjoined() == 0:
		said = "The invitation has lapsed: " + templates.List(c.roles(c.m.AtFault())) + " did not open the sealed words in time."
	case off.How == Lapsed:
		said = "The invitation has lapsed: " + templates.List(c.roles(c.m.AtFault())) + " did not join in time."
	default:
		said = "The director has taken the invitation back."
	}
	switch {
	case off.Why == "":
	case off.How == Declined:
		said += " The word for you: " + sentenceOf(off.Why)
	default:
		said += " The reason: " + sentenceOf(off.Why)
	}
	said += " There is no match."
	if names := c.roles(c.m.AtFault()); c.m.Acts.Tournament && len(names) > 0 {
		said += " In the tournament it is lost by " + templates.List(names) + "."
	}
	return said
}

// AtFault are the seats whose players are the reason why the match was called off: the one who
// declined the invitation, or those who did not join or open their words in time. After a cancel
// by the director there are none.
func (m *Match) AtFault() rules.Seats {
	switch off := m.Acts.Invited.Off; {
	case off == nil || off.How == Cancelled:
		return 0
	case off.How == Declined:
		return rules.Only(off.Seat)
	case m.unjoined() != 0:
		return m.unjoined()
	}
	return m.unopened()
}

// sentenceOf lets a text end like a sentence.
func sentenceOf(text string) string {
	if strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// hasDeclined reports whether it was a seat's player who has declined the invitation.
func (c *account) hasDeclined(seat rules.Seat) bool {
	off := c.m.Acts.Invited.Off
	return off != nil && off.How == Declined && off.Seat == seat
}

// toOperator writes to the operator about the match, if it is known where.
func (j *adjudication) toOperator(ctx context.Context, title, text string) {
	if j.play.a.Contact == "" {
		return
	}
	d := Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: j.play.a.Contact},
		Heading:   Heading{Subject: subject(j.turn.m, title, capital(j.turn.m.Game)), MessageID: j.play.a.Replies.ID("operator", j.turn.m.ID, title, fmt.Sprint(j.turn.m.Version))},
		Sending:   Sending{Date: j.play.a.Now()},
		Content:   Content{Body: templates.Wrap(text) + "\n\n" + templates.Wrap(fmt.Sprintf("Match %s of %s.", j.turn.m.ID, j.turn.game.Title())) + "\n"},
	}
	var err error
	if d.Raw, err = j.play.a.Post.Render(d); err != nil {
		j.play.a.Log.WarnContext(ctx, "the operator cannot be told of an invitation", "match", j.turn.m.ID, "error", err)
		return
	}
	j.reply.questions = append(j.reply.questions, d)
}

// decline takes the seat's player out of a match that has not begun, and so calls it off.
func (j *adjudication) decline(ctx context.Context, l letter.Line) {
	why := clean(l.Command.Text)
	j.callOff(ctx, CallOff{How: Declined, Seat: j.play.seat, Why: why})
	said := "You have declined. There will be no match, and the others are told."
	if j.turn.m.Acts.Tournament {
		said += " In the tournament you have lost it."
	}
	if why != "" {
		said += " Your word for them: " + why
	}
	j.report(l.Text, outcomeDone, said)
}

// Unreached notes that an invitation to a seat came back, and reports whether others are to
// be told.
func (m *Match) Unreached(seat rules.Seat) bool {
	if m.State != Inviting || m.Seats[seat].Joined || m.Acts.Invited.Returned.Has(seat) {
		return false
	}
	m.Acts.Invited.Returned |= rules.Only(seat)
	return true
}

// dueInviting is when something becomes of the invitations; zero where nothing does.
func (m *Match) dueInviting() time.Time {
	in := m.Acts.Invited
	switch {
	case m.State != Inviting, m.awaits():
		return time.Time{}
	case in.Returned&^in.Told != 0:
		return m.Created
	}
	if at := m.reminderToOpen(); !at.IsZero() {
		return at
	}
	return in.Lapses
}

// dueInvitations lets happen what was due to the invitations.
func (a *Adjudicator) dueInvitations(ctx context.Context, m *Match) error {
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	in := &m.Acts.Invited
	untold := in.Returned &^ in.Told
	switch {
	case untold != 0:
	case !m.reminderToOpen().IsZero():
		j.remindToOpen()
		return j.apply(ctx, rules.Nobody)
	default:
		j.callOff(ctx, CallOff{How: Lapsed, Seat: rules.Nobody})
		return j.apply(ctx, rules.Nobody)
	}
	in.Told = in.Returned
	said := "The invitation to " + templates.List(j.turn.roles(untold)) + " came back: nobody gets mail there."
	for i := range m.Seats {
		if seat := rules.Seat(i); !in.Returned.Has(seat) {
			j.reply.notices[seat] = append(j.reply.notices[seat], said+" The operator can invite another address.")
		}
	}
	j.toOperator(ctx, "An invitation came back", said)
	return j.apply(ctx, rules.Nobody)
}
