package report

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// games are what the reports of tests know.
var games = rules.Games{dawn1989.Game{}}
