// Package compose writes the content of a letter about a turn of a match: the subject, the events, the clocks and the
// questions. Package adjudicator calls it for each letter; package templates lays the content out. Package compose does
// not access the store.
package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
	"samizdat/templates"
)

// Options holds the parts of a letter that concern its reader alone, e.g. the answer to the reader's own letter.
type Options struct {
	// Lines and Problems report the outcome of the reader's own letter.
	Lines    []templates.Line
	Problems []string
	// Ask asks the reader to confirm orders, e.g. "Please confirm it: RESIGN"; nil for none.
	Ask *templates.Ask
	// Misread is set if a part of the reader's own letter was not understood.
	Misread bool
	// MoverSuffix is appended to the line that names the player to move, e.g. "\nBen (Communist) has written to you;
	// the message is below."
	MoverSuffix string
	// Writer is the name of the player who wrote the message in the letter; empty for none.
	Writer string
	// SectionsAbove are printed above the questions: messages, and answers to the reader. SectionsBelow are printed
	// between the questions and the standing sections.
	SectionsAbove, SectionsBelow []rules.Section
	Extent                       Extent
	// Focus lists the titles of the standing sections that a full letter shows; nil for all.
	Focus []string
	// HasAnalysis is set if SectionsAbove contains the analysis of the match.
	HasAnalysis bool
	// IsNotice is set if Lines does not report on a letter of the reader.
	IsNotice bool
	// Repeated is set if the next letter with a question will repeat the content of this letter. HasRecord is set if the
	// record of the match is attached.
	Repeated, HasRecord bool
}

// Extent is the amount of content in a letter. Standing sections show the position, e.g. the hand and the map.
type Extent int

const (
	// ExtentFull is a letter with the standing sections.
	ExtentFull Extent = iota
	// ExtentAnswers is a letter with only the sections that the player asked for.
	ExtentAnswers
	// ExtentReminder is a letter that repeats the question, without standing sections.
	ExtentReminder
	// ExtentConfirmation is a letter without standing sections and without a question about the game.
	ExtentConfirmation
	// ExtentSlip is a short letter without standing sections, status and notes, because the match has not moved since the reader's last
	// letter.
	ExtentSlip
)

// WriteLetter composes a letter to a reader: the player of a seat, or the observers (rules.NoSeat). It uses only the
// reader's view and the events that the reader may know. Each letter can be read alone, because mail gets lost.
func WriteLetter(turn *match.Turn, reader rules.Seat, options Options) templates.Letter {
	content, addStanding := WriteOutline(turn, reader, options)
	addStanding(&content)
	return content
}

// WriteOutline composes a letter without its standing sections, and returns a function that adds them. The functions of
// several letters can run at the same time, because each changes only its own letter.
func WriteOutline(turn *match.Turn, reader rules.Seat, options Options) (content templates.Letter, addStanding func(*templates.Letter)) {
	content = templates.Letter{
		Heading: templates.Heading{Subject: SubjectFor(turn, reader, options), Match: turn.Match.ID, Title: turn.Game.Title(),
			Credit: turn.Game.Credit(),
			ToMove: describeMover(turn, reader) + describeSlipSeat(turn, reader, options.Extent) + options.MoverSuffix},
		AnswerResult: templates.AnswerResult{Lines: options.Lines, Ask: options.Ask, Problems: options.Problems, Replies: options.SectionsAbove},
		Kind:         templates.Kind{IsObserver: reader == rules.NoSeat},
	}
	content.IsShort, content.IsSlip, content.IsRepeated = options.Extent == ExtentConfirmation, options.Extent == ExtentSlip, options.Repeated
	content.IsFocused, content.IsNotice = options.Focus != nil, options.IsNotice
	if reader != rules.NoSeat {
		content.HistoryHash, content.Epoch = turn.Match.Head, turn.Match.Epoch
	}
	if turn.After == nil {
		if content.IsCalledOff = turn.Match.State == match.CalledOff; !hasDeclined(turn, reader) {
			content.Events = turn.Remarks
		}
		for _, ask := range []func(*match.Turn, rules.Seat) (templates.Prompt, bool){joinPrompt, revealPrompt} {
			if prompt, isAsked := ask(turn, reader); isAsked {
				content.Prompts, content.IsShort = append(content.Prompts, prompt), false
			}
		}
		addSections(&content, slices.Concat(options.SectionsBelow, sealSection(turn, reader), seedWordsSection(turn, reader)))
		return content, func(*templates.Letter) {}
	}
	view := turn.After.View(reader)
	if content.Status = turn.Game.Status(view); turn.Match.Ended != nil {
		content.Status = "Final position: " + strings.ToLower(content.Status[:1]) + content.Status[1:]
	}
	if _, content.IsOver = turn.After.Result(); reader == rules.NoSeat {
		// Observers are told of the end only by the letter that reports the last event.
		content.IsOver = content.IsOver && (turn.HasChanged() || turn.HasPublished)
	} else {
		content.Status += "\n" + describePlayers(turn, reader, content.IsOver)
	}
	if pauseText := describePause(turn, reader); pauseText != "" {
		content.ToMove += "\n" + pauseText
	}
	content.Events = slices.Concat(DescribeRestores(turn, reader), turn.Unreported[reader].Remarks, turn.Remarks,
		turn.Game.Sentences(view, turn.EventsFor(reader)), DescribeActs(turn, reader))
	addFairness(turn, &content, reader, options)
	addPrompts(turn, &content, reader, view, options)
	content.IsShort = content.IsShort && len(content.Prompts) == 0
	content.Time, content.WaitingSince = describeTimes(turn, reader), describeWait(turn, reader)
	if options.Extent == ExtentSlip && options.Ask != nil && len(options.Ask.Answers) > 0 {
		content.WaitingSince = ""
	}
	if len(content.Words) > 0 || content.HasFixedDice {
		content.ToMove = "The match has begun. " + content.ToMove
	}
	addSections(&content, slices.Concat(takebackSection(turn, reader), requestSection(turn, reader)))
	addSections(&content, slices.Concat(options.SectionsBelow, noteSection(turn, reader, options.Extent)))
	if content.IsOver && content.IsObserver && turn.Match.IsPublished() {
		addSections(&content, []rules.Section{{Title: "The end", Lines: Paragraphs(lastLetterNote)}})
	}
	return content, func(content *templates.Letter) {
		addStandingSections(turn, content, reader, view, options)
	}
}

