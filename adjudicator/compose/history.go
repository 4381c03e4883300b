package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// History is the part of a match's history that a reader may know. A seat reads it letter by letter, an observer
// entry by entry. Like a letter, it is made only from the reader's views and events.
type History struct {
	turn     *match.Turn
	reader   rules.Seat
	chapters []chapter
}

// chapter is the part of the history that was new in one letter. For example, letter 5 was the first to report
// entries 8 to 11.
type chapter struct {
	// letter is the number of the letter; 0 if unknown.
	letter int64
	// fromTurn and toTurn are the game's turns before and after the chapter.
	fromTurn, toTurn int
	askedQuestion    bool
	// events and remarks come from the entries of the chapter. position is the position after the last of these entries.
	events   []rules.Event
	remarks  []string
	position rules.Position
}

// ReadHistory replays the entries that a reader may know. letters are the letters to a seat, sorted by number; none for an observer.
func ReadHistory(t *match.Turn, reader rules.Seat, entries []record.Entry, letters []exchange.SentLetter) (*History, error) {
	h := &History{turn: t, reader: reader}
	if len(entries) == 0 {
		return h, nil
	}
	var current chapter
	entryCount, turn := 0, 0
	_, err := record.Replay(match.RecordOf(t.Game, t.Match, record.WithoutProofs(entries)), t.Game, func(visit record.Visit) error {
		entryCount++
		current.events = append(current.events, visit.Events...)
		current.remarks = append(current.remarks, EntryRemarks(t, entries, visit.Entry, reader)...)
		i := slices.IndexFunc(letters, func(l exchange.SentLetter) bool { return l.EntryCount == entryCount })
		if i < 0 && reader != rules.NoSeat && entryCount < len(entries) {
			return nil
		}
		if i >= 0 {
			current.letter = letters[i].Number
			current.askedQuestion = entryCount == 1 || slices.ContainsFunc(letters[i:],
				func(l exchange.SentLetter) bool { return l.EntryCount == entryCount && len(l.Decisions) > 0 })
		}
		current.fromTurn, current.position = turn, visit.Position.Clone()
		if t.Game.Turn != nil {
			current.toTurn = t.Game.Turn(visit.Position.View(reader))
			turn = current.toTurn
		}
		current.events = match.EventsVisibleTo(current.events, reader)
		h.chapters = append(h.chapters, current)
		current = chapter{}
		return nil
	})
	return h, err
}

// Position returns the position at the end of the history; nil if it is empty.
func (h *History) Position() rules.Position {
	if len(h.chapters) == 0 {
		return nil
	}
	return h.chapters[len(h.chapters)-1].position
}

// LastTurn returns the game's turn at the end of the history; false if the history is empty.
func (h *History) LastTurn() (turn int, ok bool) {
	if len(h.chapters) == 0 {
		return 0, false
	}
	return h.chapters[len(h.chapters)-1].toTurn, true
}

// OfTurn returns the part of the history in a turn of the game. The entry between two turns belongs to both.
func (h *History) OfTurn(turn int) *History {
	chapters := slices.DeleteFunc(slices.Clone(h.chapters), func(c chapter) bool { return turn < c.fromTurn || c.toTurn < turn })
	return &History{h.turn, h.reader, chapters}
}

// Lines formats the history. Above each chapter is the number of its letter.
func (h *History) Lines() []string {
	var out []string
	for i, c := range h.chapters {
		sentences := slices.Concat(c.remarks, h.turn.Game.Sentences(c.position.View(h.reader), c.events))
		if len(sentences) == 0 {
			continue
		}
		if i > 0 && (c.letter > 0 || h.chapters[i-1].letter > 0) && len(out) > 0 {
			out = append(out, "")
		}
		if c.letter > 0 {
			out = append(out, fmt.Sprintf("Letter %d:", c.letter))
		}
		out = append(out, FormatList(sentences)...)
	}
	if out == nil {
		return []string{"Nothing yet."}
	}
	return out
}

// UpTo returns the history up to a letter; nil if the letter was sent before the first chapter.
func (h *History) UpTo(letter exchange.SentLetter) *History {
	for i, c := range slices.Backward(h.chapters) {
		if c.letter > 0 && c.letter <= letter.Number && letter.EntryCount > 0 {
			return &History{h.turn, h.reader, h.chapters[:i+1]}
		}
	}
	return nil
}

// Retell composes the last letter of the history again, but without its report on orders. The result answers RESEND
// with a letter number.
func (h *History) Retell(title string, letter exchange.SentLetter) []rules.Section {
	last, g := h.chapters[len(h.chapters)-1], h.turn.Game
	past := h.TurnAsOf(letter)
	view := last.position.View(h.reader)
	sections := []rules.Section{{Title: title, Lines: strings.Split(templates.Wrap(g.Status(view)), "\n")}}
	if last.letter == letter.Number {
		if sentences := slices.Concat(past.Remarks, g.Sentences(view, past.Events)); len(sentences) > 0 {
			sections = append(sections, rules.Section{Title: title + ": what happened", Lines: FormatList(sentences)})
		}
	}
	for _, d := range past.OpenDecisions(h.reader) {
		if !slices.Contains(letter.Decisions, d.ID) {
			continue
		}
		p := g.Prompt(view, d, last.position.Options(nil, d.ID))
		lines := append(strings.Split(templates.Wrap(p.Question), "\n"), "")
		sections = append(sections, rules.Section{Title: title + ": your decision", Lines: append(lines, FormatList(p.Forms)...)})
	}
	standing, _ := StandingSections(&past, h.reader, view)
	for _, p := range standing {
		sections = append(sections, rules.Section{Title: title + ": " + strings.ToLower(p.Title[:1]) + p.Title[1:], Lines: p.Lines})
	}
	return sections
}

// TurnAsOf returns the turn that the last letter of the history described: the position, and the events and remarks
// since the previous letter with a question.
func (h *History) TurnAsOf(letter exchange.SentLetter) match.Turn {
	lastIndex := len(h.chapters) - 1
	last := h.chapters[lastIndex]
	past := match.Turn{Match: h.turn.Match, Now: h.turn.Now, Game: h.turn.Game, After: last.position}
	if last.letter != letter.Number {
		return past
	}
	past.Events = last.events
	if last.askedQuestion {
		for i := lastIndex - 1; i >= 0 && !h.chapters[i].askedQuestion; i-- {
			past.Events, past.Remarks = slices.Concat(h.chapters[i].events, past.Events), slices.Concat(h.chapters[i].remarks, past.Remarks)
		}
	}
	past.Remarks = append(past.Remarks, last.remarks...)
	return past
}
