package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

type writer struct {
	replies conversation.Replies
	// club is the name of the club.
	club  string
	games rules.Games
}

// answer is a letter to a member that is being written, with everything that the member's own letter changes.
type answer struct {
	w      writer
	member *club.Member
	// letter is the member's letter; without a Message-ID where the answer answers none.
	letter exchange.Letter
	note   templates.Note
	// offers are orders that the answer offers, e.g. ACCEPT 7: its page makes them links.
	offers []string
	// subject stands behind the name of the club; unsubscribe is the order that ends such letters.
	subject, unsubscribe string
	// file is attached, packed by gzip.
	file []byte
	// change is the change of the club, begun the matches that begin, letters the letters to others.
	change  club.Change
	begun   []exchange.Beginning
	letters []exchange.OutgoingLetter
	// player is the member as a player, if that changes; others are matches that change with him; players are all that
	// were read.
	player  *match.Player
	others  []*match.Match
	players players
	// forgets means that the member is forgotten after this letter.
	forgets bool
	// counted means that the answer was counted against the bound of answers, dropped that the bound forbids it.
	counted, dropped bool
	// did means that something was changed, refused that a line was refused, notDone that the member is asked whether he means
	// his orders.
	did, refused, notDone bool
	// orders is the number of lines that are no talk.
	orders int
}

func (w writer) answer(m *club.Member, l exchange.Letter) *answer {
	return &answer{w: w, players: players{}, member: m, letter: l, note: templates.Note{Mark: w.replies.Post.Mark()},
		change: club.Change{Members: []*club.Member{m}}}
}

func receiptOwner(m *club.Member) string { return fmt.Sprintf("%s-%d", exchange.ClubName, m.ID) }

func memberKey(replies conversation.Replies, m *club.Member) []byte {
	return replies.MemberKey(m.ID, m.Address, m.Serial)
}

func (a *answer) says(paragraphs ...string) { a.note.Says = append(a.note.Says, paragraphs...) }

func (a *answer) part(p templates.Part) { a.note.Parts = append(a.note.Parts, p) }

func (a *answer) line(text string, outcome match.Outcome, note string) {
	a.refused = a.refused || outcome == refused
	a.note.Lines = append(a.note.Lines, conversation.Line(text, outcome, note))
}

// refuse reports that an order is refused, confirm that it was carried out, inform that it was answered.
func (a *answer) refuse(l letter.Line, reason string) error {
	a.line(l.Text, refused, reason)
	return nil
}

func (a *answer) confirm(l letter.Line, note string) error { a.did = true; return a.inform(l, note) }

func (a *answer) inform(l letter.Line, note string) error { a.line(l.Text, done, note); return nil }

const (
	done    = match.OutcomeDone
	refused = match.OutcomeRefused
	ignored = match.OutcomeIgnored
	asked   = match.OutcomeAsked
)

// firstSteps adds three orders that lead to a match, each to tap, and HELP.
func (a *answer) firstSteps() {
	game := a.w.games[0].Name()
	for _, step := range [][2]string{{"PAIR ME " + game, "An opponent near your rating:"},
		{"OFFER " + game, "A match for the first member who accepts:"},
		{"PLAY ROBOT " + game, "A match against a robot, which answers at once:"}, {"HELP", "Everything else that you can write:"}} {
		a.part(templates.Part{Says: []string{step[1]}, Rows: []string{step[0]}})
		a.offers = append(a.offers, step[0])
	}
}

func (a *answer) help() {
	a.part(templates.Part{Title: "What you can write", Says: []string{"One order a line:"}, Rows: formRows(letter.MemberForms(a.w.games))})
}

func formRows(forms []letter.Form) (rows []string) {
	for _, f := range forms {
		rows = append(rows, f.Order)
		for line := range strings.SplitSeq(templates.Indented(f.Does, "        "), "\n") {
			rows = append(rows, strings.TrimPrefix(line, "    "))
		}
	}
	return rows
}

// dispatch renders the answer. Its number is the member's next.
func (a *answer) dispatch() (d exchange.OutgoingLetter, err error) {
	m, post := a.member, a.w.replies.Post
	m.Letters++
	key, token := memberKey(a.w.replies, m), exchange.MemberToken(m.ID, m.Letters)
	d = exchange.OutgoingLetter{Addressee: exchange.Addressee{To: m.Address, Number: m.Letters},
		Content: exchange.Content{Body: a.note.Text()},
		Heading: exchange.Heading{Token: post.Token(key, token), MessageID: post.LetterID(key, token), Subject: a.w.club,
			Unsubscribe: a.unsubscribe}}
	if a.subject != "" {
		d.Subject += ": " + a.subject
	}
	if a.notDone {
		d.Subject = "Not done yet: " + a.w.club
	}
	if a.letter.MessageID != "" {
		d.Reply, d.InReplyTo = true, a.letter.MessageID
	}
	if a.file != nil {
		d.FileName, d.File = "my-data.json", a.file
	}
	pages := m.Settings.Format != string(match.FormatText)
	return d, a.w.replies.Write(&d, pages, a.offers...)
}

