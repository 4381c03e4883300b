package club

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/naming"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// SidesMethod is the method that assigns sides to the players.
type SidesMethod string

// The methods.
const (
	// SidesChosen lets players name their sides. A side that no player names goes to the player who has had it least
	// often.
	SidesChosen SidesMethod = ""
	// SidesByBid lets the players bid for sides, by the rules of the game.
	SidesByBid SidesMethod = "bid"
	// SidesByLot draws lots; they depend on the secret of the match and the words of the players.
	SidesByLot SidesMethod = "lot"
	// SidesBalanced gives each side to the player who has had it least often.
	SidesBalanced SidesMethod = "balance"
)

// Terms are the terms of an offered match.
type Terms struct {
	Game    string            `json:"game"`
	Options map[string]string `json:"options,omitempty"`
	// Seats is the number of players; 0 if the match begins with all who have accepted.
	Seats int `json:"seats,omitempty"`
	// Tempo and OnTimeout are the time control and the time-out policy in the syntax of package clock; empty for the
	// club's defaults.
	Tempo     string      `json:"tempo,omitempty"`
	OnTimeout string      `json:"zero,omitempty"`
	Sides     SidesMethod `json:"sides,omitempty"`
	Unrated   bool        `json:"unrated,omitempty"`
	// Within is the slowest pace (see Pace) of an opponent that the member accepts (PAIR ME ... WITHIN); 0 for any. It is
	// not a term of the match itself.
	Within time.Duration `json:"within,omitempty"`
	// Tournament is set if the match belongs to a tournament.
	Tournament bool `json:"tournament,omitempty"`
}

// Party is a player of an offered match: a member who has agreed to play, or a robot.
type Party struct {
	Member int64 `json:"member"`
	// SeatName is the wanted seat; empty for any.
	SeatName string `json:"as,omitempty"`
	// Words are mixed into the dice.
	Words string `json:"words"`
	// Robot is the name of the robot; empty for a member.
	Robot string `json:"robot,omitempty"`
}

// OfferState is the state of an offer.
type OfferState string

// The states of an offer.
const (
	OfferOpen      OfferState = "open"
	OfferAccepted  OfferState = "accepted"
	OfferDeclined  OfferState = "declined"
	OfferWithdrawn OfferState = "withdrawn"
	OfferLapsed    OfferState = "lapsed"
)

// Offer is a match that a member offers to all members, or only to the challenged members.
type Offer struct {
	// ID is the number that members write, as in ACCEPT 7.
	ID    int64
	Terms Terms
	State OfferState
	// Parties have agreed to play; the first one has made the offer.
	Parties []Party
	// Challenged are the members who may accept, for example Ben after CHALLENGE Ben. If it is empty, all members may
	// accept.
	Challenged []int64
	Created    time.Time
	Expires    time.Time
	// Secret is the source of the dice. Its commitment is published with the offer.
	Secret []byte
	// Match is the name of the match that the offer has led to; empty before the match begins.
	Match   string
	Version int64
}

// Author returns the number of the member who has made the offer.
func (o *Offer) Author() int64 { return o.Parties[0].Member }

// HasParty reports whether a member has agreed to play.
func (o *Offer) HasParty(member int64) bool {
	return slices.ContainsFunc(o.Parties, func(p Party) bool { return p.Member == member })
}

// IsVisibleTo reports whether a member may know of an offer.
func (o *Offer) IsVisibleTo(member int64) bool {
	return len(o.Challenged) == 0 || o.HasParty(member) || slices.Contains(o.Challenged, member)
}

// NeedsAcceptance reports whether the match begins only when other members have accepted the offer. The match of any other
// offer (of the queue, a tournament or PLAY ROBOT) begins at once.
func (o *Offer) NeedsAcceptance() bool { return o.Expires.After(o.Created) }

// HasRobots reports whether a party is a robot.
func (o *Offer) HasRobots() bool {
	return slices.ContainsFunc(o.Parties, func(p Party) bool { return p.Robot != "" })
}

// IsFull reports whether the offer has all its players. maximum is the maximum number of players of the game.
func (o *Offer) IsFull(maximum int) bool {
	if o.Terms.Seats > 0 {
		maximum = o.Terms.Seats
	}
	return len(o.Parties) >= maximum
}

