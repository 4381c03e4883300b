package letter

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/naming"
	"samizdat/adjudicator/order"
	"samizdat/internal/lazyregexp"
)

// A directive is an order of the director, e.g. "EXTEND democrat BY 2 days BECAUSE he is ill". It changes or ends a match without the
// players' consent, so its syntax is strict: a directive fills its row, and has a reason. A row with other words is polite talk or a
// doubt (DirectorOrders.Doubts). Directives on the command line have the same syntax.

var directorOrderSpecs = []*OrderSpec{
	{Word: Word(match.DirectorPause), readDirective: matchDirective(`pause(?:\s+(?:for\s+)?`+timePattern+`)?`, func(directive *match.Directive, m []string) (err error) {
		if m[1] != "" {
			directive.Duration, err = parseDirectiveDuration(m[1], m[2])
		}
		return err
	}), Help: []Form{{"PAUSE 2 weeks", "stops all clocks for that time; without a time, until RESUME"}}},
	{Word: Word(match.DirectorResume), readDirective: matchDirective(`resume`, nil), Help: []Form{{"RESUME", "ends a pause"}}},
	{Word: Word(match.DirectorExtend), readDirective: matchDirective(`extend\s+`+seatPattern+`\s+(?:(?:by|for)\s+)?`+timePattern, func(directive *match.Directive, m []string) (err error) {
		directive.Seat = m[1]
		directive.Duration, err = parseDirectiveDuration(m[2], m[3])
		return err
	}), Help: []Form{{"EXTEND seat BY 2 days", "gives the player of that seat more time"}}},
	{Word: Word(match.DirectorReplace), readDirective: matchDirective(`replace\s+`+seatPattern+`\s+(?:with|by)\s+(.*@.*?)`, func(directive *match.Directive, m []string) error {
		directive.Seat, directive.Address = m[1], m[2]
		return nil
	}), Help: []Form{{"REPLACE seat WITH ann@example.org", "puts another player into that seat"}}},
	{Word: Word(match.DirectorUndo), readDirective: matchDirective(`undo\s+to\s+(?:entry\s+)?#?(\d{1,6})`, func(directive *match.Directive, m []string) (err error) {
		directive.Entry, err = strconv.Atoi(m[1])
		return err
	}), Help: []Form{{"UNDO TO 12", "undoes entry 12 of the history, and everything after it"}}},
	{Word: Word(match.DirectorAnnul), readDirective: matchDirective(`annul(?:\s+(?:(?:the|this)\s+)?match)?`, nil), Help: []Form{{"ANNUL", "ends the match without a result"}}},
	{Word: Word(match.DirectorRule), readDirective: matchDirective(`rule\s+(.+?)`, readRuling), Help: []Form{{"RULE seat", "ends the match, and that seat wins (RULE seat AND seat: both win); RULE DRAW ends it as a draw, RULE NOBODY without a winner"}}},
	{Word: Word(match.DirectorCancel), readDirective: matchDirective(`cancel(?:\s+(?:(?:the|this)\s+)?(?:invitation|match))?`, nil),
		Help: []Form{{"CANCEL", "takes back the invitation to a match that has not begun"}}},
	{Word: Word(match.DirectorTell), readDirective: matchDirective(`tell\s+all\b[\s:,]*((?s:.*))`, readTell), Help: []Form{{"TELL ALL the text", "sends the text to all players and observers"}}},
}

