// Package clubmail runs the club: it takes the letters that members and strangers write to
// it, does what they ask, and answers each with one letter.
//
// The adjudicator hands it every letter that no seat's player has proved to have written.
// Package club reads it; what it leads to is one exchange.Change, which is stored whole or
// not at all.
//
// # Who is answered
//
//   - A letter whose token a member's key made, from the member's own address, is carried out
//     line by line and gets one answer.
//   - REGISTER from anybody gets a letter to his address, once a day, that says nothing of who
//     is a member. Nobody is a member before that address has answered it with YES.
//   - A club order from a member's address without his token does nothing. He gets a letter
//     with a token, once a day. From other addresses only HELP is answered, with how to join.
//   - Anything else is not the club's.
//
// So whoever forges a sender can make us write one letter a day to an address, and a bounded
// number to all, and never learns who is a member: the answers go elsewhere.
package clubmail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
	"samizdat/templates"
)

// Store is what the secretary needs of the store beside what the adjudicator needs.
type Store interface {
	Results
	Tournaments
	Pages
	News
	// Member reads a member by his number, MemberAt by his address, MemberOfMailbox by its mailbox,
	// MemberLike by what his name looks like; nil where there is none.
	Member(ctx context.Context, id int64) (*club.Member, error)
	MemberAt(ctx context.Context, address string) (*club.Member, error)
	MemberOfMailbox(ctx context.Context, mailbox string) (*club.Member, error)
	MemberLike(ctx context.Context, skeleton string) (*club.Member, error)
	// Members lists the members in a state, by name.
	Members(ctx context.Context, state club.State) ([]club.Member, error)
	// PlayerAt is the number of the player who has an address, or of the next new one. Two may
	// be told the same: then the second change is a conflict.
	PlayerAt(ctx context.Context, address string) (int64, error)
	// Applicant reads what an address has asked for; nil where it has asked for nothing.
	// AskedSince counts the addresses that were asked.
	Applicant(ctx context.Context, address string) (*club.Applicant, error)
	AskedSince(ctx context.Context, since time.Time) (int, error)
	// Player reads a player; nil where there is none. Running counts the matches that he plays,
	// or is invited to; Played how often he has had each seat of a game.
	Player(ctx context.Context, id int64) (*match.Player, error)
	Running(ctx context.Context, player int64) (int, error)
	Played(ctx context.Context, player int64, game string) (map[string]int, error)
	// Offer reads an offer; nil where there is none. OpenOffers lists those that are open,
	// DueOffers those that expire until a time. NextOffer is a number as PlayerAt gives one.
	Offer(ctx context.Context, id int64) (*club.Offer, error)
	OpenOffers(ctx context.Context) ([]club.Offer, error)
	DueOffers(ctx context.Context, until time.Time, limit int) ([]club.Offer, error)
	OffersSince(ctx context.Context, member int64, since time.Time) ([]club.Offer, error)
	NextOffer(ctx context.Context) (int64, error)
	// SeatsOf lists the seats of a player. DataOf is all that is stored about him, by tables.
	SeatsOf(ctx context.Context, player int64) ([]match.SeatOf, error)
	DataOf(ctx context.Context, player int64) (map[string][]map[string]any, error)
	// Directing is where the director's letters stand.
	Directing(ctx context.Context) (club.Directing, error)
	// ClubLog lists the newest entries of the log, the newest first.
	ClubLog(ctx context.Context, limit int) ([]club.LogEntry, error)
	// LastMatch is the newest match that is over of two players, or of one with anybody where the
	// other is 0; empty where there is none. Opponents are those whom a player plays now.
	LastMatch(ctx context.Context, player, other int64) (string, error)
	Opponents(ctx context.Context, player int64) ([]int64, error)
	// Queue lists who waits to be paired, those first who wait longest, and how many matches each
	// plays.
	Queue(ctx context.Context) ([]club.Queued, error)
	// QueuedOf lists for what a member waits, and QueuedSince reports whether anybody has begun to
	// wait since a time.
	QueuedOf(ctx context.Context, member int64) ([]club.Queued, error)
	QueuedSince(ctx context.Context, since time.Time) (bool, error)
	// ForgetApplicants forgets those who were asked before a time.
	ForgetApplicants(ctx context.Context, before time.Time) error
}

