package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// EntryRemarks describes for a reader the effects of an entry that are not events: a take-back, an act (e.g. the end
// of a match by agreement), a new player, or default answers.
func EntryRemarks(turn *match.Turn, entries []record.Entry, entry *record.Entry, reader rules.Seat) (out []string) {
	if entry.FirstTakenBack > 0 && entry.Act == nil {
		out = append(out, turn.DescribeTakeback(entries, entry))
	}
	if entry.Act != nil {
		out = append(out, describeAct(turn, entry, reader))
	}
	if entry.Player != "" && entry.Act == nil {
		out = append(out, DescribeReplacement(turn, entry))
	}
	return append(out, turn.DescribeSilences(entry)...)
}

// PublicRemarks returns the public remarks on an entry of a record: take-backs, acts, and answers for silent players.
// v holds the entry and the position after it.
func PublicRemarks(g *rules.Game, rec *record.Record, v record.Visit) []string {
	header := rec.Header
	m := &match.Match{ID: header.Match, Game: header.Game, Revision: header.Rules, Options: header.Options,
		Lifecycle: match.Lifecycle{Resigned: v.Resigned}}
	for _, name := range g.SeatNames(header.Setup(g)) {
		m.Seats = append(m.Seats, match.Seat{Name: name})
	}
	var entries []record.Entry
	if v.Entry.FirstTakenBack > 0 {
		// Private orders stay hidden.
		for _, entry := range rec.Entries() {
			entries = append(entries, entry.Public())
		}
	}
	turn := &match.Turn{Match: m, Game: g, After: v.Position}
	return EntryRemarks(turn, entries, v.Entry, rules.NoSeat)
}

// DescribeActs describes the acts of the turn for a reader.
func DescribeActs(turn *match.Turn, reader rules.Seat) (out []string) {
	for _, entry := range turn.Entries {
		if entry.Act != nil {
			out = append(out, describeAct(turn, &entry, reader)+describeReopening(turn, &entry, reader))
		}
	}
	return out
}

func describeAct(turn *match.Turn, entry *record.Entry, reader rules.Seat) string {
	act, seat := entry.Act, roleOrYou(turn, entry.Seat, reader)
	actor, extension := seat, nameExtended(turn, entry, reader)+" more time"
	if act.By == record.ByDirector {
		actor, extension = "the director", seat+" more time"
	}
	until, untilText := FormatReaderTime(turn, reader, act.Until), ""
	if !act.Until.IsZero() {
		untilText = " until " + until
	}
	pauseText := "the match is paused" + untilText + ", as " + actor + " asked."
	if act.By == record.ByDirector {
		pauseText = "the director paused the match" + untilText + "."
	}
	agreers := "all players"
	if len(turn.Match.Seats) == 2 {
		agreers = "both players"
	}
	text := map[record.ActKind]string{
		record.Resign:  seat + " resigned.",
		record.Forfeit: seat + " ran out of time.",
		record.Draw:    agreers + " agreed to the draw that " + seat + " offered.",
		record.Abort:   "the match was broken off, as " + actor + " asked.",
		record.Claim:   actor + " claimed the win, because " + nameOutOfTime(turn, act, reader) + " had run out of time.",
		record.Pause:   pauseText,
		record.Resume:  actor + " ended the pause. Clocks run again from " + until + ".",
		record.Extend:  actor + " gave " + extension + strings.Replace(untilText, " until", ", until", 1) + ".",
		record.Undo: "the director undid everything since " + until +
			". The match is back where it was then; all later dice and cards are new.",
		record.Annul:        "the director annulled the match.",
		record.DecideResult: "the director ruled" + describeRuling(turn, act) + ".",
		record.Replace:      "the director put a new player into the seat of " + turn.RoleOf(entry.Seat) + ".",
		record.Tell:         "the director told everyone: " + Quote(act.Why),
		record.Restore: "the operator of this referee restored a backup. The match is back where it was after " + until +
			"; everything later is lost, and all later dice and cards are new.",
	}[act.Kind]
	if act.Kind == record.Witness {
		text = describeHistoryConfirmation(act, seat, reader)
	}
	if text == "" {
		text = "the match was changed: " + string(act.Kind) + "."
	}
	if act.End == nil && act.Kind.MayRemovePlayer() {
		text += " The match goes on, with automatic answers for " + possessive(seat) + " seat."
	}
	return match.Capitalize(text) + nameLatePlayers(turn, entry) + describeReason(act)
}

