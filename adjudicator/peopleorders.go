package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

func renameWriter(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if run.turn.Match.TalkOff && run.turn.Match.State != match.Inviting {
		return refuseAndContinue("This match is played without talk, so names cannot be changed until it is over.")
	}
	name, err := invitation.CheckName(run.turn.Match, run.execution.Seat, command.PersonName)
	if err != nil {
		return refuseAndContinue(match.Capitalize(err.Error()) + ".")
	}
	run.writerSeat().PlayerName = name
	return succeed("Your name is " + name + " from now on. " + match.Capitalize(match.NameOthers(run.turn, rules.Only(run.execution.Seat))) +
		" will see it in the next letter.")
}

func sendMessage(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if run.turn.Match.TalkOff {
		return refuseAndContinue(talkOffNote)
	}
	if !countMessage(run, len(command.Recipients)) {
		return refuseAndContinue(fmt.Sprintf("You have sent %d messages today, which is the limit. This one was not sent.",
			run.writerSeat().MessagesSent.Count))
	}
	lines := compose.FormatQuote(command.Text)
	var names []string
	for _, to := range command.Recipients {
		title := "Message from " + run.turn.FullName(run.execution.Seat)
		if n := len(run.answer.Messages[to]); n > 0 {
			title = fmt.Sprintf("%s (%d)", title, n+1)
		}
		run.answer.Messages[to] = append(run.answer.Messages[to], rules.Section{Title: title, Lines: lines})
		names = append(names, run.turn.FullName(to))
	}
	return succeed(fmt.Sprintf("Your message (%s) was sent to %s.", compose.FormatLineCount(1+strings.Count(command.Text, "\n")),
		match.JoinAnd(names)))
}

// countMessage counts a message once for each recipient, and reports whether the daily limit allows it. Each group of
// sealed decisions starts a new count, because players then have something new to discuss.
func countMessage(run *letterRun, recipients int) bool {
	period := run.adjudicator.Now().UTC().Format(time.DateOnly)
	if group := match.OpenGroup(run.turn.After); group != 0 {
		period = fmt.Sprintf("%s in %d", period, group)
	}
	return run.writerSeat().MessagesSent.Add(period, recipients, maxMessages*(len(run.turn.Match.Seats)-1))
}

func countOperatorQuestion(run *letterRun) bool {
	return run.writerSeat().Private.OperatorQuestions.Add(run.adjudicator.Now().UTC().Format(time.DateOnly), 1, maxOperatorQuestions)
}

// askOperator sends a question to the operator, with the address of the player as Reply-To. The letter tells nothing
// about the position, because the operator may be a player. If no contact address is configured, the player's letter is
// filed in the mailbox instead.
func askOperator(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if run.adjudicator.OperatorAddress == "" && !run.adjudicator.FilesQuestions {
		return refuseAndContinue("This referee has no address for questions. Ask the person who invited you.")
	}
	if !countOperatorQuestion(run) {
		return refuseAndContinue(fmt.Sprintf("You have asked %d questions today, which is the limit. This one was not passed "+
			"on.", maxOperatorQuestions))
	}
	text, outcome := strings.Join(compose.FormatQuote(command.Text), "\n"), "Your question was passed on to the operator"
	if run.adjudicator.OperatorAddress == "" {
		run.effects.isFiled, outcome = true, "Your letter was put where the operator will find it"
	} else {
		writer, answeredText := run.turn.FullName(run.execution.Seat), "The question came in a letter that is no reply to ours."
		if token := run.letter.Token; token != nil {
			answeredText = fmt.Sprintf("The question came in a reply to letter %d.", token.Number)
		}
		origin := fmt.Sprintf("Match %s of %s, seat %s. %s Message-ID: %s.", run.turn.Match.ID, run.turn.Game.Title(),
			run.writerSeat().Name, answeredText, run.letter.MessageID)
		outgoing := exchange.OutgoingLetter{Heading: exchange.Heading{ReplyTo: run.writerSeat().Player.Address, InReplyTo: run.letter.MessageID}}
		outgoing.Body = templates.Wrap(match.Capitalize(writer)+" asks:") + "\n\n" + text + "\n\n" + templates.Wrap(origin) + "\n\n" +
			templates.Wrap("Your reply goes to the player, not to the referee. It shows your address.") + "\n"
		if !queueOperatorLetter(run, outgoing, "A question from "+writer, "question",
			fmt.Sprint(run.execution.Seat, len(run.effects.operatorLetters)), run.letter.Digest) {
			return refuseAndContinue("Your question could not be passed on. Please write to " + run.adjudicator.OperatorAddress + ".")
		}
	}
	return succeed(outcome + ", a person, who will answer as soon as possible:\n" + text)
}