// Config is what a Secretary works with.
type Config struct {
	Adjudicator *adjudicator.Adjudicator
	Store       Store
	Club        club.Config
	// Terms are those of matches for which nothing else is said.
	Terms adjudicator.Invitation
}

// Secretary runs a club. It is safe for concurrent use.
type Secretary struct {
	Config
	reader    letter.Members
	strengths strengths
	gazette   gazette
	// paired is when it was looked who waits to be paired, pairedAll when all were looked at.
	paired, pairedAll pause
	now               func() time.Time
	log               *slog.Logger
}

var _ adjudicator.Club = (*Secretary)(nil)

// New returns the secretary of a club, and lets the adjudicator hand letters to it.
func New(c Config) *Secretary {
	s := &Secretary{Config: c, reader: letter.Members{Games: c.Adjudicator.Games}, now: c.Adjudicator.Now, log: c.Adjudicator.Log}
	c.Adjudicator.Club = s
	return s
}

// whose is to whom receipts of a member's letters belong.
func whose(m *club.Member) string { return fmt.Sprintf("%s-%d", exchange.ClubName, m.ID) }

// key is the key of the tokens in letters to a member. It changes with his address, and when
// somebody else may have seen a token.
func (s *Secretary) key(m *club.Member) []byte {
	return s.Adjudicator.Replies.Key("member", fmt.Sprint(m.ID), contact.LowerASCII(m.Address), fmt.Sprint(m.Serial))
}

// Key implements adjudicator.Club.
func (s *Secretary) Key(ctx context.Context, member int64) ([]byte, string, error) {
	m, err := s.Store.Member(ctx, member)
	if err != nil || m == nil || m.Address == "" {
		return nil, "", err
	}
	return s.key(m), m.Address, nil
}

// Receive implements adjudicator.Club.
func (s *Secretary) Receive(ctx context.Context, l exchange.Letter) (exchange.Disposition, bool, error) {
	if t := l.Token; t != nil && t.Match == exchange.ClubName && t.Member > 0 && l.Genuine != nil {
		m, err := s.Store.Member(ctx, t.Member)
		if err != nil {
			return "", false, err
		}
		if m != nil && m.Address != "" && l.Genuine(s.key(m)) {
			if is, err := s.writesAs(ctx, m, l.From); err != nil {
				return "", false, err
			} else if is {
				d, err := s.fromMember(ctx, l, m)
				return d, true, err
			}
		}
	}
	if is, proves := s.isDirected(l); is {
		d, err := s.fromDirector(ctx, l, proves)
		return d, true, err
	}
	if d, done, err := s.answersQuestion(ctx, l); done || err != nil {
		return d, done, err
	}
	return s.unproved(ctx, l)
}

// writesAs reports whether a letter from an address is a member's.
func (s *Secretary) writesAs(ctx context.Context, m *club.Member, from string) (bool, error) {
	if contact.Same(m.Address, from) {
		return true, nil
	}
	p, err := s.Store.Player(ctx, m.ID)
	return p != nil && p.Contains(from), err
}

// seats are the names of all seats of all games.
func (s *Secretary) seats() (out []string) {
	for _, g := range s.Adjudicator.Games {
		least, most := g.Seats()
		for n := least; n <= most; n++ {
			out = append(out, g.SeatNames(rules.Setup{Seats: n, Revision: g.Revision()})...)
		}
	}
	return out
}

// duty is what is due in the club by itself, whether anybody writes or not. It is found by one
// indexed query, and each item is done in a transaction of its own, so that a stop in between
// leaves nothing half done and nothing is done twice.
type duty func(s *Secretary, ctx context.Context, now time.Time) error

// duties are all, in their order: who has lost a match on time is not paired before it is counted.
var duties = []duty{(*Secretary).forgetApplicants, (*Secretary).expire, (*Secretary).countResults, (*Secretary).pair, (*Secretary).holdTournaments, (*Secretary).computeLadders, (*Secretary).sendDigests}

// Due does what is due at a time. What fails holds up nothing else, and is tried again when it
// is called again.
func (s *Secretary) Due(ctx context.Context, now time.Time) error {
	var all []error
	for _, d := range duties {
		all = append(all, d(s, ctx, now))
	}
	return errors.Join(all...)
}

