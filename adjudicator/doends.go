package adjudicator

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// resignMatch resigns the match for the writer. The order has to name the match; otherwise the writer is asked for
// a confirmation.
func resignMatch(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	switch {
	case c.More:
		return refuse("RESIGN stands alone on its line. Nothing of it was done.")
	case j.turn.Match.State == match.Over:
		return refuse("The match is over already.")
	case j.turn.Match.Acts.Resigned.Has(j.play.Seat):
		return refuse("You play no more in this match, which goes on without you.")
	case c.Text != "" && c.Text != j.turn.Match.ID:
		return refuse(fmt.Sprintf("You have not resigned. This letter is about match %s, not %s.", j.turn.Match.ID, c.Text))
	}
	if c.Text == "" {
		return askWhether(j, letter.Resign, compose.ResignMeans(j.turn, j.play.Seat, j.play.OutcomeNames.Seats))
	}
	if err := j.play.RemovePlayer(ctx, j.play.Seat, record.Act{Kind: record.Resign}, j.digest(), 0); err != nil {
		return Outcome{}, err
	}
	if j.turn.Match.State == match.Playing {
		return did("You have resigned. The next letter comes when the match is over.")
	}
	return did("You have resigned.")
}

// askWhether asks for a confirmation of an order that cannot be undone. An order that names the match needs none.
func askWhether(j *letterRun, word letter.Word, means string) (Outcome, error) {
	order := string(word) + " " + j.turn.Match.ID
	propose(j, []string{order})
	return Outcome{match.OutcomeAsked, true, fmt.Sprintf("%s Anything but YES or %s leaves the match as it is.", means, order)}, nil
}

// abortMatch breaks the match off: at its very beginning at once, later if all agree.
func abortMatch(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if c.Text != "" && c.Text != j.turn.Match.ID {
		return refuse(fmt.Sprintf("Nothing is broken off. This letter is about match %s, not %s.", j.turn.Match.ID, c.Text))
	}
	var alone bool
	var err error
	if j.turn.Match.State != match.Over && !j.turn.Match.Acts.Resigned.Has(j.play.Seat) && c.Choice == "" {
		alone, err = j.play.IsFresh(ctx)
	}
	switch {
	case err != nil:
		return Outcome{}, err
	case !alone:
		return seekConsent(ctx, j, match.Request{Kind: record.Abort, Seat: j.play.Seat}, c.Choice)
	case c.Text == "":
		return askWhether(j, letter.Abort, compose.AbortMeans(j.turn.Match))
	}
	return enterAct(ctx, j, record.Act{Kind: record.Abort, End: &record.End{}}, "You have broken the match off.")
}

func offerDraw(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if !j.turn.Game.Draws {
		return refuse("In this game nobody can agree on a draw.")
	}
	return seekConsent(ctx, j, match.Request{Kind: record.Draw, Seat: j.play.Seat}, c.Choice)
}

// seekConsent carries out an order that asks the others to agree, e.g. DRAW, or answers an open request with YES, NO or OFF.
func seekConsent(ctx context.Context, j *letterRun, want match.Request, answer string) (Outcome, error) {
	r, open := j.turn.Match.OpenRequest(want.Kind)
	mine := open && r.Seat == j.play.Seat
	word := compose.Sought[want.Kind].Word
	switch {
	case j.turn.Match.State == match.Over:
		return refuse("The match is over.")
	case j.turn.Match.Acts.Resigned.Has(j.play.Seat):
		return refuse(playsNoMore)
	case answer == "" && mine:
		return refuse(fmt.Sprintf("You have asked for that already, and the others have not all answered. %s OFF withdraws it.", word))
	case answer == "" && open && want.Span != r.Span:
		return refuse(fmt.Sprintf("First answer what %s asks: %s YES or %s NO.", j.turn.FullName(r.Seat), word, word))
	case answer == "" && !open:
		return askOthers(j, want)
	case !open:
		return refuse(fmt.Sprintf("Nobody asks for %s.", compose.Sought[want.Kind].What))
	case answer == "OFF" && mine:
		j.turn.Match.EndRequest(r.Kind)
		j.turn.Remarks = append(j.turn.Remarks, fmt.Sprintf("%s does not ask for %s any more.", match.Capital(j.turn.FullName(r.Seat)),
			compose.Requested(r)))
		return did("You ask no more for " + compose.Requested(r) + ".")
	case mine:
		return refuse(fmt.Sprintf("The others have to agree, not you. %s OFF withdraws it.", word))
	case answer == "OFF", answer == "NO":
		j.turn.Match.EndRequest(r.Kind)
		j.turn.Remarks = append(j.turn.Remarks, fmt.Sprintf("%s does not agree to %s. The match goes on.",
			match.Capital(j.turn.FullName(j.play.Seat)), compose.Requested(r)))
		return did("You do not agree. The match goes on.")
	case r.Agreed.Has(j.play.Seat):
		return refuse("You have agreed already. Others have not answered yet.")
	}
	r.Agreed |= rules.Only(j.play.Seat)
	j.turn.Match.SetRequest(r)
	done, err := j.play.EnactIfAgreed(ctx, r)
	if !done || err != nil {
		return Outcome{came: match.OutcomeDone, Note: "You agree. Others have not answered yet."}, err
	}
	return did("You agree.")
}

