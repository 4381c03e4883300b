package engine

import (
	"bytes"
	"encoding/json"
	"fmt"

	"samizdat/rules"
)

// openVote asks the three holders of a full crisis for their ballots (rule 5.2).
func (p *Position) openVote(s Space, dst []rules.Event) []rules.Event {
	p.VotedOn = s
	for i, u := range around[s] {
		p.Voters[i] = p.Holders[u]
	}
	p.askVoters(Voting)
	return happened(dst, EventVote, rules.Nobody, int(s), int(p.Voters[0]), int(p.Voters[1]), int(p.Voters[2]))
}

// counts is what is published of the ballots.
type counts struct {
	Monarchy int `json:"monarchy"`
	Republic int `json:"republic"`
}

// Tally implements rules.Teller.
func (Rules) Tally(ballots []rules.Ballot) ([]byte, error) {
	var n counts
	for _, b := range ballots {
		switch b.Atom {
		case NewAtom(VerbVote, int(Monarchist)):
			n.Monarchy++
		case NewAtom(VerbVote, int(Republican)):
			n.Republic++
		default:
			return nil, fmt.Errorf("ballot %#x: %w", uint32(b.Atom), errNoOption)
		}
	}
	return json.Marshal(n)
}

// Declare implements rules.Teller: a vote that all agree on moves a minister, any other is
// followed by a purge (rules 5.2 and 5.4).
func (Rules) Declare(rp rules.Position, group uint32, outcome []byte, _ rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	p, ok := rp.(*Position)
	if !ok {
		return dst, fmt.Errorf("%T takes no outcome of a vote", rp)
	}
	var n counts
	d := json.NewDecoder(bytes.NewReader(outcome))
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return dst, fmt.Errorf("read the counts of a vote: %w", err)
	}
	if p.Phase != Voting || group != p.Group || n.Monarchy < 0 || n.Republic < 0 || n.Monarchy+n.Republic != len(p.Voters) {
		return dst, fmt.Errorf("%d for Monarchy and %d for the Republic in group %d are no count of three ballots in group %d",
			n.Monarchy, n.Republic, group, p.Group)
	}
	return p.declare(n.Monarchy, dst), nil
}

// declare goes on with the counts of the three ballots.
func (p *Position) declare(monarchy int, dst []rules.Event) []rules.Event {
	republic := len(p.Voters) - monarchy
	p.Asked = [MostSeats]rules.DecisionID{}
	p.Counts[Monarchist], p.Counts[Republican] = uint8(monarchy), uint8(republic)
	dst = happened(dst, EventCounted, rules.Nobody, int(p.VotedOn), monarchy, republic)
	if monarchy == 0 || republic == 0 {
		return p.resolve(dst)
	}
	p.askVoters(Purging)
	return dst
}

// pick takes whom a voter points at (rule 5.4). When all three have, he who was pointed at
// by both others loses his token; where nobody was, the crisis stays unresolved.
func (p *Position) pick(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	p.Asked[s] = 0
	p.picks[s] = rules.Seat(ValueOf(a))
	dst = happened(dst, EventPicked, s, ValueOf(a))
	if p.waits() {
		return dst
	}
	victim := p.purged()
	p.clearPicks()
	if victim < 0 {
		p.Verdicts[p.VotedOn] = Unresolved
		return p.closeVote(happened(dst, EventUnresolved, rules.Nobody, int(p.VotedOn)))
	}
	u := around[p.VotedOn][victim]
	p.Holders[u] = rules.Nobody
	for i, trace := range p.Traces[u] {
		if trace == rules.Nobody {
			p.Traces[u][i] = p.Voters[victim]
			break
		}
	}
	return p.resolve(happened(dst, EventPurged, p.Voters[victim], int(u), int(p.VotedOn)))
}

// purged is the place among the voters of the one whom both others point at, or -1.
func (p *Position) purged() int {
	a, b, c := p.Voters[0], p.Voters[1], p.Voters[2]
	switch {
	case p.picks[b] == a && p.picks[c] == a:
		return 0
	case p.picks[a] == b && p.picks[c] == b:
		return 1
	case p.picks[a] == c && p.picks[b] == c:
		return 2
	}
	return -1
}

// resolve gives the winning colour's reform its minister (rule 5.3, ruling 9).
func (p *Position) resolve(dst []rules.Event) []rules.Event {
	won := Monarchist
	if p.Counts[Republican] > p.Counts[Monarchist] {
		won = Republican
	}
	p.Verdicts[p.VotedOn] = uint8(won)
	r := p.Cards[p.VotedOn].Reform(won)
	before := p.Ministers[r]
	if before != won {
		p.Ministers[r] = won
		p.Moves++
	}
	return p.closeVote(happened(dst, EventMinister, rules.Nobody, int(r), int(won), int(before), int(p.VotedOn)))
}

// closeVote goes on after a vote: between two of them everybody may call a revolution.
func (p *Position) closeVote(dst []rules.Event) []rules.Event {
	p.VotedOn, p.Counts = 0, [3]uint8{}
	p.Voters = [3]rules.Seat{rules.Nobody, rules.Nobody, rules.Nobody}
	if s := p.Queue[0]; s != 0 && p.Full(s) && p.Complete() {
		p.askAll(Calling)
		return dst
	}
	return p.next(dst)
}
