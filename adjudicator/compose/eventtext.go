package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// RemarksOf returns the remarks on an entry for a reader, beside its events.
func RemarksOf(t *match.Turn, entries []record.Entry, e *record.Entry, reader rules.Seat) (out []string) {
	if e.Takeback > 0 && e.Act == nil {
		out = append(out, t.DescribeTakeback(entries, e))
	}
	if e.Act != nil {
		out = append(out, describeAct(t, e, reader))
	}
	if e.Player != "" && e.Act == nil {
		out = append(out, DescribeReplacement(t, e))
	}
	return append(out, t.DescribeSilences(e)...)
}

// Remarks returns the public remarks on an entry of a record: take-backs, acts, and answers for silent players.
// The entry is a visit of a replay.
func Remarks(g *rules.Game, rec *record.Record, v record.Visit) []string {
	h := rec.Header
	m := &match.Match{ID: h.Match, Game: h.Game, Revision: h.Rules, Options: h.Options, Acts: match.Acts{Resigned: v.Resigned}}
	for _, name := range g.SeatNames(h.Setup(g)) {
		m.Seats = append(m.Seats, match.Seat{Name: name})
	}
	var entries []record.Entry
	if v.Entry.Takeback > 0 {
		// Private orders stay hidden.
		for _, e := range rec.Entries() {
			entries = append(entries, e.Public())
		}
	}
	c := &match.Turn{Match: m, Game: g, After: v.Position}
	return RemarksOf(c, entries, v.Entry, rules.NoSeat)
}

// DescribeActs describes the acts of the turn for a reader.
func DescribeActs(t *match.Turn, reader rules.Seat) (out []string) {
	for _, e := range t.Entries {
		if e.Act != nil {
			out = append(out, describeAct(t, &e, reader))
		}
	}
	return out
}

func describeAct(t *match.Turn, e *record.Entry, reader rules.Seat) string {
	a, seat := e.Act, t.RoleOf(e.Seat)
	name, more := seat, "more time"
	if a.By == record.ByDirector {
		name, more = "the director", seat+" more time"
	}
	until, limit := ClockTimeFor(t, reader, a.Until), ""
	if !a.Until.IsZero() {
		limit = " until " + until
	}
	text := map[record.ActKind]string{
		record.Resign:  seat + " has resigned.",
		record.Forfeit: seat + " has run out of time.",
		record.Draw:    "all have agreed on the draw that " + seat + " has offered.",
		record.Abort:   "the match is broken off, as " + name + " wanted.",
		record.Claim:   name + " has claimed the win, since time has run out.",
		record.Pause:   "the match is paused" + limit + ", as " + name + " wanted. Clocks stand still.",
		record.Resume:  name + " ends the pause. Clocks run again from " + until + " on.",
		record.Extend:  name + " gives " + more + strings.Replace(limit, " ", ", ", 1) + ".",
		record.Undo: "the director has undone what has happened since " + until +
			". The match stands again as it did then; dice and cards to come are new.",
		record.Annul:   "the director has annulled the match.",
		record.Rule:    "the director has ruled" + describeRuling(t, a) + ".",
		record.Replace: "the director has put another player into the seat of " + seat + ".",
		record.Tell:    "the director writes to all: " + a.Why,
		record.Restore: "whoever runs this referee has put a backup back. The match stands again as it did after " + until +
			"; what came later is lost. Dice and cards to come are new.",
	}[a.Kind]
	if a.Kind == record.Witness {
		text = describeWitness(a, seat, reader)
	}
	if text == "" {
		text = "something was done to the match: " + string(a.Kind) + "."
	}
	if a.End == nil && a.Kind.LeavesMatch() {
		text += " The match goes on, and the rule for silence answers for that seat."
	}
	text += nameLatePlayers(t, e)
	if a.Why != "" && a.Kind != record.Tell {
		text += " The reason: " + strings.TrimSuffix(a.Why, ".") + "."
	}
	text = match.Capitalize(text)
	if ended := t.Match.Acts.Ended; ended != nil && a.End != nil && ended.At.Equal(e.At) && !ended.Final.IsZero() && t.Match.Recorded == nil {
		text += " Until " + ClockTimeFor(t, reader, ended.Final) +
			" the director may take the match up again, and what is hidden stays hidden."
	}
	return text
}

