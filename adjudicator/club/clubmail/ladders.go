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
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// Results reads results and ladders from the store.
type Results interface {
	// Fault reports whether the database has caused an error.
	Fault(err error) (reason string, ok bool)
	// UnexaminedMatches lists matches that have ended, or have been continued, since the last examination.
	UnexaminedMatches(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Result reads the result of a match; nil if there is none. Results lists the results of a game, ResultsOf a
	// player's newest results, NewestResults the newest results of all players.
	Result(ctx context.Context, match string) (*club.Result, error)
	Results(ctx context.Context, game string) ([]club.Result, error)
	ResultsOf(ctx context.Context, player int64, limit int) ([]club.Result, error)
	NewestResults(ctx context.Context, limit int) ([]club.Result, error)
	// Ladder reads the stored ladder of a game; nil if there is none. StaleLadders lists the games whose results have
	// changed since their ladder was computed, or whose ladder was computed before a time.
	Ladder(ctx context.Context, game string) (*club.Ladder, error)
	StaleLadders(ctx context.Context, period time.Time) ([]string, error)
	// UncountedUsage lists results whose match was not counted for STATS. UsageTotals returns the sums of a game.
	UncountedUsage(ctx context.Context, limit int) ([]club.MatchUsage, error)
	UsageTotals(ctx context.Context, game string) (*usage.Totals, error)
	// OfferOf reads the offer of a match; nil if the match did not begin with an offer.
	OfferOf(ctx context.Context, match string) (*club.Offer, error)
}

// ladderService finds the results of ended matches, computes the ladders, and answers LADDER, RATING and RESULTS.
type ladderService struct {
	store   Store
	replies conversation.Replies
	games   rules.Games
	pairer  *pairingService
}

const (
	// maxExamined is the number of matches examined before other tasks run.
	maxExamined = 100
	// retryDelay is the pause before a failed item of a task is tried again, so that it does not hold up the others.
	retryDelay = time.Hour
	// ladderEvery is the minimum time between two computations of a ladder.
	ladderEvery = 10 * time.Minute
	// maxLadderLines limits the lines of a ladder in a letter, besides the reader's own; maxListedResults limits the results.
	maxLadderLines, maxListedResults = 30, 20
)

// examineMatches stores the results of matches that have ended, and removes the results of matches that have been
// continued.
func (s *ladderService) examineMatches(ctx context.Context, now time.Time) error {
	ids, err := s.store.UnexaminedMatches(ctx, now, maxExamined)
	var errs []error
	for _, id := range ids {
		m, examined, err := s.examineMatch(ctx, id)
		if err == nil {
			err = s.pairer.removeTimedOutFromQueue(ctx, m)
		}
		if err == nil {
			err = s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{ExaminedMatches: []club.ExaminedMatch{examined}}})
		}
		if err != nil && !errors.Is(err, match.ErrConflict) {
			errs = append(errs, fmt.Errorf("count match %s: %w", id, err))
			if _, fault := s.store.Fault(err); fault || ctx.Err() != nil {
				break // The daemon is stopping, or the database has failed.
			}
			postponed := club.ExaminedMatch{Match: id, NextCheck: now.Add(retryDelay)}
			if err := s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{ExaminedMatches: []club.ExaminedMatch{postponed}}}); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(append(errs, err)...)
}

// examineMatch reads a match and determines its result. The result is nil until the end of the match is final.
func (s *ladderService) examineMatch(ctx context.Context, id string) (m *match.Match, examined club.ExaminedMatch, err error) {
	m, err = s.replies.Store.Match(ctx, id)
	if err != nil {
		return nil, examined, err
	}
	examined = club.ExaminedMatch{Match: id, Version: m.Version}
	if e := m.Acts.Ended; m.State == match.Over && !m.IsPublished() {
		examined.NextCheck = e.Final
		return m, examined, nil
	}
	if m.State != match.Over || m.Summary == nil {
		return m, examined, nil
	}
	result, isOver := m.Summary.Result()
	if e := m.Acts.Ended; e != nil && e.Act.Kind.BreaksOff() || !isOver && e == nil {
		return m, examined, nil
	}
	if examined.Result, err = s.newResult(m, result); err != nil {
		return nil, examined, err
	}
	if examined.Result.UnratedReason == "" {
		examined.Result.UnratedReason, err = s.explainUnrated(ctx, m)
	}
	return m, examined, err
}

