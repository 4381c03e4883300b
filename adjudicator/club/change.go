package club

import "time"

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
