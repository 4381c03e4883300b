package clubmail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/templates"
)

// An address can be forged, so nobody joins before a letter to his address was answered with
// YES. That letter is the same whether somebody has the name or not, and whether anybody has
// the address: whoever forges a sender learns nothing, not even by when an answer comes, for
// none comes to him. What he writes reserves nothing and settles nothing: where two letters want
// two names, YES alone gives neither, and its writer is asked for his. Where letters prove who
// wrote them, one that does is answered however many others were written in its sender's name.

const (
	// askedDays is for how many days the question can be answered.
	askedDays = 7
)

// today numbers the days.
func (s *Secretary) today() int64 { return s.now().UTC().Unix() / (24 * 60 * 60) }

// applicantKey is the key of the token in the letter that asks an address whether it wants to
// join.
func (s *Secretary) applicantKey(address string) []byte {
	return s.Adjudicator.Replies.Key("applicant", contact.LowerASCII(address))
}

// unproved takes a letter that nobody has proved to have written.
func (s *Secretary) unproved(ctx context.Context, l exchange.Letter) (exchange.Disposition, bool, error) {
	if l.TooLong() {
		return "", false, nil
	}
	lines := s.reader.Read(l.Orders)
	i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Command.Word != "" && l.Kind != letter.Talk })
	if i < 0 {
		return "", false, nil
	}
	m, err := s.Store.MemberAt(ctx, contact.LowerASCII(l.From))
	switch {
	case err != nil:
		return "", false, err
	case m != nil:
		d, err := s.giveToken(ctx, l, m)
		return d, true, err
	case lines[i].Is(letter.Register):
		d, err := s.ask(ctx, l, lines[i].Command.As)
		return d, true, err
	case lines[i].Is(letter.HelpWord), lines[i].Command.Word == letter.Register:
		d, err := s.explain(ctx, l)
		return d, true, err
	}
	return "", false, nil
}

// Newcomer implements adjudicator.Club: the first letter of an address is answered where the club takes members.
func (s *Secretary) Newcomer(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	if l.Token != nil || l.TooLong() || s.Club.Registration == club.Closed {
		return exchange.Ignored, nil
	}
	if asked, err := s.Store.Applicant(ctx, contact.MailboxOf(l.From)); err != nil || asked != nil {
		return exchange.Ignored, err
	}
	return s.explain(ctx, l)
}

// mayAsk reports whether another address may be written to today.
func (s *Secretary) mayAsk(ctx context.Context) (bool, error) {
	day := 24 * time.Hour
	n, err := s.Store.AskedSince(ctx, s.now().UTC().Truncate(day))
	if n >= s.Club.MostAsked {
		s.log.WarnContext(ctx, "no more addresses are asked today whether they want to join the club", "asked", n)
	}
	return n < s.Club.MostAsked, err
}

// ask asks an address whether it wants to join.
func (s *Secretary) ask(ctx context.Context, l exchange.Letter, name string) (exchange.Disposition, error) {
	if s.Club.Registration == club.Closed {
		return s.explain(ctx, l)
	}
	a := &club.Applicant{Address: contact.MailboxOf(l.From), Name: name, Asked: s.now(), Proven: s.proves(ctx, l)}
	if may, err := s.mayAsk(ctx); err != nil || !may && !a.Proven {
		return exchange.Ignored, errors.Join(err, s.doubt(ctx, a))
	}
	d := exchange.Dispatch{
		Heading: exchange.Heading{Subject: "Do you want to join " + s.Club.Name + "?"},
		Content: exchange.Content{Body: s.Adjudicator.Replies.Note(
			fmt.Sprintf("Somebody, probably you, has asked to join %s: people who play board games by mail, with a "+
				"program as their referee.", s.Club.Name),
			"If it was you, reply to this letter from the address that it came to, and write in the first line") +
			indented(string(letter.Yes)) + paragraphs(
			"Then you are a member, under the name that you wrote, unless somebody has it already. "+
				"To take another name, reply with REGISTER and the name.",
			"If it was not you, do nothing. You are asked no more than once a day, and nothing else comes.")},
	}
	sort := "join"
	if a.Proven {
		sort += " " + l.MessageID // He is answered as often as he writes, within the bounds for all.
	}
	as, err := s.toApplicant(ctx, l, d, sort, a, string(letter.Yes))
	if err == nil && as == exchange.Ignored {
		err = s.doubt(ctx, a)
	}
	return as, err
}

