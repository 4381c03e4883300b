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

// An observer watches a match. Letters to observers are made from the public view, and sent only after public events: never for a sealed or
// private answer, a conditional order, a message or a question. So neither a letter nor its time reveals hidden information. Letters to an
// observer have numbers of their own: other numbers would reveal how many letters the players have had.
//
// Sender addresses can be forged, so an address becomes an observer only after it has answered our question with YES. The question is the
// same whether the match exists or not.

const (
	maxObservers = 50
	// maxObserverQuestionsPerDay limits our questions to unknown addresses, so that forged letters cannot make us send mass mail.
	maxObserverQuestionsPerDay = 200
)

// receiveFromOutsider handles letters of observers and requests to observe. isHandled is false for other letters.
func (a *Adjudicator) receiveFromOutsider(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition,
	isHandled bool, err error) {
	if token := incoming.Token; token != nil && token.Seat == rules.NoSeat {
		switch question := a.Replies.ObservingQuestion(incoming.From, token.Match); {
		case token.Observer > 0 && incoming.HasToken(question.Key):
			disposition, err = a.receiveFromObserver(ctx, incoming)
			return disposition, true, err
		case a.Replies.IsAnswer(incoming, question):
			disposition, err = handleObserveAnswer(ctx, a, incoming)
			return disposition, true, err
		}
	}
	if command, _ := conversation.FindOrder(incoming, letter.Observe); command.Text != "" {
		disposition, err = askToObserve(ctx, a, incoming, command.Text)
		return disposition, true, err
	}
	if _, ok := conversation.FindOrder(incoming, letter.Unobserve); !ok {
		return "", false, nil
	}
	isObserver, err := a.Store.IsObserver(ctx, incoming.From)
	if err != nil || !isObserver {
		return "", false, err
	}
	text := exchange.TextLetter("You are still watching", compose.UnobserveRefusedText(a.Codec.MarkerLine()))
	disposition, err = a.Replies.AnswerOnce(ctx, incoming, a.Replies.DailyDigest("unproved", incoming.From), exchange.DispositionRefused, text)
	return disposition, true, err
}

// askToObserve asks whether the writer wants to observe a match. It does not check whether the match exists.
func askToObserve(ctx context.Context, a *Adjudicator, incoming exchange.Letter, match string) (exchange.Disposition, error) {
	today := fmt.Sprintf("offer-%d-", a.Replies.Today()) // All questions of a day have receipts whose digests begin with it.
	n, err := a.Store.CountReceipts(ctx, today)
	if err != nil {
		return "", err
	}
	if n >= maxObserverQuestionsPerDay {
		a.Log.WarnContext(ctx, "the daily limit of questions to observers is reached; a letter is ignored", "uid", incoming.UID)
		return exchange.DispositionIgnored, nil
	}
	outgoing := exchange.TextLetter("Do you want to watch "+match+"?", compose.ObserveQuestionText(a.Codec.MarkerLine(), match))
	outgoing.Token = a.Replies.TokenOf(a.Replies.ObservingQuestion(incoming.From, match))
	outgoing.HTML = a.Replies.RenderPage(outgoing, string(letter.Yes))
	return a.Replies.AnswerOnce(ctx, incoming, today+conversation.NewDigest("offer", contact.MailboxOf(incoming.From)),
		exchange.DispositionDone, outgoing)
}

