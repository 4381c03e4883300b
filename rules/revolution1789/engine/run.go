package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"samizdat/rules"
)

var errNoOption = errors.New("not an option of an open decision")

// maxOptions is an upper bound for the number of options of a decision.
const maxOptions = Units + MaxSeats

// Apply implements rules.Position. It refuses ballots: ApplyOutcome applies their counts.
func (p *Position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	var buffer [maxOptions]rules.Atom
	if p.Phase == Voting || !slices.Contains(p.Options(buffer[:0], id), a) {
		return dst, fmt.Errorf("decision %d, atom %#x: %w", id, uint32(a), errNoOption)
	}
	s := p.seatOfDecision(id)
	switch p.Phase {
	case Naming:
		return p.answerNaming(s, a, c, dst)
	case Seating:
		return p.answerSeating(s, a, dst), nil
	case Purging:
		return p.answerPurge(s, a, dst), nil
	case Calling:
		return p.answerCall(s, a, dst), nil
	}
	return p.answerGift(s, a, dst), nil
}

func (p *Position) answerNaming(s rules.Seat, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	p.DecisionIDs[s] = 0
	if AtomVerb(a) == VerbName {
		p.choices[s] = rules.Seat(AtomValue(a))
	}
	dst = appendEvent(dst, EventNamed, s, int(p.choices[s]))
	if p.hasOpenDecisions() {
		return dst, nil
	}
	p.Phase = ChooseChairman
	return p.Resume(c, dst)
}

// beginTurn asks the Chairman for a unit, or ends the match if the Chairman has no legal unit (rule 6).
func (p *Position) beginTurn(dst []rules.Event) []rules.Event {
	chair := p.Order[p.Chairman]
	if !p.HasLegalUnit(chair) {
		return p.decideByMinisters(appendEvent(dst, EventNoLegalUnit, chair))
	}
	p.Turn++
	p.Phase = Seating
	p.DecisionIDs[chair] = p.nextID()
	return appendEvent(dst, EventChairman, chair, int(p.Turn))
}

func (p *Position) answerSeating(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	switch AtomVerb(a) {
	case VerbSeat:
		u := Unit(AtomValue(a))
		p.VoteQueue = p.CrisesFilledBy(u)
		p.Holders[u] = s
		dst = appendEvent(dst, EventSeated, s, int(u))
		if p.VoteQueue[1] != 0 {
			p.ChosenUnit = u
			return dst
		}
	case VerbFirst:
		if p.VoteQueue[1] == Space(AtomValue(a)) {
			p.VoteQueue[0], p.VoteQueue[1] = p.VoteQueue[1], p.VoteQueue[0]
		}
	}
	p.ChosenUnit, p.DecisionIDs[s] = 0, 0
	return p.continueTurn(dst)
}

// continueTurn opens the next vote of the turn, or ends the turn. It is called after a unit was taken, after a vote, and
// when no seat has called a revolution between two votes.
func (p *Position) continueTurn(dst []rules.Event) []rules.Event {
	s := p.VoteQueue[0]
	if s == 0 {
		return p.endTurn(dst)
	}
	p.VoteQueue[0], p.VoteQueue[1] = p.VoteQueue[1], 0
	if !p.IsFull(s) {
		// The purge after the first vote removed the Chairman's token (ruling 6).
		return p.continueTurn(appendEvent(dst, EventNoVote, rules.NoSeat, int(s)))
	}
	return p.openVote(s, dst)
}

func (p *Position) hasOpenDecisions() bool { return p.DecisionIDs != [MaxSeats]rules.DecisionID{} }

// askAll starts a phase with a sealed decision of every seat.
func (p *Position) askAll(phase Phase) {
	p.Phase, p.Group = phase, p.Group+1
	for s := range p.Players {
		p.DecisionIDs[s] = p.nextID()
	}
}

func (p *Position) askVoters(phase Phase) {
	p.Phase, p.Group = phase, p.Group+1
	for s := range rules.Seat(p.Players) {
		if slices.Contains(p.Voters[:], s) {
			p.DecisionIDs[s] = p.nextID()
		}
	}
}

func (p *Position) nextID() rules.DecisionID {
	p.lastID++
	return p.lastID
}

func (p *Position) clearChoices() {
	for i := range p.choices {
		p.choices[i] = rules.NoSeat
	}
}

func countSeats(s rules.Seats) int { return bits.OnesCount32(uint32(s)) }

// openVote asks the three holders at a full crisis for their ballots (rule 5.2).
func (p *Position) openVote(s Space, dst []rules.Event) []rules.Event {
	p.VoteSpace = s
	for i, u := range unitsAround[s] {
		p.Voters[i] = p.Holders[u]
	}
	p.askVoters(Voting)
	return appendEvent(dst, EventVote, rules.NoSeat, int(s), int(p.Voters[0]), int(p.Voters[1]), int(p.Voters[2]))
}

// ballotCounts are the published counts of the ballots, for example {"monarchy":2,"republic":1}.
type ballotCounts struct {
	Monarchy int `json:"monarchy"`
	Republic int `json:"republic"`
}

