package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

// mostWitnessed is how often a player may sign off on a day (UTC): each time is an entry.
const mostWitnessed = 3

// Witness implements command.Host. The others are told by the next letter that asks them
// something: it comes anyway.
func (s host) Witness(ctx context.Context, hash string) (command.Outcome, error) {
	switch {
	case s.pos == nil:
		return command.Declined("The match has not begun, and there is nothing to sign off.")
	case s.m.State == Over:
		return command.Declined("The match is over, and nothing is entered any more. RECORD gets its record, which you can check with your letters.")
	case s.m.Acts.Resigned.Has(s.seat):
		return command.Declined(playsNoMore)
	}
	entries, err := s.played(ctx)
	if err != nil {
		return command.Outcome{}, err
	}
	entries = slices.Concat(entries, s.entries)
	if hash == "" {
		if hash, err = s.shown(ctx, entries); err != nil {
			return command.Outcome{}, err
		}
	}
	seq := slices.IndexFunc(entries, func(e record.Entry) bool { return e.Hash == hash })
	switch {
	case hash == "":
		return command.Declined("It cannot be told what you have seen, since your answer does not quote the foot of the letter. Write WITNESS, and behind it the hash that stands there.")
	case hash == s.m.Secret.Commitment():
		return command.Declined("That is the number from before the match began. Sign off a later letter.")
	case seq < 0:
		return s.foreign(entries, hash)
	}
	if why := s.mayNotWitness(entries, seq); why != "" {
		return command.Declined(why)
	}
	e := record.Entry{Seat: record.SeatName(s.m.Seats[s.seat].Name), Letter: s.digest(), Act: &record.Act{Kind: record.Witness, Entry: &seq, Hash: hash}}
	if err := s.act(ctx, e); err != nil {
		return command.Outcome{}, err
	}
	return command.Done(fmt.Sprintf("You have signed off the history up to entry %d. The record keeps it, and the others are told by their next letter that asks them something.", seq))
}

// shown is the hash in the letter that is answered: as the answer quotes it, or else as that
// letter was written here; empty where neither is known.
func (s host) shown(ctx context.Context, entries []record.Entry) (hash string, err error) {
	if s.letter.Shown != "" || s.letter.Token == nil {
		return s.letter.Shown, nil
	}
	sent, ok, err := s.a.Store.Sent(ctx, s.m.ID, s.seat, s.letter.Token.Number)
	switch {
	case err != nil || !ok || sent.Entries > len(entries):
		return "", err
	case sent.Entries == 0:
		return s.m.Secret.Commitment(), nil
	}
	return entries[sent.Entries-1].Hash, nil
}

// mayNotWitness says why the writer cannot sign off an entry; empty where he can.
func (s host) mayNotWitness(entries []record.Entry, seq int) string {
	name, day, today := record.SeatName(s.m.Seats[s.seat].Name), s.a.Now().UTC().Format(time.DateOnly), 0
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
func (s host) foreign(entries []record.Entry, hash string) (command.Outcome, error) {
	said := "No entry of this history has the hash " + hash + ". Nothing was entered. If that is what your letter shows, you were told another history than the one that is " +
		"kept here. Ask the other players for the hashes at the feet of their letters, and compare."
	for _, e := range slices.Backward(entries) {
		if e.Act != nil && e.Act.Kind == record.Restore {
			said += fmt.Sprintf(" A backup was put back on %s: what letters told between %s and then is lost, and their hashes with it.", s.clockTime(s.seat, e.At), s.clockTime(s.seat, e.Act.Until))
			break
		}
	}
	s.a.Log.Warn("a player has seen a hash that is not in the history", "match", s.m.ID, "seat", int(s.seat), "hash", hash)
	switch {
	case s.a.Contact == "" && !s.a.FilesQuestions, !s.mayAsk():
		return command.Declined(said)
	case s.a.Contact == "":
		s.filed = true
		return command.Declined(said + " Your letter is put where the operator finds it.")
	}
	d, err := s.warning(hash)
	if err != nil {
		s.a.Log.Error("the operator cannot be told", "match", s.m.ID, "error", err)
		return command.Declined(said)
	}
	s.questions = append(s.questions, d)
	return command.Declined(said + " The operator is told.")
}

// warning is the letter to the operator. It has nothing in it that is hidden: he may play.
func (s host) warning(hash string) (d Dispatch, err error) {
	d = Dispatch{
		Addressee: Addressee{Seat: rules.Nobody, To: s.a.Contact},
		Heading:   Heading{Subject: subject(s.m, "A hash that is not in the history", capital(s.m.Game)), MessageID: s.a.shortID("witness", s.m.ID, fmt.Sprint(s.seat, len(s.questions)), s.letter.Digest)},
		Sending:   Sending{Date: s.a.Now()},
		Content: Content{Body: templates.Wrap(fmt.Sprintf("On %s the player of the seat %s of match %s wanted to sign off the history by this hash, and no entry has it:",
			zone.Write(s.a.Now(), zone.UTC), s.m.Seats[s.seat].Name, s.m.ID)) + "\n\n    " + hash + "\n\n" +
			templates.Wrap("Nothing was entered, and the player was told so. Either it is not what a letter of the match shows, or that letter told another history: one that was lost "+
				"when a backup was put back, or that of another daemon with a copy of the database.") + "\n"},
	}
	if d.Raw, err = s.a.Post.Render(d); err != nil {
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
