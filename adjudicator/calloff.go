package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// callOff calls a match off that has not begun. All are told, and so is the operator.
func (j *adjudication) callOff(ctx context.Context, off CallOff) {
	j.turn.Match.State, j.turn.Match.Acts.Invited.Off = CalledOff, &off
	j.turn.Remarks = append(j.turn.Remarks, calledOff(j.turn))
	if off.How != Cancelled {
		j.toOperator(ctx, "Called off", calledOff(j.turn))
	}
}

// calledOff says why the match was called off.
func calledOff(c *match.Turn) string {
	off := c.Match.Acts.Invited.Off
	said := ""
	switch {
	case off.How == Declined:
		said = match.Capital(c.Called(off.Seat)) + " has declined the invitation."
	case off.How == Lapsed && c.Match.Unjoined() == 0:
		said = "The invitation has lapsed: " + match.List(c.Roles(c.Match.AtFault())) + " did not open the sealed words in time."
	case off.How == Lapsed:
		said = "The invitation has lapsed: " + match.List(c.Roles(c.Match.AtFault())) + " did not join in time."
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
	if names := c.Roles(c.Match.AtFault()); c.Match.Acts.Tournament && len(names) > 0 {
		said += " In the tournament it is lost by " + match.List(names) + "."
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
func hasDeclined(c *match.Turn, seat rules.Seat) bool {
	off := c.Match.Acts.Invited.Off
	return off != nil && off.How == Declined && off.Seat == seat
}

// toOperator writes to the operator about the match, if it is known where.
func (j *adjudication) toOperator(ctx context.Context, title, text string) {
	if j.a.Contact == "" {
		return
	}
	d := Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: j.a.Contact},
		Heading:   Heading{Subject: subject(j.turn.Match, title, match.Capital(j.turn.Match.Game)), MessageID: j.a.Replies.ID("operator", j.turn.Match.ID, title, fmt.Sprint(j.turn.Match.Version))},
		Sending:   Sending{Date: j.a.Now()},
		Content:   Content{Body: templates.Wrap(text) + "\n\n" + templates.Wrap(fmt.Sprintf("Match %s of %s.", j.turn.Match.ID, j.turn.Game.Title())) + "\n"},
	}
	var err error
	if d.Raw, err = j.a.Post.Render(d); err != nil {
		j.a.Log.WarnContext(ctx, "the operator cannot be told of an invitation", "match", j.turn.Match.ID, "error", err)
		return
	}
	j.reply.questions = append(j.reply.questions, d)
}

// decline takes the seat's player out of a match that has not begun, and so calls it off.
func (j *adjudication) decline(ctx context.Context, l letter.Line) {
	why := clean(l.Command.Text)
	j.callOff(ctx, CallOff{How: Declined, Seat: j.play.Seat, Why: why})
	said := "You have declined. There will be no match, and the others are told."
	if j.turn.Match.Acts.Tournament {
		said += " In the tournament you have lost it."
	}
	if why != "" {
		said += " Your word for them: " + why
	}
	j.report(l.Text, match.OutcomeDone, said)
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
	said := "The invitation to " + match.List(j.turn.Roles(untold)) + " came back: nobody gets mail there."
	for i := range m.Seats {
		if seat := rules.Seat(i); !in.Returned.Has(seat) {
			j.reply.notices[seat] = append(j.reply.notices[seat], said+" The operator can invite another address.")
		}
	}
	j.toOperator(ctx, "An invitation came back", said)
	return j.apply(ctx, rules.Nobody)
}
