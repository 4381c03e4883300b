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

// Reader reads the letters about one game's matches. It never changes and may be used by
// several goroutines at once.
type Reader struct {
	// Orders reads the orders of the game, and those of the host that are read like
	// them; Conditional the conditional ones, nil where the game takes none.
	Orders      *order.Parser
	Conditional *ahead.Reader

	game     *rules.Game
	keywords []rules.Keyword
	verbs    []string
	topics   *order.Parser
	// Manual gives the pages of HELP. Few letters want them, and they are made when one does.
	Manual  func() []rules.Topic
	manual  func() *order.Parser
	entries []*Entry
	// consents: a question is open that YES and NO answer.
	consents bool
	// found is what was found out of the lines of one letter; nil remembers nothing.
	found map[lookedUp]finding
}

// New returns the reader for a game.
func New(g *rules.Game) *Reader {
	lang := hostLanguage{g}
	r := &Reader{game: g, Orders: order.New(lang), keywords: lang.Keywords(), verbs: Verbs(g), topics: topicParser(g),
		Manual: sync.OnceValue(func() []rules.Topic { return Manual(g) })}
	r.manual = sync.OnceValue(func() *order.Parser { return order.New(shelf{g, HelpWord, r.Manual()}) })
	r.Conditional = ahead.New(g, r.Orders)
	for _, e := range players {
		if e.In == nil || e.In(g) {
			r.entries = append(r.entries, e)
		}
	}
	return r
}

// Letter is a letter to be read.
type Letter struct {
	Text string
	// Seats are the names of the seats, Seat is the writer's.
	Seats []string
	Seat  rules.Seat
	// Called are the names of the players, in the order of seats; empty where there is none.
	Called []string
	// From is what the writer's mail program calls him; it may be anything.
	From string
	// Beneath are lines right below a quoted one, of which they may be the end.
	Beneath []string
	// Consents means that a question is open that YES and NO answer: whether the writer means an order,
	// or agrees to what another player asks for.
	Consents bool
	// Asked finds the question that the letter answers. It is called once at most, and
	// only for a line that could be a short answer. Nil where nothing was asked.
	Asked func() (Asked, error)
	// Try finds what says of an order what it comes to as an answer to that question: nil
	// where nothing is one. Question is the same with all that helps to understand what
	// cannot be read as it stands; few letters need it. Each is called once at most; both may be nil.
	Try      func() (func(rules.Order) *order.Trial, error)
	Question func() (*order.Question, error)
}

// Asked is the question of the letter that is answered.
type Asked struct {
	// Open is the question, if there is just one and it is open; Text asks it, and Forms are
	// its numbered answers.
	Open  *rules.Decision
	Text  string
	Forms []string
	// Closed says why nothing can answer it any more.
	Closed string
}

// Kind is what a line of a letter is.
type Kind int

// The kinds of lines.
const (
	// Talk is no order; Why says how that was seen.
	Talk Kind = iota
	// Doubt is no order either, and is not known to be harmless: it may take back, doubt or
	// condition what stands beside it.
	Doubt
	// Unreadable lines are orders that cannot be understood; Why says what is wrong.
	Unreadable
	// HostOrder lines are orders to the host.
	HostOrder
	// GameOrder lines are orders of the game.
	GameOrder
	// ConditionalOrder lines are orders for what is not asked yet.
	ConditionalOrder
)

// Line is a line of a letter as it was read.
type Line struct {
	// Text is the line as it was written, without comments.
	Text string
	Kind Kind
	// Why is the explanation for talk and unreadable lines, a sentence or more.
	Why string
	// Near are orders that the line may be with a slip in a name, which need not be legal,
	// and Plainly is Why without the names.
	Near    []string
	Plainly string
	// Names: Why names the orders that may be written instead. Can are those that the lines of
	// the letter can mean.
	Names bool
	Can   []string
	// Plays: the line begins with what names a card, and goes on as an order of the game does.
	Plays bool
	// Own is the first word of an order that a line of talk seems to mean, and that only its own line gives,
	// since it cannot be undone: "Vive la Revolution!" is no REVOLUTION.
	Own string
	// Which of these is set goes by the kind.
	Command     Command
	Order       rules.Order
	Conditional *ahead.Line
	// Surely: the writer of a game's order knows what he would lose.
	Surely bool
	// Later means that the order was written for what is asked later.
	Later bool
	// below says why an order is to be doubted for what stands right above it: a quoted line; empty where
	// there is no reason.
	below string
	// Unsure says, of an order, why its writer is to be asked whether he means it; empty
	// where there is no reason.
	Unsure string
}

