package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

func (x *directorRun) dispatch(ctx context.Context) (d exchange.Dispatch, err error) {
	l, err := x.write(ctx)
	if err != nil {
		return d, err
	}
	l.Mark, l.Contact, l.Directing, l.Over = x.j.a.Post.Mark(), x.j.a.Contact, true, false
	d = exchange.Dispatch{
		Addressee: exchange.Addressee{Match: x.j.turn.Match.ID},
		Heading: exchange.Heading{Subject: compose.Subject(x.j.turn.Match, x.title(),
			match.Capital(x.j.turn.Match.Game)+compose.Versus(x.j.turn)),
			Token: x.j.a.Replies.TokenOf(x.j.a.Replies.DirectorQuestion(x.j.turn.Match.ID, x.j.turn.Match.Director.LastLetter))},
	}
	d.Body = l.Text()
	return d, nil
}

// write composes the letter: the outcome of the director's letter, the public state of the match, and the end of
// its history with the entry numbers for UNDO.
func (x *directorRun) write(ctx context.Context) (l templates.Letter, err error) {
	parts, err := x.parts(ctx)
	if err != nil {
		return l, err
	}
	own := compose.Options{Lines: x.lines, Problems: slices.Concat(x.problems, x.j.answer.Problems), Parts: parts, Extent: compose.Answers}
	if x.whole {
		own.Extent = compose.Whole
	}
	// The history lists the events.
	c := match.Turn{Match: x.j.turn.Match, Game: x.j.turn.Game, After: x.j.turn.After, Before: x.j.turn.After}
	switch l = compose.Letter(&c, rules.NoSeat, own); x.j.turn.Match.State {
	case match.Inviting:
		l.Whose = compose.Joining(&c, rules.NoSeat)
	case match.CalledOff:
		l.Whose = compose.CalledOff(&c)
	}
	return l, nil
}

