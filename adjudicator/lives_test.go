package adjudicator_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// lives are the games whose matches the scripts in testdata/lives play, with their seats. The
// comment of a script begins with the name of one, and the tempo ("_" for a space) with what zero means where
// clocks run, "invited" where nobody has joined, or "sealed" where words have to be sealed as well.
var lives = map[string]struct {
	game  *rules.Game
	seats []string
}{
	"1989":     {dawn1989.Game(), dawnSeats},
	"orchards": {rulestest.Game(), orchards},
	"council":  {council.Game(), councillors},
	"two":      {council.Game(), councilOf(2)},
}

// TestLives plays matches from their begin to an end that is not the rules', and holds every
// letter against the script. In a script "-- north --" is what the player of a seat writes,
// "-- west as north --" what he writes in another's name, "-- wait 24h --" lets time pass, "-- think --" lets robots think, and "-- bounce north --" lets his last letter come back;
// what comes of it stands below, as "-- to north --" and without the standing parts of
// letters. The director writes as "-- director --". Every record verifies.
func TestLives(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("testdata/lives/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			script, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(string(script.Comment), ":")
			terms := strings.Fields(name)
			terms = append(terms, []string{"none", "claim"}[min(2, len(terms)-1):]...)
			life := lives[terms[0]]
			c := newClub(t, life.game)
			id := ""
			if terms[1] == "invited" || terms[1] == "sealed" {
				c.adj.OperatorAddress, c.adj.InvitationPeriod = address("operator"), 14*24*time.Hour
				id = c.invites(adjudicator.Invitation{Game: life.game.Name(), SealedWords: terms[1] == "sealed"}, life.seats)
			} else {
				id = timed(t, c, life.game.Name(), strings.ReplaceAll(terms[1], "_", " "), clock.TimeoutPolicy(terms[2]), life.seats...)
			}
			lived := &txtar.Archive{Comment: script.Comment}
			for _, f := range script.Files {
				if strings.HasPrefix(f.Name, "to ") {
					continue
				}
				f.Data = []byte(strings.ReplaceAll(string(f.Data), "MATCH", id))
				lived.Files = append(append(lived.Files, f), c.lives(t, f.Name, string(f.Data), append(slices.Clone(life.seats), "director", "operator"))...)
			}
			golden(t, strings.TrimPrefix(path, "testdata/"), string(txtar.Format(lived)))
			if c.position(id) != nil {
				verified(t, c, life.game, id)
			}
		})
	}
}

// begins invites players, named by their seats, and lets them join.
func (c *club) begins(inv adjudicator.Invitation, seats []string) string {
	c.t.Helper()
	id := c.invites(inv, seats)
	c.joinAll(seats...)
	return id
}

// invites invites players, named by their seats.
func (c *club) invites(inv adjudicator.Invitation, seats []string) string {
	c.t.Helper()
	for _, s := range seats {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.CreateMatch(c.t.Context(), inv)
	if err != nil {
		c.t.Fatal(err)
	}
	c.deliver()
	return m.ID
}

// lives lets a seat write, or time pass, and returns the letters that came of it.
func (c *club) lives(t *testing.T, name, text string, seats []string) (out []txtar.File) {
	t.Helper()
	had := map[string]int{}
	for _, s := range seats {
		had[s] = c.letters(s)
	}
	if of, ok := strings.CutPrefix(name, "bounce "); ok {
		c.returns(t, c.last(of), true)
		c.due(0)
	} else if name == "think" {
		c.thinks()
	} else if who, of, ok := strings.Cut(name, " as "); ok {
		c.receive(c.from(who, of, text))
	} else if span, ok := strings.CutPrefix(name, "wait "); ok {
		d, err := time.ParseDuration(span)
		if err != nil {
			t.Fatal(err)
		}
		c.due(d)
	} else if strings.HasPrefix(text, "DIRECT ") {
		c.receive(c.toReferee(name, text))
	} else {
		c.receive(c.letter(name, text))
	}
	for _, s := range seats {
		for _, l := range c.mailbox[address(s)][had[s]:] {
			narrow(t, l.Text)
			out = append(out, txtar.File{Name: "to " + s, Data: fmt.Appendf(nil, "Subject: %s\n\n%s", l.Subject, brief(l.Text))})
		}
	}
	return out
}

// brief is a letter without its standing parts: they stand between the first heading of one and
// the foot.
func brief(text string) string {
	var out []string
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		rule := i+1 < len(lines) && l != "" && strings.Trim(lines[i+1], "-") == "" && len(lines[i+1]) == len(l)
		if rule && l == strings.ToUpper(l) && !strings.Contains("YOUR ORDERS YOUR LETTER WHAT HAPPENED THE DICE THE SEALS YOUR DECISION A REQUEST REQUESTS THE PLAYERS THE HISTORY", l) {
			return strings.Join(append(out, "[...]\n"), "\n")
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n") + "\n"
}
