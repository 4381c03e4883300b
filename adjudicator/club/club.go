// Package club is the model of a club of players: members, names, offers, results and tournaments as plain values,
// without mail, store or clock. Package letter reads the letters of members.
package club

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/naming"
)

// Registration is the way to become a member.
type Registration string

// The ways to become a member.
const (
	RegistrationNone Registration = "none"
	// RegistrationOpen admits every address that answers the confirmation letter.
	RegistrationOpen Registration = "open"
	// RegistrationByApproval is like RegistrationOpen, but the director admits or refuses each applicant.
	RegistrationByApproval Registration = "approval"
	RegistrationClosed     Registration = "closed"
)

// Config is the operator's configuration of the club.
type Config struct {
	// Registration is the way to become a member; RegistrationNone without a club.
	Registration Registration `mapstructure:"registration"`
	Name         string       `mapstructure:"name"`
	// MaxMatches is the maximum number of matches that a member plays at once.
	MaxMatches int `mapstructure:"most_matches"`
	// MaxOffers is the maximum number of open offers of a member.
	MaxOffers int `mapstructure:"most_offers"`
	// OfferDays is the number of days after which an offer expires.
	OfferDays int `mapstructure:"offer_days"`
	// MaxAskedPerDay is the maximum number of unknown addresses to which the club writes in a day, e.g. "Do you want to join?".
	// With this limit, forged letters cannot make the club send mass mail.
	MaxAskedPerDay int `mapstructure:"most_asked"`
	// Hooks are the operator's web hooks.
	Hooks []HookConfig `mapstructure:"notify"`
	// PrivateHooks allows hooks at private IP addresses and hooks without TLS.
	PrivateHooks bool `mapstructure:"notify_private"`
}

// Default returns a configuration without a club. Its other fields have the default values of a club.
func Default() Config {
	return Config{Registration: RegistrationNone, Name: "The club", MaxMatches: 30, MaxOffers: 10, OfferDays: 14, MaxAskedPerDay: 200,
		Hooks: []HookConfig{}}
}

// Exists reports whether the referee has a club.
func (c Config) Exists() bool { return c.Registration != RegistrationNone && c.Registration != "" }

// Validate returns an error for the first invalid value.
func (c Config) Validate() error {
	switch c.Registration {
	case RegistrationNone, RegistrationOpen, RegistrationByApproval, RegistrationClosed:
	default:
		return fmt.Errorf("club: registration must be open, approval, closed or none, got %q", c.Registration)
	}
	for name, n := range map[string]int{"most_matches": c.MaxMatches, "most_offers": c.MaxOffers, "offer_days": c.OfferDays,
		"most_asked": c.MaxAskedPerDay} {
		if n < 1 {
			return fmt.Errorf("club: %s must be at least 1, got %d", name, n)
		}
	}
	for i, h := range c.Hooks {
		if _, err := h.Hook(i); err != nil {
			return fmt.Errorf("club: notify: %w", err)
		}
		if !c.PrivateHooks && !strings.HasPrefix(h.URL, "https://") {
			return fmt.Errorf("club: notify: %q does not use TLS: write https, or set notify_private", h.URL)
		}
	}
	if c.Exists() && c.Name == "" {
		return errors.New("club: name is missing")
	}
	return nil
}

// MemberState is the state of a member.
type MemberState string

// The states of a member.
const (
	// MemberApplied is an applicant who waits for the decision of the director.
	MemberApplied MemberState = "applied"
	MemberActive  MemberState = "active"
	// MemberLeft is a former member who keeps the name.
	MemberLeft   MemberState = "left"
	MemberBanned MemberState = "banned"
	// MemberForgotten is a former member after the order FORGET ME. Only the number is stored; the name is a
	// pseudonym.
	MemberForgotten MemberState = "forgotten"
)

