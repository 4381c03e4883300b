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

// letterWriter writes the letters of the club to members.
type letterWriter struct {
	replies conversation.Replies
	club    string
	games   rules.Games
}

// answer is a letter to a member under construction, with everything that the member's own letter changes.
type answer struct {
	writer letterWriter
	member *club.Member
	// letter is the member's letter; it has no Message-ID if the answer does not answer a letter.
	letter exchange.Letter
	draft  templates.PlainLetter
	// offers are orders that the answer offers, e.g. ACCEPT 7. Its HTML page has a link for each.
	offers []string
	// subject follows the name of the club in the subject; unsubscribe is the order that stops such letters.
	subject, unsubscribe string
	// attachment is the attached file, compressed with gzip.
	attachment []byte
	// change holds the changes of the club, newMatches the begun matches, letters the letters to other members.
	change     club.Change
	newMatches []exchange.NewMatch
	letters    []exchange.OutgoingLetter
	// player is the changed player record of the member; nil if unchanged. otherMatches are the matches that change with it.
	// players holds all players that were read.
	player       *match.Player
	otherMatches []*match.Match
	players      players
	// deletesMember is set if the member's data are deleted after this letter (FORGET ME).
	deletesMember bool
	// isCounted is set if the answer was counted against the limit of answers, isOverLimit if the limit forbids it.
	isCounted, isOverLimit bool
	// hasCarriedOut is set if an order was carried out, hasRefused if a line was refused, hasQuestion if the member is asked to
	// confirm orders.
	hasCarriedOut, hasRefused, hasQuestion bool
	// orderCount is the number of lines other than talk.
	orderCount int
}

func (w letterWriter) newAnswer(m *club.Member, l exchange.Letter) *answer {
	return &answer{writer: w, players: players{}, member: m, letter: l, draft: templates.PlainLetter{MarkerLine: w.replies.Mailer.Mark()},
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

// refuseLine reports that an order was refused, confirmLine that it was carried out, informLine that a question
// was answered.
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
		a.offers = append(a.offers, step[0])
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

// render renders the answer. It takes the next letter number of the member.
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
	return outgoing, a.writer.replies.RenderLetter(&outgoing, pages, a.offers...)
}

// isSpoken reports whether a screen reader reads the letter aloud.
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
		receipt = nil // The receipt would name the forgotten member. Without the address a repeated letter has no effect.
	}
	c := a.pendingChange()
	c.Receipt, c.Letters = receipt, append([]exchange.OutgoingLetter{outgoing}, a.letters...)
	return disposition, a.writer.replies.Store.Apply(ctx, c)
}

