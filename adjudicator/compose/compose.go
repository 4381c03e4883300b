// Package compose writes what one letter says to its reader, out of a turn of a match: its subject, what
// happened, where the clocks stand and what is asked. It knows templates, and no store.
package compose

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// Options is what a letter says to its reader alone, beside what there is to tell of
// the match.
type Options struct {
	// Lines and problems say what became of his own letter.
	Lines    []templates.Line
	Problems []string
	// Ask is the question whether he means the orders that it spells out; nil for none.
	Ask *templates.Ask
	// Misread means that nothing of his letter was carried out, since something in it was not understood.
	Misread bool
	// Whose stands behind the line that says whose move it is.
	Whose string
	// Writer is who has written the message that stands in the letter; empty for none.
	Writer string
	// Parts stand above the standing parts of a letter; extent is how much of those there is.
	Parts  []rules.Section
	Extent Extent
	// Record means that the record is attached.
	Record bool
}

// Extent is how much of a match a letter shows.
type Extent int

const (
	// Whole letters have all standing parts: the hand, what is known, the map.
	Whole Extent = iota
	// Answers have the parts alone that were asked for.
	Answers
	// Reminder letters have none, and ask again.
	Reminder
	// Confirmation letters have none.
	Confirmation
	// Slip letters have none: they answer a letter of which nothing was carried out.
	Slip
)

// Letter writes what a letter says to a reader: the player of a seat, or whoever
// observes (Nobody). Everything in it comes from the reader's view and from events that
// he may know. Every letter stands alone: mail gets lost.
func Letter(c *match.Turn, reader rules.Seat, own Options) templates.Letter {
	l, stand := Outline(c, reader, own)
	stand(&l)
	return l
}

// Outline is what a letter says but for its standing parts. Stand puts these in; it reads only what
// stays as it is while letters are written, so that those of several can be put in at the same time.
func Outline(c *match.Turn, reader rules.Seat, own Options) (l templates.Letter, stand func(*templates.Letter)) {
	l = templates.Letter{
		Heading:  templates.Heading{Subject: SubjectFor(c, reader, own), Match: c.Match.ID, Title: c.Game.Title(), Credit: c.Game.Credit(), Whose: whoseMove(c, reader) + own.Whose},
		Answered: templates.Answered{Lines: own.Lines, Ask: own.Ask, Problems: own.Problems},
		Kind:     templates.Kind{Observing: reader == rules.Nobody},
	}
	l.Short, l.Slip = own.Extent == Confirmation, own.Extent == Slip
	if reader != rules.Nobody {
		l.Head, l.Epoch = c.Match.Head, c.Match.Epoch
	}
	if c.After == nil {
		if l.CalledOff = c.Match.State == match.CalledOff; !hasDeclined(c, reader) {
			l.Happened = c.Remarks
		}
		if prompt, asked := asksToOpen(c, reader); asked {
			l.Prompts, l.Short = append(l.Prompts, prompt), false
		}
		put(&l, slices.Concat(own.Parts, sealSection(c, reader), wordsSection(c, reader)))
		return l, func(*templates.Letter) {}
	}
	view := c.After.View(reader)
	if l.Status = c.Game.Status(view); c.Match.Acts.Ended != nil {
		l.Status = "How it stood: " + l.Status
	}
	if _, l.Over = c.After.Result(); reader == rules.Nobody {
		// They are told of the end by the letter that brings it.
		l.Over = l.Over && (c.Changed() || c.Published)
	} else {
		l.Status += "\n" + company(c, reader, l.Over)
	}
	if paused := pausedLine(c, reader); paused != "" {
		l.Status += "\n" + paused
	}
	l.Happened = slices.Concat(Restores(c, reader), c.Untold[reader].Remarks, c.Remarks, c.Game.Sentences(view, c.EventsFor(reader)), Acts(c, reader))
	dice(c, &l, reader, own)
	prompt(c, &l, reader, view, own)
	l.Short = l.Short && len(l.Prompts) == 0
	l.Time, l.Clock = timeLeft(c, reader), askedSince(c, reader)
	put(&l, slices.Concat(takebackSection(c, reader), requestSection(c, reader)))
	put(&l, own.Parts)
	if l.Over && l.Observing && c.Match.Published() {
		put(&l, []rules.Section{{Title: "The end", Lines: Paragraphs(lastWords)}})
	}
	return l, func(l *templates.Letter) { addStanding(c, l, reader, view, own.Extent == Whole) }
}

// prompt asks a reader what he is to decide. An answer to a letter of which nothing was carried out asks
// without notes, and one that asks about an order asks nothing else.
func prompt(c *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, own Options) {
	if own.Extent == Slip && len(own.Ask.Taps) > 0 {
		return
	}
	for _, d := range c.Owed(reader) {
		if own.Extent == Confirmation {
			break // His answers may be replaced; nothing is asked.
		}
		p := c.Game.Prompt(view, d, c.After.Options(nil, d.ID))
		if own.Extent == Slip {
			p.Notes, p.Offers = nil, nil
		}
		if line, ok := c.SealedAnswer(d); ok && d.Ballot {
			p.Question += "\n" + ballotIn
		} else if ok {
			p.Question += "\nYou have answered: " + line + ". Another answer takes its place until all are in."
		}
		l.Entries = append(l.Entries, p.Offers...)
		l.Prompts = append(l.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Notes: p.Notes, Numbered: p.Numbered})
	}
	l.Prompts = slices.Concat(l.Prompts, ProposalPrompt(c, reader, own), TakebackPrompt(c, reader), RequestPrompts(c, reader))
}