var clubDirectorOrderSpecs = []*OrderSpec{
	{Word: Word(club.Admit), Help: []Form{{"ADMIT Ada", "admits Ada, if she has asked to join"}}},
	{Word: Word(club.Refuse), Help: []Form{{"REFUSE Ada BECAUSE ...", "turns Ada down"}}},
	{Word: Word(club.Ban), Help: []Form{{"BAN Ada BECAUSE ...",
		"bans Ada: she can no longer offer or accept matches; matches that have begun go on"}}},
	{Word: Word(club.Unban), Help: []Form{{"UNBAN Ada BECAUSE ...", "ends the ban"}}},
	{Word: Word(club.Annul), Help: []Form{{"ANNUL mabcdefg BECAUSE ...", "removes the result of a match from the ladder"}}},
	{Word: Word(club.Restore), Help: []Form{{"RESTORE mabcdefg BECAUSE ...", "puts an annulled result back on the ladder"}}},
	{Word: Word(club.Announce), Help: []Form{{"ANNOUNCE ...",
		"tells all members the rest of your letter, in their digests and on the club's pages"}}},
	{Word: Word(club.OpenTournament), requiredText: "its terms, such as TOURNAMENT autumn-cup 1989 SWISS TEMPO slow STARTS 2026-12-01",
		Help: []Form{{"TOURNAMENT autumn-cup 1989 SWISS TEMPO slow STARTS 2026-12-01 BECAUSE ...",
			"opens a tournament that members can enter. In place of SWISS you can write ROUND ROBIN or KNOCK-OUT. Before BECAUSE you can " +
				"add ROUNDS 5 (five rounds, in SWISS), UP TO 16 (at most 16 players) and, in ROUND ROBIN, TWICE (each pair plays twice, " +
				"with swapped sides) and TOGETHER (all rounds start at once)"}}},
	{Word: Word(club.EnterPlayer), requiredText: "the name of a member, such as ENTER autumn-cup Ada",
		Help: []Form{{"ENTER autumn-cup Ada BECAUSE ...", "enters Ada, even after the start if that is possible"}}},
	{Word: Word(club.WithdrawPlayer), requiredText: "the name of a member, such as WITHDRAW autumn-cup Ada",
		Help: []Form{{"WITHDRAW autumn-cup Ada BECAUSE ...", "withdraws Ada"}}},
	{Word: Word(club.SwapPlayers), requiredText: "the names of two members, such as SWAP autumn-cup Ada AND Ben",
		Help: []Form{{"SWAP autumn-cup Ada AND Ben BECAUSE ...", "swaps two players in the newest round of a Swiss tournament"}}},
	{Word: Word(club.CallOffTournament), Help: []Form{{"CALL OFF autumn-cup BECAUSE ...",
		"calls the tournament off; its matches go on outside it"}}},
}

// DirectorOrders is a parsed letter of the director, about a match or the club.
type DirectorOrders[D any] struct {
	// Directives are the directives in the letter. If there are several, none is carried out.
	Directives []D
	// Yes and No answer a question for confirmation.
	Yes, No bool
	// Status, Help and History are queries. Entry is the last entry that History shows; -1 if the letter names none.
	Status, Help, History bool
	Entry                 int
	// RefusedLines are rows that look like directives but are not understood.
	RefusedLines []Line
	// Doubts are rows that are neither orders nor polite talk.
	Doubts []string
}

// readCommonOrder reads an order that letters about matches and letters about the club have in common, e.g. YES. It returns false for
// other rows.
func (d *DirectorOrders[D]) readCommonOrder(row string) bool {
	answer, m := consent.Read(row), commonOrderPattern.FindStringSubmatch(row)
	if m == nil { // "STATUS, please", "Please send HELP"
		trimmed := row
		for rest, ok := order.TrimFunctionWord(row); ok; rest, ok = order.TrimFunctionWord(rest) {
			trimmed = rest
		}
		m = commonOrderPattern.FindStringSubmatch(order.TrimThanks(trimmed))
	}
	switch {
	case answer == consent.Yes:
		d.Yes = true
	case answer == consent.No:
		d.No = true
	case m == nil:
		return false
	case m[1] != "":
		d.Status = true
	case m[2] != "":
		d.Help = true
	default:
		d.History = true
		if n, err := strconv.Atoi(m[3]); err == nil {
			d.Entry = n
		}
	}
	return true
}

func (d *DirectorOrders[D]) addRefusal(row string, cause error) {
	d.RefusedLines = append(d.RefusedLines, Line{Text: row, Kind: KindUnreadable, Why: match.ErrorSentence(cause)})
}

var (
	commonOrderPattern = lazyregexp.New(`(?i)^(?:(status)|(help)|history(?:\s+(?:to\s+)?#?(\d{1,6}))?)\s*[.!;]?$`)
	becausePattern     = lazyregexp.New(`(?i)[\s,;:]+because(?:[\s:,]+|$)`)
	reasonRowPattern   = lazyregexp.New(`(?i)^(?:(?:why|reason)\s*[:=]\s*|(?:why|reason|because)\s+)(.*)$`)
)

