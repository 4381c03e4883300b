package clubmail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

// accountService carries out a member's orders about settings, running matches, and leaving the club.
type accountService struct {
	store       Store
	replies     conversation.Replies
	club        club.Config
	games       rules.Games
	reader      letter.MemberReader
	adjudicator *adjudicator.Adjudicator
	offers      *offerService
}

const (
	// maxLogEntries is the maximum number of log entries in a letter; a letter has the newest ones.
	maxLogEntries = 60
	maxBlocked    = 100
	// maxAttachment is the limit of an attached file in bytes.
	maxAttachment = 8 << 20
)

// The authors of entries in the public log.
const (
	byDirector = "the director"
	byMember   = "member"
)

func (s *accountService) listMembers(ctx context.Context, ans *answer, line letter.Line) error {
	if line.Command.PersonName != "" {
		m, err := findMember(ctx, s.store, ans, line)
		if err != nil || m == nil {
			return err
		}
		rows := []string{"Member since " + formatDay(m.Since) + "."}
		if m.Settings.ShowPace {
			answers, err := s.store.AnswerTimes(ctx, m.ID, club.MaxAnswerTimes)
			if err != nil {
				return err
			}
			rows = append(rows, club.DescribePace(answers))
		}
		ans.addSection(templates.PlainSection{Title: m.Name, Rows: rows})
		return nil
	}
	members, err := s.store.Members(ctx, club.MemberActive)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, m := range members {
		rows = append(rows, []string{m.Name, "since " + formatDay(m.Since)})
	}
	ans.addSection(templates.PlainSection{Title: fmt.Sprintf("Members: %d", len(members)), Table: rows})
	return nil
}

// findMember finds the named member. If there is none, it returns nil and refuses the line.
func findMember(ctx context.Context, store Store, ans *answer, line letter.Line) (*club.Member, error) {
	m, err := findMemberByName(ctx, store, line.Command.PersonName)
	if err != nil {
		return nil, err
	}
	if m == nil || m.State != club.MemberActive {
		return nil, ans.refuseLine(line, fmt.Sprintf("No member is called %q. WHO lists the members.", line.Command.PersonName))
	}
	return m, nil
}

func (s *accountService) listMatches(ctx context.Context, ans *answer, _ letter.Line) error {
	seats, err := findRunningSeats(ctx, s.store, ans.member.ID)
	if err != nil {
		return err
	}
	var ownTurnRows, otherRows []string
	for _, seat := range seats {
		m, err := s.replies.Store.Match(ctx, seat.Match)
		if err != nil {
			return err
		}
		status, err := s.adjudicator.DescribeStatus(ctx, m, seat.Seat)
		if divergence := (*adjudicator.DivergenceError)(nil); errors.As(err, &divergence) {
			otherRows = append(otherRows, seat.Match+": The operator is looking into this match.")
			continue
		} else if err != nil {
			return err
		}
		row := status.Match + ": " + status.Summary
		if status.TimeLeft != "" {
			row += ". " + status.TimeLeft
		}
		if status.IsToMove {
			ownTurnRows = append(ownTurnRows, row)
		} else {
			otherRows = append(otherRows, row)
		}
	}
	switch {
	case len(seats) == 0:
		ans.addSection(templates.PlainSection{Title: "Your matches", Paragraphs: []string{"You are not playing any match now."}})
		return nil
	case len(ownTurnRows) == 0:
		ans.addSection(templates.PlainSection{Title: "Your matches", Paragraphs: []string{"No match is waiting for you."}})
	default:
		ans.addSection(templates.PlainSection{Title: fmt.Sprintf("Waiting for you: %d", len(ownTurnRows)), Rows: ownTurnRows})
	}
	if len(otherRows) > 0 {
		ans.addSection(templates.PlainSection{Title: "Waiting for others", Rows: otherRows})
	}
	ans.draft.Closing = append(ans.draft.Closing, "To play, reply to the letters of a match, not to this one. RESEND ALL sends the "+
		"newest letter of each match again.")
	return nil
}

