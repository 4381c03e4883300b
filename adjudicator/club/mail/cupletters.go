package clubmail

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/templates"
)

// enter takes the writer into a tournament.
func (a *answer) enter(ctx context.Context, l letter.Line) error {
	t, err := a.tournamentNamed(ctx, l)
	if err != nil || t == nil {
		return err
	}
	if a.changes(l, t) {
		return nil
	}
	if err := t.Life.Enter(a.member.ID); err != nil {
		a.line(l.Text, refused, fmt.Sprintf("%s: %v.", t.Title, err))
		return nil
	}
	t.Words[a.member.ID] = "letter " + a.letter.Digest
	a.change.Tournaments = append(a.change.Tournaments, t)
	a.did = true
	note := fmt.Sprintf("You have entered %s. It starts on %s; the letters of your matches come then. "+
		"WITHDRAW %s takes you out again.", t.Title, day(t.Starts), t.Name)
	if t.Life.State == tournament.Running {
		note = fmt.Sprintf("You have entered %s, and are paired in the next round.", t.Title)
	}
	a.line(l.Text, done, note)
	return nil
}

// leaveTournament takes the writer out of a tournament.
func (a *answer) leaveTournament(ctx context.Context, l letter.Line) error {
	t, err := a.tournamentNamed(ctx, l)
	if err != nil || t == nil {
		return err
	}
	if a.changes(l, t) {
		return nil
	}
	running := t.Life.State == tournament.Running
	if err := t.Life.Withdraw(a.member.ID); err != nil {
		a.line(l.Text, refused, fmt.Sprintf("%s: %v.", t.Title, err))
		return nil
	}
	if running {
		t.Due = a.s.now()
	} else {
		delete(t.Words, a.member.ID)
	}
	a.change.Tournaments = append(a.change.Tournaments, t)
	a.did = true
	note := fmt.Sprintf("You are out of %s.", t.Title)
	if running {
		note += " Your matches that run go on until they end; RESIGN in one of their letters ends it."
	}
	a.line(l.Text, done, note)
	return nil
}

// changes refuses a second line about a tournament.
func (a *answer) changes(l letter.Line, t *club.Tournament) bool {
	if !slices.ContainsFunc(a.change.Tournaments, func(o *club.Tournament) bool { return o.Name == t.Name }) {
		return false
	}
	a.line(l.Text, refused, "Another line of your letter is about that tournament. Send them one after the other.")
	return true
}

// tournaments lists them.
func (a *answer) tournaments(ctx context.Context, _ letter.Line) error {
	all, err := a.s.Store.Tournaments(ctx)
	if err != nil {
		return err
	}
	p := templates.Part{Title: "Tournaments"}
	var rows [][]string
	for _, t := range all {
		stands := string(t.Life.State)
		switch t.Life.State {
		case tournament.Entering:
			stands = fmt.Sprintf("starts %s, %d entered: ENTER %s", day(t.Starts), len(t.Life.Entrants), t.Name)
		case tournament.Running:
			stands = fmt.Sprintf("round %d is being played", len(t.Life.Rounds))
		}
		rows = append(rows, []string{t.Name, t.Match.Game + ", " + string(t.Life.Terms.Kind) + ", " + stands})
	}
	if p.Rows = templates.Columns(rows); len(rows) == 0 {
		p.Says = []string{"There is none yet."}
	}
	a.part(p)
	return nil
}

// table shows how a tournament stands.
func (a *answer) table(ctx context.Context, l letter.Line) error {
	t, err := a.tournamentNamed(ctx, l)
	if err != nil || t == nil {
		return err
	}
	return a.standings(ctx, t)
}

