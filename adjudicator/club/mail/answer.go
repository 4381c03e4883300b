package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/templates"
)

// answer is the letter to a member that answers one of his, with what his letter leads to.
type answer struct {
	s      *Secretary
	member *club.Member
	letter exchange.Letter
	note   templates.Note
	// offers are orders that the letter offers: a page makes them links.
	offers []string
	// subject says what the letter is about, unsubscribe how to get no more such letters.
	subject, unsubscribe string
	change               club.Change
	// begun are matches that begin with the letter, letters those to others.
	begun   []exchange.Beginning
	letters []exchange.Dispatch
	// others are matches whose letters are sent again, player is the member if what is his own as
	// a player changes, players are those who were read.
	others  []*match.Match
	player  *match.Player
	players players
	// file is attached; proposed means that the letter asks its reader something, forgets that
	// it is the last to him.
	file              []byte
	proposed, forgets bool
	// dropped means that it is not sent, counted that it was looked whether it is.
	dropped, counted bool
	// did means that his letter has changed something.
	did bool
	// refused means that something in it was not done, notDone that nothing was, and why is asked.
	refused, notDone bool
	// orders is how many lines of his letter are no talk.
	orders int
}

// answer begins the answer to a letter of a member.
func (s *Secretary) answer(m *club.Member, l exchange.Letter) *answer {
	return &answer{s: s, players: players{}, member: m, letter: l, note: templates.Note{Mark: s.Adjudicator.Post.Mark()}, change: club.Change{Members: []*club.Member{m}}}
}

// says adds paragraphs to the beginning.
func (a *answer) says(paragraphs ...string) { a.note.Says = append(a.note.Says, paragraphs...) }

// part adds a part.
func (a *answer) part(p templates.Part) { a.note.Parts = append(a.note.Parts, p) }

// line says what became of a line of the letter.
func (a *answer) line(text string, came outcome, note string) {
	a.refused = a.refused || came == refused
	a.note.Lines = append(a.note.Lines, templates.Line{Text: letter.Echo(text), Outcome: string(came), Note: note})
}

// outcome is what became of a line of a letter.
type outcome string

// The outcomes.
const (
	done    outcome = "done"
	refused outcome = "refused"
	ignored outcome = "ignored"
	asked   outcome = "not done yet"
	unread  outcome = "not understood"
)

// help adds the page on orders.
func (a *answer) help() {
	a.part(templates.Part{Title: "What you can write", Says: []string{"One order a line:"}, Rows: listed(letter.MemberForms(a.s.Adjudicator.Games))})
}

// listed are forms as rows of a part.
func listed(forms []letter.Form) (rows []string) {
	for _, f := range forms {
		rows = append(rows, f.Order)
		for line := range strings.SplitSeq(templates.Indented(f.Does, "        "), "\n") {
			rows = append(rows, strings.TrimPrefix(line, "    "))
		}
	}
	return rows
}

// dispatch writes the letter. Its number is the member's next.
func (a *answer) dispatch() (d exchange.Dispatch, err error) {
	m, adj := a.member, a.s.Adjudicator
	m.Letters++
	token := exchange.MemberToken(m.ID, m.Letters)
	key := a.s.key(m)
	d = exchange.Dispatch{Addressee: exchange.Addressee{To: m.Address, Number: m.Letters}, Heading: exchange.Heading{Token: adj.Post.Token(key, token), MessageID: adj.Post.LetterID(key, token), Subject: a.s.Club.Name, Unsubscribe: a.unsubscribe}}
	if a.subject != "" {
		d.Subject += ": " + a.subject
	}
	if a.notDone {
		d.Subject = "Not done yet: " + a.s.Club.Name
	}
	if a.letter.MessageID != "" {
		d.Reply, d.InReplyTo = true, a.letter.MessageID
	}
	d.Body = a.note.Text()
	if a.file != nil {
		d.FileName, d.File = "my-data.json", a.file
	}
	pages := m.Settings.Format != string(match.FormatText)
	return d, adj.Replies.Write(&d, pages, a.offers...)
}

