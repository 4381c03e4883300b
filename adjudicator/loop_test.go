package adjudicator_test

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/internal/post"
	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

func rulesSeat(i int) rules.Seat { return rules.Seat(i) }

// limited bounds a club's answers as the daemon does.
func (c *club) limited() {
	now := func() time.Time { return c.now }
	c.adj = adjudicator.New(adjudicator.Config{
		ReplyConfig: conversation.ReplyConfig{Store: c.db, Codec: c.codec, Now: now, Log: slog.New(slog.DiscardHandler), ReplyLimits: mail.NewRateLimiter(mail.Rate{Burst: 20, Every: time.Hour}, mail.Rate{Burst: 1000, Every: time.Second}, now)},
		Games:       c.games, Random: c.rand})
}

// referee is a second Samizdat, at an address of its own.
func referee(t *testing.T, at, player string) *club {
	t.Helper()
	c := newClub(t, rulestest.Game())
	c.codec = post.Codec{Address: at, Name: "Samizdat"}
	c.limited()
	inv := adjudicator.Invitation{Game: rulestest.Game().Name()}
	for i := range orchards {
		inv.Players = append(inv.Players, fmt.Sprintf("player%d@%s", i, at[strings.Index(at, "@")+1:]))
	}
	inv.Players[0] = player
	if _, err := c.adj.CreateMatch(t.Context(), inv); err != nil {
		t.Fatal(err)
	}
	return c
}

// machineFields are what a careless server on the way takes away, and with it
// every sign that a machine wrote.
var machineFields = regexp.MustCompile(`(?mi)^(Auto-Submitted|List-Id|Precedence):.*\r\n`)

// outgoing takes what waits in the outbox.
func (c *club) outgoing(t *testing.T) []mail.Outgoing {
	t.Helper()
	box := c.box()
	out, err := box.Due(t.Context(), c.now, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		if err := box.MarkSent(t.Context(), []int64{o.ID}, c.now); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestTwoReferees: two Samizdats that are each other's players come to an end by
// themselves, even when every sign that a machine writes is lost on the way.
func TestTwoReferees(t *testing.T) {
	t.Parallel()
	for name, clean := range map[string]func([]byte) []byte{
		"as they are":         func(raw []byte) []byte { return raw },
		"without their signs": func(raw []byte) []byte { return machineFields.ReplaceAll(raw, nil) },
		"answering to Reply-To": func(raw []byte) []byte {
			// A gateway that takes the address for answers for the sender's.
			raw = machineFields.ReplaceAll(raw, nil)
			l := message.Read(raw)
			if len(l.ReplyTo) == 0 {
				return raw
			}
			return []byte(strings.Replace(string(raw), l.From[0], l.ReplyTo[0], 1))
		},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			a, b := referee(t, "referee@a.test", "referee@b.test"), referee(t, "referee@b.test", "referee@a.test")
			letters := 0
			for range 200 {
				moved := false
				for _, c := range []*club{a, b} {
					for _, o := range c.outgoing(t) {
						to := map[bool]*club{true: a, false: b}[strings.HasSuffix(o.To, "@a.test")]
						if to == c || !strings.HasPrefix(o.To, "referee") {
							continue
						}
						letters, moved = letters+1, true
						to.handleRaw(t, clean(o.Raw))
					}
				}
				if !moved {
					if letters == 0 || letters > 20 {
						t.Errorf("%d letters went to and fro", letters)
					}
					return
				}
			}
			t.Errorf("after %d letters they still write to each other", letters)
		})
	}
}

func (c *club) handleRaw(t *testing.T, raw []byte) mail.Folder {
	t.Helper()
	c.uid++
	c.now = c.now.Add(time.Second)
	f, err := c.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Arrived: c.now, Size: int64(len(raw)), Raw: raw})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// notAnswered is the subject of a letter that says when to ask again.
const notAnswered = "Your letter was not answered"

// TestRobotPlayer: a player's robot answers every letter at once and gives no
// sign that it is one. It is answered for a while and no longer; the player's
// orders count and are answered all the same.
func TestRobotPlayer(t *testing.T) {
	t.Parallel()
	for _, says := range []string{"Thank you for your message. I will read it soon.", "STATUS", "HELP\nSTATUS"} {
		c, id, seat, line := inTurn(t, rulestest.Game())
		c.limited()
		before := c.export(id, true)
		last, answers := c.last(seat), 0
		for range 100 {
			had := len(c.mailbox[address(seat)])
			m := c.letter(seat, says)
			m.Text += "\n> " + strings.ReplaceAll(last.Text, "\n", "\n> ")
			c.receive(m)
			if len(c.mailbox[address(seat)]) > had {
				last, answers = c.last(seat), answers+1
			}
		}
		if told := len(c.notices[address(seat)]); answers < 15 || answers > 30 || told != 1 {
			t.Errorf("%q is answered %d times, and told %d times that it is not", says, answers, told)
		}
		if string(before) != string(c.export(id, true)) {
			t.Errorf("%q changed the match", says)
		}
		if a := c.sends(seat, line); !strings.Contains(a.Text, "done") {
			t.Errorf("after %q an order is answered with\n%s", says, a.Text)
		}
		c.reopen()
		c.limited()
		if n, err := c.db.Match(t.Context(), id); err != nil || n.Seats == nil {
			t.Error(err)
		}
	}
}

// TestFloodOfOne: a player who asks more than all may ask together takes no answers from the others. He reads
// once a day that he is not answered, and when to ask again, and then he is.
func TestFloodOfOne(t *testing.T) {
	t.Parallel()
	c, _, _, _ := inTurn(t, rulestest.Game())
	c.adj.ReplyLimits = mail.NewRateLimiter(mail.Rate{Burst: 60, Every: time.Hour}, mail.Rate{Burst: 10, Every: 20 * time.Hour}, func() time.Time { return c.now })
	asks := func(seat string) bool {
		had := len(c.mailbox[address(seat)])
		c.receive(c.letter(seat, "STATUS"))
		return len(c.mailbox[address(seat)]) > had
	}
	flooder, other, answers := orchards[0], orchards[1], 0
	for range 40 {
		if asks(flooder) {
			answers++
		}
	}
	notices := c.notices[address(flooder)]
	if answers < 3 || answers > 10 || len(notices) != 1 {
		t.Fatalf("he has %d answers and reads %d times that he gets none", answers, len(notices))
	}
	_, at, _ := strings.Cut(strings.Join(strings.Fields(notices[0].Text), " "), "Please ask again after ")
	at, _, _ = strings.Cut(at, ", in reply")
	again, err := time.Parse("2 January 2006, 15:04 UTC", at)
	if err != nil || !again.After(c.now) || again.Sub(c.now) > 40*time.Hour {
		t.Fatalf("he is to ask again after %q, and it is %v: %v\n%s", at, c.now, err, notices[0].Text)
	}
	before := c.now
	if !asks(other) {
		t.Error("another player is not answered")
	}
	c.now = again.Add(again.Sub(before)) // The other has had one of those that came back.
	if !asks(flooder) {
		t.Error("he is not answered when he was told that he would be")
	}
}