// CountBallots implements rules.BallotCounter.
func (Rules) CountBallots(ballots []rules.Ballot) ([]byte, error) {
	var n ballotCounts
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

// ApplyOutcome implements rules.BallotCounter. A vote that is not unanimous is followed by a purge (rule 5.4).
func (Rules) ApplyOutcome(rp rules.Position, group uint32, outcome []byte, _ rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	p, ok := rp.(*Position)
	if !ok {
		return dst, fmt.Errorf("apply ballot counts: got a %T, not a position of 1789", rp)
	}
	var n ballotCounts
	d := json.NewDecoder(bytes.NewReader(outcome))
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return dst, fmt.Errorf("decode ballot counts: %w", err)
	}
	if p.Phase != Voting || group != p.Group || n.Monarchy < 0 || n.Republic < 0 || n.Monarchy+n.Republic != len(p.Voters) {
		return dst, fmt.Errorf("invalid counts of group %d: %d for Monarchy, %d for the Republic; expected three ballots of group %d",
			group, n.Monarchy, n.Republic, p.Group)
	}
	return p.ApplyVoteCount(n.Monarchy, dst), nil
}

// ApplyVoteCount continues the turn after the current vote; monarchy is the number of ballots for Monarchy.
func (p *Position) ApplyVoteCount(monarchy int, dst []rules.Event) []rules.Event {
	republic := len(p.Voters) - monarchy
	p.DecisionIDs = [MaxSeats]rules.DecisionID{}
	p.BallotCounts[Monarchist], p.BallotCounts[Republican] = uint8(monarchy), uint8(republic)
	dst = appendEvent(dst, EventCounted, rules.NoSeat, int(p.VoteSpace), monarchy, republic)
	if monarchy == 0 || republic == 0 {
		return p.appointMinister(dst)
	}
	p.askVoters(Purging)
	return dst
}

// answerPurge records at which voter a seat points. After the third answer, the voter pointed at by both others loses
// the token, or the crisis stays unresolved (rule 5.4).
func (p *Position) answerPurge(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	p.DecisionIDs[s] = 0
	p.choices[s] = rules.Seat(AtomValue(a))
	dst = appendEvent(dst, EventPicked, s, AtomValue(a))
	if p.hasOpenDecisions() {
		return dst
	}
	victim := p.findPurged()
	p.clearChoices()
	if victim < 0 {
		p.Verdicts[p.VoteSpace] = Unresolved
		return p.closeVote(appendEvent(dst, EventUnresolved, rules.NoSeat, int(p.VoteSpace)))
	}
	u := unitsAround[p.VoteSpace][victim]
	p.Holders[u] = rules.NoSeat
	for i, trace := range p.Traces[u] {
		if trace == rules.NoSeat {
			p.Traces[u][i] = p.Voters[victim]
			break
		}
	}
	return p.appointMinister(appendEvent(dst, EventPurged, p.Voters[victim], int(u), int(p.VoteSpace)))
}

func (p *Position) findPurged() int {
	a, b, c := p.Voters[0], p.Voters[1], p.Voters[2]
	switch {
	case p.choices[b] == a && p.choices[c] == a:
		return 0
	case p.choices[a] == b && p.choices[c] == b:
		return 1
	case p.choices[a] == c && p.choices[b] == c:
		return 2
	}
	return -1
}

// appointMinister gives the reform of the winning colour a minister of that colour (rule 5.3, ruling 9).
func (p *Position) appointMinister(dst []rules.Event) []rules.Event {
	winner := Monarchist
	if p.BallotCounts[Republican] > p.BallotCounts[Monarchist] {
		winner = Republican
	}
	p.Verdicts[p.VoteSpace] = uint8(winner)
	r := p.Cards[p.VoteSpace].Reform(winner)
	before := p.Ministers[r]
	if before != winner {
		p.Ministers[r] = winner
		p.MinisterChanges++
	}
	return p.closeVote(appendEvent(dst, EventMinister, rules.NoSeat, int(r), int(winner), int(before), int(p.VoteSpace)))
}

// closeVote ends the current vote. If a second vote follows and all reforms have ministers, every seat may first call a
// revolution.
func (p *Position) closeVote(dst []rules.Event) []rules.Event {
	p.VoteSpace, p.BallotCounts = 0, [3]uint8{}
	p.Voters = [3]rules.Seat{rules.NoSeat, rules.NoSeat, rules.NoSeat}
	if s := p.VoteQueue[0]; s != 0 && p.IsFull(s) && p.HasAllMinisters() {
		p.askAll(Calling)
		return dst
	}
	return p.continueTurn(dst)
}

// maxGifts is the number of revolution tokens of a faction.
const maxGifts = 3

func (p *Position) endTurn(dst []rules.Event) []rules.Event {
	if p.HasAllMinisters() {
		p.askAll(Calling)
		return dst
	}
	return p.nextPlayer(dst)
}

