package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// renewKey changes the key of a seat's tokens. The letter that follows has to go out.
func renewKey(a *Adjudicator, s *match.Seat) error {
	key, err := newKey(a)
	if err != nil {
		return err
	}
	s.Key, s.KeyExposed = key, false
	return nil
}

// renewKeyLate changes it in a letter to the seat, when that was put off until there is one.
// The letter says so.
func renewKeyLate(a *Adjudicator, s *match.Seat) (said []string, err error) {
	if !s.KeyExposed {
		return nil, nil
	}
	if err := renewKey(a, s); err != nil {
		return nil, err
	}
	return []string{"The address that you answer to has changed: reply to this letter, older ones no longer count. An earlier letter of " +
		"yours, which was not answered, asked for it or went to another address as well, or your own address has changed."}, nil
}

// lasting is what of a match a letter can change for good.
type lasting struct {
	State match.State
	Held  []match.PendingAnswer
	Seats []match.Seat
	// Back is a request to take back, Acts are the others.
	Back *match.Takeback
	Acts match.Acts
}

func lastingOf(m *match.Match) lasting {
	l := lasting{m.State, append([]match.PendingAnswer{}, m.Pending...), slices.Clone(m.Seats), m.Takeback, m.Acts}
	for i := range l.Seats {
		p := *l.Seats[i].Player
		l.Seats[i].Player, l.Seats[i].Key = &p, bytes.Clone(l.Seats[i].Key)
		l.Seats[i].Letters, l.Seats[i].MessagesSent, l.Seats[i].Clock = 0, match.DailyCount{}, clock.Clock{}
	}
	return l
}

// dropAnswer leaves out the answer to a letter that carried out nothing, when its writer
// has had many such answers lately: so two machines that answer each other come to
// an end. Letters that moved the match are always answered. Orders that are kept, and
// changes of the writer's own affairs, can be repeated for ever, as by a robot that copies
// somebody in each time, so that the token changes: they are counted too, each apart.
//
// A token never changes without the letter that has the new one. When such a letter is
// left out, the change waits for the next letter to the seat, whatever brings it.
//
// It is decided before the answer is composed, which is what takes longest.
func dropAnswer(ctx context.Context, j *letterRun, seat rules.Seat) {
	if j.before == nil || seat == rules.NoSeat {
		return
	}
	m, was := j.turn.Match, j.before
	who, renewed := &m.Seats[seat], !bytes.Equal(was.Seats[seat].Key, m.Seats[seat].Key)
	asks := renewed && slices.ContainsFunc(slices.Concat(j.reply.contact.letters, j.reply.questions),
		func(d exchange.Dispatch) bool { return d.Seat == rules.NoSeat && d.Observer == 0 })
	if len(j.turn.Entries) > 0 || was.State != m.State || asks { // Where other addresses are asked, requests bound how often.
		j.answer.Dropped = false
		return
	}
	if !j.tooMany(ctx, was.sort(lastingOf(m), seat)) {
		return
	}
	a := j.a
	a.Log.WarnContext(ctx, "a letter that carried out nothing is not answered: there were too many", "match", m.ID, "seat", int(seat),
		"token_waits", renewed)
	if renewed {
		who.Key, who.KeyExposed = was.Seats[seat].Key, true
	}
	if p := who.Timing.Proposal; p != nil && p.Number == who.Letters+1 {
		who.Timing.Proposal = nil // Nobody is asked.
	}
	if reflect.DeepEqual(*was, lastingOf(m)) {
		j.letter.Raw = nil // A robot's letters need not fill the disk either.
	}
}

// tooMany reports whether the writer has had too many answers to letters of a sort that carried out nothing, and counts
// this one.
func (j *letterRun) tooMany(ctx context.Context, sort string) bool {
	if !j.answerCounted {
		j.answerCounted, j.answer.Dropped = true, !j.a.Replies.MayAnswerTo(ctx, j.letter,
			sort+fmt.Sprintf("seat %s %d", j.turn.Match.ID, j.play.Seat),
			j.turn.Match.Seats[j.play.Seat].Player.Address)
	}
	return j.answer.Dropped
}

