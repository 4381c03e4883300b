package site

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/club/usage"
)

var (
	//go:embed pages.html.tmpl
	pagesText string
	//go:embed pages.css
	pagesStyle string
)

const (
	// maxIndexLines limits, on the first page, the number of results, of running matches, and of lines in each ladder.
	maxIndexLines   = 12
	maxIndexNotices = 3
)

// siteFile is a file of the site: a page, its data, a feed or a calendar.
type siteFile struct {
	name string
	text []byte
}

// clubView is a club with the indexes that its pages need.
type clubView struct {
	*Club
	Style   template.CSS
	players map[Player]*Member
	games   map[string]*Game
	// resultsByPlayer contains the results of each player, newest first.
	resultsByPlayer map[Player][]*Result
}

// pageContext is the data for the template of a page. clubView has the values that are the same for all pages. Page has the
// values of this page, and Here is the file name of this page.
type pageContext struct {
	*clubView
	Title, Here string
	Page        any
}

func (c *Club) renderPages() (out []siteFile, err error) {
	v := c.newView()
	t, err := template.New("club").Option("missingkey=error").Funcs(v.templateFuncs()).Parse(pagesText)
	if err != nil {
		return nil, fmt.Errorf("parse the templates of the club's pages: %w", err)
	}
	var b bytes.Buffer
	addPage := func(name, kind, title string, content any) {
		if err != nil {
			return
		}
		b.Reset()
		if err = t.ExecuteTemplate(&b, kind, pageContext{v, title, name, content}); err != nil {
			err = fmt.Errorf("render the page %s of the club: %w", name, err)
		}
		data, documentErr := Document(kind, v.pageData(kind, content))
		out, err = append(out, siteFile{name, slices.Clone(b.Bytes())}, siteFile{dataFile(name), data}), errors.Join(err, documentErr)
	}
	addPage("index.html", "index", c.Name, v.newestResults(maxIndexLines))
	for i := range c.Games {
		addPage(ladderFile(c.Games[i].Name), "ladder", "Ladder of "+c.Games[i].Title, &c.Games[i])
	}
	for i := range c.Games {
		if u := c.Games[i].Usage; u != nil {
			addPage(statisticsFile(c.Games[i].Name), "statistics", "Statistics of "+c.Games[i].Title, u)
		}
	}
	addPage("players.html", "players", "Players", nil)
	for i := range c.Players {
		p := &c.Players[i]
		addPage(playerFile(p.ID), "player", p.Name, v.newPlayerPage(p))
	}
	addPage("matches.html", "matches", "Matches that are being played", nil)
	months := v.groupByMonth()
	addPage("results.html", "results", "Results", months)
	for _, m := range months {
		addPage(m.File, "month", "Results of "+m.Name, m)
	}
	addPage("tournaments.html", "tournaments", "Tournaments", nil)
	for i := range c.Tournaments {
		addPage(tournamentFile(c.Tournaments[i].Name), "tournament", c.Tournaments[i].Title, &c.Tournaments[i])
	}
	addPage("log.html", "log", "What the director has done", nil)
	if err != nil {
		return nil, err
	}
	for i := range c.Tournaments {
		t := &c.Tournaments[i]
		out = append(out, siteFile{calendarFile(t.Name), v.renderCalendar(t)})
	}
	results, err := v.resultsFeed()
	if err != nil {
		return nil, err
	}
	news, err := v.newsFeed()
	return append(out, siteFile{"results.atom", results}, siteFile{"announcements.atom", news}, siteFile{schemaName, schemaText}), err
}

func (c *Club) newView() *clubView {
	v := &clubView{Club: c, Style: template.CSS(pagesStyle), players: map[Player]*Member{}, games: map[string]*Game{},
		resultsByPlayer: map[Player][]*Result{}}
	for i := range c.Players {
		v.players[c.Players[i].ID] = &c.Players[i]
	}
	for i := range c.Games {
		v.games[c.Games[i].Name] = &c.Games[i]
	}
	for _, r := range v.newestResults(len(c.Results)) {
		for _, p := range r.Players {
			v.resultsByPlayer[p] = append(v.resultsByPlayer[p], r)
		}
	}
	return v
}

func (v *clubView) newestResults(n int) (out []*Result) {
	for i := range v.Results {
		out = append(out, &v.Results[i])
	}
	slices.SortFunc(out, func(a, b *Result) int { return cmp.Or(b.Ended.Compare(a.Ended), strings.Compare(a.Match, b.Match)) })
	return out[:min(n, len(out))]
}

type month struct {
	Name, File string
	Results    []*Result
}

func (v *clubView) groupByMonth() []*month {
	byFile := map[string]*month{}
	for _, r := range v.newestResults(len(v.Results)) {
		file := "results-" + r.Ended.UTC().Format("2006-01") + ".html"
		if byFile[file] == nil {
			byFile[file] = &month{Name: r.Ended.UTC().Format("January 2006"), File: file}
		}
		byFile[file].Results = append(byFile[file].Results, r)
	}
	out := slices.Collect(maps.Values(byFile))
	slices.SortFunc(out, func(a, b *month) int { return strings.Compare(b.File, a.File) })
	return out
}

type playerPage struct {
	*Member
	Ratings []playerRating
	Running []*RunningMatch
	Results []*Result
}

