package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/naming"
	"samizdat/rules"
)

// What players are called stands beside their sides, in letters to all who play or watch.
// It is not part of a match's record.

// errTaken refuses a name that somebody or something else has.
var errTaken = errors.New("somebody else, or the referee, is called that already")

// calledAs makes a name fit to be shown beside a seat of a match.
func calledAs(m *Match, seat rules.Seat, name string) (string, error) {
	name = naming.Clean(name)
	if !naming.Valid(name) {
		return "", naming.ErrNoName
	}
	is := naming.Spoken(name)
	if naming.Reserved(name) {
		return "", errTaken
	}
	for i, s := range m.Seats {
		if is == naming.Spoken(s.Name) || rules.Seat(i) != seat && is == naming.Spoken(s.Called) {
			return "", errTaken
		}
	}
	return name, nil
}

// Rename changes what the player of a seat is called in a match. The letters that follow
// say it; none is sent for that.
func (a *Adjudicator) Rename(ctx context.Context, match string, seat rules.Seat, name string) (called string, err error) {
	err = a.atSeat(ctx, match, seat, func(m *Match, who *Seat) error {
		if called, err = calledAs(m, seat, name); err != nil {
			return fmt.Errorf("call a player %q: %w", name, err)
		}
		who.Called = called
		return a.Store.Apply(ctx, Change{Match: m})
	})
	return called, err
}

// calledInMail is what a player's mail program calls him, made fit as far as that can be;
// empty where it gives an address, or a part of one.
func calledInMail(name, address string) string {
	local, _, _ := strings.Cut(address, "@")
	if strings.Contains(name, "@") || name == local || strings.EqualFold(name, local) && !isWord(name) {
		return ""
	}
	name, _, _ = strings.Cut(name, "(")
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || strings.ContainsRune("'’-.", r) {
			return r
		}
		return ' '
	}, name)
	out := ""
	for _, w := range strings.Fields(strings.TrimLeft(strings.TrimRight(name, " '’-"), " '’-.")) {
		if utf8.RuneCountInString(out)+1+utf8.RuneCountInString(w) > naming.Most {
			break
		}
		out = strings.TrimSpace(out + " " + w)
	}
	return out
}

// isWord reports whether there are letters only in a text.
func isWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

// versus names the players of a match of two, if their names are known.
func versus(c *match.Turn) string {
	s := c.Match.Seats
	if len(s) != 2 || s[0].Called == "" || s[1].Called == "" {
		return ""
	}
	return ", " + s[0].Called + " v. " + s[1].Called
}

// company tells a player who sits where, if anybody has a name, or who sat there in a match
// that is over: he may have several, and read of its end much later.
func company(c *match.Turn, reader rules.Seat, over bool) string {
	are, play := "are", "play"
	if over {
		are, play = "were", "played"
	}
	if !slices.ContainsFunc(c.Match.Seats, func(s Seat) bool { return s.Called != "" }) {
		return "You " + are + " " + c.Role(reader) + "."
	}
	var others []string
	for i := range c.Match.Seats {
		if seat := rules.Seat(i); seat != reader {
			others = append(others, c.Called(seat))
		}
	}
	return "You " + are + " " + c.Called(reader) + ". You " + play + " against " + strings.Join(others, ", ") + "."
}
