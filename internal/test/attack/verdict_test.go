package attack

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// verdict is what the verifier says of a record.
type verdict struct {
	good bool
	said string
}

// verify asks `samizdat verify`.
func verify(data []byte, held report.Evidence) verdict { return judged(data, held, false) }

func judged(data []byte, held report.Evidence, partial bool) verdict {
	rec, err := record.Read(bytes.NewReader(data))
	if err != nil {
		return verdict{said: err.Error()}
	}
	var out strings.Builder
	good, err := report.Verify(&out, rules.Games{dawn1989.Game(), council.Game()}, rec, held, partial)
	if err != nil {
		return verdict{false, err.Error()}
	}
	if _, wrong, found := strings.Cut(out.String(), "\n\n"); found && !good {
		return verdict{false, wrong}
	}
	return verdict{good, out.String()}
}

var (
	named = regexp.MustCompile(`\b[Ee]ntry (\d+)`)
	lined = regexp.MustCompile(`\bline (\d+)`)
)

// names reports whether what is said first of all is of that entry, or of its line.
func (v verdict) names(entry int) bool {
	said, _, _ := strings.Cut(v.said, "\n")
	for _, m := range named.FindAllStringSubmatch(said, -1) {
		if m[1] == strconv.Itoa(entry) {
			return true
		}
	}
	m := lined.FindStringSubmatch(said)
	return m != nil && m[1] == strconv.Itoa(entry+2)
}

// TestHonest: records that do not cheat are good, in both forms.
func TestHonest(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]*table{
		"1989":             dawn(t, 1).steps(12).resign(),
		"the council":      village(t, 2).play(),
		"epochs that rise": moved(t),
	} {
		if v := verify(m.text(), report.Evidence{Hashes: []string{m.head()}}); !v.good {
			t.Errorf("%s: %s", name, v.said)
		}
		if v := judged(m.public().text(), report.Evidence{Hashes: []string{m.head()}}, true); !v.good {
			t.Errorf("%s, public: %s", name, v.said)
		}
	}
}
