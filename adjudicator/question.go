package adjudicator

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/command"
	"samizdat/rules"
	"samizdat/templates"
)

// foot ends a short letter of ours: whom its reader may ask.
func (a *Adjudicator) foot() string {
	if a.Contact == "" {
		return ""
	}
	return "\n" + templates.Wrap(templates.Questions(a.Contact)) + "\n"
}

// disposed is what became of a player's letter: one with a question that goes to no address
// is filed for the operator, whatever became of its orders.
func (j *adjudication) disposed() Disposition {
	if j.filed {
		return Asked
	}
	return j.disposition
}

// Ask implements command.Host: it passes a question on to the operator, by a letter that
// his mail program answers to the player. The letter holds
// what the player wrote, and nothing else that is hidden: the operator may play. Without his
// address the player's own letter is filed for him.
func (s host) Ask(text string) (command.Outcome, error) {
	if s.a.Contact == "" && !s.a.FilesQuestions {
		return command.Declined("Nobody is named here whom the question could go to. Ask whoever invited you.")
	}
	if !s.mayAsk() {
		return command.Declined(fmt.Sprintf("You have asked %d questions today, and more are not carried. It was passed on to nobody.", mostAsked))
	}
	if s.a.Contact == "" {
		s.filed = true
		return command.Done("Your letter is put where the operator finds it, who is a person and answers when there is time:\n" + strings.Join(barred(text), "\n"))
	}
	d, err := s.question(text)
	if err != nil {
		s.a.Log.Error("a question cannot be passed on", "match", s.m.ID, "seat", int(s.seat), "error", err)
		return command.Declined("It could not be passed on. Please write to " + s.a.Contact + ".")
	}
	s.questions = append(s.questions, d)
	return command.Done("It was passed on to the operator, who is a person and answers when there is time:\n" + strings.Join(barred(text), "\n"))
}

// question is the letter to the operator.
func (s host) question(text string) (d Dispatch, err error) {
	who := &s.m.Seats[s.seat]
	answered := "It answers none of our letters."
	if t := s.letter.Token; t != nil {
		answered = fmt.Sprintf("It stands in an answer to letter %d to that seat.", t.Number)
	}
	about := fmt.Sprintf("Match %s of %s, seat %s. %s Message-ID: %s.", s.m.ID, s.game.Title(), who.Name, answered, s.letter.MessageID)
	d = Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: s.a.Contact},
		Heading:   Heading{ReplyTo: who.Player.Address, InReplyTo: s.letter.MessageID, Subject: subject(s.m, "A question of "+s.called(s.seat), capital(s.m.Game)), MessageID: s.a.shortID("question", s.m.ID, fmt.Sprint(s.seat, len(s.questions)), s.letter.Digest)},
		Sending:   Sending{Date: s.a.Now()},
		Content: Content{Body: templates.Wrap(capital(s.called(s.seat))+" asks:") + "\n\n" + strings.Join(barred(text), "\n") + "\n\n" + templates.Wrap(about) + "\n\n" +
			templates.Wrap("Your reply goes to the player, not to the referee. It shows your address.") + "\n"},
	}
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("pass a question on: %w", err)
	}
	return d, nil
}
