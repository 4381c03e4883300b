// Package compose writes the content of a letter to a reader from a turn of a match: the subject, the events, the
// clocks and the questions. It uses package templates, and does not access the store.
package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// Options holds the parts of a letter that concern its reader alone, e.g. the answer to the reader's own letter.
type Options struct {
	// Lines and Problems report the outcome of the reader's own letter.
	Lines    []templates.Line
	Problems []string
	// Ask is the question whether the reader means the orders in it; nil for none.
	Ask *templates.Ask
	// Misread is set if no order of the reader's letter was carried out, because a part was not understood.
	Misread bool
	// MoverSuffix is appended to the line that names the player to move. For example, "Ben (Communist) has written
	// to you; the message is below."
	MoverSuffix string
	// Writer is the name of the player who wrote the message in the letter; empty for none.
	Writer string
	// Above are printed above the questions: messages, and answers to the reader. Parts are printed below the questions, and
	// above the standing sections.
	Above, Parts []rules.Section
	Extent       Extent
	// Repeated is set if the next letter with a question repeats the content of this letter. Record is set if it has the record.
	Repeated, Record bool
}

// Extent selects the sections of a letter. Standing sections show the position, e.g. the hand and the map.
type Extent int

const (
	// Whole is for full letters, with all standing sections.
	Whole Extent = iota
	// Answers is for letters with only the sections that the player asked for.
	Answers
	// Reminder is for letters without standing sections that repeat the question.
	Reminder
	// Confirmation is for letters without standing sections and without a question about the game.
	Confirmation
	// Slip is for letters without standing sections, status and notes. The match has not moved since the reader's last letter.
	Slip
)

// WriteLetter composes a letter to a reader: the player of a seat, or the observers (rules.NoSeat). It uses only the
// reader's view and the events that the reader may know. Each letter can be read alone, because mail gets lost.
func WriteLetter(t *match.Turn, reader rules.Seat, options Options) templates.Letter {
	l, addStandingParts := WriteOutline(t, reader, options)
	addStandingParts(&l)
	return l
}

// WriteOutline composes a letter without its standing sections, and returns a function that adds them. The function reads only data that
// does not change while letters are composed, so it can run for several letters at the same time.
func WriteOutline(t *match.Turn, reader rules.Seat, options Options) (l templates.Letter, addStandingParts func(*templates.Letter)) {
	l = templates.Letter{
		Heading: templates.Heading{Subject: SubjectFor(t, reader, options), Match: t.Match.ID, Title: t.Game.Title(), Credit: t.Game.Credit(),
			Whose: describeMover(t, reader) + options.MoverSuffix},
		Answered: templates.Answered{Lines: options.Lines, Ask: options.Ask, Problems: options.Problems, Parts: options.Above},
		Kind:     templates.Kind{Observing: reader == rules.NoSeat},
	}
	l.Short, l.Slip, l.Repeated = options.Extent == Confirmation, options.Extent == Slip, options.Repeated
	if reader != rules.NoSeat {
		l.Head, l.Epoch = t.Match.Head, t.Match.Epoch
	}
	if t.After == nil {
		if l.CalledOff = t.Match.State == match.CalledOff; !hasDeclined(t, reader) {
			l.Happened = t.Remarks
		}
		if prompt, asked := openPrompt(t, reader); asked {
			l.Prompts, l.Short = append(l.Prompts, prompt), false
		}
		addSections(&l, slices.Concat(options.Parts, sealSection(t, reader), wordsSection(t, reader)))
		return l, func(*templates.Letter) {}
	}
	view := t.After.View(reader)
	if l.Status = t.Game.Status(view); t.Match.Acts.Ended != nil {
		l.Status = "The match ended at this point: " + l.Status
	}
	if _, l.Over = t.After.Result(); reader == rules.NoSeat {
		// Observers learn of the end from the letter with its event.
		l.Over = l.Over && (t.Changed() || t.Published)
	} else {
		l.Status += "\n" + describePlayers(t, reader, l.Over)
	}
	if paused := describePause(t, reader); paused != "" {
		l.Status += "\n" + paused
	}
	l.Happened = slices.Concat(DescribeRestores(t, reader), t.Untold[reader].Remarks, t.Remarks, t.Game.Sentences(view, t.EventsFor(reader)),
		DescribeActs(t, reader))
	addFairness(t, &l, reader, options)
	addPrompts(t, &l, reader, view, options)
	l.Short = l.Short && len(l.Prompts) == 0
	l.Time, l.Clock = describeTimes(t, reader), describeWait(t, reader)
	if len(l.Words) > 0 || l.Given {
		l.Whose += "\nThe match has begun."
	}
	addSections(&l, slices.Concat(takebackSection(t, reader), requestSection(t, reader)))
	addSections(&l, slices.Concat(options.Parts, noteSection(t, reader, options.Extent)))
	if l.Over && l.Observing && t.Match.IsPublished() {
		addSections(&l, []rules.Section{{Title: "The end", Lines: Paragraphs(lastLetterNote)}})
	}
	return l, func(l *templates.Letter) { addStanding(t, l, reader, view, options.Extent == Whole) }
}

