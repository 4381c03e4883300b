package letter

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Reader reads letters about matches of one game. It is immutable and safe for concurrent use.
type Reader struct {
	// Orders parses the orders of the game, and the orders to the referee with the same syntax. Conditional parses conditional orders; nil
	// if the game has none.
	Orders      *order.Parser
	Conditional *ahead.Interpreter

	game         *rules.Game
	keywords     []rules.Keyword
	verbs        []string
	topicsParser *order.Parser
	// Manual returns the pages of HELP, which are created at first use.
	Manual         func() []rules.Topic
	manualParser   func() *order.Parser
	orderSpecs     []*OrderSpec
	isConsentAsked bool
	// commandCache is set by forLetter, for the lines of one letter.
	commandCache map[commandKey]commandResult
}

// New returns the reader for a game.
func New(g *rules.Game) *Reader {
	lang := refereeLanguage{g}
	r := &Reader{game: g, Orders: order.New(lang), keywords: lang.Keywords(), verbs: Verbs(g), topicsParser: newTopicsParser(g),
		Manual: sync.OnceValue(func() []rules.Topic { return Manual(g) })}
	r.manualParser = sync.OnceValue(func() *order.Parser { return order.New(topicLanguage{g, HelpWord, r.Manual()}) })
	r.Conditional = ahead.New(g, r.Orders)
	for _, e := range playerOrderSpecs {
		if e.IsInGame == nil || e.IsInGame(g) {
			r.orderSpecs = append(r.orderSpecs, e)
		}
	}
	return r
}

// Letter is a letter to be read.
type Letter struct {
	Text string
	// Seats are the names of all seats, and Seat is the seat of the writer.
	Seats []string
	Seat  rules.Seat
	// PlayerNames are the names of the players in the order of seats; empty if unknown.
	PlayerNames []string
	// WriterName is the display name in the From header.
	WriterName string
	// PossibleQuoteEnds are lines directly below a quoted line. They may be the end of that line, wrapped by a mail program.
	PossibleQuoteEnds []string
	// IsConsentAsked is set if a yes-or-no question is open: the confirmation of an order, or a request of another player.
	IsConsentAsked bool
	// LoadAnsweredQuestion loads the question that the letter answers. It is called at most once, for the first line that is only a number.
	// It is nil in a letter of an observer.
	LoadAnsweredQuestion func() (AnsweredQuestion, error)
	// Trials returns a function that tries an order as an answer to the question, or nil if no order can answer the question.
	// LoadFullQuestion loads the question with all its legal answers, for reading free text. Both are called at most once, and may be nil.
	Trials           func() (func(rules.Order) *order.Trial, error)
	LoadFullQuestion func() (*order.Question, error)
}

// AnsweredQuestion is the question of the answered letter.
type AnsweredQuestion struct {
	// Decision is the seat's open decision; nil for none or several. Text is its question. NumberedAnswers are its answers as
	// orders, in the order of their numbers in the letter, e.g. "CHOOSE Poland".
	Decision        *rules.Decision
	Text            string
	NumberedAnswers []string
	// ClosedReason is the reason why no answer is possible any more.
	ClosedReason string
}

// Kind is the kind of a line.
type Kind int

const (
	// KindTalk is a line that is not an order; Line.Why gives the reason.
	KindTalk Kind = iota
	// KindDoubt is a line that is not an order, but may retract, doubt or restrict the orders beside it, e.g. "if that is allowed".
	KindDoubt
	// KindUnreadable is an order that is not understood; Line.Why explains the problem.
	KindUnreadable
	// KindRefereeOrder is an order to the referee (this program), e.g. STATUS.
	KindRefereeOrder
	KindGameOrder
	// KindConditionalOrder is an order that answers a question that is not open yet.
	KindConditionalOrder
)

// Line is a line of a letter.
type Line struct {
	// Text is the line as written, without comments.
	Text string
	Kind Kind
	// Why explains talk and unreadable lines, in sentences.
	Why string
	// SimilarOrders are orders with a similar name in place of a misspelt name: "PLACE Gdnask 2" -> "PLACE Gdansk 2".
	// They may be illegal. WhyWithoutNames is Why without the list of similar names.
	SimilarOrders   []string
	WhyWithoutNames string
	// PossibleOrders are the orders that the line may mean. NamesOrders is set if Why lists them.
	NamesOrders    bool
	PossibleOrders []string
	// IsCardPlay is set if the line starts with "card" in small letters and may play that card, e.g. "Card 14, event".
	IsCardPlay bool
	// IrrevocableVerb is the word of an irrevocable order that a line of talk may mean, e.g. REVOLUTION in "Vive la Revolution!". Such an
	// order needs a line of its own.
	IrrevocableVerb string
	// Command is set for a KindRefereeOrder, Order for a KindGameOrder, Conditional for a KindConditionalOrder.
	Command     Command
	Order       rules.Order
	Conditional *ahead.Line
	// IsConfirmed is set if FOR SURE follows the order, which confirms it although it has an immediate disadvantage.
	IsConfirmed bool
	// IsForLater is set if the order was written for a later question.
	IsForLater bool
	// quoteDoubt is the reason to doubt an order that is directly below a quoted line; empty for other orders.
	quoteDoubt string
	// Doubt is the reason why an order needs a confirmation; empty for none.
	Doubt string
}

