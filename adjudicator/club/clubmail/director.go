package clubmail

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/templates"
)

// directorService handles letters of the director about the club, and carries out the director's directives. A letter
// counts only if it replies to the newest letter to the director about the club. A directive is carried out only after YES
// to a letter that quotes the directive.
type directorService struct {
	store       Store
	replies     conversation.Replies
	club        club.Config
	writer      letterWriter
	offers      *offerService
	ladders     *ladderService
	tournaments *tournamentService
}

const (
	// directRequest asks the club for a letter to the director's address. The director gives orders in a reply to this letter.
	directRequest = "DIRECT CLUB"
	// directorReceipts is the owner of the receipts of the director's letters.
	directorReceipts = exchange.ClubName + "-director"
	// maxAnnouncement is the maximum length of an announcement in bytes.
	maxAnnouncement = 4000
)

func (s *directorService) isForDirector(incoming exchange.Letter) bool {
	if s.replies.Director == "" || !contact.SameAddress(incoming.From, s.replies.Director) || incoming.IsTooLong() {
		return false
	}
	rows := append(strings.Split(incoming.Text, "\n"), incoming.Subject)
	return s.hasDirectorToken(incoming) || slices.ContainsFunc(rows, func(row string) bool {
		return strings.EqualFold(strings.Trim(strings.Join(strings.Fields(row), " "), ".!"), directRequest)
	})
}

func (s *directorService) hasDirectorToken(incoming exchange.Letter) bool {
	return incoming.HasToken(s.replies.DirectorKey()) && incoming.Token.Director && incoming.Token.Match == exchange.ClubName
}

// directorAnswer is the answer to a letter of the director, with the changes that the letter makes.
type directorAnswer struct {
	service *directorService
	state   club.DirectorState
	draft   templates.PlainLetter
	change  exchange.Change
	// suggestedOrders are orders that the director may send. The HTML page has a link for each order.
	suggestedOrders []string
}

func (s *directorService) newAnswer(ctx context.Context, paragraphs ...string) (*directorAnswer, error) {
	state, err := s.store.DirectorState(ctx)
	return &directorAnswer{service: s, state: state, draft: templates.PlainLetter{MarkerLine: s.replies.Codec.MarkerLine(),
		Paragraphs: paragraphs}}, err
}

func (s *directorService) receive(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	if disposition, isHandled, err := s.replies.IsHandled(ctx, directorReceipts, incoming, s.replies.Director); isHandled || err != nil {
		return disposition, err
	}
	da, err := s.newAnswer(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case !s.hasDirectorToken(incoming):
		if err := da.addStatus(ctx); err != nil {
			return "", err
		}
		return s.replies.AnswerDaily(ctx, incoming, 1, "club director", exchange.DispositionDone, da.render(), exchange.Change{})
	case incoming.HasOtherRecipients:
		da.recordProposal(nil)
		da.addLine("", outcomeRefused, "Your letter also went to another address, and its reader could answer in your name. So it "+
			"was not carried out. Reply to this letter, to the referee alone.")
	case !s.replies.IsAnswer(incoming, s.replies.DirectorQuestion(exchange.ClubName, da.state.LastLetter)):
		da.addLine("", outcomeRefused, "You replied to an older letter, or to one that you had already answered, so your letter was "+
			"not carried out. Reply to this one.")
	default:
		if err := da.carryOut(ctx, letter.ReadClubDirectorLetter(incoming.Text)); err != nil {
			return "", err
		}
	}
	if err := da.addStatus(ctx); err != nil {
		return "", err
	}
	outgoing := da.render()
	outgoing.MessageID, outgoing.IsReply, outgoing.InReplyTo = s.replies.AnswerID(incoming), true, incoming.MessageID
	if err := s.replies.RenderLetter(&outgoing, true, da.suggestedOrders...); err != nil {
		return "", err
	}
	da.change.Receipt = s.replies.ReceiptFor(directorReceipts, incoming, exchange.DispositionDone)
	da.change.Letters = append(da.change.Letters, outgoing)
	if da.change.Club == nil {
		da.change.Club = &club.Change{}
	}
	da.change.Club.DirectorState = &da.state
	return exchange.DispositionDone, s.replies.Store.Apply(ctx, da.change)
}

func (da *directorAnswer) recordProposal(p *club.Directive) {
	da.state.LastLetter++
	da.state.Proposed, da.state.AskedAt = p, da.service.replies.Now().UTC()
}