// result is everything that the letter changes, without the answer itself.
func (a *answer) result() exchange.Change {
	return exchange.Change{Club: &a.change, Begun: a.begun, Letters: a.letters, Player: a.player, Others: a.others}
}

func (a *answer) send(ctx context.Context) error {
	d, err := a.dispatch()
	if err != nil {
		return err
	}
	a.letters = append([]exchange.OutgoingLetter{d}, a.letters...)
	return a.w.replies.Store.Apply(ctx, a.result())
}

func (a *answer) store(ctx context.Context, owner string, as exchange.Disposition) (exchange.Disposition, error) {
	receipt := a.w.replies.Receipt(owner, a.letter, as)
	d, err := a.dispatch()
	if err != nil {
		return "", err
	}
	if a.forgets {
		m := a.member
		a.change.Forgotten = &club.Member{ID: m.ID, Address: m.Address}
		m.Name, m.Skeleton, m.State, m.Settings, m.Proposed = m.Pseudonym(), "", club.Forgotten, club.Settings{}, nil
		receipt = nil // The receipt would name the forgotten member. Without the address a repeated letter has no effect.
	}
	c := a.result()
	c.Receipt, c.Letters = receipt, append([]exchange.OutgoingLetter{d}, a.letters...)
	return as, a.w.replies.Store.Apply(ctx, c)
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
	other := a.w.answer(m, exchange.Letter{})
	n.Mark = other.note.Mark
	other.note, other.subject, other.offers = n, subject, offers
	d, err := other.dispatch()
	if err != nil {
		a.w.replies.Log.WarnContext(ctx, "a member cannot be written to", "member", m.ID, "error", err)
		return nil
	}
	a.letters = append(a.letters, d)
	if !slices.Contains(a.change.Members, m) {
		a.change.Members = append(a.change.Members, m)
	}
	return nil
}

func (a *answer) mayAnswer(ctx context.Context) bool {
	if !a.counted {
		a.counted, a.dropped = true, !a.w.replies.MayAnswerTo(ctx, a.letter, receiptOwner(a.member), a.member.Address)
	}
	return !a.dropped
}

func (a *answer) propose(p club.Proposed) {
	p.Number, p.Asked = a.member.Letters+1, a.w.replies.Now().UTC()
	a.member.Proposed = &p
	a.offers = append(a.offers, string(letter.Yes), string(letter.No))
}

// answersQuestion reports whether the letter answers the question that its writer was asked last, within a week.
func (a *answer) answersQuestion() bool {
	p := a.member.Proposed
	return p != nil && p.Number == a.letter.Token.Number && conversation.IsOpen(p.Asked, a.w.replies.Now())
}

func (a *answer) log(member int64, by, act, reason string) {
	a.change.Log = append(a.change.Log, club.LogEntry{At: a.w.replies.Now(), Member: member, By: by, Act: act, Why: reason})
}

func day(at time.Time) string { return at.UTC().Format("2 January 2006") }

