package clubmail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Tournaments reads tournaments from the store.
type Tournaments interface {
	// Tournament returns nil if no tournament has the name. Tournaments lists the newest tournament first.
	Tournament(ctx context.Context, name string) (*club.Tournament, error)
	Tournaments(ctx context.Context) ([]club.Tournament, error)
	DueTournaments(ctx context.Context, now time.Time) ([]club.Tournament, error)
	// TournamentOf returns the name of the tournament of a match; empty for none.
	TournamentOf(ctx context.Context, match string) (string, error)
}

// tournamentService runs tournaments: members enter them by letter, and RunDueTasks starts rounds and matches.
type tournamentService struct {
	store   Store
	replies conversation.Replies
	games   rules.Games
	writer  letterWriter
	starter *matchStarter
	ratings *ratingCache
}

const (
	// maxSteps is the maximum number of steps of a tournament that are taken before other tasks run. A step begins a
	// match or writes a letter.
	maxSteps = 25
	// maxCheckInterval is the longest time between two checks of a running tournament.
	maxCheckInterval = 24 * time.Hour
)

func (s *tournamentService) openTournament(ctx context.Context, t club.Tournament, terms tournament.Terms, author,
	reason string) (*club.Change, error) {
	if err := club.CheckTournamentName(t.Name); err != nil {
		return nil, err
	}
	g, err := s.games.Find(t.MatchTerms.Game)
	if err != nil {
		var names []string
		for _, known := range s.games {
			names = append(names, known.Name())
		}
		return nil, fmt.Errorf("no game is called %q here. Choose from %s", t.MatchTerms.Game, strings.Join(names, ", "))
	}
	if t.MatchTerms, err = s.requireClock(t.MatchTerms); err != nil {
		return nil, err
	}
	if minimum, _ := g.Seats(); minimum > 2 {
		return nil, fmt.Errorf("tournaments are for games of two players, and %s is for %d or more", g.Title(), minimum)
	}
	if !t.Starts.After(s.replies.Now()) {
		return nil, errors.New("the start of a tournament must be in the future")
	}
	t.MatchTerms.Seats = 2
	if existing, err := s.store.Tournament(ctx, t.Name); err != nil {
		return nil, err
	} else if existing != nil {
		return nil, fmt.Errorf("there is a tournament %s already", t.Name)
	}
	if t.Progress, err = tournament.New(terms); err != nil {
		return nil, err
	}
	t.Title = cmp.Or(t.Title, t.Name)
	t.MatchTerms.Game, t.Due, t.DiceWords = g.Name(), t.Starts, map[int64]string{}
	return s.newLoggedChange(&t, author, "the tournament "+t.Name+" is open for entries", reason), nil
}

// requireClock returns t with a tempo and with forfeit at a time-out, so that each match of a tournament ends even if
// its players are silent. It returns errNoTempo for untimed matches.
func (s *tournamentService) requireClock(t club.Terms) (club.Terms, error) {
	tempo := s.starter.defaultTerms.Tempo
	if t.Tempo != "" {
		var err error
		if tempo, err = clock.ParseTempo(t.Tempo); err != nil {
			return t, err
		}
	}
	if tempo.IsUntimed() {
		return t, errNoTempo
	}
	t.Tempo, t.OnTimeout, t.Tournament = tempo.String(), string(clock.Forfeit), true
	return t, nil
}

var errNoTempo = errors.New("the matches of a tournament need a time limit, so that each of them ends: write TEMPO and fast, " +
	"standard, slow, or a tempo such as 72h+12h<=120h")

func (s *tournamentService) startNow(ctx context.Context, name, author, reason string) (*club.Change, error) {
	t, err := s.store.Tournament(ctx, name)
	if err != nil {
		return nil, err
	}
	switch {
	case t == nil:
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("no tournament called %q could start; to open "+
			"one, write STARTS and a day", name)}
	case t.Progress.State != tournament.Entering:
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("the tournament %s does not take entries any more", name)}
	case len(t.Progress.Entrants) < 2:
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("the tournament %s needs two entrants, and has "+
			"%d", name, len(t.Progress.Entrants))}
	}
	t.Starts, t.Due = s.replies.Now(), s.replies.Now()
	return s.newLoggedChange(t, author, "the tournament "+name+" starts now", reason), nil
}

// correctTournament applies a change of the director to a tournament. calledOff are the matches that must be called
// off, because they no longer belong to the tournament.
func (s *tournamentService) correctTournament(ctx context.Context, name, by, logText, reason string,
	change func(*tournament.Tournament) ([]string, error)) (c *club.Change, calledOff []string, err error) {
	t, err := s.store.Tournament(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		return nil, nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("no tournament is called %q", name)}
	}
	if calledOff, err = change(t.Progress); err != nil {
		return nil, nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("the tournament %s: %v", name, err)}
	}
	switch {
	case t.Progress.State == tournament.CalledOff:
		t.AnnounceStage(club.TournamentCancelled)
	case len(calledOff) > 0:
		t.AnnounceStage(club.RoundPaired)
	}
	if t.Due = s.replies.Now(); t.Progress.State == tournament.Entering {
		t.Due = t.Starts
	}
	return s.newLoggedChange(t, by, logText, reason), calledOff, nil
}