// stage is the letter that tells of a stage of a tournament.
func (a *answer) stage(ctx context.Context, t *club.Tournament) error {
	switch a.subject = t.Title; t.Stage {
	case club.TournamentOff:
		a.subject += " does not take place"
		a.says(t.Title + " does not take place, or goes on no more. Matches that run go on as matches of their own.")
		return nil
	case club.TournamentEnd:
		a.subject += " is over"
		names, err := a.called(ctx, t.Life.Winners)
		if err != nil {
			return err
		}
		won := match.List(names) + " has won it."
		switch {
		case len(names) == 0:
			won = "Nobody has won it: to win, a player has to play, and not withdraw."
		case len(names) > 1:
			won = match.List(names) + " have won it."
		}
		a.says(t.Title + " is over. " + won)
	default:
		a.subject += fmt.Sprintf(", round %d", len(t.Life.Rounds))
		a.says(fmt.Sprintf("Round %d of %s begins. The letters of the matches come on their own: answer those.", len(t.Life.Rounds), t.Title))
	}
	return a.standings(ctx, t)
}

// called are what players are called.
func (a *answer) called(ctx context.Context, players []pairing.ID) (out []string, err error) {
	r := club.Result{}
	for _, p := range players {
		r.Seats = append(r.Seats, club.ResultSeat{Player: p})
	}
	names, err := a.s.names(ctx, []club.Result{r})
	for _, p := range players {
		out = append(out, names[p])
	}
	return out, err
}

// standings are the table of a tournament and its last round.
func (a *answer) standings(ctx context.Context, t *club.Tournament) error {
	var players []pairing.ID
	for _, e := range t.Life.Entrants {
		players = append(players, e.Player)
	}
	list, err := a.called(ctx, players)
	if err != nil {
		return err
	}
	names := map[pairing.ID]string{}
	for i, p := range players {
		names[p] = list[i]
	}
	if len(t.Life.Rounds) == 0 {
		p := templates.Part{Title: "Entered for " + t.Title, Rows: list}
		if len(list) == 0 {
			p.Says = []string{"Nobody yet."}
		}
		a.part(p)
		return nil
	}
	a.part(templates.Part{Title: "Table of " + t.Title, Rows: templates.Columns(tableRows(t.Life, names))})
	for r := range t.Life.Rounds {
		round := t.Life.Rounds[len(t.Life.Rounds)-1-r]
		if t.Life.Terms.Kind != tournament.RoundRobin || !round.Over() || r == len(t.Life.Rounds)-1 {
			a.part(templates.Part{Title: fmt.Sprintf("Round %d", len(t.Life.Rounds)-r), Rows: roundRows(round, names)})
			if t.Life.Terms.Kind != tournament.RoundRobin {
				break
			}
		}
	}
	return nil
}

// tableRows are the rows of a table.
func tableRows(life *tournament.Tournament, names map[pairing.ID]string) [][]string {
	head := []string{"", "player", "points", "matches"}
	switch life.Terms.Kind {
	case tournament.Swiss:
		head = append(head, "Buchholz", "Sonneborn-Berger")
	case tournament.RoundRobin:
		head = append(head, "Sonneborn-Berger")
	}
	rows := [][]string{head}
	for _, s := range life.Table() {
		row := []string{fmt.Sprint(s.Place), names[s.ID], half(s.Points), fmt.Sprint(s.Played)}
		if life.Terms.Kind == tournament.Swiss {
			row = append(row, half(s.TieBreakScores[pairing.Buchholz]))
		}
		if life.Terms.Kind != tournament.KnockOut {
			row = append(row, fmt.Sprintf("%g", float64(s.TieBreakScores[pairing.SonnebornBerger])/4))
		}
		rows = append(rows, row)
	}
	return rows
}

// roundRows are the meetings of a round.
func roundRows(r tournament.Round, names map[pairing.ID]string) (rows []string) {
	for _, m := range r.Meetings {
		came := "not begun"
		switch {
		case m.Unplayed:
			came = half(m.Points[0]) + " : " + half(m.Points[1]) + ", not played"
		case m.Done:
			came = half(m.Points[0]) + " : " + half(m.Points[1])
		case m.Match != "":
			came = "match " + m.Match
		}
		rows = append(rows, names[m.First]+" - "+names[m.Second]+": "+came)
	}
	for _, p := range r.Byes {
		rows = append(rows, names[p]+" meets nobody")
	}
	return rows
}

// half writes half points.
func half(n int) string {
	if n%2 == 0 {
		return fmt.Sprint(n / 2)
	}
	return fmt.Sprintf("%d.5", n/2)
}