// QueueEntry is a member in the queue for pairing.
type QueueEntry struct {
	Member int64
	Terms  Terms
	// MaxMatches is the number of matches at which the member is no longer paired.
	MaxMatches int
	// Since is the time of joining the queue, or of the last pairing.
	Since time.Time
	// Words are mixed into the dice.
	Words string
	// RunningMatches is the number of the member's running matches when the entry was loaded.
	RunningMatches int
}

// AssignSeats assigns parties to the seats with the given names. It returns for each seat the index of its party, or
// nil if two parties want the same seat. The function played returns how often a party has had a seat. lot is a
// random order of the parties; it breaks ties, and decides alone for SidesByLot.
func AssignSeats(sides SidesMethod, parties []Party, names []string, played func(party int, seat string) int, lot []int) []int {
	out := make([]int, len(names))
	for i := range out {
		out[i] = -1
	}
	unassigned := slices.Clone(lot)
	if sides == SidesChosen {
		for p, party := range parties {
			i := slices.Index(names, party.SeatName)
			switch {
			case party.SeatName == "":
				continue
			case i < 0 || out[i] >= 0:
				return nil
			}
			out[i] = p
			unassigned = slices.DeleteFunc(unassigned, func(r int) bool { return r == p })
		}
	}
	for i := range out {
		if out[i] >= 0 {
			continue
		}
		best := 0
		if sides == SidesBalanced || sides == SidesChosen {
			best = findLeastPlayed(unassigned, names, i, out, played)
		}
		out[i] = unassigned[best]
		unassigned = slices.Delete(unassigned, best, best+1)
	}
	return out
}

// findLeastPlayed returns the index in unassigned of the party that should get a seat. It compares, for each party, how
// often the party has had this seat with how often it has had the other free seats, and takes the party with the lowest
// difference.
func findLeastPlayed(unassigned []int, names []string, seat int, assigned []int, played func(int, string) int) (best int) {
	minimum := 0
	for k, party := range unassigned {
		n := 0
		for i, name := range names {
			switch {
			case i == seat:
				n += (len(names) - 1) * played(party, name)
			case assigned[i] < 0:
				n -= played(party, name)
			}
		}
		if k == 0 || n < minimum {
			best, minimum = k, n
		}
	}
	return best
}

const maxOfferDays = 90

// MatchRequest holds everything that an order for a match (OFFER, CHALLENGE, PAIR ME, PLAY ROBOT) asks for: the
// terms, and the writer's own wishes.
type MatchRequest struct {
	Terms Terms
	// SeatName is the wanted seat; empty for any.
	SeatName string
	// Days is the number of days after which the offer expires; 0 for the default.
	Days int
	// MaxMatches is the number after UP TO in PAIR ME, the maximum number of matches at once.
	MaxMatches int
	// Level is the strength of a robot, 1 to 5; 0 for the default.
	Level int
}

// FindGame finds a game by its short name or by a word of its title: "1989" or "dawn".
func FindGame(games rules.Games, word string) (*rules.Game, error) {
	word = strings.ToLower(strings.Trim(word, ".,:;!?"))
	var names []string
	for _, g := range games {
		if word == strings.ToLower(g.Name()) || word != "" && slices.Contains(order.Words(g.Title()), word) && len(word) > 3 {
			return g, nil
		}
		names = append(names, g.Name())
	}
	return nil, fmt.Errorf("no game is called %q here. Choose from %s", word, strings.Join(names, ", "))
}

// fieldReader reads the words of an order one by one. fields are the words that it has not read yet.
type fieldReader struct{ fields []string }

func (r *fieldReader) next() string {
	if len(r.fields) == 0 {
		return ""
	}
	out := r.fields[0]
	r.fields = r.fields[1:]
	return out
}

// takeClause removes and returns the fields before the next word that starts a clause, e.g. TEMPO.
func (r *fieldReader) takeClause() (out []string) {
	for len(r.fields) > 0 && clauseReaders[strings.ToUpper(r.fields[0])] == nil {
		out = append(out, r.next())
	}
	return out
}

