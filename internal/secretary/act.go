package secretary

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
)

// Undone says why an act of the director cannot be done.
type Undone struct{ why string }

func (u *Undone) Error() string { return u.why }

// Act does what the director, or the operator, wants, with the letters that follow. By names who
// it is, for the log that members can read.
func (s *Secretary) Act(ctx context.Context, d club.Directive, by string) error {
	c, err := s.act(ctx, d, by)
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, c)
}

// act is what an act changes.
func (s *Secretary) act(ctx context.Context, d club.Directive, by string) (adjudicator.Change, error) {
	if d.Verb == club.Annul || d.Verb == club.Restore {
		c, err := s.annuls(ctx, strings.ToLower(d.Name), by, d.Why, d.Verb == club.Annul)
		return adjudicator.Change{Club: c}, err
	}
	if d.Verb == club.Announce {
		c, err := s.announces(d.Text, by)
		return adjudicator.Change{Club: c}, err
	}
	if d.Verb.OfTournament() {
		return s.actOnTournament(ctx, d, by)
	}
	m, err := s.anybody(ctx, d.Name)
	if err != nil {
		return adjudicator.Change{}, err
	}
	a := s.answer(m, adjudicator.Letter{})
	because := ""
	if d.Why != "" {
		because = " The reason: " + strings.TrimRight(d.Why, ".") + "."
	}
	switch was := m.State; {
	case d.Verb == club.Admit && was == club.Applied:
		m.State = club.Active
		a.log(m.ID, by, "was admitted", d.Why)
		a.says("The director has admitted you to "+s.Club.Name+". Welcome, "+m.Name+"."+because,
			"Everything goes by mail. Reply to this letter, or to any other of the club, and write one order a line.")
		a.help()
	case d.Verb == club.Refuse && was == club.Applied:
		m.State = club.Banned
		a.log(m.ID, by, "was not admitted", d.Why)
		a.says("The director has not admitted you to " + s.Club.Name + "." + because)
	case d.Verb == club.Ban && (was == club.Active || was == club.Left):
		m.State = club.Banned
		a.log(m.ID, by, "was banned", d.Why)
		if err := a.retire(ctx, m); err != nil {
			return adjudicator.Change{}, err
		}
		a.says("The director has shut you out of "+s.Club.Name+"."+because, "What you have offered is withdrawn. Your matches go on: answer their letters.")
	case d.Verb == club.Unban && was == club.Banned:
		m.State = club.Active
		a.log(m.ID, by, "may come in again", d.Why)
		a.says("The director lets you into " + s.Club.Name + " again." + because)
	default:
		return adjudicator.Change{}, &Undone{fmt.Sprintf("%s cannot be done: %s %s.", d, m.Name, standing[was])}
	}
	letter, err := a.dispatch()
	if err != nil {
		return adjudicator.Change{}, err
	}
	return adjudicator.Change{Letters: append(a.letters, letter), Club: &a.change}, nil
}

// standing says where a member stands.
var standing = map[club.State]string{
	club.Applied: "has asked to join, and waits", club.Active: "is a member", club.Left: "has left", club.Banned: "is shut out", club.Forgotten: "is forgotten",
}

// anybody finds a member by name, whatever has become of him.
func (s *Secretary) anybody(ctx context.Context, name string) (*club.Member, error) {
	if _, skeleton, err := club.Called(name, nil); err == nil {
		if m, err := s.Store.MemberLike(ctx, skeleton); err != nil || m != nil {
			return m, err
		}
	}
	return nil, &Undone{fmt.Sprintf("Nobody is called %s here.", name)}
}
