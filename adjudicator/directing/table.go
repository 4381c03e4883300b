package directing

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"samizdat/adjudicator/match"
	"samizdat/internal/lazyregexp"
)

// entry is a verb of the table.
type entry struct {
	verb Verb
	// pattern finds an act in the whole of a row, take reads what it has found.
	pattern *lazyregexp.Regexp
	take    func(a *Act, m []string) error
	// form is how the act is written, does what it does.
	form, does string
	// reasonless means that the act is its own reason.
	reasonless bool
}

// span is how a length of time is written.
const span = `(\d{1,4})\s*(m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)`

// seat is how a seat is written: its name, or its number.
const seat = `(?:the\s+)?([\pL\d_.'-]+)`

// table lists the verbs, as HELP lists them.
var table = []entry{
	{verb: Pause, pattern: row(`pause(?:\s+(?:for\s+)?` + span + `)?`), form: "PAUSE 2 weeks", does: "stops all clocks, for so long or until RESUME",
		take: func(a *Act, m []string) (err error) {
			if m[1] != "" {
				a.Span, err = spanOf(m[1], m[2])
			}
			return err
		}},
	{verb: Resume, pattern: row(`resume`), form: "RESUME", does: "ends a pause"},
	{verb: Extend, pattern: row(`extend\s+` + seat + `\s+(?:(?:by|for)\s+)?` + span), form: "EXTEND seat BY 2 days", does: "gives a player more time",
		take: func(a *Act, m []string) (err error) {
			a.Seat = m[1]
			a.Span, err = spanOf(m[2], m[3])
			return err
		}},
	{verb: Replace, pattern: row(`replace\s+` + seat + `\s+(?:with|by)\s+(.*@.*?)`), form: "REPLACE seat WITH ann@example.org", does: "puts another player into a seat",
		take: func(a *Act, m []string) error { a.Seat, a.Address = m[1], m[2]; return nil }},
	{verb: Undo, pattern: row(`undo\s+to\s+(?:entry\s+)?#?(\d{1,6})`), form: "UNDO TO 12", does: "undoes entry 12 of the history, and all behind it",
		take: func(a *Act, m []string) (err error) { a.Entry, err = strconv.Atoi(m[1]); return err }},
	{verb: Annul, pattern: row(`annul(?:\s+(?:(?:the|this)\s+)?match)?`), form: "ANNUL", does: "ends the match without a result"},
	{verb: Rule, pattern: row(`rule\s+(.+?)`), form: "RULE seat", does: "ends the match: these seats win; RULE DRAW, RULE NOBODY", take: ruling},
	{verb: Cancel, pattern: row(`cancel(?:\s+(?:(?:the|this)\s+)?(?:invitation|match))?`), form: "CANCEL", does: "takes back the invitation to a match that has not begun"},
	{verb: Tell, pattern: lazyregexp.New(`(?is)^tell\s+all\b[\s:,]*(.*)$`), form: "TELL ALL the text", does: "tells all players", reasonless: true,
		take: func(a *Act, m []string) error {
			a.Text = strings.TrimSpace(m[1])
			switch {
			case a.Text == "":
				return errors.New("it wants the text behind it")
			case utf8.RuneCountInString(a.Text) > mostText:
				return fmt.Errorf("the text has more than %d characters", mostText)
			}
			return nil
		}},
}

const (
	// mostText and mostWhy are how many characters a text to all and a reason may have.
	mostText, mostWhy = 2000, 500
	// mostSpan is the longest pause, or the most time that is given at once.
	mostSpan = 366 * 24 * time.Hour
)

// row makes a pattern that stands for a whole row in any case, with a stop behind it or
// none.
func row(pattern string) *lazyregexp.Regexp { return lazyregexp.New(`(?i)^` + pattern + `\s*[.!;]?$`) }

