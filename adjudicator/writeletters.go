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

func newSeatLetter(a *Adjudicator, m *match.Match, seat rules.Seat) exchange.OutgoingLetter {
	seatState := &m.Seats[seat]
	seatState.LastLetter++
	token := exchange.Token{Match: m.ID, Seat: seat, Number: seatState.LastLetter}
	outgoing := exchange.OutgoingLetter{
		Addressee: exchange.Addressee{Match: m.ID, Seat: seat, Number: seatState.LastLetter, To: seatState.Player.Address},
		Heading: exchange.Heading{Token: a.Codec.Token(seatState.Key, token), MessageID: a.Codec.LetterID(seatState.Key, token),
			Subject: compose.Subject(m, "You are invited", a.gameTopic(m))},
		Schedule:        exchange.Schedule{Date: a.Now()},
		LetterQuestions: exchange.LetterQuestions{EntryCount: m.EntryCount},
	}
	if seatState.LastLetter == 1 {
		seatState.FirstMessageID = outgoing.MessageID
		return outgoing
	}
	first := seatState.FirstMessageID
	if first == "" {
		first = m.ID + "-" + strconv.Itoa(int(seat)) + "-1@" + a.Codec.Domain() // earlier versions stored no ID
	}
	token.Number--
	outgoing.References = threadReferences(a.Codec.LetterID(seatState.Key, token), first)
	return outgoing
}

// threadReferences returns the References header (RFC 5322) of a letter: the previous letter and then the reader's
// first letter. Mail programs show a letter as a reply to the last reference, so all letters appear directly below the
// first letter.
func threadReferences(previous, first string) []string {
	if previous == first {
		return []string{first}
	}
	return []string{previous, first}
}

// buildChange assembles the change to store, with its letters: an answer to the answered seat (NoSeat for no answer),
// and a letter to each other seat that has news.
func (run *letterRun) buildChange(ctx context.Context, answered rules.Seat) (exchange.Change, error) {
	if err := match.LetRobotsAnswer(ctx, run.execution); err != nil {
		return exchange.Change{}, err
	}
	run.logFaults(ctx)
	run.turn.UpdateAskedSince()
	run.execution.UpdateClocks(run.arrivalTime())
	run.turn.DropDelayedOrders()
	if run.adjudicator.LetterOptions.Analysis {
		scheduleAnalysis(run.turn)
	}
	if err := run.execution.ScheduleDelayedAnswers(); err != nil {
		return exchange.Change{}, err
	}
	if run.turn.After != nil {
		data, err := run.turn.After.MarshalJSON()
		if err != nil {
			return exchange.Change{}, fmt.Errorf("write the position: %w", err)
		}
		run.turn.Match.Position, run.turn.Match.Build = data, run.adjudicator.Build
		run.adjudicator.recent.SetPosition(run.turn.Match, run.turn.After)
	}
	run.answer.AnswersClosedQuestion = run.tester.FoundClosedQuestion
	dropAnswerOverLimit(ctx, run, answered)
	run.turn.UpdateSummary()
	if err := loadUnreported(ctx, run); err != nil {
		return exchange.Change{}, err
	}
	if err := attachRecord(ctx, run); err != nil {
		return exchange.Change{}, fmt.Errorf("attach the record: %w", err)
	}
	change := exchange.Change{Match: run.turn.Match, Entries: run.turn.Entries, Notices: compose.WebhookNotices(run.turn)}
	var drafts []draft
	for i := range run.turn.Match.Seats {
		seat := rules.Seat(i)
		if !getsLetter(run, seat, answered) {
			continue
		}
		d, err := draftLetter(run, seat, answered)
		if err != nil {
			return exchange.Change{}, err
		}
		d.Replaces = run.answer.ExtentFor(run.turn, seat) == compose.ExtentFull
		drafts = append(drafts, d)
		recordFullLetter(run, d)
	}
	letters, err := writeDrafts(run, drafts)
	if err != nil {
		return exchange.Change{}, err
	}
	public, notified := writeObserverLetters(ctx, run)
	change.Letters, change.Observers = slices.Concat(letters, run.effects.playerChange.letters, run.effects.operatorLetters, public), notified
	change.Player, change.OtherMatches = run.effects.playerChange.player, run.effects.playerChange.otherMatches
	addReplacements(ctx, run, &change)
	return change, nil
}

