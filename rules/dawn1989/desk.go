package dawn1989

import (
	_ "embed"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/chart"
	"samizdat/rules/dawn1989/engine"
)

// deskWords are the words of views, the frequent ones first. They are only added to, at the end.
//
//go:embed desk.words
var deskWords string

var desk = sync.OnceValue(func() *rules.Desk {
	var e engine.Rules
	return &rules.Desk{Words: strings.Split(strings.TrimSpace(deskWords), "\n"), Suppose: e.Imagine, Places: chart.Places}
})