func (p *Position) nextPlayer(dst []rules.Event) []rules.Event {
	p.Chairman = uint8((int(p.Chairman) + 1) % p.Players)
	return p.beginTurn(dst)
}

func (p *Position) answerCall(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	switch AtomVerb(a) {
	case VerbRevolution:
		p.callers |= rules.Only(s)
		return dst
	case VerbGive:
		if p.currentGifts |= rules.Only(rules.Seat(AtomValue(a))); countSeats(p.currentGifts) < maxGifts {
			return dst
		}
		fallthrough
	case VerbEndGifts:
		p.hasGiftList |= rules.Only(s)
		p.giftLists[s] = p.currentGifts
	}
	p.currentGifts, p.DecisionIDs[s] = 0, 0
	if p.hasOpenDecisions() {
		return dst
	}
	if p.callers == 0 {
		dst = appendEvent(dst, EventQuiet, rules.NoSeat)
		if p.VoteQueue[0] != 0 {
			return p.continueTurn(dst)
		}
		return p.nextPlayer(dst)
	}
	return p.startRevolution(dst)
}

// startRevolution begins a revolution: the callers show their objectives, and the first leader gives tokens. If both
// leaders have called, the leader of the faction with more ministers is first (rule 5.5).
func (p *Position) startRevolution(dst []rules.Event) []rules.Event {
	revolution := &p.Revolution
	revolution.Callers = p.callers
	var leaders [3]rules.Seat
	for s, o := range p.Objectives[:p.Players] {
		if o.IsLeader() {
			leaders[o.Faction()] = rules.Seat(s)
		}
	}
	stronger := Monarchists
	if p.CountMinisters(Republican) > p.CountMinisters(Monarchist) {
		stronger = Republicans
	}
	revolution.First, revolution.Second = leaders[stronger], leaders[Faction(Colour(stronger).Other())]
	if !p.callers.Has(revolution.First) {
		revolution.First, revolution.Second = revolution.Second, revolution.First
	}
	p.VoteQueue = [2]Space{}
	for _, s := range [...]rules.Seat{revolution.First, revolution.Second} {
		if p.callers.Has(s) {
			dst = p.reveal(s, appendEvent(dst, EventCalled, s, int(p.Objectives[s])))
		}
	}
	p.callers = 0
	p.Phase = GivingFirst
	if list := p.giftLists[revolution.First]; p.hasGiftList.Has(revolution.First) && (list&p.ShownSeats == 0 || p.listDropsShownLeader()) {
		return p.giveTokens(revolution.First, list&^p.ShownSeats, dst)
	}
	dst = p.notifyRefusedGifts(revolution.First, dst)
	p.DecisionIDs[revolution.First] = p.nextID()
	return dst
}

// notifyRefusedGifts tells a leader privately that the other leader, who has shown the card, gets no token (ruling 14).
func (p *Position) notifyRefusedGifts(s rules.Seat, dst []rules.Event) []rules.Event {
	refused := p.giftLists[s] & p.ShownSeats
	if refused == 0 || p.listDropsShownLeader() {
		return dst
	}
	dst = appendEvent(dst, EventListRefused, s, int(refused))
	dst[len(dst)-1].Audience = rules.Only(s)
	return dst
}

func (p *Position) reveal(s rules.Seat, dst []rules.Event) []rules.Event {
	if p.ShownSeats.Has(s) {
		return dst
	}
	p.ShownSeats |= rules.Only(s)
	return appendEvent(dst, EventShown, s, int(p.Objectives[s]))
}

func (p *Position) answerGift(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	switch AtomVerb(a) {
	case VerbGive:
		if p.currentGifts |= rules.Only(rules.Seat(AtomValue(a))); countSeats(p.currentGifts) < maxGifts {
			return dst
		}
		return p.giveTokens(s, p.currentGifts, dst)
	case VerbGiveListed:
		// A leader with a shown card takes no token (ruling 13).
		return p.giveTokens(s, p.giftLists[s]&^p.ShownSeats, dst)
	case VerbDecline:
		p.Revolution.Declined = true
		return p.judgeRevolutions(appendEvent(dst, EventDeclined, s, int(p.Objectives[s].Faction().Colour())))
	}
	return p.giveTokens(s, p.currentGifts, dst)
}

// giveTokens gives the tokens of a leader. After the first leader's gifts, the second leader shows the card and is asked
// (ruling 12); after the second leader's gifts, the match ends.
func (p *Position) giveTokens(s rules.Seat, to rules.Seats, dst []rules.Event) []rules.Event {
	p.currentGifts, p.DecisionIDs[s] = 0, 0
	dst = appendEvent(dst, EventGave, s, int(to), int(p.Objectives[s].Faction().Colour()))
	if p.Phase == GivingSecond {
		p.Revolution.Gifts[1] = to
		return p.judgeRevolutions(dst)
	}
	p.Revolution.Gifts[0] = to
	p.Phase = GivingSecond
	second := p.Revolution.Second
	p.DecisionIDs[second] = p.nextID()
	return p.notifyRefusedGifts(second, p.reveal(second, dst))
}
