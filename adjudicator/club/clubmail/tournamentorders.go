package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/templates"
)

// findTournament returns the tournament that a line names. It refuses the line and returns nil if the tournament does not
// exist, or if the line would change it (willChange) and another line of the letter has already changed it.
func (s *tournamentService) findTournament(ctx context.Context, ans *answer, line letter.Line, willChange bool) (*club.Tournament, error) {
	t, err := s.store.Tournament(ctx, strings.ToLower(line.Command.Text))
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, ans.refuseLine(line, fmt.Sprintf("No tournament is called %q. TOURNAMENTS lists them.", line.Command.Text))
	case willChange && slices.ContainsFunc(ans.change.Tournaments, func(o *club.Tournament) bool { return o.Name == t.Name }):
		return nil, ans.refuseLine(line, "Another line of your letter is about the same tournament. Send the two lines in separate letters.")
	}
	return t, nil
}

func (s *tournamentService) enterTournament(ctx context.Context, ans *answer, line letter.Line) error {
	t, err := s.findTournament(ctx, ans, line, true)
	if err != nil || t == nil {
		return err
	}
	if err := t.Progress.Enter(ans.member.ID); err != nil {
		return ans.refuseLine(line, fmt.Sprintf("%s: %v.", match.Capitalize(t.Title), err))
	}
	t.DiceWords[ans.member.ID] = ans.newParty("").Words
	ans.change.Tournaments = append(ans.change.Tournaments, t)
	if t.Progress.State == tournament.Running {
		return ans.confirmLine(line, fmt.Sprintf("You have entered %s, and will be paired in the next round.", t.Title))
	}
	return ans.confirmLine(line, fmt.Sprintf("You have entered %s. It starts on %s, and you will get the letters of your matches "+
		"then. To leave it, write WITHDRAW %s.", t.Title, formatMoment(t.Starts), t.Name))
}

func (s *tournamentService) withdraw(ctx context.Context, ans *answer, line letter.Line) error {
	t, err := s.findTournament(ctx, ans, line, true)
	if err != nil || t == nil {
		return err
	}
	isRunning := t.Progress.State == tournament.Running
	if err := t.Progress.Withdraw(ans.member.ID); err != nil {
		return ans.refuseLine(line, fmt.Sprintf("%s: %v.", match.Capitalize(t.Title), err))
	}
	ans.change.Tournaments = append(ans.change.Tournaments, t)
	note := fmt.Sprintf("You have left %s.", t.Title)
	if !isRunning {
		delete(t.DiceWords, ans.member.ID)
		return ans.confirmLine(line, note)
	}
	t.Due = s.replies.Now()
	return ans.confirmLine(line, note+" Your current matches go on; to end one, send RESIGN in reply to its letter.")
}

func (s *tournamentService) listTournaments(ctx context.Context, ans *answer, _ letter.Line) error {
	tournaments, err := s.store.Tournaments(ctx)
	if err != nil {
		return err
	}
	p := templates.PlainSection{Title: "Tournaments"}
	for _, t := range tournaments {
		t = *ans.withChange(&t)
		status := string(t.Progress.State)
		kind := string(t.Progress.Terms.Kind)
		if t.Progress.Terms.Kind == tournament.Swiss {
			kind = "Swiss" // A name.
		}
		switch t.Progress.State {
		case tournament.Entering:
			status = fmt.Sprintf("starts %s, %d entered; to enter, write ENTER %s", formatMoment(t.Starts), len(t.Progress.Entrants), t.Name)
		case tournament.Running:
			status = fmt.Sprintf("round %d is being played", len(t.Progress.Rounds))
		}
		p.Table = append(p.Table, []string{t.Name, kind + " tournament of " + t.MatchTerms.Game + ", " + status})
	}
	if len(p.Table) == 0 {
		p.Paragraphs = []string{"There is no tournament yet."}
	}
	ans.addSection(p)
	return nil
}

func (s *tournamentService) showTable(ctx context.Context, ans *answer, line letter.Line) error {
	t, err := s.findTournament(ctx, ans, line, false)
	if err != nil || t == nil {
		return err
	}
	return s.addStandings(ctx, ans, ans.withChange(t))
}

// withChange returns the tournament t as earlier lines of the letter have changed it, or t itself if they have not.
func (ans *answer) withChange(t *club.Tournament) *club.Tournament {
	for _, changed := range ans.change.Tournaments {
		if changed.Name == t.Name {
			return changed
		}
	}
	return t
}