// proves reports whether a letter proves who has written it; not where no proof is demanded, or none can be had now.
func (s *Secretary) proves(ctx context.Context, l exchange.Letter) bool {
	if l.Proven == nil {
		return false
	}
	is, err := l.Proven(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "it cannot be told whether somebody who wants to join the club has proved who he is", "uid", l.UID, "error", err)
	}
	return is && err == nil
}

// doubt lets YES alone not count any more where an address that was asked has wanted another name.
func (s *Secretary) doubt(ctx context.Context, a *club.Applicant) error {
	asked, err := s.Store.Applicant(ctx, a.Address)
	if err != nil || asked == nil || asked.Name == "" || asked.Name == a.Name {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Asked: &club.Applicant{Address: a.Address, Name: a.Name, Asked: asked.Asked}}})
}

// explain tells an address how to join.
func (s *Secretary) explain(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	if may, err := s.mayAsk(ctx); err != nil || !may {
		return exchange.Ignored, err
	}
	d := exchange.Dispatch{Heading: exchange.Heading{Subject: "How to join " + s.Club.Name}}
	if s.Club.Registration == club.Closed {
		d.Body = s.Adjudicator.Replies.Note(fmt.Sprintf("You have written to %s, a club of people who play board games by mail. "+
			"It takes no new members at present.", s.Club.Name))
		return s.toApplicant(ctx, l, d, "how to join", &club.Applicant{Address: contact.MailboxOf(l.From), Asked: s.now()})
	}
	d.Body = s.Adjudicator.Replies.Note(fmt.Sprintf("You have written to %s, a club of people who play board games by mail.", s.Club.Name),
		"To join, reply to this letter with REGISTER and the name that you want to be known by, such as") + indented("REGISTER Ada") +
		paragraphs("Nobody is shown your address.", "If you already play, answer the letters of your match; this one is not about it.")
	return s.toApplicant(ctx, l, d, "how to join", &club.Applicant{Address: contact.MailboxOf(l.From), Asked: s.now()})
}

// toApplicant answers an address with a token, once a day for each sort of letter.
func (s *Secretary) toApplicant(ctx context.Context, l exchange.Letter, d exchange.Dispatch, sort string, a *club.Applicant, offers ...string) (exchange.Disposition, error) {
	if s.Club.Registration != club.Closed {
		d.Token = s.Adjudicator.Post.Token(s.applicantKey(l.From), exchange.MemberToken(0, s.today()))
		d.HTML = s.Adjudicator.Replies.Page(d, offers...)
	}
	return s.Adjudicator.Replies.SomeADay(ctx, l, 1, "club "+sort, exchange.Done, d, exchange.Change{Club: &club.Change{Asked: a}})
}

// answersQuestion takes the answers of an address that was asked whether it wants to join, or
// told how: its reader has the letter.
func (s *Secretary) answersQuestion(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error) {
	t := l.Token
	if t == nil || t.Match != exchange.ClubName || t.Member != 0 || t.Director || l.Genuine == nil || !l.Genuine(s.applicantKey(l.From)) || l.TooLong() {
		return "", false, nil
	}
	// The clock may have been set back since: then it was asked tomorrow.
	if s.today()-t.Number > askedDays {
		return "", false, nil
	}
	if was, twice, err := s.Adjudicator.Replies.Twice(ctx, "", l); err != nil || twice {
		return was, true, err
	}
	if is, d, err := s.Adjudicator.Replies.Proves(ctx, l, l.From); err != nil || !is {
		return d, true, err
	}
	if m, err := s.Store.MemberAt(ctx, contact.LowerASCII(l.From)); err != nil {
		return "", true, err
	} else if m != nil {
		d, err := s.giveToken(ctx, l, m)
		return d, true, err
	}
	d, err = s.join(ctx, l)
	return d, true, err
}

