package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
)

// handler carries out a line of a member's letter, and adds its outcome to the answer.
type handler func(ctx context.Context, a *answer, l letter.Line) error

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
		letter.Register: func(_ context.Context, ans *answer, line letter.Line) error {
			return ans.refuseLine(line, "You are already a member, with the name "+ans.member.Name+".")
		},
		letter.HelpWord: func(_ context.Context, ans *answer, _ letter.Line) error { ans.addHelp(); return nil },
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
		letter.Withdraw: func(ctx context.Context, ans *answer, line letter.Line) error {
			if line.Command.Number == 0 {
				return s.tournaments.withdraw(ctx, ans, line)
			}
			return s.offers.withdraw(ctx, ans, line)
		},
		letter.PairMe: s.pairer.joinQueue, letter.Unpair: s.pairer.leaveQueue,
		letter.Ladder: s.ladders.showLadder, letter.Rating: s.ladders.showRating, letter.Results: s.ladders.showResults,
		letter.Stats: s.statistics.showStats, letter.Pace: s.accounts.setPace,
		letter.Enter: s.tournaments.enterTournament, letter.TableWord: s.tournaments.showTable, letter.Tournaments: s.tournaments.listTournaments,
	}
}

// maxLines is the maximum number of lines of a letter that is carried out.
const maxLines = 40

func (s *orderService) receive(ctx context.Context, incoming exchange.Letter, member *club.Member) (exchange.Disposition, error) {
	if disposition, isHandled, err := s.replies.IsHandled(ctx, receiptOwner(member), incoming, member.Address); isHandled || err != nil {
		return disposition, err
	}
	ans := s.writer.newAnswer(member, incoming)
	ans.draft.Problems = incoming.Problems
	if incoming.HasOtherRecipients {
		member.TokenSerial++
		ans.draft.Problems = append(ans.draft.Problems, "Your letter also went to another address, and its reader could have "+
			"answered in your name. So our reply address for you has changed: reply to this letter, because replies to older "+
			"letters no longer count.")
	}
	if err := s.carryOutLetter(ctx, ans); err != nil {
		return "", err
	}
	disposition := exchange.DispositionDone
	if ans.hasRefused && !ans.hasCarriedOut {
		disposition = exchange.DispositionRefused
	}
	if !ans.hasCarriedOut && !incoming.HasOtherRecipients && !ans.mayAnswer(ctx) {
		return exchange.DispositionIgnored, nil // This ends a loop with an auto-responder at the member's address.
	}
	return ans.store(ctx, receiptOwner(member), disposition)
}

func (s *orderService) carryOutLetter(ctx context.Context, ans *answer) error {
	lines := s.reader.Read(ans.letter.Text)
	for _, l := range lines {
		if l.Kind != letter.KindTalk {
			ans.orderCount++
		}
	}
	switch {
	case ans.letter.IsTooLong(), len(lines) > maxLines:
		ans.addLine("", outcomeRefused, "Your letter was too long, so it was not carried out. Please send your orders in a few lines, "+
			"without attachments and without quoting older letters.")
		return nil
	case ans.member.State == club.MemberLeft && slices.ContainsFunc(lines, isAllowedAfterLeaving):
		return s.carryOutForFormerMember(ctx, ans, lines)
	case ans.member.State == club.MemberApplied:
		ans.addLine("", outcomeRefused, "The director has not yet decided whether you may join. You will get a letter.")
		return nil
	case ans.member.State == club.MemberBanned:
		ans.addLine("", outcomeRefused, "The director has banned you from the club. Your matches go on: answer their letters.")
		return nil
	case ans.member.State != club.MemberActive:
		ans.addLine("", outcomeRefused, "You have left the club. REGISTER brings you back; MY DATA and FORGET ME also work.")
		return nil
	case len(lines) == 0:
		ans.addLine("", outcomeRefused, "There was no order in your letter. Write it above the line that says \"Write above this line\".")
		ans.addHelp()
		return nil
	}
	isQuery := func(line letter.Line) bool { return line.Kind == letter.KindRefereeOrder && line.Command.IsQuery() }
	if !ans.letter.HasOtherRecipients && !slices.ContainsFunc(lines, isChange) && !ans.mayAnswer(ctx) {
		return nil // Too many answers were sent today, so this one is not sent, and its data need not be read.
	}
	lines = s.replaceConsent(ans, lines)
	hasTalk := slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Kind == letter.KindTalk })
	if hasTalk && slices.ContainsFunc(lines, isChange) &&
		!slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Kind == letter.KindUnreadable }) {
		return s.proposeOrders(ctx, ans, lines, isQuery)
	}
	return s.carryOutLines(ctx, ans, lines, isQuery)
}

func isChange(line letter.Line) bool {
	return line.Kind == letter.KindRefereeOrder && !line.Command.IsQuery()
}

func isAllowedAfterLeaving(line letter.Line) bool {
	return line.Is(letter.Register) || line.Is(letter.ForgetMe) || line.Is(letter.Yes) || line.Is(letter.MyData)
}