// ReadTerms reads the terms in OFFER, CHALLENGE, PAIR ME and PLAY ROBOT, e.g. "1989 AS COMMUNIST TEMPO standard".
func ReadTerms(games rules.Games, remaining string) (out MatchRequest, err error) {
	w := &fieldReader{strings.Fields(remaining)}
	var g *rules.Game
	switch {
	case len(w.fields) > 0:
		if g, err = FindGame(games, w.next()); err != nil {
			return out, err
		}
	case len(games) == 1:
		g = games[0]
	default:
		return out, errors.New("write the game after it, such as " + games[0].Name())
	}
	out.Terms.Game = g.Name()
	for len(w.fields) > 0 {
		if err := out.readClause(w); err != nil {
			return out, err
		}
	}
	return out, out.checkTerms(g)
}

func (r *MatchRequest) readClause(w *fieldReader) error {
	word := strings.ToUpper(w.next())
	if read := clauseReaders[word]; read != nil {
		return read(r, w)
	}
	name, value, isGiven := strings.Cut(word, "=")
	if !isGiven {
		value = "yes"
	}
	if r.Terms.Options == nil {
		r.Terms.Options = map[string]string{}
	}
	r.Terms.Options[strings.ToLower(name)] = strings.ToLower(value)
	return nil
}

// clauseReaders maps the first word of a clause to the function that reads the clause. init fills it, because the
// functions use clauseReaders themselves, to find the end of a clause.
var clauseReaders map[string]func(r *MatchRequest, w *fieldReader) error

func init() {
	clauseReaders = map[string]func(r *MatchRequest, w *fieldReader) error{
		"AS": func(r *MatchRequest, w *fieldReader) error {
			r.SeatName = strings.Join(w.takeClause(), " ")
			return nil
		},
		"TEMPO":   (*MatchRequest).readTempo,
		"ZERO":    (*MatchRequest).readTimeout,
		"SEATS":   (*MatchRequest).readSeats,
		"PLAYERS": (*MatchRequest).readSeats,
		"BY":      (*MatchRequest).readSides,
		"BIDDING": func(r *MatchRequest, _ *fieldReader) error { r.Terms.Sides = SidesByBid; return nil },
		"UNRATED": func(r *MatchRequest, _ *fieldReader) error { r.Terms.Unrated = true; return nil },
		"RATED":   func(r *MatchRequest, _ *fieldReader) error { r.Terms.Unrated = false; return nil },
		"FOR":     (*MatchRequest).readDays,
		"UP":      (*MatchRequest).readMaxMatches,
		"WITHIN":  (*MatchRequest).readWithin,
		"ANSWERS": func(*MatchRequest, *fieldReader) error { return nil }, // as in ANSWERS WITHIN A DAY
		"LEVEL":   (*MatchRequest).readLevel,
	}
}

func (r *MatchRequest) readTempo(w *fieldReader) error {
	text := strings.Join(w.takeClause(), " ")
	tempo, err := clock.ParseTempo(text)
	if err != nil && strings.Contains(strings.ToLower(text), " free ") {
		return err
	}
	if err != nil || text == "" {
		return fmt.Errorf("%q is not a tempo. Write fast, standard, slow, none, or a tempo such as 72h+12h<=120h", text)
	}
	r.Terms.Tempo = tempo.String()
	return nil
}

// SetFreeZone adds the member's time zone to a tempo whose free time has no zone: "slow free Sun" -> "72h+36h<=240h
// free Sun in Europe/Warsaw".
func (t *Terms) SetFreeZone(zone string) {
	if tempo, err := clock.ParseTempo(t.Tempo); err == nil && !tempo.Free.IsEmpty() && tempo.Free.Zone == "" {
		tempo.Free.Zone = zone
		t.Tempo = tempo.String()
	}
}

func (r *MatchRequest) readTimeout(w *fieldReader) error {
	text := strings.Join(w.takeClause(), " ")
	policy, err := clock.ParseTimeoutPolicy(text)
	if err != nil || text == "" {
		return errors.New("after ZERO write what happens when no time is left: claim, forfeit or silence")
	}
	r.Terms.OnTimeout = string(policy)
	return nil
}

func (r *MatchRequest) readSeats(w *fieldReader) (err error) {
	if r.Terms.Seats, err = strconv.Atoi(w.next()); err != nil || r.Terms.Seats < 1 {
		return errors.New("after SEATS write the number of players, such as SEATS 5")
	}
	return nil
}

