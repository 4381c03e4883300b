package site

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/club/usage"
	"samizdat/rules"
)

// dataVersion is the version of the data files. It increases when a JSON key is removed or changes its meaning, but not
// when a key is added.
const dataVersion = 1

const schemaName = "club.schema.json"

//go:embed club.schema.json
var schemaText []byte

// document is the data file of a page. For example, ladder-1989.json has the data of ladder-1989.html:
// {"$schema":"club.schema.json","version":1,"kind":"ladder","data":{"game":"1989",...}}.
type document struct {
	Schema  string `json:"$schema"`
	Version int    `json:"version"`
	Kind    string `json:"kind"`
	Data    any    `json:"data"`
}

// Document returns the text of a data file with the data of a page; kind is the kind of the page, e.g. "ladder".
func Document(kind string, data any) ([]byte, error) {
	text, err := json.Marshal(document{schemaName, dataVersion, kind, data})
	if err != nil {
		return nil, fmt.Errorf("write the data of %s: %w", kind, err)
	}
	return append(text, '\n'), nil
}

type playerData struct {
	ID   Player `json:"id"`
	Name string `json:"name"`
}

type seatData struct {
	Seat   string     `json:"seat"`
	Player playerData `json:"player"`
	Won    bool       `json:"won,omitempty"`
}

// matchData is a running match, or the result of a finished match.
type matchData struct {
	Match      string     `json:"match"`
	Game       string     `json:"game"`
	Seats      []seatData `json:"seats"`
	Since      time.Time  `json:"since,omitzero"`
	State      string     `json:"state,omitempty"`
	Ended      time.Time  `json:"ended,omitzero"`
	How        string     `json:"how,omitempty"`
	Rated      bool       `json:"rated,omitempty"`
	Annulled   string     `json:"annulled,omitempty"`
	Tournament string     `json:"tournament,omitempty"`
	History    string     `json:"history,omitempty"`
	Record     string     `json:"record,omitempty"`
}

// ratingData is a line of a ladder, or a rating on the page of a player; only the page of a player has Weeks.
type ratingData struct {
	Game        string      `json:"game,omitempty"`
	Place       int         `json:"place,omitempty"`
	Player      *playerData `json:"player,omitempty"`
	Rating      float64     `json:"rating"`
	Deviation   float64     `json:"deviation"`
	Provisional bool        `json:"provisional,omitempty"`
	Won         int         `json:"won"`
	Drawn       int         `json:"drawn"`
	Lost        int         `json:"lost"`
	Last        time.Time   `json:"last"`
	Weeks       []weekData  `json:"weeks,omitempty"`
}

// Position is the public position of a match that is being played, or the last position of a finished match. It is the
// data for Document("match", ...).
type Position struct {
	Match    string     `json:"match"`
	Game     string     `json:"game"`
	Revision int        `json:"revision"`
	Over     bool       `json:"over"`
	State    string     `json:"state,omitempty"`
	Result   string     `json:"result,omitempty"`
	Position rules.View `json:"position"`
}

type weekData struct {
	Week      string  `json:"week"`
	Rating    float64 `json:"rating"`
	Deviation float64 `json:"deviation"`
}

type meetingData struct {
	Players  [2]playerData `json:"players"`
	Match    string        `json:"match,omitempty"`
	Points   []float64     `json:"points,omitempty"`
	Unplayed bool          `json:"unplayed,omitempty"`
}

type roundData struct {
	Began    time.Time     `json:"began,omitzero"`
	Meetings []meetingData `json:"meetings"`
	Byes     []playerData  `json:"byes,omitempty"`
}

type standingData struct {
	Place  int        `json:"place"`
	Player playerData `json:"player"`
	Points float64    `json:"points"`
	Played int        `json:"played"`
}

type tournamentData struct {
	Name     string           `json:"name"`
	Title    string           `json:"title"`
	Game     string           `json:"game"`
	Type     tournament.Kind  `json:"type"`
	State    tournament.State `json:"state"`
	Starts   time.Time        `json:"starts"`
	Entrants []playerData     `json:"entrants,omitempty"`
	Table    []standingData   `json:"table,omitempty"`
	Rounds   []roundData      `json:"rounds,omitempty"`
	Winners  []playerData     `json:"winners,omitempty"`
}

type noticeData struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

type object map[string]any

