package secretary

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
)

// and divides two names.
var and = regexp.MustCompile(`(?i)\s*(?:,|\bAND\b)\s*`)

// actOnTournament is what an act of the director about a tournament changes.
func (s *Secretary) actOnTournament(ctx context.Context, d club.Directive, by string) (c adjudicator.Change, err error) {
	if d.Verb == club.Hold {
		t, terms, err := club.ReadTournament(d.Text)
		if err == nil {
			t.Name = d.Name
			c.Club, err = s.holds(ctx, t, terms, by, d.Why)
		}
		if err != nil {
			return c, &Undone{err.Error()}
		}
		return c, nil
	}
	var members []*club.Member
	for _, name := range and.Split(d.Text, -1) {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		m, err := s.anybody(ctx, name)
		if err != nil {
			return c, err
		}
		members = append(members, m)
	}
	if want := map[club.Verb]int{club.LetIn: 1, club.TakeOut: 1, club.Swap: 2}[d.Verb]; len(members) != want {
		return c, &Undone{fmt.Sprintf("%s is about %s", d.Verb, map[int]string{0: "no member", 1: "one member", 2: "two members, such as Ada AND Ben"}[want])}
	}
	act, change := mending(d, members)
	if c.Club, _, err = s.mends(ctx, d.Name, by, act, d.Why, change); err != nil {
		return c, err
	}
	switch t := c.Club.Tournaments[0]; d.Verb {
	case club.LetIn:
		t.Words[members[0].ID], c.Club.Log[0].Member = "entered by the director", members[0].ID
		err = s.tells(&c, members[0], fmt.Sprintf("The director has entered you in %s, which starts on %s.", t.Title, day(t.Starts)), d)
	case club.TakeOut:
		err = s.tells(&c, members[0], fmt.Sprintf("The director has taken you out of %s. Your matches that have begun go on.", t.Title), d)
	}
	return c, err
}

// tells adds a letter to a member of what the director has done.
func (s *Secretary) tells(c *adjudicator.Change, m *club.Member, text string, d club.Directive) error {
	if m.State != club.Active || m.Address == "" {
		return nil
	}
	a := s.answer(m, adjudicator.Letter{})
	a.subject = d.Name
	a.says(text + " The reason: " + strings.TrimRight(d.Why, ".") + ".")
	letter, err := a.dispatch()
	c.Letters, c.Club.Members = append(c.Letters, letter), append(c.Club.Members, m)
	return err
}

// mending is how an act changes a tournament, with what the log says.
func mending(d club.Directive, members []*club.Member) (act string, change func(*tournament.Tournament) ([]string, error)) {
	switch d.Verb {
	case club.LetIn:
		return "was entered in the tournament " + d.Name, func(t *tournament.Tournament) ([]string, error) {
			if members[0].State != club.Active {
				return nil, fmt.Errorf("%s %s", members[0].Name, standing[members[0].State])
			}
			return nil, t.Enter(members[0].ID)
		}
	case club.TakeOut:
		return "somebody is taken out of the tournament " + d.Name, func(t *tournament.Tournament) ([]string, error) { return nil, t.Withdraw(members[0].ID) }
	case club.Swap:
		return fmt.Sprintf("in the tournament %s two have traded their places", d.Name), func(t *tournament.Tournament) ([]string, error) { return t.Swap(members[0].ID, members[1].ID) }
	}
	return fmt.Sprintf("the tournament %s is called off", d.Name), func(t *tournament.Tournament) ([]string, error) { return nil, t.CallOff() }
}