// moment is a day, and its time unless that is 0:00 UTC: "1 December 2026, 19:00 UTC".
func moment(at time.Time) string {
	if at.UTC().Truncate(24 * time.Hour).Equal(at) {
		return day(at)
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}

type handler func(ctx context.Context, a *answer, l letter.Line) error

type orders struct {
	replies     conversation.Replies
	post        writer
	reader      letter.Members
	accounts    *accounts
	offers      *offers
	pairer      *pairer
	tournaments *tournaments
	ladders     *ladders
	handlers    map[letter.Word]handler
}

func (s *orders) table() map[letter.Word]handler {
	return map[letter.Word]handler{
		letter.Register: func(_ context.Context, a *answer, l letter.Line) error {
			return a.refuse(l, "You are a member already, and called "+a.member.Name+".")
		},
		letter.HelpWord: func(_ context.Context, a *answer, _ letter.Line) error { a.help(); return nil },
		letter.Who:      s.accounts.who, letter.Yes: s.accounts.yes, letter.No: s.accounts.no, letter.Games: s.accounts.matches,
		letter.ResendAll: s.accounts.resendAll, letter.Settings: s.accounts.settings, letter.Most: s.accounts.most,
		letter.Name:     s.accounts.rename,
		letter.TimeZone: s.accounts.timeZone, letter.Vacation: s.accounts.vacation, letter.FormatWord: s.accounts.format,
		letter.Address: s.accounts.address, letter.MyData: s.accounts.myData, letter.ForgetMe: s.accounts.forgetMe,
		letter.Leave: s.accounts.leave,
		letter.Log:   s.accounts.showLog, letter.Block: s.accounts.block, letter.Unblock: s.accounts.unblock,
		letter.Digest: s.accounts.digest,
		letter.Offers: s.offers.list, letter.Offer: s.offers.offer, letter.Challenge: s.offers.challenge, letter.Accept: s.offers.accept,
		letter.Decline: s.offers.decline, letter.Start: s.offers.start, letter.PlayRobot: s.offers.playRobot,
		letter.Rematch: s.offers.rematch,
		letter.Withdraw: func(ctx context.Context, a *answer, l letter.Line) error {
			if l.Command.Number == 0 {
				return s.tournaments.leave(ctx, a, l)
			}
			return s.offers.withdraw(ctx, a, l)
		},
		letter.PairMe: s.pairer.join, letter.Unpair: s.pairer.leave,
		letter.Ladder: s.ladders.ladder, letter.Rating: s.ladders.rating, letter.Results: s.ladders.results,
		letter.Enter: s.tournaments.enter, letter.TableWord: s.tournaments.table, letter.Tournaments: s.tournaments.list,
	}
}

// maxLines is how many lines of a letter are read.
const maxLines = 40

func (s *orders) receive(ctx context.Context, l exchange.Letter, m *club.Member) (exchange.Disposition, error) {
	if d, handled, err := s.replies.Handled(ctx, receiptOwner(m), l, m.Address); handled || err != nil {
		return d, err
	}
	a := s.post.answer(m, l)
	a.note.Problems = l.Problems
	if l.Shared {
		m.Serial++
		a.note.Problems = append(a.note.Problems, "Your letter went to another address as well, and who reads it there could "+
			"have answered in your name. So the address that you answer to has changed: reply to this letter, older ones no longer count.")
	}
	if err := s.read(ctx, a); err != nil {
		return "", err
	}
	as := exchange.Done
	if a.refused && !a.did {
		as = exchange.Refused
	}
	if !a.did && !l.Shared && !a.mayAnswer(ctx) {
		return exchange.Ignored, nil // A robot that has his address comes to an end.
	}
	return a.store(ctx, receiptOwner(m), as)
}

func (s *orders) read(ctx context.Context, a *answer) error {
	lines := s.reader.Read(a.letter.Orders)
	for _, l := range lines {
		if l.Kind != letter.Talk {
			a.orders++
		}
	}
	switch {
	case a.letter.TooLong(), len(lines) > maxLines:
		a.line("", refused, "Your letter was too long, and nothing in it was done. Orders are a few lines; "+
			"please send them without attachments and without the letters quoted below.")
		return nil
	case a.member.State == club.Left && slices.ContainsFunc(lines, isAnsweredAfterLeaving):
		return s.readFormer(ctx, a, lines)
	case a.member.State == club.Applied:
		a.line("", refused, "The director has not yet decided whether the club admits you. You will get a letter.")
		return nil
	case a.member.State == club.Banned:
		a.line("", refused, "The director has shut you out of the club. Your matches go on: answer their letters.")
		return nil
	case a.member.State != club.Active:
		a.line("", refused, "You have left the club. REGISTER brings you back; MY DATA and FORGET ME are answered as well.")
		return nil
	case len(lines) == 0:
		a.line("", refused, "There was no order in your letter. Write it above the line that says Samizdat reads nothing below it.")
		a.help()
		return nil
	}
	asks := func(l letter.Line) bool { return l.Kind == letter.HostOrder && l.Command.Asks() }
	if !a.letter.Shared && !slices.ContainsFunc(lines, isChange) && !a.mayAnswer(ctx) {
		return nil // The answer is not sent, so nothing is looked up.
	}
	lines = s.replaceConsent(a, lines)
	doubted := slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.Talk })
	if doubted && slices.ContainsFunc(lines, isChange) &&
		!slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.Unreadable }) {
		return s.askBack(ctx, a, lines, asks)
	}
	return s.carryOut(ctx, a, lines, asks)
}

func isChange(l letter.Line) bool { return l.Kind == letter.HostOrder && !l.Command.Asks() }

