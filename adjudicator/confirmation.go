package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// A letter that asks its reader nothing is a confirmation: what was done with his orders,
// what happened, and for whom the match waits. Whatever it tells of the match, the next
// letter that asks him tells as well, so that nothing is lost with it: each of those tells
// all that has happened since the one before.

// mostConfirmation is how many bytes a confirmation has at most beside what the servers on
// its way add, and what other players have written.
const mostConfirmation = 4800

// mostSlip is how many bytes the text has at most that answers a letter of which nothing was carried out.
const mostSlip = 2 << 10

// extentFor is how much the letter to a seat shows.
func extentFor(j *adjudication, seat rules.Seat) compose.Extent {
	open := false
	if j.turn.After != nil && seat != rules.NoSeat {
		open, _ = j.turn.Asks(seat)
	}
	switch {
	case j.reply.reminded.Has(seat):
		return compose.Reminder
	case j.reply.whole.Has(seat):
		return compose.Whole
	case isSlip(j, seat):
		return compose.Slip
	case seat == j.play.Seat && (j.reply.brief || !open && (j.reply.help || len(j.reply.asked) > 0)):
		return compose.Answers
	case j.turn.After == nil && seat != rules.NoSeat && j.turn.Match.Seats[seat].Joined:
		return compose.Confirmation
	case j.turn.After == nil, seat == rules.NoSeat, j.a.AtTable, open, j.turn.Match.State == match.Over && (j.turn.Changed() || j.turn.Published):
		return compose.Whole
	}
	return compose.Confirmation
}

// isSlip reports whether a seat is answered a letter of which nothing was carried out, and which answers
// what is asked still: what its player needs to try again is short.
func isSlip(j *adjudication, seat rules.Seat) bool {
	if seat != j.play.Seat || j.turn.After == nil || j.turn.Match.State != match.Playing || j.a.AtTable || j.trial.Overtaken || len(j.turn.Entries) > 0 || len(j.turn.Lines[seat]) == 0 || len(j.reply.asked) > 0 || j.reply.help {
		return false
	}
	return !slices.ContainsFunc(j.turn.Lines[seat], func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeDone || l.Outcome == match.OutcomeKept || l.Outcome == match.OutcomePreview || l.Outcome == match.OutcomeLapsed
	})
}

// isIllustrated reports whether the letter to a seat may have a picture: where something is
// asked of its reader that his own order alone has not led to, where he wants to see the map,
// and when the match ends. Who goes on with his move has the picture of its beginning.
func isIllustrated(j *adjudication, seat, answered rules.Seat) bool {
	name := record.SeatName(j.turn.Match.Seats[seat].Name)
	switch {
	case wantsPicture(j, seat):
		return true
	case extentFor(j, seat) != compose.Whole:
		return false
	}
	return seat != answered || slices.ContainsFunc(j.turn.Entries, func(e record.Entry) bool { return e.Seat != name })
}

// wantsPicture reports whether the letter to a seat has a picture even where the map is as the
// last one shows it.
func wantsPicture(j *adjudication, seat rules.Seat) bool {
	return j.reply.whole.Has(seat) || j.turn.Match.State == match.Over && j.turn.Changed() || seat == j.play.Seat && slices.ContainsFunc(j.reply.asked, asked.ofMap) ||
		j.reply.restyled && extentFor(j, seat) == compose.Whole
}

// isSpared reports whether a seat wants no letter about what there is to tell. Only a
// confirmation is spared that tells nothing but what the next letter tells again.
func isSpared(j *adjudication, seat rules.Seat) bool {
	if !isRepeated(j, seat) {
		return false
	}
	switch j.turn.Match.Seats[seat].Confirm {
	case match.ConfirmNone:
		return true
	case match.ConfirmAll:
		return false
	}
	return j.a.Letters.Confirmations > 0 && !tellsNews(j, seat)
}

// tellsNews reports whether a confirmation tells its reader what he could not know. Who has
// sent an order knows what it says, but not what chance has made of it, nor how other words
// than the referee's own were understood. In a play that goes on between others and him, such
// as a struggle, he is told by the question that follows, and of what he is dealt when he is
// to play. Who waits has to know when the turn goes to somebody else; of one who goes on with
// his turn he is told all when it is over. What was sealed or kept until then is news to everybody.
func tellsNews(j *adjudication, seat rules.Seat) bool {
	name := func(s rules.Seat) record.SeatName {
		if s == rules.NoSeat {
			return ""
		}
		return record.SeatName(j.turn.Match.Seats[s].Name)
	}
	switch ordered := name(j.play.Seat); {
	case slices.ContainsFunc(j.turn.Entries, func(e record.Entry) bool { return e.Seat != ordered }):
		return true
	case seat != j.play.Seat:
		return len(j.turn.Lines[seat]) > 0 || j.turn.NamesOf(j.turn.Before.OpenDecisions(nil)) != j.turn.NamesOf(j.turn.After.OpenDecisions(nil))
	}
	return slices.ContainsFunc(j.turn.Lines[seat], reworded) || !playGoesOn(j) && slices.ContainsFunc(j.turn.Entries, func(e record.Entry) bool {
		return slices.ContainsFunc(e.Chance, func(o record.Outcome) bool { return !o.Hidden })
	})
}

// playGoesOn reports whether the play of which a question was answered asks on.
func playGoesOn(j *adjudication) bool {
	inPlay := func(pos rules.Position) bool {
		owed := pos.OpenDecisions(nil)
		return len(owed) > 0 && !slices.ContainsFunc(owed, func(d rules.Decision) bool { return d.Source == "" })
	}
	return inPlay(j.turn.Before) && inPlay(j.turn.After)
}

// isRepeated reports whether the next letter that asks a seat tells all that the letter to it
// tells now.
func isRepeated(j *adjudication, seat rules.Seat) bool {
	who := &j.turn.Match.Seats[seat]
	switch {
	case extentFor(j, seat) != compose.Confirmation, j.turn.Before == nil, j.turn.Match.State == match.Over, !j.turn.Changed(), who.Told == 0:
		return false
	case len(j.reply.mail[seat]) > 0, len(j.reply.notices[seat]) > 0, len(j.turn.Remarks) > 0, len(compose.Acts(j.turn, seat)) > 0, len(compose.Restores(j.turn, seat)) > 0, asksOthers(j), who.Seen:
		return false
	case seat == j.play.Seat && (j.reply.help || len(j.reply.asked) > 0 || len(j.letter.Problems) > 0 || j.letter.Shared || len(j.reply.unlisted) > 0):
		return false
	}
	return !slices.ContainsFunc(j.turn.Lines[seat], func(l match.LineReport) bool { return !l.Played })
}

// catchUp finds what the letters that ask are to tell beside what the letter in hand has led to.
// No prose is stored, and no event twice: what is not remembered is played again.
func catchUp(ctx context.Context, j *adjudication) error {
	began := j.turn.Match.Entries - len(j.turn.Entries)
	behind, first := rules.Seats(0), began
	for i := range j.turn.Match.Seats {
		if told := j.turn.Match.Seats[i].Told; told > 0 && told < began && extentFor(j, rules.Seat(i)) == compose.Whole && !j.a.AtTable {
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
