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
// v is the visit of the entry in a replay.
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
	a, seat := e.Act, sideOrYou(t, e.Seat, reader)
	name, more := seat, "more time"
	if a.By == record.ByDirector {
		name, more = "the director", seat+" more time"
	}
	until, limit := ClockTimeFor(t, reader, a.Until), ""
	if !a.Until.IsZero() {
		limit = " until " + until
	}
	paused := "the match is paused" + limit + ", as " + name + " asked."
	if a.By == record.ByDirector {
		paused = "the director paused the match" + limit + "."
	}
	text := map[record.ActKind]string{
		record.Resign:  seat + " resigned.",
		record.Forfeit: seat + " ran out of time.",
		record.Draw:    "all players agreed to the draw that " + seat + " offered.",
		record.Abort:   "the match was broken off, as " + name + " asked.",
		record.Claim:   name + " claimed the win, because time had run out.",
		record.Pause:   paused,
		record.Resume:  name + " ended the pause. Clocks run again from " + until + ".",
		record.Extend:  name + " gave " + more + limit + ".",
		record.Undo: "the director undid everything since " + until +
			". The match is back where it was then; all later dice and cards are new.",
		record.Annul:   "the director annulled the match.",
		record.Rule:    "the director ruled" + describeRuling(t, a) + ".",
		record.Replace: "the director put another player into the seat of " + t.RoleOf(e.Seat) + ".",
		record.Tell:    "the director told everyone: " + Quote(a.Why),
		record.Restore: "the operator of this referee restored a backup. The match is back where it was after " + until +
			"; everything later is lost, and all later dice and cards are new.",
	}[a.Kind]
	if a.Kind == record.Witness {
		text = describeWitness(a, seat, reader)
	}
	if text == "" {
		text = "the match was changed: " + string(a.Kind) + "."
	}
	if a.End == nil && a.Kind.LeavesMatch() {
		text += " The match goes on, with automatic answers for that seat."
	}
	text += nameLatePlayers(t, e)
	if a.Why != "" && a.Kind != record.Tell {
		text += " " + reasonOwner(a) + " reason: " + Quote(a.Why)
	}
	text = match.Capitalize(text)
	if ended := t.Match.Acts.Ended; ended != nil && a.End != nil && ended.At.Equal(e.At) && !ended.Final.IsZero() && t.Match.Recorded == nil {
		text += " The director has until " + ClockTimeFor(t, reader, ended.Final) +
			" to reopen the match; until then everything hidden stays hidden."
	}
	return text
}

// reasonOwner names the writer of an act's reason, e.g. "The director's".
func reasonOwner(a *record.Act) string {
	switch {
	case a.Kind == record.Restore:
		return "The operator's"
	case a.By == record.ByDirector:
		return "The director's"
	}
	return "The player's"
}

// Quote quotes a person's words as the end of a sentence. For example, it moves again -> "it moves again".
func Quote(text string) string {
	if text != "" && strings.ContainsRune(".!?", rune(text[len(text)-1])) {
		return `"` + text + `"`
	}
	return `"` + text + `".`
}

func nameLatePlayers(t *match.Turn, e *record.Entry) string {
	if e.Act.Kind != record.Forfeit || e.Act.End == nil || e.Act.End.Draw {
		return ""
	}
	names := t.Roles(^(t.Match.SeatsOf(append([]record.SeatName{e.Seat}, e.Act.End.Winners...)) | t.Match.Acts.Resigned))
	if len(names) == 0 {
		return ""
	}
	return " " + match.Capitalize(match.JoinAnd(names)) + " also ran out of time, and cannot win."
}

func describeRuling(t *match.Turn, a *record.Act) string {
	if a.End == nil {
		return ""
	}
	r := a.Result(t.Match.SeatNames())
	if r.Winners == 0 && !r.Lost {
		return " that the match is a draw"
	}
	return " that " + shortOutcome(t, r, rules.NoSeat)
}

// describeWitness says that a seat has confirmed the history. An observer is not told which entry, because it may
// be hidden.
func describeWitness(a *record.Act, seat string, reader rules.Seat) string {
	if reader == rules.NoSeat {
		return seat + " confirmed what a letter showed."
	}
	return fmt.Sprintf("%s confirmed the history up to entry %d, with the check number %s.", seat, *a.Entry, a.Hash)
}

