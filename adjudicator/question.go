package adjudicator

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
)

// disposed is what became of a player's letter: one with a question that goes to no address
// is filed for the operator, whatever became of its orders.
func (j *adjudication) disposed() Disposition {
	if j.reply.filed {
		return Asked
	}
	return j.reply.disposition
}

// Ask implements letter.Host: it passes a question on to the operator, by a letter that
// his mail program answers to the player. The letter holds
// what the player wrote, and nothing else that is hidden: the operator may play. Without his
// address the player's own letter is filed for him.
func (s host) Ask(text string) (letter.Outcome, error) {
	if s.j.play.a.Contact == "" && !s.j.play.a.FilesQuestions {
		return letter.Declined("Nobody is named here whom the question could go to. Ask whoever invited you.")
	}
	if !s.mayAsk() {
		return letter.Declined(fmt.Sprintf("You have asked %d questions today, and more are not carried. It was passed on to nobody.", mostAsked))
	}
	if s.j.play.a.Contact == "" {
		s.j.reply.filed = true
		return letter.Done("Your letter is put where the operator finds it, who is a person and answers when there is time:\n" + strings.Join(barred(text), "\n"))
	}
	d, err := s.question(text)
	if err != nil {
		s.j.play.a.Log.Error("a question cannot be passed on", "match", s.j.turn.m.ID, "seat", int(s.j.play.seat), "error", err)
		return letter.Declined("It could not be passed on. Please write to " + s.j.play.a.Contact + ".")
	}
	s.j.reply.questions = append(s.j.reply.questions, d)
	return letter.Done("It was passed on to the operator, who is a person and answers when there is time:\n" + strings.Join(barred(text), "\n"))
}

// question is the letter to the operator.
func (s host) question(text string) (d Dispatch, err error) {
	who := &s.j.turn.m.Seats[s.j.play.seat]
	answered := "It answers none of our letters."
	if t := s.j.letter.Token; t != nil {
		answered = fmt.Sprintf("It stands in an answer to letter %d to that seat.", t.Number)
	}
	about := fmt.Sprintf("Match %s of %s, seat %s. %s Message-ID: %s.", s.j.turn.m.ID, s.j.turn.game.Title(), who.Name, answered, s.j.letter.MessageID)
	d = Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: s.j.play.a.Contact},
		Heading:   Heading{ReplyTo: who.Player.Address, InReplyTo: s.j.letter.MessageID, Subject: subject(s.j.turn.m, "A question of "+s.j.turn.called(s.j.play.seat), capital(s.j.turn.m.Game)), MessageID: s.j.play.a.Replies.ID("question", s.j.turn.m.ID, fmt.Sprint(s.j.play.seat, len(s.j.reply.questions)), s.j.letter.Digest)},
		Sending:   Sending{Date: s.j.play.a.Now()},
		Content: Content{Body: templates.Wrap(capital(s.j.turn.called(s.j.play.seat))+" asks:") + "\n\n" + strings.Join(barred(text), "\n") + "\n\n" + templates.Wrap(about) + "\n\n" +
			templates.Wrap("Your reply goes to the player, not to the referee. It shows your address.") + "\n"},
	}
	if d.Raw, err = s.j.play.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("pass a question on: %w", err)
	}
	return d, nil
}
