package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// letterWriter writes the letters of the club to members.
type letterWriter struct {
	replies conversation.Replies
	club    string
	games   rules.Games
}

// answer is a letter to a member, while it is written, and everything that the member's own letter changes.
type answer struct {
	writer letterWriter
	member *club.Member
	// letter is the member's letter. It is empty if the answer does not reply to a letter.
	letter exchange.Letter
	draft  templates.PlainLetter
	// suggestedOrders are orders that the member may send, e.g. ACCEPT 7. The HTML page has a link for each order.
	suggestedOrders []string
	// subject follows the name of the club in the subject. unsubscribe is the order that stops letters of this kind.
	subject, unsubscribe string
	// attachment is the attached file, compressed with gzip.
	attachment []byte
	// change holds the changes of the club. newMatches are the begun matches, letters the letters to other members.
	change     club.Change
	newMatches []exchange.NewMatch
	letters    []exchange.OutgoingLetter
	// player is the changed player record of the member; nil if unchanged. otherMatches are the matches that change
	// too. players holds all players that were loaded.
	player       *match.Player
	otherMatches []*match.Match
	players      players
	// deletesMember is set if the member's data are deleted after this letter (FORGET ME).
	deletesMember bool
	// isCounted is set if the answer was counted against the limit of answers. isOverLimit is set if it exceeds this
	// limit.
	isCounted, isOverLimit bool
	// hasCarriedOut is set if an order was carried out, hasRefused if a line was refused, and hasQuestion if the member is
	// asked to confirm orders.
	hasCarriedOut, hasRefused, hasQuestion bool
	// orderCount is the number of lines that are not talk.
	orderCount int
}

func (w letterWriter) newAnswer(m *club.Member, l exchange.Letter) *answer {
	return &answer{writer: w, players: players{}, member: m, letter: l,
		draft:  templates.PlainLetter{MarkerLine: w.replies.Mailer.MarkerLine()},
		change: club.Change{Members: []*club.Member{m}}}
}

func receiptOwner(m *club.Member) string { return fmt.Sprintf("%s-%d", exchange.ClubName, m.ID) }

func memberKey(replies conversation.Replies, m *club.Member) []byte {
	return replies.MemberKey(m.ID, m.Address, m.TokenSerial)
}

func (a *answer) addParagraphs(paragraphs ...string) {
	a.draft.Paragraphs = append(a.draft.Paragraphs, paragraphs...)
}

func (a *answer) addSection(p templates.PlainSection) { a.draft.Sections = append(a.draft.Sections, p) }

func (a *answer) addLine(text string, outcome match.Outcome, note string) {
	a.hasRefused = a.hasRefused || outcome == outcomeRefused
	a.draft.Lines = append(a.draft.Lines, conversation.ReportLine(text, outcome, note))
}

// refuseLine reports that an order was refused. confirmLine reports that an order was carried out, and informLine that a
// question was answered.
func (a *answer) refuseLine(l letter.Line, reason string) error {
	a.addLine(l.Text, outcomeRefused, reason)
	return nil
}

func (a *answer) confirmLine(l letter.Line, note string) error {
	a.hasCarriedOut = true
	return a.informLine(l, note)
}

func (a *answer) informLine(l letter.Line, note string) error {
	a.addLine(l.Text, outcomeDone, note)
	return nil
}

const (
	outcomeDone    = match.OutcomeDone
	outcomeRefused = match.OutcomeRefused
	outcomeIgnored = match.OutcomeIgnored
	outcomeAsked   = match.OutcomeAsked
)

// addFirstSteps adds links for three orders that lead to a match, and for HELP.
func (a *answer) addFirstSteps() {
	game := a.writer.games[0].Name()
	for _, step := range [][2]string{{"PAIR ME " + game, "To find an opponent near your rating:"},
		{"OFFER " + game, "To offer a match to the first member who accepts:"},
		{"PLAY ROBOT " + game, "To play a robot, which answers at once:"}, {"HELP", "To see all commands:"}} {
		a.addSection(templates.PlainSection{Paragraphs: []string{step[1]}, Rows: []string{step[0]}})
		a.suggestedOrders = append(a.suggestedOrders, step[0])
	}
}

func (a *answer) addHelp() {
	a.addSection(templates.PlainSection{Title: "What you can write", Paragraphs: []string{"One order a " +
		"line:"}, Rows: formatForms(letter.MemberForms(a.writer.games))})
}

func formatForms(forms []letter.Form) (rows []string) {
	for _, f := range forms {
		rows = append(rows, f.Order)
		for line := range strings.SplitSeq(templates.Indent(f.Effect, "        "), "\n") {
			rows = append(rows, strings.TrimPrefix(line, "    "))
		}
	}
	return rows
}