// ReadDirectorLetter reads a letter about a match, without quoted text. The reason follows BECAUSE or, in a letter with one directive, is a
// row of its own. writerName is the display name of the writer.
func ReadDirectorLetter(text, writerName string) DirectorOrders[match.Directive] {
	r := directorLetter{DirectorOrders: DirectorOrders[match.Directive]{Entry: -1}, isCourtesy: map[string]bool{}}
	rows := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i, ok := range order.MarkCourtesies(rows, writerName) {
		r.isCourtesy[strings.TrimSpace(rows[i])] = ok
	}
	for i := 0; i < len(rows); {
		i += r.readRows(rows[i:])
	}
	for _, found := range r.directives {
		if found.reason == "" {
			found.reason = strings.Join(r.reasons, " ")
		}
		if err := setReason(&found.directive, found.reason); err != nil {
			r.addRefusal(found.row, err)
			continue
		}
		r.Directives = append(r.Directives, found.directive)
	}
	return r.DirectorOrders
}

type directorLetter struct {
	DirectorOrders[match.Directive]
	// isCourtesy is set for the text of a row with only a salutation, a closing or a name.
	isCourtesy map[string]bool
	// directives are the directives with their rows; reasons are the reasons in rows of their own.
	directives []foundDirective
	reasons    []string
}

type foundDirective struct {
	row       string
	directive match.Directive
	reason    string
}

// readRows reads the directive, question or reason that starts with the first row, and returns its number of rows.
func (r *directorLetter) readRows(rows []string) int {
	text := strings.TrimSpace(rows[0])
	if text == "" {
		return 1
	}
	if r.readCommonOrder(text) {
		return 1
	}
	if m := reasonRowPattern.FindStringSubmatch(text); m != nil {
		n := countParagraph(rows)
		r.reasons = append(r.reasons, joinRows(m[1], rows[1:n]))
		return n
	}
	n, orderText, reason := 1, text, ""
	if startsWithVerb(text, match.DirectorTell) {
		for n < len(rows) && strings.TrimSpace(rows[n]) != "" {
			n++
		}
		orderText = strings.Join(append([]string{text}, rows[1:n]...), "\n")
	} else if at := becausePattern.FindStringIndex(text); at != nil {
		n = countParagraph(rows)
		orderText, reason = text[:at[0]], joinRows(text[at[1]:], rows[1:n])
	}
	directive, err := parseDirective(orderText)
	for rest, ok := order.TrimFunctionWord(orderText); ok && errors.Is(err, errNoDirective); rest, ok = order.TrimFunctionWord(rest) {
		if parsed, parseErr := parseDirective(rest); parseErr == nil {
			directive, err = parsed, nil // "Please PAUSE"
		}
	}
	switch {
	case errors.Is(err, errNoDirective):
		if !r.isCourtesy[text] {
			r.Doubts = append(r.Doubts, text)
		}
		return 1
	case errors.Is(err, errDirectiveForm) && directive.Verb != match.DirectorTell:
		err = fmt.Errorf("%w BECAUSE, and then your reason", err)
		if strings.ContainsAny(err.Error(), "0123456789") {
			err = fmt.Errorf("%w; write numbers in figures", err)
		}
		r.addRefusal(text, err)
	case err != nil:
		r.addRefusal(text, err)
	default:
		r.directives = append(r.directives, foundDirective{text, directive, reason})
	}
	return n
}

// countParagraph returns the number of rows of a paragraph. It ends before a blank row and before a row with YES, NO, a reason or a
// directive.
func countParagraph(rows []string) int {
	for n := 1; n < len(rows); n++ {
		text := strings.TrimSpace(rows[n])
		if text == "" || consent.Read(text) != consent.None || reasonRowPattern.MatchString(text) {
			return n
		}
		if _, err := parseDirective(text); err == nil {
			return n
		}
	}
	return len(rows)
}

func joinRows(text string, rows []string) string {
	return strings.TrimSpace(strings.Join(append([]string{text}, rows...), " "))
}

// timePattern is the syntax of a duration. seatPattern is the syntax of a seat: its name or its number.
const (
	timePattern = `(\d{1,4})\s*(m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)`
	seatPattern = `(?:the\s+)?([\pL\d_.'-]+)`
)

const (
	// maxAnnouncement and maxReason are in characters.
	maxAnnouncement      = 2000
	maxReason            = 500
	maxDirectiveDuration = 366 * 24 * time.Hour
)

// directiveReader reads a directive from a row; ok is false for other rows.
type directiveReader func(text string, directive *match.Directive) (ok bool, err error)

// matchDirective returns a reader for rows that match a pattern as a whole, in any case, with or without a full stop.
func matchDirective(pattern string, store func(directive *match.Directive, m []string) error) directiveReader {
	re := lazyregexp.New(`(?i)^` + pattern + `\s*[.!;]?$`)
	return func(text string, directive *match.Directive) (bool, error) {
		m := re.FindStringSubmatch(text)
		if m == nil || store == nil {
			return m != nil, nil
		}
		return true, store(directive, m)
	}
}