func (s *orderService) carryOutForFormerMember(ctx context.Context, ans *answer, lines []letter.Line) (err error) {
	isBack := slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Is(letter.Register) })
	for _, l := range lines {
		switch {
		case l.Is(letter.Register):
			err = s.accounts.rejoin(ans, l)
		case isAllowedAfterLeaving(l):
			err = s.carryOutLine(ctx, ans, l)
		case l.Kind == letter.KindRefereeOrder && isBack:
			ans.addLine(l.Text, outcomeIgnored, notMemberYet)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notMemberYet is the note on an order in the letter that makes its writer a member.
const notMemberYet = "When you wrote this, you were not a member. Please send it again."

// replaceConsent replaces YES by the orders that the writer was asked to confirm. For example, YES to "Do you mean
// OFFER 1989?" becomes OFFER 1989. YES beside other orders is ambiguous: it is refused if the letter answers an open
// question, and ignored if not. YES beside NO is always refused.
func (s *orderService) replaceConsent(ans *answer, lines []letter.Line) []letter.Line {
	isYes := func(line letter.Line) bool { return line.Is(letter.Yes) }
	isNo := func(line letter.Line) bool { return line.Is(letter.No) }
	p := ans.member.Proposal
	hasQuestion, hasYesAndNo := ans.isAnswerToQuestion(), slices.ContainsFunc(lines, isYes) && slices.ContainsFunc(lines, isNo)
	out := slices.Clone(lines)
	switch {
	case hasYesAndNo, slices.ContainsFunc(lines, func(line letter.Line) bool { return isChange(line) && !isYes(line) && !isNo(line) }):
	case hasQuestion && p.Orders != "" && !ans.letter.HasOtherRecipients && slices.ContainsFunc(lines, isYes):
		i := slices.IndexFunc(lines, isYes)
		ans.member.Proposal = nil
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

// putListsLast moves orders that only show a list of tournaments or a table (TOURNAMENTS, TABLE) below all other lines,
// if a line enters or leaves a tournament. The lists then show the effect of that line.
func putListsLast(lines []letter.Line) []letter.Line {
	hasWord := func(words ...letter.Word) bool {
		return slices.ContainsFunc(lines, func(line letter.Line) bool { return slices.ContainsFunc(words, line.Is) })
	}
	if !hasWord(letter.Enter, letter.Withdraw) || hasWord(letter.Leave) {
		return lines
	}
	isList := func(line letter.Line) bool { return line.Is(letter.Tournaments) || line.Is(letter.TableWord) }
	return slices.Concat(slices.DeleteFunc(slices.Clone(lines), isList),
		slices.DeleteFunc(slices.Clone(lines), func(line letter.Line) bool { return !isList(line) }))
}

func (s *orderService) carryOutLines(ctx context.Context, ans *answer, lines []letter.Line, isQuery func(letter.Line) bool) error {
	lines = putListsLast(lines)
	hasOrder, seen := false, map[string]bool{}
	for _, l := range lines {
		text := strings.ToLower(strings.Join(strings.Fields(l.Text), " "))
		switch isRepeated := seen[text]; {
		case isQuery(l) && isRepeated:
			ans.addLine(l.Text, outcomeIgnored, "You asked that above.")
			continue
		case ans.member.State != club.MemberActive:
			ans.addLine(l.Text, outcomeIgnored, "You have just left the club.")
		case l.Kind == letter.KindTalk:
			ans.addLine(l.Text, outcomeIgnored, l.Why)
		case l.Kind == letter.KindUnreadable:
			ans.addLine(l.Text, outcomeRefused, l.Why)
			hasOrder = true
		default:
			if err := s.carryOutLine(ctx, ans, l); err != nil {
				return err
			}
			hasOrder = true
		}
		seen[text] = true
	}
	if !hasOrder {
		ans.hasRefused = true
		ans.addHelp()
	}
	return nil
}

func (s *orderService) carryOutLine(ctx context.Context, ans *answer, line letter.Line) error {
	if ans.subject == "" {
		ans.subject = strings.ToLower(string(line.Command.Word))
	}
	line.Command.Wanted.Terms.SetFreeZone(ans.member.Zone)
	handle, ok := s.handlers[line.Command.Word]
	if !ok {
		return fmt.Errorf("no handler for the order %s", line.Command.Word)
	}
	lines, sections := len(ans.draft.Lines), len(ans.draft.Sections)
	err := handle(ctx, ans, line)
	if added := ans.draft.Sections[sections:]; err == nil && len(ans.draft.Lines) == lines && len(added) > 0 {
		ans.listed = append(ans.listed, listedOrder{lines, line.Text, added[0].Title})
	}
	return err
}

// proposeOrders handles a letter with orders and a line of talk: it carries out the orders that only ask for information,
// and asks the writer to confirm the others.
func (s *orderService) proposeOrders(ctx context.Context, ans *answer, lines []letter.Line, isQuery func(letter.Line) bool) error {
	var rows []string
	needsOwnLetter := false
	for _, l := range lines {
		// These orders count only in a letter without other orders.
		needsOwnLetter = needsOwnLetter || l.Is(letter.ForgetMe) || l.Is(letter.Leave) || l.Is(letter.Address) && l.Command.Text != ""
		switch {
		case l.Kind == letter.KindTalk:
			ans.addLine(l.Text, match.OutcomeUnread, "")
		case isQuery(l):
			if err := s.carryOutLine(ctx, ans, l); err != nil {
				return err
			}
		case l.Kind == letter.KindRefereeOrder && !l.Is(letter.Yes) && !l.Is(letter.No):
			rows = append(rows, l.Text)
		}
	}
	ans.hasRefused, ans.hasQuestion = true, true
	if needsOwnLetter {
		ans.addParagraphs("Not done yet. Send " + strings.Join(rows, ", and ") + " in a separate letter.")
		return nil
	}
	ans.draft.Ask = compose.AskToConfirm(rows, "")
	ans.propose(club.Proposal{Orders: strings.Join(rows, "\n")})
	return nil
}
