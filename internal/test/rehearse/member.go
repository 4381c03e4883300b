package rehearse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
	gomessage "github.com/emersion/go-message"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/emersion/go-imap/v2"
	"samizdat/adjudicator/match"
	"samizdat/internal/demo"
	"samizdat/internal/playout"
	"samizdat/mail/message"
	"samizdat/rules"
)

// letter holds the header fields that an answer to a letter needs.
type letter struct{ to, subject, id string }

// member is a simulated member with a mailbox.
type member struct {
	r                 *rehearsal
	name              string
	address, password string
	imapAt, smtpAt    string
	random            *rand.Rand
	// seen is the UID of the last letter read, written the number of letters written.
	seen    imap.UID
	written int
	// inbox and outgoing are the connections of the mail client while it is online.
	inbox    *imapclient.Client
	outgoing *smtp.Client
	// asked means that the member has asked to register, joined that the registration is complete.
	asked, joined bool
	// club is the newest letter of the club. asks holds, by match ID, the newest letter that asks
	// for a move.
	club letter
	asks map[string]letter
	// resigns holds the matches that the member is resigning, offers the numbers of open offers.
	resigns, offers map[string]bool
	// entered means that the member has entered the tournament, pairs that the member has asked for
	// pairings.
	entered, pairs bool
	// next is the time of the next visit to the mailbox. After silent the member answers no letter.
	next, silent time.Time
}

// consonants and vowels form the names of members, which are easy to tell apart.
const consonants, vowels = "bdfghjkmnprstvz", "aeiou"

// maxNames is the number of different names.
const maxNames = len(consonants) * len(vowels) * len(consonants) * len(vowels)

// nameOf returns a unique name for member i, e.g. "Kababa" for 0.
func nameOf(i int) string {
	syllable := func(i int) string {
		return consonants[i/len(vowels)%len(consonants):][:1] + vowels[i%len(vowels):][:1]
	}
	n := len(consonants) * len(vowels)
	return "Ka" + syllable(i/n) + syllable(i%n)
}

// begins chooses the first visit to the mailbox and, for one member in twelve, the time of falling
// silent.
func (m *member) begins(now, end time.Time) {
	m.next = m.sometime(now, m.r.Looks)
	m.silent = end.AddDate(1, 0, 0)
	if m.random.IntN(12) == 0 {
		m.silent = m.sometime(now, end.Sub(now))
	}
}

// sharing is the grid of the visits, so that many members are online at the same time.
const sharing = 20 * time.Minute

// sometime returns a random time on the grid, at most within+sharing after now.
func (m *member) sometime(now time.Time, within time.Duration) time.Time {
	return now.Add(time.Duration(m.random.Int64N(int64(within))) + sharing).Truncate(sharing)
}

// login opens a mailbox.
func login(address, user, password string) (*imapclient.Client, error) {
	c, err := imapclient.DialInsecure(address, nil)
	if err != nil {
		return nil, err
	}
	return c, c.Login(user, password).Wait()
}

// online connects the mail client, calls act and disconnects.
func (m *member) online(act func(*member) error) (err error) {
	if m.inbox, err = login(m.imapAt, m.address, m.password); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.inbox.Close()) }()
	if m.outgoing, err = smtp.Dial(m.smtpAt); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.outgoing.Quit()) }()
	if err := m.outgoing.Auth(sasl.NewPlainClient("", m.address, m.password)); err != nil {
		return err
	}
	return act(m)
}

// writes sends an answer to a letter.
func (m *member) writes(l letter, text string) error {
	m.written++
	d := message.Draft{From: m.address, To: l.to, Subject: "Re: " + strings.TrimPrefix(l.subject, "Re: "),
		MessageID: fmt.Sprintf("%d.%s", m.written, m.address), InReplyTo: l.id, References: []string{l.id}, Date: m.r.clock.now(),
		Text: text}
	raw, err := d.Render()
	if err != nil {
		return err
	}
	m.r.sent.Add(1)
	return m.outgoing.SendMail(m.address, []string{l.to}, bytes.NewReader(raw))
}

// joins asks to register when called first, and then reads letters, which confirms the registration.
func (m *member) joins() error {
	if m.asked {
		return m.reads()
	}
	m.asked = true
	return m.writes(letter{to: m.r.cfg.Address, subject: "Hello"}, "REGISTER "+m.name)
}

var (
	matchOf = regexp.MustCompile(`\[(m[a-z2-7]+)\]$`)
	offered = regexp.MustCompile(`(?m)^\s*ACCEPT (\d+)$`)
)

