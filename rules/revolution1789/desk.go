package revolution1789

import (
	_ "embed"
	"sync"

	"samizdat/rules"
	"samizdat/rules/revolution1789/chart"
	"samizdat/rules/revolution1789/engine"
)

//go:embed desk.dictionary
var deskDictionary []byte

var desk = sync.OnceValue(func() *rules.Desk {
	return &rules.Desk{Dictionary: deskDictionary, ImaginePositions: engine.ImaginePositions, Places: chart.Places}
})
