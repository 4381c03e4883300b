// Package robot is who plays 1989 when no player does. A robot sees a view and nothing
// else; what it imagines, it imagines on positions that the view shows.
package robot

import "samizdat/rules"

// Makers are the robots besides the random one. The sensible robot needs no seed: it answers the
// same question always alike.
func Makers() []rules.RobotMaker {
	return []rules.RobotMaker{{Name: "sensible", New: func(uint64) rules.Robot { return &sensible{} }}}
}