// HasEffect reports whether the line is an order that can change the match or the writer's settings.
func (l *Line) HasEffect() bool {
	switch class := l.Class(); l.Kind {
	case KindGameOrder, KindConditionalOrder:
		return true
	case KindRefereeOrder:
		return class == ClassSetting || class == ClassMessage || class == ClassAction
	}
	return false
}

// Is reports whether the line is this order to the referee.
func (l *Line) Is(word Word) bool { return l.Kind == KindRefereeOrder && l.Command.Word == word }

// Class returns the class of an order to the referee, readable or not, and ClassNone for any other line.
func (l *Line) Class() Class {
	if e := l.Command.orderSpec(); e != nil {
		return e.Class
	}
	return ClassNone
}

// Read reads a letter of a running match.
func (r *Reader) Read(l Letter) ([]Line, error) {
	r = r.forLetter(l)
	settings, rest, messages := r.extractSettingsAndMessages(l)
	if refusal, ok := refuseTooManyWords(rest); ok {
		return []Line{refusal}, nil
	}
	numbers := &numberedAnswers{reader: r, loadQuestion: l.LoadAnsweredQuestion}
	parts, questions := r.extractInquiries(r.joinConditional(r.splitLists(r.splitPreview(r.Orders.SplitLines(rest)))))
	lines := make([]Line, len(parts))
	for i, o := range parts {
		var err error
		if lines[i], err = r.readLine(o, numbers); err != nil {
			return nil, err
		}
	}
	r.markCourtesy(lines)
	markQuoteEnds(lines, l.PossibleQuoteEnds)
	r.doubtInsideParagraphs(lines, parts)
	lines, err := r.interpret(lines, l)
	if err != nil {
		return nil, err
	}
	markContradictions(lines)
	return slices.Concat(settings, lines, questions, messages), nil
}

func (r *Reader) forLetter(l Letter) *Reader {
	copied := *r
	copied.commandCache, copied.isConsentAsked = map[commandKey]commandResult{}, l.IsConsentAsked
	names := []string{l.WriterName}
	if l.Seat >= 0 && int(l.Seat) < len(l.Seats) {
		names = append(names, l.Seats[l.Seat])
	}
	if l.Seat >= 0 && int(l.Seat) < len(l.PlayerNames) {
		names = append(names, l.PlayerNames[l.Seat])
	}
	copied.Orders = r.Orders.ForLetter(names...)
	if r.topicsParser != nil {
		copied.topicsParser = r.topicsParser.ForLetter()
	}
	return &copied
}

func (r *Reader) readLine(o order.Line, numbers *numberedAnswers) (Line, error) {
	if o.Text == string(Preview) {
		return Line{Text: o.Text, Kind: KindRefereeOrder, Command: Command{Word: Preview}}, nil
	}
	for _, text := range []string{o.Text, trimPolite(o.Text)} {
		if c, _, ok := r.findCommand(text, ClassQuery, ClassQueryInSequence, ClassAction); ok &&
			(text == o.Text || !findPlayerOrderSpec(c.Word).NeedsParagraph) {
			return Line{Text: o.Text, Kind: KindRefereeOrder, Command: c}, nil
		}
	}
	l := Line{Text: o.Text}
	o.Text, l.IsConfirmed = cutForSure(o.Text)
	if r.readConditional(&l, o) {
		if l.Kind == KindConditionalOrder && !o.Enclosed && strings.Contains(o.Text, "?") {
			l.Doubt = questionMarkNote
		}
	} else {
		isRead, err := numbers.readAnswer(&l, o)
		if err != nil {
			return l, err
		}
		if !isRead {
			r.readOrder(&l, o)
		}
	}
	numbers.hasOrderAbove = numbers.hasOrderAbove || l.Kind > KindUnreadable
	return l, nil
}

var politeWordsPattern = regexp.MustCompile(`(?i)^\s*(?:please|pls|plz|kindly)\b[\s,]*|[\s,]*\b(?:please|pls|plz|thanks|thank you|thx)\s*[.!]*\s*$`)

var listNumberPattern = regexp.MustCompile(`^\s*\d{1,2}[.)]\s+`)

// trimPolite removes polite words at both ends of a line: "status, please" -> "status".
func trimPolite(line string) string {
	if len(line) > maxInquiryBytes {
		return line
	}
	return politeWordsPattern.ReplaceAllString(line, "")
}