func (s *ladderService) newResult(m *match.Match, result rules.Result) (*club.Result, error) {
	r := &club.Result{Match: m.ID, Game: m.Game, Ended: m.Summary.Ended, How: result.Reason, Drawn: result.Winners == 0 && !result.Lost}
	g, err := s.games.Find(m.Game)
	if err != nil {
		return nil, err
	}
	pos, err := m.CurrentPosition(g)
	if err != nil {
		return nil, err
	}
	order := g.SeatNames(rules.Setup{Seats: len(m.Seats), Revision: g.Revision()})
	for i, name := range resultSeatNames(g, m, pos) {
		r.Seats = append(r.Seats, club.ResultSeat{Player: m.Seats[i].Player.ID, Name: name,
			Won: (result.Winners &^ m.Acts.Absent).Has(rules.Seat(i))})
	}
	// After bidding, the seats are sorted as in a match without bidding, because a ladder counts results by
	// seat.
	slices.SortStableFunc(r.Seats, func(a, b club.ResultSeat) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return r, nil
}

// resultSeatNames returns the names of seats in results: a seat that got its side by a bid has the name of the side.
func resultSeatNames(g *rules.Game, m *match.Match, pos rules.Position) (names []string) {
	order := g.SeatNames(rules.Setup{Seats: len(m.Seats), Revision: g.Revision()})
	for i := range m.Seats {
		name := m.Seats[i].Name
		if g.Role != nil && pos != nil && !slices.Contains(order, name) {
			name = strings.ToLower(strings.TrimPrefix(g.Role(pos.View(rules.Seat(i))), "the "))
		}
		names = append(names, name)
	}
	return names
}

const robotPlayedReason = "a robot played for a player"

// explainUnrated explains why a match does not count for the ladder; empty if it counts.
func (s *ladderService) explainUnrated(ctx context.Context, m *match.Match) (string, error) {
	players := map[int64]bool{}
	for i := range m.Seats {
		p := m.Seats[i].Player.ID
		if m.Seats[i].Robot != "" {
			return robotPlayedReason, nil
		}
		if players[p] {
			return "one player had several seats", nil
		}
		players[p] = true
		member, err := s.store.Member(ctx, p)
		if err != nil {
			return "", err
		}
		if member == nil {
			return "not all were members", nil
		}
	}
	o, err := s.store.OfferOf(ctx, m.ID)
	switch {
	case err != nil:
		return "", err
	case o != nil && o.Terms.Unrated:
		return "as agreed", nil
	}
	entries, err := s.replies.Store.History(ctx, m.ID)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(entries, func(e record.Entry) bool { _, ok := match.RobotOf(&e); return ok }) {
		return robotPlayedReason, nil
	}
	presence := record.CountPresence(entries)
	for i := range m.Seats {
		if presence.OrdersSent(record.SeatName(m.Seats[i].Name)) == 0 {
			return "not all players had sent an order", nil
		}
	}
	return "", nil
}

// computeStaleLadders computes the ladders with changed results, or with a new period.
func (s *ladderService) computeStaleLadders(ctx context.Context, now time.Time) error {
	return s.computeLadders(ctx, now, ladderEvery)
}

// computeLadders computes the stale ladders that were computed at least minAge ago.
func (s *ladderService) computeLadders(ctx context.Context, now time.Time, minAge time.Duration) error {
	games, err := s.store.StaleLadders(ctx, ladder.PeriodOf(now).Start())
	var errs []error
	for _, game := range games {
		before, err := s.store.Ladder(ctx, game)
		if err == nil && before != nil && now.Sub(before.ComputedAt) < minAge && !now.Before(before.ComputedAt) {
			continue
		}
		var gameLadder club.Ladder
		if err == nil {
			gameLadder, err = s.computeLadder(ctx, game, now)
		}
		if before != nil {
			gameLadder.StaleChanges = before.StaleChanges
		}
		if err == nil {
			err = s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Ladders: []club.Ladder{gameLadder}}})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("compute the ladder of %s: %w", game, err))
		}
	}
	return errors.Join(append(errs, err)...)
}

func (s *ladderService) examineAllMatches(ctx context.Context, now time.Time) error {
	for {
		ids, err := s.store.UnexaminedMatches(ctx, now, 1)
		if err != nil || len(ids) == 0 {
			return errors.Join(err, s.computeLadders(ctx, now, 0))
		}
		if err := s.examineMatches(ctx, now); err != nil {
			return err
		}
	}
}

func (s *ladderService) computeLadder(ctx context.Context, game string, now time.Time) (club.Ladder, error) {
	results, err := s.store.Results(ctx, game)
	if err != nil {
		return club.Ladder{}, err
	}
	return club.ComputeLadder(game, now, results), nil
}