// recordFullLetter records in the seat that a letter asks a question (EntriesWhenAsked), or has the whole position
// (LastFullLetter).
func recordFullLetter(run *letterRun, d draft) {
	seatState := &run.turn.Match.Seats[d.seat]
	if d.Replaces || run.turn.Before == nil {
		seatState.EntriesWhenAsked = run.turn.Match.EntryCount
	}
	if d.Replaces && !d.content.IsFocused {
		seatState.LastFullLetter = d.Number
	}
}

func getsLetter(run *letterRun, seat, answered rules.Seat) bool {
	switch {
	case run.turn.Match.Seats[seat].Robot != "", run.answer.IsOmitted(run.turn, seat, run.adjudicator.LetterOptions.Confirmations > 0):
		return false
	case seat == answered:
		return !run.answer.Unanswered
	}
	return run.answer.HasNews(run.turn, seat) && !run.turn.HasLeft(seat)
}

func (run *letterRun) logFaults(ctx context.Context) {
	for _, f := range run.execution.Faults {
		level := slog.LevelWarn
		if f.IsGrave {
			level = slog.LevelError
		}
		run.adjudicator.Log.Log(ctx, level, f.Text, "match", run.turn.Match.ID, "seat", int(f.Seat), "error", f.Err)
	}
}

func (run *letterRun) receipt(incoming exchange.Letter, digest string) *exchange.Receipt {
	r := incoming.Receipt(digest, run.finalDisposition(), run.adjudicator.Now())
	r.Match, r.Seat, r.Raw = run.turn.Match.ID, run.execution.Seat, run.letter.Raw
	if run.mayContainBallot() {
		r.Raw, r.Digest = nil, ballotReceiptDigest(run.adjudicator, digest)
	}
	return r
}

func draftLetter(run *letterRun, seat, answered rules.Seat) (draft, error) {
	seatState := &run.turn.Match.Seats[seat]
	keyNotes, err := renewExposedKey(run.adjudicator, seatState)
	if err != nil {
		return draft{}, err
	}
	outgoing := newSeatLetter(run.adjudicator, run.turn.Match, seat)
	if outgoing.Replaceable = run.adjudicator.LetterOptions.Confirmations > 0 && run.answer.IsRepeated(run.turn, seat); outgoing.Replaceable {
		outgoing.Delay = run.adjudicator.LetterOptions.Confirmations
		outgoing.Date = outgoing.Date.Add(outgoing.Delay)
	}
	options := run.answer.OptionsFor(run.turn, seat, run.letter.Digest)
	attachFile(&outgoing, run.answer.RecordFor(run.turn, seat))
	if seat == answered {
		outgoing.IsReply, outgoing.InReplyTo = true, run.letter.MessageID
		options.Problems = slices.Clone(run.answer.Problems)
		if run.letter.HasOtherRecipients {
			options.Problems = append(options.Problems, "Your letter also went to another address, and its reader could have "+
				"answered in your name. So our reply address for you has changed: reply to this letter, because replies to "+
				"older letters no longer count.")
		}
	}
	options.Problems = append(options.Problems, keyNotes...)
	content, addStandingSections := compose.WriteOutline(run.turn, seat, options)
	run.turn.Match.RecordRestoresReported(seat)
	content.MarkerLine, content.Number, outgoing.Subject = run.adjudicator.Codec.MarkerLine(), outgoing.Number, content.Subject
	content.Contact, content.CanAsk = run.adjudicator.OperatorAddress, run.adjudicator.FilesQuestions
	content.Reply.To, content.Reply.Subject = run.adjudicator.Codec.ReplyAddress(outgoing)
	if run.turn.After != nil {
		outgoing.Decisions = match.DecisionIDs(run.turn.OpenDecisions(seat))
		seatState.Private.ConsentQuestions.Update(outgoing.Number, compose.ConsentQuestions(run.turn, seat, options))
		seatState.Clock.AddQuestionLetter(outgoing.Number)
		if seatState.Player.Calendar {
			outgoing.Deadline = compose.AnswerDeadline(run.turn, seat)
		}
		if content.BoardLink, err = deskLink(run, outgoing, content); err != nil {
			return draft{}, err
		}
		if run.answer.MayHavePicture(run.turn, seat, answered) {
			addPicture(run, &outgoing, &content)
		}
	}
	return draft{outgoing, content, addStandingSections, seat}, nil
}

