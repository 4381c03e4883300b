package match

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/rules"
)

// Proceed begins the match if nothing is missing, and asks for what is.
func (p *Play) Proceed(ctx context.Context) error {
	switch {
	case p.Turn.Match.Unjoined() != 0, p.Turn.Match.AwaitsBeacon():
		return nil
	case p.Turn.Match.Unopened() != 0:
		if p.Turn.Match.Acts.Invited.Asked.IsZero() {
			askToOpen(p)
		}
		return nil
	}
	unseal(p.Turn)
	if p.Turn.Match.Beacon != nil {
		return nameRound(p)
	}
	return p.Begin(ctx)
}

// unseal puts the words that were sealed in their place, when all are open.
func unseal(c *Turn) {
	for i := range c.Match.Seats {
		s := &c.Match.Seats[i]
		if words, open := s.OpenedWords(); open {
			s.Words, s.Timing.Opened = words, s.Timing.Opened[:len(s.Timing.Opened)-1]
			c.Remarks = append(c.Remarks, "The words of "+c.Called(rules.Seat(i))+" were sealed, and have the seal "+s.Seal+".")
		}
	}
}

// askToOpen asks those who have sealed their words to open them, and shows all seals to all.
func askToOpen(p *Play) {
	in := &p.Turn.Match.Acts.Invited
	in.Asked, in.Reminded = p.Turn.Now.Truncate(time.Second), false
	in.Extend(p.Turn.Now, p.Invitations)
	p.Turn.Remarks = append(p.Turn.Remarks, "All have joined. The seals of all words stand below: nobody can choose other words any more.")
}

// nameRound names the round that is mixed in. All words are known, and cannot be changed any
// more.
func nameRound(p *Play) error {
	chain, err := beacon.Find(p.Turn.Match.Beacon.Chain, p.Beacon)
	if err != nil {
		return err
	}
	named := *p.Turn.Match.Beacon
	named.Round = chain.Round(p.Turn.Now.Add(untilRound))
	named.At = chain.Published(named.Round)
	p.Turn.Match.Beacon = &named
	p.Turn.Remarks = append(p.Turn.Remarks, fmt.Sprintf("All words are known; they stand below. Round %d of the public beacon %s is mixed into the dice as well. "+
		"Nobody can know it before it is published.", named.Round, named.Chain))
	return nil
}

// untilRound is how long before it is published a round is named at least, so that the letter
// that names it is out by then.
const untilRound = 15 * time.Minute
