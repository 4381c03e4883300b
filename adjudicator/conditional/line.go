package conditional

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// Line is a conditional order as it is kept.
type Line struct {
	Seat rules.Seat `json:"seat"`
	// Text is the line as its owner is shown it. It can be read again.
	Text string `json:"text"`
	// Letter is the digest of the letter that brought it.
	Letter string `json:"letter,omitempty"`
	// Source is what the line answers, as Decision.Source has it; empty for the
	// next action.
	Source string `json:"source,omitempty"`
	// Verbs are what the orders of the line begin with, Kinds the kinds of question
	// that each can answer, the plainest first. A line takes the place of older ones
	// with the same source that begin alike or answer the same.
	Verbs []string   `json:"verbs"`
	Kinds [][]string `json:"kinds,omitempty"`
	// Always lines last until they are cancelled, Anyway lines whatever happens.
	Always bool `json:"always,omitempty"`
	Anyway bool `json:"anyway,omitempty"`
	// If is the condition as it was written, Then and Else are the orders. An empty
	// one means that the owner is asked.
	If   string `json:"if,omitempty"`
	Then string `json:"then,omitempty"`
	Else string `json:"else,omitempty"`
	// Plan lines end with the play in which their source first asked.
	Plan bool `json:"plan,omitempty"`
	// After is the newest question when the line was written: it answers none of
	// those that were open then, if it is for an action.
	After rules.DecisionID `json:"after,omitempty"`
	// Period is when the line was written, Baseline what surprises are measured
	// against.
	Period   int    `json:"period"`
	Baseline []byte `json:"baseline,omitempty"`
	// Play is the play in which the line was last used, or that it is for if it is
	// a plan; Used are the entries of its lists that are gone.
	Play uint32 `json:"play,omitempty"`
	Used []int  `json:"used,omitempty"`
}

// String is the line as its owner is shown it, with what is gone of its list.
func (l *Line) String() string {
	if len(l.Used) == 0 || l.Always {
		return l.Text
	}
	return fmt.Sprintf("%s (%d used)", l.Text, len(l.Used))
}

// fits reports whether a line can be meant for a decision.
func (r *Reader) fits(l *Line, d rules.Decision) bool {
	switch {
	case l.Seat != d.Seat || d.Sealed || d.Midway:
		return false
	case l.Source == "":
		return d.ID > l.After && r.planner.Action(d)
	}
	return l.Source == d.Source
}

// Replaces reports whether a line takes the place of an older one.
func (l *Line) Replaces(old *Line) bool {
	switch {
	case l.Seat != old.Seat || l.Source != old.Source:
		return false
	case l.Source == "", slices.ContainsFunc(l.Verbs, func(v string) bool { return slices.Contains(old.Verbs, v) }):
		return true
	}
	return slices.ContainsFunc(l.Kinds, func(mine []string) bool {
		return slices.ContainsFunc(old.Kinds, func(other []string) bool {
			return len(mine) > 0 && len(other) > 0 && (slices.Contains(other, mine[0]) || slices.Contains(mine, other[0]))
		})
	})
}

// Arm makes a line that was read ready for a position.
func (r *Reader) Arm(l *Line, pos rules.Position, seat rules.Seat) {
	v := pos.View(seat)
	l.Seat, l.Period, l.Baseline = seat, r.planner.Period(v), r.planner.Baseline(v)
	owed := pos.Owed(nil)
	for _, d := range owed {
		l.After = max(l.After, d.ID)
	}
	l.begins(owed)
}

// begins binds a plan to the play that its source asks in, whomever it asks: with
// that play it ends, whether it was used or not.
func (l *Line) begins(owed []rules.Decision) {
	if !l.Plan || l.Play != 0 {
		return
	}
	for _, d := range owed {
		if d.Source == l.Source {
			l.Play = d.Play
		}
	}
}