func (da *directorAnswer) carryOut(ctx context.Context, orders letter.DirectorOrders[club.Directive]) error {
	for _, r := range orders.RefusedLines {
		da.addLine(r.Text, outcomeRefused, r.Why)
	}
	switch {
	case len(orders.Directives) > 0 && (len(orders.RefusedLines) > 0 || orders.No || orders.Yes || len(orders.Directives) > 1):
		for _, directive := range orders.Directives {
			da.addLine(directive.String(), outcomeRefused, "Send one order in each letter and nothing else, each time in reply to our "+
				"newest letter.")
		}
	case len(orders.Directives) == 1:
		return da.propose(ctx, orders.Directives[0])
	case orders.No:
		da.recordProposal(nil)
		da.addLine("NO", outcomeDone, "Nothing was changed.")
	case orders.Yes:
		return da.confirm(ctx)
	}
	return nil
}

func (da *directorAnswer) propose(ctx context.Context, directive club.Directive) error {
	_, err := da.service.applyDirective(ctx, directive, byDirector)
	if refusal := (*adjudicator.RefusedDirectiveError)(nil); errors.As(err, &refusal) {
		da.addLine(directive.String(), outcomeRefused, match.ErrorSentence(refusal))
		return nil
	} else if err != nil {
		return err
	}
	da.recordProposal(&directive)
	note := "To confirm this, reply to this letter with YES. Without a YES nothing happens."
	if directive.Reason != "" {
		note = "The members can read your reason: " + directive.Reason + "\n" + note
	}
	if directive.Verb == club.Announce {
		reach, err := da.service.describeReach(ctx)
		if err != nil {
			return err
		}
		note = reach + "\n" + note
	}
	da.addLine(directive.String(), outcomeAsked, note)
	da.suggestedOrders = append(da.suggestedOrders, string(letter.Yes))
	return nil
}

func (da *directorAnswer) confirm(ctx context.Context) error {
	p := da.state.Proposed
	if p == nil || !conversation.IsQuestionOpen(da.state.AskedAt, da.service.replies.Now()) {
		da.addLine("YES", outcomeRefused, "There is no open question to answer with YES, or we asked more than a week ago.")
		return nil
	}
	c, err := da.service.applyDirective(ctx, *p, byDirector)
	refusal := (*adjudicator.RefusedDirectiveError)(nil)
	if err != nil && !errors.As(err, &refusal) {
		return err
	}
	da.recordProposal(nil)
	if refusal != nil {
		da.addLine(p.String(), outcomeRefused, match.ErrorSentence(refusal))
		return nil
	}
	da.change = c
	if p.Verb == club.Announce {
		reach, err := da.service.describeReach(ctx)
		if err != nil {
			return err
		}
		da.addLine(p.String(), outcomeDone, reach)
		return nil
	}
	da.addLine(p.String(), outcomeDone, describeTold(p))
	return nil
}

func describeTold(p *club.Directive) string {
	switch {
	case p.Verb == club.SwapPlayers, p.Verb == club.CallOffTournament:
		return "The players of the tournament will be told."
	case p.Verb == club.EnterPlayer, p.Verb == club.WithdrawPlayer:
		return "The member has been told."
	case p.Verb == club.Annul, p.Verb == club.Restore, p.Verb.IsAboutTournament():
		return "The club's log shows it."
	}
	return p.Name + " has been told."
}

func (da *directorAnswer) addLine(text string, outcome match.LineOutcome, note string) {
	da.draft.Lines = append(da.draft.Lines, conversation.ReportLine(text, outcome, note))
}

func (da *directorAnswer) addStatus(ctx context.Context) error {
	waiting, err := da.service.store.Members(ctx, club.MemberApplied)
	if err != nil {
		return err
	}
	var rows []string
	for i := range waiting {
		if c := da.change.Club; c != nil && slices.ContainsFunc(c.Members, func(member *club.Member) bool { return member.ID == waiting[i].ID }) {
			continue // This letter admits or refuses the applicant.
		}
		rows = append(rows, fmt.Sprintf("%s, since %s", waiting[i].Name, formatDay(waiting[i].Since)))
	}
	p := templates.PlainSection{Title: "Who wants to join", Rows: rows}
	if len(rows) == 0 {
		p.Paragraphs = []string{"No one is waiting to join."}
	}
	da.draft.Sections = append(da.draft.Sections, p, templates.PlainSection{Title: "What you can write",
		Rows:       formatForms(letter.Forms(letter.RoleClubDirector)),
		Paragraphs: []string{"Send one order in each letter, on a line of its own. We ask you to confirm it."}})
	return nil
}

func (da *directorAnswer) render() exchange.OutgoingLetter {
	outgoing := exchange.TextLetter("Directing "+da.service.club.Name, strings.TrimRight(da.draft.Text(), "\n")+"\n")
	replies := da.service.replies
	outgoing.To, outgoing.Token = replies.Director, replies.TokenOf(replies.DirectorQuestion(exchange.ClubName, da.state.LastLetter))
	return outgoing
}

