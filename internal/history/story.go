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

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// Reader is the reader of a story: an observer, a seat, or a reader who may see everything.
type Reader struct {
	// Seat is the seat whose hidden information is shown; NoSeat for an observer.
	Seat rules.Seat
	// All shows the hidden information of every seat. Use it only for finished matches.
	All bool
}

// hears reports whether the reader may see the hidden information of a seat.
func (r Reader) hears(seat rules.Seat) bool {
	return seat != rules.NoSeat && (r.All || r.Seat == seat)
}

// Story is a match as one reader may see it.
type Story struct {
	Match, Title, Credit string
	Reader               Reader
	// Roles are the game's titles of the seats at the end, for example "Democrat". Names are the seat
	// names of the record.
	Roles, Names []string
	// Status is a line about the state of the match, Over reports whether it has ended, and Result is
	// the result in words.
	Status string
	Over   bool
	Result string
	Moves  []Move
	// Checked lists in sentences the checks that were made; empty if there were none.
	Checked []string
	// Build is the version of this program. Head is the newest hash of the history.
	Build, Head string

	frames picture.Frames
}

// Move is an entry of the history as the reader may see it.
type Move struct {
	Seq int
	At  time.Time
	// Turn is the turn in which the move was made and Next the turn after it; both are 0 if the game
	// counts no turns. Headline names the phase of the match in a few words.
	Turn, Next int
	Headline   string
	// Episode is the episode of the move; empty if there is none.
	Episode string
	// Seat is the record's name of the seat that moved; empty for a move of several seats or of none.
	Seat   string
	Orders []Orders
	// Told are the sentences that every reader may see. Alone are sentences for single seats.
	Told, Remarks []string
	Alone         []Alone
	Dice          []Die
	Draws         []Draw
	// Hands and Table are the parts of a letter that changed with this move: the hands of the seats
	// and, for a game without a map, the state of the match.
	Hands  []Hand
	Table  []Part
	Curves []rules.Curve
	Hash   string
}

// Orders are the orders of a seat in a move.
type Orders struct {
	Seat, Role string
	Lines      []string
	// Hidden means that there are orders which the reader may not see.
	Hidden bool
}

// Alone holds sentences that only one seat may see.
type Alone struct {
	Seat, Role string
	Lines      []string
}

type Hand struct {
	Role  string
	Parts []Part
}

// Part is a titled part of a letter, as blocks or as lines of text.
type Part struct {
	Title  string
	Blocks []rules.Block
	Lines  []string
}

type teller struct {
	game *rules.Game
	rec  *record.Record
	*Story
	// turn, headline and episode are the values before the move. shown holds the parts that were last
	// shown for each seat.
	turn              int
	headline, episode string
	shown             map[rules.Seat]string
}

// Tell replays a record and makes the story for a reader. The record must include its hidden fields,
// even for an observer. Outline handles records without them.
func Tell(g *rules.Game, rec *record.Record, r Reader) (*Story, error) {
	t := &teller{game: g, rec: rec, shown: map[rules.Seat]string{}, Story: &Story{
		Match: rec.Header.Match, Title: g.Title(), Credit: g.Credit(), Reader: r, Names: g.SeatNames(rec.Header.Setup(g))}}
	final, err := record.Replay(rec, g, t.visit)
	if diffs := (record.DifferencesError)(nil); errors.As(err, &diffs) && !errors.As(err, new(*record.ReplayError)) {
		err = nil // The replay command reports differences.
	}
	if err != nil {
		return nil, fmt.Errorf("playing the record: %w", err)
	}
	if len(t.Moves) == 0 {
		return nil, errors.New("the record has no entry: there is nothing to tell")
	}
	view := final.Position.View(r.viewer())
	t.Status = g.Status(view)
	var result rules.Result
	if result, t.Over = final.Position.Result(); t.Over {
		t.Result = t.ending(final.Position, result)
	}
	for i := range t.Names {
		t.Roles = append(t.Roles, t.role(final.Position, rules.Seat(i)))
	}
	return t.Story, nil
}

// Outline makes a story from a record that has only public fields and cannot be replayed. The story
// has orders, dice, draws and remarks, but no map and no hands.
func Outline(g *rules.Game, rec *record.Record) *Story {
	t := &teller{game: g, rec: rec, Story: &Story{Match: rec.Header.Match, Title: g.Title(), Credit: g.Credit(),
		Reader: Reader{Seat: rules.NoSeat}, Names: g.SeatNames(rec.Header.Setup(g))}}
	for _, e := range rec.Entries() {
		m := Move{Seq: e.Seq, At: e.At, Seat: string(e.Seat), Hash: e.Hash, Remarks: compose.Remarks(g, rec, record.Visit{Entry: e})}
		t.orders(&m, e, nil)
		t.chance(&m, e)
		t.Moves, t.Head = append(t.Moves, m), e.Hash
	}
	return t.Story
}

// viewer returns the seat whose view shows the public part of the story.
func (r Reader) viewer() rules.Seat {
	if r.All {
		return rules.NoSeat
	}
	return r.Seat
}

