package secretary

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
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
	Player(ctx context.Context, id int64) (*adjudicator.Player, error)
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
	SeatsOf(ctx context.Context, player int64) ([]adjudicator.SeatOf, error)
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
func whose(m *club.Member) string { return fmt.Sprintf("%s-%d", adjudicator.ClubName, m.ID) }

// key is the key of the tokens in letters to a member. It changes with his address, and when
// somebody else may have seen a token.
func (s *Secretary) key(m *club.Member) []byte {
	return s.Adjudicator.Replies.Key("member", fmt.Sprint(m.ID), contact.Lower(m.Address), fmt.Sprint(m.Serial))
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
func (s *Secretary) Receive(ctx context.Context, l adjudicator.Letter) (adjudicator.Disposition, bool, error) {
	if t := l.Token; t != nil && t.Match == adjudicator.ClubName && t.Member > 0 && l.Genuine != nil {
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
	return p != nil && p.Has(from), err
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
