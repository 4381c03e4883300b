package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// told counts the letters to a seat that say something.
func told(c *club, seat, what string) (n int) {
	for _, l := range c.mailbox[address(seat)] {
		if strings.Contains(oneLine(l.Text), what) {
			n++
		}
	}
	return n
}

// TestOwnBounces: a player who reports all letters to himself as undeliverable, 80 times in 60 days,
// whenever he does it, gains seven days at most. The others are told once, and so is the
// director.
func TestOwnBounces(t *testing.T) {
	t.Parallel()
	for _, every := range []time.Duration{18 * time.Hour, time.Hour, 71*time.Hour + 50*time.Minute} {
		for _, zero := range []clock.TimeoutPolicy{clock.Forfeit, clock.Claim} {
			t.Run(fmt.Sprint(every, zero), func(t *testing.T) {
				t.Parallel()
				c := newClub(t, dawn1989.Game())
				id, name, other, seat := asked(t, c, "72h+12h<=120h", zero)
				begun, reports, reported, ended := c.now, 0, 0, time.Time{}
				next := begun.Add(every)
				for c.now.Before(begun.Add(60 * 24 * time.Hour)) {
					c.now = c.now.Add(10 * time.Minute)
					for due(t, c) > 0 {
					}
					m := c.stored(id)
					if over := m.State == match.Over || m.Seats[seat].Clock.Flagged; over && ended.IsZero() {
						ended = c.now
					}
					if !c.now.Before(next) && reports < 80 {
						box := c.mailbox[address(name)]
						for _, l := range box[min(reported, len(box)-1):] {
							c.returns(t, l, true)
							reports++
						}
						reported, next = len(box), c.now.Add(every)
					}
					if m.State == match.Over || zero == clock.Claim && !ended.IsZero() {
						break
					}
				}
				latest := begun.Add((3+7)*24*time.Hour + time.Hour)
				if zero == clock.Forfeit {
					latest = latest.Add(clock.ForfeitGrace)
				}
				if ended.IsZero() || ended.After(latest) {
					t.Errorf("begun %v, after %d reports his time is over at %v, not by %v: %+v", begun, reports, ended, latest, c.stored(id).Seats[seat].Clock)
				}
				if zero == clock.Claim {
					c.returns(t, c.last(name), true)
					if l := c.sends(other, "CLAIM"); c.stored(id).State != match.Over {
						t.Errorf("the claim after a report:\n%s", l.Text)
					}
				}
				if n, m := told(c, other, "did not arrive, as a mail server reports. We send it again after a day"), told(c, name, "did not arrive, as a mail server reports"); n != 1 || m != 0 {
					t.Errorf("the %s is told %d times, the %s himself %d times", other, n, name, m)
				}
				said := 0
				if _, err := c.db.Operator.ReportUndelivered(t.Context(), c.now, "director@club.test", func(all []storage.SeatFailures) ([]byte, error) {
					said = len(all)
					return []byte("letter"), nil
				}); err != nil || said != 1 {
					t.Errorf("the director is told of %d seats, %v", said, err)
				}
			})
		}
	}
}

// TestReportInVain: a report stops no clock that is soft, that comes when the time is over, or
// when the player has written since he was asked.
func TestReportInVain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		wait   time.Duration
		writes string
		hard   bool
		stops  bool
	}{
		"in time":         {wait: 71 * time.Hour, hard: true, stops: true},
		"soft":            {wait: 71 * time.Hour},
		"run out of time": {wait: 72 * time.Hour, hard: true},
		"has been told":   {wait: 75 * time.Hour, hard: true},
		"wrote":           {wait: 10 * time.Hour, hard: true, writes: "STATUS"},
		"wrote nonsense":  {wait: 10 * time.Hour, hard: true, writes: "Hello, who is there?"},
	} {
		for _, zero := range []clock.TimeoutPolicy{clock.Claim, clock.Forfeit} {
			c := newClub(t, dawn1989.Game())
			id, who, _, seat := asked(t, c, "72h+12h<=120h", zero)
			l := c.last(who)
			_, end := clockOf(t, c, id, seat)
			if tt.writes != "" {
				c.sends(who, tt.writes)
			}
			c.now = end.Add(tt.wait - 72*time.Hour)
			if name == "has been told" {
				due(t, c)
			}
			before, _ := clockOf(t, c, id, seat)
			c.returns(t, l, tt.hard)
			c.returns(t, c.last(who), tt.hard)
			after, _ := clockOf(t, c, id, seat)
			was, _ := before.StartedAt()
			if is, runs := after.StartedAt(); (runs && is.Equal(was)) == tt.stops || before.Flagged != after.Flagged {
				t.Errorf("%s, %s: before the report %+v, after it %+v", name, zero, before, after)
			}
		}
	}
}

// TestRefusedEachTime: a player whose mail server refuses each letter has no more time by that than
// one who reports each as undeliverable. Where our own account is refused his time does not run.
func TestRefusedEachTime(t *testing.T) {
	t.Parallel()
	for reason, ends := range map[string]bool{
		"RCPT refused: 550 5.1.1 no such user":                      true,
		"final dot refused: 554 5.7.1 looks like spam":              true,
		"RCPT refused: 550 5.4.5 Daily user sending limit exceeded": false,
	} {
		c := newClub(t, dawn1989.Game())
		inv := adjudicator.Invitation{Game: "1989", OnTimeout: clock.Forfeit, Tempo: clock.Tempo{Bank: 72 * time.Hour, Cap: 72 * time.Hour}}
		for _, s := range []string{"democrat", "communist"} {
			inv.Entrants = append(inv.Entrants, adjudicator.Entrant{Player: match.NewPlayer(address(s)), Name: s, Words: s})
		}
		b, err := c.adj.PrepareMatch(t.Context(), inv)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.db.Apply(t.Context(), exchange.Change{NewMatches: []exchange.NewMatch{b}}); err != nil {
			t.Fatal(err)
		}
		begun, seat := c.now, 0
		if k, _ := clockOf(t, c, b.Match.ID, 1); k.ToMove {
			seat = 1
		}
		name := b.Match.Seats[seat].Player.Address
		for c.now.Before(begun.Add(30*24*time.Hour)) && c.stored(b.Match.ID).State == match.Playing {
			box := c.box()
			out, err := box.Due(t.Context(), c.now, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range out {
				if o.To != name {
					err = box.MarkSent(t.Context(), []int64{o.ID}, c.now)
				} else {
					err = box.MarkFailed(t.Context(), o.ID, c.now, c.now, true, reason)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			c.now = c.now.Add(time.Hour)
			if _, _, err := c.adj.RunDueTasks(t.Context(), c.now, nil); err != nil {
				t.Fatal(err)
			}
		}
		if over := c.stored(b.Match.ID).State == match.Over; over != ends {
			t.Errorf("%s: over %v after %v", reason, over, c.now.Sub(begun))
		} else if took := c.now.Sub(begun); ends && (took < 5*24*time.Hour || took > 11*24*time.Hour) {
			t.Errorf("%s: over after %v", reason, took)
		}
	}
}