// describeSlipSeat names the reader's side in a slip letter (ExtentSlip), because a slip letter does not list the
// players. It returns "" for other letters.
func describeSlipSeat(turn *match.Turn, reader rules.Seat, extent Extent) string {
	if extent != ExtentSlip || turn.After == nil || reader == rules.NoSeat {
		return ""
	}
	return " You are " + turn.FullName(reader) + "."
}

func noteSection(turn *match.Turn, reader rules.Seat, extent Extent) []rules.Section {
	if reader == rules.NoSeat || extent == ExtentSlip || len(turn.Match.Seats[reader].Private.Notes) == 0 {
		return nil
	}
	return []rules.Section{{Title: "Your notes", Lines: FormatQuote(strings.Join(turn.Match.Seats[reader].Private.Notes, "\n"))}}
}

// addPrompts adds the questions for a reader's open decisions. A slip letter (ExtentSlip) has them without notes; a
// slip letter that asks to confirm an order has no other question.
func addPrompts(turn *match.Turn, content *templates.Letter, reader rules.Seat, view rules.View, options Options) {
	if options.Extent == ExtentSlip && options.Ask != nil && len(options.Ask.Answers) > 0 {
		return
	}
	for _, d := range turn.OpenDecisions(reader) {
		if options.Extent == ExtentConfirmation {
			break // A confirmation has no question about the game.
		}
		legal := turn.After.Options(nil, d.ID)
		p := turn.Game.Prompt(view, d, legal)
		if p.TimeoutNote != "" && !turn.Match.Tempo.IsUntimed() && turn.Match.OnTimeout == clock.Silence {
			p.Notes = append(p.Notes, p.TimeoutNote)
		}
		if options.Extent == ExtentSlip {
			p.Notes, p.ItemOrders = nil, nil
		}
		if line, ok := turn.SealedAnswer(d); ok && d.Ballot {
			p.Question += "\n" + ballotReceivedNote
		} else if ok {
			p.Question += "\nYou have answered: " + line + ". You may change your answer until all answers are in."
		}
		content.ItemOrders = append(content.ItemOrders, p.ItemOrders...)
		content.Prompts = append(content.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Hints: p.Notes,
			FormsAreExamples: len(legal) > len(p.Forms) && !p.IsNumbered && !p.OnlyForms, IsNumbered: p.IsNumbered})
	}
	// Requests come first: an order of the game would end them.
	content.Prompts = slices.Concat(TakebackPrompt(turn, reader), RequestPrompts(turn, reader), content.Prompts,
		ProposalPrompt(turn, reader, options))
}

// addStandingSections adds the standing sections to a full letter. In all letters it also sets the HTML blocks of
// sections that are equal to a standing section, e.g. an answer to MAP.
func addStandingSections(turn *match.Turn, content *templates.Letter, reader rules.Seat, view rules.View, options Options) {
	isFull := options.Extent == ExtentFull
	if !isFull && len(content.Sections) == 0 && len(content.Replies) == 0 {
		return
	}
	standing, pageParts := StandingSections(turn, reader, view)
	if content.IsOver && turn.Game.AnswerQuery != nil {
		standing = putMapFirst(standing, turn.Game.AnswerQuery(view, rules.QueryMap))
	}
	if isFull {
		addSections(content, slices.DeleteFunc(slices.Clone(standing), func(s rules.Section) bool {
			return options.Focus != nil && !slices.Contains(options.Focus, s.Title)
		}))
	}
	setBlocks(content, standing, pageParts)
}

// putMapFirst puts the sections of the map above the others, for the last letter of a match.
func putMapFirst(standing, maps []rules.Section) (out []rules.Section) {
	isMap := func(s rules.Section) bool {
		return slices.ContainsFunc(maps, func(m rules.Section) bool { return m.Title == s.Title })
	}
	for _, first := range []bool{true, false} {
		for _, s := range standing {
			if isMap(s) == first {
				out = append(out, s)
			}
		}
	}
	return out
}