// spanOf reads a length of time.
func spanOf(n, unit string) (time.Duration, error) {
	for _, u := range match.SpanUnits {
		if u.Name[0] != strings.ToLower(unit)[0] {
			continue
		}
		many, err := strconv.Atoi(n)
		switch d := time.Duration(many) * u.Is; {
		case err != nil:
			return 0, err
		case d < time.Minute || d > mostSpan:
			return 0, errors.New("it can be from 1 minute to 366 days")
		default:
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q is no unit of time", unit)
}

// ruling reads whom a ruling names.
func ruling(a *Act, m []string) error {
	said := strings.TrimSpace(m[1])
	switch strings.ToUpper(said) {
	case "DRAW", "A DRAW":
		a.Draw = true
		return nil
	case "NOBODY", "NO WINNER", "NOBODY WINS":
		a.Nobody = true
		return nil
	}
	for _, name := range separators.Split(winning.ReplaceAllString(said, ""), -1) {
		name = strings.TrimSpace(name)
		if strings.EqualFold(name, "draw") || strings.EqualFold(name, "nobody") || name == "" || strings.ContainsAny(name, " ?\"") {
			return errors.New("it wants the seats that win, or DRAW, or NOBODY")
		}
		a.Winners = append(a.Winners, name)
	}
	return nil
}

var (
	separators = lazyregexp.New(`(?i)\s*(?:,|&|\+|\band\b)\s*(?:the\s+)?`)
	winning    = lazyregexp.New(`(?i)^(?:the\s+)?(?:winners?:?\s+)?(?:the\s+)?|\s+wins?$|\s+(?:has|have)\s+won$`)
)

// errNoAct says that a row is no act.
var errNoAct = errors.New("it is none of the director's words")

// parse reads a row as an act, without its reason. Of a row that only begins like one the
// error says how it is written; of any other it is errNoAct.
func parse(text string) (a Act, e *entry, err error) {
	text = strings.TrimSpace(text)
	for i := range table {
		e := &table[i]
		if !begins(text, string(e.verb)) {
			continue
		}
		m := e.pattern.FindStringSubmatch(text)
		if m == nil || e.verb != Tell && strings.HasSuffix(text, "?") {
			return a, e, fmt.Errorf("write %s", e.form)
		}
		a = Act{Verb: e.verb}
		if e.take != nil {
			err = e.take(&a, m)
		}
		return a, e, err
	}
	return a, nil, errNoAct
}

// begins reports whether a row begins with the words of a verb. TELL is enough for what
// all are told.
func begins(text, verb string) bool {
	verb, _, _ = strings.Cut(verb, " ")
	rest, ok := cutWord(text, verb)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t:.,!;?"))
}

// cutWord takes a word off the beginning of a text, however it is written.
func cutWord(text, word string) (rest string, ok bool) {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return text, false
	}
	return text[len(word):], true
}

// Parse reads an act as the command line has it.
func Parse(text, why string) (Act, error) {
	a, e, err := parse(text)
	switch {
	case errors.Is(err, errNoAct):
		return a, fmt.Errorf("%q: %w; there are %s", text, err, strings.Join(Words(), ", "))
	case err != nil:
		return a, fmt.Errorf("%q: %w", text, err)
	}
	return a, e.reason(&a, why)
}

// The reasons why there is none.
var (
	errNoReason   = errors.New("it wants a reason: the players are told it, and the record keeps it")
	errLongReason = fmt.Errorf("the reason has more than %d characters", mostWhy)
)

// reason gives an act its reason.
func (e *entry) reason(a *Act, why string) error {
	a.Why = printable(why)
	switch {
	case e.reasonless:
		a.Why = ""
	case a.Why == "":
		return errNoReason
	case utf8.RuneCountInString(a.Why) > mostWhy:
		return errLongReason
	}
	return nil
}

// Words lists the verbs.
func Words() (out []string) {
	for _, e := range table {
		out = append(out, string(e.verb))
	}
	return out
}

// Form is an act as it is written, with what it does.
type Form struct{ Act, Does string }

// Forms lists the acts, as HELP shows them.
func Forms() (out []Form) {
	for _, e := range table {
		out = append(out, Form{e.form, e.does})
	}
	return out
}
