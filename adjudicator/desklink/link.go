// Package desklink writes and reads the link by which a letter opens the desk: a page on which its
// reader clicks an order together. What stands behind the # of a link never leaves the browser, and
// is what the letter holds: the reader's own view of the match, and where an answer goes.
package desklink

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"samizdat/rules"
)

// Link is what a link tells the page.
type Link struct {
	Match string `json:"m"`
	// Setup is that of the match, Seat the reader's.
	Setup rules.Setup `json:"s"`
	Seat  rules.Seat  `json:"n"`
	// Letter numbers the letter that the link stands in.
	Letter int64 `json:"l"`
	// To and Subject are where an answer to the letter goes.
	To      string `json:"to"`
	Subject string `json:"re"`
	// Names are what the players are called, in the order of seats; none where nobody has a name.
	Names []string `json:"c,omitempty"`
	// View is the reader's, as View.MarshalJSON wrote it.
	View json.RawMessage `json:"v"`
}

// version stands before all links. A change of the packing needs another one.
const version = "1"

// mostURL is how long a link may be; mail programs and browsers take twice as much.
const mostURL = 1800

// linkWords are the words of links, before those of the game. They are never changed.
var linkWords = []string{"m", "s", "n", "l", "to", "re", "c", "v", "Seats", "Options", "Revision"}

func wordsOf(g *rules.Game) []string {
	return append(linkWords[:len(linkWords):len(linkWords)], g.Desk.Words...)
}

// Offered reports whether letters of a game can have links.
func Offered(g *rules.Game) bool { return g.Desk != nil && g.DecodeView != nil }

// URL is the link to a page: "https://club.example/desk/#1.1989.eJx...". Names that make it too long are
// left out.
func (l Link) URL(page string, g *rules.Game) (string, error) {
	for {
		data, err := json.Marshal(l)
		if err != nil {
			return "", fmt.Errorf("write a link: %w", err)
		}
		packed, err := pack(wordsOf(g), data)
		if err != nil {
			return "", fmt.Errorf("write a link: %w", err)
		}
		url := page + "#" + version + "." + g.Name() + "." + base64.RawURLEncoding.EncodeToString(packed)
		if len(url) <= mostURL || len(l.Names) == 0 {
			return url, nil
		}
		l.Names = nil
	}
}

// errVersion says that a link is of another version of the page.
var errVersion = errors.New("another version of Samizdat made this link than this page; reload the page, or answer the letter by hand")

// Read reads what stands behind the # of a link. Strangers may have written it.
func Read(games rules.Games, fragment string) (Link, *rules.Game, rules.View, error) {
	var l Link
	v, rest, _ := strings.Cut(strings.TrimSpace(fragment), ".")
	name, packed, ok := strings.Cut(rest, ".")
	switch {
	case !ok || len(fragment) > 4*mostURL:
		return l, nil, nil, errLink
	case v != version:
		return l, nil, nil, errVersion
	}
	g, err := games.Find(name)
	if err != nil || !Offered(g) {
		return l, nil, nil, errVersion
	}
	raw, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return l, nil, nil, errLink
	}
	data, err := unpack(wordsOf(g), raw)
	if err != nil {
		return l, nil, nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, nil, nil, errLink
	}
	if least, most := g.Seats(); l.Setup.Seats < least || l.Setup.Seats > most || l.Seat < 0 || int(l.Seat) >= l.Setup.Seats {
		return l, nil, nil, errLink
	}
	view, err := g.DecodeView(l.View, l.Seat)
	if err != nil {
		return l, nil, nil, fmt.Errorf("%w: %w", errLink, err)
	}
	return l, g, view, nil
}

// linked is a link in a letter: what stands behind the #.
var linked = regexp.MustCompile(`https?://\S+/#(` + version + `\.[a-z0-9]+\.[A-Za-z0-9_-]+)`)

// Find finds what stands behind the # of the first link in a letter; empty where there is none.
func Find(text string) string {
	if m := linked.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