func askOthers(j *letterRun, r match.Request) (Outcome, error) {
	t := &j.writer().Timing
	day := j.a.Now().UTC().Format(time.DateOnly)
	times := t.Requests[r.Kind]
	if !times.Add(day, 1, maxRequests) && !j.a.AtTable {
		return refuse(fmt.Sprintf("You have asked for that %d times today, and may ask again tomorrow (UTC).", maxRequests))
	}
	counted := map[record.ActKind]match.DailyCount{}
	maps.Copy(counted, t.Requests)
	counted[r.Kind], t.Requests = times, counted
	j.turn.Match.SetRequest(r)
	return did(fmt.Sprintf("The others are asked whether they agree to %s. "+
		"%s OFF withdraws it.", compose.Requested(r), compose.Sought[r.Kind].Word))
}

// takeBack asks for a take-back of the writer's last order, or answers an open request for a take-back.
func takeBack(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	t := j.turn.Match.Takeback
	switch {
	case j.turn.Match.State == match.Over:
		return refuse("The match is over, and nothing of it can be taken back.")
	case j.turn.Match.Acts.Resigned.Has(j.play.Seat):
		return refuse(playsNoMore)
	case c.Choice == "" && t != nil && t.Seat == j.play.Seat:
		return refuse("You have asked for that already. TAKEBACK OFF withdraws it.")
	case c.Choice == "" && t != nil:
		return refuse(fmt.Sprintf("First answer what %s asks: TAKEBACK YES or TAKEBACK NO.", j.turn.FullName(t.Seat)))
	case c.Choice == "":
		return askTakeback(ctx, j)
	case t == nil:
		return refuse("Nobody asks to take something back.")
	case c.Choice == "OFF" && t.Seat != j.play.Seat:
		return refuse("It is not you who asks to take something back. You may answer TAKEBACK YES or TAKEBACK NO.")
	case c.Choice == "OFF":
		j.turn.EndTakeback(fmt.Sprintf("%s does not ask to take back %s any more.", match.Capital(j.turn.FullName(t.Seat)), t.Orders))
		return did("You ask no more to take back " + t.Orders + ".")
	case t.Seat == j.play.Seat:
		return refuse("The others have to agree, not you. TAKEBACK OFF withdraws it.")
	case c.Choice == "NO":
		j.turn.EndTakeback(fmt.Sprintf("%s does not agree that %s takes back %s. The match goes on as it stands.",
			match.Capital(j.turn.FullName(j.play.Seat)), j.turn.FullName(t.Seat), t.Orders))
		return did("Nothing is taken back.")
	}
	return agreeTakeback(ctx, j)
}

// maxTakebacks is the number of take-backs that a player may ask for in a day (UTC). Each is a question to the
// others.
const maxTakebacks = 3

func askTakeback(ctx context.Context, j *letterRun) (Outcome, error) {
	if len(j.turn.Entries) > 0 {
		return refuse("This letter has carried out an order already. Write TAKEBACK in a letter of its own.")
	}
	times := j.writer().Timing.Takebacks
	if !times.Add(j.a.Now().UTC().Format(time.DateOnly), 1, maxTakebacks) && !j.a.AtTable {
		return refuse(fmt.Sprintf("You have asked %d times today to take something back, and may ask again tomorrow (UTC).", maxTakebacks))
	}
	entries, err := j.play.LoadHistory(ctx)
	if err != nil {
		return Outcome{}, err
	}
	name := record.SeatName(j.writer().Name)
	// Orders that were taken back before do not count.
	gone := match.UndoneEntries(entries)
	seq := -1
	for i, e := range entries {
		if e.Seat == name && e.HasOrders() && !gone[i] {
			seq = i
		}
	}
	if seq < 0 {
		return refuse("No order of yours has been carried out yet that could be taken back. Orders that are only kept end with DROP.")
	}
	_, why, err := j.play.PositionBefore(record.WithoutProofs(entries), seq)
	if err != nil {
		return Outcome{}, err
	}
	if why != "" {
		return refuse(why)
	}
	t := &match.Takeback{Seat: j.play.Seat, Seq: seq, Orders: strings.Join(entries[seq].Orders, "; ")}
	j.turn.Match.Takeback, j.writer().Timing.Takebacks = t, times
	return did("The others are asked whether you may take back " + t.Orders + ", and what followed. An order that is carried out " +
		"meanwhile ends that; TAKEBACK OFF withdraws it.")
}

// agreeTakeback adds the writer's consent, and takes back when all have agreed.
func agreeTakeback(ctx context.Context, j *letterRun) (Outcome, error) {
	all, why, err := j.play.AgreeTakeback(ctx, rules.Only(j.play.Seat))
	switch {
	case err != nil:
		return Outcome{}, err
	case !all:
		return did("You agree. Others have not answered yet.")
	case why != "":
		return refuse(why)
	}
	return did("You agree, and it is taken back.")
}

// playsNoMore answers a player who has resigned while the match goes on.
const playsNoMore = "You play no more in this match, and have no say in it."

// endingMeans describes the effect of an order that ends the match for its writer; empty for other orders, and for
// one that names another match.
func endingMeans(ctx context.Context, j *letterRun, l letter.Line) (means string, err error) {
	switch named := l.Command.Text; {
	case named != "" && named != j.turn.Match.ID:
	case l.Is(letter.Resign):
		means = compose.ResignMeans(j.turn, j.play.Seat, j.play.OutcomeNames.Seats)
	case l.Is(letter.Abort) && l.Command.Choice == "":
		alone, err := j.play.IsFresh(ctx)
		if !alone || err != nil {
			return "", err
		}
		means = compose.AbortMeans(j.turn.Match)
	}
	return means, nil
}

// maxRequests is the number of requests of a kind that a player may make in a day (UTC).
const maxRequests = 3
