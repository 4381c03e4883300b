package adjudicator

import (
	"context"
	"testing"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// oneMatch is a Store with a match of two seats.
type oneMatch struct{ exchange.Store }

func (oneMatch) Match(_ context.Context, id string) (*match.Match, error) {
	if id != "m" {
		return nil, exchange.ErrNoMatch
	}
	return &match.Match{ID: "m", Seats: []match.Seat{{Correspondence: match.Correspondence{Key: []byte("a")}}, {Correspondence: match.Correspondence{Key: []byte("b")}}}}, nil
}

// TestChoose: of several tokens the newest genuine one counts, wherever it stands.
func TestChoose(t *testing.T) {
	t.Parallel()
	by := func(key, match string, seat, number int) exchange.CandidateToken {
		return exchange.CandidateToken{Token: exchange.Token{Match: match, Seat: rules.Seat(seat), Number: int64(number)}, SignedBy: func(k []byte) bool { return string(k) == key }}
	}
	for _, tt := range []struct {
		name string
		all  []exchange.CandidateToken
		want int64 // 0: the letter stays as it is
	}{
		{"newest first", []exchange.CandidateToken{by("a", "m", 0, 7), by("a", "m", 0, 5), by("x", "m", 0, 9)}, 7},
		{"newest last", []exchange.CandidateToken{by("x", "m", 0, 9), by("a", "m", 0, 5), by("a", "m", 0, 7)}, 7},
		{"made with another seat's key", []exchange.CandidateToken{by("a", "m", 0, 5), by("b", "m", 0, 7)}, 5},
		{"of no match", []exchange.CandidateToken{by("a", "m", 0, 5), by("a", "n", 0, 7)}, 5},
		{"none", []exchange.CandidateToken{by("x", "m", 0, 5), by("x", "m", 0, 7)}, 0},
		{"two seats", []exchange.CandidateToken{by("a", "m", 0, 5), by("b", "m", 1, 7)}, 0},
		{"one alone", []exchange.CandidateToken{by("a", "m", 0, 5)}, 0},
	} {
		as := exchange.Letter{Sender: exchange.Sender{Token: &exchange.Token{Match: "m", Number: 99}, Candidates: tt.all}}
		got, err := chooseCandidate(t.Context(), (&Adjudicator{Config: Config{ReplyConfig: conversation.ReplyConfig{Store: oneMatch{}}}}), as)
		switch {
		case err != nil:
			t.Error(err)
		case tt.want == 0 && got.Token != as.Token, tt.want != 0 && (got.Token.Number != tt.want || got.SignedBy == nil):
			t.Errorf("%s: chosen is %+v", tt.name, got.Token)
		}
	}
}
