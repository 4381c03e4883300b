package club

import (
	"slices"
	"strings"
)

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
