package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/analysis"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// Reader describes the information that the reader of a story may see: public information only, also the hidden
// information of one seat, or everything.
type Reader struct {
	// Seat is the seat with the hidden information that is shown; NoSeat for an observer.
	Seat rules.Seat
	// All shows the hidden information of every seat. Use it only for finished matches.
	All bool
}

// mayKnow reports whether the reader may see the hidden information of a seat.
func (r Reader) mayKnow(seat rules.Seat) bool {
	return seat != rules.NoSeat && (r.All || r.Seat == seat)
}

// Story is a match as one reader may see it.
type Story struct {
	Match, Title, Credit string
	Reader               Reader
	// Roles are the titles that the game gives to the seats, after the last move, for example "Democrat". Names are the
	// seat names of the record.
	Roles, Names []string
	Status       string
	IsOver       bool
	// Result is the result in words, for example "The democrat has won (resignation)."; empty if the match goes on.
	Result string
	Moves  []Move
	// Checks are the lines that "samizdat verify" prints about the record; empty if the record was not verified.
	Checks []string
	// Analysis is the judgement of the decisions; nil if the match was not analysed.
	Analysis *analysis.Analysis
	// Build is the version of this program. Head is the newest hash of the history.
	Build, Head string
	// PictureURL is the address of a picture of the position for links to the page, e.g.
	// https://club.example/struggle-400.png; empty for none.
	PictureURL string

	frames picture.Frames
}

// Move is an entry of the history as the reader may see it.
type Move struct {
	Seq int
	At  time.Time
	// Turn is the turn of the move, and Next is the turn after the move; both are 0 if the game
	// counts no turns. Headline names the phase of the match in a few words.
	Turn, Next int
	Headline   string
	// Episode is a part of a turn, for example a power struggle; empty if there is none.
	Episode string
	// Seat is the record's name of the seat that moved; empty for a move of several seats or of no seat.
	Seat   string
	Orders []SeatOrders
	// PublicSentences are the sentences about events that every reader may see. PrivateSentences are the sentences that
	// only one seat may see.
	PublicSentences, Remarks []string
	PrivateSentences         []SeatSentences
	Dice                     []Die
	Draws                    []Draw
	// Hands are the hands that this move changed. Table is the state of the match, in the sections of a letter; it is set
	// for a game without a map if this move changed a section.
	Hands  []Hand
	Table  []Section
	Curves []rules.CurvePoint
	Hash   string
}

// SeatOrders are the orders of a seat in a move.
type SeatOrders struct {
	Seat, Role string
	Lines      []string
	// Hidden means that the seat gave orders that the reader may not see; then Lines is nil.
	Hidden bool
}

// SeatSentences holds sentences that only one seat may see.
type SeatSentences struct {
	Seat, Role string
	Lines      []string
}

// Hand holds the sections with the hand of a seat.
type Hand struct {
	Role     string
	Sections []Section
}

// Section is a titled part of a letter, as blocks or as lines of text.
type Section struct {
	Title  string
	Blocks []rules.Block
	Lines  []string
}

type storyWriter struct {
	game *rules.Game
	rec  *record.Record
	*Story
	// turn, headline and episode are the values before the current move. lastShown holds the text of the sections that
	// were shown last for each seat.
	turn              int
	headline, episode string
	lastShown         map[rules.Seat]string
}

// NewStory replays a record and makes the story for a reader. The record must include its hidden fields, even
// for an observer. NewOutline handles records without them.
func NewStory(g *rules.Game, rec *record.Record, r Reader) (*Story, error) {
	w := &storyWriter{game: g, rec: rec, lastShown: map[rules.Seat]string{}, Story: &Story{
		Match: rec.Header.Match, Title: g.Title(), Credit: g.Credit(), Reader: r, Names: g.SeatNames(rec.Header.Setup(g))}}
	final, err := record.Replay(rec, g, w.visit)
	if diffs := (record.DifferencesError)(nil); errors.As(err, &diffs) && !errors.As(err, new(*record.ReplayError)) {
		err = nil // A story ignores positions that differ from the record; the replay command reports them.
	}
	if err != nil {
		return nil, fmt.Errorf("replay record: %w", err)
	}
	if len(w.Moves) == 0 {
		return nil, errors.New("the record has no entries")
	}
	view := final.Position.View(r.viewer())
	w.Status = g.Status(view)
	var result rules.Result
	if result, w.IsOver = final.Position.Result(); w.IsOver {
		w.Result = w.describeResult(final.Position, result)
	}
	for i := range w.Names {
		w.Roles = append(w.Roles, w.roleOf(final.Position, rules.Seat(i)))
	}
	return w.Story, nil
}