func nameLatePlayers(t *match.Turn, e *record.Entry) string {
	if e.Act.Kind != record.Forfeit || e.Act.End == nil || e.Act.End.Draw {
		return ""
	}
	names := t.Roles(^(t.Match.SeatsOf(append([]record.SeatName{e.Seat}, e.Act.End.Winners...)) | t.Match.Acts.Resigned))
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " " + match.Capitalize(names[0]) + " has run out of time as well, and does not win."
	}
	return " " + match.Capitalize(match.JoinAnd(names)) + " have run out of time as well, and do not win."
}

func describeRuling(t *match.Turn, a *record.Act) string {
	if a.End == nil {
		return ""
	}
	return ": " + shortOutcome(t, a.Result(t.Match.SeatNames()), rules.NoSeat)
}

// describeWitness describes that a seat has witnessed the history. An observer is not told which entry, because it may
// be hidden.
func describeWitness(a *record.Act, seat string, reader rules.Seat) string {
	if reader == rules.NoSeat {
		return seat + " has signed off what a letter showed."
	}
	return fmt.Sprintf("%s has signed off the history up to entry %d, whose hash is %s.", seat, *a.Entry, a.Hash)
}

// DescribeRestores describes restores since the reader's last letter, unless the letter's other text does. Observers are told
// about restores with the next public event, and not in an answer.
func DescribeRestores(t *match.Turn, reader rules.Seat) (out []string) {
	if reader == rules.NoSeat && !t.Changed() {
		return nil
	}
	for _, r := range t.Match.Acts.UntoldRestores {
		text := describeAct(t, &record.Entry{Act: &r.Act}, reader)
		if r.Untold.Has(reader) && !slices.Contains(t.Untold[reader].Remarks, text) {
			out = append(out, text)
		}
	}
	return out
}

// DescribeReplacement describes an entry that replaces a player.
func DescribeReplacement(t *match.Turn, e *record.Entry) string {
	return "Another player has taken the seat of " + t.RoleOf(e.Seat) + "."
}

// WelcomeReplacement returns the introduction for the new player of a seat.
func WelcomeReplacement(m *match.Match, role string) []string {
	out := []string{
		"You have taken the seat of " + role + " in the middle of the match, in place of another player. To play, reply to this letter. " +
			"Whoever asked you to can tell you more.",
		"All that this seat was told is yours to know: HISTORY tells it, and RESEND 2 shows letter 2 again. Orders of the player before " +
			"you that were not carried out yet are dropped.",
	}
	if m.Recorded == nil {
		out = append(out, "The secret that the dice come from is published at the end. It is bound by its SHA-256, "+m.Secret.Commitment()+".")
	}
	return out
}

// ExplainCallOff returns the reason why the match was called off.
func ExplainCallOff(t *match.Turn) string {
	callOff := t.Match.Acts.Invitations.CallOff
	text := ""
	switch {
	case callOff.How == match.Declined:
		text = match.Capitalize(t.FullName(callOff.Seat)) + " has declined the invitation."
	case callOff.How == match.Lapsed && t.Match.Unjoined() == 0:
		text = "The invitation has lapsed: " + match.JoinAnd(t.Roles(t.Match.SeatsAtFault())) + " did not open the sealed words in time."
	case callOff.How == match.Lapsed:
		text = "The invitation has lapsed: " + match.JoinAnd(t.Roles(t.Match.SeatsAtFault())) + " did not join in time."
	default:
		text = "The director has taken the invitation back."
	}
	switch {
	case callOff.Why == "":
	case callOff.How == match.Declined:
		text += " The word for you: " + addFullStop(callOff.Why)
	default:
		text += " The reason: " + addFullStop(callOff.Why)
	}
	text += " There is no match."
	if names := t.Roles(t.Match.SeatsAtFault()); t.Match.Acts.Tournament && len(names) > 0 {
		text += " In the tournament it is lost by " + match.JoinAnd(names) + "."
	}
	return text
}

// hasDeclined reports whether a seat's player has declined the invitation.
func hasDeclined(t *match.Turn, seat rules.Seat) bool {
	callOff := t.Match.Acts.Invitations.CallOff
	return callOff != nil && callOff.How == match.Declined && callOff.Seat == seat
}

