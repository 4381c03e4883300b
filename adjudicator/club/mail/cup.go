package clubmail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Tournaments is what the secretary needs of the store for tournaments.
type Tournaments interface {
	// Tournament reads a tournament; nil where there is none of that name. Tournaments lists
	// all, the newest first, DueTournaments those that are to be looked at by now.
	Tournament(ctx context.Context, name string) (*club.Tournament, error)
	Tournaments(ctx context.Context) ([]club.Tournament, error)
	DueTournaments(ctx context.Context, now time.Time) ([]club.Tournament, error)
	// TournamentOf is the name of the tournament that a match belongs to; empty for none.
	TournamentOf(ctx context.Context, match string) (string, error)
}

// mostSteps is how many matches of a tournament begin, or members are told, before other duties
// have their turn.
const mostSteps = 25

// NewTournament makes a tournament that members can enter. The log says who has made it, and why.
func (s *Secretary) NewTournament(ctx context.Context, t club.Tournament, terms tournament.Terms, by, why string) error {
	c, err := s.holds(ctx, t, terms, by, why)
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: c})
}

// holds is what making a tournament changes.
func (s *Secretary) holds(ctx context.Context, t club.Tournament, terms tournament.Terms, by, why string) (*club.Change, error) {
	if err := club.CheckTournamentName(t.Name); err != nil {
		return nil, err
	}
	g, err := rules.Games(s.Adjudicator.Games).Find(t.Match.Game)
	if err != nil {
		return nil, err
	}
	if t.Match, err = s.endsByClock(t.Match); err != nil {
		return nil, err
	}
	if least, _ := g.Seats(); least > 2 {
		return nil, fmt.Errorf("tournaments are for games that two can play, and %s is for %d or more", g.Title(), least)
	}
	if t.Match.Seats = 2; !t.Starts.After(s.now()) {
		return nil, errors.New("a tournament starts at a time that is still to come")
	}
	if is, err := s.Store.Tournament(ctx, t.Name); err != nil {
		return nil, err
	} else if is != nil {
		return nil, fmt.Errorf("there is a tournament %s already", t.Name)
	}
	if t.Life, err = tournament.New(terms); err != nil {
		return nil, err
	}
	if t.Title == "" {
		t.Title = t.Name
	}
	t.Match.Game, t.Due, t.Words = g.Name(), t.Starts, map[int64]string{}
	return s.directs(&t, by, "the tournament "+t.Name+" is open for entries", why), nil
}

// endsByClock gives the matches of a tournament terms with which each ends, whatever its players
// do: they have a tempo, and the match is forfeited when the time of one runs out.
func (s *Secretary) endsByClock(t club.Terms) (club.Terms, error) {
	tempo := s.Terms.Tempo
	if t.Tempo != "" {
		var err error
		if tempo, err = clock.ParseTempo(t.Tempo); err != nil {
			return t, err
		}
	}
	if tempo.IsUntimed() {
		return t, errNoTempo
	}
	t.Tempo, t.Zero, t.Tournament = tempo.String(), string(clock.Forfeit), true
	return t, nil
}

var errNoTempo = errors.New("the matches of a tournament have a tempo, so that each of them ends: " +
	"write TEMPO and fast, standard, slow, or such as 72h+12h<=120h (--tempo on the command line)")

// DirectTournament lets the director change a tournament, as change does it: it returns the
// matches that are no longer part of it. The log says what was done, by whom and why.
func (s *Secretary) DirectTournament(ctx context.Context, name, by, act, why string, change func(*tournament.Tournament) ([]string, error)) (off []string, err error) {
	c, off, err := s.mends(ctx, name, by, act, why, change)
	if err != nil {
		return nil, err
	}
	return off, s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: c})
}

