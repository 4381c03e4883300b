package secretary

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/contact"
	"samizdat/templates"
)

// The director's letters are proved as those about matches are: one counts only if it answers
// the newest of ours to him about the club, and no act is done before he has said YES to a
// letter that names it.

// isDirected reports whether a letter is one of the director about the club, and whether it
// proves that.
func (s *Secretary) isDirected(l adjudicator.Letter) (is, proves bool) {
	if s.Adjudicator.Director == "" || !contact.Same(l.From, s.Adjudicator.Director) || l.TooBig || len(l.Orders) > mostText {
		return false, false
	}
	if t := l.Token; t != nil && t.Director && t.Match == adjudicator.ClubName && l.Genuine != nil && l.Genuine(s.Adjudicator.Replies.DirectorKey()) {
		return true, true
	}
	for _, row := range append(strings.Split(l.Orders, "\n"), l.Subject) {
		if strings.EqualFold(strings.Trim(strings.Join(strings.Fields(row), " "), ".!"), directs) {
			return true, false
		}
	}
	return false, false
}

// directs asks for a letter that the director can answer.
const directs = "DIRECT CLUB"

// directorAnswer is a letter to the director that is being written.
type directorAnswer struct {
	s         *Secretary
	directing club.Directing
	note      templates.Note
	// change is what his letter leads to.
	change adjudicator.Change
	offers []string
}

// fromDirector takes a letter of the director.
func (s *Secretary) fromDirector(ctx context.Context, l adjudicator.Letter, proves bool) (adjudicator.Disposition, error) {
	if was, twice, err := s.Adjudicator.Replies.Twice(ctx, directorReceipts, l); err != nil || twice {
		return was, err
	}
	if is, d, err := s.Adjudicator.Replies.Proves(ctx, l, s.Adjudicator.Director); err != nil || !is {
		return d, err
	}
	state, err := s.Store.Directing(ctx)
	if err != nil {
		return "", err
	}
	x := &directorAnswer{s: s, directing: state, note: templates.Note{Mark: s.Adjudicator.Post.Mark()}}
	switch {
	case !proves:
		if err := x.status(ctx); err != nil {
			return "", err
		}
		d := x.dispatch(s.Adjudicator.Director)
		return s.Adjudicator.Replies.SomeADay(ctx, l, 1, "club director", adjudicator.Done, d, adjudicator.Change{})
	case l.Shared:
		x.next(nil)
		x.line("", refused, "Your letter went to another address as well, whose reader has seen what it takes to answer in your name. Nothing in it was done. Reply to this letter, to the referee alone.")
	case l.Token.Number != state.Letters:
		x.line("", refused, "Your letter answered an older letter, or one that you have answered already, and nothing in it was done. Reply to this one.")
	default:
		if err := x.read(ctx, letter.ReadClubDirector(l.Orders)); err != nil {
			return "", err
		}
	}
	if err := x.status(ctx); err != nil {
		return "", err
	}
	d := x.dispatch(s.Adjudicator.Director)
	d.MessageID, d.Reply, d.InReplyTo = s.Adjudicator.Replies.AnswerID(l), true, l.MessageID
	if err := s.Adjudicator.Replies.Write(&d, true, x.offers...); err != nil {
		return "", err
	}
	x.change.Receipt = s.Adjudicator.Replies.Receipt(directorReceipts, l, adjudicator.Done)
	x.change.Letters = append(x.change.Letters, d)
	if x.change.Club == nil {
		x.change.Club = &club.Change{}
	}
	x.change.Club.Directing = &x.directing
	return adjudicator.Done, s.Adjudicator.Store.Apply(ctx, x.change)
}

// directorReceipts is to whom the receipts of the director's letters belong.
const directorReceipts = adjudicator.ClubName + "-director"

// next lets nothing but the letter count that is being written, with what it asks about.
func (x *directorAnswer) next(p *club.Directive) {
	x.directing.Letters++
	x.directing.Proposed, x.directing.Asked = p, x.s.now().UTC()
}

// read does what a letter says.
func (x *directorAnswer) read(ctx context.Context, said letter.Directed[club.Directive]) error {
	for _, r := range said.Refused {
		x.line(r.Text, refused, r.Why)
	}
	switch {
	case len(said.Acts) > 0 && (len(said.Refused) > 0 || said.No || said.Yes || len(said.Acts) > 1):
		for _, act := range said.Acts {
			x.line(act.String(), refused, "A letter does one thing, and nothing else stands in it. Send the acts one by one, each in reply to our newest letter.")
		}
	case len(said.Acts) == 1:
		return x.propose(ctx, said.Acts[0])
	case said.No:
		x.next(nil)
		x.line("NO", done, "Nothing is done.")
	case said.Yes:
		return x.confirm(ctx)
	}
	return nil
}