// render renders the answer, with the next letter number of the member.
func (a *answer) render() (outgoing exchange.OutgoingLetter, err error) {
	m, mailer := a.member, a.writer.replies.Mailer
	m.LettersSent++
	a.draft.IsSpoken = a.isSpoken()
	key, token := memberKey(a.writer.replies, m), exchange.MemberToken(m.ID, m.LettersSent)
	outgoing = exchange.OutgoingLetter{Addressee: exchange.Addressee{To: m.Address, Number: m.LettersSent},
		Content: exchange.Content{Body: a.draft.Text()},
		Heading: exchange.Heading{Token: mailer.Token(key, token), MessageID: mailer.LetterID(key, token), Subject: a.writer.club,
			Unsubscribe: a.unsubscribe}}
	if a.unsubscribe != "" {
		outgoing.UnsubscribeToken = a.writer.replies.UnsubscribeToken(m.ID)
	}
	if a.subject != "" {
		outgoing.Subject += ": " + a.subject
	}
	if a.hasQuestion {
		outgoing.Subject = "Not done yet: " + a.writer.club
	}
	if a.letter.MessageID != "" {
		outgoing.IsReply, outgoing.InReplyTo = true, a.letter.MessageID
	}
	if a.attachment != nil {
		outgoing.FileName, outgoing.File = "my-data.json", a.attachment
	}
	pages := match.Format(m.Settings.Format).HasPages()
	return outgoing, a.writer.replies.RenderLetter(&outgoing, pages, a.suggestedOrders...)
}

// isSpoken reports whether the member has chosen letters for a screen reader.
func (a *answer) isSpoken() bool { return match.Format(a.member.Settings.Format) == match.FormatSpoken }

// pendingChange returns everything that the letter changes, without the answer itself.
func (a *answer) pendingChange() exchange.Change {
	return exchange.Change{Club: &a.change, NewMatches: a.newMatches, Letters: a.letters, Player: a.player, OtherMatches: a.otherMatches}
}

func (a *answer) send(ctx context.Context) error {
	outgoing, err := a.render()
	if err != nil {
		return err
	}
	a.letters = append([]exchange.OutgoingLetter{outgoing}, a.letters...)
	return a.writer.replies.Store.Apply(ctx, a.pendingChange())
}

func (a *answer) store(ctx context.Context, owner string, disposition exchange.Disposition) (exchange.Disposition, error) {
	receipt := a.writer.replies.ReceiptFor(owner, a.letter, disposition)
	outgoing, err := a.render()
	if err != nil {
		return "", err
	}
	if a.deletesMember {
		m := a.member
		a.change.ForgottenMember = &club.Member{ID: m.ID, Address: m.Address}
		m.Name, m.Skeleton, m.State, m.Settings, m.Proposal = m.Pseudonym(), "", club.MemberForgotten, club.Settings{}, nil
		receipt = nil // A receipt would name the forgotten member. It is not needed: the deleted address makes a repeated letter ineffective.
	}
	c := a.pendingChange()
	c.Receipt, c.Letters = receipt, append([]exchange.OutgoingLetter{outgoing}, a.letters...)
	return disposition, a.writer.replies.Store.Apply(ctx, c)
}

// notifyMember writes to another member. suggestedOrders become links.
func (a *answer) notifyMember(ctx context.Context, m *club.Member, subject string, n templates.PlainLetter,
	suggestedOrders ...string) error {
	for _, changed := range a.change.Members {
		if changed.ID == m.ID {
			m = changed // An earlier letter has already changed this member, for example LettersSent.
		}
	}
	if m.Address == "" {
		return nil
	}
	message := a.writer.newAnswer(m, exchange.Letter{})
	n.MarkerLine = message.draft.MarkerLine
	message.draft, message.subject, message.suggestedOrders = n, subject, suggestedOrders
	outgoing, err := message.render()
	if err != nil {
		a.writer.replies.Log.WarnContext(ctx, "cannot write a letter to a member", "member", m.ID, "error", err)
		return nil
	}
	a.letters = append(a.letters, outgoing)
	if !slices.Contains(a.change.Members, m) {
		a.change.Members = append(a.change.Members, m)
	}
	return nil
}

func (a *answer) countAnswer(ctx context.Context) bool {
	if !a.isCounted {
		a.isCounted, a.isOverLimit = true, !a.writer.replies.CountAnswerTo(ctx, a.letter, receiptOwner(a.member), a.member.Address)
	}
	return !a.isOverLimit
}

func (a *answer) propose(p club.Proposal) {
	p.Number, p.AskedAt = a.member.LettersSent+1, a.writer.replies.Now().UTC()
	a.member.Proposal = &p
	a.suggestedOrders = append(a.suggestedOrders, string(letter.Yes), string(letter.No))
}

// isAnswerToQuestion reports whether the letter replies to the last question to its writer, not more than a week
// later.
func (a *answer) isAnswerToQuestion() bool {
	p := a.member.Proposal
	return p != nil && p.Number == a.letter.Token.Number && conversation.IsQuestionOpen(p.AskedAt, a.writer.replies.Now())
}

func (a *answer) addLogEntry(member int64, by, act, reason string) {
	a.change.Log = append(a.change.Log, club.LogEntry{At: a.writer.replies.Now(), Member: member, By: by, Act: act, Reason: reason})
}

func formatDay(at time.Time) string { return at.UTC().Format("2 January 2006") }

// formatMoment returns the day and the time, e.g. "1 December 2026, 19:00 UTC". It leaves out 0:00: "1 December
// 2026".
func formatMoment(at time.Time) string {
	if at.UTC().Truncate(24 * time.Hour).Equal(at) {
		return formatDay(at)
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}