// store writes what the letter leads to, with the answer. Whose is to whom the receipt belongs.
func (a *answer) store(ctx context.Context, whose string, as exchange.Disposition) (exchange.Disposition, error) {
	adj := a.s.Adjudicator
	c := exchange.Change{Receipt: adj.Replies.Receipt(whose, a.letter, as), Club: &a.change, Begun: a.begun}
	d, err := a.dispatch()
	if err != nil {
		return "", err
	}
	if a.forgets {
		a.change.Forgotten = &club.Member{ID: a.member.ID, Address: a.member.Address}
		m := a.member
		m.Name, m.Skeleton, m.State, m.Settings, m.Proposed = m.Pseudonym(), "", club.Forgotten, club.Settings{}, nil
		c.Receipt = nil // Nothing of him is kept; without his address the letter does nothing when it comes again.
	}
	c.Player, c.Others = a.player, a.others
	c.Letters = append([]exchange.Dispatch{d}, a.letters...)
	return as, adj.Store.Apply(ctx, c)
}

// tell writes to another member. Offers are orders that the letter offers.
func (a *answer) tell(ctx context.Context, m *club.Member, subject string, n templates.Note, offers ...string) error {
	for _, known := range a.change.Members {
		if known.ID == m.ID {
			m = known // Both letters are counted.
		}
	}
	if m.Address == "" {
		return nil
	}
	other := a.s.answer(m, exchange.Letter{})
	n.Mark = other.note.Mark
	other.note, other.subject, other.offers = n, subject, offers
	d, err := other.dispatch()
	if err != nil {
		a.s.log.WarnContext(ctx, "a member cannot be written to", "member", m.ID, "error", err)
		return nil
	}
	a.letters = append(a.letters, d)
	if !slices.Contains(a.change.Members, m) {
		a.change.Members = append(a.change.Members, m)
	}
	return nil
}

// paragraphs are some without a mark above them.
func paragraphs(list ...string) (out string) {
	for _, p := range list {
		out += "\n" + templates.Wrap(p) + "\n"
	}
	return out
}

// indented is what stands apart from the text around it.
func indented(text string) string { return "\n    " + strings.TrimSpace(text) + "\n" }

// mostLines is how many lines of a letter are read.
const mostLines = 40

// fromMember takes a letter that a member has proved to have written.
func (s *Secretary) fromMember(ctx context.Context, l exchange.Letter, m *club.Member) (exchange.Disposition, error) {
	if was, twice, err := s.Adjudicator.Replies.Twice(ctx, whose(m), l); err != nil || twice {
		return was, err
	}
	if is, d, err := s.Adjudicator.Replies.Proves(ctx, l, m.Address); err != nil || !is {
		return d, err
	}
	a := s.answer(m, l)
	a.note.Problems = l.Problems
	if l.Shared {
		m.Serial++
		a.note.Problems = append(a.note.Problems, "Your letter went to another address as well, and who reads it there could "+
			"have answered in your "+
			"name. So the address that you answer to has changed: reply to this letter, older ones no longer count.")
	}
	if err := a.read(ctx); err != nil {
		return "", err
	}
	as := exchange.Done
	if a.refused && !a.did {
		as = exchange.Refused
	}
	if !a.did && !l.Shared && !a.mayAnswer(ctx) {
		return exchange.Ignored, nil // As if it had not come: a robot has his address.
	}
	return a.store(ctx, whose(m), as)
}

// mayAnswer reports whether the member is answered though his letter has done nothing, and counts it once.
func (a *answer) mayAnswer(ctx context.Context) bool {
	if !a.counted {
		a.counted, a.dropped = true, !a.s.Adjudicator.Replies.MayAnswerTo(ctx, a.letter, whose(a.member), a.member.Address)
	}
	return !a.dropped
}

