package clubmail_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/report"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// invites begins a match of 1989 and lets its players join.
func (h *house) invites(names ...string) string {
	h.t.Helper()
	var players []string
	for _, n := range names {
		players = append(players, n+" <"+at(n)+">")
	}
	m, err := h.adj.CreateMatch(h.t.Context(), adjudicator.Invitation{Game: "1989", Players: players})
	if err != nil {
		h.t.Fatal(err)
	}
	h.deliver()
	for _, n := range names {
		h.reply(n, h.newest(n, m.ID), "JOIN")
	}
	return m.ID
}

// newest is the newest letter of a match that somebody has.
func (h *house) newest(name, match string) message.Letter {
	h.t.Helper()
	box := h.mailbox[at(name)]
	i := -1
	for j, l := range box {
		if len(l.ReplyTo) > 0 && strings.Contains(l.ReplyTo[0], "+"+match+"-") {
			i = j
		}
	}
	if i < 0 {
		h.t.Fatalf("%s has no letter of match %s", name, match)
	}
	return box[i]
}

// stored reads a match.
func (h *house) stored(id string) *match.Match {
	h.t.Helper()
	m, err := h.db.Match(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// plays lets the players of a match give some orders, each the first that their letters offer.
func (h *house) plays(id string, orders int, names ...string) {
	h.t.Helper()
	for range orders {
		m := h.stored(id)
		pos, err := m.CurrentPosition(dawn1989.Game())
		if err != nil {
			h.t.Fatal(err)
		}
		name := names[m.UnansweredDecisions(pos)[0].Seat]
		l := h.newest(name, id)
		_, decision, _ := strings.Cut(l.Text, "YOUR DECISION\n")
		_, offer, _ := strings.Cut(decision, "\n    ")
		offer, _, _ = strings.Cut(offer, "\n")
		if h.reply(name, l, offer); h.stored(id).OrderEntryCount <= m.OrderEntryCount {
			h.t.Fatalf("%s wrote %q and got\n%s", name, offer, h.newest(name, id).Text)
		}
	}
}

// resigns lets a player resign his match.
func (h *house) resigns(id, name string) {
	h.t.Helper()
	l := h.reply(name, h.newest(name, id), "RESIGN "+id)
	if m := h.stored(id); m.State != match.Over {
		h.t.Fatalf("the match is %s after\n%s", m.State, l.Text)
	}
}

// later lets some time pass, and the club do what is due then.
func (h *house) later(by time.Duration) {
	h.t.Helper()
	h.now = h.now.Add(by)
	h.due()
}

// result reads the result of a match.
func (h *house) result(id string) *club.Result {
	h.t.Helper()
	r, err := h.db.Club.Result(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// TestResults: matches that end are counted when the duties are done, those that are not worth
// it are not rated, and the ladder is what the results give.
func TestResults(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	id := h.invites("Ada", "Ben")
	h.plays(id, 6, "Ada", "Ben")
	h.resigns(id, "Ada")
	short := h.invites("Ben", "Ada")
	h.resigns(short, "Ada")
	guest := h.invites("Ben", "Cid")
	h.plays(guest, 6, "Ben", "Cid")
	h.resigns(guest, "Ben")
	h.answers("Ada", "OFFER 1989 AS Democrat UNRATED")
	h.answers("Ben", "ACCEPT 1")
	friendly := h.match("Ben").ID
	h.plays(friendly, 6, "Ada", "Ben")
	h.resigns(friendly, "Ben")
	replaced := h.invites("Ada", "Ben")
	h.plays(replaced, 6, "Ada", "Ben")
	m, err := h.db.Match(t.Context(), replaced)
	if err != nil {
		t.Fatal(err)
	}
	m.Seats[1].Robot = "random"
	if err := h.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	h.resigns(replaced, "Ada")
	if r := h.result(id); r != nil {
		t.Errorf("counted before it was due: %+v", r)
	}
	h.later(time.Minute)
	h.later(time.Minute)
	for id, want := range map[string]string{id: "", short: "not all players had sent an order", guest: "not all were members", friendly: "as agreed",
		replaced: "a robot played for a player"} {
		r := h.result(id)
		if r == nil || r.UnratedReason != want || r.Game != "1989" || !slices.ContainsFunc(r.Seats, func(s club.ResultSeat) bool { return s.Won }) {
			t.Errorf("the result is %+v, want it unrated for %q", r, want)
		}
	}
	golden(t, "results/before.txt", h.answers("Ben", "LADDER\nRATING\nRESULTS\nRESULTS Ada").Text)
	h.later(8 * 24 * time.Hour)
	got := h.answers("Ben", "LADDER 1989\nRATING Ada\nLADDER 1788\nladder 1789\nRATING Zoe").Text
	narrow(t, got)
	golden(t, "results/after.txt", got)
	h.same()
}

// TestCountAll: all that has ended is on the ladder at once, however new it is.
func TestCountAll(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	for range 2 {
		id := h.invites("Ada", "Ben")
		h.plays(id, 4, "Ada", "Ben")
		h.resigns(id, "Ada")
		if err := h.club.RateMatches(t.Context(), h.now); err != nil {
			t.Fatal(err)
		}
		h.same()
	}
}

// same fails unless the ladder that is kept is what the results give.
func (h *house) same() {
	h.t.Helper()
	stored, err := h.db.Club.Ladder(h.t.Context(), "1989")
	if err != nil || stored == nil {
		h.t.Fatalf("%+v, %v", stored, err)
	}
	now, err := h.club.ComputeLadder(h.t.Context(), "1989", h.now)
	if err != nil {
		h.t.Fatal(err)
	}
	if !slices.EqualFunc(stored.Lines, now.Lines, func(a, b ladder.Line) bool { return a.Rating == b.Rating && a.Player == b.Player && a.Won == b.Won }) || stored.StaleChanges != 0 {
		h.t.Errorf("kept %+v, computed %+v", stored, now)
	}
}

// TestBidResult: where sides were bid for, a result tells them, and has them in the order of a
// match without bids.
func TestBidResult(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ada", "OFFER 1989 BIDDING")
	h.answers("Ben", "ACCEPT 1")
	m := h.match("Ben")
	h.reply("Ada", h.newest("Ada", m.ID), "BID COMMUNIST GIVE 2")
	h.reply("Ben", h.newest("Ben", m.ID), "BID COMMUNIST GIVE 1")
	h.plays(m.ID, 4, m.Seats[0].PlayerName, m.Seats[1].PlayerName)
	h.resigns(m.ID, "Ben")
	h.later(time.Minute)
	r := h.result(m.ID)
	if r == nil || r.Seats[0].Name != "democrat" || r.Seats[1].Name != "communist" {
		t.Fatalf("%+v", r)
	}
	for _, seat := range r.Seats {
		if ada, err := h.db.Club.MemberByAddress(t.Context(), at("Ada")); err != nil || seat.Won != (seat.Player == ada.ID) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// TestAnnul: a result that is annulled counts for nothing, and all may read why; it can be put
// back. A match that the director takes up again has no result until it ends again.
func TestAnnul(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	id := h.invites("Ada", "Ben")
	h.plays(id, 6, "Ada", "Ben")
	h.resigns(id, "Ada")
	h.later(8 * 24 * time.Hour)
	h.later(time.Hour)
	before := h.answers("Ben", "RATING").Text
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Annul, Name: id, Reason: "both asked for it"}, "the director"); err != nil {
		t.Fatal(err)
	}
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Annul, Name: id, Reason: "again"}, "the director"); err == nil {
		t.Error("a result is annulled twice")
	}
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Annul, Name: "mnone", Reason: "why not"}, "the director"); err == nil {
		t.Error("a result is annulled that is not there")
	}
	h.later(time.Hour)
	h.same()
	if gameLadder, _ := h.db.Club.Ladder(t.Context(), "1989"); len(gameLadder.Lines) != 0 {
		t.Errorf("after the annulment: %+v", gameLadder)
	}
	if got := h.answers("Ben", "RESULTS").Text; !strings.Contains(got, "annulled: both asked") {
		t.Errorf("%s", got)
	}
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Restore, Name: id, Reason: "they did not"}, "the director"); err != nil {
		t.Fatal(err)
	}
	h.later(time.Hour)
	if after := h.answers("Ben", "RATING").Text; part(after) != part(before) {
		t.Errorf("put back:\n%s\nbefore:\n%s", after, before)
	}
}