// ending describes the result. For example: "The democrat has won (resignation)."
func (t *teller) ending(p rules.Position, r rules.Result) string {
	var winners []string
	for i := range t.Names {
		if r.Winners.Has(rules.Seat(i)) {
			winners = append(winners, t.called(p, rules.Seat(i)))
		}
	}
	text := "It is a draw"
	switch n := len(winners); {
	case n == 1:
		text = capital(winners[0]) + " has won"
	case n > 1:
		text = capital(strings.Join(winners[:n-1], ", ")) + " and " + winners[n-1] + " have won"
	case r.Lost:
		text = "Nobody has won"
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return strings.TrimSpace(text + ". " + r.Words)
}

// called returns the game's title of a seat if there is one, or else its name. For example: "the
// democrat".
func (t *teller) called(p rules.Position, seat rules.Seat) string {
	if t.game.Role != nil && p != nil {
		return t.game.Role(p.View(seat))
	}
	return "the " + t.Names[seat]
}

// role returns the title without an article. For example: "Democrat".
func (t *teller) role(p rules.Position, seat rules.Seat) string {
	return capital(strings.TrimPrefix(t.called(p, seat), "the "))
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func (t *teller) seat(name string) rules.Seat { return rules.Seat(slices.Index(t.Names, name)) }

func (t *teller) visit(v record.Visit) error {
	e, pos := v.Entry, v.Position
	view := pos.View(t.Reader.viewer())
	m := Move{Seq: e.Seq, At: e.At, Seat: string(e.Seat), Hash: e.Hash, Remarks: compose.Remarks(t.game, t.rec, v)}
	t.moment(&m, view)
	t.orders(&m, e, pos)
	t.sentences(&m, pos, v.Events)
	t.chance(&m, e)
	t.hands(&m, pos)
	if t.game.Map != nil {
		t.frames.Add(t.game.Map.Draw(view, heard(v.Events, view.Seat())))
	} else {
		t.table(&m, view)
	}
	t.Moves, t.Head = append(t.Moves, m), e.Hash
	return nil
}

// moment sets the turn, headline and episode of a move. A move that leads into the next turn or
// episode belongs to the turn or episode before it.
func (t *teller) moment(m *Move, after rules.View) {
	if t.game.Turn != nil {
		m.Next = t.game.Turn(after)
		m.Turn, t.turn = cmp.Or(t.turn, m.Next), m.Next
	}
	if t.game.Headline != nil {
		headline := t.game.Headline(after)
		m.Headline, t.headline = cmp.Or(t.headline, headline), headline
	}
	if t.game.Chronicle != nil {
		episode := t.game.Chronicle.Episode(after)
		m.Episode, t.episode = cmp.Or(t.episode, episode), episode
		m.Curves = t.game.Chronicle.Curves(after)
	}
}

// orders adds the orders of an entry and hides the private orders of other seats.
func (t *teller) orders(m *Move, e *record.Entry, pos rules.Position) {
	add := func(name record.SeatName, private bool, lines []string) {
		seat := t.seat(string(name))
		o := Orders{Seat: string(name), Role: t.role(pos, seat), Lines: lines}
		if private && !t.Reader.hears(seat) {
			o.Hidden, o.Lines = true, nil
		}
		m.Orders = append(m.Orders, o)
	}
	if len(e.Orders) > 0 || e.Private {
		add(e.Seat, e.Private, e.Orders)
	}
	for _, a := range e.Answers {
		add(a.Seat, a.Private, a.Orders)
	}
}

func heard(events []rules.Event, seat rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
}

// sentences adds the sentences about events: those for all readers, and for each seat that the reader
// may see the additional sentences. A seat without additional events is skipped, because its sentences
// differ only in words, for example "you" for "the democrat".
func (t *teller) sentences(m *Move, pos rules.Position, events []rules.Event) {
	said := func(seat rules.Seat) []string { return t.game.Sentences(pos.View(seat), heard(events, seat)) }
	m.Told = said(rules.NoSeat)
	public := len(heard(events, rules.NoSeat))
	for i := range t.Names {
		seat := rules.Seat(i)
		if !t.Reader.hears(seat) || len(heard(events, seat)) == public {
			continue
		}
		own := slices.DeleteFunc(said(seat), func(s string) bool { return slices.Contains(m.Told, s) })
		if len(own) > 0 {
			m.Alone = append(m.Alone, Alone{Seat: t.Names[i], Role: t.role(pos, seat), Lines: own})
		}
	}
}

func (t *teller) hands(m *Move, pos rules.Position) {
	if t.game.AnswerQuery == nil {
		return
	}
	for i := range t.Names {
		seat := rules.Seat(i)
		if !t.Reader.hears(seat) {
			continue
		}
		view := pos.View(seat)
		parts := t.unlaid(view, t.game.AnswerQuery(view, rules.QueryHand))
		if parts = t.changed(seat, parts); parts != nil {
			m.Hands = append(m.Hands, Hand{Role: t.role(pos, seat), Parts: parts})
		}
	}
}

func (t *teller) table(m *Move, view rules.View) {
	m.Table = t.changed(rules.NoSeat, t.unlaid(view, t.game.Sections(view)))
}

// changed returns the parts if they differ from the parts last shown for a seat, or else nil.
func (t *teller) changed(of rules.Seat, parts []Part) []Part {
	key := fmt.Sprint(parts)
	if t.shown[of] == key {
		return nil
	}
	t.shown[of] = key
	return parts
}

// unlaid converts the sections of a letter to parts, with blocks where the game provides them.
func (t *teller) unlaid(view rules.View, sections []rules.Section) (out []Part) {
	var pages []rules.Part
	if t.game.MarkedSections != nil {
		_, pages = t.game.MarkedSections(view, nil)
	}
	for _, s := range sections {
		p := Part{Title: s.Title, Blocks: s.Blocks, Lines: s.Lines}
		if i := slices.IndexFunc(pages, func(q rules.Part) bool { return q.Title == s.Title }); i >= 0 {
			p.Blocks = pages[i].Blocks
		}
		out = append(out, p)
	}
	return out
}
