package club

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/naming"
)

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

// ProposedDays is for how many days a member may say YES.
const ProposedDays = 7

// Good reports whether a YES in answer to a letter means it.
func (p *Proposed) Good(number int64, now time.Time) bool {
	age := time.Duration(0)
	if p != nil {
		age = now.Sub(p.Asked)
	}
	return p != nil && p.Number == number && age >= 0 && age <= ProposedDays*24*time.Hour
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