// setAnnulled removes a result from the ladder for a reason, or restores it if annulled is false.
func (s *ladderService) setAnnulled(ctx context.Context, match, by, reason string, annulled bool) (*club.Change, error) {
	r, err := s.store.Result(ctx, match)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("match %s has no result that could be annulled", match)}
	case annulled == (r.AnnulmentReason != ""):
		return nil, &adjudicator.RefusedDirectiveError{Reason: fmt.Sprintf("the result of match %s has that state already", match)}
	}
	c := club.Change{Annulments: []club.Annulment{{Match: match}},
		Log: []club.LogEntry{{At: s.replies.Now(), By: by, Act: club.ResultOfMatch + match + " counts again", Reason: reason}}}
	if annulled {
		c.Annulments[0].Reason, c.Log[0].Act = reason, club.ResultOfMatch+match+" is annulled"
	}
	return &c, nil
}

// sideName returns the name of a seat of a result in letters: the game's own word where it has one, e.g. Communist.
func (s *ladderService) sideName(r *club.Result, name string) string {
	g, err := s.games.Find(r.Game)
	if err != nil {
		return name
	}
	setup := rules.Setup{Seats: len(r.Seats), Revision: g.Revision()}
	i := slices.Index(g.SeatNames(setup), name)
	if i < 0 {
		return name
	}
	return strings.TrimPrefix(match.RoleBefore(g, setup, rules.Seat(i), name), "the ")
}

// formatResult returns the row of a result, e.g. "2026-11-20  struggle-400  1989, Ada (Communist) beat Ben (Democrat): ...".
func (s *ladderService) formatResult(r *club.Result, names map[int64]string) []string {
	isWonDuel := len(r.Seats) == 2 && r.Seats[0].Won != r.Seats[1].Won
	var players []string
	for _, seat := range r.Seats {
		text := names[seat.Player] + " (" + s.sideName(r, seat.Name) + ")"
		if seat.Won && !isWonDuel {
			text += " won"
		}
		players = append(players, text)
	}
	ending := r.How
	switch {
	case r.AnnulmentReason != "":
		ending += "; annulled: " + r.AnnulmentReason
	case r.UnratedReason != "":
		ending += "; not rated: " + r.UnratedReason
	}
	pairing := strings.Join(players, " v. ")
	switch {
	case r.Drawn:
		pairing += ": a draw"
	case isWonDuel && r.Seats[0].Won:
		pairing = players[0] + " beat " + players[1]
	case isWonDuel:
		pairing = players[1] + " beat " + players[0]
	}
	return []string{r.Ended.UTC().Format("2006-01-02"), r.Match, r.Game + ", " + pairing + ": " + ending}
}

func (s *ladderService) newResultsPart(title string, results []club.Result, names map[int64]string,
	emptyText string) templates.PlainSection {
	p := templates.PlainSection{Title: title}
	for i := range results {
		p.Table = append(p.Table, s.formatResult(&results[i], names))
	}
	if len(results) == 0 {
		p.Paragraphs = []string{emptyText}
	}
	return p
}

func (s *ladderService) loadLadders(ctx context.Context) (out []*club.Ladder, err error) {
	for _, g := range s.games {
		gameLadder, err := s.store.Ladder(ctx, g.Name())
		if err != nil {
			return nil, err
		}
		if gameLadder != nil && len(gameLadder.Lines) > 0 {
			out = append(out, gameLadder)
		}
	}
	return out, nil
}

func (s *ladderService) showLadder(ctx context.Context, a *answer, l letter.Line) error {
	ladders, err := s.loadLadders(ctx)
	if err != nil {
		return err
	}
	isShown := false
	for _, game := range ladders {
		if l.Command.Text != "" && game.Game != l.Command.Text {
			continue
		}
		isShown = true
		if err := s.addLadderPart(ctx, a, game); err != nil {
			return err
		}
	}
	if !isShown {
		return a.informLine(l, "The ladder is empty. Players join it when they finish a match.")
	}
	return nil
}

