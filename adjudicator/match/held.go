package match

import (
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// Held is an answer that waits for its question: a conditional order, or a sealed
// answer. It is private to its seat, and not part of the history.
type Held struct {
	Seat rules.Seat `json:"seat"`
	// Play is the play that it belongs to; it lapses with it.
	Play uint32 `json:"play"`
	// Decision is the sealed decision that it answers, or 0.
	Decision rules.DecisionID `json:"decision,omitempty"`
	Answer   rules.Answer     `json:"answer"`
	// Silent is set instead of Answer when the time for the decision is over: its
	// answer is found when all of its group are opened.
	Silent bool `json:"silent,omitempty"`
	// Standing is set for an answer that stands, and Changes is how often what ends it
	// had changed when it was given.
	Standing bool `json:"standing,omitempty"`
	Changes  int  `json:"changes,omitempty"`
	// Letter is the digest of the letter that brought it.
	Letter string `json:"letter"`
	// List numbers the line that it is a part of: in a list, what is not legal
	// when it is reached is skipped.
	List int `json:"list,omitempty"`
	// Conditional, when set, is a conditional order; then Seat and Letter only repeat its own
	// and the rest is empty.
	Conditional *ahead.Line `json:"ahead,omitempty"`
}

// InPlay reports whether a kept answer waits for a later question of its play.
func (h Held) InPlay() bool { return h.Decision == 0 && h.Conditional == nil && !h.Standing }

// Takeback is what a player asks to take back: an order of his that was carried
// out, and all that followed.
type Takeback struct {
	Seat rules.Seat `json:"seat"`
	// Seq is the entry of the order, Orders what it was.
	Seq    int    `json:"seq"`
	Orders string `json:"orders"`
	// Agreed are those who have agreed.
	Agreed rules.Seats `json:"agreed,omitempty"`
}