// renderLetter lays out and renders a letter. A confirmation or slip that is too long loses its HTML part. If it is still
// too long, events are left out, because the next letter repeats them. An answer that reports no event has an HTML part
// only for links to possible orders.
func renderLetter(a *Adjudicator, outgoing *exchange.OutgoingLetter, content templates.Letter, withHTML bool) (err error) {
	sectionBytes := sectionsLength(slices.Concat(content.Replies, content.Sections))
	maxBytes := maxConfirmationBytes + 2*sectionBytes
	isSlip := content.IsSlip && outgoing.IsReply
	isAnswer := isSlip || content.IsShort && outgoing.IsReply && len(content.Events) == 0
	withHTML = withHTML && (!isAnswer || content.Ask != nil && len(content.Ask.Answers) > 0)
	isSlip = isSlip && content.Ask != nil
	if isSlip {
		maxBytes = maxSlipLetterBytes + 2*sectionBytes
	}
	for isSlip && len(content.Text()) > maxSlipTextBytes+sectionBytes && compose.Shorten(&content) {
	}
	for {
		outgoing.Body, outgoing.HTML = layOut(content, withHTML)
		if outgoing.Raw, err = a.Codec.Render(*outgoing); err != nil || !content.IsShort && !isSlip || len(outgoing.Raw.Bytes) <= maxBytes {
			return err
		}
		if !withHTML && !compose.Shorten(&content) {
			return nil
		}
		withHTML = false
	}
}

func sectionsLength(sections []rules.Section) (n int) {
	for _, s := range sections {
		for _, line := range s.Lines {
			n += len(line) + 1
		}
	}
	return n
}

func layOut(content templates.Letter, withHTML bool) (text, page string) {
	if text = content.Text(); withHTML {
		page = content.HTML()
	}
	return text, page
}

// draft is a letter that is not laid out yet. addStandingSections adds the standing sections of a full letter, e.g. the
// hand and the map.
type draft struct {
	exchange.OutgoingLetter
	content             templates.Letter
	addStandingSections func(*templates.Letter)
	seat                rules.Seat
}

// writeSeatLetter writes a letter to a seat. answered is the seat that sent the letter of this run, or NoSeat.
func writeSeatLetter(run *letterRun, seat, answered rules.Seat) (exchange.OutgoingLetter, error) {
	d, err := draftLetter(run, seat, answered)
	if err == nil {
		err = layOutDraft(run, &d)
	}
	return d.OutgoingLetter, err
}