// forgetApplicants forgets addresses that have not answered while they could.
func (s *Secretary) forgetApplicants(ctx context.Context, now time.Time) error {
	if err := s.Store.ForgetApplicants(ctx, now.Add(-(askedDays+1)*24*time.Hour)); err != nil {
		return fmt.Errorf("forget who has not joined the club: %w", err)
	}
	return nil
}

// pause lets something be done no more often than every so often. A clock that was set back
// does not stop it.
type pause struct {
	mu   sync.Mutex
	last time.Time
}

// due reports whether so long has passed since it was done last, and when that was.
func (p *pause) due(now time.Time, every time.Duration) (bool, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := now.Sub(p.last)
	return since < 0 || since >= every, p.last
}

// done remembers when it was done last.
func (p *pause) done(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = now
}

// mostDue is how many offers are looked at in one go.
const mostDue = 50

// stillBegins is for how long a match is tried to begin whose players have gathered: one that
// cannot would be tried for ever.
const stillBegins = time.Hour

// expire ends the offers whose time is over: one that has gathered enough players begins.
func (s *Secretary) expire(ctx context.Context, now time.Time) error {
	due, err := s.Store.DueOffers(ctx, now, mostDue)
	if err != nil {
		return err
	}
	var failed []error
	for i := range due {
		if err := s.expires(ctx, &due[i], now); err != nil && !errors.Is(err, match.ErrConflict) {
			failed = append(failed, fmt.Errorf("end offer %d: %w", due[i].ID, err))
		}
	}
	return errors.Join(failed...)
}

// expires ends one.
func (s *Secretary) expires(ctx context.Context, o *club.Offer, now time.Time) error {
	by, err := s.Store.Member(ctx, o.By())
	if err != nil {
		return err
	}
	a := s.answer(by, exchange.Letter{})
	begun, err := a.beginsLate(ctx, o)
	if err != nil && now.Sub(o.Expires) < stillBegins {
		return err
	}
	if len(begun) > 0 {
		a.change.Offers = []*club.Offer{o}
		return s.Adjudicator.Store.Apply(ctx, exchange.Change{Begun: begun, Letters: a.letters, Club: &a.change})
	}
	if err := a.callOff(ctx, o, club.Lapsed, fmt.Sprintf("Offer %d of %s has lapsed: not enough players were found. "+
		"There will be no match.", o.ID, by.Name)); err != nil {
		return err
	}
	err = a.tell(ctx, by, fmt.Sprintf("offer %d has lapsed", o.ID), templates.Note{Says: []string{
		fmt.Sprintf("Your offer %d has lapsed: %s.", o.ID, s.describe(o, by.Name)), "Nobody is bound by it any more. " +
			"To offer the match again, reply with OFFER and what you want to play."}})
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Letters: a.letters, Club: &a.change})
}

// beginsLate begins the match of an offer whose time is over, if enough have gathered: without
// those who play as many matches as they may by now. Nothing begins where they are too few.
func (a *answer) beginsLate(ctx context.Context, o *club.Offer) ([]exchange.Beginning, error) {
	g, err := rules.Games(a.s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return nil, err
	}
	least, most := g.Seats()
	if least == most {
		return nil, nil
	}
	var parties []club.Party
	for i, p := range o.Parties {
		m, err := a.s.Store.Member(ctx, p.Member)
		if err != nil {
			return nil, err
		}
		n, err := a.s.Store.Running(ctx, p.Member)
		if err != nil {
			return nil, err
		}
		switch {
		case m != nil && m.State == club.Active && n < m.Most(a.s.Club):
			parties = append(parties, p)
		case i == 0:
			return nil, nil // It is his offer.
		}
	}
	if len(parties) < max(least, o.Terms.Seats) {
		return nil, nil
	}
	all := o.Parties
	o.Parties = parties
	b, err := a.s.begin(ctx, o, a.players)
	if err != nil {
		o.Parties = all
		return nil, err
	}
	for _, p := range all {
		if o.Has(p.Member) {
			continue
		}
		m, err := a.s.Store.Member(ctx, p.Member)
		if err != nil {
			return nil, err
		}
		if m != nil {
			err = a.tell(ctx, m, fmt.Sprintf("offer %d", o.ID), templates.Note{Says: []string{fmt.Sprintf("The match of offer %d has begun "+
				"without you: you play as many matches as you may.", o.ID)}})
		}
		if err != nil {
			return nil, err
		}
	}
	return []exchange.Beginning{b}, nil
}
