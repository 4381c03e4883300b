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

type letterWriter struct {
	replies conversation.Replies
	club    string
	games   rules.Games
}

// answer is an unfinished letter to a member, with everything that the member's own letter changes.
type answer struct {
	writer letterWriter
	member *club.Member
	// letter is the member's letter. It is empty if the answer does not reply to a letter.
	letter exchange.Letter
	draft  templates.PlainLetter
	// suggestedOrders are orders that the member may send, e.g. ACCEPT 7. The HTML page has a link for each order.
	suggestedOrders []string
	// subject is the part of the letter's subject after the name of the club. unsubscribe is the order that stops letters
	// of this kind, e.g. DIGEST OFF.
	subject, unsubscribe string
	// attachment is a file, compressed with gzip.
	attachment []byte
	// change holds the changes of the club. letters are the further letters, e.g. to other members.
	change     club.Change
	newMatches []exchange.NewMatch
	letters    []exchange.OutgoingLetter
	// player is the member as a player, if the address, a vacation or the time zone has changed, or else nil. otherMatches are existing
	// matches that change. players holds all players that were loaded.
	player       *match.Player
	otherMatches []*match.Match
	players      players
	// deletesMember is set if the member's data are deleted after this letter (FORGET ME).
	deletesMember bool
	// isCounted is set if the answer was counted against the limit of answers. isOverLimit is set if it exceeds this
	// limit.
	isCounted, isOverLimit bool
	// hasCarriedOut is set if an order was carried out, hasRefused if an order was refused, and hasQuestion if the member is
	// asked to confirm orders.
	hasCarriedOut, hasRefused, hasQuestion bool
	// listed are the orders that were answered only by sections, e.g. STATS.
	listed []listedOrder
	// orderCount is the number of lines with an order; talk does not count.
	orderCount int
}

// listedOrder is an order that is answered by a section. place is its place among the lines of the answer.
type listedOrder struct {
	place       int
	text, title string
}

// reportListed reports orders that were answered by sections, if the answer reports other lines. Otherwise the sections are
// enough.
func (ans *answer) reportListed() {
	if len(ans.draft.Lines) > 0 {
		for _, l := range slices.Backward(ans.listed) {
			note := "The answer is below, under " + strings.ToUpper(l.title) + "."
			ans.draft.Lines = slices.Insert(ans.draft.Lines, l.place, conversation.ReportLine(l.text, outcomeDone, note))
		}
	}
	ans.listed = nil
}

func (w letterWriter) newAnswer(member *club.Member, incoming exchange.Letter) *answer {
	return &answer{writer: w, players: players{}, member: member, letter: incoming,
		draft:  templates.PlainLetter{MarkerLine: w.replies.Codec.MarkerLine()},
		change: club.Change{Members: []*club.Member{member}}}
}

func receiptOwner(member *club.Member) string {
	return fmt.Sprintf("%s-%d", exchange.ClubName, member.ID)
}

func memberKey(replies conversation.Replies, member *club.Member) []byte {
	return replies.MemberKey(member.ID, member.Address, member.TokenSerial)
}

func (ans *answer) addParagraphs(paragraphs ...string) {
	ans.draft.Paragraphs = append(ans.draft.Paragraphs, paragraphs...)
}

func (ans *answer) addSection(p templates.PlainSection) {
	ans.draft.Sections = append(ans.draft.Sections, p)
}

func (ans *answer) addLine(text string, outcome match.LineOutcome, note string) {
	ans.hasRefused = ans.hasRefused || outcome == outcomeRefused
	ans.draft.Lines = append(ans.draft.Lines, conversation.ReportLine(text, outcome, note))
}

// refuseLine reports that an order was refused. confirmLine reports that an order was carried out, and informLine that a
// request for information was answered.
func (ans *answer) refuseLine(line letter.Line, reason string) error {
	ans.addLine(line.Text, outcomeRefused, reason)
	return nil
}

func (ans *answer) confirmLine(line letter.Line, note string) error {
	ans.hasCarriedOut = true
	return ans.informLine(line, note)
}

func (ans *answer) informLine(line letter.Line, note string) error {
	ans.addLine(line.Text, outcomeDone, note)
	return nil
}

const (
	outcomeDone    = match.OutcomeDone
	outcomeRefused = match.OutcomeRefused
	outcomeIgnored = match.OutcomeIgnored
	outcomeAsked   = match.OutcomeAsked
)

func (ans *answer) addFirstSteps() {
	game := ans.writer.games[0].Name()
	for _, step := range [][2]string{{"PAIR ME " + game, "To find an opponent near your rating:"},
		{"OFFER " + game, "To offer a match to the first member who accepts:"},
		{"PLAY ROBOT " + game, "To play a robot, which answers at once:"}, {"HELP", "To see all commands:"}} {
		ans.addSection(templates.PlainSection{Paragraphs: []string{step[1]}, Rows: []string{step[0]}})
		ans.suggestedOrders = append(ans.suggestedOrders, step[0])
	}
}