// addSections adds sections to a letter, except sections with a title that the letter already has.
func addSections(content *templates.Letter, sections []rules.Section) {
	for _, section := range sections {
		if !slices.ContainsFunc(slices.Concat(content.Replies, content.Sections),
			func(o rules.Section) bool { return o.Title == section.Title }) {
			content.Sections = append(content.Sections, section)
		}
	}
}

// setBlocks sets the blocks (content for the HTML page) of the sections of a letter that have the title and the lines of a standing
// section.
func setBlocks(content *templates.Letter, standing []rules.Section, pageParts []rules.PageSection) {
	for _, s := range standing {
		page := slices.IndexFunc(pageParts, func(p rules.PageSection) bool { return p.Title == s.Title })
		for _, sections := range [][]rules.Section{content.Replies, content.Sections} {
			i := slices.IndexFunc(sections, func(section rules.Section) bool { return section.Title == s.Title })
			if page >= 0 && i >= 0 && slices.Equal(s.Lines, sections[i].Lines) {
				sections[i].Blocks = pageParts[page].Blocks
			}
		}
	}
}

// SummarizePosition returns the status, the standing sections and the open decisions of a position, as a seat sees
// them. A seat gets a letter about a turn if its summaries before and after the turn differ.
func SummarizePosition(turn *match.Turn, pos rules.Position, seat rules.Seat) string {
	view := pos.View(seat)
	return fmt.Sprint(turn.Game.Status(view), turn.Game.Sections(view), turn.NamesOf(turn.WithoutResigned(pos.OpenDecisions(nil))),
		rules.OpenDecisionsOf(pos, seat))
}

// StandingSections returns the standing sections of a letter to a seat, and the sections of its HTML page. The HTML
// sections have the same content, with marks at what the events of the letter have changed; they are nil if the game does not mark
// changes.
func StandingSections(turn *match.Turn, seat rules.Seat, view rules.View) ([]rules.Section, []rules.PageSection) {
	if turn.Game.MarkedSections != nil {
		return turn.Game.MarkedSections(view, turn.EventsFor(seat))
	}
	return turn.Game.Sections(view), nil
}

// addFairness adds the commitment of the secret and the seed words to the first letter to a seat, and the secret
// itself to the last letters of a match.
func addFairness(turn *match.Turn, content *templates.Letter, reader rules.Seat, options Options) {
	isFirst := len(turn.Entries) > 0 && turn.Entries[0].Seq == 0 && reader != rules.NoSeat
	switch {
	case turn.Match.Recorded != nil:
		content.HasFixedDice = isFirst
	case isFirst:
		content.Commitment = turn.Match.Secret.Commitment()
		for i := range turn.Match.Seats {
			content.Words = append(content.Words, templates.DiceWords{Seat: match.Capitalize(turn.FullName(rules.Seat(i))),
				Words: turn.Match.Seats[i].SeedWords})
		}
	case content.IsOver && turn.Match.IsPublished():
		content.Commitment, content.Secret = turn.Match.Secret.Commitment(), turn.Match.Secret.Hex()
		if options.HasRecord {
			content.Record = RecordFileName(turn.Match.ID)
		}
	}
	if content.IsOver {
		content.HistoryHash, content.Epoch = turn.Match.Head, turn.Match.Epoch // Before the end, the hash would tell observers of hidden entries.
	}
}

func RecordFileName(match string) string { return match + ".jsonl" }

// Shorten removes the last event from a confirmation that is too long, or, if only one event is left, the last line
// about an order. It adds a sentence about the omission, and returns false if there is no event or line to remove.
func Shorten(content *templates.Letter) bool {
	const moreNote = "More has happened: HISTORY shows all of it, and so does your next letter with a question."
	const unlistedNote = "There is no room here for the results of the other lines."
	switch n, m := len(content.Events), len(content.Lines); {
	case n > 1 && content.Events[n-1] != moreNote:
		content.Events = append(slices.Clone(content.Events[:n-1]), moreNote)
	case n > 1:
		content.Events = append(slices.Clone(content.Events[:n-2]), moreNote)
	case m > 1 && content.Lines[m-1].Remark != unlistedNote:
		content.Lines = append(slices.Clone(content.Lines[:m-1]), templates.Line{Remark: unlistedNote})
	case m > 1:
		content.Lines = append(slices.Clone(content.Lines[:m-2]), templates.Line{Remark: unlistedNote})
	default:
		return false
	}
	return true
}

// The texts about ballots. They never quote a ballot, because a letter from Samizdat must not prove how a player has
// voted.
const (
	BallotSealedNote = "Your ballot is in. It stays secret for ever, and letters do not repeat it: only the count is published, when " +
		"all ballots are in. Until then you may send a new ballot in its place."
	ballotReceivedNote = "Your ballot is in. You may replace it until all ballots are in."
	BallotCountedNote  = "Your ballot was the last one, and all are counted."
)
