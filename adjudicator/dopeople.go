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

func renameWriter(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if j.turn.Match.Acts.TalkOff && j.turn.Match.State != match.Inviting {
		return declined("This match is played without talk, so nobody changes his name until it is over.")
	}
	called, err := invitation.NameFor(j.turn.Match, j.play.Seat, c.As)
	if err != nil {
		return declined(match.Capital(err.Error()) + ".")
	}
	j.writer().PlayerName = called
	return did("You are called " + called + " from now on. The others read it in their next letters.")
}

func sendMessage(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if j.turn.Match.Acts.TalkOff {
		return declined(talkOff)
	}
	if !mayTell(j, len(c.To)) {
		return declined(fmt.Sprintf("You have sent %d messages today, and more are not carried. It was sent to nobody.",
			j.writer().MessagesSent.Count))
	}
	lines := compose.Barred(c.Text)
	var names []string
	for _, to := range c.To {
		title := match.Capital(j.turn.FullName(j.play.Seat)) + " writes"
		if n := len(j.answer.Mail[to]); n > 0 {
			title = fmt.Sprintf("%s (%d)", title, n+1)
		}
		j.answer.Mail[to] = append(j.answer.Mail[to], rules.Section{Title: title, Lines: lines})
		names = append(names, j.turn.FullName(to))
	}
	return did(fmt.Sprintf("Sent to %s: %s.", match.List(names), compose.LineCount(1+strings.Count(c.Text, "\n"))))
}

// mayTell counts a message to a number of seats, if the limits of the day and of the open group of sealed
// decisions allow it. A new group raises the limit: players have something new to discuss.
func mayTell(j *letterRun, others int) bool {
	during := j.a.Now().UTC().Format(time.DateOnly)
	if group := j.turn.OpenGroup(); group != 0 {
		during = fmt.Sprintf("%s in %d", during, group)
	}
	return j.writer().MessagesSent.Add(during, others, maxMessages*(len(j.turn.Match.Seats)-1))
}

func mayAsk(j *letterRun) bool {
	return j.writer().Timing.QuestionsAsked.Add(j.a.Now().UTC().Format(time.DateOnly), 1, maxQuestions)
}

// askOperator sends a question to the operator, as a letter that a mail program answers to the player. It contains
// only the player's text: the operator may play too. Without an address of the operator, the player's letter is
// filed in the mailbox.
func askOperator(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if j.a.Contact == "" && !j.a.FilesQuestions {
		return declined("Nobody is named here whom the question could go to. Ask whoever invited you.")
	}
	if !mayAsk(j) {
		return declined(fmt.Sprintf("You have asked %d questions today, and more are not carried. It was passed on to nobody.", maxQuestions))
	}
	text, how := strings.Join(compose.Barred(c.Text), "\n"), "It was passed on to the operator"
	if j.a.Contact == "" {
		j.reply.filed, how = true, "Your letter is put where the operator finds it"
	} else {
		caller, answered := j.turn.FullName(j.play.Seat), "It answers none of our letters."
		if t := j.letter.Token; t != nil {
			answered = fmt.Sprintf("It stands in an answer to letter %d to that seat.", t.Number)
		}
		about := fmt.Sprintf("Match %s of %s, seat %s. %s Message-ID: %s.", j.turn.Match.ID, j.turn.Game.Title(), j.writer().Name, answered,
			j.letter.MessageID)
		d := exchange.Dispatch{Heading: exchange.Heading{ReplyTo: j.writer().Player.Address, InReplyTo: j.letter.MessageID}}
		d.Body = templates.Wrap(match.Capital(caller)+" asks:") + "\n\n" + text + "\n\n" + templates.Wrap(about) + "\n\n" +
			templates.Wrap("Your reply goes to the player, not to the referee. It shows your address.") + "\n"
		if !toOperator(j, d, "A question of "+caller, "question", fmt.Sprint(j.play.Seat, len(j.reply.questions)), j.letter.Digest) {
			return declined("It could not be passed on. Please write to " + j.a.Contact + ".")
		}
	}
	return did(how + ", who is a person and answers when there is time:\n" + text)
}

// toOperator sends the operator a letter about the match. The Message-ID is derived from kind and id.
func toOperator(j *letterRun, d exchange.Dispatch, title string, kind string, id ...string) (ok bool) {
	d.Seat, d.To, d.Date = rules.NoSeat, j.a.Contact, j.a.Now()
	d.Subject, d.MessageID = compose.Subject(j.turn.Match, title, match.Capital(j.turn.Match.Game)), j.a.Replies.ID(kind,
		append([]string{j.turn.Match.ID}, id...)...)
	var err error
	if d.Raw, err = j.a.Post.Render(d); err != nil {
		j.a.Log.Error("the operator cannot be told", "match", j.turn.Match.ID, "of", title, "error", err)
		return false
	}
	j.reply.questions = append(j.reply.questions, d)
	return true
}