// noteSection shows a player's private notes, except in a letter that only reports that nothing has moved.
func noteSection(t *match.Turn, reader rules.Seat, extent Extent) []rules.Section {
	if reader == rules.NoSeat || extent == Slip || len(t.Match.Seats[reader].Timing.Notes) == 0 {
		return nil
	}
	return []rules.Section{{Title: "Your notes", Lines: FormatQuote(strings.Join(t.Match.Seats[reader].Timing.Notes, "\n"))}}
}

// addPrompts adds the questions for a reader's open decisions. In a Slip letter they have no notes. A Slip letter that asks
// about an order has no other question.
func addPrompts(t *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, options Options) {
	if options.Extent == Slip && options.Ask != nil && len(options.Ask.Taps) > 0 {
		return
	}
	for _, d := range t.OpenDecisions(reader) {
		if options.Extent == Confirmation {
			break // a confirmation asks nothing
		}
		legal := t.After.Options(nil, d.ID)
		p := t.Game.Prompt(view, d, legal)
		if options.Extent == Slip {
			p.Notes, p.Offers = nil, nil
		}
		if line, ok := t.SealedAnswer(d); ok && d.Ballot {
			p.Question += "\n" + ballotIn
		} else if ok {
			p.Question += "\nYou have answered: " + line + ". You may replace your answer until all are in."
		}
		l.Entries = append(l.Entries, p.Offers...)
		l.Prompts = append(l.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Notes: p.Notes,
			Examples: len(legal) > len(p.Forms) && !p.Numbered, Numbered: p.Numbered})
	}
	// Requests come first, because an order would end them.
	l.Prompts = slices.Concat(TakebackPrompt(t, reader), RequestPrompts(t, reader), l.Prompts, ProposalPrompt(t, reader, options))
}

// addStanding adds all standing sections to a letter if showAll is set. Otherwise it only sets the blocks of the standing
// sections that the letter already has as answers.
func addStanding(t *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, showAll bool) {
	if !showAll && len(l.Sections) == 0 && len(l.Parts) == 0 {
		return
	}
	standing, parts := MarkChanges(t, reader, view)
	if l.Over && t.Game.AnswerQuery != nil {
		standing = putMapFirst(standing, t.Game.AnswerQuery(view, rules.QueryMap))
	}
	if showAll {
		addSections(l, standing)
	}
	setBlocks(l, standing, parts)
}

// putMapFirst puts the sections of the map above the others, for the last letter of a match.
func putMapFirst(standing, maps []rules.Section) (out []rules.Section) {
	isMap := func(s rules.Section) bool {
		return slices.ContainsFunc(maps, func(m rules.Section) bool { return m.Title == s.Title })
	}
	for _, want := range []bool{true, false} {
		for _, s := range standing {
			if isMap(s) == want {
				out = append(out, s)
			}
		}
	}
	return out
}