// Acts reports whether the line is an order that does something when it is carried out:
// that does not only ask.
func (l *Line) Acts() bool {
	switch class := l.Class(); l.Kind {
	case GameOrder, ConditionalOrder:
		return true
	case HostOrder:
		return class == Setting || class == Telling || class == Acting
	}
	return false
}

// Is reports whether the line is this order to the host.
func (l *Line) Is(word Word) bool { return l.Kind == HostOrder && l.Command.Word == word }

// Class is the class of an order to the host, whether it can be understood or not, and
// None of any other line.
func (l *Line) Class() Class {
	if e := l.Command.entry(); e != nil {
		return e.Class
	}
	return None
}

// Read reads a letter of a match that has begun.
func (r *Reader) Read(l Letter) ([]Line, error) {
	r = r.forLetter(l)
	out, rest, messages := r.rows(l)
	if long, ok := tooMany(rest); ok {
		return []Line{long}, nil
	}
	short := &short{r: r, asked: l.Asked}
	split, asks := r.inquired(r.joinConditional(r.each(r.cutPreview(r.Orders.Lines(rest)))))
	read := make([]Line, len(split))
	for i, o := range split {
		var err error
		if read[i], err = r.line(o, short); err != nil {
			return nil, err
		}
	}
	r.markCourtesy(read)
	torn(read, split)
	beneath(read, l.Beneath)
	r.apart(read, split)
	read, err := r.interpret(read, l)
	if err != nil {
		return nil, err
	}
	against(read)
	return slices.Concat(out, read, asks, messages), nil
}

// forLetter is the reader for one letter: it remembers what it found out of its lines, and knows what
// its writer is called.
func (r *Reader) forLetter(l Letter) *Reader {
	once := *r
	once.found, once.consents = map[lookedUp]finding{}, l.Consents
	called := []string{l.From}
	if l.Seat >= 0 && int(l.Seat) < len(l.Seats) {
		called = append(called, l.Seats[l.Seat])
	}
	if l.Seat >= 0 && int(l.Seat) < len(l.Called) {
		called = append(called, l.Called[l.Seat])
	}
	once.Orders = r.Orders.Letter(called...)
	if r.topics != nil {
		once.topics = r.topics.Letter()
	}
	return &once
}

// line reads a line that is neither a setting nor a message.
func (r *Reader) line(o order.Line, short *short) (Line, error) {
	if o.Text == string(Preview) {
		return Line{Text: o.Text, Kind: HostOrder, Command: Command{Word: Preview}}, nil
	}
	for _, text := range []string{o.Text, unadorned(o.Text)} {
		if c, _, ok := r.find(text, Question, Asking, Acting); ok && (text == o.Text || !entryOf(c.Word).Alone) {
			return Line{Text: o.Text, Kind: HostOrder, Command: c}, nil
		}
	}
	l := Line{Text: o.Text}
	o.Text, l.Surely = surely(o.Text)
	if r.readConditional(&l, o) {
		if l.Kind == ConditionalOrder && !o.Enclosed && strings.Contains(o.Text, "?") {
			l.Unsure = questioned
		}
	} else {
		done, err := short.read(&l, o)
		if err != nil {
			return l, err
		}
		if !done {
			r.order(&l, o)
		}
	}
	short.order = short.order || l.Kind > Unreadable
	return l, nil
}

// pleases are words of courtesy around an order to the host.
var pleases = regexp.MustCompile(`(?i)^\s*(?:please|pls|plz|kindly)\b[\s,]*|[\s,]*\b(?:please|pls|plz|thanks|thank you|thx)\s*[.!]*\s*$`)

// listed is the number of a line in a list: "1. CHOOSE Poland".
var listed = regexp.MustCompile(`^\s*\d{1,2}[.)]\s+`)

// unadorned is a line without words of courtesy around it: "status, please" asks for STATUS.
func unadorned(line string) string {
	if len(line) > longestInquiry {
		return line
	}
	return pleases.ReplaceAllString(line, "")
}