// layOutDraft completes, lays out and renders a draft. It changes only the draft, so drafts can be laid out concurrently.
func layOutDraft(run *letterRun, d *draft) error {
	d.addStandingSections(&d.content)
	if err := renderLetter(run.adjudicator, &d.OutgoingLetter, applyFormat(run, d.content, d.seat),
		sendsHTML(run.adjudicator, &run.turn.Match.Seats[d.seat])); err != nil {
		return fmt.Errorf("write letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	return nil
}

// writeDrafts lays out drafts concurrently, because other letters of the match wait until all are written. A panic becomes an error.
func writeDrafts(run *letterRun, drafts []draft) ([]exchange.OutgoingLetter, error) {
	errs := make([]error, len(drafts))
	layOutAt := func(i int) { errs[i] = recoverPanic(func() error { return layOutDraft(run, &drafts[i]) }) }
	maximum := runtime.GOMAXPROCS(0)
	for first := 0; first < len(drafts); first += maximum {
		var others sync.WaitGroup
		for i := first + 1; i < min(first+maximum, len(drafts)); i++ {
			others.Go(func() { layOutAt(i) })
		}
		layOutAt(first)
		others.Wait()
	}
	var letters []exchange.OutgoingLetter
	for i := range drafts {
		if errs[i] != nil {
			return nil, errs[i]
		}
		letters = append(letters, drafts[i].OutgoingLetter)
	}
	return letters, nil
}

// subjectTag matches the match ID in a subject, e.g. "Your move: 1989 v. Ben [mabcdefg]", or "[samizdat mabcdefg]" in letters of older
// versions.
var subjectTag = regexp.MustCompile(`(?i)\[samizdat ([a-z0-9]+)\]|\[(m[a-z2-7]{7})\]\s*$`)

// findOtherMatch returns the ID of another match that the subject names, or "". A subject that also names the match of
// the run names no other match.
func findOtherMatch(run *letterRun) string {
	other := ""
	for _, tag := range subjectTag.FindAllStringSubmatch(run.letter.Subject, -1) {
		if other = strings.ToLower(tag[1] + tag[2]); other == run.turn.Match.ID {
			return ""
		}
	}
	return other
}

// deskLink returns the link to the desk, the web page on which the player can compose an answer. It is "" for a letter
// without a question of the game.
func deskLink(run *letterRun, outgoing exchange.OutgoingLetter, content templates.Letter) (string, error) {
	if run.adjudicator.DeskURL == "" || !desklink.HasDesk(run.turn.Game) || content.IsShort || content.IsSlip ||
		len(outgoing.Decisions) == 0 ||
		len(content.Prompts) == 0 {
		return "", nil
	}
	view, err := run.turn.After.View(outgoing.Seat).MarshalJSON()
	if err != nil {
		return "", fmt.Errorf("write a view for the desk: %w", err)
	}
	m := run.turn.Match
	link := desklink.Link{Match: m.ID, Setup: run.turn.Setup(), Seat: outgoing.Seat, Letter: outgoing.Number, To: content.Reply.To,
		Subject:  content.Reply.Subject,
		Happened: content.Events, View: view}
	for i := range m.Seats {
		link.Names = append(link.Names, m.Seats[i].PlayerName)
	}
	return link.URL(run.adjudicator.DeskURL, run.turn.Game)
}

// addPicture adds the picture of the map. The letter is stored with a list of shapes, which is drawn when the letter is
// sent, because drawing is slow. The list is made from the seat's view, so it has no hidden information. A map without
// marks for events is not sent again if the last picture was the same. The HTML part then names the letter with that
// picture.
func addPicture(run *letterRun, outgoing *exchange.OutgoingLetter, content *templates.Letter) {
	c := run.turn.Game.Map
	seatState := &run.turn.Match.Seats[outgoing.Seat]
	if c == nil || !sendsPictures(run.adjudicator, seatState) {
		return
	}
	view, events := run.turn.After.View(outgoing.Seat), run.turn.EventsFor(outgoing.Seat)
	p := c.Draw(view, events)
	unmarked := p
	if len(events) > 0 {
		unmarked = c.Draw(view, nil)
	}
	sum := pictureChecksum(unmarked, run.turn.Game.Status(view))
	// Letters up to IgnoreBouncesThrough went to an earlier address or player, so the reader may lack their pictures.
	if last := seatState.LastPicture; last.Number > seatState.IgnoreBouncesThrough && last.Checksum == sum && p.Hash() == unmarked.Hash() &&
		!run.answer.WantsPicture(run.turn, outgoing.Seat) {
		content.LetterWithPicture = seatState.LastPicture.Number
		return
	}
	outgoing.Drawing = p.Pack()
	seatState.LastPicture = match.SentPicture{Number: outgoing.Number, Checksum: sum}
	// The Content-ID must be unique, because some mail programs look it up in all letters of a thread.
	outgoing.PictureID = "map." + outgoing.MessageID
	content.Picture = &templates.Picture{ID: outgoing.PictureID, Title: p.Title, AltText: p.Words, Width: p.Width, Height: p.Height}
}

// pictureChecksum returns a checksum of the map without the status line at its top.
func pictureChecksum(p *picture.Picture, status string) string {
	withoutStatus := *p
	withoutStatus.Words = ""
	withoutStatus.Items = slices.DeleteFunc(slices.Clone(p.Items), func(i picture.Item) bool {
		t, ok := i.(picture.Text)
		return ok && t.Words == status
	})
	sum := withoutStatus.Hash()
	return hex.EncodeToString(sum[:12])
}

func sendsHTML(a *Adjudicator, seatState *match.Seat) bool {
	return a.LetterOptions.HTML && seatState.Format.HasHTML()
}

func sendsPictures(a *Adjudicator, seatState *match.Seat) bool {
	return a.LetterOptions.Pictures && (seatState.Format == "" || seatState.Format == match.FormatPicture)
}

func applyFormat(run *letterRun, content templates.Letter, seat rules.Seat) templates.Letter {
	if run.turn.Match.Seats[seat].Format == match.FormatSpoken {
		content = compose.ForScreenReader(run.turn, seat, content)
	}
	switch run.turn.Match.Seats[seat].Script {
	case match.ScriptPlain:
		return content.MapTexts(order.ASCII)
	case match.ScriptUTF8:
		return content.MapTexts(compose.NamePrinter(run.turn.Game))
	}
	return content
}

// maxConfirmationBytes limits the length of a confirmation, i.e. a letter without a question. Its sections, e.g. messages
// of players, are not counted. The next letter with a question repeats everything that a confirmation says about the
// match, so a confirmation may leave events out.
const maxConfirmationBytes = 4800

// maxSlipLetterBytes limits a slip letter: a short answer with a question (compose.ExtentSlip). The limit is for the raw
// letter without its sections; a longer letter has no HTML part. With names and addresses of common length a slip letter
// has less than 3,000 bytes.
const maxSlipLetterBytes = 3600

// maxSlipTextBytes limits the text of a slip letter, without its sections.
const maxSlipTextBytes = 2 << 10

// loadUnreported loads the earlier events that the letters of this run have to report. It replays entries, because events are not stored.
func loadUnreported(ctx context.Context, run *letterRun) error {
	before := run.turn.Match.EntryCount - len(run.turn.Entries)
	seats, first := rules.Seats(0), before
	for i := range run.turn.Match.Seats {
		if reported := run.turn.Match.Seats[i].EntriesWhenAsked; reported > 0 && reported < before &&
			run.answer.ExtentFor(run.turn, rules.Seat(i)) == compose.ExtentFull && !run.adjudicator.AtTable {
			seats, first = seats|rules.Only(rules.Seat(i)), min(first, reported)
		}
	}
	if seats == 0 {
		cached, _ := run.adjudicator.recent.EntriesSince(run.turn, before)
		run.adjudicator.recent.Remember(run.execution, cached)
		return nil
	}
	cached, err := run.adjudicator.recent.LoadSince(ctx, run.execution, first)
	if err != nil {
		return fmt.Errorf("load the unreported events of match %s: %w", run.turn.Match.ID, err)
	}
	run.turn.Unreported = compose.FindUnreported(run.turn, seats, cached.Entries, cached.Events)
	run.adjudicator.recent.Remember(run.execution, cached)
	return nil
}
