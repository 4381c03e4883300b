package letter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// The limits of a message, in characters and in rows.
const (
	maxMessageLength = 4000
	maxMessageRows   = 80
)

// maxWords is the maximum number of words of a letter without its messages. It bounds the work for a letter.
const maxWords = 800

func refuseTooManyWords(text string) (refusal Line, isRefused bool) {
	n := order.CountWords(text)
	if n <= maxWords {
		return refusal, false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return Line{Text: Shorten(first), Kind: KindUnreadable, Why: fmt.Sprintf("Your letter was too long, so it was not carried out. "+
		"Without messages it has %d words, and may have %d.", n, maxWords)}, true
}

// extractSettingsAndMessages splits a letter into settings, messages and the other rows. Messages include questions to the operator. A
// message without END MESSAGE extends to the end of the letter and is unreadable.
func (r *Reader) extractSettingsAndMessages(l Letter) (settings []Line, rest string, messages []Line) {
	var remaining []string
	rows := strings.Split(strings.ReplaceAll(l.Text, "\r", ""), "\n")
	for i := 0; i < len(rows); i++ {
		if strings.TrimSpace(rows[i]) == "" {
			remaining = append(remaining, rows[i])
			continue
		}
		if StartsWith(rows[i], Message) {
			n, message := l.readMessage(rows[i:])
			i += n - 1
			messages = append(messages, message)
			// The empty row separates the rows before and after the message.
			remaining = append(remaining, "")
			continue
		}
		if isOperatorQuestion(rows[i:]) {
			n, question := r.readOperatorQuestion(rows[i:])
			i += n - 1
			messages, remaining = append(messages, question), append(remaining, "")
			continue
		}
		c, reason, ok := r.findCommand(rows[i], ClassSetting)
		if !ok || findPlayerOrderSpec(c.Word).NeedsParagraph && !isOneRowParagraph(rows, i) {
			remaining = append(remaining, rows[i])
			continue
		}
		setting := Line{Text: strings.TrimSpace(rows[i]), Kind: KindRefereeOrder, Command: c}
		if reason != "" {
			setting.Kind, setting.Why = KindUnreadable, reason
		}
		settings = append(settings, setting)
	}
	return settings, strings.Join(remaining, "\n"), messages
}

// isOneRowParagraph reports whether row i has blank lines around it. Orders with OrderSpec.NeedsParagraph are recognised only in such a
// row, so that a signature is rarely taken for an order.
func isOneRowParagraph(rows []string, i int) bool {
	isBlank := func(i int) bool { return i < 0 || i >= len(rows) || strings.TrimSpace(rows[i]) == "" }
	return isBlank(i-1) && isBlank(i+1)
}

// readMessage reads the message that begins in the first row, up to END MESSAGE, and returns its number of rows. For example,
// "MESSAGE Ben Well played! END MESSAGE" is a message to the seat of Ben.
func (l Letter) readMessage(rows []string) (n int, line Line) {
	line = Line{Text: Shorten(strings.TrimSpace(rows[0])), Kind: KindRefereeOrder, Command: Command{Word: Message}}
	command := &line.Command
	row, hasEnded := "", false
	command.Recipients, row = l.readRecipients(rows[0])
	goesToAll := len(command.Recipients)+1 == len(l.Seats) && !l.namesRecipients(rows[0])
	var text strings.Builder
	for ; !hasEnded && n < len(rows); n++ {
		if n > 0 {
			row = rows[n]
		}
		row, hasEnded = cutEndMarker(row, Message)
		text.WriteString(CleanLine(row) + "\n")
	}
	command.Text = strings.Trim(text.String(), "\n")
	switch {
	case !hasEnded:
		line.Kind = KindUnreadable
		line.Why = "End a message with END MESSAGE on its own line. Without it we cannot tell where the message ends and the " +
			"orders begin, so your letter was not carried out and the message was not sent."
	case len(command.Recipients) == 0:
		line.Kind, line.Why = KindUnreadable, "You cannot send a message to yourself."
	case goesToAll && l.greetsOnePlayer(command.Text):
		line.Kind = KindUnreadable
		line.Why = "It seems to be for one player, but would go to all of them. Write MESSAGE and that player's name, or MESSAGE " +
			"ALL. It was not sent."
	case command.Text == "":
		line.Kind, line.Why = KindTalk, "The message is empty, so it was not sent."
	case isMessageTooLong(command.Text):
		line.Kind, line.Why = KindUnreadable, "The message is too long; "+lengthLimitText()+" It was not sent."
	}
	return n, line
}

func isMessageTooLong(text string) bool {
	breaks := strings.Count(text, "\n")
	return breaks >= maxMessageRows || utf8.RuneCountInString(text)-breaks > maxMessageLength
}

func lengthLimitText() string {
	return fmt.Sprintf("it may have %d characters and %d lines.", maxMessageLength, maxMessageRows)
}

func (l Letter) namesRecipients(row string) bool {
	words := strings.Fields(row)[1:]
	if len(words) > 0 && strings.EqualFold(words[0], "to") {
		words = words[1:]
	}
	return len(words) > 0 && (meansAllPlayers(words[0]) || l.findSeat(words[0]) != rules.NoSeat)
}

func meansAllPlayers(word string) bool {
	return slices.Contains([]string{"ALL", "EVERYBODY", "EVERYONE"}, strings.Trim(word, ",:.!"))
}

// greetsOnePlayer reports whether a message to several players starts with a greeting to one player, e.g. "Hi Ben,".
func (l Letter) greetsOnePlayer(text string) bool {
	if len(l.Seats) < 3 {
		return false
	}
	head, _, _ := strings.Cut(text, "\n")
	maximum := maxGreetingWords - 1
	if i := strings.IndexAny(head, ",:!."); i >= 0 {
		head, maximum = head[:i], maxGreetingWords
	}
	words := strings.Fields(head)
	return len(words) > 0 && len(words) <= maximum && l.findSeat(words[len(words)-1]) != rules.NoSeat &&
		!slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, "and") })
}