func handleObserveAnswer(ctx context.Context, a *Adjudicator, incoming exchange.Letter) (exchange.Disposition, error) {
	markerLine, token := a.Codec.MarkerLine(), a.Codec.Token(a.Replies.ObserverKey(incoming.From), *incoming.Token)
	command, _ := conversation.FindOrder(incoming, letter.Observe)
	matchID := command.Text
	if _, yes := conversation.FindOrder(incoming, letter.Yes); matchID == "" && !yes {
		outgoing := exchange.TextLetter("Do you want to watch?", compose.ObserveReminderText(markerLine))
		outgoing.Token = token
		return a.Replies.AnswerOnce(ctx, incoming, a.Replies.DailyDigest("confirm", incoming.From), exchange.DispositionRefused, outgoing)
	}
	matchID = cmp.Or(matchID, incoming.Token.Match)
	// A second YES to the same question about the same match changes nothing.
	digest := conversation.NewDigest("watch", incoming.From, matchID, fmt.Sprint(incoming.Token.Number))
	if earlier, isDuplicate, err := a.Store.Received(ctx, "", rules.NoSeat, digest, ""); err != nil || isDuplicate {
		return earlier, err
	}
	m, err := a.findMatch(ctx, matchID)
	switch {
	case err != nil:
		return "", err
	case m != nil && slices.ContainsFunc(m.Seats, func(s match.Seat) bool { return contact.SameMailbox(s.Player.Address, incoming.From) }):
		return a.Replies.AnswerOnce(ctx, incoming, digest, exchange.DispositionRefused,
			exchange.TextLetter("You play in this match", compose.AlreadyPlaysText(markerLine, matchID)))
	case m != nil && slices.ContainsFunc(m.Observers, func(observer match.Observer) bool {
		return contact.SameMailbox(observer.Address, incoming.From)
	}):
		return a.Replies.AnswerOnce(ctx, incoming, digest, exchange.DispositionDone,
			exchange.TextLetter("You watch this match", compose.AlreadyObservesText(markerLine, matchID)))
	case m == nil || !m.ObserverPolicy.Allowed || m.State == match.Over || m.State == match.CalledOff || len(m.Observers) >= maxObservers:
		outgoing := exchange.TextLetter("There is nothing to watch", compose.NotObservableText(markerLine, matchID))
		outgoing.Token = token
		return a.Replies.AnswerOnce(ctx, incoming, digest, exchange.DispositionRefused, outgoing)
	}
	return subscribeObserver(ctx, a, incoming, digest, m)
}

// subscribeObserver adds an observer. The first letter confirms the subscription and shows the match. If the match has a delay for
// observers, only a second, delayed letter shows it.
func subscribeObserver(ctx context.Context, a *Adjudicator, incoming exchange.Letter, digest string,
	m *match.Match) (exchange.Disposition, error) {
	run, err := a.newRun(ctx, m, rules.NoSeat, incoming)
	if err != nil {
		return "", err
	}
	m.LastObserver++
	observer := match.Observer{Number: m.LastObserver, Address: incoming.From, Since: a.Now()}
	delay, initial := m.ObserverPolicy.Delay, *run.turn
	if delay > 0 {
		initial.After = nil // The first letter must not show the position.
	}
	content := writePublicLetter(a, &initial, compose.Options{SectionsBelow: []rules.Section{compose.WelcomeObserver(&initial)}}, false)
	welcome, err := newObserverLetter(run, &observer, content, 0)
	if err != nil {
		return "", err
	}
	letters := []exchange.OutgoingLetter{welcome}
	if delay > 0 && run.turn.After != nil {
		content = writePublicLetter(a, run.turn, compose.Options{}, false)
		delayedLetter, err := newObserverLetter(run, &observer, content, delay)
		if err != nil {
			return "", err
		}
		letters = append(letters, delayedLetter)
	}
	r := incoming.Receipt(digest, exchange.DispositionDone, a.Now())
	return exchange.DispositionDone, a.Store.Apply(ctx, exchange.Change{Match: m, Receipt: r, Observers: []match.Observer{observer},
		Letters: letters})
}

