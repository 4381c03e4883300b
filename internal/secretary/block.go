package secretary

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/templates"
)

// mostBlocked is how many others a member can keep off.
const mostBlocked = 100

// block keeps a member from challenging the writer, and from being paired with him. He is not
// told.
func (a *answer) block(ctx context.Context, l letter.Line) error {
	m, err := a.named(ctx, l)
	if err != nil || m == nil {
		return err
	}
	mine := &a.member.Settings
	switch {
	case m.ID == a.member.ID:
		a.line(l.Text, refused, "That is you.")
		return nil
	case slices.Contains(mine.Blocked, m.ID):
		a.line(l.Text, refused, m.Name+" is blocked already.")
		return nil
	case len(mine.Blocked) >= mostBlocked:
		a.line(l.Text, refused, fmt.Sprintf("You block %d members, and more cannot be. UNBLOCK one first.", mostBlocked))
		return nil
	}
	mine.Blocked, a.did = append(mine.Blocked, m.ID), true
	a.line(l.Text, done, fmt.Sprintf("%s can neither challenge you nor accept what you offer, and is not paired with you. %[1]s is not told. Matches that have begun go on, and tournaments pair you as they pair all. UNBLOCK %[1]s ends it.", m.Name))
	return nil
}

// unblock ends that.
func (a *answer) unblock(ctx context.Context, l letter.Line) error {
	m, err := a.named(ctx, l)
	if err != nil || m == nil {
		return err
	}
	i := slices.Index(a.member.Settings.Blocked, m.ID)
	if i < 0 {
		a.line(l.Text, refused, m.Name+" is not blocked.")
		return nil
	}
	a.member.Settings.Blocked, a.did = slices.Delete(a.member.Settings.Blocked, i, i+1), true
	a.line(l.Text, done, m.Name+" can challenge you again.")
	return nil
}

// blocked are the names of those whom the writer blocks, as far as they are members still.
func (a *answer) blocked(ctx context.Context) (names []string, err error) {
	for _, id := range a.member.Settings.Blocked {
		m, err := a.s.Store.Member(ctx, id)
		if err != nil {
			return nil, err
		}
		if m != nil && m.State != club.Forgotten {
			names = append(names, m.Name)
		}
	}
	return names, nil
}

// keptOff refuses a line by which the writer would play with somebody whom he blocks, or who
// blocks him.
func (a *answer) keptOff(l letter.Line, m *club.Member) bool {
	switch {
	case slices.Contains(a.member.Settings.Blocked, m.ID):
		a.line(l.Text, refused, fmt.Sprintf("You block %s. UNBLOCK %[1]s ends that.", m.Name))
	case m.Blocks(a.member):
		a.line(l.Text, refused, m.Name+" does not want to play with you.")
	default:
		return false
	}
	return true
}

// declineAll declines all challenges to the writer.
func (a *answer) declineAll(ctx context.Context, l letter.Line) error {
	open, err := a.openOffers(ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, o := range open {
		if slices.Contains(o.To, a.member.ID) && !slices.Contains(a.change.Offers, o) {
			if err := a.declines(ctx, o); err != nil {
				return err
			}
			n++
		}
	}
	if n == 0 {
		a.line(l.Text, refused, "Nobody has challenged you.")
		return nil
	}
	text := "One challenge is declined, and its member is told."
	if n > 1 {
		text = fmt.Sprintf("%d challenges are declined, and their members are told.", n)
	}
	a.line(l.Text, done, text)
	return nil
}

// declines declines a challenge.
func (a *answer) declines(ctx context.Context, o *club.Offer) error {
	by, err := a.s.Store.Member(ctx, o.By())
	if err != nil {
		return err
	}
	o.State, a.did = club.Declined, true
	a.keepOffer(o)
	return a.tell(ctx, by, "a challenge is declined", templates.Note{Says: []string{fmt.Sprintf("%s declines your challenge to %s, offer %d.", a.member.Name, a.s.describe(o, by.Name), o.ID)}})
}