// queueOperatorLetter queues a letter to the operator, with a Message-ID derived from kind and id. ok is false if the
// letter cannot be written.
func queueOperatorLetter(run *letterRun, outgoing exchange.OutgoingLetter, title string, kind string, id ...string) (ok bool) {
	outgoing.Seat, outgoing.To, outgoing.Date = rules.NoSeat, run.adjudicator.OperatorAddress, run.adjudicator.Now()
	outgoing.Subject, outgoing.MessageID = compose.Subject(run.turn.Match, title, compose.GameTopic(run.turn.Game)),
		run.adjudicator.Replies.ID(kind, append([]string{run.turn.Match.ID}, id...)...)
	var err error
	if outgoing.Raw, err = run.adjudicator.Codec.Render(outgoing); err != nil {
		run.adjudicator.Log.Error("cannot write to the operator", "match", run.turn.Match.ID, "title", title, "error", err)
		return false
	}
	run.effects.operatorLetters = append(run.effects.operatorLetters, outgoing)
	return true
}

// confirmHistory handles WITNESS: it records that the writer confirms the history up to an entry hash, by default the hash in the answered
// letter. The other players are told in their next letter with a question.
func confirmHistory(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	hash := command.Text
	switch {
	case hash != "" && len(hash) != hashLength:
		return refuseAndContinue("Write WITNESS alone, or WITNESS and the whole check number at the end of a letter, which " +
			"has 64 characters.")
	case run.turn.After == nil:
		return refuseAndContinue("The match has not begun, so there is nothing to confirm.")
	case run.turn.Match.State == match.Over:
		return refuseAndContinue("The match is over, and nothing more can be recorded. RECORD sends you its record, which " +
			"you can check with your letters.")
	case run.turn.Match.Resigned.Has(run.execution.Seat):
		return refuseAndContinue(resignedNote)
	}
	entries, err := run.execution.LoadHistory(ctx)
	if err != nil {
		return CommandResult{}, err
	}
	entries = append(entries, run.turn.Entries...)
	if hash == "" {
		hash = findQuotedHash(run, entries)
	}
	seq := slices.IndexFunc(entries, func(entry record.Entry) bool { return entry.Hash == hash })
	switch {
	case hash == "":
		return refuseAndContinue("Your answer does not quote the end of the letter, so we cannot tell which history you saw. " +
			"Write WITNESS and then the check number that is there.")
	case hash == run.turn.Match.Secret.Commitment():
		return refuseAndContinue("That is the number from before the match began. Confirm a later letter.")
	case seq < 0:
		return reportUnknownHash(run, entries, hash)
	}
	if reason := explainConfirmationRefusal(run, entries, seq); reason != "" {
		return refuseAndContinue(reason)
	}
	return enterAct(ctx, run, record.Act{Kind: record.Witness, Entry: &seq, Hash: hash},
		fmt.Sprintf("You have confirmed the history up to entry %d. This stays in the record, and %s will read it in the next letter "+
			"with a question.", seq, match.NameOthers(run.turn, rules.Only(run.execution.Seat))))
}

// findQuotedHash returns the entry hash that the answered letter shows. It reads the hash from the quotation in the
// answer, or from the history. It returns "" if the hash is unknown.
func findQuotedHash(run *letterRun, entries []record.Entry) string {
	switch n := run.answeredLetter.EntryCount; {
	case run.letter.QuotedHash != "":
		return run.letter.QuotedHash
	case !run.isAnsweredLetterKnown || n > len(entries):
		return ""
	case n == 0:
		return run.turn.Match.Secret.Commitment()
	default:
		return entries[n-1].Hash
	}
}

