package clubmail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// registrationService handles letters without a valid token. It asks the owner of an unknown address to confirm the
// wish to join the club.
//
// An address can be forged, so a sender joins only after a reply with YES from the address. A forger learns nothing about
// members: the question goes to the forged address, and is the same if a member already has the wanted name. If two letters
// from an address ask for different names, YES alone is not enough, and the writer is asked for a name. If the mail server
// authenticates senders, an authenticated letter is answered even after many forged letters with the same sender.
type registrationService struct {
	store    Store
	replies  conversation.Replies
	club     club.Config
	games    rules.Games
	reader   letter.MemberReader
	writer   letterWriter
	director *directorService
}

// receiveWithoutToken handles a letter without a valid token if it contains a club order. isDone is false if the letter
// is not for the club.
func (s *registrationService) receiveWithoutToken(ctx context.Context,
	incoming exchange.Letter) (disposition exchange.Disposition, isDone bool, err error) {
	if incoming.IsTooLong() {
		return "", false, nil
	}
	lines := s.reader.Read(incoming.Text)
	i := slices.IndexFunc(lines, func(line letter.Line) bool { return line.Command.Word != "" && line.Kind != letter.KindTalk })
	if i < 0 {
		return "", false, nil
	}
	m, err := s.store.MemberByAddress(ctx, contact.LowerASCII(incoming.From))
	switch {
	case err != nil:
		return "", false, err
	case m != nil:
		disposition, err = s.sendNewToken(ctx, incoming, m)
	case lines[i].Is(letter.Register):
		disposition, err = s.askToConfirm(ctx, incoming, lines[i].Command.PersonName)
	case lines[i].Is(letter.HelpWord), lines[i].Command.Word == letter.Register:
		disposition, err = s.sendJoiningHelp(ctx, incoming)
	default:
		return "", false, nil
	}
	return disposition, true, err
}

// receiveNewcomer answers the first letter of an unknown address with an explanation of how to join, if the club
// takes members.
func (s *registrationService) receiveNewcomer(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	if incoming.Token != nil || incoming.IsTooLong() || s.club.Registration == club.RegistrationClosed {
		return exchange.DispositionIgnored, nil
	}
	if applicant, err := s.store.Applicant(ctx, contact.MailboxOf(incoming.From)); err != nil || applicant != nil {
		return exchange.DispositionIgnored, err
	}
	return s.sendJoiningHelp(ctx, incoming)
}

// receiveAnswer handles a reply to a letter that asked to confirm the wish to join, or that explained how to join.
func (s *registrationService) receiveAnswer(ctx context.Context,
	incoming exchange.Letter) (disposition exchange.Disposition, isDone bool, err error) {
	token := incoming.Token
	if token == nil || token.Match != exchange.ClubName || token.Member != 0 || token.Director || incoming.IsTooLong() ||
		!s.replies.IsAnswer(incoming, s.replies.JoiningQuestion(incoming.From)) {
		return "", false, nil
	}
	if disposition, isHandled, err := s.replies.IsHandled(ctx, "", incoming, incoming.From); isHandled || err != nil {
		return disposition, true, err
	}
	m, err := s.store.MemberByAddress(ctx, contact.LowerASCII(incoming.From))
	switch {
	case err != nil:
	case m != nil:
		disposition, err = s.sendNewToken(ctx, incoming, m)
	default:
		disposition, err = s.addMember(ctx, incoming)
	}
	return disposition, true, err
}

func (s *registrationService) isBelowAskLimit(ctx context.Context) (bool, error) {
	n, err := s.store.CountAskedSince(ctx, s.replies.Now().UTC().Truncate(24*time.Hour))
	if n >= s.club.MaxAskedPerDay {
		s.replies.Log.WarnContext(ctx, "the daily limit of letters to unknown addresses is reached", "asked", n)
	}
	return n < s.club.MaxAskedPerDay, err
}

func (s *registrationService) askToConfirm(ctx context.Context, incoming exchange.Letter, name string) (exchange.Disposition, error) {
	if s.club.Registration == club.RegistrationClosed {
		return s.sendJoiningHelp(ctx, incoming)
	}
	applicant := &club.Applicant{Address: contact.MailboxOf(incoming.From), Name: name, AskedAt: s.replies.Now(),
		Authenticated: s.isAuthenticated(ctx, incoming)}
	if isBelowLimit, err := s.isBelowAskLimit(ctx); err != nil || !isBelowLimit && !applicant.Authenticated {
		return exchange.DispositionIgnored, errors.Join(err, s.recordDoubt(ctx, applicant))
	}
	text := s.replies.FormatNote(fmt.Sprintf("Someone, probably you, has asked to join %s, a club that plays board games by "+
		"mail, with a program as the referee.", s.club.Name),
		"If it was you, reply to this letter from the address we sent it to, and write in the first line",
		"    YES", "You will then be a member under the name that you wrote, unless another member already has that name. To choose "+
			"another name, "+
			"reply with REGISTER and the name.",
		"If it was not you, do nothing. We ask at most once a day, and send nothing else.")
	kind := "join"
	if applicant.Authenticated {
		kind += " " + incoming.MessageID // Each authenticated letter is answered, within the limit for all addresses.
	}
	disposition, err := s.writeToApplicant(ctx, incoming, exchange.TextLetter("Do you want to join "+s.club.Name+"?", text), kind, applicant,
		string(letter.Yes))
	if err == nil && disposition == exchange.DispositionIgnored {
		err = s.recordDoubt(ctx, applicant)
	}
	return disposition, err
}