type playerRating struct {
	Game  *Game
	Line  ladder.Line
	Curve template.HTML
}

func (v *clubView) newPlayerPage(p *Member) playerPage {
	out := playerPage{Member: p, Results: v.resultsByPlayer[p.ID]}
	for i := range v.Games {
		if l, ok := v.Games[i].Ladder.Find(p.ID); ok {
			out.Ratings = append(out.Ratings, playerRating{&v.Games[i], l, drawCurve(l)})
		}
	}
	for i := range v.Club.Running {
		if slices.Contains(v.Club.Running[i].Players, p.ID) {
			out.Running = append(out.Running, &v.Club.Running[i])
		}
	}
	return out
}

func ladderFile(game string) string     { return "ladder-" + fileName(game) + ".html" }
func statisticsFile(game string) string { return "statistics-" + fileName(game) + ".html" }
func playerFile(p Player) string        { return fmt.Sprintf("player-%d.html", p) }
func tournamentFile(name string) string { return "tournament-" + fileName(name) + ".html" }
func calendarFile(name string) string   { return "tournament-" + fileName(name) + ".ics" }

// fileName replaces characters that some file systems do not allow: "Cup 1" -> "cup-1".
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(s))
}

func (v *clubView) templateFuncs() template.FuncMap {
	return template.FuncMap{
		"day": func(t time.Time) string { return t.UTC().Format("2 January 2006") },
		"moment": func(t time.Time) string {
			if t.UTC().Truncate(24 * time.Hour).Equal(t) {
				return t.UTC().Format("2 January 2006")
			}
			return t.UTC().Format("2 January 2006, 15:04 UTC")
		},
		"date": func(t time.Time) string { return t.UTC().Format("2 Jan 2006") },
		"iso":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"name": v.playerName,
		"page": func(p Player) string {
			if v.players[p] == nil {
				return ""
			}
			return playerFile(p)
		},
		"title": func(game string) string {
			if g := v.games[game]; g != nil {
				return g.Title
			}
			return game
		},
		"newestNotices": func(n []Notice) []Notice { return n[:min(len(n), maxIndexNotices)] },
		"first":         func(lines []ladder.Line) []ladder.Line { return lines[:min(len(lines), maxIndexLines)] },
		// firstMatches returns the running matches on the first page, newest first.
		"firstMatches": func(matches []RunningMatch) []RunningMatch {
			matches = slices.Clone(matches)
			slices.SortStableFunc(matches, func(a, b RunningMatch) int { return b.Since.Compare(a.Since) })
			return matches[:min(len(matches), maxIndexLines)]
		},
		"whole":          func(f float64) string { return fmt.Sprintf("%.0f", f) },
		"statisticsFile": statisticsFile, "turns": usage.SortedTurns,
		"ladderFile": ladderFile, "tournamentFile": tournamentFile, "dataFile": dataFile, "calendarFile": calendarFile,
		"half": formatHalf, "quarter": func(n int) string {
			return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", float64(n)/4), "0"), ".")
		},
		"kind":  func(k tournament.Kind) string { return kindNames[k] },
		"state": func(s tournament.State) string { return stateNames[s] },
		// recorded returns the file name of the newest record in results, or "" if no result has a record.
		"recorded": func(results []*Result) string {
			i := slices.IndexFunc(results, func(r *Result) bool { return r.Record != "" })
			if i < 0 {
				return ""
			}
			return results[i].Record
		},
		"score":   formatScore,
		"inc":     func(i int) int { return i + 1 },
		"bandOf":  formatBand,
		"share":   func(part, of int) string { return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(1, of))) },
		"percent": func(part float64, of int) string { return fmt.Sprintf("%.0f %%", math.Round(100*part/float64(of))) },
		"points":  func(s ladder.RatingBand) float64 { return float64(s.First) + float64(s.Drawn)/2 },
	}
}

var (
	kindNames = map[tournament.Kind]string{tournament.RoundRobin: "round robin", tournament.Swiss: "Swiss system",
		tournament.KnockOut: "knock-out"}
	stateNames = map[tournament.State]string{tournament.Entering: "open to enter", tournament.Running: "being played",
		tournament.Over: "over", tournament.CalledOff: "called off"}
)

// formatHalf formats a number of half points, for example 3 as 1½.
func formatHalf(n int) string {
	switch {
	case n == 1:
		return "½"
	case n%2 == 1:
		return fmt.Sprintf("%d½", n/2)
	}
	return fmt.Sprint(n / 2)
}

// formatScore formats the result of a meeting, for example "½ : ½".
func formatScore(points [2]int) string { return formatHalf(points[0]) + " : " + formatHalf(points[1]) }

// formatBand formats the rating difference of a band, for example "stronger by 50 to 150".
func formatBand(s ladder.RatingBand) string {
	switch {
	case s.From == 0 && s.To < 0:
		return fmt.Sprintf("weaker by more than %d", -s.To)
	case s.To == 0 && s.From > 0:
		return fmt.Sprintf("stronger by more than %d", s.From)
	case s.To <= 0:
		return fmt.Sprintf("weaker by %d to %d", -s.To, -s.From)
	case s.From >= 0:
		return fmt.Sprintf("stronger by %d to %d", s.From, s.To)
	}
	return fmt.Sprintf("about equal (within %d)", s.To)
}