// explainConfirmationRefusal returns the reason why the writer cannot confirm the history up to entry seq, or "".
func explainConfirmationRefusal(run *letterRun, entries []record.Entry, seq int) string {
	name, day, today := record.SeatName(run.writerSeat().Name), run.adjudicator.Now().UTC().Format(time.DateOnly), 0
	for _, entry := range entries {
		if entry.Act == nil || entry.Act.Kind != record.Witness || entry.Seat != name {
			continue
		}
		if *entry.Act.Entry >= seq {
			return fmt.Sprintf("You have already confirmed the history up to entry %d.", *entry.Act.Entry)
		}
		if entry.At.Format(time.DateOnly) == day {
			today++
		}
	}
	if today >= maxHistoryConfirmations {
		return fmt.Sprintf("You have confirmed the history %d times today, and may do so again tomorrow (UTC).", today)
	}
	return ""
}

func reportUnknownHash(run *letterRun, entries []record.Entry, hash string) (CommandResult, error) {
	text := "No entry of this history has the check number " + hash + ". Nothing was entered. If your letter shows this " +
		"number, you were told a different history from the one kept here. Ask " + match.NameOthers(run.turn, rules.Only(run.execution.Seat)) +
		" for the check numbers at the end of the letters to them, and compare them with yours."
	for _, entry := range slices.Backward(entries) {
		if entry.Act != nil && entry.Act.Kind == record.Restore {
			restored := compose.FormatReaderTime(run.turn, run.execution.Seat, entry.At)
			text += fmt.Sprintf(" A backup was restored on %s. What our letters reported from %s to %s was lost, with its check "+
				"numbers.", restored, compose.FormatReaderTime(run.turn, run.execution.Seat, entry.Act.Until), restored)
			break
		}
	}
	run.adjudicator.Log.Warn("a player has seen a hash that is not in the history", "match", run.turn.Match.ID, "seat",
		int(run.execution.Seat), "hash", hash)
	switch {
	case run.adjudicator.OperatorAddress == "" && !run.adjudicator.FilesQuestions, !countOperatorQuestion(run):
		return refuseAndContinue(text)
	case run.adjudicator.OperatorAddress == "":
		run.effects.isFiled = true
		return refuseAndContinue(text + " Your letter was put where the operator will find it.")
	}
	// The letter contains no hidden information, because the operator may be a player.
	var outgoing exchange.OutgoingLetter
	outgoing.Body = templates.Wrap(fmt.Sprintf("On %s the player of the seat %s of match %s wanted to confirm the history with this hash, "+
		"which belongs to no entry:",
		zone.FormatTime(run.adjudicator.Now(), zone.UTC), run.writerSeat().Name, run.turn.Match.ID)) + "\n\n    " + hash + "\n\n" +
		templates.Wrap("Nothing was entered, and the player was told so. Either no letter of the match shows this hash, "+
			"or the letter described another history: one lost when a backup was restored, or one kept by a second daemon with a "+
			"copy of the database.") + "\n"
	if queueOperatorLetter(run, outgoing, "A hash that is not in the history", "witness",
		fmt.Sprint(run.execution.Seat, len(run.effects.operatorLetters)), run.letter.Digest) {
		text += " The operator has been told."
	}
	return refuseAndContinue(text)
}

// hashLength is the length of an entry hash in hexadecimal digits (SHA-256).
const hashLength = 64

// Rename changes the name of a player in a match. It sends no letter, and returns the name in its stored form.
func (a *Adjudicator) Rename(ctx context.Context, matchID string, seat rules.Seat, name string) (checkedName string, err error) {
	err = withSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		if checkedName, err = invitation.CheckName(m, seat, name); err != nil {
			return fmt.Errorf("player name %q: %w", name, err)
		}
		seatState.PlayerName = checkedName
		return a.Store.Apply(ctx, exchange.Change{Match: m})
	})
	return checkedName, err
}

// maxMessages limits the messages of a seat in a day: maxMessages times the number of other seats. A message counts
// once for each recipient.
const maxMessages = 5

const maxOperatorQuestions = 5

const talkOffNote = "This match is played without talk, so your message was not sent."

// maxHistoryConfirmations is the maximum number of confirmations of the history by a player in a day (UTC). Each
// confirmation adds an entry.
const maxHistoryConfirmations = 3
