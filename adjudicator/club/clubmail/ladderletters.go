package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// sideName returns the name of a side in letters, e.g. "Communist" for the seat name "communist".
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

func (s *ladderService) newResultsSection(title string, results []club.Result, names map[int64]string,
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

func (s *ladderService) showLadder(ctx context.Context, ans *answer, line letter.Line) error {
	ladders, err := s.loadLadders(ctx)
	if err != nil {
		return err
	}
	isShown := false
	for _, gameLadder := range ladders {
		if line.Command.Text != "" && gameLadder.Game != line.Command.Text {
			continue
		}
		isShown = true
		if err := s.addLadderSection(ctx, ans, gameLadder); err != nil {
			return err
		}
	}
	if !isShown {
		return ans.informLine(line, "The ladder is empty. Players join it when they finish a match.")
	}
	return nil
}

// addLadderSection adds the first lines of a game's ladder, and the reader's own line if it is further down.
func (s *ladderService) addLadderSection(ctx context.Context, ans *answer, gameLadder *club.Ladder) error {
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
		if len(rows) <= maxLadderLines || line.Player == ans.member.ID {
			rating := fmt.Sprintf("%.0f +-%.0f", line.Rating.Rating, 2*line.Rating.Deviation)
			rows = append(rows, []string{at, m.Name, rating, fmt.Sprint(line.Won), fmt.Sprint(line.Drawn), fmt.Sprint(line.Lost)})
			isMissing = isMissing && line.Player != ans.member.ID
		}
		if len(rows) > maxLadderLines && !isMissing {
			break
		}
	}
	p := templates.PlainSection{Title: "Ladder of " + gameLadder.Game, Table: rows, HasHeader: true}
	p.Paragraphs = append(p.Paragraphs, "The matches of each week are added to the ratings on the following Monday. The number "+
		"after +- shows how sure a rating is: the player's true strength is in that range with a probability of 95 %.")
	if provisional > 0 {
		p.Paragraphs = append(p.Paragraphs, "A question mark: this player has not yet played enough to be ranked.")
	}
	ans.addSection(p)
	if len(gameLadder.RatingBands) > 0 {
		first, second := s.duelSides(gameLadder.Game)
		ans.addSection(templates.PlainSection{Title: "How often each side wins", Paragraphs: []string{fmt.Sprintf("The first column is the "+
			"rating of the %s minus that of the %s. The score is that of the %[1]s, with a draw as half a win; the last column is the "+
			"score that the ratings predict.", first, second)}, Table: formatBands(gameLadder.RatingBands, first, second), HasHeader: true})
	}
	return nil
}

// duelSides returns the names of the two sides of a game for two, e.g. "Democrat" and "Communist".
func (s *ladderService) duelSides(game string) (first, second string) {
	first, second = "first player", "second player"
	if g, err := s.games.Find(game); err == nil {
		setup := rules.Setup{Seats: 2, Revision: g.Revision()}
		names := g.SeatNames(setup)
		first = strings.TrimPrefix(match.RoleBefore(g, setup, 0, names[0]), "the ")
		second = strings.TrimPrefix(match.RoleBefore(g, setup, 1, names[1]), "the ")
	}
	return first, second
}

// formatBands returns the rows that show how often each seat of a game for two wins, by difference in rating.
func formatBands(bands []ladder.RatingBand, first, second string) [][]string {
	rows := [][]string{{"difference", first + " won", second + " won", "drawn", "score", "predicted"}}
	for _, s := range bands {
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

func (s *ladderService) findNamedMember(ctx context.Context, ans *answer, line letter.Line) (*club.Member, error) {
	if line.Command.PersonName == "" {
		return ans.member, nil
	}
	return findMember(ctx, s.store, ans, line)
}

func (s *ladderService) showRating(ctx context.Context, ans *answer, line letter.Line) error {
	m, err := s.findNamedMember(ctx, ans, line)
	if err != nil || m == nil {
		return err
	}
	ladders, err := s.loadLadders(ctx)
	if err != nil {
		return err
	}
	var paragraphs []string
	for _, gameLadder := range ladders {
		line, ok := gameLadder.Find(m.ID)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%s: rating %.0f. With a probability of 95 %% the true strength is between %.0f and %.0f. Matches: %d won, %d "+
			"drawn, %d lost.", gameLadder.Game, line.Rating.Rating,
			line.Rating.Rating-2*line.Rating.Deviation, line.Rating.Rating+2*line.Rating.Deviation, line.Won, line.Drawn, line.Lost)
		if line.IsProvisional() {
			text += " The rating is provisional until more matches are rated."
		}
		if line.Pending > 0 {
			text += fmt.Sprintf(" Next Monday %d more will count.", line.Pending)
		}
		paragraphs = append(paragraphs, text)
	}
	if len(paragraphs) == 0 {
		paragraphs = []string{"No rated match has ended yet."}
	}
	ans.addSection(templates.PlainSection{Title: "Rating of " + m.Name, Paragraphs: paragraphs})
	return nil
}

func (s *ladderService) showResults(ctx context.Context, ans *answer, line letter.Line) error {
	title := "The newest results"
	var results []club.Result
	m, err := s.findNamedMember(ctx, ans, line)
	switch {
	case err != nil || m == nil:
		return err
	case line.Command.PersonName == "":
		results, err = s.store.NewestResults(ctx, maxListedResults)
	default:
		title += " of " + m.Name
		results, err = s.store.ResultsOf(ctx, m.ID, maxListedResults)
	}
	if err != nil {
		return err
	}
	names, err := loadNamesOfResults(ctx, s.store, results)
	if err != nil {
		return err
	}
	ans.addSection(s.newResultsSection(title, results, names, "None yet."))
	return nil
}

func loadNamesOfResults(ctx context.Context, store Store, results []club.Result) (map[int64]string, error) {
	var players []int64
	for _, r := range results {
		for _, seat := range r.Seats {
			players = append(players, seat.Player)
		}
	}
	return loadNames(ctx, store, players)
}