// addLadderPart adds the first lines of a game's ladder, and the reader's own line.
func (s *ladderService) addLadderPart(ctx context.Context, a *answer, gameLadder *club.Ladder) error {
	rows := [][]string{{"", "player", "rating", "won", "drawn", "lost"}}
	place, provisional, isMissing := 0, 0, true
	for _, line := range gameLadder.Lines {
		m, err := s.store.Member(ctx, line.Player)
		if err != nil {
			return err
		}
		if m == nil || m.State != club.MemberActive || line.IsInactive(s.replies.Now()) {
			continue
		}
		at := "?"
		if line.IsProvisional() {
			provisional++
		} else {
			place++
			at = fmt.Sprint(place)
		}
		if len(rows) <= maxLadderLines || line.Player == a.member.ID {
			rating := fmt.Sprintf("%.0f +-%.0f", line.Rating.Rating, 2*line.Rating.Deviation)
			rows = append(rows, []string{at, m.Name, rating, fmt.Sprint(line.Won), fmt.Sprint(line.Drawn), fmt.Sprint(line.Lost)})
			isMissing = isMissing && line.Player != a.member.ID
		}
		if len(rows) > maxLadderLines && !isMissing {
			break
		}
	}
	p := templates.PlainSection{Title: "Ladder of " + gameLadder.Game, Table: rows, HasHeader: true}
	p.Paragraphs = append(p.Paragraphs, "Matches of a week count on the following Monday. The number after +- shows how sure "+
		"a rating is: 19 times out of 20 the player's strength is within that range.")
	if provisional > 0 {
		p.Paragraphs = append(p.Paragraphs, "A question mark means that a player has played too little for a place.")
	}
	a.addSection(p)
	if rows := formatBands(gameLadder.RatingBands); len(rows) > 0 {
		a.addSection(templates.PlainSection{Title: "How often each seat wins", Paragraphs: []string{"The rating of the first seat's " +
			"player was higher by:"}, Table: rows, HasHeader: true})
	}
	return nil
}

// formatBands returns the rows that show how often each seat of a game for two wins, by difference in rating.
func formatBands(sides []ladder.RatingBand) (rows [][]string) {
	for _, s := range sides {
		if rows == nil {
			rows = [][]string{{"rating", "first won", "second won", "drawn", "first got", "ratings say"}}
		}
		band := fmt.Sprintf("%+d to %+d", s.From, s.To)
		switch {
		case s.From == 0 && s.To < 0:
			band = fmt.Sprintf("below %+d", s.To)
		case s.To == 0 && s.From > 0:
			band = fmt.Sprintf("above %+d", s.From)
		}
		got := (float64(s.First) + float64(s.Drawn)/2) / float64(s.Games())
		rows = append(rows, []string{band, fmt.Sprint(s.First), fmt.Sprint(s.Second), fmt.Sprint(s.Drawn),
			fmt.Sprintf("%.0f %%", 100*got), fmt.Sprintf("%.0f %%", 100*s.Expected/float64(s.Games()))})
	}
	return rows
}

func (s *ladderService) findNamedMember(ctx context.Context, a *answer, l letter.Line) (*club.Member, error) {
	if l.Command.PersonName == "" {
		return a.member, nil
	}
	return findMember(ctx, s.store, a, l)
}

func (s *ladderService) showRating(ctx context.Context, a *answer, l letter.Line) error {
	m, err := s.findNamedMember(ctx, a, l)
	if err != nil || m == nil {
		return err
	}
	ladders, err := s.loadLadders(ctx)
	if err != nil {
		return err
	}
	var paragraphs []string
	for _, game := range ladders {
		line, ok := game.Find(m.ID)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%s: rating %.0f; 19 times out of 20 the strength is between %.0f and %.0f. Matches: %d won, %d drawn, %d "+
			"lost.", game.Game, line.Rating.Rating,
			line.Rating.Rating-2*line.Rating.Deviation, line.Rating.Rating+2*line.Rating.Deviation, line.Won, line.Drawn, line.Lost)
		if line.IsProvisional() {
			text += " It is provisional, because you have played too little so far."
		}
		if line.Pending > 0 {
			text += fmt.Sprintf(" Results that count next Monday: %d.", line.Pending)
		}
		paragraphs = append(paragraphs, text)
	}
	if len(paragraphs) == 0 {
		paragraphs = []string{"No rated match has ended yet."}
	}
	a.addSection(templates.PlainSection{Title: "Rating of " + m.Name, Paragraphs: paragraphs})
	return nil
}

func (s *ladderService) showResults(ctx context.Context, a *answer, l letter.Line) error {
	title := "The newest results"
	var results []club.Result
	m, err := s.findNamedMember(ctx, a, l)
	switch {
	case err != nil || m == nil:
		return err
	case l.Command.PersonName == "":
		results, err = s.store.NewestResults(ctx, maxListedResults)
	default:
		title += " of " + m.Name
		results, err = s.store.ResultsOf(ctx, m.ID, maxListedResults)
	}
	if err != nil {
		return err
	}
	names, err := resultNames(ctx, s.store, results)
	if err != nil {
		return err
	}
	a.addSection(s.newResultsPart(title, results, names, "None yet."))
	return nil
}

func resultNames(ctx context.Context, store Store, results []club.Result) (map[int64]string, error) {
	var players []int64
	for _, r := range results {
		for _, seat := range r.Seats {
			players = append(players, seat.Player)
		}
	}
	return loadNames(ctx, store, players)
}