// Directed returns the public state of a match and its history with entry numbers: the letter to the director, for
// the operator.
func (a *Adjudicator) Directed(ctx context.Context, match string) (text string, err error) {
	err = guarded(func() error {
		m, err := a.Store.Match(ctx, match)
		if err != nil {
			return err
		}
		x, err := newDirectorRun(ctx, a, m, exchange.Letter{})
		if err != nil {
			return err
		}
		x.whole, x.typed = true, true
		l, err := x.write(ctx)
		if err != nil {
			return err
		}
		l.Over = true // The help on answering is left out.
		text = l.Text()
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("match %s: %w", match, err)
	}
	return text, nil
}

func (x *directorRun) title() string {
	of := func(came match.Outcome) bool {
		return slices.ContainsFunc(x.lines, func(l templates.Line) bool { return l.Outcome == string(came) })
	}
	switch {
	case of(match.OutcomeAsked):
		return "Do you mean it?"
	case of(match.OutcomeRefused), len(x.problems) > 0:
		return "Refused"
	case of(match.OutcomeDone):
		return "Done"
	}
	return "You direct"
}

func (x *directorRun) parts(ctx context.Context) (out []rules.Section, err error) {
	if !x.whole && !x.help && x.last < 0 {
		return nil, nil
	}
	if x.whole {
		seats, err := x.seatLines(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, rules.Section{Title: "The players", Lines: compose.Bulleted(seats)})
	}
	if x.whole || x.last >= 0 {
		lines, err := x.historyLines(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, rules.Section{Title: "The history", Lines: lines})
	}
	if x.whole || x.help {
		out = append(out, rules.Section{Title: "What you may write", Lines: directorHelp(x.typed)})
	}
	return out, nil
}

func (x *directorRun) seatLines(ctx context.Context) (out []string, err error) {
	var returned map[rules.Seat]int
	if book, ok := x.j.a.Store.(exchange.ReturnBook); ok {
		if returned, err = book.Returned(ctx, x.j.turn.Match.ID); err != nil {
			return nil, err
		}
	}
	for i := range x.j.turn.Match.Seats {
		seat := rules.Seat(i)
		line := x.j.turn.Match.Seats[i].Name
		if name := x.j.turn.Match.Seats[i].PlayerName; name != "" {
			line += ", played by " + name
		}
		var said []string
		switch {
		case x.j.turn.Match.State == match.Inviting && x.j.turn.Match.Unopened().Has(seat):
			said = append(said, "has joined, with sealed words")
		case x.j.turn.Match.State == match.Inviting && x.j.turn.Match.Seats[i].Joined:
			said = append(said, "has joined")
		case x.j.turn.Match.State == match.Inviting:
			said = append(said, "has not joined yet")
		case x.j.turn.Match.State == match.Playing && !x.j.turn.Match.Tempo.IsUntimed():
			said = append(said, compose.OtherTime(x.j.turn, seat, rules.NoSeat))
		}
		switch n := returned[seat]; {
		case n == 1:
			said = append(said, "one letter came back")
		case n > 1:
			said = append(said, fmt.Sprintf("%d letters came back", n))
		}
		if said = slices.DeleteFunc(said, func(s string) bool { return s == "" }); len(said) > 0 {
			line += ": " + strings.Join(said, "; ")
		}
		out = append(out, line+".")
	}
	return out, nil
}

// maxEntries is the number of entries in one letter.
const maxEntries = 20

// historyLines lists the public part of the last entries, or of the entries up to a number.
func (x *directorRun) historyLines(ctx context.Context) ([]string, error) {
	entries, err := x.j.play.LoadHistory(ctx)
	if err != nil {
		return nil, err
	}
	entries = slices.Concat(entries, x.j.turn.Entries)
	end := len(entries)
	if x.last >= 0 {
		end = min(end, x.last+1)
	}
	if end == 0 {
		return []string{"Nothing has happened yet."}, nil
	}
	var out []string
	if from := max(0, end-maxEntries); from > 0 {
		out = append(out, fmt.Sprintf("HISTORY %d shows what was before.", from-1), "")
	}
	for _, e := range entries[max(0, end-maxEntries):end] {
		out = append(out, compose.Wrapped(entryLine(x.j, entries, e.Public()), fmt.Sprintf("%4d. ", e.Seq), "      ")...)
	}
	return out, nil
}

// entryLine describes an entry by its public fields.
func entryLine(j *letterRun, entries []record.Entry, e record.Entry) string {
	said := "the first deal"
	switch {
	case e.Tally != nil:
		said = "the ballots were counted"
	case len(e.Answers) > 0:
		var all []string
		for _, a := range e.Answers {
			all = append(all, string(a.Seat)+": "+ordersOf(a.Orders))
		}
		said = strings.Join(all, "; ")
	case e.HasOrders():
		said = string(e.Seat) + ": " + ordersOf(e.Orders)
	case e.Seq > 0:
		said = strings.Join(compose.RemarksOf(j.turn, entries, &e, rules.NoSeat), " ")
	}
	return zone.FormatTime(e.At, zone.UTC) + ", " + said
}

func ordersOf(orders []string) string {
	if len(orders) == 0 {
		return "an order that not everybody may know"
	}
	return strings.Join(orders, "; ")
}

// directorHelp lists the possible orders, for letters or for the command line.
func directorHelp(typed bool) (out []string) {
	if !typed {
		out = append(compose.Paragraphs("One act a letter, on a line of its own. Behind it, or on the next line, stands BECAUSE and the "+
			"reason, which the players are told and the record keeps. You are asked whether you mean it; YES does it."), "")
	}
	for _, f := range letter.Forms(letter.Director) {
		out = append(out, compose.Wrapped(f.Order+": "+f.Does+".", "  ", "    ")...)
	}
	if !typed {
		out = append(out, compose.Wrapped("STATUS: how the match stands. HISTORY 40: its entries up to 40. HELP: this.", "  ", "    ")...)
	}
	return out
}