func (r *MatchRequest) readSides(w *fieldReader) error {
	switch r.Terms.Sides = SidesMethod(strings.ToLower(w.next())); r.Terms.Sides {
	case SidesByBid, SidesByLot, SidesBalanced:
		return nil
	}
	return errors.New("sides are given BY BID, BY LOT or BY BALANCE")
}

func (r *MatchRequest) readDays(w *fieldReader) (err error) {
	if r.Days, err = strconv.Atoi(w.next()); err != nil || r.Days < 1 || r.Days > maxOfferDays {
		return fmt.Errorf("after FOR write the number of days that the offer stays open, 1 to %d", maxOfferDays)
	}
	w.next()
	return nil
}

func (r *MatchRequest) readMaxMatches(w *fieldReader) (err error) {
	w.next()
	if r.MaxMatches, err = strconv.Atoi(w.next()); err != nil || r.MaxMatches < 1 {
		return errors.New("after UP TO write the number of matches at once, such as UP TO 3")
	}
	return nil
}

func (r *MatchRequest) readLevel(w *fieldReader) (err error) {
	if r.Level, err = strconv.Atoi(strings.Trim(w.next(), ".,!")); err != nil || r.Level < 1 {
		return errors.New("after LEVEL write the strength of the robot, such as LEVEL 3")
	}
	return nil
}

func (r *MatchRequest) checkTerms(g *rules.Game) error {
	minimum, maximum := g.Seats()
	if minimum == maximum {
		r.Terms.Seats = maximum
	}
	if r.Terms.Seats != 0 && (r.Terms.Seats < minimum || r.Terms.Seats > maximum) {
		return fmt.Errorf("%s is for %d to %d players", g.Title(), minimum, maximum)
	}
	if r.Terms.Sides == SidesByBid && g.Bidding == nil {
		return fmt.Errorf("there is no bidding for sides in %s", g.Title())
	}
	if _, err := g.Begin(r.Terms.Setup(g, cmp.Or(r.Terms.Seats, minimum))); err != nil {
		var options []string
		for _, name := range slices.Sorted(maps.Keys(r.Terms.Options)) {
			options = append(options, strings.ToUpper(name))
		}
		return fmt.Errorf("%s cannot be played with %s", g.Title(), strings.Join(options, " "))
	}
	if r.SeatName == "" {
		return nil
	}
	if r.Terms.Sides != SidesChosen {
		return errors.New("either you choose your side with AS, or sides are given by bid, lot or balance")
	}
	seatName, err := FindSeat(g.SeatNames(r.Terms.Setup(g, maximum)), r.SeatName)
	r.SeatName = seatName
	return err
}

// Setup returns the setup of a match for a number of players.
func (t Terms) Setup(g *rules.Game, seats int) rules.Setup {
	s := rules.Setup{Seats: seats, Options: maps.Clone(t.Options), Revision: g.Revision()}
	if g.Bidding != nil && t.Sides == SidesByBid {
		if s.Options == nil {
			s.Options = map[string]string{}
		}
		maps.Copy(s.Options, g.Bidding)
	}
	return s
}

// FindSeat finds a seat by the beginning of its name.
func FindSeat(names []string, text string) (string, error) {
	spoken := naming.SpokenForm(text)
	var found []string
	for _, n := range names {
		if naming.SpokenForm(n) == spoken {
			return n, nil
		}
		if spoken != "" && strings.HasPrefix(naming.SpokenForm(n), spoken) {
			found = append(found, n)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return "", fmt.Errorf("no side is called %q. Choose from %s", text, strings.Join(names, ", "))
}

// Describe returns the terms in the syntax of OFFER, without the game, e.g. "TEMPO fast BY LOT".
func (t Terms) Describe() string {
	var out []string
	if t.Tempo != "" {
		out = append(out, "TEMPO "+t.Tempo)
	}
	if t.OnTimeout != "" {
		out = append(out, "ZERO "+t.OnTimeout)
	}
	switch t.Sides {
	case SidesByBid:
		out = append(out, "BIDDING")
	case SidesByLot, SidesBalanced:
		out = append(out, "BY "+strings.ToUpper(string(t.Sides)))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Options)) {
		option := strings.ToUpper(name)
		if value := t.Options[name]; value != "yes" {
			option += "=" + value
		}
		out = append(out, option)
	}
	if t.Unrated {
		out = append(out, "UNRATED")
	}
	return strings.Join(out, " ")
}