// read reads a letter, and carries it out line by line.
func (a *answer) read(ctx context.Context) error {
	lines := a.s.reader.Read(a.letter.Orders)
	for _, l := range lines {
		if l.Kind != letter.Talk {
			a.orders++
		}
	}
	switch {
	case a.letter.TooLong(), len(lines) > mostLines:
		a.line("", refused, "Your letter was too long, and nothing in it was done. Orders are a few lines; "+
			"please send them without attachments and without the letters quoted below.")
		return nil
	case a.member.State == club.Left && slices.ContainsFunc(lines, func(l letter.Line) bool {
		return l.Is(letter.Register) || l.Is(letter.ForgetMe) || l.Is(letter.Yes) || l.Is(letter.MyData)
	}):
		return a.returns(ctx, lines)
	case a.member.State != club.Active:
		a.notActive()
		return nil
	case len(lines) == 0:
		a.line("", refused, "There was no order in your letter. Write it above the line that says Samizdat reads nothing below it.")
		a.help()
		return nil
	}
	if !a.letter.Shared && !slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.HostOrder && !l.Command.Asks() }) && !a.mayAnswer(ctx) {
		return nil // What nobody is sent is not looked up.
	}
	lines = a.answersConsent(lines)
	doubted := slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.Talk })
	if doubted && slices.ContainsFunc(lines, acts) && !slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.Unreadable }) {
		return a.asksBack(ctx, lines)
	}
	return a.carryOut(ctx, lines)
}

// acts reports whether a line is an order that changes something.
func acts(l letter.Line) bool { return l.Kind == letter.HostOrder && !l.Command.Asks() }

// answersConsent puts the orders that the writer was asked about in the place of his YES. Beside other orders a
// YES that answers nothing is left out; where a question is open it may speak of either, and its writer is asked.
func (a *answer) answersConsent(lines []letter.Line) []letter.Line {
	is := func(l letter.Line) bool { return l.Is(letter.Yes) || l.Is(letter.No) }
	p := a.member.Proposed
	open := p.Good(a.letter.Token.Number, a.s.now())
	out := slices.Clone(lines)
	both := slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Yes) }) && slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.No) })
	switch {
	case both:
	case slices.ContainsFunc(lines, func(l letter.Line) bool { return acts(l) && !is(l) }):
	case open && p.Orders != "" && !a.letter.Shared && slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Yes) }):
		i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Is(letter.Yes) })
		a.member.Proposed = nil
		return slices.Concat(out[:i], a.s.reader.Read(p.Orders), slices.DeleteFunc(out[i+1:], func(l letter.Line) bool { return l.Is(letter.Yes) }))
	default:
		return out
	}
	if !open && !both {
		return slices.DeleteFunc(out, func(l letter.Line) bool { return l.Is(letter.Yes) })
	}
	for i, l := range out {
		if is(l) {
			out[i] = letter.Line{Text: l.Text, Why: "It is not clear what it answers, so nothing was done for it."}
		}
	}
	return out
}

// carryOut carries out the lines of a letter from the top. What is asked twice is answered once.
func (a *answer) carryOut(ctx context.Context, lines []letter.Line) error {
	understood, known := false, map[string]bool{}
	for _, l := range lines {
		text := strings.ToLower(strings.Join(strings.Fields(l.Text), " "))
		if l.Kind == letter.HostOrder && l.Command.Asks() && known[text] {
			a.line(l.Text, ignored, "You have asked that above.")
			continue
		}
		known[text] = true
		if a.member.State != club.Active {
			a.line(l.Text, ignored, "You have just left the club.")
			continue
		}
		switch l.Kind {
		case letter.Talk:
			a.line(l.Text, ignored, l.Why)
		case letter.Unreadable:
			a.line(l.Text, refused, l.Why)
			understood = true
		default:
			if err := a.do(ctx, l); err != nil {
				return err
			}
			understood = true
		}
	}
	if !understood {
		a.refused = true
		a.help()
	}
	return nil
}

// notActive answers a member who may do nothing.
func (a *answer) notActive() {
	switch a.member.State {
	case club.Applied:
		a.line("", refused, "The director has not yet decided whether the club admits you. You will get a letter.")
	case club.Banned:
		a.line("", refused, "The director has shut you out of the club. Your matches go on: answer their letters.")
	default:
		a.line("", refused, "You have left the club. REGISTER brings you back; MY DATA and FORGET ME are answered as well.")
	}
}

