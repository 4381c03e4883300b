// Package desklink writes and reads the link from a letter to the desk, the page on which the reader composes an
// order by clicking. The fragment (the part after #) contains data of the letter: the reader's own view of the match,
// and the address for the answer. A browser does not send a fragment to the server.
package desklink

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"samizdat/rules"
)

// Link is the content of a link. Its JSON keys are short, because mail programs and browsers limit the length of links.
type Link struct {
	Match string      `json:"m"`
	Setup rules.Setup `json:"s"`
	// Seat is the reader's seat.
	Seat rules.Seat `json:"n"`
	// Letter is the number of the letter with the link.
	Letter int64 `json:"l"`
	// To and Subject are the address and the subject of the reader's answer.
	To      string `json:"to"`
	Subject string `json:"re"`
	// Names are the names of the players, in the order of seats; empty if no player has a name.
	Names []string `json:"c,omitempty"`
	// Happened holds the sentences of the letter about the events since the last letter; empty if the link would be
	// too long.
	Happened []string `json:"h,omitempty"`
	// View is the reader's view, in the form of View.MarshalJSON.
	View json.RawMessage `json:"v"`
}

// version is the first part of each fragment. Change it when the compression changes.
const version = "2"

// maxURL is the maximum length of a link in bytes. Mail programs and browsers accept twice this length.
const maxURL = 1800

// maxJSON is the maximum size of a link's JSON in bytes, so that a forged link cannot fill the memory.
const maxJSON = 32 << 10

// HasDesk reports whether letters of a game have links to the desk.
func HasDesk(g *rules.Game) bool { return g.Desk != nil && g.DecodeView != nil }

// URL returns the link to the desk at a page, e.g. "https://club.example/desk/#2.1989.eJx...". If the link is too
// long, URL leaves out Happened; if it is still too long, also Names.
func (l Link) URL(page string, g *rules.Game) (string, error) {
	for {
		data, err := json.Marshal(l)
		if err != nil {
			return "", fmt.Errorf("write a link: %w", err)
		}
		compressed, err := compress(g, data)
		if err != nil {
			return "", fmt.Errorf("write a link: %w", err)
		}
		url := page + "#" + version + "." + g.Name() + "." + base64.RawURLEncoding.EncodeToString(compressed)
		switch {
		case len(url) <= maxURL || len(l.Happened)+len(l.Names) == 0:
			return url, nil
		case len(l.Happened) > 0:
			l.Happened = nil
		default:
			l.Names = nil
		}
	}
}

func compress(g *rules.Game, data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriterDict(&out, flate.BestCompression, g.Desk.Dictionary)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// PracticeURL returns the link to the rules of thumb and a practice match, e.g. "https://club.example/desk/#practice.1989".
func PracticeURL(page string, g *rules.Game) string { return page + "#practice." + g.Name() }

var errDamagedLink = errors.New("the link is damaged")

var errOtherVersion = errors.New("this link and this page are from different versions of Samizdat; reload the page, or answer the letter by hand")

// Read reads the fragment of a link. The link may be forged.
func Read(games rules.Games, fragment string) (Link, *rules.Game, rules.View, error) {
	var l Link
	v, rest, _ := strings.Cut(strings.TrimSpace(fragment), ".")
	name, compressed, ok := strings.Cut(rest, ".")
	switch {
	case !ok || len(fragment) > 4*maxURL:
		return l, nil, nil, errDamagedLink
	case v != version:
		return l, nil, nil, errOtherVersion
	}
	g, err := games.Find(name)
	if err != nil || !HasDesk(g) {
		return l, nil, nil, errOtherVersion
	}
	raw, err := base64.RawURLEncoding.DecodeString(compressed)
	if err != nil {
		return l, nil, nil, errDamagedLink
	}
	data, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(bytes.NewReader(raw), g.Desk.Dictionary), maxJSON+1))
	if err != nil || len(data) > maxJSON {
		return l, nil, nil, errDamagedLink
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil || d.More() {
		return l, nil, nil, errDamagedLink
	}
	if minimum, maximum := g.Seats(); l.Setup.Seats < minimum || l.Setup.Seats > maximum || l.Seat < 0 || int(l.Seat) >= l.Setup.Seats {
		return l, nil, nil, errDamagedLink
	}
	view, err := g.DecodeView(l.View, l.Seat)
	if err != nil {
		return l, nil, nil, fmt.Errorf("%w: %w", errDamagedLink, err)
	}
	return l, g, view, nil
}

// linkPattern matches a link in a letter; its group is the fragment.
var linkPattern = regexp.MustCompile(`https?://\S+/#(` + version + `\.[a-z0-9]+\.[A-Za-z0-9_-]+)`)

// Find returns the fragment of the first link in a letter; empty if there is none.
func Find(text string) string {
	if m := linkPattern.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
