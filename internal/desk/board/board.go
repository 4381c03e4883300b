// Package board lets a reader of a letter compose an order by clicks, from the link in the letter. cmd/desk runs it in the
// browser. The package knows games only by the contract in package rules, and does not depend on a browser.
package board

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/desklink"
	"samizdat/adjudicator/foresight"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// Board is the position of a letter together with the order lines that the reader has begun.
type Board struct {
	*gameLanguage
	link desklink.Link
	view rules.View
	// positions are possible positions that agree with the view. They contain no hidden facts of the match.
	positions []rules.Position
	// playedLines are the lines of the last call of State, each with its resulting positions.
	playedLines []playedLine
	// shownMap holds the elements of the map that the page shows. buttons are the buttons on this map.
	shownMap []string
	buttons  []Button
}

// gameLanguage parses and formats the orders of a game.
type gameLanguage struct {
	game   *rules.Game
	orders *order.Parser
	// conditional parses conditional orders; nil if the game has none.
	conditional *ahead.Interpreter
	names       map[placeKey]string
	// options caches options by atom, because every click needs the same options again. elements caches the elements of maps.
	options  map[rules.Atom]Option
	elements picture.Elements
}

// Opener opens links. It caches the language of each game. It is not safe for concurrent use.
type Opener struct {
	games     rules.Games
	languages map[*rules.Game]*gameLanguage
}

// NewOpener returns an Opener for links of these games.
func NewOpener(games rules.Games) *Opener {
	return &Opener{games, map[*rules.Game]*gameLanguage{}}
}

// PracticeGame is a game that can be practised on the page. The page (desk.js) reads the fields by name.
type PracticeGame struct {
	Name, Title string
	// Least and Most are the smallest and the largest number of players.
	Least, Most int
	// Robots are the names of the game's robots. The quick robot comes first.
	Robots []string
	// Rules are texts on the rules, in reading order.
	Rules []rules.Topic
}

// Games lists the games that can be practised.
func (o *Opener) Games() (out []PracticeGame) {
	for _, g := range o.games {
		least, most := g.Seats()
		robots := slices.DeleteFunc(g.RobotNames(), func(name string) bool {
			return name == g.QuickRobot() || slices.Contains(g.Desk.SlowRobots, name)
		})
		c := PracticeGame{Name: g.Name(), Title: g.Title(), Least: least, Most: most, Robots: append([]string{g.QuickRobot()}, robots...)}
		if g.Topics != nil {
			c.Rules = g.Topics()
		}
		out = append(out, c)
	}
	return out
}

func (o *Opener) languageOf(g *rules.Game) *gameLanguage {
	l := o.languages[g]
	if l == nil {
		l = &gameLanguage{game: g, orders: order.New(g), names: map[placeKey]string{}, options: map[rules.Atom]Option{}}
		l.conditional = ahead.New(g, l.orders)
		for _, n := range g.Names() {
			l.names[placeKey{n.Kind, n.Code}] = n.Text
		}
		o.languages[g] = l
	}
	return l
}

// Open decodes the fragment of a link (the text after "#"). It fails if the fragment is damaged, or if the letter
// has no position to click in.
func (o *Opener) Open(fragment string) (*Board, error) {
	l, g, v, err := desklink.Read(o.games, fragment)
	if err != nil {
		return nil, err
	}
	b := &Board{gameLanguage: o.languageOf(g), link: l, view: v, positions: g.Desk.ImaginePositions(v)}
	if len(b.positions) == 0 {
		return nil, errors.New("there is nothing to click in this letter")
	}
	return b, nil
}

// Facts are the parts of the page that do not change with the clicks.
type Facts struct {
	Game, Title, Credit, Match, You, Status string
	Letter                                  int64
	// To is the mail address that receives the answer.
	To string
	// Sections are the sections of the letter, e.g. the map, as text. Parts are the same sections as HTML blocks; nil if
	// the game has no Game.MarkedSections.
	Parts    []rules.PageSection
	Sections []rules.Section
	// Happened are the sentences about the events since the last letter, if the link contains them.
	Happened []string
	// Sources are the sources other than cards that conditional orders may name, e.g. "STAKES"; empty if the game has no conditional
	// orders.
	Sources []string
}

// Facts returns the parts of the page that do not change with the clicks.
func (b *Board) Facts() Facts {
	f := Facts{Game: b.game.Name(), Title: b.game.Title(), Credit: b.game.Credit(), Match: b.link.Match, Status: b.game.Status(b.view),
		Letter: b.link.Letter,
		To:     b.link.To, Happened: b.link.Happened, You: "You are " + b.seatName(b.link.Seat) + "."}
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

// seatName returns the name of a seat as letters write it. For example: "Ada (Democrat)".
func (b *Board) seatName(seat rules.Seat) string {
	role := b.game.SeatNames(b.link.Setup)[seat]
	if b.game.Role != nil {
		role = b.game.Role(b.positions[0].View(seat))
	}
	if int(seat) < len(b.link.Names) && b.link.Names[seat] != "" {
		return b.link.Names[seat] + " (" + strings.TrimPrefix(role, "the ") + ")"
	}
	return role
}

// joinSeatNames returns the names of the seats with open decisions. For example: "Ada (Democrat) and Ben (Communist)".
func (b *Board) joinSeatNames(open []rules.Decision) string {
	var names []string
	for _, d := range open {
		if n := b.seatName(d.Seat); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return strings.Join(names, "")
}

// newForecaster returns a forecaster for the reader's seat. text is the order as the reader wrote it.
func (b *Board) newForecaster(text string) foresight.Forecaster {
	return foresight.Forecaster{Game: b.game, Seat: b.link.Seat, NamesOf: b.joinSeatNames, FormatError: formatSentence,
		FormatConfirmHint: func(loss string) string { return loss + " If you are sure, write " + text + " " + confirmWord + "." }}
}

// confirmWord at the end of an order confirms a loss. For example, a refused order "X" is accepted as "X FOR SURE".
const confirmWord = "FOR SURE"

// formatSentence returns an error as a sentence: "no such card" becomes "No such card."
func formatSentence(err error) string {
	r, n := utf8.DecodeRuneInString(err.Error())
	return string(unicode.ToUpper(r)) + strings.TrimRight(err.Error()[n:], ".") + "."
}