// reads handles the new letters and answers those that need an answer at once.
func (m *member) reads() error {
	if _, err := m.inbox.Select("INBOX", nil).Wait(); err != nil {
		return err
	}
	var set imap.UIDSet
	set.AddRange(m.seen+1, 0)
	body := &imap.FetchItemBodySection{Peek: true}
	got, err := m.inbox.Fetch(set, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		return err
	}
	for _, f := range got {
		if f.UID <= m.seen {
			continue // Without new letters the server returns the newest letter again (RFC 9051, 6.4.9: "n:*").
		}
		m.seen = f.UID
		l, err := read(f.FindBodySection(body))
		if err == nil {
			err = m.takes(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takes handles a letter.
func (m *member) takes(l message.Letter) error {
	short := letter{subject: l.Subject, id: l.MessageID}
	if len(l.ReplyTo) > 0 {
		short.to = l.ReplyTo[0]
	}
	switch id := matchOf.FindStringSubmatch(l.Subject); {
	case id != nil && m.resigns[id[1]]:
		delete(m.resigns, id[1])
		return m.writes(short, "YES")
	case id != nil && demo.IsMoveRequest(l):
		m.asks[id[1]] = short
	case id != nil:
		delete(m.asks, id[1])
	case strings.HasPrefix(l.Subject, "Do you want to join"):
		return m.writes(short, "YES")
	default:
		m.club = short
		m.joined = m.joined || strings.Contains(l.Text, "You are a member.")
		for _, o := range offered.FindAllStringSubmatch(l.Text, -1) {
			m.offers[o[1]] = true
		}
	}
	return nil
}

// read parses the header and the plain text of a letter, which is much faster than parsing all of
// it.
func read(raw []byte) (message.Letter, error) {
	l := message.ReadHeader(raw)
	e, err := gomessage.Read(bytes.NewReader(raw))
	if err != nil {
		return l, fmt.Errorf("read letter %s: %w", l.MessageID, err)
	}
	err = e.Walk(func(_ []int, part *gomessage.Entity, err error) error {
		if err != nil {
			return err
		}
		if kind, _, err := part.Header.ContentType(); err != nil || kind != "text/plain" {
			return err
		}
		text, err := io.ReadAll(part.Body)
		l.Text = strings.ReplaceAll(string(text), "\r\n", "\n")
		return errors.Join(err, errRead)
	})
	if errors.Is(err, errRead) {
		err = nil
	}
	return l, err
}

// errRead ends the walk through a letter when its text was found.
var errRead = errors.New("the text was read")

// acts runs when the member wakes: reads letters, answers most matches, and sometimes writes to the
// club.
func (m *member) acts() error {
	now := m.r.clock.now()
	m.next = m.sometime(now.Add(m.r.Looks/2), m.r.Looks)
	if now.After(m.silent) {
		return nil
	}
	if err := m.reads(); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(m.asks)) {
		if m.random.IntN(20) == 0 {
			continue // still thinking
		}
		if m.random.IntN(60) == 0 {
			m.resigns[id] = true
			if err := m.answers(id, "RESIGN"); err != nil {
				return err
			}
			continue
		}
		if err := m.plays(id); err != nil {
			return err
		}
	}
	if m.club.id == "" || m.pairs && m.random.IntN(8) > 0 {
		return nil
	}
	return m.writes(m.club, m.wishes())
}

// answers sends an answer to the question of a match.
func (m *member) answers(id, text string) error {
	l := m.asks[id]
	delete(m.asks, id)
	return m.writes(l, text)
}

// plays answers the question of a match with a move of a robot.
func (m *member) plays(id string) error {
	stored, err := m.r.d.DB.Match(m.r.serving, id)
	if err != nil {
		return err
	}
	if stored.State != match.Playing {
		delete(m.asks, id)
		return nil
	}
	g := m.r.Game
	pos, err := stored.CurrentPosition(g)
	if err != nil {
		return err
	}
	for _, d := range stored.UnansweredDecisions(pos) {
		if !strings.EqualFold(stored.Seats[d.Seat].Player.Address, m.address) {
			continue
		}
		robot, err := g.Robot(rules.RandomName, m.random.Uint64())
		if err != nil {
			return err
		}
		atoms, err := playout.Answer(pos, d, robot)
		if err != nil {
			return err
		}
		return m.answers(id, g.FormatOrder(atoms)+" SURELY")
	}
	// The question of the letter was answered by another letter.
	delete(m.asks, id)
	return nil
}

// wishes returns a random request to the club, a line or more.
func (m *member) wishes() string {
	g := m.r.Game.Name()
	other := m.r.members[m.random.IntN(len(m.r.members))].name
	if len(m.offers) > 0 {
		n := slices.Min(slices.Collect(maps.Keys(m.offers)))
		delete(m.offers, n)
		return "ACCEPT " + n
	}
	if !m.pairs {
		// Matches that end are replaced by new pairings.
		m.pairs = true
		n := 2 * m.r.Matches / len(m.r.members)
		return fmt.Sprintf("PAIR ME %s UP TO %d", g, min(max(1, n), maxMatches))
	}
	if !m.entered && m.r.entered.Add(1) <= cupSize {
		m.entered = true
		return "ENTER " + cupName
	}
	switch m.random.IntN(8) {
	case 0:
		return "OFFER " + g
	case 1:
		return "DIGEST DAILY"
	case 2:
		if other != m.name {
			return fmt.Sprintf("CHALLENGE %s %s", other, g)
		}
		return "REMATCH"
	case 3:
		return "REMATCH"
	case 4:
		return "LADDER\nRATING " + other
	case 5:
		return "GAMES\nRESULTS"
	case 6:
		return "DIGEST WEEKLY"
	}
	return "OFFERS"
}
