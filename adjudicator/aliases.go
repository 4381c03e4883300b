package adjudicator

import (
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
)

// What packages match and compose have was here before.
type (
	SeatView       = compose.SeatView
	Acts           = match.Acts
	Away           = match.Away
	Beacon         = match.Beacon
	CallOff        = match.CallOff
	CalledOffBy    = match.CalledOffBy
	Chance         = match.Chance
	ConsentAsked   = match.ConsentAsked
	Correspondence = match.Correspondence
	Ended          = match.Ended
	Halt           = match.Halt
	Held           = match.Held
	Invited        = match.Invited
	Listed         = match.Listed
	ListedSeat     = match.ListedSeat
	Match          = match.Match
	Observer       = match.Observer
	ObserverPolicy = match.ObserverPolicy
	Observing      = match.Observing
	Occupant       = match.Occupant
	Pictured       = match.Pictured
	Player         = match.Player
	Points         = match.Points
	Progress       = match.Progress
	Proposal       = match.Proposal
	Request        = match.Request
	Said           = match.Said
	Seat           = match.Seat
	SeatOf         = match.SeatOf
	SeatTime       = match.SeatTime
	State          = match.State
	Summary        = match.Summary
	Takeback       = match.Takeback
	TimeControl    = match.TimeControl
	Timing         = match.Timing
	Waiting        = match.Waiting
	Wishes         = match.Wishes
)

// The states of a match, and who calls one off.
const (
	Inviting  = match.Inviting
	Playing   = match.Playing
	Over      = match.Over
	CalledOff = match.CalledOff
	Declined  = match.Declined
	Lapsed    = match.Lapsed
	Cancelled = match.Cancelled
)

// Functions of package match.
var (
	FindSeatView        = compose.FindSeatView
	ErrNoSeatView       = compose.ErrNoSeatView
	Remarks             = compose.Remarks
	MeansOrder          = compose.MeansOrder
	NewPlayer           = match.NewPlayer
	ParseObserverPolicy = match.ParseObserverPolicy
	Summarize           = match.Summarize
	RoleBefore          = match.RoleBefore
	ErrConflict         = match.ErrConflict
)