// TestMended: what the director undoes, another player in a seat, and a result that is annulled each leave a record
// that verifies, and a ladder that is what the results give.
func TestMended(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	id := h.invites("Ada", "Ben")
	counts := func(step string, results int) {
		t.Helper()
		h.later(8 * 24 * time.Hour)
		h.later(time.Hour)
		if r := h.result(id); r != nil || results > 0 {
			h.same()
		}
		gameLadder, err := h.db.Club.Ladder(t.Context(), "1989")
		if err != nil || gameLadder == nil && results > 0 || gameLadder != nil && len(gameLadder.Lines) != 2*results {
			t.Errorf("%s: the ladder is %+v, %v", step, gameLadder, err)
		}
		rec, err := h.adj.Export(t.Context(), id, true)
		if err != nil {
			t.Fatal(err)
		}
		if isGood, err := report.Verify(io.Discard, rules.Games{dawn1989.Game()}, rec, report.Evidence{}, h.stored(id).State == match.Playing); !isGood || err != nil {
			t.Errorf("%s: the record does not verify: %v", step, err)
		}
	}
	h.plays(id, 6, "Ada", "Ben")
	for _, act := range []match.Directive{{Verb: match.DirectorRule, Winners: []string{"democrat"}, Why: "Ben is gone"}, {Verb: match.DirectorUndo, Entry: 4, Why: "Ben is back"}} {
		h.later(time.Hour)
		if _, err := h.adj.ExecuteDirective(t.Context(), id, act, true); err != nil {
			t.Fatal(err)
		}
		h.deliver()
	}
	counts("undone", 0)
	if err := h.adj.Replace(t.Context(), id, 0, at("Cleo")); err != nil {
		t.Fatal(err)
	}
	h.deliver()
	h.plays(id, 4, "Cleo", "Ben")
	counts("replaced", 0)
	h.resigns(id, "Ben")
	counts("over", 1)
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Annul, Name: id, Reason: "both asked for it"}, "the director"); err != nil {
		t.Fatal(err)
	}
	counts("annulled", 0)
}

// part is a letter from its first part on.
func part(text string) string {
	_, remaining, _ := strings.Cut(text, "RATING OF")
	return remaining
}
