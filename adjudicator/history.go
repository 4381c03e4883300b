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
	"samizdat/rules"
	"samizdat/templates"
)

// chapter is what one letter of ours told its reader: the record is played again from
// the entry that the letter before it ended with.
type chapter struct {
	// letter is the first one that told it; 0 when none is known.
	letter int64
	// from and to are the turns before and after it.
	from, to int
	// asked means that a letter at its end asked something: the next such letter tells
	// what happened from there on.
	asked bool
	// events and remarks are what it was the first to tell, pos is the position at its end.
	events  []rules.Event
	remarks []string
	pos     rules.Position
}

// readChapters tells the sender the history of the match: a seat letter by letter, whoever
// observes entry by entry. Everything in it comes from the reader's views and from events
// that he may know, as in the letters themselves. Orders of the letter that is being read
// are not in it.
func readChapters(ctx context.Context, j *adjudication) ([]chapter, error) {
	entries, err := j.play.Played(ctx)
	if err != nil {
		return nil, err
	}
	var letters []exchange.Sent
	known := entries
	if j.play.Seat == rules.NoSeat {
		if known = entries[:knownEntries(j, entries)]; len(known) == 0 {
			return nil, nil
		}
	} else if letters, err = j.a.Store.Letters(ctx, j.turn.Match.ID, j.play.Seat); err != nil {
		return nil, err
	}
	var out []chapter
	var next chapter
	played, turn := 0, 0
	_, err = record.Replay(match.RecordOf(j.turn.Game, j.turn.Match, record.WithoutProofs(known)), j.turn.Game, func(v record.Visit) error {
		played++
		next.events = append(next.events, v.Events...)
		next.remarks = append(next.remarks, compose.RemarksOf(j.turn, entries, v.Entry, j.play.Seat)...)
		i := slices.IndexFunc(letters, func(l exchange.Sent) bool { return l.Entries == played })
		if i < 0 && j.play.Seat != rules.NoSeat && played < len(entries) {
			return nil
		}
		if i >= 0 {
			next.letter = letters[i].Number
			next.asked = played == 1 || slices.ContainsFunc(letters[i:], func(l exchange.Sent) bool { return l.Entries == played && len(l.Decisions) > 0 })
		}
		next.from, next.pos = turn, v.Position.Clone()
		if j.turn.Game.Turn != nil {
			next.to = j.turn.Game.Turn(v.Position.View(j.play.Seat))
			turn = next.to
		}
		next.events = match.HeardBy(next.events, j.play.Seat)
		out = append(out, next)
		next = chapter{}
		return nil
	})
	return out, err
}

// pastChapters are the sender's chapters, told once.
func pastChapters(ctx context.Context, j *adjudication) (out []chapter, err error) {
	if j.past == nil {
		if j.past, err = readChapters(ctx, j); err != nil {
			return nil, fmt.Errorf("tell the history of %s: %w", j.turn.Match.ID, err)
		}
	}
	return j.past, nil
}

// chapterLines lays chapters out, each under the number of its letter if there is one.
func chapterLines(j *adjudication, chapters []chapter) []string {
	var out []string
	for i, c := range chapters {
		sentences := slices.Concat(c.remarks, j.turn.Game.Sentences(c.pos.View(j.play.Seat), c.events))
		if len(sentences) == 0 {
			continue
		}
		if i > 0 && (c.letter > 0 || chapters[i-1].letter > 0) && len(out) > 0 {
			out = append(out, "")
		}
		if c.letter > 0 {
			out = append(out, fmt.Sprintf("Letter %d:", c.letter))
		}
		out = append(out, compose.Bulleted(sentences)...)
	}
	if out == nil {
		return []string{"Nothing yet."}
	}
	return out
}

// chapterOf is the chapter at whose end a letter stands, which it need not be the first to tell;
// -1 where there is none.
func chapterOf(letter int64, chapters []chapter) int {
	last := -1
	for i, c := range chapters {
		if c.letter > 0 && c.letter <= letter {
			last = i
		}
	}
	return last
}