// notifyDirectorOfApplicant tells the director by letter that ans.member has applied to join.
func (s *directorService) notifyDirectorOfApplicant(ctx context.Context, ans *answer) error {
	if s.replies.Director == "" {
		return nil
	}
	da, err := s.newAnswer(ctx, fmt.Sprintf("%s wants to join %s. To decide, reply to this letter with one of", ans.member.Name, s.club.Name))
	if err != nil {
		return err
	}
	admit, refuse := fmt.Sprintf("%s %s", club.Admit, ans.member.Name), fmt.Sprintf("%s %s BECAUSE ...", club.Refuse, ans.member.Name)
	da.draft.Sections = []templates.PlainSection{{Rows: []string{admit}}, {Rows: []string{refuse}}}
	outgoing := da.render()
	outgoing.MessageID = s.replies.AnswerID(exchange.Letter{Header: exchange.Header{MessageID: "applied " + receiptOwner(ans.member)}})
	if err := s.replies.RenderLetter(&outgoing, true, admit); err != nil {
		s.replies.Log.WarnContext(ctx, "cannot notify the director of an applicant", "error", err)
		return nil
	}
	ans.letters = append(ans.letters, outgoing)
	return nil
}

// applyDirective returns the changes and letters that a directive of the director or the operator causes. author names
// the person who gave the directive, e.g. "the operator", in the public log.
func (s *directorService) applyDirective(ctx context.Context, directive club.Directive, author string) (c exchange.Change, err error) {
	switch {
	case directive.Verb == club.Annul || directive.Verb == club.Restore:
		c.Club, err = s.ladders.setAnnulled(ctx, strings.ToLower(directive.Name), author, directive.Reason, directive.Verb == club.Annul)
		return c, err
	case directive.Verb == club.Announce && (directive.Text == "" || len(directive.Text) > maxAnnouncement):
		return c, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("an announcement may have at most %d bytes", maxAnnouncement)}
	case directive.Verb == club.Announce:
		now := s.replies.Now()
		c.Club = &club.Change{Announcements: []club.Announcement{{At: now, Text: directive.Text}},
			Log: []club.LogEntry{{At: now, By: author, Act: "announced something"}}}
		return c, nil
	case directive.Verb.IsAboutTournament():
		return s.applyToTournament(ctx, directive, author)
	}
	m, err := s.findMember(ctx, directive.Name)
	if err != nil {
		return c, err
	}
	ans := s.writer.newAnswer(m, exchange.Letter{})
	because := ""
	if directive.Reason != "" {
		because = " The director's reason: " + compose.Quote(directive.Reason)
	}
	switch before := m.State; {
	case directive.Verb == club.Admit && before == club.MemberApplied:
		m.State = club.MemberActive
		ans.addLogEntry(m.ID, author, "was admitted", directive.Reason)
		ans.addParagraphs("You may join "+s.club.Name+". Welcome, "+m.Name+"."+because,
			"Everything works by mail. Reply to this letter or to any other from the club, and write each order on its own line.")
		ans.addFirstSteps()
	case directive.Verb == club.Refuse && before == club.MemberApplied:
		m.State = club.MemberBanned
		ans.addLogEntry(m.ID, author, "was not admitted", directive.Reason)
		ans.addParagraphs("The director has turned down your request to join " + s.club.Name + "." + because)
	case directive.Verb == club.Ban && (before == club.MemberActive || before == club.MemberLeft):
		m.State = club.MemberBanned
		ans.addLogEntry(m.ID, author, "was banned", directive.Reason)
		if err := s.offers.leaveOffersAndQueue(ctx, ans, m); err != nil {
			return c, err
		}
		ans.addParagraphs("The director has banned you from "+s.club.Name+"."+because, "Your offers are withdrawn. Your matches "+
			"go on: answer their letters.")
	case directive.Verb == club.Unban && before == club.MemberBanned:
		m.State = club.MemberActive
		ans.addLogEntry(m.ID, author, "may come in again", directive.Reason)
		ans.addParagraphs("You may join " + s.club.Name + " again." + because)
	default:
		return c, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("%s cannot be done: %s %s.", directive, m.Name, stateTexts[before])}
	}
	outgoing, err := ans.render()
	ans.letters = append(ans.letters, outgoing)
	return ans.pendingChange(), err
}

// describeReach describes how many members read an announcement, for example "2 of 5 members read it in their next
// digest".
func (s *directorService) describeReach(ctx context.Context) (string, error) {
	members, err := s.store.Members(ctx, club.MemberActive)
	if err != nil {
		return "", err
	}
	readers := 0
	for i := range members {
		if members[i].Settings.Digest != "" {
			readers++
		}
	}
	if readers == len(members) {
		return fmt.Sprintf("All %d members will read it in their next digest. It is also on the club's pages.", readers), nil
	}
	return fmt.Sprintf("%d of %d members will read it in their next digest; the others get no digests. It is also on the club's pages.",
		readers, len(members)), nil
}