// order reads a line by the game's language, as it stands. Any other line is a doubt, until it is seen to
// be courtesy or the interpreter finds out what it means.
func (r *Reader) order(l *Line, o order.Line) {
	switch {
	case Begins(o.Text, Message):
		// What follows is the message, whatever it looks like.
		l.Kind, l.Why = Unreadable, "MESSAGE begins a line of its own. Yours was sent to nobody."
		l.Command = Command{Word: Message}
		return
	case Begins(o.Text, Join):
		l.Why = "You have joined already; the match has begun."
		return
	}
	text := o.Text
	if later(text) {
		l.Later = true
		text = text[strings.Index(strings.ToLower(text), "then")+len("then"):]
	}
	said, err := r.plain(text)
	if err == nil && (o.Enclosed || r.Orders.Stands(text) || entryOf(Word(said.Clauses[0].Word)) != nil) {
		r.ordered(l, said)
		return
	}
	if loose, failed := r.Orders.Order(unadorned(text)); failed == nil && r.Orders.Stands(text) &&
		(l.Later || o.Enclosed || entryOf(Word(loose.Clauses[0].Word)) != nil) {
		r.ordered(l, loose)
		return
	}
	if e := lone[strings.Join(r.Orders.Texts(text), " ")]; e != "" && r.knows(e) {
		l.Kind, l.Command = HostOrder, Command{Word: e, lone: true}
		return
	}
	l.Kind, l.Why = Doubt, r.notTaken(text)
	if err != nil && (o.Enclosed || r.Orders.IsOrder(text)) {
		l.Kind, l.Why = Unreadable, match.Sentence(err)
		l.Plays = Begins(o.Text, Card) && !strings.HasPrefix(o.Text, string(Card))
		l.slips(err)
	}
}

// plain reads an order as it stands, without its number in a list: "1. CHOOSE Poland".
func (r *Reader) plain(text string) (rules.Order, error) {
	o, err := r.Orders.Plain(text)
	if err != nil {
		if unnumbered, failed := r.Orders.Plain(listed.ReplaceAllString(text, "")); failed == nil {
			return unnumbered, nil
		}
	}
	return o, err
}

// slips notes the orders that a line may be, where it was not understood for a name.
func (l *Line) slips(err error) {
	var u *order.Unclear
	if !errors.As(err, &u) || u.Ambiguous || u.Part == "" || len(u.Candidates) == 0 {
		return
	}
	for _, c := range u.Candidates {
		l.Near = append(l.Near, strings.Replace(u.Text, u.Part, c, 1))
	}
	plain := *u
	plain.Candidates = nil
	l.Plainly = match.Sentence(&plain)
}

// ordered puts an order into a line: the host's, if it is one of those.
func (r *Reader) ordered(l *Line, o rules.Order) {
	first := o.Clauses[0]
	if e := entryOf(Word(first.Word)); e != nil && e.Keyword != nil {
		if len(o.Clauses) > 1 && e.Word == Card && !strings.HasPrefix(o.Text, string(Card)) {
			// "Card 14, event" may be a play.
			l.Kind, l.Plays, l.Why = Unreadable, true, "CARD wants the number or the title of a card, and nothing else."
			return
		}
		l.Kind, l.Command = HostOrder, Command{Word: e.Word, More: len(o.Clauses) > 1}
		if len(first.Items) > 0 {
			l.Command.Name = first.Items[0].Name
		}
		return
	}
	l.Kind, l.Order = GameOrder, o
}

// find finds the order to the host that a line is, among those of some classes. A line of a letter
// is looked at several times.
func (r *Reader) find(text string, among ...Class) (c Command, why string, ok bool) {
	key := lookedUp{text: text}
	for _, c := range among {
		key.among |= 1 << c
	}
	f, known := r.found[key]
	if !known {
		f.command, f.why, f.ok = r.look(text, among)
		if r.found != nil {
			r.found[key] = f
		}
	}
	return f.command, f.why, f.ok
}

// lookedUp is a line, and a bit for each class that it was looked for among; finding is what
// was found.
type (
	lookedUp struct {
		text  string
		among uint
	}
	finding struct {
		command Command
		why     string
		ok      bool
	}
)

func (r *Reader) look(text string, among []Class) (c Command, why string, ok bool) {
	l := r.say(text)
	for _, e := range r.entries {
		if e.Word == No && !r.consents {
			continue // It may decline what the game asks.
		}
		if e.Line == nil || !slices.Contains(among, e.Class) {
			continue
		}
		if c, why, ok = e.Line(r, l); ok {
			c.Word = e.Word
			return c, why, true
		}
	}
	return Command{}, "", false
}

// Begins reports whether a line begins with a word, however it is written.
func Begins(line string, word Word) bool {
	return strings.EqualFold(order.First(line), string(word))
}