// nameExtended names the players who got more time by an entry (GIVE, EXTEND).
func nameExtended(turn *match.Turn, entry *record.Entry, reader rules.Seat) string {
	if seats := turn.Match.SeatNames(); len(seats) == 2 {
		other := slices.IndexFunc(seats, func(name string) bool { return name != string(entry.Seat) })
		return roleOrYou(turn, record.SeatName(seats[other]), reader)
	}
	return "the players who had run out of time"
}

func possessive(seat string) string {
	if seat == "you" {
		return "your"
	}
	return seat + "'s"
}

// describeReason gives the reason of an act. For example, ` The director's reason: "he shouts."`.
func describeReason(act *record.Act) string {
	if act.Why == "" || act.Kind == record.Tell {
		return ""
	}
	return " " + reasonOwner(act) + " reason: " + Quote(act.Why)
}

// describeReopening says until which time the director can reopen a match that an act has ended; empty for other
// acts.
func describeReopening(turn *match.Turn, entry *record.Entry, reader rules.Seat) string {
	act := entry.Act
	if end := turn.Match.Ended; end != nil && act.End != nil && end.At.Equal(entry.At) && !end.Final.IsZero() &&
		turn.Match.Recorded == nil {
		return " The director has until " + FormatReaderTime(turn, reader, end.Final) +
			" to reopen the match; until then everything hidden stays hidden."
	}
	return ""
}

func reasonOwner(act *record.Act) string {
	switch {
	case act.Kind == record.Restore:
		return "The operator's"
	case act.By == record.ByDirector:
		return "The director's"
	}
	return "The player's"
}

// Quote puts a person's words in quotation marks. If the words do not end with a full stop, question mark or exclamation mark, it adds
// a full stop after the quotation marks.
func Quote(text string) string {
	if text != "" && strings.ContainsRune(".!?", rune(text[len(text)-1])) {
		return `"` + text + `"`
	}
	return `"` + text + `".`
}

// nameOutOfTime names the players who had run out of time when another player claimed the win. For example, "the Miller and you".
func nameOutOfTime(turn *match.Turn, act *record.Act, reader rules.Seat) string {
	var names []string
	for i, s := range turn.Match.Seats {
		name := record.SeatName(s.Name)
		if act.End != nil && !slices.Contains(act.End.Winners, name) && !turn.Match.Resigned.Has(rules.Seat(i)) {
			names = append(names, roleOrYou(turn, name, reader))
		}
	}
	if len(names) == 0 {
		return "another player"
	}
	return match.JoinAnd(names)
}

func nameLatePlayers(turn *match.Turn, entry *record.Entry) string {
	if entry.Act.Kind != record.Forfeit || entry.Act.End == nil || entry.Act.End.Draw {
		return ""
	}
	names := turn.FullNames(^(turn.Match.SeatsOf(append([]record.SeatName{entry.Seat}, entry.Act.End.Winners...)) | turn.Match.Resigned))
	if len(names) == 0 {
		return ""
	}
	return " " + match.Capitalize(match.JoinAnd(names)) + " also ran out of time, and cannot win."
}

func describeRuling(turn *match.Turn, act *record.Act) string {
	if act.End == nil {
		return ""
	}
	r := act.Result(turn.Match.SeatNames())
	if r.Winners == 0 && !r.AllLost {
		return " that the match is a draw"
	}
	return " that " + shortOutcome(turn, r, rules.NoSeat)
}

// describeHistoryConfirmation says that a seat has confirmed the history. An observer is not told the number of the
// last entry, because it would reveal hidden entries.
func describeHistoryConfirmation(act *record.Act, seat string, reader rules.Seat) string {
	if reader == rules.NoSeat {
		return seat + " confirmed what a letter showed."
	}
	return fmt.Sprintf("%s confirmed the history up to entry %d, with the check number %s.", seat, *act.Entry, act.Hash)
}

// DescribeRestores describes the restores from a backup since the reader's last letter. It leaves out restores that
// turn.Unreported describes already. Observers are told of a restore in the letter with the next public event, not
// in an answer.
func DescribeRestores(turn *match.Turn, reader rules.Seat) (out []string) {
	if reader == rules.NoSeat && !turn.HasChanged() {
		return nil
	}
	for _, r := range turn.Match.UnreportedRestores {
		text := describeAct(turn, &record.Entry{Act: &r.Act}, reader)
		if r.UnreportedTo.Has(reader) && !slices.Contains(turn.Unreported[reader].Remarks, text) {
			out = append(out, text)
		}
	}
	return out
}

