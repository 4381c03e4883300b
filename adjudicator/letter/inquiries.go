package letter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// shortQuestions maps short lines that ask a question to the order that answers it.
var shortQuestions = map[string]Word{
	"score": Status, "scores": Status, "the score": Status, "vp": Status, "vps": Status, "points": Status, "victory points": Status,
	"standing": Status, "standings": Status,
	"time": Status, "times": Status, "clock": Status, "clocks": Status, "deadline": Status, "deadlines": Status, "who": Status,
	"turn": Status, "move": Status,
	"legal": Status, "options": Status, "legal moves": Status, "legal orders": Status, "what now": Status, "now what": Status,
	"state": Status, "refresh": Status,
	"log": History, "journal": History, "moves": History, "board": Word(rules.QueryMap), "cards": Hand,
}

func (r *Reader) hasCommand(w Word) bool {
	e := findPlayerOrderSpec(w)
	return e.IsInGame == nil || e.IsInGame(r.game)
}

func (r *Reader) explainTalk(line string) string {
	words := r.Orders.CachedWords(line)
	for _, k := range r.keywords {
		if !k.IsVerb || len(words) == 0 || words[0] != order.FirstWord(k.Word) || len(words) < len(strings.Fields(k.Word)) {
			continue
		}
		if _, err := r.Orders.ParseOrder(line); err != nil {
			return "We did not read this as an order. " + match.ErrorSentence(err) + ResignHint(line)
		}
	}
	if _, isNumber := order.ParseNumber(line); isNumber {
		return "A number alone does not answer the question."
	}
	if w := r.Orders.ExactKeyword(line); w != "" {
		return explainExactWord(w) + ResignHint(line)
	}
	if IsInvitationOrder(line) {
		return "OPEN is no longer needed: the match has begun, and everyone has been shown all the secret words."
	}
	hint, ok := hintsByWord[strings.Join(words[:min(1, len(words))], "")]
	if hint == drawHint && !r.hasCommand(Draw) {
		return "This game has no draw by agreement."
	}
	if ok && len(words) < 4 && (hint != resignHint || len(words) == 1 || wordsAfterQuit[words[len(words)-1]]) {
		return "Write " + hint + "."
	}
	if how := suggestOrder(words); how != "" {
		return "We did not read this as an order. " + how
	}
	if f, ok := r.findNamedForm(line, words); ok {
		return "We did not read this as an order. " + f.Order + ", on a line of its own, " + f.Effect + "."
	}
	return NotUnderstood
}

// findNamedForm finds an order to the referee by a word in talk, and returns its first form. The word begins the line, e.g. TAKEBACK in
// "TAKEBACK please, clicked too fast", or is in a question, e.g. DRAW in "do you want a draw?".
func (r *Reader) findNamedForm(line string, words []string) (f Form, ok bool) {
	for i, w := range words {
		e := findPlayerOrderSpec(Word(strings.ToUpper(w)))
		if e != nil && len(e.Help) > 0 && !strings.Contains(e.Help[0].Order, "...") && r.hasCommand(e.Word) &&
			(i == 0 || e.Class == ClassAction && strings.Contains(line, "?")) {
			return e.Help[0], true
		}
	}
	return f, false
}

// NotUnderstood is the reason for a line that resembles no known order. Answers to letters leave it out.
const NotUnderstood = "We did not understand this as an order. HELP shows how to write orders."

// suggestOrder explains the order that a sentence of talk seems to ask for, e.g. TAKEBACK for "can I undo that".
func suggestOrder(words []string) string {
	text := " " + strings.Join(words, " ") + " "
	switch {
	case len(words) >= 4 && slices.ContainsFunc(words, func(w string) bool { return hintsByWord[w] == vacationSyntax }):
		return "To stop your clocks while you are away, write " + vacationSyntax + "."
	case strings.Contains(text, " give up ") || strings.Contains(text, " giving up "):
		return "To give the match up, write " + string(Resign) + "; we will ask you to confirm it."
	case strings.Contains(text, " take back ") || strings.Contains(text, " undo "):
		return "To take an order back, write " + string(TakeBack) + ", which asks whether you may."
	}
	return ""
}

