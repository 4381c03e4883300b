package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
)

// maker makes matches that have gone on for a while, without letters: what it gives is as it
// would be if robots had played them by mail.
type maker struct {
	game  rules.Game
	setup rules.Setup
	seats []string
	// mailboxes are the addresses whose owners play all matches, each under an address of
	// its own with a detail behind a plus.
	mailboxes []string
	// robots are the names of the game's robots, the simplest first.
	robots []string
}

func newMaker(g rules.Game, mailboxes []string) (maker, error) {
	least, _ := g.Seats()
	setup, err := rules.NewSetup(g, least)
	if err != nil {
		return maker{}, err
	}
	robots, ok := g.(rules.RobotMaker)
	if !ok {
		return maker{}, fmt.Errorf("%s has no robots", g.Title())
	}
	if len(mailboxes) == 0 {
		for _, name := range mailboxNames {
			mailboxes = append(mailboxes, name+"@samizdat.local")
		}
	}
	return maker{game: g, setup: setup, seats: g.SeatNames(setup), mailboxes: mailboxes, robots: robots.Robots()}, nil
}

// mailboxNames are the players' accounts at the embedded server. They are those of a
// configuration without accounts, so that processes have the same.
var mailboxNames = []string{"ada", "ben"}

// address is where a seat of the match with a name gets its letters.
func (k *maker) address(match string, seat int) string {
	local, domain, _ := strings.Cut(k.mailboxes[seat%len(k.mailboxes)], "@")
	return local + "+" + match + "@" + domain
}

// random is the robot for matches that need not be good, best the one for those that last.
func (k *maker) random() string { return k.robots[0] }
func (k *maker) best() string   { return k.robots[len(k.robots)-1] }

// made is a match that was made, with all of its history.
type made struct {
	match   *adjudicator.Match
	entries []record.Entry
	pos     rules.Position
	robots  []rules.Robot
	key     record.Key
	words   record.Words
}

var errEnded = errors.New("the match ends too early")

// make makes a match with so many entries. The same seed gives the same match, but for its
// times.
func (k *maker) make(id string, seed uint64, robot string, entries int) (*made, error) {
	for tries := range uint64(200) {
		m, err := k.begin(id, seed+tries<<32, robot)
		if err != nil {
			return nil, err
		}
		for len(m.entries) < entries && err == nil {
			err = k.step(m)
		}
		if !errors.Is(err, errEnded) {
			return m, err
		}
	}
	return nil, fmt.Errorf("make a match of %d entries: %w", entries, errEnded)
}

// begin makes a match that was dealt.
func (k *maker) begin(id string, seed uint64, robot string) (*made, error) {
	random := playout.Bytes(seed)
	secret, err := record.NewSecret(random)
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	m := &made{match: &adjudicator.Match{
		ID:       id,
		Game:     k.game.Name(),
		Revision: k.setup.Revision,
		Options:  map[string]string{},
		State:    adjudicator.Playing,
		Created:  now,
		Chance:   adjudicator.Chance{Secret: secret},
		Progress: adjudicator.Progress{Head: secret.Commitment()},
	}, words: record.WordsOf(k.game, k.setup)}
	h := record.Header{Format: record.Format, Version: record.Version, Game: k.game.Name(), Rules: k.setup.Revision, Match: id, Options: m.match.Options,
		Commitment: secret.Commitment()}
	for i, name := range k.seats {
		s := adjudicator.Seat{Name: name, Occupant: adjudicator.Occupant{Player: adjudicator.NewPlayer(k.address(id, i)), Joined: true, Words: "the words of " + name}, Correspondence: adjudicator.Correspondence{Key: make([]byte, 32)}}
		if _, err := random.Read(s.Key); err != nil {
			return nil, err
		}
		m.match.Seats = append(m.match.Seats, s)
		h.Words = append(h.Words, s.Words)
		r, err := k.game.(rules.RobotMaker).Robot(robot, seed+uint64(i))
		if err != nil {
			return nil, err
		}
		m.robots = append(m.robots, r)
	}
	if m.key, err = secret.Key(id, h.Words); err != nil {
		return nil, err
	}
	if m.pos, err = k.game.Begin(k.setup); err != nil {
		return nil, err
	}
	stream := record.NewStream(m.key, 0, 0, m.words)
	if _, err := m.pos.Resume(stream, nil); err != nil {
		return nil, err
	}
	agreed, err := h.Digest()
	if err != nil {
		return nil, err
	}
	return m, m.add(record.Entry{Setup: agreed, Chance: stream.Outcomes()})
}

