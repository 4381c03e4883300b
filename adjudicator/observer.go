package adjudicator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// An observer watches a match. Letters to observers are made from the public view and public events, at times that
// reveal no hidden information: an observer gets a letter when something public has happened, and never for a sealed or
// private answer, a conditional order, a message or a question. Numbers and Message-IDs count letters to this
// observer only.
//
// Addresses can be forged, so an address is an observer only after a letter to it was answered with YES. That letter
// is the same whether the match exists or not.

const (
	// maxObservers is the number of observers of a match.
	maxObservers = 50
	// maxInvitationsADay is the number of addresses that are asked in a day whether they want to observe. Without it forged letters
	// could make us send mass mail.
	maxInvitationsADay = 200
)

// receiveFromOutsider handles letters of observers, and of people who want to observe; isHandled is false for other letters.
func (a *Adjudicator) receiveFromOutsider(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error) {
	if t := l.Token; t != nil && t.Seat == rules.NoSeat {
		switch q := a.Replies.ObservingQuestion(l.From, t.Match); {
		case t.Observer > 0 && l.HasToken(q.Key):
			d, err = a.receiveFromObserver(ctx, l)
			return d, true, err
		case a.Replies.IsAnswer(l, q):
			d, err = confirmObserving(ctx, a, l)
			return d, true, err
		}
	}
	if c, _ := conversation.FindOrder(l, letter.Observe); c.Text != "" {
		d, err = askObserver(ctx, a, l, c.Text)
		return d, true, err
	}
	if _, ok := conversation.FindOrder(l, letter.Unobserve); !ok {
		return "", false, nil
	}
	known, err := a.Store.Observes(ctx, l.From)
	if err != nil || !known {
		return "", false, err
	}
	text := exchange.TextLetter("You are still watching", compose.UnobserveRefusedText(a.Post.Mark()))
	d, err = a.Replies.AnswerOnce(ctx, l, a.Replies.DailyDigest("unproved", l.From), exchange.Refused, text)
	return d, true, err
}