// mends is what such a change stores.
func (s *Secretary) mends(ctx context.Context, name, by, act, why string, change func(*tournament.Tournament) ([]string, error)) (c *club.Change, off []string, err error) {
	t, err := s.Store.Tournament(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		return nil, nil, &adjudicator.Undirected{Why: fmt.Sprintf("there is no tournament %s", name)}
	}
	if off, err = change(t.Life); err != nil {
		return nil, nil, &adjudicator.Undirected{Why: fmt.Sprintf("the tournament %s: %v", name, err)}
	}
	switch {
	case t.Life.State == tournament.CalledOff:
		t.Tell(club.TournamentOff)
	case len(off) > 0:
		t.Tell(club.RoundPaired)
	}
	if t.Due = s.now(); t.Life.State == tournament.Entering {
		t.Due = t.Starts
	}
	return s.directs(t, by, act, why), off, nil
}

// directs is what the director changes of a tournament, with what the log says of it.
func (s *Secretary) directs(t *club.Tournament, by, act, why string) *club.Change {
	return &club.Change{Tournaments: []*club.Tournament{t}, Log: []club.LogEntry{{At: s.now(), By: by, Act: act, Why: why}}}
}

// holdTournaments lets tournaments go on: they start, their matches begin and are counted, rounds
// are paired, and members are told.
func (s *Secretary) holdTournaments(ctx context.Context, now time.Time) error {
	due, err := s.Store.DueTournaments(ctx, now)
	all := []error{err}
	for i := range due {
		if err := s.hold(ctx, &due[i], now); err != nil && !errors.Is(err, match.ErrConflict) {
			all = append(all, fmt.Errorf("the tournament %s: %w", due[i].Name, err))
		}
	}
	return errors.Join(all...)
}

// hold takes a tournament on by some steps, each in a transaction of its own.
func (s *Secretary) hold(ctx context.Context, t *club.Tournament, now time.Time) error {
	if err := s.goOn(ctx, t, now); err != nil {
		return err
	}
	for range mostSteps {
		did, err := s.holdStep(ctx, t)
		if err != nil || !did {
			return err
		}
		if t, err = s.Store.Tournament(ctx, t.Name); err != nil {
			return err
		}
	}
	return nil
}

// goOn takes in what has happened: the time of the start, members who have left, results.
func (s *Secretary) goOn(ctx context.Context, t *club.Tournament, now time.Time) error {
	if err := s.leavers(ctx, t); err != nil {
		return err
	}
	switch life := t.Life; {
	case life.State == tournament.Entering && now.Before(t.Starts):
		t.Due = t.Starts
		return s.keep(ctx, t)
	case life.State == tournament.Entering && len(life.Entrants) < 2:
		if err := life.CallOff(); err != nil {
			return err
		}
		t.Tell(club.TournamentOff)
	case life.State == tournament.Entering:
		seeds, err := s.seeds(ctx, t)
		if err != nil {
			return err
		}
		if err := life.Start(seeds); err != nil {
			return err
		}
		t.Tell(club.RoundPaired)
	case life.State == tournament.Running, life.State == tournament.Over:
		before := life.State
		if err := s.report(ctx, t); err != nil {
			return err
		}
		changed, err := s.next(ctx, t)
		switch {
		case err != nil:
			return err
		case life.State == tournament.Over && (changed || before != tournament.Over):
			t.Tell(club.TournamentEnd)
		case changed:
			t.Tell(club.RoundPaired)
		}
	}
	return s.keep(ctx, t)
}

// lookAgain is how often a tournament is looked at while its matches are played, though nothing
// that is known of wakes it.
const lookAgain = 24 * time.Hour

// due sets when a tournament that has started is looked at again: at once if something is to be
// done, and never when it is over.
func (s *Secretary) due(t *club.Tournament) {
	switch t.Due = s.now(); {
	case len(t.Untold)+len(t.Life.UnstartedMeetings()) > 0:
	case t.Life.State == tournament.Running:
		t.Due = s.now().Add(lookAgain)
	default:
		t.Due = time.Time{}
	}
}