// notifyMember writes to another member. offers are orders that become links.
func (a *answer) notifyMember(ctx context.Context, m *club.Member, subject string, n templates.PlainLetter, offers ...string) error {
	for _, changed := range a.change.Members {
		if changed.ID == m.ID {
			m = changed // Both letters are counted.
		}
	}
	if m.Address == "" {
		return nil
	}
	message := a.writer.newAnswer(m, exchange.Letter{})
	n.MarkerLine = message.draft.MarkerLine
	message.draft, message.subject, message.offers = n, subject, offers
	outgoing, err := message.render()
	if err != nil {
		a.writer.replies.Log.WarnContext(ctx, "cannot write to a member", "member", m.ID, "error", err)
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
	a.offers = append(a.offers, string(letter.Yes), string(letter.No))
}

// isAnswerToQuestion reports whether the letter answers the last question to its writer within a week.
func (a *answer) isAnswerToQuestion() bool {
	p := a.member.Proposal
	return p != nil && p.Number == a.letter.Token.Number && conversation.IsQuestionOpen(p.AskedAt, a.writer.replies.Now())
}

func (a *answer) addLogEntry(member int64, by, act, reason string) {
	a.change.Log = append(a.change.Log, club.LogEntry{At: a.writer.replies.Now(), Member: member, By: by, Act: act, Reason: reason})
}

func formatDay(at time.Time) string { return at.UTC().Format("2 January 2006") }

// formatMoment returns a day, and its time unless that is 0:00 UTC: "1 December 2026, 19:00 UTC".
func formatMoment(at time.Time) string {
	if at.UTC().Truncate(24 * time.Hour).Equal(at) {
		return formatDay(at)
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}

// handler carries out a line of a member's letter, and adds its outcome to the answer.
type handler func(ctx context.Context, a *answer, l letter.Line) error

// orderService carries out the letters of members, line by line.
type orderService struct {
	replies     conversation.Replies
	writer      letterWriter
	reader      letter.MemberReader
	accounts    *accountService
	offers      *offerService
	pairer      *pairingService
	tournaments *tournamentService
	ladders     *ladderService
	statistics  *usageService
	handlers    map[letter.Word]handler
}

func (s *orderService) newHandlers() map[letter.Word]handler {
	return map[letter.Word]handler{
		letter.Register: func(_ context.Context, a *answer, l letter.Line) error {
			return a.refuseLine(l, "You are already a member, with the name "+a.member.Name+".")
		},
		letter.HelpWord: func(_ context.Context, a *answer, _ letter.Line) error { a.addHelp(); return nil },
		letter.Who:      s.accounts.listMembers, letter.Yes: s.accounts.confirm, letter.No: s.accounts.dropProposal,
		letter.Games:     s.accounts.listMatches,
		letter.ResendAll: s.accounts.resendAll, letter.Settings: s.accounts.showSettings, letter.Most: s.accounts.setMaxMatches,
		letter.Name:     s.accounts.rename,
		letter.TimeZone: s.accounts.setTimeZone, letter.Vacation: s.accounts.changeVacation, letter.Quiet: s.accounts.setQuiet,
		letter.FormatWord: s.accounts.setFormat, letter.Notify: s.accounts.changeHook,
		letter.Address: s.accounts.changeAddress, letter.MyData: s.accounts.sendData, letter.ForgetMe: s.accounts.forgetMe,
		letter.Leave: s.accounts.leave,
		letter.Log:   s.accounts.showLog, letter.Block: s.accounts.block, letter.Unblock: s.accounts.unblock,
		letter.Digest: s.accounts.setDigest,
		letter.Offers: s.offers.listOffers, letter.Offer: s.offers.offer, letter.Challenge: s.offers.challenge, letter.Accept: s.offers.accept,
		letter.Decline: s.offers.decline, letter.Start: s.offers.start, letter.PlayRobot: s.offers.playRobot,
		letter.Rematch: s.offers.rematch,
		letter.Withdraw: func(ctx context.Context, a *answer, l letter.Line) error {
			if l.Command.Number == 0 {
				return s.tournaments.withdraw(ctx, a, l)
			}
			return s.offers.withdraw(ctx, a, l)
		},
		letter.PairMe: s.pairer.joinQueue, letter.Unpair: s.pairer.leaveQueue,
		letter.Ladder: s.ladders.showLadder, letter.Rating: s.ladders.showRating, letter.Results: s.ladders.showResults,
		letter.Stats: s.statistics.showStats, letter.Pace: s.accounts.setPace,
		letter.Enter: s.tournaments.enterTournament, letter.TableWord: s.tournaments.showTable, letter.Tournaments: s.tournaments.listTournaments,
	}
}

// maxLines is the largest number of lines of a letter; longer letters are refused.
const maxLines = 40

func (s *orderService) receive(ctx context.Context, l exchange.Letter, m *club.Member) (exchange.Disposition, error) {
	if disposition, isHandled, err := s.replies.IsHandled(ctx, receiptOwner(m), l, m.Address); isHandled || err != nil {
		return disposition, err
	}
	a := s.writer.newAnswer(m, l)
	a.draft.Problems = l.Problems
	if l.HasOtherRecipients {
		m.TokenSerial++
		a.draft.Problems = append(a.draft.Problems, "Your letter also went to another address, and its reader could have "+
			"answered in your name. So our reply address for you has changed: reply to this letter, because replies to older "+
			"letters no longer count.")
	}
	if err := s.carryOutLetter(ctx, a); err != nil {
		return "", err
	}
	disposition := exchange.DispositionDone
	if a.hasRefused && !a.hasCarriedOut {
		disposition = exchange.DispositionRefused
	}
	if !a.hasCarriedOut && !l.HasOtherRecipients && !a.countAnswer(ctx) {
		return exchange.DispositionIgnored, nil // This ends a loop with a mail robot at the member's address.
	}
	return a.store(ctx, receiptOwner(m), disposition)
}

func (s *orderService) carryOutLetter(ctx context.Context, a *answer) error {
	lines := s.reader.Read(a.letter.Text)
	for _, l := range lines {
		if l.Kind != letter.KindTalk {
			a.orderCount++
		}
	}
	switch {
	case a.letter.IsTooLong(), len(lines) > maxLines:
		a.addLine("", outcomeRefused, "Your letter was too long, so it was not carried out. Please send your orders in a few lines, "+
			"without attachments and without quoting older letters.")
		return nil
	case a.member.State == club.MemberLeft && slices.ContainsFunc(lines, isAnsweredAfterLeaving):
		return s.carryOutForFormerMember(ctx, a, lines)
	case a.member.State == club.MemberApplied:
		a.addLine("", outcomeRefused, "The director has not yet decided whether you may join. You will get a letter.")
		return nil
	case a.member.State == club.MemberBanned:
		a.addLine("", outcomeRefused, "The director has banned you from the club. Your matches go on: answer their letters.")
		return nil
	case a.member.State != club.MemberActive:
		a.addLine("", outcomeRefused, "You have left the club. REGISTER brings you back; MY DATA and FORGET ME also work.")
		return nil
	case len(lines) == 0:
		a.addLine("", outcomeRefused, "There was no order in your letter. Write it above the line that says \"Write above this line\".")
		a.addHelp()
		return nil
	}
	isQuestion := func(l letter.Line) bool { return l.Kind == letter.KindRefereeOrder && l.Command.IsQuestion() }
	if !a.letter.HasOtherRecipients && !slices.ContainsFunc(lines, isChange) && !a.countAnswer(ctx) {
		return nil // The answer is not sent, so no data are read for it.
	}
	lines = s.replaceConsent(a, lines)
	hasTalk := slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.KindTalk })
	if hasTalk && slices.ContainsFunc(lines, isChange) &&
		!slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.KindUnreadable }) {
		return s.proposeOrders(ctx, a, lines, isQuestion)
	}
	return s.carryOutLines(ctx, a, lines, isQuestion)
}