// isAuthenticated reports whether the authentication of a letter succeeds. It is false if none is required, or if it cannot
// be checked now.
func (s *registrationService) isAuthenticated(ctx context.Context, incoming exchange.Letter) bool {
	if incoming.Authenticate == nil {
		return false
	}
	ok, err := incoming.Authenticate(ctx)
	if err != nil {
		s.replies.Log.WarnContext(ctx, "cannot authenticate an applicant's letter", "uid", incoming.UID, "error", err)
	}
	return ok && err == nil
}

// recordDoubt clears the stored name of the applicant if an earlier letter from the address asked for another name, so that
// YES alone does not count. The store does this when it gets an Applicant with a second name.
func (s *registrationService) recordDoubt(ctx context.Context, applicant *club.Applicant) error {
	earlier, err := s.store.Applicant(ctx, applicant.Address)
	if err != nil || earlier == nil || earlier.Name == "" || earlier.Name == applicant.Name {
		return err
	}
	return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{NewApplicant: &club.Applicant{Address: applicant.Address,
		Name: applicant.Name, AskedAt: earlier.AskedAt}}})
}

func (s *registrationService) sendJoiningHelp(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	if isBelowLimit, err := s.isBelowAskLimit(ctx); err != nil || !isBelowLimit {
		return exchange.DispositionIgnored, err
	}
	greeting := fmt.Sprintf("You have written to %s, a club that plays board games by mail.", s.club.Name)
	text := s.replies.FormatNote(greeting, "To join, reply to this letter with REGISTER and the name that you want to be known by, such as",
		"    REGISTER Ada", "Your address is not shown to anyone.",
		"If you are already playing a match, reply to the letters of that match, not to this one.")
	if s.club.Registration == club.RegistrationClosed {
		text = s.replies.FormatNote(greeting + " It takes no new members at present.")
	}
	return s.writeToApplicant(ctx, incoming, exchange.TextLetter("How to join "+s.club.Name, text), "how to join",
		&club.Applicant{Address: contact.MailboxOf(incoming.From), AskedAt: s.replies.Now()})
}

// writeToApplicant sends an address a letter with a token, at most once a day for each kind of letter.
func (s *registrationService) writeToApplicant(ctx context.Context, incoming exchange.Letter, outgoing exchange.OutgoingLetter, kind string,
	applicant *club.Applicant, suggestedOrders ...string) (exchange.Disposition, error) {
	if s.club.Registration != club.RegistrationClosed {
		outgoing.Token = s.replies.TokenOf(s.replies.JoiningQuestion(incoming.From))
		outgoing.HTML = s.replies.RenderPage(outgoing, suggestedOrders...)
	}
	return s.replies.AnswerDaily(ctx, incoming, 1, "club "+kind, exchange.DispositionDone, outgoing,
		exchange.Change{Club: &club.Change{NewApplicant: applicant}})
}

func (s *registrationService) addMember(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	applicant, err := s.store.Applicant(ctx, contact.MailboxOf(incoming.From))
	if err != nil {
		return "", err
	}
	name, wantsToJoin := "", false
	if applicant != nil {
		name = applicant.Name
	}
	for _, line := range s.reader.Read(incoming.Text) {
		switch {
		case line.Is(letter.Register):
			name, wantsToJoin = line.Command.PersonName, true
		case line.Is(letter.Yes):
			wantsToJoin = true
		}
	}
	switch {
	case incoming.HasOtherRecipients:
		return s.refuseApplicant(ctx, incoming, "Your letter also went to another address, and its reader could have answered in your name. "+
			"So it was not carried out. Please reply to the referee alone.")
	case s.club.Registration == club.RegistrationClosed:
		return s.refuseApplicant(ctx, incoming, "The club takes no new members at present.")
	case wantsToJoin && name == "":
		return s.refuseApplicant(ctx, incoming, "Which name do you want? Your letters gave more than one, or none. Please reply with REGISTER "+
			"and the name, such as REGISTER Ada.")
	case !wantsToJoin:
		return s.refuseApplicant(ctx, incoming, "To join, reply with REGISTER and the name that you want to be known by, such as REGISTER "+
			"Ada. Until you are a member we understand nothing else.")
	}
	if m, err := s.store.MemberByMailbox(ctx, contact.MailboxOf(incoming.From)); err != nil {
		return "", err
	} else if m != nil {
		return s.refuseApplicant(ctx, incoming, "Your mailbox already belongs to a member, with a different address: without the part after "+
			"the plus sign, or with another one. Please write from that address.")
	}
	clean, skeleton, err := club.CleanName(name, listSeatNames(s.games))
	if err != nil {
		return s.refuseApplicant(ctx, incoming, fmt.Sprintf("You cannot take the name %s: %v. Please reply with REGISTER and another name.",
			letter.Shorten(name), err))
	}
	namesake, err := s.store.MemberBySkeleton(ctx, skeleton)
	switch {
	case err != nil:
		return "", err
	case namesake != nil:
		return s.refuseApplicant(ctx, incoming, fmt.Sprintf("Another member is called %s, or has a name so similar that you would be "+
			"confused. Please reply with REGISTER and another name.", clean))
	}
	return s.storeMember(ctx, incoming, clean, skeleton)
}