// givingUpPattern matches a line that may give up the match, e.g. "I concede." In 1989 this may also give up only a
// power struggle.
var givingUpPattern = regexp.MustCompile(`(?i)^\W*(?:i\s+)?(?:concede|surrender|give\s+up)(?:\s+(?:the\s+|this\s+)?(?:match|game))?\W*$`)

// ResignHint explains RESIGN to the writer of a line like "I concede.", which may be meant to give up the match. The line must not be a
// legal order. It returns "" for other lines.
func ResignHint(line string) string {
	if !givingUpPattern.MatchString(line) {
		return ""
	}
	return " To give the match up, write " + string(Resign) + "; we will ask you to confirm it."
}

func explainExactWord(w string) string {
	const no = "This line is not an order."
	if e := findPlayerOrderSpec(Word(w)); e != nil && e.NeedsParagraph && len(e.Help) > 0 {
		return no + " " + e.Help[0].Order + ", alone on its line, " + e.Help[0].Effect + "."
	}
	return no + " " + w + " counts only if it is written like this, on a line of its own."
}

// IsInvitationOrder reports whether a line is JOIN or OPEN, which are no orders after the match has begun.
func IsInvitationOrder(line string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return first == string(Join) || first == string(Open)
}

// hintsByWord maps words of other referees and programs to the text after "Write", e.g. "luck" to "STATS".
var hintsByWord = map[string]string{
	"undo": takebackHint, "revert": takebackHint, "log": "HISTORY", "luck": "STATS",
	"odds": "STATS", "journal": "HISTORY", "moves": "HISTORY",
	"draw": drawHint, "tie": drawHint,
	"vacation": vacationSyntax,
	"holiday":  vacationSyntax, "holidays": vacationSyntax, "quit": resignHint, "exit": resignHint, "leave": resignHint, "forfeit": resignHint,
	"decline": resignHint, "surrender": resignHint, "press": "MESSAGE ... END MESSAGE", "say": "MESSAGE ... END MESSAGE", "chat": "MESSAGE ... END MESSAGE",
	"tell": "MESSAGE ... END MESSAGE", "board": "MAP", "state": "STATUS", "info": "STATUS or HELP", "refresh": "STATUS",
	"wait":   "GRACE and a time to delay your orders",
	"manual": "HELP and RULES", "commands": "HELP", "text": "FORMAT TEXT", "calendar": "FORMAT CALENDAR",
	"format":   "FORMAT followed by TEXT, HTML, PICTURE, SPOKEN, CALENDAR, QUIET, NORMAL, LOUD, UTF8 or ASCII",
	"timezone": "TIMEZONE Europe/Warsaw", "html": "FORMAT HTML", "cards": "HAND or DISCARDS", "show": "STATUS, HAND, MAP or DISCARDS",
	"unsubscribe": quietHint, "stop": quietHint,
}

const takebackHint = "TAKEBACK to ask whether you may take back your last order"

const drawHint = "DRAW alone on its line to offer a draw"

// resignHint is for words such as "leave", alone on a line or before a word of wordsAfterQuit. "Leave Krakow" gets no hint.
const resignHint = "RESIGN to give the match up"

var wordsAfterQuit = map[string]bool{"match": true, "game": true, "now": true, "please": true}

const quietHint = "FORMAT QUIET to stop letters that ask nothing; RESIGN gives the match up, and ASK writes to the operator"

const questionMarkNote = "It ends with a question mark."

// maxShortened is the maximum number of characters of a line that an answer repeats.
const maxShortened = 240

