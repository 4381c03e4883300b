package site

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"samizdat/adjudicator/club/tournament"
)

// feedLength is the maximum number of entries in a feed.
const feedLength = 50

// atomFeed is an Atom feed (RFC 4287).
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feedID returns the identifier of the club in feeds and calendars, e.g. "tag:club.example.org,2026:club".
func (v *clubView) feedID() string {
	return "tag:" + strings.ReplaceAll(v.Address, "@", ".") + ",2026:club"
}

// renderFeed renders a feed. The entries must be sorted, newest first. file is the name of the feed, and page the name
// of the page with the same content.
func (v *clubView) renderFeed(id, title, file, page string, entries []atomEntry) ([]byte, error) {
	f := atomFeed{ID: id, Title: title + " of " + v.Name, Author: v.Name, Entries: entries,
		Links: []atomLink{{Rel: "self", Href: file}, {Href: page}}, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for _, e := range entries {
		f.Updated = max(f.Updated, e.Updated) // All times are in UTC and equally long, so they sort as text.
	}
	out, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, fmt.Errorf("render the feed %s: %w", file, err)
	}
	return slices.Concat([]byte(xml.Header), out, []byte("\n")), nil
}

func (v *clubView) resultsFeed() ([]byte, error) {
	return v.renderFeed(v.feedID(), "Results", "results.atom", "results.html",
		convertAll(v.newestResults(feedLength), func(r *Result) atomEntry {
			updated := r.Ended
			if r.Changed.After(updated) {
				updated = r.Changed
			}
			link := r.History
			if link == "" {
				link = "results-" + r.Ended.UTC().Format("2006-01") + ".html#" + r.Match
			}
			return atomEntry{ID: v.feedID() + ":" + r.Match, Title: v.headline(r), Updated: updated.UTC().Format(time.RFC3339),
				Link: atomLink{Href: link}, Summary: v.describeResult(r)}
		}))
}

func (v *clubView) newsFeed() ([]byte, error) {
	id := v.feedID() + ":announcements"
	return v.renderFeed(id, "Announcements", "announcements.atom", "index.html", convertAll(v.Notices, func(n Notice) atomEntry {
		title, _, _ := strings.Cut(n.Text, "\n")
		return atomEntry{ID: fmt.Sprintf("%s:%d", id, n.At.UnixMicro()), Title: title, Updated: n.At.UTC().Format(time.RFC3339),
			Link: atomLink{Href: "index.html"}, Summary: n.Text}
	}))
}

// renderCalendar renders the rounds of a tournament as iCalendar (RFC 5545). If there is no round yet, the calendar
// contains the planned start of the tournament.
func (v *clubView) renderCalendar(t *Tournament) []byte {
	calendar := ics.NewCalendar()
	calendar.SetProductId("-//Samizdat//Samizdat//EN")
	calendar.SetMethod(ics.MethodPublish)
	starts := t.RoundStarts
	if len(starts) == 0 {
		starts = []time.Time{t.Starts}
	}
	for i, at := range starts {
		if at.IsZero() {
			continue
		}
		e := calendar.AddEvent(fmt.Sprintf("%s:%s:%d", v.feedID(), t.Name, i+1))
		e.SetDtStampTime(at)
		e.SetStartAt(at)
		e.SetSummary(fmt.Sprintf("%s: round %d", t.Title, i+1))
		e.SetTimeTransparency(ics.TransparencyTransparent)
		if t.State == tournament.CalledOff {
			e.SetStatus(ics.ObjectStatusCancelled)
		}
	}
	return []byte(calendar.Serialize(ics.WithNewLineWindows))
}

func (v *clubView) playerName(p Player) string {
	if m := v.players[p]; m != nil {
		return m.Name
	}
	return "a former player"
}

// headline returns the game and its players, for example "1989: Ada v. Ben".
func (v *clubView) headline(r *Result) string {
	var names []string
	for _, p := range r.Players {
		names = append(names, v.playerName(p))
	}
	return r.Game + ": " + strings.Join(names, " v. ")
}

// describeResult returns the result of a match, for example "Ada (Democrat) has won: by support.".
func (v *clubView) describeResult(r *Result) string {
	var winners []string
	for i, hasWon := range r.Won {
		if hasWon {
			winners = append(winners, v.playerName(r.Players[i])+" ("+r.Seats[i]+")")
		}
	}
	switch {
	case r.Annulled != "":
		return "Annulled: " + r.Annulled
	case len(winners) == 0:
		return "Nobody has won: " + r.How + "."
	case len(winners) == 1:
		return winners[0] + " has won: " + r.How + "."
	}
	return strings.Join(winners, ", ") + " have won: " + r.How + "."
}
