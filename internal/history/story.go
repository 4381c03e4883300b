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

// Reader is whose eyes a match is told for.
type Reader struct {
	// Seat is the seat whose part of what is hidden is told; Nobody for none.
	Seat rules.Seat
	// All means that everything is told. It is for matches that are over.
	All bool
}

// hears reports whether a reader may know what a seat knows.
func (r Reader) hears(seat rules.Seat) bool {
	return seat != rules.NoSeat && (r.All || r.Seat == seat)
}

// Story is a match as it is told to a reader.
type Story struct {
	Match, Title, Credit string
	Reader               Reader
	// Roles are the seats in the game's words, at the end; Names are those of records.
	Roles, Names []string
	// Status says in a line where the match stands, Over that it is over, and Result how it
	// ended.
	Status string
	Over   bool
	Result string
	Moves  []Move
	// Checked is what was verified, in sentences; empty when nothing was.
	Checked []string
	// Build names the program that tells it, Head is the newest hash.
	Build, Head string

	frames picture.Frames
}

// Move is an entry of the history, as it is told.
type Move struct {
	Seq int
	At  time.Time
	// Turn is the number of the turn that it was made in, 0 where the game counts none, and
	// Next that of the turn that it leads to. Headline says in a few words what time of the
	// match it was.
	Turn, Next int
	Headline   string
	// Episode is the episode that it belongs to, if any.
	Episode string
	// Seat is who moved, as records name seats; empty for several and for nobody.
	Seat   string
	Orders []Orders
	// Told are the sentences that everybody is told, Alone what only some seats are.
	Told, Remarks []string
	Alone         []Alone
	Dice          []Die
	Draws         []Draw
	// Hands and Table are standing parts of letters, as far as they are not as at the move
	// before: what seats hold, and, of a game without a map, how the match stands.
	Hands  []Hand
	Table  []Part
	Curves []rules.Curve
	Hash   string
}

// Orders are what a seat ordered.
type Orders struct {
	Seat, Role string
	Lines      []string
	// Hidden means that they are there, and not for the reader.
	Hidden bool
}

// Alone is what one seat alone was told.
type Alone struct {
	Seat, Role string
	Lines      []string
}

// Hand is what a seat holds.
type Hand struct {
	Role  string
	Parts []Part
}

// Part is a titled standing part: blocks, or else lines that are laid out already.
type Part struct {
	Title  string
	Blocks []rules.Block
	Lines  []string
}

// teller makes a story of a record.
type teller struct {
	game *rules.Game
	rec  *record.Record
	*Story
	// turn, headline and episode are those before a move, shown what of the standing parts
	// was told last.
	turn              int
	headline, episode string
	shown             map[rules.Seat]string
}

// Tell plays a record and tells it. It needs the whole record, hidden fields included,
// whoever reads.
func Tell(g *rules.Game, rec *record.Record, r Reader) (*Story, error) {
	t := &teller{game: g, rec: rec, shown: map[rules.Seat]string{}, Story: &Story{
		Match: rec.Header.Match, Title: g.Title(), Credit: g.Credit(), Reader: r, Names: g.SeatNames(rec.Header.Setup(g))}}
	final, err := record.Replay(rec, g, t.visit)
	if diffs := (record.Differences)(nil); errors.As(err, &diffs) && !errors.As(err, new(*record.ReplayError)) {
		err = nil // The replay command tells them.
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

// Outline tells what can be told of a record that cannot be played again, since it has its
// public fields only: orders, dice and draws, and what was done beside play.
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

// viewer is whose view the public part of a telling is made from.
func (r Reader) viewer() rules.Seat {
	if r.All {
		return rules.NoSeat
	}
	return r.Seat
}

// ending says how the match has ended.
func (t *teller) ending(p rules.Position, r rules.Result) string {
	var winners []string
	for i := range t.Names {
		if r.Winners.Has(rules.Seat(i)) {
			winners = append(winners, t.called(p, rules.Seat(i)))
		}
	}
	said := "It is a draw"
	switch n := len(winners); {
	case n == 1:
		said = capital(winners[0]) + " has won"
	case n > 1:
		said = capital(strings.Join(winners[:n-1], ", ")) + " and " + winners[n-1] + " have won"
	case r.Lost:
		said = "Nobody has won"
	}
	if r.Reason != "" {
		said += " (" + r.Reason + ")"
	}
	return strings.TrimSpace(said + ". " + r.Words)
}

// called is who a seat is, in the game's words where it has some for a position.
func (t *teller) called(p rules.Position, seat rules.Seat) string {
	if t.game.Role != nil && p != nil {
		return t.game.Role(p.View(seat))
	}
	return "the " + t.Names[seat]
}

// role is the same as a title.
func (t *teller) role(p rules.Position, seat rules.Seat) string {
	return capital(strings.TrimPrefix(t.called(p, seat), "the "))
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// seat is the seat of a name; Nobody where there is none.
func (t *teller) seat(name string) rules.Seat { return rules.Seat(slices.Index(t.Names, name)) }

// visit tells an entry.
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

// moment says when in the match a move was made: what leads from a turn, or an episode, into
// the next belongs to the one before.
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

// orders lists what was ordered.
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

// heard are the events that a seat is an audience of.
func heard(events []rules.Event, seat rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
}

// sentences tell the events: those that everybody was told, and of a seat what it was
// told and others were not. Where a seat heard nothing more than others, only the words can
// differ, such as "you".
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

// hands are what the seats hold that the reader may look at, where that has changed.
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

// table is how a match of a game without a map stands.
func (t *teller) table(m *Move, view rules.View) {
	m.Table = t.changed(rules.NoSeat, t.unlaid(view, t.game.Sections(view)))
}

// changed are parts that were not told last; nil where they are the same.
func (t *teller) changed(of rules.Seat, parts []Part) []Part {
	key := fmt.Sprint(parts)
	if t.shown[of] == key {
		return nil
	}
	t.shown[of] = key
	return parts
}

// unlaid are the parts of a letter in the form for pages, where the game has one.
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
