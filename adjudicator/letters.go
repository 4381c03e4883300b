package adjudicator

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/desklink"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
	"samizdat/templates/picture"
)

// beginLetter starts a letter to a seat: number, token, thread.
func beginLetter(a *Adjudicator, m *match.Match, seat rules.Seat) exchange.Dispatch {
	s := &m.Seats[seat]
	s.Letters++
	token := exchange.Token{Match: m.ID, Seat: seat, Number: s.Letters}
	d := exchange.Dispatch{
		Addressee: exchange.Addressee{Match: m.ID, Seat: seat, Number: s.Letters, To: s.Player.Address},
		Heading: exchange.Heading{Token: a.Post.Token(s.Key, token), MessageID: a.Post.LetterID(s.Key, token),
			Subject: compose.Subject(m, "You are invited", match.Capital(m.Game))},
		Sending: exchange.Sending{Date: a.Now()},
		Asking:  exchange.Asking{Entries: m.Entries},
	}
	if s.Letters == 1 {
		s.FirstMessageID = d.MessageID
		return d
	}
	first := s.FirstMessageID
	if first == "" {
		first = m.ID + "-" + strconv.Itoa(int(seat)) + "-1@" + a.Post.Domain() // The form of earlier versions.
	}
	token.Number--
	d.References = thread(a.Post.LetterID(s.Key, token), first)
	return d
}

// thread returns the References of a letter: the previous letter and, last, the reader's first. Mail programs
// attach a letter to the last one named, so all letters hang below the first, and none deeper.
func thread(before, first string) []string {
	if before == first {
		return []string{first}
	}
	return []string{before, first}
}

// change assembles the change to store, with the letters: one to the answered seat, if any, and one to each other
// seat with news.
func (j *letterRun) change(ctx context.Context, answered rules.Seat) (exchange.Change, error) {
	if err := match.AnswerRobots(ctx, j.play); err != nil {
		return exchange.Change{}, err
	}
	j.logFaults(ctx)
	j.turn.UpdateAskedSince()
	j.play.RunClocks(j.arrival())
	j.turn.DropDelayed()
	if err := j.play.ScheduleDelayedAnswers(); err != nil {
		return exchange.Change{}, err
	}
	if j.turn.After != nil {
		data, err := j.turn.After.MarshalJSON()
		if err != nil {
			return exchange.Change{}, fmt.Errorf("write the position: %w", err)
		}
		j.turn.Match.Position, j.turn.Match.Build = data, j.a.Build
		j.a.recent.SetPosition(j.turn.Match, j.turn.After)
	}
	j.answer.Overtaken = j.trial.Overtaken
	dropAnswer(ctx, j, answered)
	j.turn.Summarize()
	if err := catchUp(ctx, j); err != nil {
		return exchange.Change{}, err
	}
	if err := attachRecord(ctx, j); err != nil {
		return exchange.Change{}, fmt.Errorf("attach the record: %w", err)
	}
	c := exchange.Change{Match: j.turn.Match, Entries: j.turn.Entries}
	var drafts []draft
	for i := range j.turn.Match.Seats {
		seat := rules.Seat(i)
		if !isWrittenTo(j, seat, answered) {
			continue
		}
		d, err := draftLetter(j, seat, answered)
		if err != nil {
			return exchange.Change{}, err
		}
		d.TellsAll = j.answer.ExtentFor(j.turn, seat) == compose.Whole
		drafts = append(drafts, d)
		if d.TellsAll || j.turn.Before == nil {
			j.turn.Match.Seats[seat].EntriesWhenAsked = j.turn.Match.Entries
		}
	}
	letters, err := writeDrafts(j, drafts)
	if err != nil {
		return exchange.Change{}, err
	}
	public, told := toObservers(ctx, j)
	c.Letters, c.Observers = slices.Concat(letters, j.reply.contact.letters, j.reply.questions, public), told
	c.Player, c.Others = j.reply.contact.player, j.reply.contact.others
	return c, nil
}

