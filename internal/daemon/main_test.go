package daemon

import (
	"testing"

	"samizdat/internal/config"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// games are what the daemons of tests know.
var games = rules.Games{dawn1989.Game{}}

func TestMain(m *testing.M) {
	defer long.InMemory()()
	m.Run()
}

// standsStill is why whole daemons by a clock of their own have files: that clock stands still while a server is asked, and
// a daemon on a server listens to it all the time.
const standsStill = "its clock stands still while a server is asked"

// local is a configuration without people, with a directory and a database of its own.
func local(t testing.TB) config.Config {
	t.Helper()
	return housed(t, config.Local(t.TempDir(), nil))
}

// housed lets a configuration have its database where tests have theirs.
func housed(t testing.TB, cfg config.Config) config.Config {
	t.Helper()
	cfg.DatabaseAt = pgtest.Where(t, cfg.Database(), cfg.KeyFile(), storage.Open)
	return cfg
}
