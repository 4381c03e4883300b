package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/zone"
)

func setFormat(_ context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	seat, letters := run.writerSeat(), run.a.Letters
	if f, ok := map[string]match.Format{"TEXT": match.FormatText, "HTML": match.FormatHTML, "PICTURE": match.FormatPicture,
		"PICTURES": match.FormatPicture}[c.Choice]; ok {
		if seat.Format = f; seat.Script == match.ScriptPlain {
			seat.Script = ""
		}
		switch {
		case f == match.FormatText:
			return done("Your letters are text only from now on.")
		case f == match.FormatHTML && !letters.HTML:
			return done("This referee sends no pages; your letters stay text.")
		case f == match.FormatHTML:
			return done("Your letters have a page beside the text from now on, without pictures.")
		case !letters.Pictures:
			return done("This referee sends no pictures.")
		}
		return done("Your letters have a picture of the map from now on.")
	}
	switch c.Choice {
	case "ASCII":
		seat.Script = ""
		return done("Your letters write names without accents from now on.")
	case "UTF8", "UTF-8":
		seat.Script = match.ScriptUTF8
		return done("Your letters write names as they are printed from now on. Orders may leave accents out.")
	case "QUIET":
		seat.Confirm = match.ConfirmNone
		return done("You get no letter from now on that only says what was done or what the others have done. The next letter that asks " +
			"you something tells all of that. Refusals, answers, messages and the end of the match always come. FORMAT NORMAL ends this.")
	case "LOUD":
		seat.Confirm = match.ConfirmAll
		return done("You get a short letter from now on whenever your orders were carried out, and whenever others have played.")
	case "NORMAL":
		seat.Confirm = match.ConfirmNews
		return done("You get a short letter from now on for each letter of orders at the beginning of a match, later when " +
			"your orders have led to more than they say, such as a roll of the dice, and when the turn of another player is " +
			"over. FORMAT LOUD sends one for every order.")
	case "CALENDAR":
		setPlayer(run, seat.Player.Zone, true)
		return done("Letters that ask you something in a match with clocks have an entry for your calendar from now on, at the end of your " +
			"time. FORMAT CALENDAR OFF ends this.")
	}
	setPlayer(run, seat.Player.Zone, false)
	return done("Your letters have no entry for a calendar from now on.")
}

// setPlayer sets a preference of the player that holds in all matches.
func setPlayer(run *letterRun, zone string, calendar bool) {
	if player := run.writerSeat().Player; player.Zone != zone || player.Calendar != calendar {
		player.Zone, player.Calendar, run.effects.contact.player = zone, calendar, player
	}
}

func setPlain(_ context.Context, run *letterRun, _ letter.Command) (Outcome, error) {
	run.writerSeat().Format, run.writerSeat().Script = match.FormatText, match.ScriptPlain
	return done("Your letters are text in plain ASCII from now on.")
}

func setLanguage(_ context.Context, _ *letterRun, c letter.Command) (Outcome, error) {
	if c.Choice == "ENGLISH" || c.Choice == "EN" {
		return done("Letters are written in English.")
	}
	return refuseAndContinue("Letters are written in English only.")
}

func setZone(_ context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	player := run.writerSeat().Player
	if c.Text != "" {
		setPlayer(run, c.Text, player.Calendar)
	}
	return done(fmt.Sprintf("The times in your letters are those of %s. It is %s. Other "+
		"players are not told.", compose.ZoneName(player.Zone), zone.FormatTime(run.a.Now(), player.Zone)))
}

func renewToken(ctx context.Context, run *letterRun, _ letter.Command) (Outcome, error) {
	if err := renewKey(run.a, run.writerSeat()); err != nil {
		run.a.Log.ErrorContext(ctx, "no new token could be made", "match", run.turn.Match.ID, "error", err)
		return refuseAndContinue("Samizdat failed over it. Please try again.")
	}
	return done("The address that you answer to has changed: reply to this letter, older ones no longer count.")
}

// setGrace shows or sets the delay of the writer's orders.
func setGrace(_ context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	d := &run.writerSeat().Timing.Grace
	switch reason := setSpan(d, run.a.AtTable, 24*time.Hour, c); {
	case reason != "":
		return refuseAndStop(reason)
	case *d == 0:
		return done("Your orders are carried out as soon as they come.")
	}
	return done("Your orders are held back for " + compose.FormatHours(*d) + ". Until then another letter with orders takes their place, CANCEL " +
		"ORDERS drops them, and NOW carries them out.")
}

// setDelay shows or sets the random delay of the writer's pending answers.
func setDelay(_ context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	d := &run.writerSeat().Timing.AnswerDelay
	switch reason := setSpan(d, run.a.AtTable, 48*time.Hour, c); {
	case reason != "":
		return refuseAndStop(reason)
	case *d == 0:
		return done("What is kept for you answers at once.")
	}
	return done("What is kept for you answers another's letter within " + compose.FormatHours(*d) + ", at a time that nobody can tell beforehand.")
}

func setSpan(d *time.Duration, atTable bool, maximum time.Duration, c letter.Command) (reason string) {
	switch {
	case c.Choice == letter.Set && atTable:
		return "There is no waiting at one table: orders are carried out as they come, and what is kept answers at once."
	case c.Choice == letter.Set && (c.Time < time.Minute || c.Time > maximum):
		return fmt.Sprintf("It can be from 1 minute to %s, or OFF.", compose.FormatHours(maximum))
	case c.Choice != "":
		*d = c.Time
	}
	return ""
}

// refuseObserver refuses OBSERVE by a player: only people outside a match can observe it.
func refuseObserver(_ context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	if c.Text != "" && c.Text != strings.ToLower(run.turn.Match.ID) {
		return refuseAndContinue("To watch another match, write a new letter to " + run.a.Post.Referee() + ", not a reply. This one goes to the " +
			"match that you play in.")
	}
	return refuseAndContinue("You play in this match: your letters tell you what those who watch are told, and more.")
}
