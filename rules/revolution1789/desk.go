package revolution1789

import (
	_ "embed"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/revolution1789/chart"
	"samizdat/rules/revolution1789/engine"
)

// deskWords are the words of views, the frequent ones first. They are only added to, at the end.
//
//go:embed desk.words
var deskWords string

var desk = sync.OnceValue(func() *rules.Desk {
	return &rules.Desk{Words: strings.Split(strings.TrimSpace(deskWords), "\n"), Suppose: engine.Suppose, Places: chart.Places}
})