// Shorten shortens a line that is repeated to its writer. The short form ends with "[...]" and not with "...", because
// an order may contain dots.
func Shorten(line string) string {
	r := []rune(line)
	if len(r) <= maxShortened {
		return line
	}
	cut := string(r[:maxShortened])
	if end := strings.LastIndexByte(cut, ' '); end > len(cut)/2 && r[maxShortened] != ' ' {
		cut = cut[:end] // cut between words
	}
	return strings.TrimSpace(cut) + " [...]"
}

// numberedAnswers reads lines that are only a number, e.g. "2" if the letter numbers the answers. They answer only the question of the
// answered letter, never a later one.
type numberedAnswers struct {
	reader *Reader
	// hasOrderAbove is set if an order is on a line above. A number would then answer a question that its writer has not seen.
	hasOrderAbove bool
	loadQuestion  func() (AnsweredQuestion, error)
	question      *AnsweredQuestion
}

func (s *numberedAnswers) readAnswer(l *Line, o order.Line) (isRead bool, err error) {
	n, isNumber := order.ParseNumber(o.Text)
	if s.loadQuestion == nil || !isNumber {
		return false, nil
	}
	if s.question == nil {
		question, err := s.loadQuestion()
		if err != nil {
			return false, err
		}
		s.question = &question
	}
	question := s.question
	switch {
	case s.hasOrderAbove && question.Decision != nil && question.NumberedAnswers != nil:
		l.Kind, l.Why = KindUnreadable, "A number alone answers the letter's question, but an order above has answered it already."
	case !s.hasOrderAbove && question.ClosedReason != "":
		l.Kind, l.Why = KindUnreadable, question.ClosedReason
	case s.hasOrderAbove || question.Decision == nil:
	case question.NumberedAnswers != nil:
		err = s.readNumberedAnswer(l, n)
	}
	return l.Kind != KindTalk, err
}

func (s *numberedAnswers) readNumberedAnswer(l *Line, n int) error {
	forms := s.question.NumberedAnswers
	if n < 1 || n > len(forms) {
		l.Kind, l.Why = KindUnreadable, fmt.Sprintf("The answers are numbered from 1 to %d.", len(forms))
		return nil
	}
	parsed, err := s.reader.Orders.ParseOrder(forms[n-1])
	if err != nil {
		return fmt.Errorf("read the numbered answer %q: %w", forms[n-1], err)
	}
	s.reader.storeOrder(l, parsed)
	return nil
}

// questionFillers are words that may be in any question, cardFillers words in a question about a card.
const (
	questionFillers = " can could may might would you i we please pls me us the a an again also and now so far thanks " +
		"afterwards btw by way hey wait oh anyway well then want need like to get have has got see show send tell remind give " +
		"look at of in on is are what whats do does how my your for it that once more just "
	cardFillers = " say says exactly explain describe mean means work works good text effect event card cards about actually again anyway "
)

// inquiries lists questions in free words, each with the order that answers it, e.g. "whose turn is it?" -> STATUS. subjects has sets of
// words, separated by commas. A sentence matches a question if it contains all words of a set, e.g. "whose turn", and each of its other
// words is in questionFillers or in fillers. The first question that matches counts.
var inquiries = []struct {
	word              Word
	subjects, fillers string
}{
	{Word(rules.QueryBigMap), "big map, large map", ""},
	{Word(rules.QueryMap), "map, board", " current "},
	{Word(rules.QueryDiscards), "discard pile, discards, discarded", " been which cards pile there "},
	{Hand, "my hand, my cards, my struggle cards", " which still left hold holding am "},
	{Status, "score, how many cards, send again, resend, who move, whose turn, how stand, deadline, how much time, who " +
		"opponent, whos opponent",
		" he she they hold holds have does hand left stands many cards mail letter last it deleted lost by accident whos " +
			"whose turn move points vp when until next "},
	{History, "what happened, whats happened", " this last turn round turn since game match "},
	{HelpWord, "help, how write orders, how do play, how order, how move",
		" with should must this works work give orders order write play move "},
}