// keep stores a tournament as it stands.
func (s *Secretary) keep(ctx context.Context, t *club.Tournament) error {
	if t.Life.State != tournament.Entering {
		s.due(t)
	}
	err := s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Tournaments: []*club.Tournament{t}}})
	t.Version++
	return err
}

// leavers takes those out who are no longer members.
func (s *Secretary) leavers(ctx context.Context, t *club.Tournament) error {
	if t.Life.State != tournament.Entering && t.Life.State != tournament.Running {
		return nil
	}
	for _, p := range t.Life.Active() {
		m, err := s.Store.Member(ctx, p)
		if err != nil {
			return err
		}
		if m == nil || m.State != club.Active {
			if err := t.Life.Withdraw(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// seeds are the entrants, the strongest first.
func (s *Secretary) seeds(ctx context.Context, t *club.Tournament) ([]int64, error) {
	seeds, rating := t.Life.Active(), map[int64]float64{}
	for _, p := range seeds {
		var err error
		if rating[p], err = s.rating(ctx, t.Match.Game, p); err != nil {
			return nil, err
		}
	}
	// Those who are equally strong keep the order in which they have entered.
	slices.SortStableFunc(seeds, func(a, b int64) int {
		switch {
		case rating[a] > rating[b]:
			return -1
		case rating[a] < rating[b]:
			return 1
		}
		return 0
	})
	return seeds, nil
}

// holdStep begins a match that is to begin, or tells a member how it stands. It reports whether
// there was anything to do.
func (s *Secretary) holdStep(ctx context.Context, t *club.Tournament) (did bool, err error) {
	if begin := t.Life.UnstartedMeetings(); len(begin) > 0 {
		return true, s.beginMeeting(ctx, t, begin[0])
	}
	if len(t.Untold) > 0 {
		return true, s.tellOf(ctx, t, t.Untold[0])
	}
	return false, nil
}

// beginMeeting begins the match of a meeting.
func (s *Secretary) beginMeeting(ctx context.Context, t *club.Tournament, at tournament.Place) error {
	pair := t.Life.Rounds[at.Round].Meetings[at.Meeting].Pair
	g, err := rules.Games(s.Adjudicator.Games).Find(t.Match.Game)
	if err != nil {
		return err
	}
	names := g.SeatNames(t.Match.Setup(g, 2))
	id, err := s.Store.NextOffer(ctx)
	if err != nil {
		return err
	}
	secret, err := record.NewSecret(s.Adjudicator.Random)
	if err != nil {
		return err
	}
	words := func(p int64) string { return fmt.Sprintf("%s; %s, round %d", t.Words[p], t.Name, at.Round+1) }
	terms, err := s.endsByClock(t.Match)
	if errors.Is(err, errNoTempo) { // The tournament is older than that rule.
		terms, err = s.endsByClock(club.Terms{Game: t.Match.Game, Seats: t.Match.Seats, Tempo: "standard"})
	}
	if err != nil {
		return err
	}
	o := &club.Offer{ID: id, Terms: terms, Created: s.now(), Expires: s.now(), Secret: secret.Bytes(),
		Parties: []club.Party{{Member: pair.First, As: names[0], Words: words(pair.First)}, {Member: pair.Second, As: names[1], Words: words(pair.Second)}}}
	b, err := s.begin(ctx, o, players{})
	if err != nil {
		return err
	}
	if err := t.Life.RecordStart(at, b.Match.ID); err != nil {
		return err
	}
	s.due(t)
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Begun: []exchange.Beginning{b}, Club: &club.Change{
		Offers: []*club.Offer{o}, Tournaments: []*club.Tournament{t}, InTournament: map[string]string{b.Match.ID: t.Name}}})
}

// tellOf tells a member how a tournament stands.
func (s *Secretary) tellOf(ctx context.Context, t *club.Tournament, member int64) error {
	t.Told(member)
	s.due(t)
	m, err := s.Store.Member(ctx, member)
	if err != nil {
		return err
	}
	c := exchange.Change{Club: &club.Change{Tournaments: []*club.Tournament{t}}}
	if m != nil && m.State == club.Active && m.Address != "" {
		a := s.answer(m, exchange.Letter{})
		if err := a.stage(ctx, t); err != nil {
			return err
		}
		d, err := a.dispatch()
		if err != nil {
			return err
		}
		c.Letters, c.Club.Members = []exchange.Dispatch{d}, []*club.Member{m}
	}
	return s.Adjudicator.Store.Apply(ctx, c)
}

// tournamentNamed finds the tournament that a line names; nil, and the line is refused, where
// there is none.
func (a *answer) tournamentNamed(ctx context.Context, l letter.Line) (*club.Tournament, error) {
	t, err := a.s.Store.Tournament(ctx, strings.ToLower(l.Command.Text))
	if err == nil && t == nil {
		a.line(l.Text, refused, fmt.Sprintf("No tournament is called %q. TOURNAMENTS lists them.", l.Command.Text))
	}
	return t, err
}

// report takes in the results of the matches that have been counted.
func (s *Secretary) report(ctx context.Context, t *club.Tournament) error {
	for _, round := range t.Life.Rounds {
		for _, m := range round.Meetings {
			if m.Match == "" {
				continue
			}
			points, err := s.pointsOf(ctx, m.Match)
			if err != nil {
				return err
			}
			if (points != nil) != m.Done || points != nil && *points != m.Points {
				t.Life.Report(m.Match, points)
			}
		}
	}
	return nil
}

// pointsOf are the half points of a match's seats; nil while it goes on. A match that was called off
// is lost by whoever did not want it; one that counts for nobody is a draw.
func (s *Secretary) pointsOf(ctx context.Context, matchID string) (*[2]int, error) {
	r, err := s.Store.Result(ctx, matchID)
	if err != nil {
		return nil, err
	}
	points := [2]int{1, 1}
	if r == nil {
		m, err := s.Adjudicator.Store.Match(ctx, matchID)
		if err != nil || m.State != match.CalledOff && !m.Published() {
			return nil, err
		}
		if lost := m.AtFault(); lost != 0 {
			points = [2]int{tournament.Points(!lost.Has(0)), tournament.Points(!lost.Has(1))}
		}
		return &points, nil
	}
	if !r.Drawn && r.Annulled == "" {
		points = [2]int{tournament.Points(r.Seats[0].Won), tournament.Points(r.Seats[1].Won)}
	}
	return &points, nil
}

// next takes a tournament on as far as it goes.
func (s *Secretary) next(ctx context.Context, t *club.Tournament) (changed bool, err error) {
	changed = t.Life.Next(func(p int64) bool {
		played, e := s.played(ctx, t.Life, p)
		err = errors.Join(err, e)
		return played
	})
	return changed, err
}

// played reports whether a player has taken part in a tournament: he has sent an order in a match, or
// has joined one with sealed words, or has matches and has lost none of them: others gave them up
// before anything was asked of him.
func (s *Secretary) played(ctx context.Context, life *tournament.Tournament, p int64) (bool, error) {
	matches, lost := 0, 0
	for _, r := range life.Rounds {
		for _, meeting := range r.Meetings {
			seat := slices.Index([]int64{meeting.First, meeting.Second}, p)
			if seat < 0 || meeting.Match == "" {
				continue
			}
			if matches++; meeting.Points[seat] == 0 {
				lost++
			}
			m, err := s.Adjudicator.Store.Match(ctx, meeting.Match)
			if err != nil {
				return false, err
			}
			if m.SealedWords && m.Seats[seat].Joined {
				return true, nil
			}
			entries, err := s.Adjudicator.Store.History(ctx, m.ID)
			if err != nil {
				return false, err
			}
			if presence := record.PresenceIn(entries); presence.OrdersSent(record.SeatName(m.Seats[seat].Name)) > 0 {
				return true, nil
			}
		}
	}
	return matches > 0 && lost == 0, nil
}
