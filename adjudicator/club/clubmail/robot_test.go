package clubmail_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestPlayRobot: a match against robots begins at once and is answered at once; robots get no
// letters, and its record can be played again.
func TestPlayRobot(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	if got := h.answers("Ada", "PLAY ROBOT 1989 AS DEMOCRAT").Text; strings.Contains(got, "refused") {
		t.Fatal(got)
	}
	m := h.match("Ada")
	if m.Seats[0].PlayerName != "Ada" || m.Seats[1].Robot == "" || m.State != match.Playing {
		t.Fatalf("the match is %+v", m.Seats)
	}
	l := h.ofMatch("Ada")
	if !strings.HasPrefix(l.Subject, "Your move: ") {
		t.Errorf("the robot has not answered: %s\n%s", l.Subject, l.Text)
	}
	golden(t, "robot/first.txt", masked(told(l.Subject, l.Text)))
	// Consecutive decisions of one side need no answer of the robot, so 25 orders may make fewer than 50 entries.
	h.ordersOf("Ada", dawn1989.Game(), 30)
	if m = h.match("Ada"); m.EntryCount < 50 && m.State != match.Over {
		t.Errorf("%d entries", m.EntryCount)
	}
	h.answers("Ada", "PLAY ROBOT 1789")
	if l := h.ofMatch("Ada"); !strings.HasPrefix(l.Subject, "Your move: ") {
		t.Errorf("the robots have not answered: %s", l.Subject)
	}
	for to := range h.mailbox {
		if to == "" {
			t.Error("a robot got a letter")
		}
	}
	rec, err := h.adj.Export(t.Context(), m.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := record.VerifyStream(rec); err != nil {
		t.Error(err)
	}
	if err := record.VerifyChain(rec); err != nil {
		t.Error(err)
	}
	h.due()
}

// TestPlayRobotOfLevel: a member says how well the robot plays, and a robot that thinks answers later.
func TestPlayRobotOfLevel(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	for _, test := range []struct{ order, says string }{
		{"PLAY ROBOT 1989 LEVEL 6", "1989: Dawn of Freedom has no robot of level 6; the highest is level 5"},
		{"PLAY ROBOT 1989 LEVEL high", "After LEVEL write the strength of the robot"},
		{"PLAY ROBOT 1789 LEVEL 3", "1789 has no robot of level 3; the highest is level 2"},
		{"OFFER 1989 LEVEL 2", "LEVEL belongs to PLAY ROBOT"},
		{"PAIR ME 1989 LEVEL 2", "LEVEL belongs to PLAY ROBOT"},
	} {
		if got := h.answers("Ada", test.order).Text; !strings.Contains(strings.Join(strings.Fields(got), " "), test.says) {
			t.Errorf("%s is answered with\n%s\nwant %q", test.order, got, test.says)
		}
	}
	h.answers("Ada", "PLAY ROBOT 1989 AS DEMOCRAT LEVEL 2")
	if m := h.match("Ada"); m.Seats[1].Robot != "level2" {
		t.Fatalf("the match is %+v", m.Seats)
	}
	h.ordersOf("Ada", dawn1989.Game(), 12)
	h.think()
	// The dice may have ended the match early.
	l := h.ofMatch("Ada")
	if h.match("Ada").State != match.Over && !strings.HasPrefix(l.Subject, "Your move: ") {
		t.Errorf("the robot has not answered: %s\n%s", l.Subject, l.Text)
	}
}

// TestRobotsConsent: robots agree to what is asked of them, at once.
func TestRobotsConsent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	for order, want := range map[string]struct {
		says  string
		state match.State
	}{"DRAW": {"agreed to the draw", match.Over}, "ABORT": {"broken off", match.Over}} {
		h.answers("Ada", "PLAY ROBOT 1789")
		id := h.match("Ada").ID
		if order == "DRAW" {
			h.answers("Ada", "PLAY ROBOT 1989")
			id = h.match("Ada").ID
		}
		l := h.reply("Ada", h.ofMatch("Ada"), strings.Replace(order, "ABORT", "ABORT "+id, 1))
		if m := h.stored(id); m.State != want.state || len(m.Requests) > 0 || !strings.Contains(l.Text, want.says) {
			t.Errorf("after %s match %s is %s, and %+v is asked for:\n%s", order, id, m.State, m.Requests, l.Text)
		}
	}
}

// TestRobotsTakeback: a robot lets an order be taken back, and the match goes on from there.
func TestRobotsTakeback(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	h.answers("Ada", "PLAY ROBOT 1989 AS COMMUNIST")
	before := h.match("Ada")
	h.ordersOf("Ada", dawn1989.Game(), 1)
	l := h.reply("Ada", h.ofMatch("Ada"), "TAKEBACK")
	if m := h.match("Ada"); m.Takeback != nil || m.EntryCount <= before.EntryCount+1 || string(m.Position) != string(before.Position) || !strings.Contains(l.Text, "With the consent of ") {
		t.Errorf("it is not taken back:\n%s", l.Text)
	}
	h.ordersOf("Ada", dawn1989.Game(), 3)
}

// think lets robots answer that think.
func (h *house) think() {
	h.t.Helper()
	failed, err := h.adj.RunBackgroundJobs(h.t.Context(), func(string) bool { return false })
	if err != nil || len(failed) > 0 {
		h.t.Fatal(failed, err)
	}
	h.deliver()
}

// ordersOf lets a robot write orders in a member's name.
func (h *house) ordersOf(name string, g *rules.Game, orders int) {
	h.t.Helper()
	r, err := g.Robot(rules.RandomName, 1)
	if err != nil {
		h.t.Fatal(err)
	}
	for range orders {
		h.think()
		m := h.match(name)
		if m.State == match.Over {
			return // The robots may soon have won.
		}
		pos, err := m.CurrentPosition(g)
		if err != nil {
			h.t.Fatal(err)
		}
		asked := m.UnansweredDecisions(pos)
		if len(asked) == 0 || m.Seats[asked[0].Seat].PlayerName != name {
			h.t.Fatalf("%s is not asked: %v", name, asked)
		}
		atoms, err := gate.ChooseAnswer(pos, asked[0], r)
		if err != nil {
			h.t.Fatal(err)
		}
		h.reply(name, h.ofMatch(name), g.FormatOrder(atoms)+" SURELY")
		if h.match(name).EntryCount == m.EntryCount {
			h.t.Fatalf("%s is refused:\n%s", g.FormatOrder(atoms), h.ofMatch(name).Text)
		}
	}
}
