package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

// mostWitnessed is how often a player may sign off on a day (UTC): each time is an entry.
const mostWitnessed = 3

// Witness implements letter.Host. The others are told by the next letter that asks them
// something: it comes anyway.
func (s host) Witness(ctx context.Context, hash string) (letter.Outcome, error) {
	switch {
	case s.j.turn.pos == nil:
		return letter.Declined("The match has not begun, and there is nothing to sign off.")
	case s.j.turn.m.State == Over:
		return letter.Declined("The match is over, and nothing is entered any more. RECORD gets its record, which you can check with your letters.")
	case s.j.turn.m.Acts.Resigned.Has(s.j.play.seat):
		return letter.Declined(playsNoMore)
	}
	entries, err := s.j.play.played(ctx)
	if err != nil {
		return letter.Outcome{}, err
	}
	entries = slices.Concat(entries, s.j.turn.entries)
	if hash == "" {
		if hash, err = s.shown(ctx, entries); err != nil {
			return letter.Outcome{}, err
		}
	}
	seq := slices.IndexFunc(entries, func(e record.Entry) bool { return e.Hash == hash })
	switch {
	case hash == "":
		return letter.Declined("It cannot be told what you have seen, since your answer does not quote the foot of the letter. Write WITNESS, and behind it the hash that stands there.")
	case hash == s.j.turn.m.Secret.Commitment():
		return letter.Declined("That is the number from before the match began. Sign off a later letter.")
	case seq < 0:
		return s.foreign(entries, hash)
	}
	if why := s.mayNotWitness(entries, seq); why != "" {
		return letter.Declined(why)
	}
	e := record.Entry{Seat: record.SeatName(s.j.turn.m.Seats[s.j.play.seat].Name), Letter: s.j.digest(), Act: &record.Act{Kind: record.Witness, Entry: &seq, Hash: hash}}
	if err := s.j.play.act(ctx, e); err != nil {
		return letter.Outcome{}, err
	}
	return letter.Done(fmt.Sprintf("You have signed off the history up to entry %d. The record keeps it, and the others are told by their next letter that asks them something.", seq))
}

// shown is the hash in the letter that is answered: as the answer quotes it, or else as that
// letter was written here; empty where neither is known.
func (s host) shown(ctx context.Context, entries []record.Entry) (hash string, err error) {
	if s.j.letter.Shown != "" || s.j.letter.Token == nil {
		return s.j.letter.Shown, nil
	}
	sent, ok, err := s.j.play.a.Store.Sent(ctx, s.j.turn.m.ID, s.j.play.seat, s.j.letter.Token.Number)
	switch {
	case err != nil || !ok || sent.Entries > len(entries):
		return "", err
	case sent.Entries == 0:
		return s.j.turn.m.Secret.Commitment(), nil
	}
	return entries[sent.Entries-1].Hash, nil
}

// mayNotWitness says why the writer cannot sign off an entry; empty where he can.
func (s host) mayNotWitness(entries []record.Entry, seq int) string {
	name, day, today := record.SeatName(s.j.turn.m.Seats[s.j.play.seat].Name), s.j.play.a.Now().UTC().Format(time.DateOnly), 0
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
	if today >= mostWitnessed {
		return fmt.Sprintf("You have signed off the history %d times today, and may do so again tomorrow (UTC).", today)
	}
	return ""
}

// foreign answers who has seen a hash that is in no entry: nothing is entered, and the
// operator is told.
func (s host) foreign(entries []record.Entry, hash string) (letter.Outcome, error) {
	said := "No entry of this history has the hash " + hash + ". Nothing was entered. If that is what your letter shows, you were told another history than the one that is " +
		"kept here. Ask the other players for the hashes at the feet of their letters, and compare."
	for _, e := range slices.Backward(entries) {
		if e.Act != nil && e.Act.Kind == record.Restore {
			said += fmt.Sprintf(" A backup was put back on %s: what letters told between %s and then is lost, and their hashes with it.", s.j.turn.clockTime(s.j.play.seat, e.At), s.j.turn.clockTime(s.j.play.seat, e.Act.Until))
			break
		}
	}
	s.j.play.a.Log.Warn("a player has seen a hash that is not in the history", "match", s.j.turn.m.ID, "seat", int(s.j.play.seat), "hash", hash)
	switch {
	case s.j.play.a.Contact == "" && !s.j.play.a.FilesQuestions, !s.mayAsk():
		return letter.Declined(said)
	case s.j.play.a.Contact == "":
		s.j.reply.filed = true
		return letter.Declined(said + " Your letter is put where the operator finds it.")
	}
	d, err := s.warning(hash)
	if err != nil {
		s.j.play.a.Log.Error("the operator cannot be told", "match", s.j.turn.m.ID, "error", err)
		return letter.Declined(said)
	}
	s.j.reply.questions = append(s.j.reply.questions, d)
	return letter.Declined(said + " The operator is told.")
}

// warning is the letter to the operator. It has nothing in it that is hidden: he may play.
func (s host) warning(hash string) (d Dispatch, err error) {
	d = Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: s.j.play.a.Contact},
		Heading:   Heading{Subject: subject(s.j.turn.m, "A hash that is not in the history", capital(s.j.turn.m.Game)), MessageID: s.j.play.a.Replies.ID("witness", s.j.turn.m.ID, fmt.Sprint(s.j.play.seat, len(s.j.reply.questions)), s.j.letter.Digest)},
		Sending:   Sending{Date: s.j.play.a.Now()},
		Content: Content{Body: templates.Wrap(fmt.Sprintf("On %s the player of the seat %s of match %s wanted to sign off the history by this hash, and no entry has it:",
			zone.Write(s.j.play.a.Now(), zone.UTC), s.j.turn.m.Seats[s.j.play.seat].Name, s.j.turn.m.ID)) + "\n\n    " + hash + "\n\n" +
			templates.Wrap("Nothing was entered, and the player was told so. Either it is not what a letter of the match shows, or that letter told another history: one that was lost "+
				"when a backup was put back, or that of another daemon with a copy of the database.") + "\n"},
	}
	if d.Raw, err = s.j.play.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("warn the operator: %w", err)
	}
	return d, nil
}

// witnessed tells a reader that a seat has signed off the history. Who observes is not told
// of entries that he may not know.
func witnessed(a *record.Act, seat string, reader rules.Seat) string {
	if reader == rules.Nobody {
		return seat + " has signed off what a letter showed."
	}
	return fmt.Sprintf("%s has signed off the history up to entry %d, whose hash is %s.", seat, *a.Entry, a.Hash)
}