// returns takes a letter of somebody who has left: he may come back, or want to be forgotten.
func (a *answer) returns(ctx context.Context, lines []letter.Line) error {
	for _, l := range lines {
		switch {
		case !l.Is(letter.Register):
			if l.Is(letter.ForgetMe) || l.Is(letter.Yes) || l.Is(letter.MyData) {
				if err := a.do(ctx, l); err != nil {
					return err
				}
			}
		case a.s.Club.Registration == club.Open:
			a.member.State, a.did = club.Active, true
			a.log(a.member.ID, byMember, "has come back", "")
			a.line(l.Text, done, "Welcome back. You are called "+a.member.Name+", as before.")
		case a.s.Club.Registration == club.Approval:
			a.member.State, a.did = club.Applied, true
			a.line(l.Text, done, "The director decides whom the club admits. You will get a letter.")
		default:
			a.line(l.Text, refused, "The club takes nobody at present.")
		}
	}
	return nil
}

// deeds are what orders do.
var deeds = map[letter.Word]func(a *answer, ctx context.Context, l letter.Line) error{
	letter.Register: func(a *answer, _ context.Context, l letter.Line) error {
		a.line(l.Text, refused, "You are a member already, and called "+a.member.Name+".")
		return nil
	},
	letter.Who:      (*answer).who,
	letter.HelpWord: func(a *answer, _ context.Context, l letter.Line) error { a.help(); return nil },
	letter.Yes:      (*answer).yes, letter.No: (*answer).no,
	letter.Games: (*answer).games, letter.ResendAll: (*answer).resendAll, letter.Settings: (*answer).settings, letter.Most: (*answer).most, letter.Name: (*answer).rename,
	letter.TimeZone: (*answer).timeZone, letter.Vacation: (*answer).vacation, letter.FormatWord: (*answer).format, letter.Address: (*answer).address, letter.MyData: (*answer).myData, letter.ForgetMe: (*answer).forgetMe, letter.Leave: (*answer).leave,
	letter.Log:    (*answer).showLog,
	letter.Offers: (*answer).listOffers, letter.Offer: (*answer).offer, letter.Challenge: (*answer).challenge, letter.Accept: (*answer).accept,
	letter.Decline: (*answer).decline, letter.Block: (*answer).block, letter.Unblock: (*answer).unblock, letter.Withdraw: (*answer).withdraw, letter.Start: (*answer).start,
	letter.PlayRobot: (*answer).playRobot, letter.PairMe: (*answer).pairMe, letter.Unpair: (*answer).unpair, letter.Rematch: (*answer).rematch,
	letter.Ladder:  (*answer).ladder,
	letter.Rating:  (*answer).rating,
	letter.Results: (*answer).results,
	letter.Digest:  (*answer).digest,
	letter.Enter:   (*answer).enter, letter.TableWord: (*answer).table, letter.Tournaments: (*answer).tournaments,
}

// do carries out an order.
func (a *answer) do(ctx context.Context, l letter.Line) error {
	if a.subject == "" {
		a.subject = strings.ToLower(string(l.Command.Word))
	}
	deed, ok := deeds[l.Command.Word]
	if !ok {
		return fmt.Errorf("nothing carries out %s", l.Command.Word)
	}
	return deed(a, ctx, l)
}

// who lists the members, or tells of one.
func (a *answer) who(ctx context.Context, l letter.Line) error {
	if l.Command.As != "" {
		m, err := a.named(ctx, l)
		if err != nil || m == nil {
			return err
		}
		a.part(templates.Part{Title: m.Name, Rows: []string{"Member since " + day(m.Since) + "."}})
		return nil
	}
	all, err := a.s.Store.Members(ctx, club.Active)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{m.Name, "since " + day(m.Since)})
	}
	a.part(templates.Part{Title: fmt.Sprintf("Members: %d", len(all)), Rows: templates.Columns(rows)})
	return nil
}

// named finds the member whom a line names; nil, and the line is refused, where there is none.
func (a *answer) named(ctx context.Context, l letter.Line) (*club.Member, error) {
	_, skeleton, err := club.Called(l.Command.As, nil)
	var m *club.Member
	if err == nil {
		if m, err = a.s.Store.MemberLike(ctx, skeleton); err != nil {
			return nil, err
		}
	}
	if m == nil || m.State != club.Active {
		a.line(l.Text, refused, "No member is called "+l.Command.As+". WHO lists the members.")
		return nil, nil
	}
	return m, nil
}

// day writes a day.
func day(at time.Time) string { return at.UTC().Format("2 January 2006") }