// retellLetter is an older letter to a seat, which stands at the end of the last chapter.
func retellLetter(j *adjudication, title string, sent exchange.Sent, chapters []chapter) []rules.Section {
	c := chapters[len(chapters)-1]
	then := turnAsOf(j, sent, chapters)
	view := c.pos.View(j.play.Seat)
	parts := []rules.Section{{Title: title, Lines: strings.Split(templates.Wrap(j.turn.Game.Status(view)), "\n")}}
	if c.letter == sent.Number {
		if told := slices.Concat(then.Remarks, j.turn.Game.Sentences(view, then.Events)); len(told) > 0 {
			parts = append(parts, rules.Section{Title: title + ": what happened", Lines: compose.Bulleted(told)})
		}
	}
	for _, d := range then.Owed(j.play.Seat) {
		if !slices.Contains(sent.Decisions, d.ID) {
			continue
		}
		p := j.turn.Game.Prompt(view, d, c.pos.Options(nil, d.ID))
		lines := append(strings.Split(templates.Wrap(p.Question), "\n"), "")
		parts = append(parts, rules.Section{Title: title + ": your decision", Lines: append(lines, compose.Bulleted(p.Forms)...)})
	}
	standing, _ := compose.Marked(&then, j.play.Seat, view)
	for _, p := range standing {
		parts = append(parts, rules.Section{Title: title + ": " + strings.ToLower(p.Title[:1]) + p.Title[1:], Lines: p.Lines})
	}
	return parts
}

// turnAsOf is the match as it stood when an older letter to the sender was written, which stands at the
// end of the last chapter, with what the letter told first.
func turnAsOf(j *adjudication, sent exchange.Sent, chapters []chapter) match.Turn {
	c := chapters[len(chapters)-1]
	then := match.Turn{Match: j.turn.Match, Now: j.turn.Now, Game: j.turn.Game, After: c.pos}
	if c.letter != sent.Number {
		return then
	}
	then.Events = c.events
	if c.asked {
		for i := len(chapters) - 2; i >= 0 && !chapters[i].asked; i-- {
			then.Events, then.Remarks = slices.Concat(chapters[i].events, then.Events), slices.Concat(chapters[i].remarks, then.Remarks)
		}
	}
	then.Remarks = append(then.Remarks, c.remarks...)
	return then
}

// dropCopied empties the lines of the letter that a mail program has copied from ours. Where no order stands beside the copy, the
// answer names the orders in it.
func dropCopied(ctx context.Context, j *adjudication) error {
	if j.turn.After == nil || j.letter.TooLong() {
		return nil
	}
	copies := letter.FindCopies(j.letter.Orders, j.letter.Below, j.reader.Orders.IsOrder)
	if copies == nil {
		return nil
	}
	sent := letter.Sequences{}
	sent.Add(compose.Letter(j.turn, j.play.Seat, compose.Options{Extent: compose.Whole}).Text())
	if !copies.MayHold(sent) {
		return nil
	}
	chapters, err := pastChapters(ctx, j)
	if err != nil {
		return err
	}
	if last := chapterOf(j.letter.Token.Number, chapters); last >= 0 && j.sent.Entries > 0 {
		then := turnAsOf(j, j.sent, chapters[:last+1])
		l := compose.Letter(&then, j.play.Seat, compose.Options{Extent: compose.Whole})
		l.Number = j.letter.Token.Number
		sent.Add(l.Text())
	}
	text, orders := copies.Remove(sent)
	if j.letter.Orders = text; len(orders) > 0 {
		j.answer.Problems = append(j.answer.Problems, fmt.Sprintf("These lines stand in a copy of our letter, and were left out: %s. If one of "+
			"them is your order, please send it again in a new letter without the copy.", strings.Join(orders, " | ")))
	}
	return nil
}
