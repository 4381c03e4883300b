package dawn1989

import (
	_ "embed"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/chart"
	"samizdat/rules/dawn1989/engine"
)

//go:embed desk.dictionary
var deskDictionary []byte

var desk = sync.OnceValue(func() *rules.Desk {
	var e engine.Rules
	return &rules.Desk{Dictionary: deskDictionary, ImaginePositions: e.Imagine, Places: chart.Places, SlowRobots: []string{"level5"}}
})