// DescribeReplacement describes an entry that gives the seat of a player to another player or to a robot.
func DescribeReplacement(turn *match.Turn, entry *record.Entry) string {
	if robot, ok := match.RobotOf(entry); ok {
		return match.Capitalize(match.DescribeRobot(robot)) + " has taken the seat of " + turn.RoleOf(entry.Seat) + "."
	}
	return "A new player has taken the seat of " + turn.RoleOf(entry.Seat) + "."
}

// WelcomeReplacement returns the introduction for a player who has taken over a seat.
func WelcomeReplacement(m *match.Match, role string) []string {
	out := []string{
		"You have taken over the seat of " + role + " in the middle of the match, in place of another player. To play, reply " +
			"to this letter. The person who asked you to play can tell you more.",
		"You may know everything that this seat was told: HISTORY shows it, and RESEND 2 shows letter 2 again. Orders of the " +
			"previous player that were not carried out yet are dropped.",
	}
	if m.Recorded == nil {
		out = append(out, "The dice come from a secret number, which is published at the end. Its fingerprint (SHA-256):\n"+
			m.Secret.Commitment())
	}
	return out
}

// ExplainCallOff returns the reason why the match was called off.
func ExplainCallOff(turn *match.Turn) string {
	callOff := turn.Match.Invitations.CallOff
	text := ""
	switch {
	case callOff.Cause == match.CauseDeclined:
		text = match.Capitalize(turn.FullName(callOff.Seat)) + " declined the invitation."
	case callOff.Cause == match.CauseExpired && turn.Match.UnjoinedSeats() == 0:
		text = "The secret words of " + match.JoinAnd(turn.FullNames(turn.Match.SeatsAtFault())) + " were not revealed in time."
	case callOff.Cause == match.CauseExpired:
		text = match.Capitalize(match.JoinAnd(turn.FullNames(turn.Match.SeatsAtFault()))) + " did not join in time."
	default:
		text = "The director withdrew the invitation."
	}
	switch {
	case callOff.Why == "":
	case callOff.Cause == match.CauseDeclined:
		text = strings.TrimSuffix(text, ".") + " and wrote: " + Quote(callOff.Why)
	default:
		text += " The director's reason: " + Quote(callOff.Why)
	}
	if names := turn.FullNames(turn.Match.SeatsAtFault()); turn.Match.Tournament && len(names) > 0 {
		text += " In the tournament the match counts as lost by " + match.JoinAnd(names) + "."
	}
	return text
}

func hasDeclined(turn *match.Turn, seat rules.Seat) bool {
	callOff := turn.Match.Invitations.CallOff
	return callOff != nil && callOff.Cause == match.CauseDeclined && callOff.Seat == seat
}

func shortOutcome(turn *match.Turn, r rules.Result, seat rules.Seat) string {
	switch {
	case turn.IsBrokenOff():
		return r.Reason
	case r.AllLost:
		return "nobody wins"
	case r.Winners == 0:
		return "a draw"
	case seat == rules.NoSeat:
		return NameWinners(turn, r)
	case r.Winners.Has(seat):
		return "you won"
	}
	return "you lost"
}

// subjectOutcome describes the result in the subject of a letter, e.g. "You lost (you resigned)".
func subjectOutcome(turn *match.Turn, r rules.Result, reader rules.Seat) string {
	return match.Capitalize(shortOutcome(turn, r, reader)) + subjectReason(turn, reader)
}

func roleOrYou(turn *match.Turn, seat record.SeatName, reader rules.Seat) string {
	if reader != rules.NoSeat && record.SeatName(turn.Match.Seats[reader].Name) == seat {
		return "you"
	}
	return turn.RoleOf(seat)
}

// subjectReason names the player who resigned or ran out of time, e.g. " (you resigned)"; empty for another end.
func subjectReason(turn *match.Turn, reader rules.Seat) string {
	e := turn.Match.Ended
	if e == nil {
		return ""
	}
	name := roleOrYou(turn, e.Seat, reader)
	switch e.Act.Kind {
	case record.Resign:
		return " (" + name + " resigned)"
	case record.Forfeit:
		return " (" + name + " ran out of time)"
	}
	return ""
}

