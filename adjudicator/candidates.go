package adjudicator

import (
	"context"
	"slices"

	"samizdat/rules"
)

// Candidate is a token among several that a letter was sent to.
type Candidate struct {
	Token   Token
	Genuine func(key []byte) bool
}

// mostCandidates is how many tokens of a letter are looked at. In long threads a few
// gather; who sends more gets the answer of who sends none that is good.
const mostCandidates = 10

// choose takes the newest genuine token of a letter that has several: one that nobody
// made must not hide it. Where none is genuine, or there are some of several seats, the
// letter stays as it is.
func (a *Adjudicator) choose(ctx context.Context, l Letter) (Letter, error) {
	if len(l.Candidates) < 2 || len(l.Candidates) > mostCandidates {
		return l, nil
	}
	var best *Candidate
	matches := map[string]*Match{}
	for i := range l.Candidates {
		c := &l.Candidates[i]
		m, asked := matches[c.Token.Match]
		if !asked {
			var err error
			if m, err = a.lookUp(ctx, c.Token.Match); err != nil {
				return l, err
			}
			matches[c.Token.Match] = m
		}
		switch t := c.Token; {
		case m == nil || t.Seat < 0 || int(t.Seat) >= len(m.Seats) || !c.Genuine(m.Seats[t.Seat].Key):
		case best != nil && (best.Token.Match != t.Match || best.Token.Seat != t.Seat):
			return l, nil // A letter concerns one seat.
		case best == nil || t.Number > best.Token.Number:
			best = c
		}
	}
	if best != nil {
		token := best.Token
		l.Token, l.Genuine = &token, best.Genuine
	}
	return l, nil
}

// seats gives those that the tokens of a letter name, each once.
func (l Letter) seats() []SeatOf {
	var out []SeatOf
	if t := l.Token; t != nil && t.Seat != rules.Nobody {
		out = append(out, SeatOf{Match: t.Match, Seat: t.Seat})
	}
	for _, c := range l.Candidates {
		if s := (SeatOf{Match: c.Token.Match, Seat: c.Token.Seat}); len(l.Candidates) <= mostCandidates && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