// wordsOutside returns the words that are in none of the lists.
func wordsOutside(words []string, lists ...string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(strings.Join(lists, " "), " "+w+" ") })
}

// The limits of a sentence with a question. Polite words do not count.
const (
	maxInquiryWords = 16
	maxInquiryBytes = 400
)

func (r *Reader) readInquiry(sentence string) []Line {
	if len(sentence) > maxInquiryBytes {
		return nil
	}
	words := r.Orders.WordsWithoutCourtesies(sentence)
	if len(words) == 0 || len(words) > maxInquiryWords {
		return nil
	}
	newLines := func(c Command) []Line { return []Line{{Text: sentence, Kind: KindRefereeOrder, Command: c}} }
	for _, inquiry := range inquiries {
		for subject := range strings.SplitSeq(inquiry.subjects, ", ") {
			missing := wordsOutside(strings.Fields(subject), " "+strings.Join(words, " ")+" ")
			if len(missing) == 0 && len(wordsOutside(words, " "+subject+" ", questionFillers, inquiry.fillers)) == 0 &&
				len(words) > len(strings.Fields(subject)) && r.hasCommand(inquiry.word) {
				return newLines(Command{Word: inquiry.word})
			}
		}
	}
	if hasPronoun := slices.Contains(words, "that") || slices.Contains(words, "this"); r.topicsParser != nil && !hasPronoun &&
		len(wordsOutside(words, " work works rules what explain ")) < len(words) {
		rest := strings.Join(wordsOutside(words, questionFillers, " work works rules explain "), " ")
		if o, err := r.topicsParser.ParseOrder(string(Rules) + " " + rest); err == nil && rest != "" {
			return append(r.readCardInquiry(sentence, words), newLines(Command{Word: Rules, Text: o.Clauses[0].Items[0].Name.Text})...)
		}
	}
	return r.readCardInquiry(sentence, words)
}

func (r *Reader) readCardInquiry(sentence string, words []string) (out []Line) {
	if !hasCards(r.game) || len(wordsOutside(words, " what whats explain remind tell describe ")) == len(words) {
		return nil
	}
	names, rest := r.Orders.FindNames(sentence, rules.CardName)
	for _, n := range names {
		if len(wordsOutside(rest, questionFillers, cardFillers)) == 0 {
			out = append(out, Line{Text: sentence, Kind: KindRefereeOrder, Command: Command{Word: Card, Name: n}})
		}
	}
	return out
}

// extractInquiries removes the sentences that ask a question from the talk of a letter, and returns the questions separately.
func (r *Reader) extractInquiries(lines []order.Line) (rest []order.Line, questions []Line) {
	for _, l := range lines {
		text := trimPolite(l.Text)
		_, _, isCommand := r.findCommand(text, ClassQuery, ClassQueryInSequence, ClassAction)
		if !isCommand && !l.Enclosed {
			o, err := r.Orders.ParseOrder(text)
			isCommand = err == nil && findPlayerOrderSpec(Word(o.Clauses[0].Word)) != nil
		}
		if l.Enclosed || isCommand || r.Orders.IsOrder(l.Text) && !strings.ContainsAny(l.Text, ".?!:") {
			rest = append(rest, l)
			continue
		}
		var remaining []string
		sentences := order.SplitSentences(l.Text)
		for _, s := range sentences {
			if found := r.readInquiry(s); len(found) > 0 {
				questions = append(questions, found...)
			} else {
				remaining = append(remaining, s)
			}
		}
		switch text := strings.TrimSpace(strings.Join(remaining, " ")); {
		case len(remaining) == len(sentences):
			rest = append(rest, l)
		case text != "":
			l.Text = text
			rest = append(rest, l)
		}
	}
	return rest, questions
}