// Member is a player who has joined the club.
type Member struct {
	// ID is the number of the player. Numbers are never reused.
	ID int64
	// Name is the public name. Skeleton is a form that is equal for names that look alike (package naming).
	Name, Skeleton string
	State          MemberState
	Since          time.Time
	Settings       Settings
	Proposal       *Proposal
	// The key of the member's tokens depends on TokenSerial: a new serial makes all older tokens invalid. LettersSent is
	// the number of the newest letter to the member.
	TokenSerial, LettersSent int64
	// Version counts the changes of the stored member.
	Version int64
	// DigestDue is the time of the next digest; zero for never.
	DigestDue time.Time
	// Address and Zone are copied from the stored player. Other members do not see them.
	Address, Zone string
}

// Settings are the settings of a member.
type Settings struct {
	// MaxMatches is the number of matches at once; 0 for the club's limit.
	MaxMatches int `json:"most,omitempty"`
	// Format is the format of letters, as in FORMAT; empty for the club's default.
	Format string `json:"format,omitempty"`
	Digest Digest `json:"digest,omitempty"`
	// ShowPace reports whether others may see how soon the member answers (PACE SHOW).
	ShowPace bool `json:"pace,omitempty"`
	// Blocked lists the numbers of the members that this member has blocked (BLOCK). The club never pairs them with
	// this member.
	Blocked []int64 `json:"blocked,omitempty"`
}

// Proposal holds the orders that a member has been asked to confirm.
type Proposal struct {
	// Word is "FORGET ME" if the member must confirm this order. Otherwise Word is empty, and YES carries out the lines in
	// Orders.
	Word   string `json:"word,omitempty"`
	Orders string `json:"orders,omitempty"`
	// Number is the number of the letter with the question. AskedAt is the time of this letter.
	Number  int64     `json:"number"`
	AskedAt time.Time `json:"asked"`
}

// MaxMatches returns the maximum number of matches that a member plays at once.
func (m *Member) MaxMatches(c Config) int {
	if m.Settings.MaxMatches > 0 {
		return min(m.Settings.MaxMatches, c.MaxMatches)
	}
	return c.MaxMatches
}

// HasBlockWith reports whether either of two members has blocked the other.
func (m *Member) HasBlockWith(other *Member) bool {
	return slices.Contains(m.Settings.Blocked, other.ID) || slices.Contains(other.Settings.Blocked, m.ID)
}

// Pseudonym returns the name that letters show for a forgotten member, e.g. "Former member 7".
func (m *Member) Pseudonym() string { return fmt.Sprintf("Former member %d", m.ID) }

// Applicant is an address that has asked to join and has not answered the confirmation letter yet.
type Applicant struct {
	Address string
	// Name is the wanted name as written; empty if letters from the address asked for several names.
	Name    string
	AskedAt time.Time
	// Authenticated is set if the letter that asks for Name is authenticated. Its Name then replaces the names in earlier letters.
	Authenticated bool
}

// ErrReservedName is the error for a name that contains a reserved word, or is the name of a seat.
var ErrReservedName = errors.New("that name belongs to the referee, or to a seat of a game")

// CleanName normalises and checks the name of a member, and returns its skeleton. The names of seats are forbidden.
func CleanName(name string, seats []string) (clean, skeleton string, err error) {
	clean = naming.Clean(name)
	if !naming.IsValid(clean) {
		return "", "", naming.ErrInvalidName
	}
	skeleton = naming.Skeleton(clean)
	if naming.IsReserved(clean) {
		return "", "", ErrReservedName
	}
	for _, s := range seats {
		if naming.Skeleton(s) == skeleton {
			return "", "", ErrReservedName
		}
	}
	return clean, skeleton, nil
}

// Digest is the period of a member's digest of news; empty for no digest.
type Digest string

// The periods.
const (
	Daily  Digest = "daily"
	Weekly Digest = "weekly"
)

const digestHour = 6

// Days returns the number of days that a digest covers.
func (d Digest) Days() int {
	if d == Daily {
		return 1
	}
	return 7
}

// NextAfter returns the time of the first digest after now. A daily digest is sent at 6:00 UTC, a weekly one on Mondays at
// 6:00 UTC, after the ratings of the week were computed.
func (d Digest) NextAfter(now time.Time) time.Time {
	now = now.UTC()
	at := time.Date(now.Year(), now.Month(), now.Day(), digestHour, 0, 0, 0, time.UTC)
	for !at.After(now) || d == Weekly && at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, 1)
	}
	return at
}

