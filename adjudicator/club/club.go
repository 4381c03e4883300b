// Package club is what a club of players is, without mail, store or clock: its members and
// their names, and what they offer each other. Package letter reads their letters.
package club

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/naming"
)

// Registration says how people become members.
type Registration string

// The ways to become a member.
const (
	// None: there is no club.
	None Registration = "none"
	// Open: whoever answers the letter that asks him.
	Open Registration = "open"
	// Approval: the director admits or refuses him then.
	Approval Registration = "approval"
	// Closed: nobody new.
	Closed Registration = "closed"
)

// Config is what the operator has decided for his club.
type Config struct {
	// Registration says how people become members; none, where there is no club.
	Registration Registration `mapstructure:"registration"`
	// Name is what the club is called in its letters.
	Name string `mapstructure:"name"`
	// MostMatches is how many matches a member may play at once.
	MostMatches int `mapstructure:"most_matches"`
	// MostOffers is how many offers of a member may be open at once.
	MostOffers int `mapstructure:"most_offers"`
	// OfferDays is for how many days an offer is good.
	OfferDays int `mapstructure:"offer_days"`
	// MostAsked is how many addresses are asked in a day whether they want to join: whoever
	// forges senders must not make us write to the world.
	MostAsked int `mapstructure:"most_asked"`
}

// Default is no club, and what one is if nothing else is said.
func Default() Config {
	return Config{Registration: None, Name: "The club", MostMatches: 30, MostOffers: 10, OfferDays: 14, MostAsked: 200}
}

// Exists reports whether there is a club.
func (c Config) Exists() bool { return c.Registration != None && c.Registration != "" }

// Validate finds what cannot be.
func (c Config) Validate() error {
	switch c.Registration {
	case None, Open, Approval, Closed:
	default:
		return fmt.Errorf("club: registration: %q is none of open, approval, closed and none", c.Registration)
	}
	for name, n := range map[string]int{"most_matches": c.MostMatches, "most_offers": c.MostOffers, "offer_days": c.OfferDays,
		"most_asked": c.MostAsked} {
		if n < 1 {
			return fmt.Errorf("club: %s: %d is less than 1", name, n)
		}
	}
	if c.Exists() && c.Name == "" {
		return fmt.Errorf("club: name: the club needs a name")
	}
	return nil
}

// State is where a member stands.
type State string

// The states of a member.
const (
	// Applied: the director has to admit him.
	Applied State = "applied"
	// Active members play.
	Active State = "active"
	// Left: he has left the club; his name stays his.
	Left State = "left"
	// Banned: the director has shut him out.
	Banned State = "banned"
	// Forgotten: nothing of him is kept but a pseudonym.
	Forgotten State = "forgotten"
)

// Member is a player who has joined the club.
type Member struct {
	// ID is the number of the player that he is where he sits in matches. It is never given to
	// another.
	ID int64
	// Name is what all know him as, Skeleton what it looks like.
	Name, Skeleton string
	State          State
	// Since is when he joined.
	Since    time.Time
	Settings Settings
	// Proposed is what he was asked last whether he means it; nil when it is nothing.
	Proposed *Proposed
	// Serial changes the key of his tokens, Letters counts the letters to him.
	Serial, Letters int64
	Version         int64
	// NewsDue is when the next digest goes to him; zero for never.
	NewsDue time.Time
	// Address and Zone are the player's, and not stored here. No other member is shown them.
	Address, Zone string
}

// Settings are what a member wants.
type Settings struct {
	// Most is how many matches he plays at once at most; 0 for as many as the club lets him.
	Most int `json:"most,omitempty"`
	// Format is how he wants letters, as FORMAT says it; empty for the club's way.
	Format string `json:"format,omitempty"`
	// Digest is how often he wants news of the club.
	Digest Digest `json:"digest,omitempty"`
	// Blocked are the members with whom he does not want to play.
	Blocked []int64 `json:"blocked,omitempty"`
}

// Proposed is what a member was asked whether he means it.
type Proposed struct {
	// Word is FORGET ME, or empty where Orders are the lines that YES carries out.
	Word   string `json:"word,omitempty"`
	Orders string `json:"orders,omitempty"`
	// Number is the letter that asks, Asked is when.
	Number int64     `json:"number"`
	Asked  time.Time `json:"asked"`
}

// Most is how many matches a member plays at once at most.
func (m *Member) Most(c Config) int {
	if m.Settings.Most > 0 {
		return min(m.Settings.Most, c.MostMatches)
	}
	return c.MostMatches
}

// Blocks reports whether one of two members does not want to play with the other.
func (m *Member) Blocks(other *Member) bool {
	return slices.Contains(m.Settings.Blocked, other.ID) || slices.Contains(other.Settings.Blocked, m.ID)
}

// Pseudonym is what is left of the name of a member who is forgotten.
func (m *Member) Pseudonym() string { return fmt.Sprintf("Former member %d", m.ID) }

// Applicant is an address that has asked to join, and has not answered yet.
type Applicant struct {
	Address string
	// Name is what he wants to be called, as he has written it; empty where letters in his name
	// have wanted several.
	Name  string
	Asked time.Time
	// Proven means that his letter proves that he has written it: then others do not count.
	Proven bool
}