// receiveFromObserver handles a letter of an observer, and ignores the letter of a former observer.
func (a *Adjudicator) receiveFromObserver(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	digest := incoming.ReceiptDigest()
	if earlier, isDuplicate, err := a.Store.Received(ctx, incoming.Token.Match, rules.NoSeat, digest, ""); err != nil || isDuplicate {
		return earlier, err
	}
	m, err := a.findMatch(ctx, incoming.Token.Match)
	if err != nil || m == nil {
		return exchange.DispositionIgnored, err
	}
	observer, ok := m.ObserverAt(incoming.From)
	if !ok || observer.Number != incoming.Token.Observer {
		a.Log.InfoContext(ctx, "a letter of a former observer is ignored", "match", m.ID, "uid", incoming.UID)
		return exchange.DispositionIgnored, nil
	}
	change := exchange.Change{Receipt: incoming.Receipt(digest, exchange.DispositionDone, a.Now())}
	change.Receipt.Match = m.ID
	var outgoing exchange.OutgoingLetter
	isAllowed := true
	if _, leaves := conversation.FindOrder(incoming, letter.Unobserve); leaves {
		observer.HasLeft = true
		change.Match, change.Observers = m, []match.Observer{observer}
		outgoing = exchange.TextLetter(compose.Subject(m, "You have stopped watching", a.gameTopic(m)),
			compose.FarewellText(a.Codec.MarkerLine(), m.ID)+a.Replies.Footer())
		outgoing.Match = m.ID
	} else {
		// The match is stored only if the format changes, so that observers cause no conflicts with orders of players.
		run, err := a.newRun(ctx, m, rules.NoSeat, incoming)
		if err != nil {
			return "", err
		}
		if command, _ := conversation.FindOrder(incoming, letter.FormatWord); isObserverFormat(command) {
			observer.IsSpoken = command.Choice == "SPOKEN"
			change.Match, change.Observers = m, []match.Observer{observer}
		}
		if outgoing, err = answerObserver(ctx, run, observer.IsSpoken); err != nil {
			return "", err
		}
		addressToObserver(a, &outgoing, m, observer, incoming.Token.Number)
		change.Receipt.Disposition = run.effects.disposition
		isAllowed = a.Replies.AllowAnswerTo(ctx, incoming, fmt.Sprintf("observer %s %d", m.ID, observer.Number), observer.Address)
	}
	if isAllowed && a.Replies.AddressReply(ctx, incoming, digest, &outgoing) {
		change.Letters = []exchange.OutgoingLetter{outgoing}
	}
	return change.Receipt.Disposition, a.Store.Apply(ctx, change)
}

func isObserverFormat(command letter.Command) bool {
	return command.Choice == "SPOKEN" || command.Choice == "HTML"
}

func describeObserverFormat(command letter.Command) string {
	if command.Choice == "SPOKEN" {
		return "From now on your letters are for a screen reader, without tables. FORMAT HTML ends this."
	}
	return "From now on your letters have tables and an HTML page."
}

func answerObserver(ctx context.Context, run *letterRun, isSpoken bool) (exchange.OutgoingLetter, error) {
	text := run.letter.Text
	if run.letter.IsTooLong() || len(order.Split(text)) > maxLines {
		run.report("", match.OutcomeRefused, "Your letter was too long, so it was not read.")
		text = ""
	} else if strings.TrimSpace(text) == "" {
		run.report("", match.OutcomeRefused, "There was nothing in your letter above the line that says \"Write above this "+
			"line\". HELP lists what you may write.")
	}
	if run.turn.After != nil && run.turn.Match.ObserverPolicy.Delay > 0 {
		history, err := run.loadHistory(ctx)
		if err != nil {
			return exchange.OutgoingLetter{}, err
		}
		run.turn.After = history.Position()
	}
	run.answer.HasOnlyQueries = true
	lines, err := run.reader.Read(letter.Letter{Text: text, Seat: rules.NoSeat})
	if err != nil {
		return exchange.OutgoingLetter{}, err
	}
	for _, line := range lines {
		if err := handleObserverLine(ctx, run, line); err != nil {
			return exchange.OutgoingLetter{}, err
		}
	}
	if err := attachRecord(ctx, run); err != nil {
		return exchange.OutgoingLetter{}, err
	}
	options := run.answer.OptionsFor(run.turn, rules.NoSeat, run.letter.Digest)
	options.Problems = run.answer.Problems
	outgoing := writePublicLetter(run.adjudicator, run.turn, options, isSpoken)
	attachFile(&outgoing, run.answer.RecordFor(run.turn, rules.NoSeat))
	outgoing.Subject = compose.Subject(run.turn.Match, "Your letter as an observer", compose.GameTopic(run.turn.Game))
	return outgoing, nil
}