func (s *registrationService) storeMember(ctx context.Context, incoming exchange.Letter, name, skeleton string) (exchange.Disposition,
	error) {
	id, err := s.store.PlayerIDByAddress(ctx, contact.LowerASCII(incoming.From))
	if err != nil {
		return "", err
	}
	m := &club.Member{ID: id, Name: name, Skeleton: skeleton, State: club.MemberActive, Since: s.replies.Now(),
		Address: contact.LowerASCII(incoming.From)}
	ans := s.writer.newAnswer(m, incoming)
	if s.club.Registration == club.RegistrationByApproval {
		m.State = club.MemberApplied
		ans.addParagraphs("Thank you, "+name+". The director of the club decides who may join, and you will get a letter with "+
			"the decision.", "Until then you need not do anything.")
		if err := s.director.notifyDirectorOfApplicant(ctx, ans); err != nil {
			return "", err
		}
	} else {
		ans.addLogEntry(id, byMember, "has joined", "")
		ans.addParagraphs("Welcome to "+s.club.Name+", "+name+". You are a member.",
			"Everything works by mail. Reply to this letter or to any other from the club, and write each order on its own "+
				"line. Your matches have separate letters: to play, reply to those.")
		for _, line := range s.reader.Read(incoming.Text) {
			if line.Kind == letter.KindRefereeOrder && !line.Is(letter.Yes) && !line.Is(letter.Register) {
				ans.addLine(line.Text, outcomeIgnored, notMemberYet)
			}
		}
		ans.addFirstSteps()
	}
	ans.change.AnsweredAddress = contact.MailboxOf(m.Address)
	return ans.store(ctx, "", exchange.DispositionDone)
}

func (s *registrationService) refuseApplicant(ctx context.Context, incoming exchange.Letter, text string) (exchange.Disposition, error) {
	if !s.replies.AllowAnswer(ctx, "address "+contact.MailboxOf(incoming.From)) {
		return exchange.DispositionIgnored, nil
	}
	outgoing := exchange.TextLetter("Do you want to join "+s.club.Name+"?", s.replies.FormatNote(text))
	outgoing.To, outgoing.IsReply, outgoing.InReplyTo = contact.LowerASCII(incoming.From), true, incoming.MessageID
	outgoing.Token, outgoing.MessageID = s.replies.TokenOf(s.replies.JoiningQuestion(incoming.From)), s.replies.AnswerID(incoming)
	if err := s.replies.RenderLetter(&outgoing, true); err != nil {
		s.replies.Log.WarnContext(ctx, "cannot answer an applicant", "uid", incoming.UID, "error", err)
		return exchange.DispositionIgnored, nil
	}
	receipt := s.replies.ReceiptFor("", incoming, exchange.DispositionRefused)
	return exchange.DispositionRefused, s.replies.Store.Apply(ctx,
		exchange.Change{Receipt: receipt, Letters: []exchange.OutgoingLetter{outgoing}})
}

// sendNewToken answers a member's letter without a valid token. The answer has a valid token, so that the member can
// reply. A member gets only a few of these answers a day.
func (s *registrationService) sendNewToken(ctx context.Context, incoming exchange.Letter, member *club.Member) (exchange.Disposition,
	error) {
	outgoing := exchange.TextLetter(s.club.Name, s.replies.FormatNote("Your letter was not a reply to a letter from the club. Anyone "+
		"could have written it in your name, so it was not carried out.",
		"Please reply to this letter instead, with your orders in the first lines. HELP lists them."))
	outgoing.Token = s.replies.Codec.Token(memberKey(s.replies, member), exchange.MemberToken(member.ID, 0))
	outgoing.HTML = s.replies.RenderPage(outgoing)
	return s.replies.AnswerDaily(ctx, incoming, conversation.MaxFixedAnswersPerDay, "club token", exchange.DispositionRefused, outgoing,
		exchange.Change{})
}

func (s *registrationService) forgetApplicants(ctx context.Context, now time.Time) error {
	if err := s.store.DeleteApplicants(ctx, now.Add(-(conversation.QuestionDays+1)*24*time.Hour)); err != nil {
		return fmt.Errorf("delete old applications to the club: %w", err)
	}
	return nil
}