const maxGreetingWords = 3

// readRecipients returns the seats that the first row of a message names, or all other seats, and the rest of the row.
// For example, "MESSAGE to Ben and Cleo hello" has the text "hello".
func (l Letter) readRecipients(row string) (recipients []rules.Seat, text string) {
	words := strings.Fields(row)[1:]
	if len(words) > 0 && strings.EqualFold(words[0], "to") {
		words = words[1:]
	}
	isNamed := false
	for len(words) > 0 {
		next := words
		if isNamed && strings.EqualFold(next[0], "and") && len(next) > 1 {
			next = next[1:]
		}
		seat := l.findSeat(next[0])
		if seat == rules.NoSeat {
			break
		}
		isNamed, words = true, next[1:]
		if seat != l.Seat && !slices.Contains(recipients, seat) {
			recipients = append(recipients, seat)
		}
	}
	if isNamed {
		return recipients, strings.Join(words, " ")
	}
	if len(words) > 0 && meansAllPlayers(words[0]) {
		row = strings.Join(words, " ") // The end of the function removes ALL.
	}
	for i := range l.Seats {
		if rules.Seat(i) != l.Seat {
			recipients = append(recipients, rules.Seat(i))
		}
	}
	return recipients, strings.Join(strings.Fields(row)[1:], " ")
}

// findSeat returns the seat that a word names by the name of the seat or the first name of its player; NoSeat for none.
func (l Letter) findSeat(word string) rules.Seat {
	name := order.Words(word)
	if len(name) == 0 {
		return rules.NoSeat
	}
	for i, seat := range l.Seats {
		if slices.Equal(name, order.Words(seat)) {
			return rules.Seat(i)
		}
	}
	for i, player := range l.PlayerNames {
		if words := order.Words(player); rules.Seat(i) != l.Seat && len(words) > 0 && words[0] == name[0] {
			return rules.Seat(i)
		}
	}
	return rules.NoSeat
}