func addFullStop(text string) string {
	if strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// shortOutcome describes the result for a reader in a few words, e.g. "you have won".
func shortOutcome(t *match.Turn, r rules.Result, seat rules.Seat) string {
	switch {
	case t.IsBrokenOff():
		return r.Reason
	case r.Lost:
		return "nobody wins"
	case r.Winners == 0:
		return "a draw"
	case seat == rules.NoSeat:
		return NameWinners(t, r)
	case r.Winners.Has(seat):
		return "you have won"
	}
	return "you have not won"
}

// subjectOutcome describes the result for a reader in a subject. For example, "You lost (you resigned)".
func subjectOutcome(t *match.Turn, r rules.Result, reader rules.Seat) string {
	text := match.Capitalize(shortOutcome(t, r, reader))
	if reader != rules.NoSeat && r.Winners != 0 && !r.Lost && !t.IsBrokenOff() {
		if text = "You lost"; r.Winners.Has(reader) {
			text = "You won"
		}
	}
	return text + subjectReason(t, reader)
}

// subjectReason names in a subject the player who resigned or ran out of time. For example, " (you resigned)".
func subjectReason(t *match.Turn, reader rules.Seat) string {
	e := t.Match.Acts.Ended
	if e == nil {
		return ""
	}
	name := t.RoleOf(e.Seat)
	if reader != rules.NoSeat && record.SeatName(t.Match.Seats[reader].Name) == e.Seat {
		name = "you"
	}
	switch e.Act.Kind {
	case record.Resign:
		return " (" + name + " resigned)"
	case record.Forfeit:
		return " (" + name + " ran out of time)"
	}
	return ""
}

func describeEnd(t *match.Turn, r rules.Result, seat rules.Seat) string {
	text, others := "The match is over, and ", r.Winners&^rules.Only(seat)
	switch {
	case t.IsBrokenOff():
		text = "The match is over: it was " + r.Reason + ", and counts for nobody."
	case seat == rules.NoSeat:
		text = "The match is over: " + shortOutcome(t, r, seat) + " (" + r.Reason + ")."
	case r.Winners == 0 && !r.Lost:
		text += "it is a draw."
	case r.Winners.Has(seat) && others != 0:
		text += "you have won, together with " + match.JoinAnd(t.Roles(others)) + "."
	default:
		text += shortOutcome(t, r, seat) + "."
		if others != 0 {
			text += " " + match.Capitalize(NameWinners(t, r)) + "."
		}
	}
	if r.Words != "" {
		text += " " + r.Words
	}
	text += describeLeavers(t, r.Left&t.Match.Acts.Resigned, seat, "had left the match")
	text += describeLeavers(t, r.Left&^t.Match.Acts.Resigned, seat, "never sent an order")
	if e := t.Match.Acts.Ended; e != nil && !t.Changed() {
		text += " " + describeAct(t, &record.Entry{Seat: e.Seat, At: e.At, Act: &e.Act}, seat)
	}
	return text
}

// describeLeavers explains why some seats do not win although the rules name them.
func describeLeavers(t *match.Turn, seats rules.Seats, reader rules.Seat, reason string) (text string) {
	if reader != rules.NoSeat && seats.Has(reader) {
		text = " By the rules you would win, but you " + reason + "."
		seats &^= rules.Only(reader)
	}
	if names := t.Roles(seats); len(names) > 0 {
		text += " By the rules " + match.JoinAnd(names) + " would win, but " + reason + "."
	}
	return text
}

// NameWinners names the winners.
func NameWinners(t *match.Turn, r rules.Result) string {
	names := t.Roles(r.Winners)
	if len(names) == 1 {
		return names[0] + " has won"
	}
	return match.JoinAnd(names) + " have won"
}

// FindUntold finds, for some seats, the events since the last letter that asked each a question. Entries is the
// history as far back as needed, events are the events of each entry.
func FindUntold(t *match.Turn, seats rules.Seats, entries []record.Entry, events [][]rules.Event) map[rules.Seat]match.Untold {
	out := map[rules.Seat]match.Untold{}
	for n := range entries {
		for i := range t.Match.Seats {
			seat := rules.Seat(i)
			if e := &entries[n]; seats.Has(seat) && e.Seq >= t.Match.Seats[i].EntriesWhenAsked {
				u := out[seat]
				u.Events, u.Remarks = append(u.Events, match.EventsVisibleTo(events[n], seat)...),
					append(u.Remarks, RemarksOf(t, entries, e, seat)...)
				out[seat] = u
			}
		}
	}
	return out
}
