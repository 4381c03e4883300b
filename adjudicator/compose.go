package adjudicator

import (
	"fmt"
	"slices"

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
func (c *account) compose(reader rules.Seat, own enclosure) templates.Letter {
	l, stand := c.outline(reader, own)
	stand(&l)
	return l
}

// outline is what a letter says but for its standing parts. Stand puts these in; it reads only what
// stays as it is while letters are written, so that those of several can be put in at the same time.
func (c *account) outline(reader rules.Seat, own enclosure) (l templates.Letter, stand func(*templates.Letter)) {
	l = templates.Letter{
		Heading:  templates.Heading{Subject: c.subject(reader, own), Match: c.m.ID, Title: c.game.Title(), Credit: c.game.Credit(), Whose: c.whose(reader) + own.whose},
		Answered: templates.Answered{Lines: own.lines, Ask: own.ask, Problems: own.problems},
		Kind:     templates.Kind{Observing: reader == rules.Nobody},
	}
	l.Short, l.Slip = own.extent == confirmation, own.extent == slip
	if reader != rules.Nobody {
		l.Head, l.Epoch = c.m.Head, c.m.Epoch
	}
	if c.pos == nil {
		if l.CalledOff = c.m.State == CalledOff; !c.hasDeclined(reader) {
			l.Happened = c.remarks
		}
		if prompt, asked := c.asksToOpen(reader); asked {
			l.Prompts, l.Short = append(l.Prompts, prompt), false
		}
		put(&l, slices.Concat(own.parts, c.sealSection(reader), c.wordsSection(reader)))
		return l, func(*templates.Letter) {}
	}
	view := c.pos.View(reader)
	if l.Status = c.game.Status(view); c.m.Acts.Ended != nil {
		l.Status = "How it stood: " + l.Status
	}
	if _, l.Over = c.pos.Result(); reader == rules.Nobody {
		// They are told of the end by the letter that brings it.
		l.Over = l.Over && (c.changed() || c.published)
	} else {
		l.Status += "\n" + c.company(reader, l.Over)
	}
	if paused := c.pausedLine(reader); paused != "" {
		l.Status += "\n" + paused
	}
	l.Happened = slices.Concat(c.restores(reader), c.untold[reader].remarks, c.remarks, c.game.Sentences(view, c.toldTo(reader)), c.acts(reader))
	c.dice(&l, reader, own)
	c.prompt(&l, reader, view, own)
	l.Short = l.Short && len(l.Prompts) == 0
	l.Time, l.Clock = c.timeLeft(reader), c.clock(reader)
	put(&l, slices.Concat(c.backSection(reader), c.requestSection(reader)))
	put(&l, own.parts)
	if l.Over && l.Observing && c.m.Published() {
		put(&l, []rules.Section{{Title: "The end", Lines: paragraphs(lastWords)}})
	}
	return l, func(l *templates.Letter) { c.stands(l, reader, view, own.extent == whole) }
}

// prompt asks a reader what he is to decide. An answer to a letter of which nothing was carried out asks
// without notes, and one that asks about an order asks nothing else.
func (c *account) prompt(l *templates.Letter, reader rules.Seat, view rules.View, own enclosure) {
	if own.extent == slip && len(own.ask.Taps) > 0 {
		return
	}
	for _, d := range c.owed(reader) {
		if own.extent == confirmation {
			break // His answers may be replaced; nothing is asked.
		}
		p := c.game.Prompt(view, d, c.pos.Options(nil, d.ID))
		if own.extent == slip {
			p.Notes, p.Offers = nil, nil
		}
		if line, ok := c.sealedAnswer(d); ok && d.Ballot {
			p.Question += "\n" + ballotIn
		} else if ok {
			p.Question += "\nYou have answered: " + line + ". Another answer takes its place until all are in."
		}
		l.Entries = append(l.Entries, p.Offers...)
		l.Prompts = append(l.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Notes: p.Notes, Numbered: p.Numbered})
	}
	l.Prompts = slices.Concat(l.Prompts, c.proposalPrompt(reader, own), c.backPrompt(reader), c.requestPrompts(reader))
}