// isWrittenTo reports whether a seat gets a letter now. Answered is the seat that sent the answered letter.
func isWrittenTo(j *letterRun, seat, answered rules.Seat) bool {
	switch {
	case j.turn.Match.Seats[seat].Robot != "", j.answer.IsSpared(j.turn, seat, j.a.Letters.Confirmations > 0):
		return false
	case seat == answered:
		return !j.answer.Dropped
	}
	return j.answer.HasNews(j.turn, seat) && !j.turn.HasLeft(seat)
}

func (j *letterRun) logFaults(ctx context.Context) {
	for _, f := range j.play.Faults {
		level := slog.LevelWarn
		if f.Grave {
			level = slog.LevelError
		}
		j.a.Log.Log(ctx, level, f.Text, "match", j.turn.Match.ID, "seat", int(f.Seat), "error", f.Err)
	}
}

func (j *letterRun) receipt(l exchange.Letter, digest string) *exchange.Receipt {
	r := l.Receipt(digest, j.disposition(), j.a.Now())
	r.Match, r.Seat, r.Raw = j.turn.Match.ID, j.play.Seat, j.letter.Raw
	if j.mayHoldBallot() {
		r.Raw, r.Digest = nil, ballotReceipt(j.a, digest)
	}
	return r
}

// draftLetter composes the letter to a seat. Answered is the seat that sent the answered letter.
func draftLetter(j *letterRun, seat, answered rules.Seat) (draft, error) {
	who := &j.turn.Match.Seats[seat]
	renewed, err := renewKeyLate(j.a, who)
	if err != nil {
		return draft{}, err
	}
	d := beginLetter(j.a, j.turn.Match, seat)
	if d.Spare = j.a.Letters.Confirmations > 0 && j.answer.IsRepeated(j.turn, seat); d.Spare {
		d.Held = j.a.Letters.Confirmations
		d.Date = d.Date.Add(d.Held)
	}
	own := j.answer.OptionsFor(j.turn, seat, j.letter.Digest)
	enclose(&d, j.answer.RecordFor(j.turn, seat))
	if seat == answered {
		d.Reply, d.InReplyTo = true, j.letter.MessageID
		own.Problems = slices.Clone(j.answer.Problems)
		if j.letter.Shared {
			own.Problems = append(own.Problems, "Your letter went to another address as well, and who reads it there could have answered in "+
				"your name. So the address that you answer to has changed: reply to this letter, older ones no longer count.")
		}
	}
	own.Problems = append(own.Problems, renewed...)
	l, stand := compose.Outline(j.turn, seat, own)
	j.turn.Match.RecordRestoresTold(seat)
	l.Mark, l.Number, l.Contact, l.Asks, d.Subject = j.a.Post.Mark(), d.Number, j.a.Contact, j.a.FilesQuestions, l.Subject
	l.Reply.To, l.Reply.Subject = j.a.Post.Answer(d)
	if j.turn.After != nil {
		d.Decisions = match.IDs(j.turn.OpenDecisions(seat))
		who.Timing.Consents.Record(d.Number, compose.ConsentsAsked(j.turn, seat, own))
		who.Clock.AddQuestionLetter(d.Number)
		if who.Player.Calendar {
			d.Until = compose.AnswerBy(j.turn, seat)
		}
		if l.Board, err = boardLink(j, d, l); err != nil {
			return draft{}, err
		}
		if j.answer.IsIllustrated(j.turn, seat, answered) {
			illustrate(j, &d, &l)
		}
	}
	return draft{d, l, stand, seat}, nil
}

// renderLetter lays out and renders a letter. A confirmation that is too long loses its page first, and then the
// parts that the next letter repeats. The answer to a letter without a move has a page only for links to the orders that may be
// meant; if no line was carried out, its text is short.
func renderLetter(a *Adjudicator, d *exchange.Dispatch, l templates.Letter, pages bool) (err error) {
	parts := 0
	for _, s := range slices.Concat(l.Parts, l.Sections) {
		for _, line := range s.Lines {
			parts += len(line) + 1
		}
	}
	most := maxConfirmationBytes + 2*parts
	slip := l.Slip && d.Reply
	pages = pages && (!slip || l.Ask != nil && len(l.Ask.Taps) > 0)
	slip = slip && l.Ask != nil
	for slip && len(l.Text()) > maxSlipBytes+parts && compose.Shorten(&l) {
	}
	for {
		d.Body, d.HTML = lay(l, pages)
		if d.Raw, err = a.Post.Render(*d); err != nil || !l.Short && !slip || len(d.Raw.Bytes) <= most {
			return err
		}
		if !pages && !compose.Shorten(&l) {
			return nil
		}
		pages = false
	}
}

