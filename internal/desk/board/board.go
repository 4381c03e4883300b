// Package board lets a reader click an order together out of the link of a letter. It knows a game by
// its contract alone, and nothing of browsers.
package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/desklink"
	"samizdat/adjudicator/foresight"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates/mailto"
)

// Board is the position of a letter, with orders under way.
type Board struct {
	*language
	link   desklink.Link
	view   rules.View
	worlds []rules.Position
	// steps are the lines of the last State.
	steps []step
}

// language reads and writes the orders of a game.
type language struct {
	game   *rules.Game
	orders *order.Parser
	// conditional reads conditional orders; nil where the game takes none.
	conditional *ahead.Reader
	names       map[place]string
	// shown are options by their atoms: they are asked for again with every click.
	shown map[rules.Atom]Option
}

// Opener opens links. It keeps what it has found out of the games, and serves one goroutine at a time.
type Opener struct {
	games     rules.Games
	languages map[*rules.Game]*language
}

// NewOpener opens links of some games.
func NewOpener(games rules.Games) *Opener {
	return &Opener{games, map[*rules.Game]*language{}}
}

// Choice is a game that can be practised.
type Choice struct {
	Name, Title string
	Least, Most int
	// Robots are those of the game, the strongest that does not think first.
	Robots []string
}

// Games are those that can be practised.
func (o *Opener) Games() (out []Choice) {
	for _, g := range o.games {
		least, most := g.Seats()
		robots := slices.DeleteFunc(g.RobotNames(), func(name string) bool { return name == g.QuickRobot() })
		out = append(out, Choice{g.Name(), g.Title(), least, most, append([]string{g.QuickRobot()}, robots...)})
	}
	return out
}

func (o *Opener) language(g *rules.Game) *language {
	l := o.languages[g]
	if l == nil {
		l = &language{game: g, orders: order.New(g), names: map[place]string{}, shown: map[rules.Atom]Option{}}
		l.conditional = ahead.New(g, l.orders)
		for _, n := range g.Names() {
			l.names[place{n.Kind, n.Code}] = n.Text
		}
		o.languages[g] = l
	}
	return l
}

// place is what can be clicked on a map.
type place struct {
	kind rules.NameKind
	code int
}

func (p place) id() string { return fmt.Sprintf("%s:%d", p.kind, p.code) }

// Open opens what stands behind the # of a link.
func (o *Opener) Open(fragment string) (*Board, error) {
	l, g, v, err := desklink.Read(o.games, fragment)
	if err != nil {
		return nil, err
	}
	b := &Board{language: o.language(g), link: l, view: v, worlds: g.Desk.Suppose(v)}
	if len(b.worlds) == 0 {
		return nil, errors.New("there is nothing to click in this letter")
	}
	return b, nil
}

// Facts are what the page shows of a letter, whatever is clicked.
type Facts struct {
	Title, Credit, Match, You, Status string
	Letter                            int64
	// To is where the answer goes.
	To       string
	Parts    []rules.Part
	Sections []rules.Section
	// Sources are what a conditional order can be for; none where the game takes none.
	Sources []string
}

// Facts are those of the letter.
func (b *Board) Facts() Facts {
	f := Facts{Title: b.game.Title(), Credit: b.game.Credit(), Match: b.link.Match, Status: b.game.Status(b.view), Letter: b.link.Letter,
		To: b.link.To, You: "You are " + b.called(b.link.Seat) + "."}
	if b.game.MarkedSections != nil {
		f.Sections, f.Parts = b.game.MarkedSections(b.view, nil)
	} else {
		f.Sections = b.game.Sections(b.view)
	}
	if b.conditional != nil {
		f.Sources = b.game.Ahead.Labels()
	}
	return f
}

// called is how letters call a seat: "Ada (Democrat)".
func (b *Board) called(seat rules.Seat) string {
	role := b.game.SeatNames(b.link.Setup)[seat]
	if b.game.Role != nil {
		if p := b.worlds[0]; p != nil {
			role = b.game.Role(p.View(seat))
		}
	}
	if int(seat) < len(b.link.Names) && b.link.Names[seat] != "" {
		return b.link.Names[seat] + " (" + strings.TrimPrefix(role, "the ") + ")"
	}
	return role
}

func (b *Board) namesOf(owed []rules.Decision) string {
	var names []string
	for _, d := range owed {
		if n := b.called(d.Seat); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return strings.Join(names, "")
}

// Map is the map as a seat would see it behind some lines, with places to click.
type Map struct {
	SVG           string
	Width, Height int
	Places        []Place
}

// Place is a button on the map.
type Place struct {
	ID, Name   string
	X, Y, W, H float64
}

// Map draws the map behind the first lines of the last State. It returns false for a game without one.
func (b *Board) Map(lines int) (Map, bool) {
	if b.game.Map == nil {
		return Map{}, false
	}
	v := b.view
	if n := min(lines, len(b.steps)); n > 0 {
		v = b.steps[n-1].after[0].View(b.link.Seat)
	}
	p := b.game.Map.Draw(v, nil)
	var svg strings.Builder
	_ = p.SVG(&svg) // A builder takes everything.
	m := Map{SVG: svg.String(), Width: p.Width, Height: p.Height}
	if b.game.Desk.Places != nil {
		for _, pl := range b.game.Desk.Places(v) {
			at := place{pl.Kind, pl.Code}
			m.Places = append(m.Places, Place{at.id(), b.names[at], pl.Box.X, pl.Box.Y, pl.Box.W, pl.Box.H})
		}
	}
	return m, true
}

// Mail is a link that begins the answer with some lines.
func (b *Board) Mail(lines []string) string {
	return mailto.Link(b.link.To, b.link.Subject, lines...)
}

// writer says what orders would do.
func (b *Board) writer(text string) foresight.Writer {
	return foresight.Writer{Game: b.game, Seat: b.link.Seat, Names: b.namesOf, Sentence: sentence,
		Sure: func(loss string) string { return loss + " If you mean it, write " + text + " " + surely + "." }}
}

// surely stands behind an order whose writer knows what it loses.
const surely = "SURELY"

// sentence writes an error as a sentence.
func sentence(err error) string {
	r, n := utf8.DecodeRuneInString(err.Error())
	return string(unicode.ToUpper(r)) + strings.TrimRight(err.Error()[n:], ".") + "."
}