// isAnsweredAfterLeaving reports whether an order is carried out for a former member.
func isAnsweredAfterLeaving(l letter.Line) bool {
	return l.Is(letter.Register) || l.Is(letter.ForgetMe) || l.Is(letter.Yes) || l.Is(letter.MyData)
}

// readFormer takes a letter of a former member: he may come back, or want to be forgotten.
func (s *orders) readFormer(ctx context.Context, a *answer, lines []letter.Line) (err error) {
	for _, l := range lines {
		switch {
		case l.Is(letter.Register):
			err = s.accounts.comeBack(a, l)
		case isAnsweredAfterLeaving(l):
			err = s.do(ctx, a, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceConsent puts the orders that the writer was asked about in the place of his YES. A YES beside other orders that
// answers no question is left out; while a question is open it may mean either, and its writer is asked.
func (s *orders) replaceConsent(a *answer, lines []letter.Line) []letter.Line {
	isYes := func(l letter.Line) bool { return l.Is(letter.Yes) }
	isNo := func(l letter.Line) bool { return l.Is(letter.No) }
	p := a.member.Proposed
	open, both := a.answersQuestion(), slices.ContainsFunc(lines, isYes) && slices.ContainsFunc(lines, isNo)
	out := slices.Clone(lines)
	switch {
	case both, slices.ContainsFunc(lines, func(l letter.Line) bool { return isChange(l) && !isYes(l) && !isNo(l) }):
	case open && p.Orders != "" && !a.letter.Shared && slices.ContainsFunc(lines, isYes):
		i := slices.IndexFunc(lines, isYes)
		a.member.Proposed = nil
		return slices.Concat(out[:i], s.reader.Read(p.Orders), slices.DeleteFunc(out[i+1:], isYes))
	default:
		return out
	}
	if !open && !both {
		return slices.DeleteFunc(out, isYes)
	}
	for i, l := range out {
		if isYes(l) || isNo(l) {
			out[i] = letter.Line{Text: l.Text, Why: "It is not clear what it answers, so nothing was done for it."}
		}
	}
	return out
}

func (s *orders) carryOut(ctx context.Context, a *answer, lines []letter.Line, asks func(letter.Line) bool) error {
	understood, known := false, map[string]bool{}
	for _, l := range lines {
		text := strings.ToLower(strings.Join(strings.Fields(l.Text), " "))
		switch again := known[text]; {
		case asks(l) && again:
			a.line(l.Text, ignored, "You have asked that above.")
			continue
		case a.member.State != club.Active:
			a.line(l.Text, ignored, "You have just left the club.")
		case l.Kind == letter.Talk:
			a.line(l.Text, ignored, l.Why)
		case l.Kind == letter.Unreadable:
			a.line(l.Text, refused, l.Why)
			understood = true
		default:
			if err := s.do(ctx, a, l); err != nil {
				return err
			}
			understood = true
		}
		known[text] = true
	}
	if !understood {
		a.refused = true
		a.help()
	}
	return nil
}

func (s *orders) do(ctx context.Context, a *answer, l letter.Line) error {
	if a.subject == "" {
		a.subject = strings.ToLower(string(l.Command.Word))
	}
	handle, ok := s.handlers[l.Command.Word]
	if !ok {
		return fmt.Errorf("nothing carries out %s", l.Command.Word)
	}
	return handle(ctx, a, l)
}

// askBack asks whether the writer means the orders of a letter in which a line was not understood. Only its questions are
// answered.
func (s *orders) askBack(ctx context.Context, a *answer, lines []letter.Line, asks func(letter.Line) bool) error {
	var rows []string
	alone := false
	for _, l := range lines {
		// Irreversible orders and ADDRESS count only in a letter without other orders.
		alone = alone || l.Is(letter.ForgetMe) || l.Is(letter.Leave) || l.Is(letter.Address) && l.Command.Text != ""
		switch {
		case l.Kind == letter.Talk:
			a.line(l.Text, match.OutcomeUnread, "")
		case asks(l):
			if err := s.do(ctx, a, l); err != nil {
				return err
			}
		case l.Kind == letter.HostOrder && !l.Is(letter.Yes) && !l.Is(letter.No):
			rows = append(rows, l.Text)
		}
	}
	a.refused, a.notDone = true, true
	if alone {
		a.says("Not done yet. Write " + strings.Join(rows, ", and ") + " in a letter of its own.")
		return nil
	}
	a.note.Ask = &templates.Ask{Question: compose.MeansOrder(len(rows)), Orders: rows,
		Taps: []string{string(letter.Yes), string(letter.No)}}
	a.propose(club.Proposed{Orders: strings.Join(rows, "\n")})
	return nil
}