// stands puts the standing parts into a letter that has all of them. Another may hold some,
// as answers.
func (c *account) stands(l *templates.Letter, reader rules.Seat, view rules.View, all bool) {
	if !all && len(l.Sections) == 0 {
		return
	}
	standing, parts := c.marked(reader, view)
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

// standing is what a letter to a seat says of a position, whatever happened.
func (c *account) standing(pos rules.Position, seat rules.Seat) string {
	view := pos.View(seat)
	return fmt.Sprint(c.game.Status(view), c.game.Sections(view), c.names(c.playing(pos.Owed(nil))), owed(pos, seat))
}

// marked are the standing parts of a seat's letter, as the text has them and as the
// page does, with a mark at what the letter's events have changed.
func (c *account) marked(seat rules.Seat, view rules.View) ([]rules.Section, []rules.Part) {
	if c.game.Marked != nil {
		return c.game.Marked(view, c.toldTo(seat))
	}
	return c.game.Sections(view), nil
}

// dice says where chance comes from, when the match begins and when it is over.
func (c *account) dice(l *templates.Letter, reader rules.Seat, own enclosure) {
	first := len(c.entries) > 0 && c.entries[0].Seq == 0 && reader != rules.Nobody
	switch {
	case c.m.Recorded != nil:
		l.Given = first
	case first:
		l.Commitment = c.m.Secret.Commitment()
		for i := range c.m.Seats {
			l.Words = append(l.Words, templates.Words{Seat: capital(c.called(rules.Seat(i))), Words: c.m.Seats[i].Words})
		}
	case l.Over && c.m.Published():
		l.Commitment, l.Secret = c.m.Secret.Commitment(), c.m.Secret.Hex()
		if own.record {
			l.Record = recordFile(c.m.ID)
		}
	}
	if l.Over {
		l.Head, l.Epoch = c.m.Head, c.m.Epoch // Before, it would tell observers of hidden entries.
	}
}

// whose says in a line whose move it is.
func (c *account) whose(reader rules.Seat) string {
	if c.pos == nil {
		return c.notBegun(reader)
	}
	if r, over := c.pos.Result(); over {
		return c.ended(r, reader)
	}
	if c.pos.Stalled() {
		return "The match waits for chance."
	}
	waits := "The match waits for " + c.names(c.playing(c.pos.Owed(nil))) + "."
	switch open, answered := c.asks(reader); {
	case open && c.asksConsent(reader):
		return "It is your move. You are asked for your consent as well."
	case open:
		return "It is your move."
	case answered:
		return "You have answered. The match waits until all sealed answers are in."
	case reader == rules.Nobody:
		return waits
	case c.asksConsent(reader):
		return "You are asked for your consent. " + waits
	}
	return "Nothing is asked of you now. " + waits
}

// asks reports whether a seat is asked something that it has not answered, or only what
// it has.
func (c *account) asks(seat rules.Seat) (open, answered bool) {
	for _, d := range c.owed(seat) {
		_, is := c.sealedAnswer(d)
		open, answered = open || !is, answered || is
	}
	return open, answered
}

// notBegun says for whom a match that has not begun waits. With a delay, observers are
// not told whether it has.
func (c *account) notBegun(reader rules.Seat) string {
	switch {
	case c.m.State == CalledOff && c.remarks == nil:
		return "The match was called off before it began. " + c.calledOff()
	case c.m.State == CalledOff:
		return "The match was called off before it began."
	case reader == rules.Nobody && (c.m.ObserverPolicy.Delay > 0 || c.m.State != Inviting):
		return "You watch match " + c.m.ID + "."
	case reader == rules.Nobody:
		return "You watch match " + c.m.ID + ". It has not begun."
	case !c.m.Seats[reader].Joined:
		return "The match has not begun: it waits for you to join."
	}
	return c.joining(reader)
}

// joining says what is missing before the match can begin.
func (c *account) joining(reader rules.Seat) string {
	unopened := c.m.Unopened()
	if c.m.AwaitsBeacon() {
		return "The match has not begun: it waits for the public beacon. " + c.roundNamed(reader)
	}
	switch unjoined := c.m.Unjoined(); {
	case unjoined != 0:
		return "The match has not begun: it waits for " + list(c.roles(unjoined)) + " to join."
	case unopened.Has(reader):
		return "The match has not begun: it waits for you to open your words."
	}
	return "The match has not begun: it waits for " + list(c.roles(unopened)) + " to open the sealed words."
}