// readOrder parses a line as an order of the game. A line that is not an order becomes a KindDoubt; markCourtesy or interpret may change
// this kind later.
func (r *Reader) readOrder(l *Line, o order.Line) {
	switch {
	case StartsWith(o.Text, Message):
		// The rest is the message, with any content.
		l.Kind, l.Why = KindUnreadable, "Put MESSAGE at the start of its own line. Your message was not sent."
		l.Command = Command{Word: Message}
		return
	case StartsWith(o.Text, Join):
		l.Why = "You had already joined, and the match has begun."
		return
	}
	text := o.Text
	if startsWithThen(text) {
		l.IsForLater = true
		text = text[strings.Index(strings.ToLower(text), "then")+len("then"):]
	}
	parsed, err := r.parseOrder(text)
	if err == nil && (o.Enclosed || r.Orders.IsStatement(text) || findPlayerOrderSpec(Word(parsed.Clauses[0].Word)) != nil) {
		r.storeOrder(l, parsed)
		return
	}
	if tolerant, tolerantErr := r.Orders.ParseOrder(trimPolite(text)); tolerantErr == nil && r.Orders.IsStatement(text) &&
		(l.IsForLater || o.Enclosed || findPlayerOrderSpec(Word(tolerant.Clauses[0].Word)) != nil) {
		r.storeOrder(l, tolerant)
		return
	}
	if word := shortQuestions[strings.Join(r.Orders.CachedWords(text), " ")]; word != "" && r.hasCommand(word) {
		l.Kind, l.Command = KindRefereeOrder, Command{Word: word}
		return
	}
	if topic, ok := r.findCardTopic(text, err); ok {
		l.Kind, l.Command = KindRefereeOrder, Command{Word: Rules, Text: topic}
		return
	}
	l.Kind, l.Why = KindDoubt, r.explainTalk(text)
	if err != nil && (o.Enclosed || r.Orders.IsOrder(text)) {
		l.Kind, l.Why = KindUnreadable, match.ErrorSentence(err)
		l.IsCardPlay = StartsWith(o.Text, Card) && !strings.HasPrefix(o.Text, string(Card))
		l.recordSimilar(err)
	}
}

// parseOrder parses an order, which may have a list number, e.g. "1. CHOOSE Poland".
func (r *Reader) parseOrder(text string) (rules.Order, error) {
	o, err := r.Orders.ParsePlain(text)
	if err != nil {
		if unnumbered, unnumberedErr := r.Orders.ParsePlain(listNumberPattern.ReplaceAllString(text, "")); unnumberedErr == nil {
			return unnumbered, nil
		}
	}
	return o, err
}

func (l *Line) recordSimilar(err error) {
	var unclear *order.UnclearError
	if !errors.As(err, &unclear) || unclear.Ambiguous || unclear.Part == "" || len(unclear.Candidates) == 0 {
		return
	}
	for _, c := range unclear.Candidates {
		l.SimilarOrders = append(l.SimilarOrders, strings.Replace(unclear.Text, unclear.Part, c, 1))
	}
	plain := *unclear
	plain.Candidates = nil
	l.WhyWithoutNames = match.ErrorSentence(&plain)
}

// storeOrder stores an order in a line; an order to the referee becomes a Command.
func (r *Reader) storeOrder(l *Line, parsed rules.Order) {
	firstClause := parsed.Clauses[0]
	if e := findPlayerOrderSpec(Word(firstClause.Word)); e != nil && e.Keyword != nil {
		if len(parsed.Clauses) > 1 && e.Word == Card && !strings.HasPrefix(parsed.Text, string(Card)) {
			// "Card 14, event" may be a play.
			l.Kind, l.IsCardPlay, l.Why = KindUnreadable, true, "Write CARD and the number or title of a card, and nothing else."
			return
		}
		l.Kind, l.Command = KindRefereeOrder, Command{Word: e.Word, HasMoreClauses: len(parsed.Clauses) > 1}
		if len(firstClause.Items) > 0 {
			l.Command.Name = firstClause.Items[0].Name
		}
		return
	}
	l.Kind, l.Order = KindGameOrder, parsed
}

// findCommand finds an order to the referee in a line. It caches the results, because lines are read several times.
func (r *Reader) findCommand(text string, classes ...Class) (c Command, reason string, ok bool) {
	key := commandKey{text: text}
	for _, c := range classes {
		key.classes |= 1 << c
	}
	result, isCached := r.commandCache[key]
	if !isCached {
		result.command, result.reason, result.ok = r.lookUpCommand(text, classes)
		if r.commandCache != nil {
			r.commandCache[key] = result
		}
	}
	return result.command, result.reason, result.ok
}

type (
	commandKey struct {
		text    string
		classes uint
	}
	commandResult struct {
		command Command
		reason  string
		ok      bool
	}
)

func (r *Reader) lookUpCommand(text string, classes []Class) (c Command, reason string, ok bool) {
	l := r.newLineText(text)
	for _, e := range r.orderSpecs {
		if e.Word == No && !r.isConsentAsked {
			continue // NO may answer a question of the game.
		}
		if e.ReadLine == nil || !slices.Contains(classes, e.Class) {
			continue
		}
		if c, reason, ok = e.ReadLine(r, l); ok {
			c.Word = e.Word
			return c, reason, true
		}
	}
	return Command{}, "", false
}

// StartsWith reports whether a line begins with a word, in any case.
func StartsWith(line string, word Word) bool {
	return strings.EqualFold(order.FirstWord(line), string(word))
}
