package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
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
	case off.How == Lapsed && c.m.Unjoined() == 0:
		said = "The invitation has lapsed: " + list(c.roles(c.m.AtFault())) + " did not open the sealed words in time."
	case off.How == Lapsed:
		said = "The invitation has lapsed: " + list(c.roles(c.m.AtFault())) + " did not join in time."
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
		said += " In the tournament it is lost by " + list(names) + "."
	}
	return said
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
	if j.a.Contact == "" {
		return
	}
	d := Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: j.a.Contact},
		Heading:   Heading{Subject: subject(j.turn.m, title, capital(j.turn.m.Game)), MessageID: j.a.Replies.ID("operator", j.turn.m.ID, title, fmt.Sprint(j.turn.m.Version))},
		Sending:   Sending{Date: j.a.Now()},
		Content:   Content{Body: templates.Wrap(text) + "\n\n" + templates.Wrap(fmt.Sprintf("Match %s of %s.", j.turn.m.ID, j.turn.game.Title())) + "\n"},
	}
	var err error
	if d.Raw, err = j.a.Post.Render(d); err != nil {
		j.a.Log.WarnContext(ctx, "the operator cannot be told of an invitation", "match", j.turn.m.ID, "error", err)
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
	case !m.ReminderToOpen().IsZero():
		j.remindToOpen()
		return j.apply(ctx, rules.Nobody)
	default:
		j.callOff(ctx, CallOff{How: Lapsed, Seat: rules.Nobody})
		return j.apply(ctx, rules.Nobody)
	}
	in.Told = in.Returned
	said := "The invitation to " + list(j.turn.roles(untold)) + " came back: nobody gets mail there."
	for i := range m.Seats {
		if seat := rules.Seat(i); !in.Returned.Has(seat) {
			j.reply.notices[seat] = append(j.reply.notices[seat], said+" The operator can invite another address.")
		}
	}
	j.toOperator(ctx, "An invitation came back", said)
	return j.apply(ctx, rules.Nobody)
}
