package adjudicator

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// address begins a letter to a seat: number, token, thread.
func (a *Adjudicator) address(m *Match, seat rules.Seat) Dispatch {
	s := &m.Seats[seat]
	s.Letters++
	token := Token{Match: m.ID, Seat: seat, Number: s.Letters}
	d := Dispatch{
		Addressee: Addressee{Match: m.ID, Seat: seat, Number: s.Letters, To: s.Player.Address},
		Heading:   Heading{Token: a.Post.Token(s.Key, token), MessageID: a.Post.LetterID(s.Key, token), Subject: subject(m, "You are invited", capital(m.Game))},
		Sending:   Sending{Date: a.Now()},
		Asking:    Asking{Entries: m.Entries},
	}
	if s.Letters == 1 {
		s.First = d.MessageID
		return d
	}
	first := s.First
	if first == "" {
		first = m.ID + "-" + strconv.Itoa(int(seat)) + "-1@" + a.Post.Domain() // Which the letters before referred to.
	}
	token.Number--
	d.References = thread(a.Post.LetterID(s.Key, token), first)
	return d
}

// thread is what a letter refers to: the one before and, last, the first of its reader's.
// Mail programs hang a letter under the last that it names, so that all hang under the
// first, and none deeper.
func thread(before, first string) []string {
	if before == first {
		return []string{first}
	}
	return []string{before, first}
}

// change gathers what is to be stored, with the letters: one to the seat that is
// answered, if any is, and one to every other that has something to learn.
func (j *adjudication) change(ctx context.Context, answered rules.Seat) (Change, error) {
	if err := j.robotsAnswer(ctx); err != nil {
		return Change{}, err
	}
	j.logFaults(ctx)
	j.turn.since()
	j.play.runClocks(j.arrival())
	j.turn.dropHeldBack()
	if err := j.play.delays(); err != nil {
		return Change{}, err
	}
	if j.turn.pos != nil {
		if err := j.setPosition(); err != nil {
			return Change{}, err
		}
	}
	j.dropAnswer(ctx, answered)
	j.turn.summarize()
	if err := j.catchUp(ctx); err != nil {
		return Change{}, err
	}
	if err := j.attach(ctx); err != nil {
		return Change{}, fmt.Errorf("attach the record: %w", err)
	}
	c := Change{Match: j.turn.m, Entries: j.turn.entries}
	var drafts []draft
	for i := range j.turn.m.Seats {
		seat := rules.Seat(i)
		if seat == answered && j.dropped || j.turn.m.Seats[i].Robot != "" || seat != answered && (!j.news(seat) || j.turn.left(seat)) || j.spared(seat) {
			continue
		}
		d, err := j.draft(seat, answered)
		if err != nil {
			return Change{}, err
		}
		d.TellsAll = j.extent(seat) == whole
		drafts = append(drafts, d)
		if d.TellsAll || j.turn.before == nil {
			j.turn.m.Seats[seat].Told = j.turn.m.Entries
		}
	}
	letters, err := j.write(drafts)
	if err != nil {
		return Change{}, err
	}
	public, told := j.toObservers(ctx)
	c.Letters, c.Observers = slices.Concat(letters, j.reply.contact.letters, j.reply.questions, public), told
	c.Player, c.Others = j.reply.contact.player, j.reply.contact.others
	return c, nil
}

// logFaults logs what went wrong without stopping the play.
func (j *adjudication) logFaults(ctx context.Context) {
	for _, f := range j.play.faults {
		level := slog.LevelWarn
		if f.grave {
			level = slog.LevelError
		}
		j.a.Log.Log(ctx, level, f.text, "match", j.turn.m.ID, "seat", int(f.seat), "error", f.err)
	}
}

// receipt is the receipt of the letter that was taken up.
func (j *adjudication) receipt(l Letter, digest string) *Receipt {
	r := l.receipt(digest, j.disposed(), j.a.Now())
	r.Match, r.Seat, r.Raw = j.turn.m.ID, j.play.seat, j.letter.Raw
	if j.votes() {
		r.Raw, r.Digest = nil, j.a.ballotReceipt(digest)
	}
	return r
}

// news reports whether a reader has something to learn. It depends only on what he may
// know: another's private answer is no news, nor is its time. Those who observe are told
// of what has moved the match, and of nothing that is only asked or said.
func (j *adjudication) news(reader rules.Seat) bool {
	switch {
	case j.reply.reminded.Has(reader), len(j.reply.mail[reader]) > 0, len(j.reply.notices[reader]) > 0, reader != rules.Nobody && (j.asksOthers() || len(j.turn.remarks) > 0), j.turn.published:
		return true
	case reader == j.play.seat && len(j.turn.lines[reader]) > 0:
		return true // What was kept for the seat came to nothing.
	case !j.turn.changed():
		return false
	case j.turn.before == nil, j.turn.m.State == Over, slices.ContainsFunc(j.turn.entries, func(e record.Entry) bool { return e.Act != nil && e.Act.Kind != record.Witness }), len(j.turn.lines[reader]) > 0, len(heard(j.turn.events, reader)) > 0:
		return true
	}
	return j.turn.standing(j.turn.before, reader) != j.turn.standing(j.turn.pos, reader)
}