// cutEndMarker removes END and a word at the end of a row: "Well played! END MESSAGE" -> "Well played!", true.
func cutEndMarker(row string, word Word) (before string, ok bool) {
	lastWord := strings.TrimRightFunc(row, unicode.IsSpace)
	if at := strings.LastIndexFunc(lastWord, unicode.IsSpace); at >= 0 {
		lastWord = strings.TrimLeftFunc(lastWord[at:], unicode.IsSpace)
	}
	if !strings.EqualFold(strings.Trim(lastWord, ".!:"), string(word)) {
		return row, false // Fast path: few rows end with the word of a marker.
	}
	words := strings.Fields(row)
	n := len(words)
	if n < 2 || !strings.EqualFold(words[n-2], "end") || !strings.EqualFold(strings.Trim(words[n-1], ".!:"), string(word)) {
		return row, false
	}
	// The words must be alone or in capitals: "we meet at the end message" is no marker.
	if n > 2 && words[n-2] != strings.ToUpper(words[n-2]) {
		return row, false
	}
	return strings.Join(words[:n-2], " "), true
}

// CleanLine returns a player's text as one line, with spaces in place of line breaks and control characters.
func CleanLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(text), " ")
}

// isOperatorQuestion reports whether the first row begins a question to the operator: ASK is in capitals or has a colon, or the paragraph
// ends with a question mark. "Ask me later" is talk.
func isOperatorQuestion(rows []string) bool {
	if !StartsWith(rows[0], Ask) {
		return false
	}
	first := strings.Fields(rows[0])[0]
	if strings.HasPrefix(first, string(Ask)) || strings.HasSuffix(first, ":") {
		return true
	}
	for _, row := range rows {
		if row = strings.TrimSpace(row); row == "" || strings.HasSuffix(row, "?") {
			return row != ""
		}
	}
	return false
}

// readOperatorQuestion reads a question to the operator. It ends at END ASK; without END ASK it ends with its paragraph, or before the
// first row with an order. n is its number of rows.
func (r *Reader) readOperatorQuestion(rows []string) (n int, line Line) {
	line = Line{Text: Shorten(strings.TrimSpace(rows[0])), Kind: KindRefereeOrder, Command: Command{Word: Ask}}
	_, first, _ := strings.Cut(strings.TrimSpace(rows[0]), " ")
	text := []string{first}
	if end := slices.IndexFunc(rows, func(row string) bool { _, ok := cutEndMarker(row, Ask); return ok }); end >= 0 {
		text = append(text, rows[1:end+1]...)
		if end == 0 {
			text = text[:1]
		}
		text[len(text)-1], _ = cutEndMarker(text[len(text)-1], Ask)
		n = end + 1
	} else {
		for n = 1; n < len(rows) && strings.TrimSpace(rows[n]) != "" && !r.startsWithOrder(rows[n]); n++ {
			text = append(text, rows[n])
		}
	}
	for i, row := range text {
		text[i] = CleanLine(row)
	}
	line.Command.Text = strings.Trim(strings.Join(text, "\n"), "\n")
	switch {
	case line.Command.Text == "":
		line.Kind, line.Why = KindTalk, "Write your question after ASK. Nothing was passed on."
	case isMessageTooLong(line.Command.Text):
		line.Kind, line.Why = KindUnreadable, "The question is too long; "+lengthLimitText()+" It was not passed on."
	}
	return n, line
}

// startsWithOrder reports whether a row starts with an order in capitals.
func (r *Reader) startsWithOrder(row string) bool {
	first := strings.Fields(row)[0]
	return slices.Contains(r.verbs, first) || findPlayerOrderSpec(Word(first)) != nil
}

// ChoiceSealed is the Command.Choice of a JOIN that commits to secret words for the dice seed by their hash. Command.Text is
// then the hash.
const ChoiceSealed = "SEALED"

// declinePattern matches DECLINE in capitals, or "decline" alone or before a punctuation mark, and the text after it.
var declinePattern = regexp.MustCompile(`^\s*(?:DECLINE|(?i:decline)\s*[.,:;!-]|(?i:decline)\s*$)\s*[.,:;!-]*\s*(.*)$`)

// nameAfterJoinPattern matches AS and a name, up to a punctuation mark, and the rest.
var nameAfterJoinPattern = regexp.MustCompile(`^\s*([Aa][Ss])\s+([^,;:!?]+)[,;:!?]*(.*)$`)