// join makes a member of an address that has said that it wants to be one.
func (s *Secretary) join(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	asked, err := s.Store.Applicant(ctx, contact.MailboxOf(l.From))
	if err != nil {
		return "", err
	}
	name := ""
	if asked != nil {
		name = asked.Name
	}
	says := false
	for _, line := range s.reader.Read(l.Orders) {
		switch {
		case line.Is(letter.Register):
			name, says = line.Command.As, true
		case line.Is(letter.Yes):
			says = true
		}
	}
	switch {
	case l.Shared:
		return s.tellApplicant(ctx, l, "Your letter went to another address as well, whose reader could have answered in your name. "+
			"Nothing in it was done. Please answer to the referee alone.")
	case s.Club.Registration == club.Closed:
		return s.tellApplicant(ctx, l, "The club takes no new members at present.")
	case says && name == "":
		return s.tellApplicant(ctx, l, "Which name do you want? More than one was asked for from your address, or none. "+
			"Please reply with REGISTER and the name, such as REGISTER Ada.")
	case !says:
		return s.tellApplicant(ctx, l, "To join, reply with REGISTER and the name that you want to be known by, such as REGISTER Ada. "+
			"Nothing else is understood here before you are a member.")
	}
	if m, err := s.Store.MemberOfMailbox(ctx, contact.MailboxOf(l.From)); err != nil {
		return "", err
	} else if m != nil {
		return s.tellApplicant(ctx, l, "There is a member with your mailbox already, whose address is written otherwise: "+
			"without what stands behind a plus, or with something else there. Please write from that address.")
	}
	clean, skeleton, err := club.Called(name, s.seats())
	if err != nil {
		return s.tellApplicant(ctx, l, fmt.Sprintf("You cannot be called %s: %v. Please reply with "+
			"REGISTER and another name.", letter.Echo(name), err))
	}
	taken, err := s.Store.MemberLike(ctx, skeleton)
	switch {
	case err != nil:
		return "", err
	case taken != nil:
		return s.tellApplicant(ctx, l, fmt.Sprintf("Somebody is called %s already, or so nearly that you would be taken for each other. "+
			"Please reply with REGISTER and another name.", clean))
	}
	return s.admit(ctx, l, clean, skeleton)
}

// admit stores a new member, and welcomes him.
func (s *Secretary) admit(ctx context.Context, l exchange.Letter, name, skeleton string) (exchange.Disposition, error) {
	id, err := s.Store.PlayerAt(ctx, contact.LowerASCII(l.From))
	if err != nil {
		return "", err
	}
	m := &club.Member{ID: id, Name: name, Skeleton: skeleton, State: club.Active, Since: s.now(), Address: contact.LowerASCII(l.From)}
	a := s.answer(m, l)
	if s.Club.Registration == club.Approval {
		m.State = club.Applied
		a.says("Thank you, "+name+". The director of the club decides whom it admits, and you will get a "+
			"letter when that is done.", "Until then there is nothing to do.")
		if err := s.tellApplied(ctx, a); err != nil {
			return "", err
		}
	} else {
		a.change.Log = append(a.change.Log, club.LogEntry{At: s.now(), Member: id, By: byMember, Act: "has joined"})
		a.says("Welcome to "+s.Club.Name+", "+name+". You are a member.",
			"Everything goes by mail. Reply to this letter, or to any other of the club, and write one order a line. "+
				"Your matches have letters of their own: answer those.")
		a.help()
	}
	a.change.Settled = contact.MailboxOf(m.Address)
	return a.store(ctx, "", exchange.Done)
}

// tellApplicant answers somebody who has not joined, with another token.
func (s *Secretary) tellApplicant(ctx context.Context, l exchange.Letter, text string) (exchange.Disposition, error) {
	if !s.Adjudicator.Replies.MayAnswer(ctx, "address "+contact.MailboxOf(l.From)) {
		return exchange.Ignored, nil
	}
	d := exchange.Dispatch{
		Addressee: exchange.Addressee{To: contact.LowerASCII(l.From), Reply: true},
		Heading:   exchange.Heading{Subject: "Do you want to join " + s.Club.Name + "?", InReplyTo: l.MessageID, Token: s.Adjudicator.Post.Token(s.applicantKey(l.From), exchange.MemberToken(0, s.today()))},
		Content:   exchange.Content{Body: s.Adjudicator.Replies.Note(text)},
	}
	d.MessageID = s.Adjudicator.Replies.AnswerID(l)
	if err := s.Adjudicator.Replies.Write(&d, true); err != nil {
		s.log.WarnContext(ctx, "an applicant cannot be answered", "uid", l.UID, "error", err)
		return exchange.Ignored, nil
	}
	return exchange.Refused, s.Adjudicator.Store.Apply(ctx, exchange.Change{Receipt: s.Adjudicator.Replies.Receipt("", l, exchange.Refused), Letters: []exchange.Dispatch{d}})
}

