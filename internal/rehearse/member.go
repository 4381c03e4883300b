package rehearse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	gomessage "github.com/emersion/go-message"

	"samizdat/adjudicator"
	"samizdat/internal/demo"
	"samizdat/internal/mailclient"
	"samizdat/internal/playout"
	"samizdat/mail/message"
	"samizdat/rules"
)

// letters are those that somebody may answer, by match.
type letters map[string]message.Letter

// member is somebody with a mailbox, who looks into it every now and then.
type member struct {
	r       *rehearsal
	name    string
	account mailclient.Account
	client  *mailclient.Client
	random  *rand.Rand
	// asked and joined are how far his registration is.
	asked, joined bool
	// club is the newest letter of the club; asks are the newest of matches that ask for a move.
	club message.Letter
	asks letters
	// resigns are the matches that he gives up, offers the numbers of offers that he was told of.
	resigns, offers map[string]bool
	// entered and pairs mean that he has entered the tournament, and waits to be paired.
	entered, pairs bool
	// next is when he looks into his mailbox again; from silent on he answers nothing.
	next, silent time.Time
}

// syllables make the names of members, of which no two look alike.
const consonants, vowels = "bdfghjkmnprstvz", "aeiou"

// MostNames is how many members can be told apart by their names.
const MostNames = len(consonants) * len(vowels) * len(consonants) * len(vowels)

// NameOf is the name of a member. No two are called alike.
func NameOf(i int) string {
	syllable := func(i int) string {
		return consonants[i/len(vowels)%len(consonants):][:1] + vowels[i%len(vowels):][:1]
	}
	n := len(consonants) * len(vowels)
	return "Ka" + syllable(i/n) + syllable(i%n)
}

// begins says when he looks first, and whether he falls silent some day.
func (m *member) begins(now, end time.Time) {
	m.next = m.sometime(now, m.r.Looks)
	m.silent = end.AddDate(1, 0, 0)
	if m.random.IntN(12) == 0 {
		m.silent = m.sometime(now, end.Sub(now))
	}
}

// sharing is what the times at which members look are multiples of: many look at the same time.
const sharing = 20 * time.Minute

// sometime is a time within a while.
func (m *member) sometime(now time.Time, within time.Duration) time.Time {
	return now.Add(time.Duration(m.random.Int64N(int64(within))) + sharing).Truncate(sharing)
}

// online connects his mail program, and closes it when something was done.
func (m *member) online(ctx context.Context, act func(*member, context.Context) error) (err error) {
	if m.client == nil {
		m.client, err = mailclient.Dial(m.account)
	} else {
		err = m.client.Redial()
	}
	if err != nil {
		return err
	}
	defer func() { m.client = m.client.Offline() }()
	return act(m, ctx)
}

// writes answers a letter.
func (m *member) writes(to message.Letter, text string) error {
	m.client.Last = to
	m.r.sent.Add(1)
	return m.client.Reply(text)
}

// joins registers, confirms, and notes that he is a member, one after the other.
func (m *member) joins(ctx context.Context) error {
	if !m.asked {
		m.asked = true
		return m.writes(message.Letter{ReplyTo: []string{m.r.cfg.Address}, Subject: "Hello"}, "REGISTER "+m.name)
	}
	return m.reads(ctx)
}

var (
	matchOf = regexp.MustCompile(`\[(m[a-z2-7]+)\]$`)
	offered = regexp.MustCompile(`(?m)^\s*ACCEPT (\d+)$`)
)

// reads takes in the new letters. What needs an answer at once gets it.
func (m *member) reads(context.Context) error {
	raw, err := m.client.Unread()
	if err != nil {
		return err
	}
	for _, b := range raw {
		l, err := read(b)
		if err == nil {
			err = m.takes(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takes takes in a letter.
func (m *member) takes(l message.Letter) error {
	short := message.Letter{ReplyTo: l.ReplyTo, Subject: l.Subject, MessageID: l.MessageID}
	switch id := matchOf.FindStringSubmatch(l.Subject); {
	case id != nil && m.resigns[id[1]]:
		delete(m.resigns, id[1])
		return m.writes(short, "YES")
	case id != nil && demo.IsMove(l):
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

// read reads the header of a letter, and its plain text, which costs a fraction of reading all.
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

// errRead ends a walk through a letter when its text was found.
var errRead = errors.New("the text was read")

// acts is what he does when he wakes: he reads, answers most of his matches, and sometimes
// writes to the club.
func (m *member) acts(ctx context.Context) error {
	now := m.r.clock.now()
	m.next = m.sometime(now.Add(m.r.Looks/2), m.r.Looks)
	if now.After(m.silent) {
		return nil
	}
	if err := m.reads(ctx); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(m.asks)) {
		if m.random.IntN(20) == 0 {
			continue // He thinks about it.
		}
		if m.random.IntN(60) == 0 {
			m.resigns[id] = true
			if err := m.answers(id, "RESIGN"); err != nil {
				return err
			}
			continue
		}
		if err := m.plays(ctx, id); err != nil {
			return err
		}
	}
	if m.club.MessageID == "" || m.pairs && m.random.IntN(8) > 0 {
		return nil
	}
	return m.writes(m.club, m.wishes())
}

// answers answers what a match asks.
func (m *member) answers(id, text string) error {
	l := m.asks[id]
	delete(m.asks, id)
	return m.writes(l, text)
}

// plays lets a robot find the answer to what a match asks him.
func (m *member) plays(ctx context.Context, id string) error {
	stored, err := m.r.d.DB.Match(ctx, id)
	if err != nil {
		return err
	}
	if stored.State != adjudicator.Playing {
		delete(m.asks, id)
		return nil
	}
	g := m.r.Game
	pos, err := stored.At(g)
	if err != nil {
		return err
	}
	for _, d := range stored.Unanswered(pos) {
		if !strings.EqualFold(stored.Seats[d.Seat].Player.Address, m.account.Address) {
			continue
		}
		maker := g.(rules.RobotMaker)
		robot, err := maker.Robot(maker.Robots()[0], m.random.Uint64())
		if err != nil {
			return err
		}
		atoms, err := playout.Answer(pos, d, robot)
		if err != nil {
			return err
		}
		return m.answers(id, g.Line(atoms)+" SURELY")
	}
	// The letter asks, and the match does not: somebody was quicker.
	delete(m.asks, id)
	return nil
}

// wishes is what he writes to the club, a line or more.
func (m *member) wishes() string {
	g := m.r.Game.Name()
	other := m.r.members[m.random.IntN(len(m.r.members))].name
	if len(m.offers) > 0 {
		n := slices.Min(slices.Collect(maps.Keys(m.offers)))
		delete(m.offers, n)
		return "ACCEPT " + n
	}
	if !m.pairs {
		// His matches that end are replaced by others.
		m.pairs = true
		n := 2 * m.r.Matches / len(m.r.members)
		return fmt.Sprintf("PAIR ME %s UP TO %d", g, min(max(1, n), mostMatches))
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