func (ans *answer) addHelp() {
	ans.addSection(templates.PlainSection{Title: "What you can write", Paragraphs: []string{"One order a " +
		"line:"}, Rows: formatForms(letter.MemberForms(ans.writer.games))})
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

// render renders the answer as a letter. It raises the member's LettersSent to get the number of the letter.
func (ans *answer) render() (outgoing exchange.OutgoingLetter, err error) {
	m, codec := ans.member, ans.writer.replies.Codec
	m.LettersSent++
	ans.reportListed()
	ans.draft.IsSpoken = ans.isSpoken()
	key, token := memberKey(ans.writer.replies, m), exchange.MemberToken(m.ID, m.LettersSent)
	outgoing = exchange.OutgoingLetter{Addressee: exchange.Addressee{To: m.Address, Number: m.LettersSent},
		Content: exchange.Content{Body: ans.draft.Text()},
		Heading: exchange.Heading{Token: codec.Token(key, token), MessageID: codec.LetterID(key, token), Subject: ans.writer.club,
			Unsubscribe: ans.unsubscribe}}
	if ans.unsubscribe != "" {
		outgoing.UnsubscribeToken = ans.writer.replies.UnsubscribeToken(m.ID)
	}
	if ans.subject != "" {
		outgoing.Subject += ": " + ans.subject
	}
	if ans.hasQuestion {
		outgoing.Subject = "Not done yet: " + ans.writer.club
	}
	if ans.letter.MessageID != "" {
		outgoing.IsReply, outgoing.InReplyTo = true, ans.letter.MessageID
	}
	if ans.attachment != nil {
		outgoing.FileName, outgoing.File = "my-data.json", ans.attachment
	}
	pages := match.Format(m.Settings.Format).HasHTML()
	return outgoing, ans.writer.replies.RenderLetter(&outgoing, pages, ans.suggestedOrders...)
}

// isSpoken reports whether the member has chosen letters for a screen reader.
func (ans *answer) isSpoken() bool {
	return match.Format(ans.member.Settings.Format) == match.FormatSpoken
}

// pendingChange returns everything that the letter changes, without the answer itself.
func (ans *answer) pendingChange() exchange.Change {
	return exchange.Change{Club: &ans.change, NewMatches: ans.newMatches, Letters: ans.letters, Player: ans.player,
		OtherMatches: ans.otherMatches}
}

func (ans *answer) send(ctx context.Context) error {
	outgoing, err := ans.render()
	if err != nil {
		return err
	}
	ans.letters = append([]exchange.OutgoingLetter{outgoing}, ans.letters...)
	return ans.writer.replies.Store.Apply(ctx, ans.pendingChange())
}

func (ans *answer) store(ctx context.Context, owner string, disposition exchange.Disposition) (exchange.Disposition, error) {
	receipt := ans.writer.replies.ReceiptFor(owner, ans.letter, disposition)
	outgoing, err := ans.render()
	if err != nil {
		return "", err
	}
	if ans.deletesMember {
		m := ans.member
		ans.change.ForgottenMember = &club.Member{ID: m.ID, Address: m.Address}
		m.Name, m.Skeleton, m.State, m.Settings, m.Proposal = m.Pseudonym(), "", club.MemberForgotten, club.Settings{}, nil
		receipt = nil // A receipt would name the forgotten member. It is not needed: the deleted address makes a repeated letter ineffective.
	}
	c := ans.pendingChange()
	c.Receipt, c.Letters = receipt, append([]exchange.OutgoingLetter{outgoing}, ans.letters...)
	return disposition, ans.writer.replies.Store.Apply(ctx, c)
}

// notifyMember adds a letter to a member other than the writer. The HTML page has a link for each of the suggestedOrders.
func (ans *answer) notifyMember(ctx context.Context, member *club.Member, subject string, n templates.PlainLetter,
	suggestedOrders ...string) error {
	for _, changed := range ans.change.Members {
		if changed.ID == member.ID {
			member = changed // Another letter in this change has already changed the member, for example LettersSent.
		}
	}
	if member.Address == "" {
		return nil
	}
	message := ans.writer.newAnswer(member, exchange.Letter{})
	n.MarkerLine = message.draft.MarkerLine
	message.draft, message.subject, message.suggestedOrders = n, subject, suggestedOrders
	outgoing, err := message.render()
	if err != nil {
		ans.writer.replies.Log.WarnContext(ctx, "cannot write a letter to a member", "member", member.ID, "error", err)
		return nil
	}
	ans.letters = append(ans.letters, outgoing)
	if !slices.Contains(ans.change.Members, member) {
		ans.change.Members = append(ans.change.Members, member)
	}
	return nil
}

// mayAnswer reports whether the limit of answers allows this answer. The first call counts the answer against the limit; later
// calls return the same result.
func (ans *answer) mayAnswer(ctx context.Context) bool {
	if !ans.isCounted {
		ans.isCounted, ans.isOverLimit = true, !ans.writer.replies.AllowAnswerTo(ctx, ans.letter, receiptOwner(ans.member), ans.member.Address)
	}
	return !ans.isOverLimit
}

func (ans *answer) propose(p club.Proposal) {
	p.Number, p.AskedAt = ans.member.LettersSent+1, ans.writer.replies.Now().UTC()
	ans.member.Proposal = &p
	ans.suggestedOrders = append(ans.suggestedOrders, string(letter.Yes), string(letter.No))
}

// isAnswerToQuestion reports whether the letter replies, within a week, to the last question to its writer.
func (ans *answer) isAnswerToQuestion() bool {
	p := ans.member.Proposal
	return p != nil && p.Number == ans.letter.Token.Number && conversation.IsQuestionOpen(p.AskedAt, ans.writer.replies.Now())
}

func (ans *answer) addLogEntry(member int64, author, act, reason string) {
	ans.change.Log = append(ans.change.Log, club.LogEntry{At: ans.writer.replies.Now(), Member: member, By: author, Act: act, Reason: reason})
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
