package clubmail

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/templates"
)

// The director's letters are proved as those about matches are: one counts only if it answers
// the newest of ours to him about the club, and no act is done before he has said YES to a
// letter that names it.

// isDirected reports whether a letter is one of the director about the club, and whether it
// proves that.
func (s *Secretary) isDirected(l exchange.Letter) (is, proves bool) {
	if s.Adjudicator.Director == "" || !contact.Same(l.From, s.Adjudicator.Director) || l.TooLong() {
		return false, false
	}
	if t := l.Token; t != nil && t.Director && t.Match == exchange.ClubName && l.Genuine != nil && l.Genuine(s.Adjudicator.Replies.DirectorKey()) {
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
	change exchange.Change
	offers []string
}

// fromDirector takes a letter of the director.
func (s *Secretary) fromDirector(ctx context.Context, l exchange.Letter, proves bool) (exchange.Disposition, error) {
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
		return s.Adjudicator.Replies.SomeADay(ctx, l, 1, "club director", exchange.Done, d, exchange.Change{})
	case l.Shared:
		x.next(nil)
		x.line("", refused, "Your letter went to another address as well, whose reader has seen what it takes to answer in your name. "+
			"Nothing in it was done. Reply to this letter, to the referee alone.")
	case l.Token.Number != state.Letters:
		x.line("", refused, "Your letter answered an older letter, or one that you have answered already, and nothing in it was "+
			"done. Reply to this one.")
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
	x.change.Receipt = s.Adjudicator.Replies.Receipt(directorReceipts, l, exchange.Done)
	x.change.Letters = append(x.change.Letters, d)
	if x.change.Club == nil {
		x.change.Club = &club.Change{}
	}
	x.change.Club.Directing = &x.directing
	return exchange.Done, s.Adjudicator.Store.Apply(ctx, x.change)
}

// directorReceipts is to whom the receipts of the director's letters belong.
const directorReceipts = exchange.ClubName + "-director"

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
			x.line(act.String(), refused, "A letter does one thing, and nothing else stands in it. "+
				"Send the acts one by one, each in reply to our newest letter.")
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
	if no := (*adjudicator.Undirected)(nil); errors.As(err, &no) {
		x.line(d.String(), refused, match.Sentence(no))
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
	if no := (*adjudicator.Undirected)(nil); errors.As(err, &no) {
		x.next(nil)
		x.line(p.String(), refused, match.Sentence(no))
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
	x.note.Parts = append(x.note.Parts, p, templates.Part{Title: "What you can write", Rows: listed(letter.Forms(letter.ClubDirector)),
		Says: []string{"One act a letter, on a line of its own. You are asked whether you mean it."}})
	return nil
}

// dispatch is the letter, not rendered yet.
func (x *directorAnswer) dispatch(to string) exchange.Dispatch {
	d := exchange.Dispatch{Addressee: exchange.Addressee{To: to}, Heading: exchange.Heading{Subject: "Directing " + x.s.Club.Name}, Content: exchange.Content{Body: strings.TrimRight(x.note.Text(), "\n") + "\n"}}
	d.Token = x.s.Adjudicator.Post.Token(x.s.Adjudicator.Replies.DirectorKey(), exchange.DirectorToken(exchange.ClubName, x.directing.Letters))
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
	d.MessageID = s.Adjudicator.Replies.AnswerID(exchange.Letter{Header: exchange.Header{MessageID: "applied " + whose(a.member)}})
	if err := s.Adjudicator.Replies.Write(&d, true, admit); err != nil {
		s.log.WarnContext(ctx, "the director cannot be told that somebody wants to join the club", "error", err)
		return nil
	}
	a.letters = append(a.letters, d)
	return nil
}

// Act does what the director, or the operator, wants, with the letters that follow. By names who
// it is, for the log that members can read.
func (s *Secretary) Act(ctx context.Context, d club.Directive, by string) error {
	c, err := s.act(ctx, d, by)
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, c)
}

// act is what an act changes.
func (s *Secretary) act(ctx context.Context, d club.Directive, by string) (exchange.Change, error) {
	if d.Verb == club.Annul || d.Verb == club.Restore {
		c, err := s.annuls(ctx, strings.ToLower(d.Name), by, d.Why, d.Verb == club.Annul)
		return exchange.Change{Club: c}, err
	}
	if d.Verb == club.Announce {
		c, err := s.announces(d.Text, by)
		return exchange.Change{Club: c}, err
	}
	if d.Verb.OfTournament() {
		return s.actOnTournament(ctx, d, by)
	}
	m, err := s.anybody(ctx, d.Name)
	if err != nil {
		return exchange.Change{}, err
	}
	a := s.answer(m, exchange.Letter{})
	because := ""
	if d.Why != "" {
		because = " The reason: " + strings.TrimRight(d.Why, ".") + "."
	}
	switch was := m.State; {
	case d.Verb == club.Admit && was == club.Applied:
		m.State = club.Active
		a.log(m.ID, by, "was admitted", d.Why)
		a.says("The director has admitted you to "+s.Club.Name+". Welcome, "+m.Name+"."+because,
			"Everything goes by mail. Reply to this letter, or to any other of the club, and write one order a line.")
		a.help()
	case d.Verb == club.Refuse && was == club.Applied:
		m.State = club.Banned
		a.log(m.ID, by, "was not admitted", d.Why)
		a.says("The director has not admitted you to " + s.Club.Name + "." + because)
	case d.Verb == club.Ban && (was == club.Active || was == club.Left):
		m.State = club.Banned
		a.log(m.ID, by, "was banned", d.Why)
		if err := a.retire(ctx, m); err != nil {
			return exchange.Change{}, err
		}
		a.says("The director has shut you out of "+s.Club.Name+"."+because, "What you have offered is withdrawn. Your matches go on: "+
			"answer their letters.")
	case d.Verb == club.Unban && was == club.Banned:
		m.State = club.Active
		a.log(m.ID, by, "may come in again", d.Why)
		a.says("The director lets you into " + s.Club.Name + " again." + because)
	default:
		return exchange.Change{}, &adjudicator.Undirected{Why: fmt.Sprintf("%s cannot be done: %s %s.", d, m.Name, standing[was])}
	}
	letter, err := a.dispatch()
	if err != nil {
		return exchange.Change{}, err
	}
	return exchange.Change{Letters: append(a.letters, letter), Club: &a.change}, nil
}

// standing says where a member stands.
var standing = map[club.State]string{
	club.Applied: "has asked to join, and waits", club.Active: "is a member", club.Left: "has left", club.Banned: "is shut out", club.Forgotten: "is forgotten",
}

// anybody finds a member by name, whatever has become of him.
func (s *Secretary) anybody(ctx context.Context, name string) (*club.Member, error) {
	if _, skeleton, err := club.Called(name, nil); err == nil {
		if m, err := s.Store.MemberLike(ctx, skeleton); err != nil || m != nil {
			return m, err
		}
	}
	return nil, &adjudicator.Undirected{Why: fmt.Sprintf("Nobody is called %s here.", name)}
}

// and divides two names.
var and = regexp.MustCompile(`(?i)\s*(?:,|\bAND\b)\s*`)

// actOnTournament is what an act of the director about a tournament changes.
func (s *Secretary) actOnTournament(ctx context.Context, d club.Directive, by string) (c exchange.Change, err error) {
	if d.Verb == club.Hold {
		t, terms, err := club.ReadTournament(d.Text)
		if err == nil {
			t.Name = d.Name
			c.Club, err = s.holds(ctx, t, terms, by, d.Why)
		}
		if err != nil {
			return c, &adjudicator.Undirected{Why: err.Error()}
		}
		return c, nil
	}
	var members []*club.Member
	for _, name := range and.Split(d.Text, -1) {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		m, err := s.anybody(ctx, name)
		if err != nil {
			return c, err
		}
		members = append(members, m)
	}
	if want := map[club.Verb]int{club.LetIn: 1, club.TakeOut: 1, club.Swap: 2}[d.Verb]; len(members) != want {
		return c, &adjudicator.Undirected{Why: fmt.Sprintf("%s is about %s", d.Verb, map[int]string{0: "no member", 1: "one member", 2: "two members, such as Ada AND Ben"}[want])}
	}
	act, change := mending(d, members)
	if c.Club, _, err = s.mends(ctx, d.Name, by, act, d.Why, change); err != nil {
		return c, err
	}
	switch t := c.Club.Tournaments[0]; d.Verb {
	case club.LetIn:
		t.Words[members[0].ID], c.Club.Log[0].Member = "entered by the director", members[0].ID
		err = s.tells(&c, members[0], fmt.Sprintf("The director has entered you in %s, which starts on %s.", t.Title, day(t.Starts)), d)
	case club.TakeOut:
		err = s.tells(&c, members[0], fmt.Sprintf("The director has taken you out of %s. Your matches that have begun go on.", t.Title), d)
	}
	return c, err
}

// tells adds a letter to a member of what the director has done.
func (s *Secretary) tells(c *exchange.Change, m *club.Member, text string, d club.Directive) error {
	if m.State != club.Active || m.Address == "" {
		return nil
	}
	a := s.answer(m, exchange.Letter{})
	a.subject = d.Name
	a.says(text + " The reason: " + strings.TrimRight(d.Why, ".") + ".")
	letter, err := a.dispatch()
	c.Letters, c.Club.Members = append(c.Letters, letter), append(c.Club.Members, m)
	return err
}

// mending is how an act changes a tournament, with what the log says.
func mending(d club.Directive, members []*club.Member) (act string, change func(*tournament.Tournament) ([]string, error)) {
	switch d.Verb {
	case club.LetIn:
		return "was entered in the tournament " + d.Name, func(t *tournament.Tournament) ([]string, error) {
			if members[0].State != club.Active {
				return nil, fmt.Errorf("%s %s", members[0].Name, standing[members[0].State])
			}
			return nil, t.Enter(members[0].ID)
		}
	case club.TakeOut:
		return "somebody is taken out of the tournament " + d.Name, func(t *tournament.Tournament) ([]string, error) { return nil, t.Withdraw(members[0].ID) }
	case club.Swap:
		return fmt.Sprintf("in the tournament %s two have traded their places", d.Name), func(t *tournament.Tournament) ([]string, error) { return t.Swap(members[0].ID, members[1].ID) }
	}
	return fmt.Sprintf("the tournament %s is called off", d.Name), func(t *tournament.Tournament) ([]string, error) { return nil, t.CallOff() }
}
