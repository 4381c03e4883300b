package secretary

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/zone"
	"samizdat/templates"
)

// settings shows what the writer has set.
func (a *answer) settings(ctx context.Context, _ letter.Line) error {
	m := a.member
	player, err := a.s.Store.Player(ctx, m.ID)
	if err != nil {
		return err
	}
	in := m.Zone
	if in == "" {
		in = zone.UTC
	}
	format := m.Settings.Format
	if format == "" {
		format = "as the club sends them"
	}
	blocked, err := a.blocked(ctx)
	if err != nil {
		return err
	}
	rows := [][]string{
		{"NAME", m.Name},
		{"MOST", pluralEs(m.Most(a.s.Club), "match") + " at once"},
		{"TIMEZONE", fmt.Sprintf("%s. It is %s", in, zone.Write(a.s.now(), m.Zone))},
		{"FORMAT", format},
		{"DIGEST", cmp.Or(string(m.Settings.Digest), "off")},
		{"BLOCK", cmp.Or(strings.Join(blocked, ", "), "nobody")},
		{"ADDRESS", m.Address},
	}
	a.part(templates.Part{Title: "Your settings", Rows: templates.Columns(rows), Says: []string{a.s.Adjudicator.Vacations(player), "Each is changed by a line of its name, such as MOST 5. " +
		"FORMAT in an answer to a match changes that one. Nobody else is shown your address or your time zone."}})
	return nil
}

// most changes how many matches the writer plays at once.
func (a *answer) most(_ context.Context, l letter.Line) error {
	if n := l.Command.Number; n > a.s.Club.MostMatches {
		a.line(l.Text, refused, fmt.Sprintf("The club lets nobody play more than %d matches at once.", a.s.Club.MostMatches))
	} else {
		a.member.Settings.Most, a.did = n, true
		a.line(l.Text, done, fmt.Sprintf("You play %s at once at most. Those that have begun go on.", pluralEs(n, "match")))
	}
	return nil
}

func pluralEs(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ses", n, what)
}

// rename changes what the writer is called.
func (a *answer) rename(ctx context.Context, l letter.Line) error {
	name, skeleton, err := club.Called(l.Command.As, a.s.seats())
	if err != nil {
		a.line(l.Text, refused, letter.Sentence(err)+" You are called "+a.member.Name+", as before.")
		return nil
	}
	taken, err := a.s.Store.MemberLike(ctx, skeleton)
	switch {
	case err != nil:
		return err
	case taken != nil && taken.ID != a.member.ID:
		a.line(l.Text, refused, fmt.Sprintf("Somebody is called %s already, or so nearly that you would be taken for each other. You are called %s, as before.", name, a.member.Name))
		return nil
	}
	a.member.Name, a.member.Skeleton, a.did = name, skeleton, true
	a.line(l.Text, done, "You are called "+name+" from now on. Matches that have begun keep the name that they have.")
	return nil
}

// address shows or changes where the writer's letters go, in the club and in his matches.
func (a *answer) address(ctx context.Context, l letter.Line) error {
	c := l.Command
	switch {
	case c.Text != "" && a.letter.Shared:
		a.line(l.Text, refused, "Your letter went to another address as well, so this does not count. Write the order again, to the referee alone.")
		return nil
	case c.Text != "" && (a.orders > 1 || l.Text != a.s.reader.Read(a.letter.Orders)[0].Text):
		a.line(l.Text, refused, "ADDRESS counts only in the first line of a letter that has no other order. Your letters go where they went.")
		return nil
	}
	seats, err := a.s.Store.SeatsOf(ctx, a.member.ID)
	if err != nil {
		return err
	}
	switch {
	case len(seats) > 0:
	case c.Choice != "" && c.Text == "":
		a.line(l.Text, done, "Nothing is asked for, and nothing changes.")
		return nil
	case c.Text == "":
		a.line(l.Text, done, "Your letters go to "+a.member.Address+".")
		return nil
	default:
		a.line(l.Text, refused, "You have played no match yet, so there is nothing that would have to move. Write FORGET ME here, and then REGISTER from the other address. Your letters go to "+a.member.Address+".")
		return nil
	}
	at := seats[0]
	for _, s := range seats {
		if s.State == adjudicator.Playing {
			at = s
		}
	}
	p, err := a.own(ctx)
	if err != nil {
		return err
	}
	out, changed, letters, err := a.s.Adjudicator.Address(ctx, p, at, a.letter, c)
	if err != nil {
		return err
	}
	came := done
	if changed {
		a.players[a.member.ID], a.player, a.did = p, p, true
		a.letters = append(a.letters, letters...)
	} else if c.Text != "" {
		came = refused
	}
	if changed && c.Choice != "" {
		// Somebody else may have asked, with a letter of his.
		a.member.Serial++
		out.Note += " The address that you answer to has changed: reply to this letter, older ones no longer count."
	}
	a.line(l.Text, came, out.Note)
	return nil
}

// own is the member as a player, as his letter has changed him so far.
func (a *answer) own(ctx context.Context) (*adjudicator.Player, error) {
	if known := a.players[a.member.ID]; known != nil {
		return known, nil
	}
	return a.s.Store.Player(ctx, a.member.ID)
}

// timeZone changes in which zone times are written.
func (a *answer) timeZone(ctx context.Context, l letter.Line) error {
	p, err := a.own(ctx)
	if err != nil {
		return err
	}
	p.Zone, a.member.Zone = l.Command.Text, l.Command.Text
	a.players[a.member.ID], a.player, a.did = p, p, true
	a.line(l.Text, done, fmt.Sprintf("The times in your letters are those of %s. It is %s. Nobody else is told.", p.Zone, zone.Write(a.s.now(), p.Zone)))
	return nil
}

// vacation plans or ends a vacation of the writer, or shows what is planned.
func (a *answer) vacation(ctx context.Context, l letter.Line) error {
	p, err := a.own(ctx)
	if err != nil {
		return err
	}
	out, changed, letters, others, err := a.s.Adjudicator.Vacation(ctx, p, l.Command, a.others)
	if err != nil {
		return err
	}
	came := done
	if changed {
		a.players[a.member.ID], a.player, a.did = p, p, true
		a.others, a.letters = others, append(a.letters, letters...)
	} else if l.Command.Choice != "" {
		came = refused
	}
	a.line(l.Text, came, out.Note)
	return nil
}

// format changes what the writer's letters are.
func (a *answer) format(_ context.Context, l letter.Line) error {
	a.member.Settings.Format, a.did = strings.ToLower(l.Command.Text), true
	said := map[match.Format]string{
		match.FormatText: "text only", match.FormatHTML: "text with a page beside it, without pictures", match.FormatPicture: "text with a page beside it, and a picture of the map",
	}[match.Format(a.member.Settings.Format)]
	a.line(l.Text, done, "The letters of the club, and of matches that begin from now on, are "+said+".")
	return nil
}