func parseDirectiveDuration(n, unit string) (time.Duration, error) {
	d := parseDuration(n, unit)
	if d < time.Minute || d > maxDirectiveDuration {
		return 0, errors.New("write a time from 1 minute to 366 days")
	}
	return d, nil
}

func readTell(directive *match.Directive, m []string) error {
	directive.Text = strings.TrimSpace(m[1])
	switch {
	case directive.Text == "":
		return errors.New("write the text after TELL ALL")
	case utf8.RuneCountInString(directive.Text) > maxAnnouncement:
		return fmt.Errorf("the text has more than %d characters", maxAnnouncement)
	}
	return nil
}

func readRuling(directive *match.Directive, m []string) error {
	text := strings.TrimSpace(m[1])
	switch strings.ToUpper(text) {
	case "DRAW", "A DRAW":
		directive.Draw = true
		return nil
	case "NOBODY", "NO WINNER", "NOBODY WINS":
		directive.Nobody = true
		return nil
	}
	for _, name := range seatSeparators.Split(winnerWordsPattern.ReplaceAllString(text, ""), -1) {
		name = strings.TrimSpace(name)
		if strings.EqualFold(name, "draw") || strings.EqualFold(name, "nobody") || name == "" || strings.ContainsAny(name, " ?\"") {
			return errors.New("after RULE write the seats that win, or DRAW, or NOBODY")
		}
		directive.Winners = append(directive.Winners, name)
	}
	return nil
}

var (
	seatSeparators     = lazyregexp.New(`(?i)\s*(?:,|&|\+|\band\b)\s*(?:the\s+)?`)
	winnerWordsPattern = lazyregexp.New(`(?i)^(?:the\s+)?(?:winners?:?\s+)?(?:the\s+)?|\s+wins?$|\s+(?:has|have)\s+won$`)
)

var (
	errNoDirective = errors.New("it is not an order of the director")
	// errDirectiveForm is the error for a row that only starts like a directive. The form of the directive follows.
	errDirectiveForm = errors.New("the order is written like this")
)

// parseDirective reads a directive without its reason. For a row that only starts like a directive, the error explains
// the syntax; for other rows it is errNoDirective.
func parseDirective(text string) (directive match.Directive, err error) {
	text = strings.TrimSpace(text)
	for _, e := range directorOrderSpecs {
		if directive.Verb = match.DirectorVerb(e.Word); !startsWithVerb(text, directive.Verb) {
			continue
		}
		ok, err := e.readDirective(text, &directive)
		if !ok || directive.Verb != match.DirectorTell && strings.HasSuffix(text, "?") {
			return directive, fmt.Errorf("%w: %s", errDirectiveForm, e.Help[0].Order)
		}
		directive.Text = removeInvisible(directive.Text)
		return directive, err
	}
	return match.Directive{}, errNoDirective
}

// startsWithVerb reports whether a row starts with the first word of a verb, e.g. TELL for TELL ALL.
func startsWithVerb(text string, verb match.DirectorVerb) bool {
	word, _, _ := strings.Cut(string(verb), " ")
	text += " "
	return len(text) > len(word) && strings.EqualFold(text[:len(word)], word) && strings.ContainsAny(text[len(word):][:1], " \t:.,!;?")
}

// ParseDirective reads a directive of the command line.
func ParseDirective(text, reason string) (match.Directive, error) {
	directive, err := parseDirective(text)
	switch {
	case errors.Is(err, errNoDirective):
		var verbs []string
		for _, e := range directorOrderSpecs {
			verbs = append(verbs, string(e.Word))
		}
		return directive, fmt.Errorf("%q: %w; there are %s", text, err, strings.Join(verbs, ", "))
	case err != nil:
		return directive, fmt.Errorf("%q: %w", text, err)
	}
	return directive, setReason(&directive, reason)
}

func setReason(directive *match.Directive, reason string) error {
	if directive.Verb == match.DirectorTell {
		return nil
	}
	directive.Why = strings.Join(strings.Fields(removeInvisible(reason)), " ")
	switch {
	case directive.Why == "":
		return fmt.Errorf("%s needs BECAUSE and a reason: the players will read the reason, and it stays in the record", directive.Verb)
	case utf8.RuneCountInString(directive.Why) > maxReason:
		return fmt.Errorf("the reason has more than %d characters", maxReason)
	}
	return nil
}

func removeInvisible(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, text))
}