// splitNameAfterJoin splits the name from the text after JOIN: "AS Ben, rain on Sunday" -> "Ben", "rain on Sunday".
// Words for the dice seed may also begin with "as", so the text has a name only if AS is in capitals or the name begins
// with a capital.
func splitNameAfterJoin(text string) (name, rest string) {
	m := nameAfterJoinPattern.FindStringSubmatch(text)
	if m == nil {
		return "", text
	}
	name = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(m[2]), "."))
	if first, _ := utf8.DecodeRuneInString(name); m[1] != "AS" && !unicode.IsUpper(first) {
		return "", text
	}
	return name, m[3]
}

// sealAfterJoinPattern matches SEALED and the hash after JOIN, or after JOIN AS and a name.
var sealAfterJoinPattern = regexp.MustCompile(`(?i)^\s*(?:(as\s[^,;:!?]*?)[\s,;:!?]+)?\bsealed\b[\s:=]*(.*)$`)

// sealPattern matches a row that starts with the hash of a sealed JOIN.
var sealPattern = regexp.MustCompile(`^\s*[0-9A-Fa-f]{64}\b`)

// readJoin reads the text after JOIN. n is 1 if the next row has the hash of JOIN SEALED, or else 0.
func readJoin(text string, below []string) (c Command, n int) {
	c = Command{Word: Join}
	if m := sealAfterJoinPattern.FindStringSubmatch(text); m != nil {
		name, rest := splitNameAfterJoin(m[1])
		if rest == "" {
			c.Choice, c.PersonName, c.Text = ChoiceSealed, name, m[2]
			if m[2] == "" && len(below) > 0 && sealPattern.MatchString(below[0]) {
				c.Text, n = below[0], 1
			}
			return c, n
		}
	}
	c.PersonName, c.Text = splitNameAfterJoin(text)
	return c, 0
}

// readOpen reads the text after OPEN, and the rest of its paragraph, because a mail program may have wrapped the secret words.
func readOpen(text string, below []string) (c Command, n int) {
	rows := []string{text}
	for ; n < len(below) && strings.TrimSpace(below[n]) != ""; n++ {
		rows = append(rows, below[n])
	}
	return Command{Word: Open, Text: strings.Join(rows, "\n")}, n
}

// ReadInvited reads a letter about a match that has not begun, e.g. "JOIN AS Ben, rain on Sunday". Rows are not split at semicolons,
// because a player's words for the dice seed are free text.
func (r *Reader) ReadInvited(l Letter) []Line {
	out, rest, messages := r.extractSettingsAndMessages(l)
	if refusal, ok := refuseTooManyWords(rest); ok {
		return []Line{refusal}
	}
	rows := strings.Split(rest, "\n")
	for i := 0; i < len(rows); i++ {
		text := strings.TrimSpace(rows[i])
		if text == "" {
			continue
		}
		line := Line{Text: text, Kind: KindRefereeOrder}
		first, words := text, ""
		if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
			first, words = text[:i], strings.TrimSpace(text[i:])
		}
		first = strings.ToUpper(strings.Trim(first, ".!,:"))
		isAlone := strings.TrimSpace(words) == ""
		if c, _, ok := r.findCommand(text, ClassQuery); ok {
			line.Command = c
		} else if c, _, ok := readCall(r, lineText{text: text}); ok {
			c.Word = CallMe
			line.Command = c
		} else if m := declinePattern.FindStringSubmatch(text); m != nil && first == string(Decline) {
			if line.Command = (Command{Word: Decline, Text: strings.TrimSpace(m[1])}); !isOneRowParagraph(rows, i) {
				line = Line{Text: text, Kind: KindTalk, Why: string(Decline) + " was not carried out, because it was not on a " +
					"line by itself with blank lines around it."}
			}
		} else if first == string(Join) {
			n := 0
			line.Command, n = readJoin(words, rows[i+1:])
			i += n
		} else if first == string(Open) {
			// The answer must not repeat the words: they are secret until all players have revealed their words.
			n := 0
			line.Text = string(Open)
			line.Command, n = readOpen(words, rows[i+1:])
			i += n
		} else if c, _, ok := readHelp(r, r.newLineText(text)); ok {
			c.Word = HelpWord
			line.Command = c
		} else if w := Word(first); isAlone && (w == Status || w == Resend) {
			line.Command = Command{Word: w}
		} else {
			line.Kind = KindTalk
		}
		out = append(out, line)
	}
	return append(out, messages...)
}