func (s *accountService) resendAll(ctx context.Context, ans *answer, line letter.Line) error {
	seats, err := findRunningSeats(ctx, s.store, ans.member.ID)
	switch {
	case err != nil:
		return err
	case len(seats) == 0:
		return ans.refuseLine(line, "You are not playing any match now.")
	case !s.replies.AllowAnswer(ctx, "resend all "+receiptOwner(ans.member)):
		return ans.refuseLine(line, "You have asked for this many times lately. Please try again in an hour.")
	case len(ans.otherMatches) > 0:
		ans.addLine(line.Text, outcomeIgnored, "Once is enough.")
		return nil
	}
	for _, seat := range seats {
		m, err := s.replies.Store.Match(ctx, seat.Match)
		if err != nil {
			return err
		}
		outgoing, err := s.adjudicator.WriteStatus(ctx, m, seat.Seat, "You asked the club for the newest letter of each of your "+
			"matches. This one shows the current position, and you can reply to it.")
		if divergence := (*adjudicator.DivergenceError)(nil); errors.As(err, &divergence) {
			continue
		} else if err != nil {
			return err
		}
		ans.otherMatches, ans.letters = append(ans.otherMatches, m), append(ans.letters, outgoing)
	}
	if len(ans.otherMatches) == 1 {
		return ans.confirmLine(line, "The letter of your match is on the way.")
	}
	return ans.confirmLine(line, fmt.Sprintf("%d letters, one for each match, are on the way.", len(ans.otherMatches)))
}

func (s *accountService) showSettings(ctx context.Context, ans *answer, _ letter.Line) error {
	m := ans.member
	player, err := s.store.Player(ctx, m.ID)
	if err != nil {
		return err
	}
	var blocked []string
	for _, id := range m.Settings.Blocked {
		other, err := s.store.Member(ctx, id)
		if err != nil {
			return err
		}
		if other != nil && other.State != club.MemberForgotten {
			blocked = append(blocked, other.Name)
		}
	}
	rows := [][]string{
		{"NAME", m.Name},
		{"MOST", "you play at most " + formatMatches(m.MaxMatches(s.club)) + " at once"},
		{"TIMEZONE", fmt.Sprintf("%s: it is now %s", cmp.Or(m.Zone, zone.UTC), zone.FormatTime(s.replies.Now(), m.Zone))},
		{"FORMAT", s.describeFormat(match.Format(m.Settings.Format))},
		{"PACE", map[bool]string{true: "others see how soon you answer", false: "hidden: others do not see how soon you " +
			"answer"}[m.Settings.ShowPace]},
		{"DIGEST", describeDigest(m)},
		{"BLOCK", cmp.Or(strings.Join(blocked, ", "), "you have blocked no one")},
		{"QUIET", describeQuiet(player.Away.Quiet)},
		{"ADDRESS", m.Address},
	}
	ans.addSection(templates.PlainSection{Title: "Your settings", Table: rows,
		Paragraphs: []string{"To change a setting, write its name and the new value, such as MOST 5. If you write FORMAT in reply to a " +
			"letter about a match, it changes only the letters of that match. Other members do not see your address or your time zone."}})
	ans.addSection(templates.PlainSection{Title: "Your vacations", Paragraphs: []string{s.adjudicator.DescribeVacations(player)}})
	return nil
}

// formatTexts describes the formats of letters.
var formatTexts = map[match.Format]string{
	match.FormatText: "text only", match.FormatHTML: "text with an HTML page, without pictures",
	match.FormatPicture: "text with an HTML page and a picture of the map",
	match.FormatSpoken:  "written for screen readers, with sentences in place of the tables of a match",
}

// describeFormat describes a format for the list of settings. An empty format is the default of the referee.
func (s *accountService) describeFormat(f match.Format) string {
	if f != "" {
		return formatTexts[f]
	}
	usual := match.FormatText
	switch letters := s.adjudicator.LetterOptions; {
	case letters.HTML && letters.Pictures:
		usual = match.FormatPicture
	case letters.HTML:
		usual = match.FormatHTML
	}
	return formatTexts[usual] + " (you have chosen none)"
}

func describeDigest(m *club.Member) string {
	if m.Settings.Digest == "" {
		return "off: you get no club news"
	}
	return fmt.Sprintf("%s: you get the club news next on %s", m.Settings.Digest, formatDay(m.DigestDue))
}

func describeQuiet(q clock.QuietHours) string {
	if q == (clock.QuietHours{}) {
		return "off: you get reminders at any hour"
	}
	return q.String() + ": you get no reminders in these hours"
}

func (s *accountService) setMaxMatches(_ context.Context, ans *answer, line letter.Line) error {
	n := line.Command.Number
	if n > s.club.MaxMatches {
		return ans.refuseLine(line, fmt.Sprintf("In this club you can play at most %d matches at once.", s.club.MaxMatches))
	}
	ans.member.Settings.MaxMatches = n
	return ans.confirmLine(line, fmt.Sprintf("From now on you play at most %s at once. Matches that have begun go on.", formatMatches(n)))
}

