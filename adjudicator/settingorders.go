package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/zone"
)

func setFormat(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	seat, letters := run.writerSeat(), run.adjudicator.LetterOptions
	if f, ok := map[string]match.Format{"TEXT": match.FormatText, "HTML": match.FormatHTML, "PICTURE": match.FormatPicture,
		"PICTURES": match.FormatPicture, "SPOKEN": match.FormatSpoken}[command.Choice]; ok {
		if seat.Format = f; seat.Script == match.ScriptPlain {
			seat.Script = ""
		}
		switch {
		case f == match.FormatText:
			return succeed("From now on your letters are text only.")
		case f == match.FormatSpoken:
			return succeed("From now on your letters are for a screen reader: sentences in place of tables and drawings, without a page. " +
				"FORMAT TEXT ends this.")
		case f == match.FormatHTML && !letters.HTML:
			return succeed("This referee sends no HTML pages. Your letters stay text only.")
		case f == match.FormatHTML:
			return succeed("From now on your letters have an HTML page as well as the text, without pictures.")
		case !letters.Pictures:
			return succeed("This referee sends no pictures.")
		}
		return succeed("From now on your letters have a picture of the map.")
	}
	switch command.Choice {
	case "ASCII":
		seat.Script = ""
		return succeed("From now on your letters write names without accents.")
	case "UTF8", "UTF-8":
		seat.Script = match.ScriptUTF8
		return succeed("From now on your letters write names as they are printed. You need not write accents in orders.")
	case "QUIET":
		seat.Confirm = match.ConfirmNone
		return succeed("From now on you get no letter that only reports what was played. Your next letter with a question tells " +
			"all of it. You still get refusals, answers, messages and the end of the match. FORMAT NORMAL ends this.")
	case "LOUD":
		seat.Confirm = match.ConfirmAll
		return succeed("From now on you get a short letter whenever your orders are carried out, and whenever another player has played.")
	case "NORMAL":
		seat.Confirm = match.ConfirmNews
		return succeed("From now on you get a short letter for each letter of orders early in a match; later only when your " +
			"orders led to something new, such as a roll of the dice, and when another player's turn is over. FORMAT LOUD " +
			"sends one for every order.")
	case "CALENDAR":
		setPlayer(run, seat.Player.Zone, true)
		return succeed("From now on letters with a question carry an entry for your calendar with your deadline, in matches with " +
			"clocks. FORMAT CALENDAR OFF ends this.")
	}
	setPlayer(run, seat.Player.Zone, false)
	return succeed("From now on your letters carry no calendar entry.")
}

// setPlayer sets the time zone and the calendar setting of the player for all matches.
func setPlayer(run *letterRun, zone string, calendar bool) {
	if player := run.writerSeat().Player; player.Zone != zone || player.Calendar != calendar {
		player.Zone, player.Calendar, run.effects.playerChange.player = zone, calendar, player
	}
}

func setPlain(_ context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	run.writerSeat().Format, run.writerSeat().Script = match.FormatText, match.ScriptPlain
	return succeed("From now on your letters are plain ASCII text.")
}

func setLanguage(_ context.Context, _ *letterRun, command letter.Command) (CommandResult, error) {
	if command.Choice == "ENGLISH" || command.Choice == "EN" {
		return succeed("Letters are written in English.")
	}
	return refuseAndContinue("Letters are written in English only.")
}

func setZone(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	player := run.writerSeat().Player
	if command.Text != "" {
		setPlayer(run, command.Text, player.Calendar)
	}
	return succeed(fmt.Sprintf("Your time zone is %s: it is now %s. Other players are not "+
		"told.", compose.ZoneName(player.Zone), zone.FormatTime(run.adjudicator.Now(), player.Zone)))
}

func setQuiet(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	player := run.writerSeat().Player
	note, changed := ChangeQuiet(player, command)
	if changed {
		run.effects.playerChange.player = player
	}
	return succeed(note)
}