// step lets a robot answer what is asked first.
func (k *maker) step(m *made) error {
	owed := m.pos.Owed(nil)
	if len(owed) == 0 {
		return errEnded
	}
	d := owed[0]
	atoms, err := playout.Answer(m.pos, d, m.robots[d.Seat])
	if err != nil {
		return err
	}
	m.match.Ordered++
	stream := record.NewStream(m.key, 0, m.match.Ordered, m.words)
	r, err := gate.Carry(m.pos, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}, stream)
	if err != nil {
		return fmt.Errorf("%s: %w", k.game.Line(atoms), err)
	}
	m.pos = r.Position
	if err := m.add(record.Entry{Seat: record.SeatName(k.seats[d.Seat]), Orders: []string{k.game.Line(r.Atoms)}, Private: r.Private,
		Letter: strings.Repeat("0", 64), Chance: stream.Outcomes()}); err != nil {
		return err
	}
	if _, over := m.pos.Result(); over {
		return errEnded
	}
	return nil
}

// add completes an entry of the position that was reached.
func (m *made) add(e record.Entry) (err error) {
	e.Seq, e.At = len(m.entries), time.Now().UTC().Truncate(time.Second)
	if e.State, err = record.StateOf(m.pos); err != nil {
		return err
	}
	if err := m.match.Secret.Seal(m.match.ID, m.match.Head, &e); err != nil {
		return err
	}
	m.match.Head, m.match.Used = e.Hash, m.match.Used+len(e.Chance)
	m.entries = append(m.entries, e)
	m.match.Entries = len(m.entries)
	return nil
}

// store puts a match into a database as this build would have, with one letter to each seat
// that asks what is asked.
func (m *made) store(ctx context.Context, a *adjudicator.Adjudicator) (err error) {
	if m.match.Position, err = m.pos.MarshalJSON(); err != nil {
		return err
	}
	m.match.Build = a.Build
	if err := a.Store.Create(ctx, m.match, nil); err != nil {
		return err
	}
	return a.Store.Apply(ctx, adjudicator.Change{Match: m.match, Entries: m.entries, Letters: m.letters(a, 1, []byte("Subject: what is asked\r\n\r\n"))})
}

// letters are letters to all seats that ask what is asked, as many to each as is said.
func (m *made) letters(a *adjudicator.Adjudicator, each int, raw []byte) (out []adjudicator.Dispatch) {
	for range each {
		for i := range m.match.Seats {
			s := &m.match.Seats[i]
			s.Letters++
			d := adjudicator.Dispatch{
				Addressee: adjudicator.Addressee{Match: m.match.ID, Seat: rules.Seat(i), Number: s.Letters, To: s.Player.Address},
				Heading:   adjudicator.Heading{MessageID: a.Post.LetterID(s.Key, adjudicator.Token{Match: m.match.ID, Seat: rules.Seat(i), Number: s.Letters})},
				Sending:   adjudicator.Sending{Date: time.Now()},
				Asking:    adjudicator.Asking{Entries: m.match.Entries},
			}
			d.Raw.Bytes = raw
			for _, o := range m.pos.Owed(nil) {
				if o.Seat == rules.Seat(i) {
					d.Decisions = append(d.Decisions, o.ID)
					s.Since = m.match.Created
				}
			}
			out = append(out, d)
		}
	}
	return out
}