func formatMatches(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

func (s *accountService) rename(ctx context.Context, ans *answer, line letter.Line) error {
	name, skeleton, err := club.CleanName(line.Command.PersonName, listSeatNames(s.games))
	if err != nil {
		return ans.refuseLine(line, match.ErrorSentence(err)+" Your name is still "+ans.member.Name+".")
	}
	namesake, err := s.store.MemberBySkeleton(ctx, skeleton)
	switch {
	case err != nil:
		return err
	case namesake != nil && namesake.ID != ans.member.ID:
		return ans.refuseLine(line, fmt.Sprintf("Another member is called %s, or has a name too similar to it. "+
			"Your name is still %s.", name, ans.member.Name))
	}
	ans.member.Name, ans.member.Skeleton = name, skeleton
	return ans.confirmLine(line, "Your name is "+name+" from now on. Matches that have begun keep your old name.")
}

const sharedNotCounted = "Your letter also went to another address, so this order does not count. Send it again, to the referee alone."

func (s *accountService) changeAddress(ctx context.Context, ans *answer, line letter.Line) error {
	c := line.Command
	switch {
	case c.Text != "" && ans.letter.HasOtherRecipients:
		return ans.refuseLine(line, sharedNotCounted)
	case c.Text != "" && (ans.orderCount > 1 || line.Text != s.reader.Read(ans.letter.Text)[0].Text):
		return ans.refuseLine(line, "ADDRESS counts only in the first line of a letter that has no other order. Your letters still "+
			"go to the old address.")
	}
	seats, err := s.store.SeatsOf(ctx, ans.member.ID)
	switch {
	case err != nil:
		return err
	case len(seats) > 0:
	case c.Choice != "" && c.Text == "":
		return ans.informLine(line, "There is no open request, and nothing changes.")
	case c.Text == "":
		return ans.informLine(line, "Your letters go to "+ans.member.Address+".")
	default:
		return ans.refuseLine(line, "You have not played any match yet. To change your address, write FORGET ME here, and then "+
			"REGISTER from the other address. Your letters go to "+ans.member.Address+".")
	}
	current := seats[0]
	for _, seat := range seats {
		if seat.State == match.Playing {
			current = seat
		}
	}
	p, err := s.loadPlayer(ctx, ans)
	if err != nil {
		return err
	}
	outcome, hasChanged, letters, err := s.adjudicator.ChangeAddress(ctx, p, current, ans.letter, c)
	if err != nil {
		return err
	}
	if hasChanged && c.Choice != "" {
		ans.member.TokenSerial++ // Another person may have asked for the change in a forged letter.
		outcome.Note += " Our reply address for you has changed: reply to this letter, because replies to older letters no longer count."
	}
	ans.letters = append(ans.letters, letters...)
	return ans.reportPlayer(line, p, hasChanged, c.Text != "", outcome.Note)
}

func (s *accountService) loadPlayer(ctx context.Context, ans *answer) (*match.Player, error) {
	if known := ans.players[ans.member.ID]; known != nil {
		return known, nil
	}
	return s.store.Player(ctx, ans.member.ID)
}

// reportPlayer reports the outcome of an order about p, the writer's player (e.g. its time zone). wantsChange is set if the order asks
// for a change, and not for information; such an order is refused if p has not changed.
func (ans *answer) reportPlayer(line letter.Line, p *match.Player, hasChanged, wantsChange bool, note string) error {
	switch {
	case hasChanged:
		ans.players[ans.member.ID], ans.player = p, p
		return ans.confirmLine(line, note)
	case wantsChange:
		return ans.refuseLine(line, note)
	}
	return ans.informLine(line, note)
}

func (s *accountService) setTimeZone(ctx context.Context, ans *answer, line letter.Line) error {
	p, err := s.loadPlayer(ctx, ans)
	if err != nil {
		return err
	}
	p.Zone, ans.member.Zone = line.Command.Text, line.Command.Text
	return ans.reportPlayer(line, p, true, true, fmt.Sprintf("Your time zone is %s: it is now %s. No "+
		"one else is told.", p.Zone, zone.FormatTime(s.replies.Now(), p.Zone)))
}

// changeVacation plans or ends a vacation of the writer, or shows the planned ones.
func (s *accountService) changeVacation(ctx context.Context, ans *answer, line letter.Line) error {
	p, err := s.loadPlayer(ctx, ans)
	if err != nil {
		return err
	}
	note, hasChanged, letters, others, err := s.adjudicator.ChangeVacation(ctx, p, line.Command, ans.otherMatches)
	if err != nil {
		return err
	}
	if hasChanged {
		ans.otherMatches, ans.letters = others, append(ans.letters, letters...)
	}
	return ans.reportPlayer(line, p, hasChanged, line.Command.Choice != "", note)
}

func (s *accountService) setQuiet(ctx context.Context, ans *answer, line letter.Line) error {
	p, err := s.loadPlayer(ctx, ans)
	if err != nil {
		return err
	}
	note, hasChanged := adjudicator.ChangeQuiet(p, line.Command)
	return ans.reportPlayer(line, p, hasChanged, false, note)
}

func (s *accountService) setFormat(_ context.Context, ans *answer, line letter.Line) error {
	ans.member.Settings.Format = strings.ToLower(line.Command.Text)
	text := formatTexts[match.Format(ans.member.Settings.Format)]
	return ans.confirmLine(line, "The letters of the club, and of matches that begin from now on, will be "+text+".")
}

func (s *accountService) setDigest(_ context.Context, ans *answer, line letter.Line) error {
	m := ans.member
	m.Settings.Digest, m.DigestDue = club.Digest(line.Command.Text), time.Time{}
	if m.Settings.Digest == "" {
		return ans.confirmLine(line, "You will get no club news. You still get the letters of your matches.")
	}
	m.DigestDue = m.Settings.Digest.NextAfter(s.replies.Now())
	return ans.confirmLine(line, fmt.Sprintf("You will get the club news every %s, starting on %s.",
		map[club.Digest]string{club.Daily: "day", club.Weekly: "week"}[m.Settings.Digest], formatDay(m.DigestDue)))
}

// setPace tells the writer the writer's own pace, and shows it to others or hides it (PACE SHOW, PACE HIDE).
func (s *accountService) setPace(ctx context.Context, ans *answer, line letter.Line) error {
	answers, err := s.store.AnswerTimes(ctx, ans.member.ID, club.MaxAnswerTimes)
	if err != nil {
		return err
	}
	note := club.DescribePace(answers)
	switch line.Command.Text {
	case "show":
		ans.member.Settings.ShowPace = true
		return ans.confirmLine(line, "From now on others can see this about you: "+note)
	case "hide":
		ans.member.Settings.ShowPace = false
		return ans.confirmLine(line, "Others no longer see how soon you answer. PAIR ME still counts it.")
	}
	return ans.informLine(line, note)
}

// block blocks another member, who can then neither challenge the writer nor be paired with the writer. The other
// member is not told.
func (s *accountService) block(ctx context.Context, ans *answer, line letter.Line) error {
	m, err := findMember(ctx, s.store, ans, line)
	if err != nil || m == nil {
		return err
	}
	settings := &ans.member.Settings
	switch {
	case m.ID == ans.member.ID:
		return ans.refuseLine(line, "You cannot block yourself.")
	case slices.Contains(settings.Blocked, m.ID):
		return ans.refuseLine(line, "You have already blocked "+m.Name+".")
	case len(settings.Blocked) >= maxBlocked:
		return ans.refuseLine(line, fmt.Sprintf("You have blocked %d members, which is the limit. UNBLOCK one first.", maxBlocked))
	}
	settings.Blocked = append(settings.Blocked, m.ID)
	return ans.confirmLine(line, fmt.Sprintf("%s can no longer challenge you, accept your offers or be paired with you. %[1]s is not "+
		"told. Matches that have begun go on, and tournaments may still pair you. UNBLOCK %[1]s ends the block.", m.Name))
}

func (s *accountService) unblock(ctx context.Context, ans *answer, line letter.Line) error {
	m, err := findMember(ctx, s.store, ans, line)
	if err != nil || m == nil {
		return err
	}
	i := slices.Index(ans.member.Settings.Blocked, m.ID)
	if i < 0 {
		return ans.refuseLine(line, m.Name+" is not blocked.")
	}
	ans.member.Settings.Blocked = slices.Delete(ans.member.Settings.Blocked, i, i+1)
	return ans.confirmLine(line, m.Name+" can challenge you again.")
}

func (s *accountService) showLog(ctx context.Context, ans *answer, _ letter.Line) error {
	entries, err := s.store.ClubLog(ctx, maxLogEntries)
	if err != nil {
		return err
	}
	var rows []string
	for _, e := range entries {
		act := strings.ToUpper(e.Act[:1]) + e.Act[1:]
		if e.Member != 0 {
			m, err := s.store.Member(ctx, e.Member)
			if err != nil {
				return err
			}
			if m != nil {
				act = m.Name + " " + e.Act
			}
		}
		row := formatDay(e.At) + ": " + act
		if e.By != byMember {
			row += ", by " + e.By
		}
		if e.Reason != "" {
			row += ": " + strings.TrimRight(e.Reason, ".")
		}
		rows = append(rows, row+".")
	}
	ans.addSection(templates.PlainSection{Title: "Club log", Rows: rows})
	return nil
}