// DescribeRestores describes restores since the reader's last letter, unless another text of the letter does. Observers are told
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
	if robot, ok := match.RobotOf(e); ok {
		return match.Capitalize(match.DescribeRobot(robot)) + " has taken the seat of " + t.RoleOf(e.Seat) + "."
	}
	return "Another player has taken the seat of " + t.RoleOf(e.Seat) + "."
}

// WelcomeReplacement returns the introduction for the new player of a seat.
func WelcomeReplacement(m *match.Match, role string) []string {
	out := []string{
		"You have taken over the seat of " + role + " in the middle of the match, in place of another player. To play, reply " +
			"to this letter. The person who asked you to play can tell you more.",
		"You may know everything that this seat was told: HISTORY shows it, and RESEND 2 shows letter 2 again. Orders of the " +
			"previous player that were not carried out yet are dropped.",
	}
	if m.Recorded == nil {
		out = append(out, "The dice come from a secret number, which is published at the end. Its fingerprint (SHA-256) is "+
			m.Secret.Commitment()+".")
	}
	return out
}

// ExplainCallOff returns the reason why the match was called off.
func ExplainCallOff(t *match.Turn) string {
	callOff := t.Match.Acts.Invitations.CallOff
	text := ""
	switch {
	case callOff.Cause == match.Declined:
		text = match.Capitalize(t.FullName(callOff.Seat)) + " declined the invitation."
	case callOff.Cause == match.Expired && t.Match.Unjoined() == 0:
		text = match.Capitalize(match.JoinAnd(t.Roles(t.Match.SeatsAtFault()))) + " did not reveal the secret words in time."
	case callOff.Cause == match.Expired:
		text = match.Capitalize(match.JoinAnd(t.Roles(t.Match.SeatsAtFault()))) + " did not join in time."
	default:
		text = "The director withdrew the invitation."
	}
	switch {
	case callOff.Why == "":
	case callOff.Cause == match.Declined:
		text = strings.TrimSuffix(text, ".") + " and wrote: " + Quote(callOff.Why)
	default:
		text += " The director's reason: " + Quote(callOff.Why)
	}
	text += " The match is called off."
	if names := t.Roles(t.Match.SeatsAtFault()); t.Match.Acts.Tournament && len(names) > 0 {
		text += " In the tournament it counts as lost by " + match.JoinAnd(names) + "."
	}
	return text
}

// hasDeclined reports whether a seat's player has declined the invitation.
func hasDeclined(t *match.Turn, seat rules.Seat) bool {
	callOff := t.Match.Acts.Invitations.CallOff
	return callOff != nil && callOff.Cause == match.Declined && callOff.Seat == seat
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
		return "you won"
	}
	return "you lost"
}

// subjectOutcome describes the result for a reader in a subject. For example, "You lost (you resigned)".
func subjectOutcome(t *match.Turn, r rules.Result, reader rules.Seat) string {
	return match.Capitalize(shortOutcome(t, r, reader)) + subjectReason(t, reader)
}

// sideOrYou returns "you" for the reader's own seat, and the role of another.
func sideOrYou(t *match.Turn, seat record.SeatName, reader rules.Seat) string {
	if reader != rules.NoSeat && record.SeatName(t.Match.Seats[reader].Name) == seat {
		return "you"
	}
	return t.RoleOf(seat)
}

// subjectReason names in a subject the player who resigned or ran out of time. For example, " (you resigned)".
func subjectReason(t *match.Turn, reader rules.Seat) string {
	e := t.Match.Acts.Ended
	if e == nil {
		return ""
	}
	name := sideOrYou(t, e.Seat, reader)
	switch e.Act.Kind {
	case record.Resign:
		return " (" + name + " resigned)"
	case record.Forfeit:
		return " (" + name + " ran out of time)"
	}
	return ""
}

func describeEnd(t *match.Turn, r rules.Result, seat rules.Seat) string {
	text, others := "The match is over: ", r.Winners&^rules.Only(seat)
	switch {
	case t.IsBrokenOff():
		text += "it was " + r.Reason + " and does not count."
	case seat == rules.NoSeat:
		text += shortOutcome(t, r, seat) + " (" + r.Reason + ")."
	case r.Winners == 0 && !r.Lost:
		text += "it is a draw."
	case r.Winners.Has(seat) && others != 0:
		text += "you won, together with " + match.JoinAnd(t.Roles(others)) + "."
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

// FindUntold finds, for some seats, the events since the last letter that asked each seat a question. entries is the history as far
// back as needed, events are the events of each entry.
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