var directPattern = lazyregexp.New(`(?i)^\s*(?:(?:re|aw|sv)\s*:\s*)?direct(?:\s+match)?[\s:]+\[?(m[a-z2-7]{7})\]?\s*[.!]?\s*$`)

// DirectedMatch returns the ID of the match that the writer of a letter without a token asks to direct: mabcdefg for
// "DIRECT mabcdefg", in a row of its own or as the subject. It returns "" if there is none.
func DirectedMatch(text, subject string) string {
	for _, row := range append(strings.Split(text, "\n"), subject) {
		if m := directPattern.FindStringSubmatch(row); m != nil {
			return strings.ToLower(m[1])
		}
	}
	return ""
}

var clubReasonPattern = regexp.MustCompile(`(?is)^(.*?)\s*\b(?:BECAUSE|WHY:|REASON:)\s*(.*)$`)

// ReadClubDirectorLetter reads a letter of the director about the club. The reason follows BECAUSE, on the line of the
// directive or below it.
func ReadClubDirectorLetter(text string) (out DirectorOrders[club.Directive]) {
	var rows []string
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		switch {
		case row == "":
		case len(rows) > 0 && isAnnouncement(rows[0]):
			rows[0] += " " + row
		case len(rows) > 0 && clubReasonPattern.MatchString(row) && clubReasonPattern.FindStringSubmatch(row)[1] == "":
			rows[len(rows)-1] += " " + row
		default:
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		upper := strings.ToUpper(strings.Trim(row, ".! "))
		if upper == "DIRECT CLUB" || upper == "MEMBERS" || !strings.HasPrefix(upper, "HISTORY") && out.readCommonOrder(upper) {
			continue
		}
		if directive, err := ReadClubDirective(row, ""); err != nil {
			out.addRefusal(row, err)
		} else {
			out.Directives = append(out.Directives, directive)
		}
	}
	return out
}

func isAnnouncement(row string) bool {
	verb, text, _ := strings.Cut(row, " ")
	return strings.EqualFold(strings.TrimRight(verb, ":"), string(club.Announce)) && text != ""
}

// ReadClubDirective reads one directive about the club, with an optional separate reason.
func ReadClubDirective(text, reason string) (d club.Directive, err error) {
	if isAnnouncement(text) {
		_, text, _ = strings.Cut(text, " ")
		return club.Directive{Verb: club.Announce, Text: CleanLine(strings.TrimSpace(text))}, nil
	}
	if m := clubReasonPattern.FindStringSubmatch(text); m != nil {
		text, reason = m[1], m[2]
	}
	verb, name, _ := strings.Cut(strings.TrimSpace(text), " ")
	if secondWord, rest, _ := strings.Cut(name, " "); strings.EqualFold(verb+" "+secondWord, string(club.CallOffTournament)) {
		verb, name = string(club.CallOffTournament), rest
	}
	d = club.Directive{Verb: club.Verb(strings.ToUpper(verb)), Name: naming.Clean(strings.Trim(name, " .,:")), Reason: CleanLine(reason)}
	i := slices.IndexFunc(clubDirectorOrderSpecs, func(e *OrderSpec) bool { return e.Word == Word(d.Verb) })
	if d.Verb == club.Announce {
		return d, errors.New("write the text after ANNOUNCE")
	}
	if i < 0 {
		return d, fmt.Errorf("%q is not an order of the club's director", Shorten(text))
	}
	requiredText := clubDirectorOrderSpecs[i].requiredText
	if d.Verb.IsAboutTournament() {
		cup, rest, _ := strings.Cut(strings.TrimSpace(name), " ")
		d.Name, d.Text = strings.ToLower(strings.Trim(cup, ".,:")), CleanLine(strings.Trim(rest, " .,:"))
	}
	switch {
	case d.Name == "" && d.Verb.IsAboutTournament():
		return d, fmt.Errorf("write the name of the tournament after %s", d.Verb)
	case d.Name == "":
		return d, fmt.Errorf("write after %s which member or match it is about", d.Verb)
	case d.Text != "" && requiredText == "":
		return d, fmt.Errorf("write only the name of the tournament after %s", d.Verb)
	case d.Text == "" && requiredText != "":
		return d, fmt.Errorf("after the name of the tournament, write %s", requiredText)
	case d.Reason == "" && d.Verb != club.Admit:
		return d, fmt.Errorf("write a reason after BECAUSE, such as %s BECAUSE ...; the members can read it", d)
	}
	return d, nil
}