// sort names the sort of a letter that carried out nothing, by what a match was and is:
// orders that are kept, other changes, or nothing.
func (l lasting) sort(is lasting, seat rules.Seat) string {
	switch {
	case !reflect.DeepEqual(l.Held, is.Held), l.Back != is.Back, !reflect.DeepEqual(l.Acts, is.Acts),
		l.Seats[seat].Timing.DelayedLetter != is.Seats[seat].Timing.DelayedLetter:
		return "orders of "
	case !reflect.DeepEqual(l.byLetter(l, seat), is.byLetter(l, seat)):
		return "changes of "
	}
	return ""
}

// byLetter leaves out the changes of tokens that a letter of a seat has not brought about:
// they waited for some letter to go out.
func (l lasting) byLetter(was lasting, seat rules.Seat) lasting {
	l.Seats = slices.Clone(l.Seats)
	for i := range l.Seats {
		if rules.Seat(i) != seat || was.Seats[i].KeyExposed {
			l.Seats[i].Key = nil
		}
		l.Seats[i].KeyExposed = false
	}
	return l
}

// identify finds the match and the seat of a letter: the token must be one that
// we made, and the sender an address that the seat's player has. Otherwise the match is
// nil.
func (a *Adjudicator) identify(ctx context.Context, l exchange.Letter) (*match.Match, rules.Seat, error) {
	if l.Token == nil || l.Genuine == nil {
		return nil, rules.NoSeat, nil
	}
	seat := l.Token.Seat
	m, s, err := a.named(ctx, l.Token.Match, seat)
	if err != nil || s == nil {
		return nil, rules.NoSeat, err
	}
	if l.From == "" || !l.Genuine(s.Key) || !s.Player.Contains(l.From) {
		return nil, rules.NoSeat, nil
	}
	return m, seat, nil
}

// Knows reports whether a token is genuine, of a seat or of an observer at an address.
func (a *Adjudicator) Knows(ctx context.Context, t exchange.Token, genuine func(key []byte) bool, address string) (bool, error) {
	switch {
	case t.Director:
		return contact.Same(address, a.Director) && genuine(a.Replies.DirectorKey()), nil
	case t.Match == exchange.ClubName:
		return a.knowsMember(ctx, t, genuine, address)
	case t.Seat == rules.NoSeat:
		return genuine(a.Replies.ObserverKey(address)), nil
	}
	_, s, err := a.named(ctx, t.Match, t.Seat)
	return s != nil && genuine(s.Key), err
}

// named finds the match and the seat that a token names. Anybody can write a token: the
// seat is nil where there is none.
func (a *Adjudicator) named(ctx context.Context, match string, seat rules.Seat) (*match.Match, *match.Seat, error) {
	m, err := a.lookUp(ctx, match)
	if err != nil || m == nil || seat < 0 || int(seat) >= len(m.Seats) {
		return m, nil, err
	}
	return m, &m.Seats[seat], nil
}

// lookUp reads a match; nil where there is none of that name.
func (a *Adjudicator) lookUp(ctx context.Context, id string) (*match.Match, error) {
	m, err := a.Store.Match(ctx, id)
	if errors.Is(err, exchange.ErrNoMatch) {
		return nil, nil
	}
	return m, err
}

// chooseCandidate takes the newest genuine token of a letter that has several tokens: a forged token must not hide it. Without
// a genuine token, or with tokens of several seats, the letter stays as it is.
func chooseCandidate(ctx context.Context, a *Adjudicator, l exchange.Letter) (exchange.Letter, error) {
	if len(l.Candidates) < 2 || len(l.Candidates) > exchange.MostCandidates {
		return l, nil
	}
	var best *exchange.Candidate
	matches := map[string]*match.Match{}
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
