package site

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

const feedLength = 50

// atom is a feed (RFC 4287).
type atom struct {
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

// feed writes the feed of results, newest first.
func (v *view) feed() ([]byte, error) {
	id := "tag:" + strings.ReplaceAll(v.Address, "@", ".") + ",2026:club"
	f := atom{ID: id, Title: "Results of " + v.Name, Author: v.Name,
		Links: []atomLink{{Rel: "self", Href: "results.atom"}, {Href: "results.html"}}, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for _, r := range v.newestResults(feedLength) {
		updated := r.Ended
		if r.Changed.After(updated) {
			updated = r.Changed
		}
		at := updated.UTC().Format(time.RFC3339) // Of one length in UTC, and in the order of the times.
		f.Updated = max(f.Updated, at)
		link := r.History
		if link == "" {
			link = "results-" + r.Ended.UTC().Format("2006-01") + ".html#" + r.Match
		}
		f.Entries = append(f.Entries, atomEntry{ID: id + ":" + r.Match, Title: v.headline(r), Updated: at, Link: atomLink{Href: link},
			Summary: v.summary(r)})
	}
	out, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the feed of results: %w", err)
	}
	return slices.Concat([]byte(xml.Header), out, []byte("\n")), nil
}

func (v *view) name(p Player) string {
	if m := v.players[p]; m != nil {
		return m.Name
	}
	return "a former player"
}

// headline returns the game and its players, for example "1989: Ada v. Ben".
func (v *view) headline(r *Result) string {
	var names []string
	for _, p := range r.Players {
		names = append(names, v.name(p))
	}
	return r.Game + ": " + strings.Join(names, " v. ")
}

// summary returns the result of a match, for example "Ada (Democrat) has won: by support.".
func (v *view) summary(r *Result) string {
	var winners []string
	for i, won := range r.Won {
		if won {
			winners = append(winners, v.name(r.Players[i])+" ("+r.Seats[i]+")")
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