// NewOutline makes a story from a record that has only public fields and cannot be replayed. The story has orders,
// dice, draws and remarks, but no map and no hands.
func NewOutline(g *rules.Game, rec *record.Record) *Story {
	w := &storyWriter{game: g, rec: rec, Story: &Story{Match: rec.Header.Match, Title: g.Title(), Credit: g.Credit(),
		Reader: Reader{Seat: rules.NoSeat}, Names: g.SeatNames(rec.Header.Setup(g))}}
	for _, e := range rec.Entries() {
		m := Move{Seq: e.Seq, At: e.At, Seat: string(e.Seat), Hash: e.Hash, Remarks: compose.PublicRemarks(g, rec, record.Visit{Entry: e})}
		w.addOrders(&m, e, nil)
		w.addChance(&m, e)
		w.Moves, w.Head = append(w.Moves, m), e.Hash
	}
	return w.Story
}

// viewer returns the seat for the view that is drawn. A reader who may see everything gets the public view; addHands
// adds the hands.
func (r Reader) viewer() rules.Seat {
	if r.All {
		return rules.NoSeat
	}
	return r.Seat
}

// describeResult describes the result in words, for example "The democrat has won (resignation)."
func (w *storyWriter) describeResult(p rules.Position, r rules.Result) string {
	var winners []string
	for i := range w.Names {
		if r.Winners.Has(rules.Seat(i)) {
			winners = append(winners, w.playerName(p, rules.Seat(i)))
		}
	}
	text := "It is a draw"
	switch n := len(winners); {
	case n == 1:
		text = capitalize(winners[0]) + " has won"
	case n > 1:
		text = capitalize(strings.Join(winners[:n-1], ", ")) + " and " + winners[n-1] + " have won"
	case r.AllLost:
		text = "Nobody has won"
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return strings.TrimSpace(text + ". " + r.Words)
}

// playerName returns the title that the game gives to a seat, or else the name of the seat, with an article, for
// example "the democrat".
func (w *storyWriter) playerName(p rules.Position, seat rules.Seat) string {
	if w.game.Role != nil && p != nil {
		return w.game.Role(p.View(seat))
	}
	return "the " + w.Names[seat]
}

// roleOf returns the title or name of a seat without an article, for example "Democrat".
func (w *storyWriter) roleOf(p rules.Position, seat rules.Seat) string {
	return capitalize(strings.TrimPrefix(w.playerName(p, seat), "the "))
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func (w *storyWriter) seatOf(name string) rules.Seat { return rules.Seat(slices.Index(w.Names, name)) }

func (w *storyWriter) visit(v record.Visit) error {
	e, pos := v.Entry, v.Position
	view := pos.View(w.Reader.viewer())
	m := Move{Seq: e.Seq, At: e.At, Seat: string(e.Seat), Hash: e.Hash, Remarks: compose.PublicRemarks(w.game, w.rec, v)}
	w.setTurn(&m, view)
	w.addOrders(&m, e, pos)
	w.addSentences(&m, pos, v.Events)
	w.addChance(&m, e)
	w.addHands(&m, pos)
	if w.game.Map != nil {
		w.frames.Add(w.game.Map.Draw(view, eventsFor(v.Events, view.Seat())))
	} else {
		w.addTable(&m, view)
	}
	w.Moves, w.Head = append(w.Moves, m), e.Hash
	return nil
}

// setTurn sets the turn, headline and episode of a move. A move that leads into the next turn or episode belongs to the
// earlier one.
func (w *storyWriter) setTurn(m *Move, after rules.View) {
	if w.game.Turn != nil {
		m.Next = w.game.Turn(after)
		m.Turn, w.turn = cmp.Or(w.turn, m.Next), m.Next
	}
	if w.game.Headline != nil {
		headline := w.game.Headline(after)
		m.Headline, w.headline = cmp.Or(w.headline, headline), headline
	}
	if w.game.Chronicle != nil {
		episode := w.game.Chronicle.Episode(after)
		m.Episode, w.episode = cmp.Or(w.episode, episode), episode
		m.Curves = w.game.Chronicle.Curves(after)
	}
}

func (w *storyWriter) addOrders(m *Move, e *record.Entry, pos rules.Position) {
	add := func(name record.SeatName, isPrivate bool, lines []string) {
		seat := w.seatOf(string(name))
		orders := SeatOrders{Seat: string(name), Role: w.roleOf(pos, seat), Lines: lines}
		if isPrivate && !w.Reader.mayKnow(seat) {
			orders.Hidden, orders.Lines = true, nil
		}
		m.Orders = append(m.Orders, orders)
	}
	if len(e.Orders) > 0 || e.Private {
		add(e.Seat, e.Private, e.Orders)
	}
	for _, a := range e.Answers {
		add(a.Seat, a.Private, a.Orders)
	}
}

func eventsFor(events []rules.Event, seat rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
}

// addSentences adds the public sentences about events, and for each seat with hidden information that the reader may
// see, the additional sentences. A seat without additional events is skipped: its sentences would differ from the
// public sentences only in words, for example "you" for "the democrat".
func (w *storyWriter) addSentences(m *Move, pos rules.Position, events []rules.Event) {
	sentencesFor := func(seat rules.Seat) []string { return w.game.Sentences(pos.View(seat), eventsFor(events, seat)) }
	m.PublicSentences = sentencesFor(rules.NoSeat)
	public := len(eventsFor(events, rules.NoSeat))
	for i := range w.Names {
		seat := rules.Seat(i)
		if !w.Reader.mayKnow(seat) || len(eventsFor(events, seat)) == public {
			continue
		}
		additional := slices.DeleteFunc(sentencesFor(seat), func(s string) bool { return slices.Contains(m.PublicSentences, s) })
		if len(additional) > 0 {
			m.PrivateSentences = append(m.PrivateSentences, SeatSentences{Seat: w.Names[i], Role: w.roleOf(pos, seat), Lines: additional})
		}
	}
}

// addHands adds each hand that the move changed. addTable adds the sections of a letter if the move changed any of
// them.
func (w *storyWriter) addHands(m *Move, pos rules.Position) {
	if w.game.AnswerQuery == nil {
		return
	}
	for i := range w.Names {
		seat := rules.Seat(i)
		if !w.Reader.mayKnow(seat) {
			continue
		}
		view := pos.View(seat)
		if sections := w.changedSections(seat, w.game.AnswerQuery(view, rules.QueryHand)); len(sections) > 0 {
			m.Hands = append(m.Hands, Hand{Role: w.roleOf(pos, seat), Sections: w.newSections(view, sections)})
		}
	}
}

func (w *storyWriter) addTable(m *Move, view rules.View) {
	if sections := w.changedSections(rules.NoSeat, w.game.Sections(view)); len(sections) > 0 {
		m.Table = w.newSections(view, sections)
	}
}

// changedSections returns the sections if they differ from those last shown for a seat, otherwise nil.
func (w *storyWriter) changedSections(seat rules.Seat, sections []rules.Section) []rules.Section {
	var key strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&key, "%s\n%s\n%v\n", s.Title, strings.Join(s.Lines, "\n"), s.Blocks)
	}
	if w.lastShown[seat] == key.String() {
		return nil
	}
	w.lastShown[seat] = key.String()
	return sections
}

// newSections converts the sections of a letter. A section has blocks if the game provides blocks for its title.
func (w *storyWriter) newSections(view rules.View, sections []rules.Section) (out []Section) {
	var pageSections []rules.PageSection
	if w.game.MarkedSections != nil {
		_, pageSections = w.game.MarkedSections(view, nil)
	}
	for _, s := range sections {
		p := Section{Title: s.Title, Blocks: s.Blocks, Lines: s.Lines}
		if i := slices.IndexFunc(pageSections, func(q rules.PageSection) bool { return q.Title == s.Title }); i >= 0 {
			p.Blocks = pageSections[i].Blocks
		}
		out = append(out, p)
	}
	return out
}