// giveToken answers a member whose letter had no token of his, a few times a day: whoever has his
// mailbox can go on with the answer.
func (s *Secretary) giveToken(ctx context.Context, l exchange.Letter, m *club.Member) (exchange.Disposition, error) {
	d := exchange.Dispatch{
		Heading: exchange.Heading{Subject: s.Club.Name},
		Content: exchange.Content{Body: s.Adjudicator.Replies.Note(
			"Your letter came to the club, but not as an answer to one of its letters to you. "+
				"Anybody could have written it in your name, so nothing in it was done.",
			"Please reply to this letter instead, with your orders in the first lines. HELP lists them.")},
	}
	d.Token = s.Adjudicator.Post.Token(s.key(m), exchange.MemberToken(m.ID, 0))
	d.HTML = s.Adjudicator.Replies.Page(d)
	return s.Adjudicator.Replies.SomeADay(ctx, l, conversation.MostFixed, "club token", exchange.Refused, d, exchange.Change{})
}

// running lists the seats that a member has in matches which are not over.
func (s *Secretary) running(ctx context.Context, member int64) (out []match.SeatOf, err error) {
	seats, err := s.Store.SeatsOf(ctx, member)
	for _, seat := range seats {
		if seat.State == match.Playing || seat.State == match.Inviting {
			out = append(out, seat)
		}
	}
	return out, err
}

// games lists the writer's matches: whose move it is, and how much time is left.
func (a *answer) games(ctx context.Context, _ letter.Line) error {
	seats, err := a.s.running(ctx, a.member.ID)
	if err != nil {
		return err
	}
	var mine, others []string
	for _, at := range seats {
		m, err := a.s.Adjudicator.Store.Match(ctx, at.Match)
		if err != nil {
			return err
		}
		st, err := a.s.Adjudicator.Standing(ctx, m, at.Seat)
		if still := (*adjudicator.Differs)(nil); errors.As(err, &still) {
			others = append(others, at.Match+": This match is being looked at by the operator.")
			continue
		} else if err != nil {
			return err
		}
		row := st.Match + ": " + st.Line
		if st.Time != "" {
			row += ". " + st.Time
		}
		if st.Asked {
			mine = append(mine, row)
		} else {
			others = append(others, row)
		}
	}
	switch {
	case len(seats) == 0:
		a.part(templates.Part{Title: "Your matches", Says: []string{"You play no match now. OFFERS lists those that are offered to you."}})
		return nil
	case len(mine) == 0:
		a.part(templates.Part{Title: "Your matches", Says: []string{"None waits for you."}, Rows: others})
		return nil
	}
	a.part(templates.Part{Title: fmt.Sprintf("Waiting for you: %d", len(mine)), Rows: mine})
	if len(others) > 0 {
		a.part(templates.Part{Title: "Waiting for others", Rows: others})
	}
	a.note.Ends = append(a.note.Ends, "Answer the letters of a match, not this one. RESEND ALL sends the newest of each again.")
	return nil
}

// resendAll sends the writer how each of his matches stands, in letters of their own.
func (a *answer) resendAll(ctx context.Context, l letter.Line) error {
	seats, err := a.s.running(ctx, a.member.ID)
	if err != nil {
		return err
	}
	if len(seats) == 0 {
		a.line(l.Text, refused, "You play no match now.")
		return nil
	}
	if !a.s.Adjudicator.Replies.MayAnswer(ctx, "resend all "+whose(a.member)) {
		a.line(l.Text, refused, "You have asked for this often lately. Please try again in an hour.")
		return nil
	}
	if len(a.others) > 0 {
		a.line(l.Text, ignored, "Once is enough.")
		return nil
	}
	n := 0
	for _, at := range seats {
		m, err := a.s.Adjudicator.Store.Match(ctx, at.Match)
		if err != nil {
			return err
		}
		d, err := a.s.Adjudicator.Again(ctx, m, at.Seat, "You have asked the club for the newest letter of each of your matches. "+
			"This one says how things stand now, and a reply to it counts.")
		if still := (*adjudicator.Differs)(nil); errors.As(err, &still) {
			continue
		} else if err != nil {
			return err
		}
		n++
		a.others, a.letters = append(a.others, m), append(a.letters, d)
	}
	a.did = true
	a.line(l.Text, done, plural(n, "letter")+", one for each match, are on the way.")
	if n == 1 {
		a.note.Lines[len(a.note.Lines)-1].Note = "The letter of your match is on the way."
	}
	return nil
}

// plural writes a number of things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