// addStanding puts the standing parts into a letter that has all of them. Another may hold some,
// as answers.
func addStanding(c *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, all bool) {
	if !all && len(l.Sections) == 0 {
		return
	}
	standing, parts := Marked(c, reader, view)
	if all {
		put(l, standing)
	}
	setBlocks(l, standing, parts)
}

// put adds parts to a letter, each once.
func put(l *templates.Letter, parts []rules.Section) {
	for _, p := range parts {
		if !slices.ContainsFunc(l.Sections, func(o rules.Section) bool { return o.Title == p.Title }) {
			l.Sections = append(l.Sections, p)
		}
	}
}

// setBlocks finds the standing parts among the sections of a letter. A section of
// that name which says something else stays as it is laid out.
func setBlocks(l *templates.Letter, standing []rules.Section, parts []rules.Part) {
	for _, s := range standing {
		p := slices.IndexFunc(parts, func(p rules.Part) bool { return p.Title == s.Title })
		i := slices.IndexFunc(l.Sections, func(sec rules.Section) bool { return sec.Title == s.Title })
		if p >= 0 && i >= 0 && slices.Equal(s.Lines, l.Sections[i].Lines) {
			l.Sections[i].Blocks = parts[p].Blocks
		}
	}
}

// Standing is what a letter to a seat says of a position, whatever happened.
func Standing(c *match.Turn, pos rules.Position, seat rules.Seat) string {
	view := pos.View(seat)
	return fmt.Sprint(c.Game.Status(view), c.Game.Sections(view), c.NamesOf(c.WithoutResigned(pos.Owed(nil))), match.Owed(pos, seat))
}

// Marked are the standing parts of a seat's letter, as the text has them and as the
// page does, with a mark at what the letter's events have changed.
func Marked(c *match.Turn, seat rules.Seat, view rules.View) ([]rules.Section, []rules.Part) {
	if c.Game.Marked != nil {
		return c.Game.Marked(view, c.EventsFor(seat))
	}
	return c.Game.Sections(view), nil
}

// dice says where chance comes from, when the match begins and when it is over.
func dice(c *match.Turn, l *templates.Letter, reader rules.Seat, own Options) {
	first := len(c.Entries) > 0 && c.Entries[0].Seq == 0 && reader != rules.Nobody
	switch {
	case c.Match.Recorded != nil:
		l.Given = first
	case first:
		l.Commitment = c.Match.Secret.Commitment()
		for i := range c.Match.Seats {
			l.Words = append(l.Words, templates.Words{Seat: match.Capital(c.Called(rules.Seat(i))), Words: c.Match.Seats[i].Words})
		}
	case l.Over && c.Match.Published():
		l.Commitment, l.Secret = c.Match.Secret.Commitment(), c.Match.Secret.Hex()
		if own.Record {
			l.Record = RecordFile(c.Match.ID)
		}
	}
	if l.Over {
		l.Head, l.Epoch = c.Match.Head, c.Match.Epoch // Before, it would tell observers of hidden entries.
	}
}

// RecordFile is what the record of a match is called.
func RecordFile(match string) string { return match + ".jsonl" }

// Shorten takes from a confirmation what it has no room for, and says where it stands.
func Shorten(l *templates.Letter) bool {
	const more = "More has happened: your next letter that asks something tells all of it, and so does HISTORY."
	const unlisted = "There is no room for what became of the other lines."
	switch n, m := len(l.Happened), len(l.Lines); {
	case n > 1 && l.Happened[n-1] != more:
		l.Happened = append(slices.Clone(l.Happened[:n-1]), more)
	case n > 1:
		l.Happened = append(slices.Clone(l.Happened[:n-2]), more)
	case m > 1 && l.Lines[m-1].Note != unlisted:
		l.Lines = append(slices.Clone(l.Lines[:m-1]), templates.Line{Note: unlisted})
	case m > 1:
		l.Lines = append(slices.Clone(l.Lines[:m-2]), templates.Line{Note: unlisted})
	default:
		return false
	}
	return true
}

// What is said of a ballot is the same whichever it is, and never quotes it: a
// letter of ours must not be a proof of what somebody has voted.
const (
	BallotKept = "Your ballot is in. It is never opened: only the count is published when all are in. Until then another takes its place. " +
		"Nobody is told how you voted, and letters do not repeat it."
	ballotIn   = "Your ballot is in. Another takes its place until all are in."
	BallotLast = "Your ballot was the last that was missing, and all are counted."
)