func handleObserverLine(ctx context.Context, run *letterRun, line letter.Line) (err error) {
	class := line.Class()
	switch {
	case line.Is(letter.Hand), line.Is(letter.Position), line.Is(letter.ResendLetter), line.Is(letter.Ask):
		run.report(line.Text, match.OutcomeRefused, "Only players can use that command.")
	case line.Is(letter.Record) && !run.isEndPublic():
		run.report(line.Text, match.OutcomeRefused, "Until the match is over, only players can get the record. It comes with the "+
			"last letter of the match.")
	case run.turn.After == nil && (class == letter.ClassQuery && !line.Is(letter.Rules) || line.Is(letter.Status) || line.Is(letter.Card)):
		run.report(line.Text, match.OutcomeRefused, "There is nothing to show yet.")
	case class == letter.ClassQuery, line.Is(letter.Card):
		_, err = run.carryOutCommand(ctx, line)
	case line.Is(letter.HelpWord):
		run.report(line.Text, match.OutcomeDone, compose.ObserversHelp(run.turn.Game))
	case line.Is(letter.Status), line.Is(letter.Resend) && run.turn.After != nil:
		run.answer.HasOnlyQueries = false
		run.report(line.Text, match.OutcomeDone, "Here is the current position, as observers see it.")
	case line.Is(letter.FormatWord) && isObserverFormat(line.Command):
		run.report(line.Text, match.OutcomeDone, describeObserverFormat(line.Command))
	case letter.StartsWith(line.Text, letter.Observe):
		run.report(line.Text, match.OutcomeIgnored, "You are watching this match. To watch another one, write OBSERVE and its "+
			"name in a new letter.")
	case class == letter.ClassMessage, line.Kind > letter.KindDoubt && class != letter.ClassSetting &&
		!isConsentAnswer(line), letter.StartsWith(line.Text, letter.Join):
		run.report(line.Text, match.OutcomeRefused, "You are only watching this match. HELP lists what you may write.")
	default:
		run.report(line.Text, match.OutcomeIgnored, "You are only watching this match. HELP lists what you may write.")
	}
	return err
}

// isEndPublic reports whether an observer may know that the match is over.
func (run *letterRun) isEndPublic() bool {
	if run.turn.After == nil || !run.turn.Match.IsPublished() {
		return false
	}
	_, over := run.turn.After.Result()
	return over
}

// countKnownEntries returns the number of entries that an observer may know now. If an entry is old enough, all entries before it
// count, even an entry with a later time (after the system clock was set back).
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

// receiveObserverBounce removes an observer after a hard bounce (exchange.Bounce.Hard) or a complaint, if the report has a valid token of
// our letter.
func receiveObserverBounce(ctx context.Context, a *Adjudicator, incoming exchange.Letter) (exchange.Disposition, error) {
	if !incoming.Bounce.Hard {
		return exchange.DispositionIgnored, nil
	}
	m, err := a.findMatch(ctx, incoming.Token.Match)
	if err != nil || m == nil {
		return exchange.DispositionIgnored, err
	}
	for _, observer := range m.Observers {
		if observer.Number != incoming.Token.Observer || !incoming.HasToken(a.Replies.ObserverKey(observer.Address)) {
			continue
		}
		a.Log.WarnContext(ctx, "an observer cannot be reached and gets no more letters", "match", m.ID, "observer", observer.Number, "reason",
			incoming.Bounce.Reason)
		observer.HasLeft = true
		if err := a.Store.Apply(ctx, exchange.Change{Match: m, Observers: []match.Observer{observer}}); err != nil {
			return "", fmt.Errorf("remove observer %d of match %s: %w", observer.Number, m.ID, err)
		}
	}
	return exchange.DispositionIgnored, nil
}

