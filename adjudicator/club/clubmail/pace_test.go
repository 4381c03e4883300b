package clubmail_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/rules/dawn1989"
)

// TestPace: members who want quick opponents are paired with those who answer that soon, by their last answers. Others see how soon a
// member answers only while the member shows it.
func TestPace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.said("Ada", "PACE", "Has given fewer than 5 answers so far.")
	id := h.invites("Ada", "Ben")
	for range 14 {
		m := h.stored(id)
		pos, err := m.CurrentPosition(dawn1989.Game())
		if err != nil {
			t.Fatal(err)
		}
		wait := 3 * time.Hour
		if m.Seats[m.UnansweredDecisions(pos)[0].Seat].PlayerName == "Ben" {
			wait = 50 * time.Hour
		}
		h.now = h.now.Add(wait)
		h.plays(id, 1, "Ada", "Ben")
	}
	h.said("Ada", "PACE", "Answers within 4 hours (median of the last ")
	h.said("Ben", "PACE SHOW", "From now on others can see this about you: Answers within 3 days (median of the last ")
	h.said("Cleo", "WHO Ben", "Answers within 3 days")
	if got := h.answers("Cleo", "WHO Ada").Text; strings.Contains(got, "Answers") {
		t.Errorf("Cleo sees how soon Ada answers:\n%s", got)
	}
	h.said("Ben", "PACE HIDE\nSETTINGS", "PACE hidden")
	if got := h.answers("Cleo", "WHO Ben").Text; strings.Contains(got, "Answers") {
		t.Errorf("Cleo sees how soon Ben answers:\n%s", got)
	}

	h.said("Cleo", "PAIR ME 1989 ANSWERS WITHIN A DAY", "Your opponents will be members who answer that soon")
	h.answers("Ben", "PAIR ME 1989 UP TO 3")
	h.later(time.Hour)
	if m := h.match("Ben"); m.ID != id {
		t.Fatalf("Ben, who answers slowly, is paired in match %s", m.ID)
	}
	h.answers("Ada", "PAIR ME 1989 UP TO 3")
	h.later(time.Hour)
	m := h.match("Cleo")
	if m.State != match.Playing || m.ID == id || m.Seats[0].PlayerName != "Ada" && m.Seats[1].PlayerName != "Ada" {
		t.Errorf("Cleo plays in match %s of %s and %s", m.ID, m.Seats[0].PlayerName, m.Seats[1].PlayerName)
	}
	if o, err := h.db.Club.OfferOf(t.Context(), m.ID); err != nil || o.Terms.Within != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	if queued, err := h.db.Club.QueueEntriesOf(t.Context(), m.Seats[0].Player.ID); err != nil || len(queued) != 1 {
		t.Errorf("%+v, %v", queued, err)
	}
}

// TestPaceMedian: the pace is the median of at least five answers.
func TestPaceMedian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		hours []int
		want  string
	}{
		{[]int{1, 1, 1, 1}, "Has given fewer than 5 answers so far."}, {[]int{0, 0, 0, 0, 0}, "Answers within an hour (median of the last 5 answers)."},
		{[]int{400, 3, 2, 47, 1, 500, 30}, "Answers within 30 hours (median of the last 7 answers)."},
		{[]int{400, 400, 49, 1, 1}, "Answers within 3 days (median of the last 5 answers)."},
	} {
		var answers []time.Duration
		for _, n := range tt.hours {
			answers = append(answers, time.Duration(n)*time.Hour)
		}
		if got := club.DescribePace(answers); got != tt.want {
			t.Errorf("%v: %s", tt.hours, got)
		}
	}
}
