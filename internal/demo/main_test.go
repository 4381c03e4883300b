package demo

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// games are what the daemons of tests know.
var games = rules.Games{dawn1989.Game{}}