// propose asks the director whether he means an act.
func (x *directorAnswer) propose(ctx context.Context, d club.Directive) error {
	_, err := x.s.act(ctx, d, byDirector)
	if no := (*Undone)(nil); errors.As(err, &no) {
		x.line(d.String(), refused, letter.Sentence(no))
		return nil
	} else if err != nil {
		return err
	}
	x.next(&d)
	note := "If you mean this, reply to this letter with YES."
	if d.Why != "" {
		note = "The members can read your reason: " + d.Why + "\n" + note
	}
	x.line(d.String(), asked, note)
	x.offers = append(x.offers, string(letter.Yes))
	return nil
}

// confirm takes a YES.
func (x *directorAnswer) confirm(ctx context.Context) error {
	p := x.directing.Proposed
	age := x.s.now().Sub(x.directing.Asked)
	if p == nil || age < 0 || age > club.ProposedDays*24*time.Hour {
		x.line("YES", refused, "There is nothing that YES answers, or you were asked more than a week ago.")
		return nil
	}
	c, err := x.s.act(ctx, *p, byDirector)
	if no := (*Undone)(nil); errors.As(err, &no) {
		x.next(nil)
		x.line(p.String(), refused, letter.Sentence(no))
		return nil
	} else if err != nil {
		return err
	}
	x.next(nil)
	x.change = c
	x.line(p.String(), done, "It is done, and those concerned are told.")
	return nil
}

// line says what became of a line.
func (x *directorAnswer) line(text string, came outcome, note string) {
	x.note.Lines = append(x.note.Lines, templates.Line{Text: letter.Echo(text), Outcome: string(came), Note: note})
}

// status shows the club to its director.
func (x *directorAnswer) status(ctx context.Context) error {
	waiting, err := x.s.Store.Members(ctx, club.Applied)
	if err != nil {
		return err
	}
	var rows []string
	for i := range waiting {
		if c := x.change.Club; c != nil && slices.ContainsFunc(c.Members, func(m *club.Member) bool { return m.ID == waiting[i].ID }) {
			continue // He is admitted, or refused, with this letter.
		}
		rows = append(rows, fmt.Sprintf("%s, since %s", waiting[i].Name, day(waiting[i].Since)))
	}
	p := templates.Part{Title: "Who wants to join", Rows: rows}
	if len(rows) == 0 {
		p.Says = []string{"Nobody waits to be admitted."}
	}
	x.note.Parts = append(x.note.Parts, p)
	x.note.Parts = append(x.note.Parts, templates.Part{Title: "What you can write", Says: []string{"One act a letter, on a line of its own. You are asked whether you mean it."}, Rows: listed(letter.Forms(letter.ClubDirector))})
	return nil
}

// dispatch is the letter, not rendered yet.
func (x *directorAnswer) dispatch(to string) adjudicator.Dispatch {
	d := adjudicator.Dispatch{Addressee: adjudicator.Addressee{To: to}, Heading: adjudicator.Heading{Subject: "Directing " + x.s.Club.Name}, Content: adjudicator.Content{Body: strings.TrimRight(x.note.Text(), "\n") + "\n"}}
	d.Token = x.s.Adjudicator.Post.Token(x.s.Adjudicator.Replies.DirectorKey(), adjudicator.DirectorToken(adjudicator.ClubName, x.directing.Letters))
	return d
}

// tellApplied tells the director that somebody wants to join, with a letter that he can answer.
func (s *Secretary) tellApplied(ctx context.Context, a *answer) error {
	if s.Adjudicator.Director == "" {
		return nil
	}
	state, err := s.Store.Directing(ctx)
	if err != nil {
		return err
	}
	x := &directorAnswer{s: s, directing: state, note: templates.Note{Mark: s.Adjudicator.Post.Mark(), Says: []string{fmt.Sprintf("%s wants to join %s. To decide, reply to this letter with one of", a.member.Name, s.Club.Name)}}}
	admit, refuse := fmt.Sprintf("%s %s", club.Admit, a.member.Name), fmt.Sprintf("%s %s BECAUSE ...", club.Refuse, a.member.Name)
	x.note.Parts = []templates.Part{{Rows: []string{admit}}, {Rows: []string{refuse}}}
	d := x.dispatch(s.Adjudicator.Director)
	d.MessageID = s.Adjudicator.Replies.AnswerID(adjudicator.Letter{Header: adjudicator.Header{MessageID: "applied " + whose(a.member)}})
	if err := s.Adjudicator.Replies.Write(&d, true, admit); err != nil {
		s.log.WarnContext(ctx, "the director cannot be told that somebody wants to join the club", "error", err)
		return nil
	}
	a.letters = append(a.letters, d)
	return nil
}