// signHistory witnesses the history by a hash, or by the hash of the answered letter. Other players learn it from
// their next letter that asks a question.
func signHistory(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	hash := c.Text
	switch {
	case hash != "" && len(hash) != hashLength:
		return declined("WITNESS stands alone, or before the whole hash at the foot of a letter, which has 64 characters.")
	case j.turn.After == nil:
		return declined("The match has not begun, and there is nothing to sign off.")
	case j.turn.Match.State == match.Over:
		return declined("The match is over, and nothing is entered any more. RECORD gets its record, which you can check with your letters.")
	case j.turn.Match.Acts.Resigned.Has(j.play.Seat):
		return declined(playsNoMore)
	}
	entries, err := j.play.LoadHistory(ctx)
	if err != nil {
		return Outcome{}, err
	}
	entries = slices.Concat(entries, j.turn.Entries)
	if hash == "" {
		if hash, err = shownHash(ctx, j, entries); err != nil {
			return Outcome{}, err
		}
	}
	seq := slices.IndexFunc(entries, func(e record.Entry) bool { return e.Hash == hash })
	switch {
	case hash == "":
		return declined("It cannot be told what you have seen, since your answer does not quote the foot of the letter. " +
			"Write WITNESS, and behind it the hash that stands there.")
	case hash == j.turn.Match.Secret.Commitment():
		return declined("That is the number from before the match began. Sign off a later letter.")
	case seq < 0:
		return reportForeignHash(j, entries, hash)
	}
	if why := whyNotWitness(j, entries, seq); why != "" {
		return declined(why)
	}
	return enterAct(ctx, j, record.Act{Kind: record.Witness, Entry: &seq, Hash: hash},
		fmt.Sprintf("You have signed off the history up to entry %d. The record keeps it, and the others are told by their next letter "+
			"that asks them something.", seq))
}

// shownHash returns the hash in the answered letter, as the answer quotes it or as the letter was written; empty
// if unknown.
func shownHash(ctx context.Context, j *letterRun, entries []record.Entry) (hash string, err error) {
	if j.letter.Shown != "" || j.letter.Token == nil {
		return j.letter.Shown, nil
	}
	sent, ok, err := j.a.Store.Sent(ctx, j.turn.Match.ID, j.play.Seat, j.letter.Token.Number)
	switch {
	case err != nil || !ok || sent.Entries > len(entries):
		return "", err
	case sent.Entries == 0:
		return j.turn.Match.Secret.Commitment(), nil
	}
	return entries[sent.Entries-1].Hash, nil
}

// whyNotWitness returns the reason why the writer cannot witness an entry; empty if allowed.
func whyNotWitness(j *letterRun, entries []record.Entry, seq int) string {
	name, day, today := record.SeatName(j.writer().Name), j.a.Now().UTC().Format(time.DateOnly), 0
	for _, e := range entries {
		if e.Act == nil || e.Act.Kind != record.Witness || e.Seat != name {
			continue
		}
		if *e.Act.Entry >= seq {
			return fmt.Sprintf("You have signed off the history up to entry %d already.", *e.Act.Entry)
		}
		if e.At.Format(time.DateOnly) == day {
			today++
		}
	}
	if today >= maxWitnesses {
		return fmt.Sprintf("You have signed off the history %d times today, and may do so again tomorrow (UTC).", today)
	}
	return ""
}

// reportForeignHash answers a player who has seen a hash that belongs to no entry. No entry is written, and the
// operator is told.
func reportForeignHash(j *letterRun, entries []record.Entry, hash string) (Outcome, error) {
	said := "No entry of this history has the hash " + hash + ". Nothing was entered. If that is what your letter shows, you were told " +
		"another history than the one that is kept here. Ask the other players for the hashes at the feet of their letters, and compare."
	for _, e := range slices.Backward(entries) {
		if e.Act != nil && e.Act.Kind == record.Restore {
			said += fmt.Sprintf(" A backup was put back on %s: what letters told between %s and then is lost, and "+
				"their hashes with it.", compose.ClockTimeFor(j.turn, j.play.Seat, e.At),
				compose.ClockTimeFor(j.turn, j.play.Seat, e.Act.Until))
			break
		}
	}
	j.a.Log.Warn("a player has seen a hash that is not in the history", "match", j.turn.Match.ID, "seat", int(j.play.Seat), "hash", hash)
	switch {
	case j.a.Contact == "" && !j.a.FilesQuestions, !mayAsk(j):
		return declined(said)
	case j.a.Contact == "":
		j.reply.filed = true
		return declined(said + " Your letter is put where the operator finds it.")
	}
	// The letter contains no hidden information, because the operator may be a player.
	var d exchange.Dispatch
	d.Body = templates.Wrap(fmt.Sprintf("On %s the player of the seat %s of match %s wanted to sign off the history by this hash, "+
		"and no entry has it:",
		zone.FormatTime(j.a.Now(), zone.UTC), j.writer().Name, j.turn.Match.ID)) + "\n\n    " + hash + "\n\n" +
		templates.Wrap("Nothing was entered, and the player was told so. Either it is not what a letter of the match shows, or that "+
			"letter "+
			"told another history: one that was lost "+
			"when a backup was put back, or that of another daemon with a copy of the database.") + "\n"
	if toOperator(j, d, "A hash that is not in the history", "witness", fmt.Sprint(j.play.Seat, len(j.reply.questions)), j.letter.Digest) {
		said += " The operator is told."
	}
	return declined(said)
}

// hashLength is the length of an entry's hash in hexadecimal digits.
const hashLength = 64

// Rename changes the name of a player in a match. No letter is sent for it.
func (a *Adjudicator) Rename(ctx context.Context, matchID string, seat rules.Seat, name string) (called string, err error) {
	err = atSeat(ctx, a, matchID, seat, func(m *match.Match, who *match.Seat) error {
		if called, err = invitation.NameFor(m, seat, name); err != nil {
			return fmt.Errorf("call a player %q: %w", name, err)
		}
		who.PlayerName = called
		return a.Store.Apply(ctx, exchange.Change{Match: m})
	})
	return called, err
}

// maxMessages is the number of messages that a seat may send to each other seat in a day. A message to all counts
// once for each.
const maxMessages = 5

// maxQuestions is the number of questions to the operator that a seat may ask in a day.
const maxQuestions = 5

const talkOff = "This match is played without talk: no message is carried. It was sent to nobody."

// maxWitnesses is the number of times that a player may witness the history in a day (UTC). Each is an entry.
const maxWitnesses = 3