// ErrReserved refuses a name that is somebody else's by its words.
var ErrReserved = errors.New("that name belongs to the referee, or to a seat of a game")

// Called makes a name fit for a member, and finds what it looks like. Seats are the names of
// seats, which are nobody's.
func Called(name string, seats []string) (clean, skeleton string, err error) {
	clean = naming.Clean(name)
	if !naming.Valid(clean) {
		return "", "", naming.ErrNoName
	}
	skeleton = naming.Skeleton(clean)
	if naming.Reserved(clean) {
		return "", "", ErrReserved
	}
	for _, s := range seats {
		if naming.Skeleton(s) == skeleton {
			return "", "", ErrReserved
		}
	}
	return clean, skeleton, nil
}

// Digest is how often a member wants news of the club; empty for never.
type Digest string

// How often there is a digest.
const (
	Daily  Digest = "daily"
	Weekly Digest = "weekly"
)

// digestHour is the hour, in UTC, at which digests go out.
const digestHour = 6

// Days is how many days a digest tells of.
func (d Digest) Days() int {
	if d == Daily {
		return 1
	}
	return 7
}

// After is when the next digest after a time goes out: each day, or each Monday, once ratings have
// counted.
func (d Digest) After(now time.Time) time.Time {
	now = now.UTC()
	at := time.Date(now.Year(), now.Month(), now.Day(), digestHour, 0, 0, 0, time.UTC)
	for !at.After(now) || d == Weekly && at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, 1)
	}
	return at
}

// Announcement is what the director wants all members to know.
type Announcement struct {
	At   time.Time
	Text string
}

// Verb is what the director does in the club.
type Verb string

// The director's verbs.
const (
	Admit   Verb = "ADMIT"
	Refuse  Verb = "REFUSE"
	Ban     Verb = "BAN"
	Unban   Verb = "UNBAN"
	Annul   Verb = "ANNUL"
	Restore Verb = "RESTORE"
	// Announce tells all members something.
	Announce Verb = "ANNOUNCE"
	// Hold makes a tournament, the others change one.
	Hold    Verb = "TOURNAMENT"
	LetIn   Verb = "ENTER"
	TakeOut Verb = "WITHDRAW"
	Swap    Verb = "SWAP"
	CallOff Verb = "CALL OFF"
)

// OfTournament reports whether the act is about a tournament.
func (v Verb) OfTournament() bool {
	return slices.Contains([]Verb{Hold, LetIn, TakeOut, Swap, CallOff}, v)
}

// Directive is an act of the director.
type Directive struct {
	Verb Verb `json:"verb"`
	// Name is whom it is about, or which match, or which tournament.
	Name string `json:"name"`
	// Text is what stands behind the name of a tournament, or what is announced.
	Text string `json:"text,omitempty"`
	// Why is the reason, which members can read. Only ADMIT and ANNOUNCE need none.
	Why string `json:"why,omitempty"`
}

// String is the act as a letter writes it.
func (d Directive) String() string {
	return strings.Join(strings.Fields(string(d.Verb)+" "+d.Name+" "+d.Text), " ")
}

// Change is what of the club changes with a letter, or with what is due. It is stored whole
// or not at all.
type Change struct {
	// Members are new ones, of version 0, and those who have changed since they were read.
	Members []*Member
	// Asked is an address that is asked whether it wants to join.
	Asked *Applicant
	// Settled is an address whose question is answered.
	Settled string
	// Forgotten is a member of whom nothing is to stay; he is among Members as well.
	Forgotten *Member
	// Offers are new ones, of version 0, and those that have changed.
	Offers []*Offer
	// Queued wait to be paired, or wait on; Unqueued do not any more.
	Queued, Unqueued []Queued
	// Counted are matches whose ends were looked at, Annulled results that the director has
	// taken from the ladder or put back, Ladders those that were computed anew.
	Counted  []Counted
	Annulled []Annulled
	Ladders  []Ladder
	// Tournaments are new ones, of version 0, and those that have changed; InTournament are
	// the names of those that new matches belong to.
	Tournaments  []*Tournament
	InTournament map[string]string
	// Directing is where the director's letters stand; nil when nothing changes.
	Directing *Directing
	// Announced is what the director announces.
	Announced []Announcement
	// Log is what members can read of what was done.
	Log []LogEntry
}

// Annulled is a result that does not count any more, or does again where Why is empty.
type Annulled struct{ Match, Why string }

// LogEntry is an act that members can read of. It names nobody but by number: who is forgotten
// is forgotten here as well.
type LogEntry struct {
	At time.Time
	// Member is whom it is about, or 0. By is who has done it.
	Member int64
	By     string
	// Act is what was done, Why is the reason that was given.
	Act, Why string
}

// Directing is where the letters of the director about the club stand.
type Directing struct {
	// Letters is the number of the newest letter that he may answer.
	Letters int64
	// Proposed is the act that this letter asks about; nil when there is none. Asked is when.
	Proposed *Directive
	Asked    time.Time
	Version  int64
}
