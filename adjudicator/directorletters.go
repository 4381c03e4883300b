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

func (dr *directorRun) writeLetter(ctx context.Context) (outgoing exchange.OutgoingLetter, err error) {
	content, err := dr.composeLetter(ctx)
	if err != nil {
		return outgoing, err
	}
	content.MarkerLine, content.Contact = dr.run.adjudicator.Codec.MarkerLine(), dr.run.adjudicator.OperatorAddress
	content.IsDirector, content.IsOver = true, false
	outgoing = exchange.OutgoingLetter{
		Addressee: exchange.Addressee{Match: dr.run.turn.Match.ID},
		Heading: exchange.Heading{Subject: compose.Subject(dr.run.turn.Match, dr.subjectPurpose(),
			compose.GameTopic(dr.run.turn.Game)+compose.DescribeOpponents(dr.run.turn)),
			Token: dr.run.adjudicator.Replies.TokenOf(dr.run.adjudicator.Replies.DirectorQuestion(dr.run.turn.Match.ID,
				dr.run.turn.Match.Director.LastLetter))},
	}
	outgoing.Body = content.Text()
	return outgoing, nil
}

// composeLetter composes the letter: the outcome of the director's letter, the public state of the match, and the
// last entries of the history. It numbers the entries, because UNDO needs a number.
func (dr *directorRun) composeLetter(ctx context.Context) (content templates.Letter, err error) {
	sections, err := dr.letterSections(ctx)
	if err != nil {
		return content, err
	}
	options := compose.Options{Lines: dr.lines, Problems: slices.Concat(dr.problems, dr.run.answer.Problems), SectionsBelow: sections,
		Extent: compose.ExtentAnswers}
	if dr.showsState {
		options.Extent = compose.ExtentFull
	}
	// The turn has no events, because the letter lists the history.
	publicTurn := match.Turn{Match: dr.run.turn.Match, Game: dr.run.turn.Game, After: dr.run.turn.After, Before: dr.run.turn.After}
	switch content = compose.WriteLetter(&publicTurn, rules.NoSeat, options); dr.run.turn.Match.State {
	case match.Inviting:
		content.ToMove = compose.DescribeJoining(&publicTurn, rules.NoSeat)
	case match.CalledOff:
		content.ToMove = compose.ExplainCallOff(&publicTurn) + " The match is called off."
	}
	content.ToMove, content.Status = toSecondPerson(content.ToMove), toSecondPerson(content.Status)
	return content, nil
}

// toSecondPerson replaces "the director" in a text by "you", except in quotations: "The director's reason" becomes "Your reason".
func toSecondPerson(text string) string {
	replacer := strings.NewReplacer("The director has ", "You have ", "The director's ", "Your ", "The director ", "You ", "the director ",
		"you ")
	parts := strings.Split(text, `"`)
	for i := 0; i < len(parts); i += 2 {
		parts[i] = replacer.Replace(parts[i])
	}
	return strings.Join(parts, `"`)
}