// pageData returns the data of a page. page is the value that the HTML template of this kind gets.
func (v *clubView) pageData(kind string, page any) any {
	switch p := page.(type) {
	case *Game:
		return object{"game": p.Name, "title": p.Title, "players": v.ladderData(p.Ladder),
			"seats": append([]ladder.RatingBand{}, p.Ladder.RatingBands...)}
	case *usage.Totals:
		return object{"totals": p, "cards": p.Uses(), "openings": p.Openings()}
	case playerPage:
		return object{"id": p.ID, "name": p.Name, "since": p.Since.UTC(), "left": p.Left, "pace": p.Pace,
			"running": convertAll(p.Running, v.runningData),
			"results": convertAll(p.Results, v.resultData), "ratings": convertAll(p.Ratings, ratingWithWeeks)}
	case []*month:
		return object{"months": convertAll(p, func(m *month) string { return dataFile(m.File) })}
	case *month:
		return object{"month": strings.TrimSuffix(strings.TrimPrefix(p.File, "results-"), ".html"),
			"results": convertAll(p.Results, v.resultData)}
	case *Tournament:
		return v.tournamentData(p)
	}
	switch kind {
	case "index":
		return object{"name": v.Name, "address": v.Address, "join": v.Join, "notices": convertAll(v.Notices, newNoticeData),
			"games": convertAll(v.Games, func(g Game) object { return object{"game": g.Name, "title": g.Title} })}
	case "players":
		return object{"players": convertAll(v.Players, func(p Member) object {
			return object{"id": p.ID, "name": p.Name, "since": p.Since.UTC(), "left": p.Left}
		})}
	case "matches":
		return object{"matches": convertAll(v.Club.Running, func(r RunningMatch) matchData { return v.runningData(&r) })}
	case "tournaments":
		return object{"tournaments": convertAll(v.Tournaments, func(t Tournament) string { return dataFile(tournamentFile(t.Name)) })}
	}
	return object{"acts": convertAll(v.Acts, newNoticeData)}
}

// convertAll converts each element. Without elements it returns an empty list and not nil, which JSON would write as
// null.
func convertAll[T, D any](all []T, convert func(T) D) []D {
	out := make([]D, 0, len(all))
	for _, element := range all {
		out = append(out, convert(element))
	}
	return out
}

// dataFile returns the name of the data file of a page: results-2026-09.json for results-2026-09.html.
func dataFile(page string) string { return strings.TrimSuffix(page, ".html") + ".json" }

func newNoticeData(n Notice) noticeData { return noticeData{n.At.UTC(), n.Text} }

func (v *clubView) playerData(p Player) playerData { return playerData{p, v.playerName(p)} }

func newRatingData(l ladder.Line) ratingData {
	return ratingData{Rating: l.Rating.Rating, Deviation: l.Rating.Deviation, Provisional: l.IsProvisional(), Won: l.Won, Drawn: l.Drawn,
		Lost: l.Lost, Last: l.LastResult.UTC()}
}

func (v *clubView) ladderData(l ladder.Ladder) []ratingData {
	out := convertAll(l.Lines, newRatingData)
	for i, line := range l.Lines {
		player := v.playerData(line.Player)
		if out[i].Player = &player; !line.IsProvisional() {
			out[i].Place = i + 1
		}
	}
	return out
}

func ratingWithWeeks(r playerRating) ratingData {
	out := newRatingData(r.Line)
	out.Game = r.Game.Name
	out.Weeks = convertAll(r.Line.RatingPoints, func(p ladder.RatingPoint) weekData {
		return weekData{p.Period.Start().Format(time.DateOnly), p.Rating.Rating, p.Deviation}
	})
	return out
}

func (v *clubView) seatsData(players []Player, seats []string, won []bool) []seatData {
	out := convertAll(players, func(p Player) seatData { return seatData{Player: v.playerData(p)} })
	for i := range out {
		out[i].Seat, out[i].Won = seats[i], won != nil && won[i]
	}
	return out
}

func (v *clubView) runningData(r *RunningMatch) matchData {
	return matchData{Match: r.Match, Game: r.Game, Seats: v.seatsData(r.Players, r.Seats, nil), Since: r.Since.UTC(), State: r.State}
}

func (v *clubView) resultData(r *Result) matchData {
	return matchData{Match: r.Match, Game: r.Game, Seats: v.seatsData(r.Players, r.Seats, r.Won), Ended: r.Ended.UTC(), How: r.How,
		Rated: r.Rated && r.Annulled == "", Annulled: r.Annulled, Tournament: r.Tournament, History: r.History, Record: r.Record}
}

func (v *clubView) tournamentData(t *Tournament) tournamentData {
	out := tournamentData{Name: t.Name, Title: t.Title, Game: t.Game, Type: t.Terms.Kind, State: t.State, Starts: t.Starts.UTC(),
		Entrants: convertAll(t.Entrants, func(e tournament.Entrant) playerData { return v.playerData(e.Player) }),
		Winners:  convertAll(t.Winners, v.playerData)}
	if len(t.Rounds) > 0 {
		for _, s := range t.Table() {
			out.Table = append(out.Table, standingData{s.Place, v.playerData(s.ID), float64(s.Points) / 2, s.Played})
		}
	}
	for i, r := range t.Rounds {
		round := roundData{Byes: convertAll(r.Byes, v.playerData), Meetings: convertAll(r.Meetings, func(m tournament.Meeting) meetingData {
			d := meetingData{Players: [2]playerData{v.playerData(m.First), v.playerData(m.Second)}, Match: m.Match, Unplayed: m.Unplayed}
			if m.Done {
				d.Points = []float64{float64(m.Points[0]) / 2, float64(m.Points[1]) / 2}
			}
			return d
		})}
		if i < len(t.RoundStarts) {
			round.Began = t.RoundStarts[i].UTC()
		}
		out.Rounds = append(out.Rounds, round)
	}
	return out
}