// asksOthers reports whether the letter in hand has changed what players ask each other.
func (j *adjudication) asksOthers() bool {
	return j.turn.m.Takeback != j.turn.takeback || !slices.Equal(j.turn.m.Acts.Requests, j.turn.requests)
}

// draft says what stands in the letter to a seat. Answered is the seat whose letter is answered.
func (j *adjudication) draft(seat, answered rules.Seat) (draft, error) {
	who := &j.turn.m.Seats[seat]
	renewed, err := j.a.renewLate(who)
	if err != nil {
		return draft{}, err
	}
	d := j.a.address(j.turn.m, seat)
	if d.Spare = j.a.Letters.Confirmations > 0 && j.repeated(seat); d.Spare {
		d.Held = j.a.Letters.Confirmations
		d.Date = d.Date.Add(d.Held)
	}
	own := j.own(seat)
	j.brings(seat).enclose(&d)
	if seat == answered {
		d.Reply, d.InReplyTo = true, j.letter.MessageID
		own.problems = slices.Clone(j.letter.Problems)
		if j.letter.Shared {
			own.problems = append(own.problems, "Your letter went to another address as well, and who reads it there could have answered in your "+
				"name. So the address that you answer to has changed: reply to this letter, older ones no longer count.")
		}
	}
	own.problems = append(own.problems, renewed...)
	l, stand := j.turn.outline(seat, own)
	j.turn.m.NoteRestoresTold(seat)
	l.Mark, l.Number, l.Contact, l.Asks, d.Subject = j.a.Post.Mark(), d.Number, j.a.Contact, j.a.FilesQuestions, l.Subject
	l.Reply.To, l.Reply.Subject = j.a.Post.Answer(d)
	if j.turn.pos != nil {
		d.Decisions = idsOf(j.turn.owed(seat))
		who.Timing.Consents.Note(d.Number, j.turn.consentsAsked(seat, own))
		who.Clock.Letter(d.Number)
		if who.Player.Calendar {
			d.Until = j.turn.answerBy(seat)
		}
		if j.illustrated(seat, answered) {
			j.illustrate(&d, &l)
		}
	}
	return draft{d, l, stand, seat}, nil
}

// write lays a letter out and renders it. A confirmation that is too long loses its page
// first, and then what the next letter tells again.
func (a *Adjudicator) write(d *Dispatch, l templates.Letter, pages bool) (err error) {
	most := mostConfirmation
	for _, s := range l.Sections {
		for _, line := range s.Lines {
			most += 2*len(line) + 2
		}
	}
	for l.Slip && len(l.Text()) > mostSlip && shorten(&l) {
	}
	for {
		d.Body, d.HTML = lay(l, pages)
		if d.Raw, err = a.Post.Render(*d); err != nil || !l.Short && !l.Slip || len(d.Raw.Bytes) <= most {
			return err
		}
		if !pages && !shorten(&l) {
			return nil
		}
		pages = false
	}
}

// own is what the letter in hand leads to for one reader alone.
func (j *adjudication) own(reader rules.Seat) enclosure {
	own := enclosure{lines: j.orderLines(reader), parts: slices.Clone(j.reply.mail[reader]), extent: j.extent(reader), record: j.brings(reader) != nil}
	if len(own.parts) > 0 {
		own.writer = j.turn.called(j.play.seat)
		own.whose = fmt.Sprintf("\n%s has written to you; the message stands below.", capital(own.writer))
	}
	for _, n := range j.reply.notices[reader] {
		own.whose += "\n" + n
	}
	if len(j.reply.notices[reader]) == 0 && j.turn.pos != nil {
		own.whose += j.turn.away(reader)
	}
	if reader != rules.Nobody && j.reply.newcomers.Has(reader) {
		own.parts = append(own.parts, rules.Section{Title: "How this works", Lines: newcomerLines(j.turn.game, j.turn.m)})
	}
	if reader == j.play.seat {
		own.ask, own.misread = j.reply.ask, j.reply.puzzled
		if own.extent == slip && own.ask == nil {
			own.ask = j.slipFirst()
		}
		own.parts = j.answers(reader)
	}
	return own
}

// lay lays a letter out as text, and as a page where pages are sent.
func lay(l templates.Letter, pages bool) (text, page string) {
	if text = l.Text(); pages {
		page = l.HTML()
	}
	return text, page
}
