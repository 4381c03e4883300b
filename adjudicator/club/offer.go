package club

import (
	"slices"
	"time"
)

// Sides says how the players of a match get their sides.
type Sides string

// The ways to get a side.
const (
	// Chosen: who offers, or accepts, names his; what is left goes by balance.
	Chosen Sides = ""
	// Bid: they bid, by the rules of the game.
	Bid Sides = "bid"
	// Lot: a lot that comes from the match's secret and the players' words.
	Lot Sides = "lot"
	// Balance: who has played a side more often than another gets the other.
	Balance Sides = "balance"
)

// Terms are what a match is offered to be.
type Terms struct {
	Game    string            `json:"game"`
	Options map[string]string `json:"options,omitempty"`
	// Seats is how many play; 0 for as many as gather.
	Seats int `json:"seats,omitempty"`
	// Tempo and Zero are as the clock's package reads them; empty for the club's.
	Tempo   string `json:"tempo,omitempty"`
	Zero    string `json:"zero,omitempty"`
	Sides   Sides  `json:"sides,omitempty"`
	Unrated bool   `json:"unrated,omitempty"`
	// Tournament means that a tournament waits for the end of the match.
	Tournament bool `json:"tournament,omitempty"`
}

// Party is a member who has agreed to play a match that is offered.
type Party struct {
	Member int64 `json:"member"`
	// As is the name of the seat that he wants; empty for any.
	As string `json:"as,omitempty"`
	// Words are mixed into the dice.
	Words string `json:"words"`
	// Robot names a robot that plays in the place of a member.
	Robot string `json:"robot,omitempty"`
}

// OfferState is where an offer stands.
type OfferState string

// The states of an offer.
const (
	Waiting   OfferState = "open"
	Accepted  OfferState = "accepted"
	Declined  OfferState = "declined"
	Withdrawn OfferState = "withdrawn"
	Lapsed    OfferState = "lapsed"
)

// Offer is a match that a member offers to all, or to those whom he challenges.
type Offer struct {
	// ID is the number that players write.
	ID    int64
	Terms Terms
	State OfferState
	// Parties have agreed to play; the first is who offers.
	Parties []Party
	// To are those whom it challenges; empty for all.
	To      []int64
	Created time.Time
	Expires time.Time
	// Secret is what the dice will come from. Its commitment is out before anybody accepts.
	Secret []byte
	// Match is what it has become.
	Match   string
	Version int64
}

// By is who has made the offer.
func (o *Offer) By() int64 { return o.Parties[0].Member }

// Has reports whether a member has agreed to play.
func (o *Offer) Has(member int64) bool {
	return slices.ContainsFunc(o.Parties, func(p Party) bool { return p.Member == member })
}

// Shown reports whether a member may know of an offer.
func (o *Offer) Shown(member int64) bool {
	return len(o.To) == 0 || o.Has(member) || slices.Contains(o.To, member)
}

// Made reports whether somebody has made the offer, for others to accept: what comes of the
// queue, of a tournament, or of PLAY ROBOT begins as it is made.
func (o *Offer) Made() bool { return o.Expires.After(o.Created) }

// Robots reports whether robots play.
func (o *Offer) Robots() bool {
	return slices.ContainsFunc(o.Parties, func(p Party) bool { return p.Robot != "" })
}

// Full reports whether as many have agreed as play at most.
func (o *Offer) Full(most int) bool {
	if o.Terms.Seats > 0 {
		most = o.Terms.Seats
	}
	return len(o.Parties) >= most
}

// Queued is a member who waits to be paired.
type Queued struct {
	Member int64
	Terms  Terms
	// Most is how many matches from the queue he plays at once.
	Most int
	// Since is from when on he waits, or when he was paired last.
	Since time.Time
	// Words are mixed into the dice.
	Words string
	// Running is how many matches he plays, as it was read.
	Running int
}

// Seat gives parties their seats, of which names are given: a list of indices into parties, in
// the order of seats. Played says how often a party has had a seat. Lot breaks ties: a
// permutation of the parties. Nil where two want the same seat.
func Seat(sides Sides, parties []Party, names []string, played func(party int, seat string) int, lot []int) []int {
	out := make([]int, len(names))
	for i := range out {
		out[i] = -1
	}
	rest := slices.Clone(lot)
	if sides == Chosen {
		for p, party := range parties {
			i := slices.Index(names, party.As)
			switch {
			case party.As == "":
				continue
			case i < 0 || out[i] >= 0:
				return nil
			}
			out[i] = p
			rest = slices.DeleteFunc(rest, func(r int) bool { return r == p })
		}
	}
	for i := range out {
		if out[i] >= 0 {
			continue
		}
		best := 0
		if sides == Balance || sides == Chosen {
			best = leastPlayed(rest, names, i, out, played)
		}
		out[i] = rest[best]
		rest = slices.Delete(rest, best, best+1)
	}
	return out
}

// leastPlayed is the place in rest of who is to have a seat: whoever has had it least compared
// with the other seats that are free.
func leastPlayed(rest []int, names []string, seat int, taken []int, played func(int, string) int) (best int) {
	least := 0
	for k, p := range rest {
		n := 0
		for i, name := range names {
			switch {
			case i == seat:
				n += (len(names) - 1) * played(p, name)
			case taken[i] < 0:
				n -= played(p, name)
			}
		}
		if k == 0 || n < least {
			best, least = k, n
		}
	}
	return best
}