func lay(l templates.Letter, pages bool) (text, page string) {
	if text = l.Text(); pages {
		page = l.HTML()
	}
	return text, page
}

// draft is a letter that is not laid out yet. stand adds its standing parts, e.g. the map.
type draft struct {
	exchange.Dispatch
	says  templates.Letter
	stand func(*templates.Letter)
	seat  rules.Seat
}

// letterTo drafts and renders the letter to a seat. Answered is the seat that sent the answered letter.
func letterTo(j *letterRun, seat, answered rules.Seat) (exchange.Dispatch, error) {
	d, err := draftLetter(j, seat, answered)
	if err == nil {
		err = layOutDraft(j, &d)
	}
	return d.Dispatch, err
}

// layOutDraft lays out and renders a draft. It changes only the draft, so drafts can be rendered concurrently.
func layOutDraft(j *letterRun, d *draft) error {
	d.stand(&d.says)
	if err := renderLetter(j.a, &d.Dispatch, inScript(j, d.says, d.seat), sendsPages(j.a, &j.turn.Match.Seats[d.seat])); err != nil {
		return fmt.Errorf("write letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	return nil
}

// writeDrafts lays out drafts concurrently: the next letter of the match waits for them. A panic becomes an error.
func writeDrafts(j *letterRun, drafts []draft) ([]exchange.Dispatch, error) {
	failed := make([]error, len(drafts))
	lay := func(i int) { failed[i] = guarded(func() error { return layOutDraft(j, &drafts[i]) }) }
	most := runtime.GOMAXPROCS(0)
	for first := 0; first < len(drafts); first += most {
		var others sync.WaitGroup
		for i := first + 1; i < min(first+most, len(drafts)); i++ {
			others.Go(func() { lay(i) })
		}
		lay(first)
		others.Wait()
	}
	var letters []exchange.Dispatch
	for i := range drafts {
		if failed[i] != nil {
			return nil, failed[i]
		}
		letters = append(letters, drafts[i].Dispatch)
	}
	return letters, nil
}

// subjectTag finds the name of the match in a subject: at the end, or in older letters as "[samizdat ...]".
var subjectTag = regexp.MustCompile(`(?i)\[samizdat ([a-z0-9]+)\]|\[(m[a-z2-7]{7})\]\s*$`)

func otherMatch(j *letterRun) string {
	other := ""
	for _, tag := range subjectTag.FindAllStringSubmatch(j.letter.Subject, -1) {
		if other = strings.ToLower(tag[1] + tag[2]); other == j.turn.Match.ID {
			return ""
		}
	}
	return other
}

// boardLink returns the link to the desk for a letter with a question of the game; empty without one.
func boardLink(j *letterRun, d exchange.Dispatch, l templates.Letter) (string, error) {
	if j.a.Desk == "" || !desklink.Offered(j.turn.Game) || l.Short || l.Slip || len(d.Decisions) == 0 || len(l.Prompts) == 0 {
		return "", nil
	}
	view, err := j.turn.After.View(d.Seat).MarshalJSON()
	if err != nil {
		return "", fmt.Errorf("write a view for the desk: %w", err)
	}
	m := j.turn.Match
	link := desklink.Link{Match: m.ID, Setup: j.turn.Setup(), Seat: d.Seat, Letter: d.Number, To: l.Reply.To, Subject: l.Reply.Subject,
		View: view}
	for i := range m.Seats {
		link.Names = append(link.Names, m.Seats[i].PlayerName)
	}
	return link.URL(j.a.Desk, j.turn.Game)
}

// illustrate adds the picture of the map. It is stored as a list of shapes and drawn when the letter is sent,
// because drawing is slow. The list is made from the seat's view, so it has no hidden information.
//
// A map that equals the last picture, without anything to mark, is not sent again: the page names the letter that
// has it.
func illustrate(j *letterRun, d *exchange.Dispatch, l *templates.Letter) {
	c := j.turn.Game.Map
	who := &j.turn.Match.Seats[d.Seat]
	if c == nil || !sendsPictures(j.a, who) {
		return
	}
	view, told := j.turn.After.View(d.Seat), j.turn.EventsFor(d.Seat)
	p := c.Draw(view, told)
	bare := p
	if len(told) > 0 {
		bare = c.Draw(view, nil)
	}
	sum := pictureSum(bare, j.turn.Game.Status(view))
	// Letters up to this one went to another address or player.
	if had := who.LastPicture; had.Number > who.IgnoreBouncesThrough && had.Sum == sum && p.Sum() == bare.Sum() &&
		!j.answer.WantsPicture(j.turn, d.Seat) {
		l.Pictured = who.LastPicture.Number
		return
	}
	d.Drawing = p.Pack()
	who.LastPicture = match.SentPicture{Number: d.Number, Sum: sum}
	// It is unique like the Message-ID: some mail programs look up content ids in all letters of a thread.
	d.PictureID = "map." + d.MessageID
	l.Picture = &templates.Picture{ID: d.PictureID, Title: p.Title, Words: p.Words, Width: p.Width, Height: p.Height}
}

// pictureSum is the checksum of a map, without the status line at its top.
func pictureSum(p *picture.Picture, status string) string {
	bare := *p
	bare.Words = ""
	bare.Items = slices.DeleteFunc(slices.Clone(p.Items), func(i picture.Item) bool {
		t, ok := i.(picture.Text)
		return ok && t.Words == status
	})
	sum := bare.Sum()
	return hex.EncodeToString(sum[:12])
}

func sendsPages(a *Adjudicator, s *match.Seat) bool {
	return a.Letters.HTML && s.Format != match.FormatText
}

func sendsPictures(a *Adjudicator, s *match.Seat) bool {
	return a.Letters.Pictures && (s.Format == "" || s.Format == match.FormatPicture)
}

// inScript applies a seat's FORMAT to the text.
func inScript(j *letterRun, l templates.Letter, seat rules.Seat) templates.Letter {
	switch j.turn.Match.Seats[seat].Script {
	case match.ScriptPlain:
		return l.Map(order.ASCII)
	case match.ScriptUTF8:
		return l.Map(compose.Printed(j.turn.Game))
	}
	return l
}

// A letter without a question is a confirmation: the outcome of orders, the events, and who is to move. The next
// letter with a question repeats everything that it says about the match, so a confirmation may be replaced.

// maxConfirmationBytes is the limit of a confirmation in bytes, without mail servers' headers and other players'
// messages.
const maxConfirmationBytes = 4800

// maxSlipBytes is the limit of the text of a slip letter in bytes, without other players' messages.
const maxSlipBytes = 2 << 10

// catchUp finds the earlier events that letters with a question have to repeat. Events are found by a replay, so
// none is stored twice.
func catchUp(ctx context.Context, j *letterRun) error {
	began := j.turn.Match.Entries - len(j.turn.Entries)
	behind, first := rules.Seats(0), began
	for i := range j.turn.Match.Seats {
		if told := j.turn.Match.Seats[i].EntriesWhenAsked; told > 0 && told < began &&
			j.answer.ExtentFor(j.turn, rules.Seat(i)) == compose.Whole &&
			!j.a.AtTable {
			behind, first = behind|rules.Only(rules.Seat(i)), min(first, told)
		}
	}
	if behind == 0 {
		h, _ := j.a.recent.Known(j.turn, began)
		j.a.recent.Remember(j.play, h)
		return nil
	}
	h, err := j.a.recent.Since(ctx, j.play, first)
	if err != nil {
		return fmt.Errorf("tell what has happened in %s: %w", j.turn.Match.ID, err)
	}
	j.turn.Untold = compose.Untold(j.turn, behind, h.Entries, h.Events)
	j.a.recent.Remember(j.play, h)
	return nil
}
