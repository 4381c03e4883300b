package secretary

import (
	"context"
	"fmt"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/letter"
	"samizdat/templates"
)

const (
	// onLadder is how many lines of a ladder a letter shows, beside the reader's own.
	onLadder = 30
	// inList is how many results it lists.
	inList = 20
)

// ladder shows the ladder of a game, or of all.
func (a *answer) ladder(ctx context.Context, l letter.Line) error {
	all, err := a.s.gamesPlayed(ctx)
	if err != nil {
		return err
	}
	shown := false
	for _, game := range all {
		if l.Command.Text != "" && game.Game != l.Command.Text {
			continue
		}
		shown = true
		if err := a.ladderPart(ctx, game); err != nil {
			return err
		}
	}
	if !shown {
		a.line(l.Text, done, "Nobody is on that ladder yet. A match that ends puts its players there.")
	}
	return nil
}

// ladderPart is the ladder of a game, as far as a letter has room.
func (a *answer) ladderPart(ctx context.Context, l *club.Ladder) error {
	rows := [][]string{{"", "player", "rating", "won", "drawn", "lost"}}
	place, provisional, missing := 0, 0, true
	add := func(x ladder.Line, name, at string) {
		rating := fmt.Sprintf("%.0f +-%.0f", x.Rating.Rating, 2*x.Rating.Deviation)
		rows = append(rows, []string{at, name, rating, fmt.Sprint(x.Won), fmt.Sprint(x.Drawn), fmt.Sprint(x.Lost)})
		missing = missing && x.Player != a.member.ID
	}
	for _, x := range l.Lines {
		m, err := a.s.Store.Member(ctx, x.Player)
		if err != nil {
			return err
		}
		if m == nil || m.State != club.Active || x.Inactive(a.s.now()) {
			continue
		}
		at := "?"
		if x.Provisional() {
			provisional++
		} else {
			place++
			at = fmt.Sprint(place)
		}
		if len(rows) <= onLadder || x.Player == a.member.ID {
			add(x, m.Name, at)
		}
		if len(rows) > onLadder && !missing {
			break
		}
	}
	p := templates.Part{Title: "Ladder of " + l.Game, Rows: templates.Columns(rows)}
	p.Says = append(p.Says, "What is played in a week counts when the week is over, on Monday. Behind +- stands how unsure a rating is: in nineteen cases of twenty the player's strength is within that range.")
	if provisional > 0 {
		p.Says = append(p.Says, "A question mark means that too little is known yet to give a player a place.")
	}
	a.part(p)
	if rows := sideRows(l.Sides); len(rows) > 0 {
		a.part(templates.Part{Title: "How often each seat wins", Says: []string{"The rating of the first seat's player was higher by:"}, Rows: templates.Columns(rows)})
	}
	return nil
}

// sideRows say how often each seat of a game of two wins.
func sideRows(sides []ladder.Side) (rows [][]string) {
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
		rows = append(rows, []string{band, fmt.Sprint(s.First), fmt.Sprint(s.Second), fmt.Sprint(s.Drawn), fmt.Sprintf("%.0f %%", 100*got), fmt.Sprintf("%.0f %%", 100*s.Expected/float64(s.Games()))})
	}
	return rows
}

// rating tells how a member stands, the reader himself if nobody is named.
func (a *answer) rating(ctx context.Context, l letter.Line) error {
	m, err := a.ofLine(ctx, l)
	if err != nil || m == nil {
		return err
	}
	all, err := a.s.gamesPlayed(ctx)
	if err != nil {
		return err
	}
	var says []string
	for _, game := range all {
		x, ok := game.Of(m.ID)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%s: rating %.0f; in nineteen cases of twenty the strength is between %.0f and %.0f. %d won, %d drawn, %d lost.", game.Game, x.Rating.Rating,
			x.Rating.Rating-2*x.Rating.Deviation, x.Rating.Rating+2*x.Rating.Deviation, x.Won, x.Drawn, x.Lost)
		if x.Provisional() {
			text += " It is provisional: too little is known yet."
		}
		if x.Waits > 0 {
			text += fmt.Sprintf(" Not in the rating yet, since they count on Monday: %d.", x.Waits)
		}
		says = append(says, text)
	}
	if len(says) == 0 {
		says = []string{"No match that counts has ended yet."}
	}
	a.part(templates.Part{Title: "Rating of " + m.Name, Says: says})
	return nil
}

// ofLine is whom a line names: the reader himself, where it names nobody.
func (a *answer) ofLine(ctx context.Context, l letter.Line) (*club.Member, error) {
	if l.Command.As == "" {
		return a.member, nil
	}
	return a.named(ctx, l)
}

// results lists the newest results: of all, or of a member.
func (a *answer) results(ctx context.Context, l letter.Line) error {
	title := "The newest results"
	var list []club.Result
	var err error
	if l.Command.As == "" {
		list, err = a.s.Store.NewestResults(ctx, inList)
	} else {
		var m *club.Member
		if m, err = a.named(ctx, l); err != nil || m == nil {
			return err
		}
		title = "The newest results of " + m.Name
		list, err = a.s.Store.ResultsOf(ctx, m.ID, inList)
	}
	if err != nil {
		return err
	}
	names, err := a.s.names(ctx, list)
	if err != nil {
		return err
	}
	p := templates.Part{Title: title}
	for i := range list {
		p.Rows = append(p.Rows, templates.Columns([][]string{a.s.resultRow(&list[i], names)})...)
	}
	if len(list) == 0 {
		p.Says = []string{"None yet."}
	}
	a.part(p)
	return nil
}
