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
	// Repeated means that the next letter that asks something tells all of this one again.
	Repeated bool
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
func Letter(t *match.Turn, reader rules.Seat, own Options) templates.Letter {
	l, stand := Outline(t, reader, own)
	stand(&l)
	return l
}

// Outline is what a letter says but for its standing parts. Stand puts these in; it reads only what
// stays as it is while letters are written, so that those of several can be put in at the same time.
func Outline(t *match.Turn, reader rules.Seat, own Options) (l templates.Letter, stand func(*templates.Letter)) {
	l = templates.Letter{
		Heading: templates.Heading{Subject: SubjectFor(t, reader, own), Match: t.Match.ID, Title: t.Game.Title(), Credit: t.Game.Credit(),
			Whose: whoseMove(t, reader) + own.Whose},
		Answered: templates.Answered{Lines: own.Lines, Ask: own.Ask, Problems: own.Problems},
		Kind:     templates.Kind{Observing: reader == rules.NoSeat},
	}
	l.Short, l.Slip, l.Repeated = own.Extent == Confirmation, own.Extent == Slip, own.Repeated
	if reader != rules.NoSeat {
		l.Head, l.Epoch = t.Match.Head, t.Match.Epoch
	}
	if t.After == nil {
		if l.CalledOff = t.Match.State == match.CalledOff; !hasDeclined(t, reader) {
			l.Happened = t.Remarks
		}
		if prompt, asked := asksToOpen(t, reader); asked {
			l.Prompts, l.Short = append(l.Prompts, prompt), false
		}
		put(&l, slices.Concat(own.Parts, sealSection(t, reader), wordsSection(t, reader)))
		return l, func(*templates.Letter) {}
	}
	view := t.After.View(reader)
	if l.Status = t.Game.Status(view); t.Match.Acts.Ended != nil {
		l.Status = "How it stood: " + l.Status
	}
	if _, l.Over = t.After.Result(); reader == rules.NoSeat {
		// They are told of the end by the letter that brings it.
		l.Over = l.Over && (t.Changed() || t.Published)
	} else {
		l.Status += "\n" + company(t, reader, l.Over)
	}
	if paused := pausedLine(t, reader); paused != "" {
		l.Status += "\n" + paused
	}
	l.Happened = slices.Concat(Restores(t, reader), t.Untold[reader].Remarks, t.Remarks, t.Game.Sentences(view, t.EventsFor(reader)),
		Acts(t, reader))
	dice(t, &l, reader, own)
	prompt(t, &l, reader, view, own)
	l.Short = l.Short && len(l.Prompts) == 0
	l.Time, l.Clock = timeLeft(t, reader), askedSince(t, reader)
	put(&l, slices.Concat(takebackSection(t, reader), requestSection(t, reader)))
	put(&l, own.Parts)
	if l.Over && l.Observing && t.Match.IsPublished() {
		put(&l, []rules.Section{{Title: "The end", Lines: Paragraphs(lastWords)}})
	}
	return l, func(l *templates.Letter) { addStanding(t, l, reader, view, own.Extent == Whole) }
}

// prompt asks a reader what he is to decide. An answer to a letter of which nothing was carried out asks
// without notes, and one that asks about an order asks nothing else.
func prompt(t *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, own Options) {
	if own.Extent == Slip && len(own.Ask.Taps) > 0 {
		return
	}
	for _, d := range t.OpenDecisions(reader) {
		if own.Extent == Confirmation {
			break // His answers may be replaced; nothing is asked.
		}
		p := t.Game.Prompt(view, d, t.After.Options(nil, d.ID))
		if own.Extent == Slip {
			p.Notes, p.Offers = nil, nil
		}
		if line, ok := t.SealedAnswer(d); ok && d.Ballot {
			p.Question += "\n" + ballotIn
		} else if ok {
			p.Question += "\nYou have answered: " + line + ". Another answer takes its place until all are in."
		}
		l.Entries = append(l.Entries, p.Offers...)
		l.Prompts = append(l.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Notes: p.Notes, Numbered: p.Numbered})
	}
	// A move would end a request, so the requests stand above it.
	l.Prompts = slices.Concat(TakebackPrompt(t, reader), RequestPrompts(t, reader), l.Prompts, ProposalPrompt(t, reader, own))
}

// addStanding puts the standing parts into a letter that has all of them. Another may hold some,
// as answers.
func addStanding(t *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, all bool) {
	if !all && len(l.Sections) == 0 {
		return
	}
	standing, parts := Marked(t, reader, view)
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
func Standing(t *match.Turn, pos rules.Position, seat rules.Seat) string {
	view := pos.View(seat)
	return fmt.Sprint(t.Game.Status(view), t.Game.Sections(view), t.NamesOf(t.WithoutResigned(pos.OpenDecisions(nil))),
		match.OpenDecisionsOf(pos, seat))
}

// Marked are the standing parts of a seat's letter, as the text has them and as the
// page does, with a mark at what the letter's events have changed.
func Marked(t *match.Turn, seat rules.Seat, view rules.View) ([]rules.Section, []rules.Part) {
	if t.Game.MarkedSections != nil {
		return t.Game.MarkedSections(view, t.EventsFor(seat))
	}
	return t.Game.Sections(view), nil
}

// dice says where chance comes from, when the match begins and when it is over.
func dice(t *match.Turn, l *templates.Letter, reader rules.Seat, own Options) {
	first := len(t.Entries) > 0 && t.Entries[0].Seq == 0 && reader != rules.NoSeat
	switch {
	case t.Match.Recorded != nil:
		l.Given = first
	case first:
		l.Commitment = t.Match.Secret.Commitment()
		for i := range t.Match.Seats {
			l.Words = append(l.Words, templates.Words{Seat: match.Capital(t.FullName(rules.Seat(i))), Words: t.Match.Seats[i].Words})
		}
	case l.Over && t.Match.IsPublished():
		l.Commitment, l.Secret = t.Match.Secret.Commitment(), t.Match.Secret.Hex()
		if own.Record {
			l.Record = RecordFile(t.Match.ID)
		}
	}
	if l.Over {
		l.Head, l.Epoch = t.Match.Head, t.Match.Epoch // Before, it would tell observers of hidden entries.
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
	BallotKept = "Your ballot is in. It is never opened: only the count is published when all are in. Until then another takes its " +
		"place. " +
		"Nobody is told how you voted, and letters do not repeat it."
	ballotIn   = "Your ballot is in. Another takes its place until all are in."
	BallotLast = "Your ballot was the last that was missing, and all are counted."
)