// Announcement is an announcement of the director to all members.
type Announcement struct {
	At   time.Time
	Text string
}

// Verb is the first word of an order of the director about the club.
type Verb string

// The orders of the director.
const (
	Admit    Verb = "ADMIT"
	Refuse   Verb = "REFUSE"
	Ban      Verb = "BAN"
	Unban    Verb = "UNBAN"
	Annul    Verb = "ANNUL"
	Restore  Verb = "RESTORE"
	Announce Verb = "ANNOUNCE"
	// OpenTournament creates a tournament, or starts a tournament now (TOURNAMENT autumn-cup START NOW).
	// The verbs below change an existing tournament.
	OpenTournament    Verb = "TOURNAMENT"
	EnterPlayer       Verb = "ENTER"
	WithdrawPlayer    Verb = "WITHDRAW"
	SwapPlayers       Verb = "SWAP"
	CallOffTournament Verb = "CALL OFF"
)

// IsAboutTournament reports whether the order is about a tournament.
func (v Verb) IsAboutTournament() bool {
	return slices.Contains([]Verb{OpenTournament, EnterPlayer, WithdrawPlayer, SwapPlayers, CallOffTournament}, v)
}

// Directive is an order of the director about the club, e.g. "BAN Ada BECAUSE ...".
type Directive struct {
	Verb Verb `json:"verb"`
	// Name is the name of a member, a match or a tournament.
	Name string `json:"name"`
	// Text is the text of an announcement, or the text after the name of a tournament.
	Text string `json:"text,omitempty"`
	// Members can read the Reason. ADMIT and ANNOUNCE need none.
	Reason string `json:"why,omitempty"`
}

// String returns the order as it is written in a letter.
func (d Directive) String() string {
	return strings.Join(strings.Fields(string(d.Verb)+" "+d.Name+" "+d.Text), " ")
}

// Change holds everything in the club that a letter or a due task changes. It is stored in one transaction.
type Change struct {
	// Members are new members (version 0) and changed members.
	Members []*Member
	// The club asks the address of NewApplicant by letter to confirm the application.
	NewApplicant *Applicant
	// AnsweredAddress is the address of an applicant who has answered this question. The store deletes the Applicant.
	AnsweredAddress string
	// ForgottenMember is a member whose data are deleted; it is in Members too.
	ForgottenMember *Member
	Offers          []*Offer
	// QueueEntries are added to the queue for pairing, or updated; the entries in RemovedFromQueue are deleted.
	QueueEntries, RemovedFromQueue []QueueEntry
	// ExaminedMatches are matches that were checked for a result.
	ExaminedMatches []ExaminedMatch
	Annulments      []Annulment
	Ladders         []Ladder
	Usage           []MatchUsage
	// Tournaments are new tournaments (version 0) and changed ones. TournamentOfMatch maps a new match to its tournament.
	Tournaments       []*Tournament
	TournamentOfMatch map[string]string
	// DirectorState is nil if unchanged.
	DirectorState *DirectorState
	Announcements []Announcement
	// Hooks are new and changed web hooks. A hook without a URL is deleted.
	Hooks []Hook
	Log   []LogEntry
}

// MatchUsage holds the usage statistics of a finished match.
type MatchUsage struct {
	Match string
	Ended time.Time
	Usage usage.Match
}

// Annulment annuls the result of a match. Without a Reason it restores the result.
type Annulment struct{ Match, Reason string }

// LogEntry is an entry of the public log. It identifies members by number only, so that the log does not name a forgotten
// member.
type LogEntry struct {
	At time.Time
	// Member is the number of the member that the entry is about, or 0. By is the person who acted, e.g. "the
	// director".
	Member int64
	By     string
	// Act says what happened; it follows the name of the member, e.g. "was admitted".
	Act, Reason string
}

// DirectorState is the state of the director's letters about the club.
type DirectorState struct {
	// LastLetter is the number of the newest letter to the director; only a reply to this letter counts.
	LastLetter int64
	// Proposed is the directive that this letter asks the director to confirm; nil for none.
	Proposed *Directive
	AskedAt  time.Time
	Version  int64
}