// askObserver asks an address whether its reader wants to observe a match. It does not check whether the match
// exists.
func askObserver(ctx context.Context, a *Adjudicator, l exchange.Letter, match string) (exchange.Disposition, error) {
	today := fmt.Sprintf("offer-%d-", a.Replies.Today()) // All digests of a day's offers have this prefix, by which they are counted.
	n, err := a.Store.CountReceipts(ctx, today)
	if err != nil {
		return "", err
	}
	if n >= maxInvitationsADay {
		a.Log.WarnContext(ctx, "today's limit of observers is reached; a letter is ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	d := exchange.TextLetter("Do you want to watch "+match+"?", compose.ObserveQuestionText(a.Post.Mark(), match))
	d.Token = a.Replies.TokenOf(a.Replies.ObservingQuestion(l.From, match))
	d.HTML = a.Replies.RenderPage(d, string(letter.Yes))
	return a.Replies.AnswerOnce(ctx, l, today+conversation.NewDigest("offer", contact.MailboxOf(l.From)), exchange.Done, d)
}

// confirmObserving handles the answer to the question whether an address wants to observe.
func confirmObserving(ctx context.Context, a *Adjudicator, l exchange.Letter) (exchange.Disposition, error) {
	mark, token := a.Post.Mark(), a.Post.Token(a.Replies.ObserverKey(l.From), *l.Token)
	c, _ := conversation.FindOrder(l, letter.Observe)
	matchID := c.Text
	if _, yes := conversation.FindOrder(l, letter.Yes); matchID == "" && !yes {
		d := exchange.TextLetter("Do you want to watch?", compose.ObserveReminderText(mark))
		d.Token = token
		return a.Replies.AnswerOnce(ctx, l, a.Replies.DailyDigest("confirm", l.From), exchange.Refused, d)
	}
	matchID = cmp.Or(matchID, l.Token.Match)
	// An offer is valid for one match, once.
	digest := conversation.NewDigest("watch", l.From, matchID, fmt.Sprint(l.Token.Number))
	if earlier, twice, err := a.Store.Received(ctx, "", rules.NoSeat, digest, ""); err != nil || twice {
		return earlier, err
	}
	m, err := a.findMatch(ctx, matchID)
	switch {
	case err != nil:
		return "", err
	case m != nil && slices.ContainsFunc(m.Seats, func(s match.Seat) bool { return contact.SameMailbox(s.Player.Address, l.From) }):
		return a.Replies.AnswerOnce(ctx, l, digest, exchange.Refused,
			exchange.TextLetter("You play in this match", compose.AlreadyPlaysText(mark, matchID)))
	case m != nil && slices.ContainsFunc(m.Observers, func(o match.Observer) bool { return contact.SameMailbox(o.Address, l.From) }):
		return a.Replies.AnswerOnce(ctx, l, digest, exchange.Done,
			exchange.TextLetter("You watch this match", compose.AlreadyObservesText(mark, matchID)))
	case m == nil || !m.ObserverPolicy.Allowed || m.State == match.Over || m.State == match.CalledOff || len(m.Observers) >= maxObservers:
		d := exchange.TextLetter("There is nothing to watch", compose.NotObservableText(mark, matchID))
		d.Token = token
		return a.Replies.AnswerOnce(ctx, l, digest, exchange.Refused, d)
	}
	return subscribeObserver(ctx, a, l, digest, m)
}

// subscribeObserver adds an observer. The first letter confirms this and shows the match; with a delay, a second letter
// shows the match.
func subscribeObserver(ctx context.Context, a *Adjudicator, l exchange.Letter, digest string,
	m *match.Match) (exchange.Disposition, error) {
	run, err := a.newRun(ctx, m, rules.NoSeat, l)
	if err != nil {
		return "", err
	}
	m.LastObserver++
	o := match.Observer{Number: m.LastObserver, Address: l.From, Since: a.Now()}
	delay, initial := m.ObserverPolicy.Delay, *run.turn
	if delay > 0 {
		initial.After = nil // The first letter must not depend on the match.
	}
	p := publicLetter(a, &initial, compose.Options{Parts: []rules.Section{compose.WelcomeObserver(&initial)}})
	first, err := newObserverLetter(run, &o, p, 0)
	if err != nil {
		return "", err
	}
	letters := []exchange.OutgoingLetter{first}
	if delay > 0 && run.turn.After != nil {
		p = publicLetter(a, run.turn, compose.Options{})
		next, err := newObserverLetter(run, &o, p, delay)
		if err != nil {
			return "", err
		}
		letters = append(letters, next)
	}
	r := l.Receipt(digest, exchange.Done, a.Now())
	return exchange.Done, a.Store.Apply(ctx, exchange.Change{Match: m, Receipt: r, Observers: []match.Observer{o}, Letters: letters})
}

// receiveFromObserver handles a letter of an observer, or of a former one.
func (a *Adjudicator) receiveFromObserver(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	digest := l.ReceiptDigest()
	if earlier, twice, err := a.Store.Received(ctx, l.Token.Match, rules.NoSeat, digest, ""); err != nil || twice {
		return earlier, err
	}
	m, err := a.findMatch(ctx, l.Token.Match)
	if err != nil || m == nil {
		return exchange.Ignored, err
	}
	observer, ok := m.ObserverAt(l.From)
	if !ok || observer.Number != l.Token.Observer {
		// The observer was told on leaving.
		a.Log.InfoContext(ctx, "a letter of a former observer ignored", "match", m.ID, "uid", l.UID)
		return exchange.Ignored, nil
	}
	c := exchange.Change{Receipt: l.Receipt(digest, exchange.Done, a.Now())}
	c.Receipt.Match = m.ID
	var d exchange.OutgoingLetter
	isAllowed := true
	if _, leaves := conversation.FindOrder(l, letter.Unobserve); leaves {
		observer.Ended = true
		c.Match, c.Observers = m, []match.Observer{observer}
		d = exchange.TextLetter(compose.Subject(m, "You have stopped watching", match.Capitalize(m.Game)),
			compose.FarewellText(a.Post.Mark(), m.ID)+a.Replies.Footer())
		d.Match = m.ID
	} else {
		// The match is not stored, so players' orders do not conflict with it.
		run, err := a.newRun(ctx, m, rules.NoSeat, l)
		if err != nil {
			return "", err
		}
		if d, err = answerObserver(ctx, run); err != nil {
			return "", err
		}
		addressToObserver(a, &d, m, observer, l.Token.Number)
		c.Receipt.Disposition = run.effects.disposition
		isAllowed = a.Replies.CountAnswerTo(ctx, l, fmt.Sprintf("observer %s %d", m.ID, observer.Number), observer.Address)
	}
	if isAllowed && a.Replies.AddressReply(ctx, l, digest, &d) {
		c.Letters = []exchange.OutgoingLetter{d}
	}
	return c.Receipt.Disposition, a.Store.Apply(ctx, c)
}

func answerObserver(ctx context.Context, run *letterRun) (exchange.OutgoingLetter, error) {
	text := run.letter.Orders
	if run.letter.TooLong() || len(order.Split(text)) > maxLines {
		run.report("", match.OutcomeRefused, "Your letter was too long, so it was not read.")
		text = ""
	} else if strings.TrimSpace(text) == "" {
		run.report("", match.OutcomeRefused, "There was nothing in your letter above the line that says \"Write above this "+
			"line\". "+compose.ObserversHelp)
	}
	if run.turn.After != nil && run.turn.Match.ObserverPolicy.Delay > 0 {
		h, err := run.loadHistory(ctx)
		if err != nil {
			return exchange.OutgoingLetter{}, err
		}
		run.turn.After = h.Position()
	}
	run.answer.OnlyAsks = true
	lines, err := run.reader.Read(letter.Letter{Text: text, Seat: rules.NoSeat})
	if err != nil {
		return exchange.OutgoingLetter{}, err
	}
	for _, l := range lines {
		if err := observerLine(ctx, run, l); err != nil {
			return exchange.OutgoingLetter{}, err
		}
	}
	if err := attachRecord(ctx, run); err != nil {
		return exchange.OutgoingLetter{}, err
	}
	options := run.answer.OptionsFor(run.turn, rules.NoSeat, run.letter.Digest)
	options.Problems = run.answer.Problems
	d := publicLetter(run.adjudicator, run.turn, options)
	attachFile(&d, run.answer.RecordFor(run.turn, rules.NoSeat))
	d.Subject = compose.Subject(run.turn.Match, "Your letter as an observer", match.Capitalize(run.turn.Match.Game))
	return d, nil
}

func observerLine(ctx context.Context, run *letterRun, l letter.Line) (err error) {
	class := l.Class()
	switch {
	case l.Is(letter.Hand), l.Is(letter.Position), l.Is(letter.Again), l.Is(letter.Ask):
		run.report(l.Text, match.OutcomeRefused, "Only players can use that command.")
	case l.Is(letter.Record) && !run.isEndKnown():
		run.report(l.Text, match.OutcomeRefused, "Until the match is over, only players can get the record. It comes with the "+
			"last letter of the match.")
	case run.turn.After == nil && (class == letter.Question && !l.Is(letter.Rules) || l.Is(letter.Status) || l.Is(letter.Card)):
		run.report(l.Text, match.OutcomeRefused, "There is nothing to show yet.")
	case class == letter.Question, l.Is(letter.Card):
		_, err = run.command(ctx, l)
	case l.Is(letter.HelpWord):
		run.report(l.Text, match.OutcomeDone, compose.ObserversHelp)
	case l.Is(letter.Status), l.Is(letter.Resend) && run.turn.After != nil:
		run.answer.OnlyAsks = false
		run.report(l.Text, match.OutcomeDone, "Here is the current position, as you may see it.")
	case letter.StartsWith(l.Text, letter.Observe):
		run.report(l.Text, match.OutcomeIgnored, "You are watching this match. To watch another one, write OBSERVE and its "+
			"name in a new letter.")
	case class == letter.Telling, l.Kind > letter.Doubt && class != letter.Setting &&
		!isConsentAnswer(l), letter.StartsWith(l.Text, letter.Join):
		run.report(l.Text, match.OutcomeRefused, "You are only watching this match. "+compose.ObserversHelp)
	default:
		run.report(l.Text, match.OutcomeIgnored, "You are only watching this match. HELP lists what you may write.")
	}
	return err
}

// isEndKnown reports whether an observer may know that the match is over.
func (run *letterRun) isEndKnown() bool {
	if run.turn.After == nil || !run.turn.Match.IsPublished() {
		return false
	}
	_, over := run.turn.After.Result()
	return over
}

// countKnownEntries returns the number of entries that an observer may know now. All entries before a known entry count, even with
// later time stamps.
func countKnownEntries(run *letterRun, entries []record.Entry) int {
	if run.turn.Match.ObserverPolicy.Delay == 0 {
		return len(entries)
	}
	until := run.adjudicator.Now().Add(-run.turn.Match.ObserverPolicy.Delay)
	for n := len(entries); n > 0; n-- {
		if !entries[n-1].At.After(until) {
			return n
		}
	}
	return 0
}

// handleObserverBounce handles a bounce of a letter to an observer. After a permanent failure the observer is removed.
// A report without a genuine token of a letter to the observer removes no observer.
func handleObserverBounce(ctx context.Context, a *Adjudicator, l exchange.Letter) (exchange.Disposition, error) {
	if !l.Bounce.Hard {
		return exchange.Ignored, nil
	}
	m, err := a.findMatch(ctx, l.Token.Match)
	if err != nil || m == nil {
		return exchange.Ignored, err
	}
	for _, o := range m.Observers {
		if o.Number != l.Token.Observer || !l.HasToken(a.Replies.ObserverKey(o.Address)) {
			continue
		}
		a.Log.WarnContext(ctx, "an observer cannot be reached and gets no more letters", "match", m.ID, "observer", o.Number, "reason",
			l.Bounce.Reason)
		o.Ended = true
		if err := a.Store.Apply(ctx, exchange.Change{Match: m, Observers: []match.Observer{o}}); err != nil {
			return "", fmt.Errorf("let observer %d of %s go: %w", o.Number, m.ID, err)
		}
	}
	return exchange.Ignored, nil
}

// writeObserverLetters writes letters to the observers, if there is public news. If a letter fails, the match continues.
func writeObserverLetters(ctx context.Context, run *letterRun) (letters []exchange.OutgoingLetter, notified []match.Observer) {
	if len(run.turn.Match.Observers) == 0 || !run.answer.HasNews(run.turn, rules.NoSeat) {
		return nil, nil
	}
	p := publicLetter(run.adjudicator, run.turn, compose.Options{Record: run.answer.RecordFor(run.turn, rules.NoSeat) != nil})
	attachFile(&p, run.answer.RecordFor(run.turn, rules.NoSeat))
	for _, o := range run.turn.Match.Observers {
		d, err := newObserverLetter(run, &o, p, run.turn.Match.ObserverPolicy.Delay)
		if err != nil {
			run.adjudicator.Log.ErrorContext(ctx, "an observer is left out", "match", run.turn.Match.ID, "observer", o.Number, "error", err)
			continue
		}
		letters, notified = append(letters, d), append(notified, o)
	}
	run.turn.Match.RecordRestoresTold(rules.NoSeat)
	return letters, notified
}

func publicLetter(a *Adjudicator, t *match.Turn, options compose.Options) exchange.OutgoingLetter {
	l := compose.WriteLetter(t, rules.NoSeat, options)
	l.Mark, l.Contact = a.Post.Mark(), a.Contact
	d := exchange.OutgoingLetter{Addressee: exchange.Addressee{Match: t.Match.ID}, Heading: exchange.Heading{Subject: l.Subject}}
	d.Body, d.HTML = layOut(l, a.Letters.HTML)
	return d
}

// newObserverLetter addresses the public letter to an observer, with the agreed delay.
func newObserverLetter(run *letterRun, o *match.Observer, d exchange.OutgoingLetter, delay time.Duration) (exchange.OutgoingLetter, error) {
	o.Letters++
	addressToObserver(run.adjudicator, &d, run.turn.Match, *o, o.Letters)
	d.Number, d.Observer, d.Delay, d.Date = o.Letters, o.Number, delay, d.Date.Add(delay)
	key := run.adjudicator.Replies.ObserverKey(o.Address)
	d.MessageID = run.adjudicator.Post.LetterID(key, exchange.ObserverToken(run.turn.Match.ID, o.Number, o.Letters))
	if o.Letters > 1 {
		d.References = threadReferences(run.adjudicator.Post.LetterID(key,
			exchange.ObserverToken(run.turn.Match.ID, o.Number, o.Letters-1)), d.References[0])
	} else {
		d.References = nil
	}
	var err error
	if d.Raw, err = run.adjudicator.Post.Render(d); err != nil {
		return d, fmt.Errorf("render letter %d to observer %d of %s: %w", o.Letters, o.Number, run.turn.Match.ID, err)
	}
	return d, nil
}

// addressToObserver sets token, thread and help on leaving.
func addressToObserver(a *Adjudicator, d *exchange.OutgoingLetter, m *match.Match, o match.Observer, number int64) {
	d.Match, d.Seat, d.To, d.Date = m.ID, rules.NoSeat, o.Address, a.Now()
	d.Token = a.Post.Token(a.Replies.ObserverKey(o.Address), exchange.ObserverToken(m.ID, o.Number, number))
	d.Unsubscribe = "UNOBSERVE"
	d.References = []string{a.Post.LetterID(a.Replies.ObserverKey(o.Address), exchange.ObserverToken(m.ID, o.Number, 1))}
}
