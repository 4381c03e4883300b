package engine

import "samizdat/rules"

// What the tests do to the engine besides what its callers may do.

// NewRun is a run on a position.
func NewRun(p *Position, c rules.Chance) *Run { return &Run{p: p, Chance: c} }

// StandAt sets the step of the match.
func (p *Position) StandAt(step uint8) { p.stack[0].Step = step }

// PositionAt is the position of a table.
func PositionAt(t rules.Table) *Position { return &t.(*matchTable).p }