// ChangeQuiet sets or shows the quiet hours of a player. changed is set if they changed.
func ChangeQuiet(player *match.Player, command letter.Command) (note string, changed bool) {
	if command.Choice != "" {
		q, _ := clock.ParseQuietHours(command.First, command.Last)
		if command.Choice != letter.ChoiceSet {
			q = clock.QuietHours{}
		}
		player.Away.Quiet, changed = q, q != player.Away.Quiet
	}
	if player.Away.Quiet == (clock.QuietHours{}) {
		return "Reminders are sent to you at any hour.", changed
	}
	return fmt.Sprintf("Reminders to you wait during %s in %s. Your clocks run on, and all other letters come at once. QUIET OFF "+
		"ends this.", player.Away.Quiet, compose.ZoneName(player.Zone)), changed
}

func renewToken(ctx context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	if err := renewKey(run.adjudicator, run.writerSeat()); err != nil {
		run.adjudicator.Log.ErrorContext(ctx, "cannot create a seat key", "match", run.turn.Match.ID, "error", err)
		return refuseAndContinue("Samizdat made an error. Please try again.")
	}
	return succeed("Our reply address for you has changed: reply to this letter, because replies to older letters no longer count.")
}

// maxNotesLength is the maximum number of characters of a player's notes in a match.
const maxNotesLength = 500

func saveNote(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	notes := &run.writerSeat().Private.Notes
	switch {
	case command.Choice != "":
		*notes = nil
		return succeed("Your notes are deleted.")
	case command.Text == "" && len(*notes) == 0:
		return refuseAndContinue("Write your note after NOTE. Only you will see it.")
	case command.Text == "":
		return succeed("Your notes are below. NOTE CLEAR deletes them.")
	case utf8.RuneCountInString(strings.Join(append(*notes, command.Text), "\n")) > maxNotesLength:
		return refuseAndContinue(fmt.Sprintf("The note was not saved: your notes may have %d characters in all. NOTE CLEAR deletes them.",
			maxNotesLength))
	}
	*notes = append(slices.Clone(*notes), command.Text)
	return succeed("Saved. Only your own letters show your notes, until you send NOTE CLEAR.")
}

func setGrace(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	d := &run.writerSeat().Private.Grace
	switch reason := setSpan(d, run.adjudicator.AtTable, 24*time.Hour, command); {
	case reason != "":
		return refuseAndStop(reason)
	case *d == 0:
		return succeed("Your orders are carried out as soon as they arrive.")
	}
	return succeed("Your orders wait for " + compose.FormatHours(*d) + " before they are carried out. Until then a new letter " +
		"with orders replaces them, CANCEL ORDERS drops them, and NOW carries them out at once.")
}

func setDelay(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	d := &run.writerSeat().Private.AnswerDelay
	switch reason := setSpan(d, run.adjudicator.AtTable, 48*time.Hour, command); {
	case reason != "":
		return refuseAndStop(reason)
	case *d == 0:
		return succeed("Your saved orders answer at once.")
	}
	return succeed("Your saved orders answer another player's letter within " + compose.FormatHours(*d) + ", at a random time.")
}

// setSpan sets the duration of GRACE or DELAY, which must not exceed maximum. reason says why the order is refused; it is ""
// if the order is accepted.
func setSpan(d *time.Duration, atTable bool, maximum time.Duration, command letter.Command) (reason string) {
	switch {
	case command.Choice == letter.ChoiceSet && atTable:
		return "Players at one table do not wait: orders are carried out as they come, and saved orders answer at once."
	case command.Choice == letter.ChoiceSet && (command.Duration < time.Minute || command.Duration > maximum):
		return fmt.Sprintf("Write a time from 1 minute to %s, or OFF.", compose.FormatHours(maximum))
	case command.Choice != "":
		*d = command.Duration
	}
	return ""
}

// refuseObserver answers OBSERVE and UNOBSERVE of a player: players cannot observe their own match.
func refuseObserver(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if command.Text != "" && command.Text != strings.ToLower(run.turn.Match.ID) {
		return refuseAndContinue("To watch another match, write a new letter to " + run.adjudicator.Codec.Referee() + ", not a reply. " +
			"Your reply goes to the match that you play in.")
	}
	return refuseAndContinue("You play in this match, so your letters tell you everything that observers are told, and more.")
}
