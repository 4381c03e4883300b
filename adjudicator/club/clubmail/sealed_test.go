package clubmail_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club/clubmail"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
)

// with gives the matches of the club other terms.
func (h *house) with(terms adjudicator.Invitation) {
	h.club = clubmail.New(clubmail.Config{Adjudicator: h.adj, Store: h.db.Club, Club: h.cfg, Terms: terms})
}

// TestSealedMatch: where words are sealed, who accepts gets an invitation, and so does who has
// offered; the match begins when both have sealed and opened their words.
func TestSealedMatch(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.with(adjudicator.Invitation{SealedWords: true})
	h.joins("Ada", "Ben")
	h.answers("Ada", "OFFER 1989")
	h.answers("Ben", "ACCEPT 1") // The invitation is newer than the answer.
	if h.letters("Ben", "Each of you gets an invitation, because this club") != 1 {
		t.Error("Ben is not told that he is invited")
	}
	id := h.match("Ben").ID
	words := map[string]string{"Ada": "apples and oranges", "Ben": "bread and butter"}
	for name, w := range words {
		if m := h.stored(id); m.State != match.Inviting {
			t.Fatalf("the match is %s before %s has sealed", m.State, name)
		}
		h.reply(name, h.newest(name, id), "JOIN SEALED "+record.SealWords(w))
	}
	for name, w := range words {
		if m := h.stored(id); m.State != match.Inviting {
			t.Fatalf("the match is %s before %s has opened", m.State, name)
		}
		h.reply(name, h.newest(name, id), "OPEN "+w)
	}
	m := h.stored(id)
	if m.State != match.Playing || !m.SealedWords || m.Seats[0].SeedWords == "" {
		t.Fatalf("the match is %s: %+v", m.State, m.Seats)
	}
	h.plays(id, 2, m.Seats[0].PlayerName, m.Seats[1].PlayerName)
	if o, err := h.db.Club.OfferOf(t.Context(), id); err != nil || o == nil || o.ID != 1 {
		t.Errorf("the offer of the match: %+v, %v", o, err)
	}
}

// TestBeaconMatch: where a beacon is mixed in, the match waits for its round; players know it.
func TestBeaconMatch(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.with(adjudicator.Invitation{Beacon: invitation.BeaconTerms{IsUsed: true}})
	h.joins("Ada", "Ben")
	h.answers("Ada", "OFFER 1989")
	h.answers("Ben", "ACCEPT 1")
	m := h.match("Ben")
	if m.Beacon == nil || m.Position != nil {
		t.Fatalf("no beacon: %+v", m)
	}
	for _, name := range []string{"Ada", "Ben"} {
		if l := h.newest(name, m.ID); !strings.Contains(l.Text, "waiting for a public random number") {
			t.Errorf("%s is told\n%s", name, l.Text)
		}
	}
	h.answers("Ben", "PLAY ROBOT 1989")
	if m := h.match("Ben"); m.Beacon != nil {
		t.Error("robots wait for a beacon")
	}
}
