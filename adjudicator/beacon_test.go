package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/beacontest"
	"samizdat/internal/test/rulestest"
)

// rounds is a beacon that can be reached, or not.
type rounds struct {
	c    *club
	sign func(round int64) []byte
	away bool
}

// Signature implements adjudicator.Rounds.
func (r *rounds) Signature(chain beacon.Chain, round int64) ([]byte, bool) {
	if r.away || r.c.now.Before(chain.PublicationTime(round)) {
		return nil, false
	}
	return r.sign(round), true
}

// withBeacon invites to a match with a beacon.
func withBeacon(t *testing.T, terms string, sealed bool) (c *club, r *rounds, id string) {
	t.Helper()
	c = newClub(t, rulestest.Game())
	c.adj.InvitationPeriod = 14 * 24 * time.Hour
	r = &rounds{c: c}
	c.adj.BeaconChain, r.sign = beacontest.Chain(t)
	c.adj.Rounds = r
	agreed, err := invitation.ParseBeacon(terms)
	if err != nil {
		t.Fatal(err)
	}
	return c, r, c.invites(adjudicator.Invitation{Game: "orchards", Beacon: agreed, SealedWords: sealed}, orchards)
}

// exported is the record of a match as everybody may see it.
func exported(t *testing.T, c *club, id string) *record.Record {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(c.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestBeacon: the round is named to all before it is published, and mixed in when it is there,
// however long that takes and however often the program ends.
func TestBeacon(t *testing.T) {
	t.Parallel()
	c, r, id := withBeacon(t, "wait", false)
	golden(t, "begin/beacon-invitation.txt", c.last("north").Text)
	r.away = true
	c.joinAll(orchards...)
	golden(t, "begin/beacon-named.txt", c.last("north").Text)
	named := c.stored(id).Beacon
	if early := named.At.Sub(c.now); early < 15*time.Minute || early > 16*time.Minute {
		t.Errorf("the round is published %v after it was named", early)
	}
	for name, text := range map[string]string{"north": "STATUS", "east": "OPEN the east wind", "west": "JOIN others"} {
		if text := c.sends(name, text).Text; !strings.Contains(text, "waiting for a public random number") {
			t.Errorf("%s is told\n%s", name, text)
		}
	}
	had := c.letters("west")
	if n := c.due(10 * 24 * time.Hour); n != 0 {
		t.Errorf("%d things were done without the round", n)
	}
	c.reopen()
	c.adj.BeaconChain, c.adj.Rounds = beaconOf(t), r
	if n := c.due(10 * 24 * time.Hour); n != 0 || c.stored(id).State != match.Inviting {
		t.Errorf("%d things were done without the round: the invitation lapses no more", n)
	}
	r.away = false
	if n := c.due(0); n != 1 || c.letters("west") != had+1 {
		t.Errorf("%d things were done, %d letters", n, c.letters("west")-had)
	}
	golden(t, "begin/beacon-mixed.txt", c.last("north").Text)
	verified(t, c, rulestest.Game(), id)
	rec := exported(t, c, id)
	if b := rec.Header.Beacon; b == nil || b.Round != named.Round || record.VerifyBeacon(rec, c.adj.BeaconChain) != nil {
		t.Errorf("the beacon of the record is %+v", b)
	}
	if err := record.VerifyBeacon(rec); err == nil {
		t.Error("a beacon is good that nobody knows")
	}
	c.reopen()
	c.adj.BeaconChain = beaconOf(t)
	c.sends("north", "STATUS")
}

func beaconOf(t *testing.T) beacon.Chain {
	chain, _ := beacontest.Chain(t)
	return chain
}

// TestBeaconAway: a match that only tries begins without the round, after the time that was
// agreed and not before, and all are told.
func TestBeaconAway(t *testing.T) {
	t.Parallel()
	c, r, id := withBeacon(t, "try 6h", false)
	golden(t, "begin/beacon-try.txt", c.last("north").Text)
	r.away = true
	c.joinAll(orchards...)
	if n := c.due(6 * time.Hour); n != 0 {
		t.Errorf("%d things were done before the time is over", n)
	}
	if n := c.due(time.Hour); n != 1 {
		t.Errorf("%d things were done", n)
	}
	golden(t, "begin/beacon-away.txt", c.last("north").Text)
	for _, name := range orchards {
		if text := c.last(name).Text; !strings.Contains(text, "begins without it") {
			t.Errorf("%s is told\n%s", name, text)
		}
	}
	verified(t, c, rulestest.Game(), id)
	if b := exported(t, c, id).Header.Beacon; b != nil {
		t.Errorf("the beacon of the record is %+v", b)
	}
}

// TestBeaconForged: what is not the signature of the round is not mixed in.
func TestBeaconForged(t *testing.T) {
	t.Parallel()
	c, r, id := withBeacon(t, "wait", false)
	sign := r.sign
	r.sign = func(round int64) []byte { return sign(round + 1) }
	c.joinAll(orchards...)
	c.now = c.now.Add(time.Hour)
	_, failed, err := c.adj.RunDueTasks(t.Context(), c.now, nil)
	if err != nil || failed[id] == nil || !strings.Contains(failed[id].Error(), "invalid signature for round") {
		t.Errorf("a forged round: %v, %v", failed, err)
	}
	if m := c.stored(id); m.State != match.Inviting || m.Beacon.Signature != "" {
		t.Errorf("it is taken: %s, %+v", m.State, m.Beacon)
	}
}

// TestBeaconSealed: with sealed words the round is named when all are open, and another when
// a player is replaced since; words that were shown then do not count again.
func TestBeaconSealed(t *testing.T) {
	t.Parallel()
	c, _, id := withBeacon(t, "wait", true)
	c.joinsSealed(orchards...)
	for _, name := range orchards {
		if m := c.stored(id); m.Beacon.Round != 0 {
			t.Fatal("a round is named before all words are open")
		}
		c.sends(name, "OPEN "+secretWords[name])
	}
	first := c.stored(id).Beacon.Round
	c.now = c.now.Add(time.Minute)
	if err := c.adj.Replace(t.Context(), id, 1, address("nora")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	golden(t, "begin/beacon-again.txt", c.last("west").Text)
	if n := c.due(time.Hour); n != 0 {
		t.Errorf("%d things were done", n)
	}
	if text := c.sends("west", "JOIN SEALED "+record.SealWords(secretWords["west"])).Text; !strings.Contains(text, "already revealed the words of this fingerprint") {
		t.Errorf("the west is told\n%s", text)
	}
	for name, words := range map[string]string{"north": "one", "west": "two", "nora": "three"} {
		c.sends(name, "JOIN SEALED "+record.SealWords(words))
	}
	for name, words := range map[string]string{"north": "one", "west": "two", "nora": "three"} {
		c.sends(name, "OPEN "+words)
	}
	if b := c.stored(id).Beacon; b.Round <= first || !b.At.After(c.now) {
		t.Errorf("the round after %d is %+v", first, b)
	}
	if n := c.due(time.Hour); n != 1 {
		t.Errorf("%d things were done", n)
	}
	verified(t, c, rulestest.Game(), id)
	if h := exported(t, c, id).Header; len(h.Seals) != 3 || h.Beacon == nil || h.Words[1] != "three" {
		t.Errorf("the header is %+v", h)
	}
}

// TestBeaconDeclined: until the match begins anybody may decline.
func TestBeaconDeclined(t *testing.T) {
	t.Parallel()
	c, _, id := withBeacon(t, "wait", false)
	c.joinAll(orchards...)
	c.sends("north", "DECLINE")
	if n := c.due(time.Hour); n != 0 || c.stored(id).State != match.CalledOff {
		t.Errorf("%d things were done, the match is %s", n, c.stored(id).State)
	}
}