func isChange(l letter.Line) bool {
	return l.Kind == letter.KindRefereeOrder && !l.Command.IsQuestion()
}

// isAnsweredAfterLeaving reports whether an order is carried out for a former member.
func isAnsweredAfterLeaving(l letter.Line) bool {
	return l.Is(letter.Register) || l.Is(letter.ForgetMe) || l.Is(letter.Yes) || l.Is(letter.MyData)
}

// carryOutForFormerMember handles a letter of a former member, who may join again or ask to be forgotten.
func (s *orderService) carryOutForFormerMember(ctx context.Context, a *answer, lines []letter.Line) (err error) {
	for _, l := range lines {
		switch {
		case l.Is(letter.Register):
			err = s.accounts.rejoin(a, l)
		case isAnsweredAfterLeaving(l):
			err = s.carryOutLine(ctx, a, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceConsent replaces YES by the orders that the writer was asked to confirm. YES beside other orders is ignored
// if no question is open; otherwise it is ambiguous, and the writer is asked again.
func (s *orderService) replaceConsent(a *answer, lines []letter.Line) []letter.Line {
	isYes := func(l letter.Line) bool { return l.Is(letter.Yes) }
	isNo := func(l letter.Line) bool { return l.Is(letter.No) }
	p := a.member.Proposal
	hasQuestion, hasYesAndNo := a.isAnswerToQuestion(), slices.ContainsFunc(lines, isYes) && slices.ContainsFunc(lines, isNo)
	out := slices.Clone(lines)
	switch {
	case hasYesAndNo, slices.ContainsFunc(lines, func(l letter.Line) bool { return isChange(l) && !isYes(l) && !isNo(l) }):
	case hasQuestion && p.Orders != "" && !a.letter.HasOtherRecipients && slices.ContainsFunc(lines, isYes):
		i := slices.IndexFunc(lines, isYes)
		a.member.Proposal = nil
		return slices.Concat(out[:i], s.reader.Read(p.Orders), slices.DeleteFunc(out[i+1:], isYes))
	default:
		return out
	}
	if !hasQuestion && !hasYesAndNo {
		return slices.DeleteFunc(out, isYes)
	}
	for i, l := range out {
		if isYes(l) || isNo(l) {
			out[i] = letter.Line{Text: l.Text, Why: "It is not clear which question this answers, so it was not carried out."}
		}
	}
	return out
}

func (s *orderService) carryOutLines(ctx context.Context, a *answer, lines []letter.Line, isQuestion func(letter.Line) bool) error {
	isUnderstood, seen := false, map[string]bool{}
	for _, l := range lines {
		text := strings.ToLower(strings.Join(strings.Fields(l.Text), " "))
		switch isRepeated := seen[text]; {
		case isQuestion(l) && isRepeated:
			a.addLine(l.Text, outcomeIgnored, "You asked that above.")
			continue
		case a.member.State != club.MemberActive:
			a.addLine(l.Text, outcomeIgnored, "You have just left the club.")
		case l.Kind == letter.KindTalk:
			a.addLine(l.Text, outcomeIgnored, l.Why)
		case l.Kind == letter.KindUnreadable:
			a.addLine(l.Text, outcomeRefused, l.Why)
			isUnderstood = true
		default:
			if err := s.carryOutLine(ctx, a, l); err != nil {
				return err
			}
			isUnderstood = true
		}
		seen[text] = true
	}
	if !isUnderstood {
		a.hasRefused = true
		a.addHelp()
	}
	return nil
}

func (s *orderService) carryOutLine(ctx context.Context, a *answer, l letter.Line) error {
	if a.subject == "" {
		a.subject = strings.ToLower(string(l.Command.Word))
	}
	l.Command.Wanted.Terms.SetFreeZone(a.member.Zone)
	handle, ok := s.handlers[l.Command.Word]
	if !ok {
		return fmt.Errorf("no handler for the order %s", l.Command.Word)
	}
	return handle(ctx, a, l)
}

// proposeOrders asks whether the writer means the orders of a letter in which a line was not understood. Only
// questions in the letter are answered.
func (s *orderService) proposeOrders(ctx context.Context, a *answer, lines []letter.Line, isQuestion func(letter.Line) bool) error {
	var rows []string
	needsOwnLetter := false
	for _, l := range lines {
		// Irreversible orders and ADDRESS count only in a letter without other orders.
		needsOwnLetter = needsOwnLetter || l.Is(letter.ForgetMe) || l.Is(letter.Leave) || l.Is(letter.Address) && l.Command.Text != ""
		switch {
		case l.Kind == letter.KindTalk:
			a.addLine(l.Text, match.OutcomeUnread, "")
		case isQuestion(l):
			if err := s.carryOutLine(ctx, a, l); err != nil {
				return err
			}
		case l.Kind == letter.KindRefereeOrder && !l.Is(letter.Yes) && !l.Is(letter.No):
			rows = append(rows, l.Text)
		}
	}
	a.hasRefused, a.hasQuestion = true, true
	if needsOwnLetter {
		a.addParagraphs("Not done yet. Send " + strings.Join(rows, ", and ") + " in a separate letter.")
		return nil
	}
	a.draft.Ask = compose.AskToConfirm(rows, "")
	a.propose(club.Proposal{Orders: strings.Join(rows, "\n")})
	return nil
}