func (s *tournamentService) addStage(ctx context.Context, ans *answer, t *club.Tournament) error {
	switch ans.subject = t.Title; t.Stage {
	case club.TournamentCancelled:
		ans.subject += " is called off"
		ans.addParagraphs(match.Capitalize(t.Title) + " has been called off. Current matches go on as separate matches.")
		return nil
	case club.TournamentEnd:
		ans.subject += " is over"
		nameByID, err := loadNames(ctx, s.store, t.Progress.Winners)
		if err != nil {
			return err
		}
		var names []string
		for _, p := range t.Progress.Winners {
			names = append(names, nameByID[p])
		}
		winnerText := match.JoinAnd(names) + " has won it."
		switch {
		case len(names) == 0:
			winnerText = "No player has won it, because the best players have withdrawn or have not played."
		case len(names) > 1:
			winnerText = match.JoinAnd(names) + " have won it."
		}
		ans.addParagraphs(match.Capitalize(t.Title) + " is over. " + winnerText)
	default:
		ans.subject += fmt.Sprintf(", round %d", len(t.Progress.Rounds))
		ans.addParagraphs(fmt.Sprintf("Round %d of %s begins. Each match has its own letter: please reply to that one, not to this.",
			len(t.Progress.Rounds),
			t.Title))
	}
	return s.addStandings(ctx, ans, t)
}

// addStandings adds the table of a tournament and its last round, or all current rounds of a round robin.
func (s *tournamentService) addStandings(ctx context.Context, ans *answer, t *club.Tournament) error {
	var players []pairing.ID
	for _, e := range t.Progress.Entrants {
		players = append(players, e.Player)
	}
	names, err := loadNames(ctx, s.store, players)
	if err != nil {
		return err
	}
	if len(t.Progress.Rounds) == 0 {
		p := templates.PlainSection{Title: "Entered for " + t.Title}
		for _, player := range players {
			p.Rows = append(p.Rows, names[player])
		}
		if len(players) == 0 {
			p.Paragraphs = []string{"No players yet."}
		}
		ans.addSection(p)
		return nil
	}
	ans.addSection(templates.PlainSection{Title: "Table of " + t.Title, Paragraphs: explainTable(t.Progress),
		Table: formatTable(t.Progress, names), HasHeader: true})
	for r := range t.Progress.Rounds {
		round := t.Progress.Rounds[len(t.Progress.Rounds)-1-r]
		if t.Progress.Terms.Kind != tournament.RoundRobin || !round.IsOver() || r == len(t.Progress.Rounds)-1 {
			ans.addSection(templates.PlainSection{Title: fmt.Sprintf("Round %d", len(t.Progress.Rounds)-r), Table: formatRound(round, names)})
			if t.Progress.Terms.Kind != tournament.RoundRobin {
				break
			}
		}
	}
	return nil
}

// explainTable explains the points of rounds without a match, and the order of players with equal points.
func explainTable(progress *tournament.Tournament) (paragraphs []string) {
	var text string
	switch progress.Terms.Kind {
	case tournament.KnockOut:
		return []string{"Places depend on the round that a player reached, not on points."}
	case tournament.Swiss:
		if slices.ContainsFunc(progress.Rounds, func(r tournament.Round) bool { return len(r.Byes) > 0 }) {
			text = "A round without an opponent gives 1 point. "
		}
		if slices.ContainsFunc(progress.Entrants, func(e tournament.Entrant) bool { return e.MissedRounds > 0 }) {
			text += "Each round missed by entering late gives half a point. "
		}
		return []string{text + "If players have equal points, Buchholz decides, and then Sonneborn-Berger."}
	}
	return []string{"If players have equal points, Sonneborn-Berger decides."}
}

func formatTable(progress *tournament.Tournament, names map[pairing.ID]string) [][]string {
	head := []string{"", "player", "points", "matches"}
	switch progress.Terms.Kind {
	case tournament.Swiss:
		head = append(head, "Buchholz", "Sonneborn-Berger")
	case tournament.RoundRobin:
		head = append(head, "Sonneborn-Berger")
	}
	rows := [][]string{head}
	for _, s := range progress.Table() {
		row := []string{fmt.Sprint(s.Place), names[s.ID], formatHalfPoints(s.Points), fmt.Sprint(s.Played)}
		if progress.Terms.Kind == tournament.Swiss {
			row = append(row, formatHalfPoints(s.TieBreakScores[pairing.Buchholz]))
		}
		if progress.Terms.Kind != tournament.KnockOut {
			row = append(row, fmt.Sprintf("%g", float64(s.TieBreakScores[pairing.SonnebornBerger])/4))
		}
		rows = append(rows, row)
	}
	return rows
}

func formatRound(r tournament.Round, names map[pairing.ID]string) (rows [][]string) {
	for _, m := range r.Meetings {
		result := "not begun"
		switch {
		case m.Unplayed:
			result = formatHalfPoints(m.Points[0]) + " : " + formatHalfPoints(m.Points[1]) + ", not played"
		case m.Done:
			result = formatHalfPoints(m.Points[0]) + " : " + formatHalfPoints(m.Points[1])
		case m.Match != "":
			result = "match " + m.Match
		}
		rows = append(rows, []string{names[m.First] + " - " + names[m.Second] + ": " + result})
	}
	for _, p := range r.Byes {
		rows = append(rows, []string{names[p] + " has no opponent this round"})
	}
	return rows
}

// formatHalfPoints writes a number of half points as points, e.g. 3 as "1.5".
func formatHalfPoints(n int) string {
	if n%2 == 0 {
		return fmt.Sprint(n / 2)
	}
	return fmt.Sprintf("%d.5", n/2)
}
