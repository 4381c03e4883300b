package adjudicator

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// enclosure is what a letter says to its reader alone, beside what there is to tell of
// the match.
type enclosure struct {
	// lines and problems say what became of his own letter.
	lines    []templates.Line
	problems []string
	// ask is the question whether he means the orders that it spells out; nil for none.
	ask *templates.Ask
	// misread means that nothing of his letter was carried out, since something in it was not understood.
	misread bool
	// whose stands behind the line that says whose move it is.
	whose string
	// writer is who has written the message that stands in the letter; empty for none.
	writer string
	// parts stand above the standing parts of a letter; extent is how much of those there is.
	parts  []rules.Section
	extent extent
	// record means that the record is attached.
	record bool
}

// compose writes what a letter says to a reader: the player of a seat, or whoever
// observes (Nobody). Everything in it comes from the reader's view and from events that
// he may know. Every letter stands alone: mail gets lost.
func compose(c *match.Turn, reader rules.Seat, own enclosure) templates.Letter {
	l, stand := outline(c, reader, own)
	stand(&l)
	return l
}

// outline is what a letter says but for its standing parts. Stand puts these in; it reads only what
// stays as it is while letters are written, so that those of several can be put in at the same time.
func outline(c *match.Turn, reader rules.Seat, own enclosure) (l templates.Letter, stand func(*templates.Letter)) {
	l = templates.Letter{
		Heading:  templates.Heading{Subject: subjectOf(c, reader, own), Match: c.Match.ID, Title: c.Game.Title(), Credit: c.Game.Credit(), Whose: whoseMove(c, reader) + own.whose},
		Answered: templates.Answered{Lines: own.lines, Ask: own.ask, Problems: own.problems},
		Kind:     templates.Kind{Observing: reader == rules.Nobody},
	}
	l.Short, l.Slip = own.extent == confirmation, own.extent == slip
	if reader != rules.Nobody {
		l.Head, l.Epoch = c.Match.Head, c.Match.Epoch
	}
	if c.After == nil {
		if l.CalledOff = c.Match.State == CalledOff; !hasDeclined(c, reader) {
			l.Happened = c.Remarks
		}
		if prompt, asked := asksToOpen(c, reader); asked {
			l.Prompts, l.Short = append(l.Prompts, prompt), false
		}
		put(&l, slices.Concat(own.parts, sealSection(c, reader), wordsSection(c, reader)))
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
	l.Happened = slices.Concat(restoresTold(c, reader), c.Untold[reader].Remarks, c.Remarks, c.Game.Sentences(view, c.EventsFor(reader)), actsTold(c, reader))
	tellDice(c, &l, reader, own)
	promptReader(c, &l, reader, view, own)
	l.Short = l.Short && len(l.Prompts) == 0
	l.Time, l.Clock = timeLeft(c, reader), askedSince(c, reader)
	put(&l, slices.Concat(takebackSection(c, reader), requestSection(c, reader)))
	put(&l, own.parts)
	if l.Over && l.Observing && c.Match.Published() {
		put(&l, []rules.Section{{Title: "The end", Lines: paragraphs(lastWords)}})
	}
	return l, func(l *templates.Letter) { addStanding(c, l, reader, view, own.extent == whole) }
}

// promptReader asks a reader what he is to decide. An answer to a letter of which nothing was carried out asks
// without notes, and one that asks about an order asks nothing else.
func promptReader(c *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, own enclosure) {
	if own.extent == slip && len(own.ask.Taps) > 0 {
		return
	}
	for _, d := range c.Owed(reader) {
		if own.extent == confirmation {
			break // His answers may be replaced; nothing is asked.
		}
		p := c.Game.Prompt(view, d, c.After.Options(nil, d.ID))
		if own.extent == slip {
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
	l.Prompts = slices.Concat(l.Prompts, proposalPrompt(c, reader, own), takebackPrompt(c, reader), requestPrompts(c, reader))
}

// addStanding puts the standing parts into a letter that has all of them. Another may hold some,
// as answers.
func addStanding(c *match.Turn, l *templates.Letter, reader rules.Seat, view rules.View, all bool) {
	if !all && len(l.Sections) == 0 {
		return
	}
	standing, parts := marked(c, reader, view)
	if all {
		put(l, standing)
	}
	unlaid(l, standing, parts)
}

// put adds parts to a letter, each once.
func put(l *templates.Letter, parts []rules.Section) {
	for _, p := range parts {
		if !slices.ContainsFunc(l.Sections, func(o rules.Section) bool { return o.Title == p.Title }) {
			l.Sections = append(l.Sections, p)
		}
	}
}

// standingOf is what a letter to a seat says of a position, whatever happened.
func standingOf(c *match.Turn, pos rules.Position, seat rules.Seat) string {
	view := pos.View(seat)
	return fmt.Sprint(c.Game.Status(view), c.Game.Sections(view), c.NamesOf(c.WithoutResigned(pos.Owed(nil))), match.Owed(pos, seat))
}

// marked are the standing parts of a seat's letter, as the text has them and as the
// page does, with a mark at what the letter's events have changed.
func marked(c *match.Turn, seat rules.Seat, view rules.View) ([]rules.Section, []rules.Part) {
	if c.Game.Marked != nil {
		return c.Game.Marked(view, c.EventsFor(seat))
	}
	return c.Game.Sections(view), nil
}

// tellDice says where chance comes from, when the match begins and when it is over.
func tellDice(c *match.Turn, l *templates.Letter, reader rules.Seat, own enclosure) {
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
		if own.record {
			l.Record = recordFile(c.Match.ID)
		}
	}
	if l.Over {
		l.Head, l.Epoch = c.Match.Head, c.Match.Epoch // Before, it would tell observers of hidden entries.
	}
}

// whoseMove says in a line whose move it is.
func whoseMove(c *match.Turn, reader rules.Seat) string {
	if c.After == nil {
		return notBegun(c, reader)
	}
	if r, over := c.After.Result(); over {
		return endTold(c, r, reader)
	}
	if c.After.Stalled() {
		return "The match waits for chance."
	}
	waits := "The match waits for " + c.NamesOf(c.WithoutResigned(c.After.Owed(nil))) + "."
	switch open, answered := c.Asks(reader); {
	case open && asksConsent(c, reader):
		return "It is your move. You are asked for your consent as well."
	case open:
		return "It is your move."
	case answered:
		return "You have answered. The match waits until all sealed answers are in."
	case reader == rules.Nobody:
		return waits
	case asksConsent(c, reader):
		return "You are asked for your consent. " + waits
	}
	return "Nothing is asked of you now. " + waits
}

// notBegun says for whom a match that has not begun waits. With a delay, observers are
// not told whether it has.
func notBegun(c *match.Turn, reader rules.Seat) string {
	switch {
	case c.Match.State == CalledOff && c.Remarks == nil:
		return "The match was called off before it began. " + calledOff(c)
	case c.Match.State == CalledOff:
		return "The match was called off before it began."
	case reader == rules.Nobody && (c.Match.ObserverPolicy.Delay > 0 || c.Match.State != Inviting):
		return "You watch match " + c.Match.ID + "."
	case reader == rules.Nobody:
		return "You watch match " + c.Match.ID + ". It has not begun."
	case !c.Match.Seats[reader].Joined:
		return "The match has not begun: it waits for you to join."
	}
	return joining(c, reader)
}

// joining says what is missing before the match can begin.
func joining(c *match.Turn, reader rules.Seat) string {
	unopened := c.Match.Unopened()
	if c.Match.AwaitsBeacon() {
		return "The match has not begun: it waits for the public beacon. " + roundNamed(c, reader)
	}
	switch unjoined := c.Match.Unjoined(); {
	case unjoined != 0:
		return "The match has not begun: it waits for " + match.List(c.Roles(unjoined)) + " to join."
	case unopened.Has(reader):
		return "The match has not begun: it waits for you to open your words."
	}
	return "The match has not begun: it waits for " + match.List(c.Roles(unopened)) + " to open the sealed words."
}
