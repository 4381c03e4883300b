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

func setFormat(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	seat, letters := j.writer(), j.a.Letters
	if f, ok := map[string]match.Format{"TEXT": match.FormatText, "HTML": match.FormatHTML, "PICTURE": match.FormatPicture,
		"PICTURES": match.FormatPicture}[c.Choice]; ok {
		if seat.Format = f; seat.Script == match.ScriptPlain {
			seat.Script = ""
		}
		switch {
		case f == match.FormatText:
			return did("Your letters are text only from now on.")
		case f == match.FormatHTML && !letters.HTML:
			return did("This referee sends no pages; your letters stay text.")
		case f == match.FormatHTML:
			return did("Your letters have a page beside the text from now on, without pictures.")
		case !letters.Pictures:
			return did("This referee sends no pictures.")
		}
		return did("Your letters have a picture of the map from now on.")
	}
	switch c.Choice {
	case "ASCII":
		seat.Script = ""
		return did("Your letters write names without accents from now on.")
	case "UTF8", "UTF-8":
		seat.Script = match.ScriptUTF8
		return did("Your letters write names as they are printed from now on. Orders may leave accents out.")
	case "QUIET":
		seat.Confirm = match.ConfirmNone
		return did("You get no letter from now on that only says what was done or what the others have done. The next letter that asks " +
			"you something tells all of that. Refusals, answers, messages and the end of the match always come. FORMAT NORMAL ends this.")
	case "LOUD":
		seat.Confirm = match.ConfirmAll
		return did("You get a short letter from now on whenever your orders were carried out, and whenever others have played.")
	case "NORMAL":
		seat.Confirm = match.ConfirmNews
		return did("You get a short letter from now on for each letter of orders at the beginning of a match, later when " +
			"your orders have led to more than they say, such as a roll of the dice, and when the turn of another player is " +
			"over. FORMAT LOUD sends one for every order.")
	case "CALENDAR":
		setPlayer(j, seat.Player.Zone, true)
		return did("Letters that ask you something in a match with clocks have an entry for your calendar from now on, at the end of your " +
			"time. FORMAT CALENDAR OFF ends this.")
	}
	setPlayer(j, seat.Player.Zone, false)
	return did("Your letters have no entry for a calendar from now on.")
}

// setPlayer sets a preference of the player that holds in all matches.
func setPlayer(j *letterRun, zone string, calendar bool) {
	if who := j.writer().Player; who.Zone != zone || who.Calendar != calendar {
		who.Zone, who.Calendar, j.reply.contact.player = zone, calendar, who
	}
}

func setPlain(_ context.Context, j *letterRun, _ letter.Command) (Outcome, error) {
	j.writer().Format, j.writer().Script = match.FormatText, match.ScriptPlain
	return did("Your letters are text in plain ASCII from now on.")
}

func setLanguage(_ context.Context, _ *letterRun, c letter.Command) (Outcome, error) {
	if c.Choice == "ENGLISH" || c.Choice == "EN" {
		return did("Letters are written in English.")
	}
	return declined("Letters are written in English only.")
}

func setZone(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	who := j.writer().Player
	if c.Text != "" {
		setPlayer(j, c.Text, who.Calendar)
	}
	return did(fmt.Sprintf("The times in your letters are those of %s. It is %s. Other "+
		"players are not told.", compose.ZoneName(who.Zone), zone.FormatTime(j.a.Now(), who.Zone)))
}

func renewToken(ctx context.Context, j *letterRun, _ letter.Command) (Outcome, error) {
	if err := renewKey(j.a, j.writer()); err != nil {
		j.a.Log.ErrorContext(ctx, "no new token could be made", "match", j.turn.Match.ID, "error", err)
		return declined("Samizdat failed over it. Please try again.")
	}
	return did("The address that you answer to has changed: reply to this letter, older ones no longer count.")
}

// setGrace shows or sets the delay of the writer's orders.
func setGrace(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	d := &j.writer().Timing.Grace
	switch why := setSpan(d, j.a.AtTable, 24*time.Hour, c); {
	case why != "":
		return refuse(why)
	case *d == 0:
		return did("Your orders are carried out as soon as they come.")
	}
	return did("Your orders are held back for " + compose.Hours(*d) + ". Until then another letter with orders takes their place, CANCEL " +
		"ORDERS drops them, and NOW carries them out.")
}

// setDelay shows or sets the random delay of the writer's pending answers.
func setDelay(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	d := &j.writer().Timing.AnswerDelay
	switch why := setSpan(d, j.a.AtTable, 48*time.Hour, c); {
	case why != "":
		return refuse(why)
	case *d == 0:
		return did("What is kept for you answers at once.")
	}
	return did("What is kept for you answers another's letter within " + compose.Hours(*d) + ", at a time that nobody can tell beforehand.")
}

func setSpan(d *time.Duration, atTable bool, most time.Duration, c letter.Command) (why string) {
	switch {
	case c.Choice == letter.Set && atTable:
		return "There is no waiting at one table: orders are carried out as they come, and what is kept answers at once."
	case c.Choice == letter.Set && (c.Time < time.Minute || c.Time > most):
		return fmt.Sprintf("It can be from 1 minute to %s, or OFF.", compose.Hours(most))
	case c.Choice != "":
		*d = c.Time
	}
	return ""
}

// refuseObserver refuses OBSERVE by a player: only people outside a match can observe it.
func refuseObserver(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if c.Text != "" && c.Text != strings.ToLower(j.turn.Match.ID) {
		return declined("To watch another match, write a new letter to " + j.a.Post.Referee() + ", not a reply. This one goes to the " +
			"match that you play in.")
	}
	return declined("You play in this match: your letters tell you what those who watch are told, and more.")
}