// DescribeForDirector returns, for the command line, the text that a letter to the director would have: the public
// state of a match and its history.
func (a *Adjudicator) DescribeForDirector(ctx context.Context, match string) (text string, err error) {
	err = recoverPanic(func() error {
		m, err := a.Store.Match(ctx, match)
		if err != nil {
			return err
		}
		dr, err := newDirectorRun(ctx, a, m, exchange.Letter{})
		if err != nil {
			return err
		}
		dr.showsState, dr.fromCommandLine = true, true
		content, err := dr.composeLetter(ctx)
		if err != nil {
			return err
		}
		content.IsOver = true // leaves out the instructions how to reply
		text = content.Text()
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("match %s: %w", match, err)
	}
	return text, nil
}

// subjectPurpose returns the purpose of the letter for its subject, e.g. "Please confirm".
func (dr *directorRun) subjectPurpose() string {
	find := func(outcome match.LineOutcome) int {
		return slices.IndexFunc(dr.lines, func(l templates.Line) bool { return l.Outcome == string(outcome) })
	}
	switch done := find(match.OutcomeDone); {
	case find(match.OutcomeAsked) >= 0:
		return "Please confirm"
	case find(match.OutcomeRefused) >= 0, len(dr.problems) > 0:
		return "Refused"
	case done >= 0:
		return dr.lines[done].Text + " done"
	}
	return "You are the director"
}

func (dr *directorRun) letterSections(ctx context.Context) (out []rules.Section, err error) {
	if !dr.showsState && !dr.showsHelp && dr.lastEntry < 0 {
		return nil, nil
	}
	if dr.showsState {
		seats, err := dr.seatLines(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, rules.Section{Title: "The players", Lines: compose.FormatList(seats)})
	}
	isCalledOff := dr.run.turn.Match.State == match.CalledOff
	if dr.showsState && !isCalledOff || dr.lastEntry >= 0 {
		lines, err := dr.historyLines(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, rules.Section{Title: "The history", Lines: lines})
	}
	if dr.showsState && !isCalledOff || dr.showsHelp {
		out = append(out, rules.Section{Title: "What you may write", Lines: directorHelpLines(dr.run.turn.Match, dr.fromCommandLine)})
	}
	return out, nil
}

func (dr *directorRun) seatLines(ctx context.Context) (out []string, err error) {
	var bounceCounts map[rules.Seat]int
	if counter, ok := dr.run.adjudicator.Store.(exchange.BounceCounter); ok {
		if bounceCounts, err = counter.CountBounces(ctx, dr.run.turn.Match.ID); err != nil {
			return nil, err
		}
	}
	for i := range dr.run.turn.Match.Seats {
		seat := rules.Seat(i)
		line := dr.run.turn.Match.Seats[i].Name
		if name := dr.run.turn.Match.Seats[i].PlayerName; name != "" {
			line += ", played by " + name
		}
		var sentences []string
		switch {
		case dr.run.turn.Match.State == match.Inviting && dr.run.turn.Match.UnrevealedSeats().Has(seat):
			sentences = append(sentences, "has joined, with secret words")
		case dr.run.turn.Match.State == match.Inviting && dr.run.turn.Match.Seats[i].Joined:
			sentences = append(sentences, "has joined")
		case dr.run.turn.Match.State == match.Inviting:
			sentences = append(sentences, "has not joined yet")
		case dr.run.turn.Match.State == match.Playing && !dr.run.turn.Match.Tempo.IsUntimed():
			sentences = append(sentences, strings.TrimPrefix(compose.DescribeOtherTime(dr.run.turn, seat, rules.NoSeat), "has "))
		}
		switch n := bounceCounts[seat]; {
		case n == 1:
			sentences = append(sentences, "one letter came back")
		case n > 1:
			sentences = append(sentences, fmt.Sprintf("%d letters came back", n))
		}
		if sentences = slices.DeleteFunc(sentences, func(s string) bool { return s == "" }); len(sentences) > 0 {
			line += ": " + strings.Join(sentences, "; ")
		}
		out = append(out, line)
	}
	return out, nil
}

const maxHistoryEntries = 20

// historyLines lists the public fields of the entries through dr.lastEntry, at most maxHistoryEntries.
func (dr *directorRun) historyLines(ctx context.Context) ([]string, error) {
	entries, err := dr.run.execution.LoadHistory(ctx)
	if err != nil {
		return nil, err
	}
	entries = slices.Concat(entries, dr.run.turn.Entries)
	end := len(entries)
	if dr.lastEntry >= 0 {
		end = min(end, dr.lastEntry+1)
	}
	if end == 0 {
		return []string{"Nothing has happened yet."}, nil
	}
	var out []string
	if from := max(0, end-maxHistoryEntries); from > 0 {
		out = append(out, fmt.Sprintf("HISTORY %d shows earlier entries.", from-1), "")
	}
	for _, entry := range entries[max(0, end-maxHistoryEntries):end] {
		out = append(out, compose.Wrap(describeEntry(dr.run, entries, entry.Public()), fmt.Sprintf("%4d. ", entry.Seq), "      ")...)
	}
	return out, nil
}

func describeEntry(run *letterRun, entries []record.Entry, entry record.Entry) string {
	text := "the first deal"
	switch {
	case entry.Tally != nil:
		text = "the ballots were counted"
	case len(entry.Answers) > 0:
		var answerTexts []string
		for _, a := range entry.Answers {
			answerTexts = append(answerTexts, string(a.Seat)+": "+joinOrders(a.Orders))
		}
		text = strings.Join(answerTexts, "; ")
	case entry.HasOrders():
		text = string(entry.Seat) + ": " + joinOrders(entry.Orders)
	case entry.Seq > 0:
		text = strings.Join(compose.EntryRemarks(run.turn, entries, &entry, rules.NoSeat), " ")
	}
	return zone.FormatTime(entry.At, zone.UTC) + ": " + text
}

func joinOrders(orders []string) string {
	if len(orders) == 0 {
		return "a secret order"
	}
	return strings.Join(orders, "; ")
}

func directorHelpLines(m *match.Match, fromCommandLine bool) (out []string) {
	first, last := m.Seats[0].Name, m.Seats[len(m.Seats)-1].Name
	examples := strings.NewReplacer("RULE seat AND seat", "RULE "+first+" AND "+last, "EXTEND seat", "EXTEND "+first, "REPLACE seat",
		"REPLACE "+first, "RULE seat", "RULE "+first)
	if !fromCommandLine {
		out = append(compose.Paragraphs("Send one order in each letter, on a line of its own. After the order, or on the next line, "+
			"write BECAUSE and your reason: the players will read it, and it stays in the record. We will ask you to confirm "+
			"the order with YES."), "")
	}
	for _, f := range letter.Forms(letter.RoleDirector) {
		out = append(out, compose.Wrap(examples.Replace(f.Order+": "+f.Effect)+".", "  ", "    ")...)
	}
	if !fromCommandLine {
		out = append(out, compose.Wrap("STATUS sends the current position, HISTORY 40 the entries up to 40, HELP this list. They "+
			"need no reason.", "  ", "    ")...)
	}
	return out
}