// writeObserverLetters writes letters to the observers if there is public news. A letter that cannot be written is left out.
func writeObserverLetters(ctx context.Context, run *letterRun) (letters []exchange.OutgoingLetter, notified []match.Observer) {
	if len(run.turn.Match.Observers) == 0 || !run.answer.HasNews(run.turn, rules.NoSeat) {
		return nil, nil
	}
	public := map[bool]exchange.OutgoingLetter{} // by Observer.IsSpoken
	for _, observer := range run.turn.Match.Observers {
		p, isWritten := public[observer.IsSpoken]
		if !isWritten {
			p = writePublicLetter(run.adjudicator, run.turn, compose.Options{HasRecord: run.answer.RecordFor(run.turn, rules.NoSeat) != nil},
				observer.IsSpoken)
			attachFile(&p, run.answer.RecordFor(run.turn, rules.NoSeat))
			public[observer.IsSpoken] = p
		}
		outgoing, err := newObserverLetter(run, &observer, p, run.turn.Match.ObserverPolicy.Delay)
		if err != nil {
			run.adjudicator.Log.ErrorContext(ctx, "cannot write to an observer", "match", run.turn.Match.ID, "observer", observer.Number, "error",
				err)
			continue
		}
		letters, notified = append(letters, outgoing), append(notified, observer)
	}
	run.turn.Match.RecordRestoresReported(rules.NoSeat)
	return letters, notified
}

// writePublicLetter returns a letter with the public view. The caller sets its address, token and number.
func writePublicLetter(a *Adjudicator, turn *match.Turn, options compose.Options, isSpoken bool) exchange.OutgoingLetter {
	content := compose.WriteLetter(turn, rules.NoSeat, options)
	content.MarkerLine, content.Contact = a.Codec.MarkerLine(), a.OperatorAddress
	if isSpoken {
		content = compose.ForScreenReader(turn, rules.NoSeat, content)
	}
	outgoing := exchange.OutgoingLetter{Addressee: exchange.Addressee{Match: turn.Match.ID},
		Heading: exchange.Heading{Subject: content.Subject}}
	outgoing.Body, outgoing.HTML = layOut(content, a.LetterOptions.HTML && !isSpoken)
	return outgoing
}

func newObserverLetter(run *letterRun, observer *match.Observer, outgoing exchange.OutgoingLetter,
	delay time.Duration) (exchange.OutgoingLetter, error) {
	observer.LastLetter++
	addressToObserver(run.adjudicator, &outgoing, run.turn.Match, *observer, observer.LastLetter)
	outgoing.Number, outgoing.Observer, outgoing.Delay, outgoing.Date = observer.LastLetter, observer.Number, delay, outgoing.Date.Add(delay)
	key := run.adjudicator.Replies.ObserverKey(observer.Address)
	outgoing.MessageID = run.adjudicator.Codec.LetterID(key, exchange.ObserverToken(run.turn.Match.ID, observer.Number, observer.LastLetter))
	if observer.LastLetter > 1 {
		outgoing.References = threadReferences(run.adjudicator.Codec.LetterID(key,
			exchange.ObserverToken(run.turn.Match.ID, observer.Number, observer.LastLetter-1)), outgoing.References[0])
	} else {
		outgoing.References = nil
	}
	var err error
	if outgoing.Raw, err = run.adjudicator.Codec.Render(outgoing); err != nil {
		return outgoing, fmt.Errorf("render letter %d to observer %d of %s: %w", observer.LastLetter, observer.Number, run.turn.Match.ID, err)
	}
	return outgoing, nil
}

func addressToObserver(a *Adjudicator, outgoing *exchange.OutgoingLetter, m *match.Match, observer match.Observer, number int64) {
	outgoing.Match, outgoing.Seat, outgoing.To, outgoing.Date = m.ID, rules.NoSeat, observer.Address, a.Now()
	outgoing.Token = a.Codec.Token(a.Replies.ObserverKey(observer.Address), exchange.ObserverToken(m.ID, observer.Number, number))
	outgoing.Unsubscribe = "UNOBSERVE"
	outgoing.References = []string{a.Codec.LetterID(a.Replies.ObserverKey(observer.Address),
		exchange.ObserverToken(m.ID, observer.Number, 1))}
}
