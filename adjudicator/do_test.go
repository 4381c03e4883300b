package adjudicator

import (
	"testing"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules/dawn1989"
)

// TestDoings: every order that has a turn does something, and what says how others are meant does nothing.
func TestDoings(t *testing.T) {
	t.Parallel()
	for _, e := range letter.OrderSpecsByRole[letter.RolePlayer] {
		if done := commandFuncs[e.Word] != nil; done == (e.Class == letter.ClassModifier) {
			t.Errorf("%s has class %d, and does something: %v", e.Word, e.Class, done)
		}
	}
}

// settings are what orders of one's own change, as TestSettings compares them.
type settings struct {
	Format       match.Format
	Script       match.Script
	Grace, Delay time.Duration
}

// TestSettings carries out orders that change how the writer's letters are written and his orders treated.
func TestSettings(t *testing.T) {
	t.Parallel()
	reader := letter.New(dawn1989.Game())
	for _, test := range []struct {
		text    string
		was, is settings
		table   bool
		came    match.LineOutcome
		stops   bool
		note    string
	}{
		{text: "PLAIN", is: settings{Format: match.FormatText, Script: match.ScriptPlain}, note: "From now on your letters are plain ASCII text."},
		{text: "FORMAT HTML", was: settings{Script: match.ScriptPlain}, is: settings{Format: match.FormatHTML}, note: "This referee sends no HTML pages. Your letters stay text only."},
		{text: "FORMAT ASCII", was: settings{Script: match.ScriptUTF8}, note: "From now on your letters write names without accents."},
		{text: "GRACE 2 hours", is: settings{Grace: 2 * time.Hour},
			note: "Your orders wait for 2 hours before they are carried out. Until then a new letter with orders replaces them, CANCEL ORDERS drops them, and NOW carries them out at once."},
		{text: "GRACE 25 hours", came: match.OutcomeRefused, stops: true, note: "Write a time from 1 minute to 24 hours, or OFF."},
		{text: "DELAY 0 minutes", came: match.OutcomeRefused, stops: true, note: "Write a time from 1 minute to 48 hours, or OFF."},
		{text: "DELAY 49 minutes", table: true, came: match.OutcomeRefused, stops: true, note: "Players at one table do not wait: orders are carried out as they come, and saved orders answer at once."},
		{text: "DELAY OFF", was: settings{Delay: time.Hour}, note: "Your saved orders answer at once."},
		{text: "LANGUAGE latin", came: match.OutcomeRefused, note: "Letters are written in English only."},
		{text: "OBSERVE abc", came: match.OutcomeRefused, note: "You play in this match, so your letters tell you everything that observers are told, and more."},
		{text: "SHOW ORDERS", note: "You have no saved orders."},
		{text: "DROP", note: "You had no saved orders."},
		{text: "CARD 14 STATUS", came: match.OutcomeRefused, stops: true, note: "Write CARD and the number or title of a card, and nothing else."},
	} {
		lines, err := reader.Read(letter.Letter{Text: test.text})
		if err != nil || len(lines) != 1 || lines[0].Kind != letter.KindRefereeOrder {
			t.Fatalf("%q is read as %+v, %v", test.text, lines, err)
		}
		var seat match.Seat
		seat.Player, seat.Format, seat.Script = &match.Player{}, test.was.Format, test.was.Script
		seat.Private.Grace, seat.Private.AnswerDelay = test.was.Grace, test.was.Delay
		turn := &match.Turn{Match: &match.Match{ID: "abc", Seats: []match.Seat{seat}}}
		run := &letterRun{adjudicator: &Adjudicator{}, turn: turn, execution: &match.Execution{Turn: turn}}
		run.adjudicator.AtTable = test.table
		result, err := commandFuncs[lines[0].Command.Word](t.Context(), run, lines[0].Command)
		want := CommandResult{test.came, test.stops, test.note}
		if want.outcome == "" {
			want.outcome = match.OutcomeDone
		}
		s := turn.Match.Seats[0]
		if is := (settings{s.Format, s.Script, s.Private.Grace, s.Private.AnswerDelay}); err != nil || result != want || is != test.is {
			t.Errorf("%q: %+v, %v, %+v; want %+v, %+v", test.text, result, err, is, want, test.is)
		}
	}
}