func (s *tournamentService) newLoggedChange(t *club.Tournament, by, logText, reason string) *club.Change {
	return &club.Change{Tournaments: []*club.Tournament{t}, Log: []club.LogEntry{{At: s.replies.Now(), By: by, Act: logText, Reason: reason}}}
}

// runTournaments runs the due work of tournaments: it starts tournaments and matches, counts results, pairs rounds,
// and writes to members.
func (s *tournamentService) runTournaments(ctx context.Context, now time.Time) error {
	due, err := s.store.DueTournaments(ctx, now)
	errs := []error{err}
	for i := range due {
		if err := s.runTournament(ctx, &due[i], now); err != nil && !errors.Is(err, match.ErrConflict) {
			errs = append(errs, fmt.Errorf("run tournament %s: %w", due[i].Name, err))
		}
	}
	return errors.Join(errs...)
}

// runTournament updates the state of a tournament, and then begins its matches and writes its letters. Each of these steps
// has its own transaction.
func (s *tournamentService) runTournament(ctx context.Context, t *club.Tournament, now time.Time) error {
	if err := s.advance(ctx, t, now); err != nil {
		return err
	}
	for range maxSteps {
		var err error
		switch unstarted := t.Progress.UnstartedMeetings(); {
		case len(unstarted) > 0:
			err = s.beginMeeting(ctx, t, unstarted[0])
		case len(t.ToNotify) > 0:
			err = s.notifyMember(ctx, t, t.ToNotify[0])
		default:
			return nil
		}
		if err == nil {
			t, err = s.store.Tournament(ctx, t.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// advance updates the state of a tournament: it withdraws members who have left the club, starts the tournament or calls it
// off, copies results, and pairs the next round.
func (s *tournamentService) advance(ctx context.Context, t *club.Tournament, now time.Time) error {
	if err := s.withdrawFormerMembers(ctx, t); err != nil {
		return err
	}
	switch progress := t.Progress; {
	case progress.State == tournament.Entering && now.Before(t.Starts):
		t.Due = t.Starts
		return s.save(ctx, t)
	case progress.State == tournament.Entering && len(progress.Entrants) < 2:
		if err := progress.CallOff(); err != nil {
			return err
		}
		t.AnnounceStage(club.TournamentCancelled)
	case progress.State == tournament.Entering:
		seeds, err := s.loadSeeds(ctx, t)
		if err != nil {
			return err
		}
		if err := progress.Start(seeds); err != nil {
			return err
		}
		t.AnnounceStage(club.RoundPaired)
	case progress.State == tournament.Running, progress.State == tournament.Over:
		before := progress.State
		if err := s.copyResults(ctx, t); err != nil {
			return err
		}
		var errPlayed error
		hasChanged := progress.Advance(func(p int64) bool {
			played, err := s.hasPlayed(ctx, progress, p)
			errPlayed = errors.Join(errPlayed, err)
			return played
		})
		switch {
		case errPlayed != nil:
			return errPlayed
		case progress.State == tournament.Over && (hasChanged || before != tournament.Over):
			t.AnnounceStage(club.TournamentEnd)
		case hasChanged:
			t.AnnounceStage(club.RoundPaired)
		}
	}
	return s.save(ctx, t)
}

// scheduleNextStep sets the time of the next step of a started tournament: now if a match or a letter is due, after
// maxCheckInterval if it is running, and never if it is over.
func (s *tournamentService) scheduleNextStep(t *club.Tournament) {
	switch t.Due = s.replies.Now(); {
	case len(t.ToNotify)+len(t.Progress.UnstartedMeetings()) > 0:
	case t.Progress.State == tournament.Running:
		t.Due = s.replies.Now().Add(maxCheckInterval)
	default:
		t.Due = time.Time{}
	}
}

func (s *tournamentService) save(ctx context.Context, t *club.Tournament) error {
	if t.Progress.State != tournament.Entering {
		s.scheduleNextStep(t)
	}
	err := s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Tournaments: []*club.Tournament{t}}})
	t.Version++
	return err
}

func (s *tournamentService) withdrawFormerMembers(ctx context.Context, t *club.Tournament) error {
	if t.Progress.State != tournament.Entering && t.Progress.State != tournament.Running {
		return nil
	}
	for _, p := range t.Progress.ActivePlayers() {
		m, err := s.store.Member(ctx, p)
		if err == nil && (m == nil || m.State != club.MemberActive) {
			err = t.Progress.Withdraw(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadSeeds returns the entrants sorted by rating, the strongest first. Entrants with equal ratings keep the order in
// which they entered.
func (s *tournamentService) loadSeeds(ctx context.Context, t *club.Tournament) ([]int64, error) {
	seeds, rating := t.Progress.ActivePlayers(), map[int64]float64{}
	for _, p := range seeds {
		var err error
		if rating[p], err = s.ratings.rating(ctx, t.MatchTerms.Game, p); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(seeds, func(a, b int64) int { return cmp.Compare(rating[b], rating[a]) })
	return seeds, nil
}

func (s *tournamentService) beginMeeting(ctx context.Context, t *club.Tournament, index tournament.MeetingIndex) error {
	pair := t.Progress.Rounds[index.Round].Meetings[index.Meeting].Pair
	g, err := s.games.Find(t.MatchTerms.Game)
	if err != nil {
		return err
	}
	names := g.SeatNames(t.MatchTerms.Setup(g, 2))
	words := func(p int64) string { return fmt.Sprintf("%s; %s, round %d", t.DiceWords[p], t.Name, index.Round+1) }
	terms, err := s.requireClock(t.MatchTerms)
	if errors.Is(err, errNoTempo) { // Older tournaments may have no tempo.
		terms, err = s.requireClock(club.Terms{Game: t.MatchTerms.Game, Seats: t.MatchTerms.Seats, Tempo: "standard"})
	}
	if err != nil {
		return err
	}
	o, err := s.starter.newOffer(ctx, s.replies.Now(), terms, club.Party{Member: pair.First, SeatName: names[0], Words: words(pair.First)},
		club.Party{Member: pair.Second, SeatName: names[1], Words: words(pair.Second)})
	if err != nil {
		return err
	}
	b, err := s.starter.beginMatch(ctx, o, players{})
	if err != nil {
		return err
	}
	if err := t.Progress.RecordStart(index, b.Match.ID); err != nil {
		return err
	}
	s.scheduleNextStep(t)
	return s.replies.Store.Apply(ctx, exchange.Change{NewMatches: []exchange.NewMatch{b}, Club: &club.Change{
		Offers: []*club.Offer{o}, Tournaments: []*club.Tournament{t}, TournamentOfMatch: map[string]string{b.Match.ID: t.Name}}})
}

func (s *tournamentService) notifyMember(ctx context.Context, t *club.Tournament, member int64) error {
	t.MarkNotified(member)
	s.scheduleNextStep(t)
	m, err := s.store.Member(ctx, member)
	if err != nil {
		return err
	}
	if m == nil || m.State != club.MemberActive || m.Address == "" {
		return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Tournaments: []*club.Tournament{t}}})
	}
	ans := s.writer.newAnswer(m, exchange.Letter{})
	ans.change.Tournaments = []*club.Tournament{t}
	if err := s.addStage(ctx, ans, t); err != nil {
		return err
	}
	return ans.send(ctx)
}

func (s *tournamentService) copyResults(ctx context.Context, t *club.Tournament) error {
	for _, round := range t.Progress.Rounds {
		for _, m := range round.Meetings {
			if m.Match == "" {
				continue
			}
			points, err := s.loadPoints(ctx, m.Match)
			if err != nil {
				return err
			}
			if (points != nil) != m.Done || points != nil && *points != m.Points {
				t.Progress.RecordResult(m.Match, points)
			}
		}
	}
	return nil
}

// loadPoints returns the half points of a match's seats; nil while the match is in play. In a match that was called
// off, the player at fault loses. An annulled match, or a match that was called off without a player at fault, is a
// draw.
func (s *tournamentService) loadPoints(ctx context.Context, matchID string) (*[2]int, error) {
	r, err := s.store.Result(ctx, matchID)
	if err != nil {
		return nil, err
	}
	points := [2]int{1, 1}
	if r == nil {
		m, err := s.replies.Store.Match(ctx, matchID)
		if err != nil || m.State != match.CalledOff && !m.IsPublished() {
			return nil, err
		}
		if lost := m.SeatsAtFault(); lost != 0 {
			points = [2]int{tournament.PointsFor(!lost.Has(0)), tournament.PointsFor(!lost.Has(1))}
		}
		return &points, nil
	}
	if !r.Drawn && r.AnnulmentReason == "" {
		points = [2]int{tournament.PointsFor(r.Seats[0].Won), tournament.PointsFor(r.Seats[1].Won)}
	}
	return &points, nil
}

// hasPlayed reports whether a player has taken part in a tournament: the player has sent an order in a match, has joined
// a match with sealed words, or has had matches and lost none. The last case counts because the opponents may have given
// up before the player's first move.
func (s *tournamentService) hasPlayed(ctx context.Context, progress *tournament.Tournament, p int64) (bool, error) {
	matches, losses := 0, 0
	for _, r := range progress.Rounds {
		for _, meeting := range r.Meetings {
			seat := slices.Index([]int64{meeting.First, meeting.Second}, p)
			if seat < 0 || meeting.Match == "" {
				continue
			}
			if matches++; meeting.Points[seat] == 0 {
				losses++
			}
			m, err := s.replies.Store.Match(ctx, meeting.Match)
			if err != nil {
				return false, err
			}
			if m.SealedWords && m.Seats[seat].Joined {
				return true, nil
			}
			entries, err := s.replies.Store.History(ctx, m.ID)
			if err != nil {
				return false, err
			}
			if presence := record.CountPresence(entries); presence.OrdersSent(record.SeatName(m.Seats[seat].Name)) > 0 {
				return true, nil
			}
		}
	}
	return matches > 0 && losses == 0, nil
}