// listSeparators replaces each separator between two parts of a list by a line break: "PLAY and OPS" -> "PLAY\nOPS".
var listSeparators = strings.NewReplacer(",", "\n", "/", "\n", "&", "\n", " and ", "\n", " AND ", "\n")

func (r *Reader) splitLists(lines []order.Line) (out []order.Line) {
	for _, l := range lines {
		listed := r.splitList(l.Text)
		if len(listed) < 2 || len(listed) > maxQuestionWords {
			listed = []string{l.Text}
		}
		for _, text := range listed {
			part := l
			part.Text = text
			out = append(out, part)
		}
	}
	return out
}

// splitList returns the lines of a question for several things. For example, "CARD 14, Deutsche Marks" has the lines "CARD 14"
// and "CARD Deutsche Marks". CARD must be in capitals, because "card 36, 3" may be a play. It returns nil for any other line.
func (r *Reader) splitList(text string) []string {
	word := Word(strings.ToUpper(order.FirstWord(text)))
	_, list, _ := strings.Cut(strings.TrimSpace(strings.TrimRight(text, " .!?")), " ")
	switch {
	case word == Resend, word == Card && strings.HasPrefix(text, string(Card)):
		return r.splitNumbers(word, text, list)
	case word == HelpWord, word == Rules && r.topicsParser != nil:
		return r.splitPages(word, text, list)
	}
	return nil
}

// splitNumbers splits the list of a RESEND or CARD line into a line for each part. It returns nil if a part is neither a number nor the
// name of a card, or if the whole list is the title of a card.
func (r *Reader) splitNumbers(word Word, text, list string) []string {
	if word == Resend || strings.Trim(list, "0123456789 ,/&andAND") == "" {
		list = strings.ReplaceAll(listSeparators.Replace(list), " ", "\n")
	} else if r.namesCard(text) {
		return nil // The title of a card may contain a comma or "and".
	}
	lines := listLines(word, list)
	for _, line := range lines {
		if strings.Trim(line[len(word)+1:], "0123456789") != "" && !r.namesCard(line) {
			return nil
		}
	}
	return lines
}

// splitPages splits the list of a HELP or RULES line into a line for each part. It returns nil if no part is a page, or if the
// whole list is the name of a page.
func (r *Reader) splitPages(word Word, text, list string) []string {
	findPage := func(line string) (isPage, isRead bool) {
		c, _, ok := findPlayerOrderSpec(word).ReadLine(r, r.newLineText(line))
		return ok && r.isPage(word, c.Text), ok
	}
	if isPage, _ := findPage(text); isPage {
		return nil // The name of a page may have a comma.
	}
	lines := listLines(word, list)
	if len(lines) < 2 {
		return nil
	}
	hasPage := false
	for _, line := range lines {
		isPage, isRead := findPage(line)
		if !isRead {
			return nil
		}
		hasPage = hasPage || isPage
	}
	if !hasPage {
		return nil
	}
	return lines
}

// listLines writes each part of a list after a word. For example, "PLAY and OPS" after HELP gives "HELP PLAY" and "HELP OPS".
func listLines(word Word, list string) (lines []string) {
	for part := range strings.SplitSeq(listSeparators.Replace(list), "\n") {
		if part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "and ")); part != "" {
			lines = append(lines, string(word)+" "+part)
		}
	}
	return lines
}

// namesCard reports whether a line asks for exactly one card by its number or title, such as "CARD Deutsche Marks".
func (r *Reader) namesCard(line string) bool {
	o, err := r.Orders.ParsePlain(line)
	return err == nil && len(o.Clauses) == 1 && o.Clauses[0].Word == string(Card) && len(o.Clauses[0].Items) == 1
}

func (r *Reader) isPage(word Word, name string) bool {
	pages := r.Manual()
	if word == Rules {
		pages = r.game.Topics()
	}
	return slices.ContainsFunc(pages, func(p rules.Topic) bool { return p.Name == name })
}