func describeEnd(turn *match.Turn, r rules.Result, seat rules.Seat) string {
	text, otherWinners := "The match is over: ", r.Winners&^rules.Only(seat)
	var entry *record.Entry
	if end := turn.Match.Ended; end != nil && !turn.HasChanged() {
		entry = &record.Entry{Seat: end.Seat, At: end.At, Act: &end.Act}
	}
	switch {
	case entry != nil && entry.Act.Kind == record.Annul:
		return text + "the director annulled it, so it does not count." + describeReason(entry.Act) + describeReopening(turn, entry, seat)
	case entry != nil && entry.Act.Kind == record.Abort:
		return text + "it was broken off, as " + roleOrYou(turn, entry.Seat, seat) + " asked, and does not count." +
			describeReason(entry.Act) + describeReopening(turn, entry, seat)
	case turn.IsBrokenOff():
		text += "it was " + r.Reason + " and does not count."
	case seat == rules.NoSeat:
		text += shortOutcome(turn, r, seat) + " (" + r.Reason + ")."
	case r.Winners == 0 && !r.AllLost:
		text += "it is a draw."
	case r.Winners.Has(seat) && otherWinners != 0:
		text += "you won, together with " + match.JoinAnd(turn.FullNames(otherWinners)) + "."
	default:
		text += shortOutcome(turn, r, seat) + "."
		if otherWinners != 0 {
			text += " " + match.Capitalize(NameWinners(turn, r)) + "."
		}
	}
	isRuled := entry != nil && entry.Act.Kind == record.DecideResult
	if isRuled && seat != rules.NoSeat {
		text = strings.TrimSuffix(text, ".") + ", as the director ruled."
	}
	if r.Words != "" {
		text += " " + r.Words
	}
	text += describeLeavers(turn, r.Left&turn.Match.Resigned, seat, "had left the match")
	text += describeLeavers(turn, r.Left&^turn.Match.Resigned, seat, "never sent an order")
	switch {
	case isRuled:
		text += describeReason(entry.Act) + describeReopening(turn, entry, seat)
	case entry != nil:
		text += " " + describeAct(turn, entry, seat) + describeReopening(turn, entry, seat)
	}
	return text
}

// describeLeavers explains why some seats do not win although they have won by the rules of the game.
func describeLeavers(turn *match.Turn, seats rules.Seats, reader rules.Seat, reason string) (text string) {
	if reader != rules.NoSeat && seats.Has(reader) {
		text = " By the rules you would win, but you " + reason + "."
		seats &^= rules.Only(reader)
	}
	if names := turn.FullNames(seats); len(names) > 0 {
		text += " By the rules " + match.JoinAnd(names) + " would win, but " + reason + "."
	}
	return text
}

// NameWinners names the winners, e.g. "the Miller and the Weaver have won".
func NameWinners(turn *match.Turn, r rules.Result) string {
	names := turn.FullNames(r.Winners)
	if len(names) == 1 {
		return names[0] + " has won"
	}
	return match.JoinAnd(names) + " have won"
}

// FindUnreported finds, for some seats, the events and remarks since the last letter with a question to each seat.
// entries are the entries since the oldest of these letters, events the events of each entry. It leaves out events
// that were taken back or undone: the remark on the take-back names the orders.
func FindUnreported(turn *match.Turn, seats rules.Seats, entries []record.Entry, events [][]rules.Event) map[rules.Seat]match.Unreported {
	out := map[rules.Seat]match.Unreported{}
	for n := range entries {
		for i := range turn.Match.Seats {
			seat := rules.Seat(i)
			if entry := &entries[n]; seats.Has(seat) && entry.Seq >= turn.Match.Seats[i].EntriesWhenAsked {
				if entry.Act == nil && entry.Player == "" && isTakenBack(entry.Seq, entries, turn.Entries) {
					continue
				}
				unreported := out[seat]
				unreported.Events, unreported.Remarks = append(unreported.Events, match.EventsVisibleTo(events[n], seat)...),
					append(unreported.Remarks, EntryRemarks(turn, entries, entry, seat)...)
				out[seat] = unreported
			}
		}
	}
	return out
}

func isTakenBack(seq int, lists ...[]record.Entry) bool {
	for _, entries := range lists {
		if slices.ContainsFunc(entries, func(e record.Entry) bool { return e.FirstTakenBack > 0 && e.FirstTakenBack <= seq && seq < e.Seq }) {
			return true
		}
	}
	return false
}