// addSections adds sections to a letter, except those with a title that the letter has already.
func addSections(l *templates.Letter, parts []rules.Section) {
	for _, p := range parts {
		if !slices.ContainsFunc(slices.Concat(l.Parts, l.Sections), func(o rules.Section) bool { return o.Title == p.Title }) {
			l.Sections = append(l.Sections, p)
		}
	}
}

// setBlocks sets the blocks (content for the HTML page) of the standing sections in a letter, if their lines are unchanged.
func setBlocks(l *templates.Letter, standing []rules.Section, parts []rules.Part) {
	for _, s := range standing {
		p := slices.IndexFunc(parts, func(p rules.Part) bool { return p.Title == s.Title })
		for _, sections := range [][]rules.Section{l.Parts, l.Sections} {
			i := slices.IndexFunc(sections, func(sec rules.Section) bool { return sec.Title == s.Title })
			if p >= 0 && i >= 0 && slices.Equal(s.Lines, sections[i].Lines) {
				sections[i].Blocks = parts[p].Blocks
			}
		}
	}
}

// SummarizePosition returns the status, the standing sections and the open decisions of a position for a seat. HasNews compares
// the result before and after a turn.
func SummarizePosition(t *match.Turn, pos rules.Position, seat rules.Seat) string {
	view := pos.View(seat)
	return fmt.Sprint(t.Game.Status(view), t.Game.Sections(view), t.NamesOf(t.WithoutResigned(pos.OpenDecisions(nil))),
		rules.OpenDecisionsOf(pos, seat))
}

// MarkChanges returns the standing sections of a letter to a seat, and parts with the same content for its HTML page. They mark what
// the letter's events changed. The parts are nil if the game marks no changes.
func MarkChanges(t *match.Turn, seat rules.Seat, view rules.View) ([]rules.Section, []rules.Part) {
	if t.Game.MarkedSections != nil {
		return t.Game.MarkedSections(view, t.EventsFor(seat))
	}
	return t.Game.Sections(view), nil
}

// addFairness adds the commitment and the seed words to the first letter to a seat, and the secret to the last letters of a match.
func addFairness(t *match.Turn, l *templates.Letter, reader rules.Seat, options Options) {
	first := len(t.Entries) > 0 && t.Entries[0].Seq == 0 && reader != rules.NoSeat
	switch {
	case t.Match.Recorded != nil:
		l.Given = first
	case first:
		l.Commitment = t.Match.Secret.Commitment()
		for i := range t.Match.Seats {
			l.Words = append(l.Words, templates.Words{Seat: match.Capitalize(t.FullName(rules.Seat(i))), Words: t.Match.Seats[i].SeedWords})
		}
	case l.Over && t.Match.IsPublished():
		l.Commitment, l.Secret = t.Match.Secret.Commitment(), t.Match.Secret.Hex()
		if options.Record {
			l.Record = RecordFileName(t.Match.ID)
		}
	}
	if l.Over {
		l.Head, l.Epoch = t.Match.Head, t.Match.Epoch // earlier, it would reveal hidden entries to observers
	}
}

// RecordFileName returns the file name of a match's record.
func RecordFileName(match string) string { return match + ".jsonl" }

// Shorten removes an event or an order line from a confirmation that is too long, and adds a sentence about the omission.
// The result is false if there was no event or line to remove.
func Shorten(l *templates.Letter) bool {
	const more = "More has happened: HISTORY shows all of it, and so does your next letter with a question."
	const unlisted = "There is no room here for the results of the other lines."
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

// The texts about a ballot never quote it, because a letter from Samizdat must not prove how a player has voted.
const (
	BallotKept = "Your ballot is in. It stays secret for ever, and letters do not repeat it: only the count is published, when " +
		"all ballots are in. Until then you may send a new ballot in its place."
	ballotIn   = "Your ballot is in. You may replace it until all ballots are in."
	BallotLast = "Your ballot was the last one, and all are counted."
)