var stateTexts = map[club.MemberState]string{
	club.MemberApplied: "is waiting to join", club.MemberActive: "is a member", club.MemberLeft: "has left", club.MemberBanned: "is banned",
	club.MemberForgotten: "is forgotten",
}

func (s *directorService) findMember(ctx context.Context, name string) (*club.Member, error) {
	m, err := findMemberByName(ctx, s.store, name)
	if err == nil && m == nil {
		err = &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("No member is called %q.", name)}
	}
	return m, err
}

var startNowPattern = regexp.MustCompile(`(?i)^\s*STARTS?\s+NOW\s*$`)

// nameSeparator divides two names, e.g. "Ada AND Ben".
var nameSeparator = regexp.MustCompile(`(?i)\s*(?:,|\bAND\b)\s*`)

func (s *directorService) applyToTournament(ctx context.Context, directive club.Directive, author string) (c exchange.Change, err error) {
	if directive.Verb == club.OpenTournament && startNowPattern.MatchString(directive.Text) {
		c.Club, err = s.tournaments.startNow(ctx, directive.Name, author, directive.Reason)
		return c, err
	}
	if directive.Verb == club.OpenTournament {
		t, terms, err := club.ReadTournament(directive.Text)
		if err == nil {
			t.Name = directive.Name
			c.Club, err = s.tournaments.openTournament(ctx, t, terms, author, directive.Reason)
		}
		if err != nil {
			return c, &adjudicator.RefusedDirectiveError{Reason: err.Error()}
		}
		return c, nil
	}
	var members []*club.Member
	for _, name := range nameSeparator.Split(directive.Text, -1) {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		m, err := s.findMember(ctx, name)
		if err != nil {
			return c, err
		}
		members = append(members, m)
	}
	if memberCount := map[club.Verb]int{club.EnterPlayer: 1, club.WithdrawPlayer: 1,
		club.SwapPlayers: 2}[directive.Verb]; len(members) != memberCount {
		return c, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("%s needs the names of %s", directive.Verb,
			map[int]string{0: "no member", 1: "one member", 2: "two members, such as Ada AND Ben"}[memberCount])}
	}
	act, change := newCorrection(directive, members)
	if c.Club, _, err = s.tournaments.correctTournament(ctx, directive.Name, author, act, directive.Reason, change); err != nil {
		return c, err
	}
	switch t := c.Club.Tournaments[0]; directive.Verb {
	case club.EnterPlayer:
		t.DiceWords[members[0].ID], c.Club.Log[0].Member = "entered by the director", members[0].ID
		err = s.notifyMember(&c, members[0], fmt.Sprintf("The director has entered you in %s, which starts on "+
			"%s.", t.Title, formatMoment(t.Starts)), directive)
	case club.WithdrawPlayer:
		err = s.notifyMember(&c, members[0], fmt.Sprintf("The director has withdrawn you from %s. Your matches that have begun go "+
			"on.", t.Title), directive)
	}
	return c, err
}

func (s *directorService) notifyMember(c *exchange.Change, member *club.Member, text string, directive club.Directive) error {
	if member.State != club.MemberActive || member.Address == "" {
		return nil
	}
	ans := s.writer.newAnswer(member, exchange.Letter{})
	ans.subject = directive.Name
	ans.addParagraphs(text + " The director's reason: " + compose.Quote(directive.Reason))
	letter, err := ans.render()
	c.Letters, c.Club.Members = append(c.Letters, letter), append(c.Club.Members, member)
	return err
}

// newCorrection returns the change that a directive makes to a tournament, and the text about it in the public log.
func newCorrection(directive club.Directive, members []*club.Member) (act string, change func(*tournament.Tournament) ([]string, error)) {
	switch directive.Verb {
	case club.EnterPlayer:
		return "was entered in the tournament " + directive.Name, func(t *tournament.Tournament) ([]string, error) {
			if members[0].State != club.MemberActive {
				return nil, fmt.Errorf("%s %s", members[0].Name, stateTexts[members[0].State])
			}
			return nil, t.Enter(members[0].ID)
		}
	case club.WithdrawPlayer:
		return "a player was withdrawn from the tournament " + directive.Name,
			func(t *tournament.Tournament) ([]string, error) { return nil, t.Withdraw(members[0].ID) }
	case club.SwapPlayers:
		return fmt.Sprintf("two players of the tournament %s were swapped", directive.Name),
			func(t *tournament.Tournament) ([]string, error) { return t.Swap(members[0].ID, members[1].ID) }
	}
	return fmt.Sprintf("the tournament %s is called off", directive.Name),
		func(t *tournament.Tournament) ([]string, error) { return nil, t.CallOff() }
}
