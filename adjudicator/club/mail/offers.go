package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

const (
	// mostADay is how many offers a member may make in a day, mostToOne how many challenges to the
	// same member: they are letters to others.
	mostADay, mostToOne = 30, 2
)

// offer makes an offer to all.
func (a *answer) offer(ctx context.Context, l letter.Line) error {
	o, err := a.newOffer(ctx, l, l.Command.Wanted)
	if err != nil || o == nil {
		return err
	}
	a.keepOffer(o)
	a.stands(l.Text, o, fmt.Sprintf("It stands as offer %d until %s. WITHDRAW %d takes it back.", o.ID, day(o.Expires), o.ID))
	return nil
}

// openOffers are the offers that are open, as the lines of the letter so far have left them.
func (a *answer) openOffers(ctx context.Context) (out []*club.Offer, err error) {
	stored, err := a.s.Store.OpenOffers(ctx)
	for i := range stored {
		if !slices.ContainsFunc(a.change.Offers, func(o *club.Offer) bool { return o.ID == stored[i].ID }) {
			out = append(out, &stored[i])
		}
	}
	for _, o := range a.change.Offers {
		if o.State == club.Waiting {
			out = append(out, o)
		}
	}
	return out, err
}

// keepOffer notes an offer that the letter changes: each is written once.
func (a *answer) keepOffer(o *club.Offer) {
	if !slices.Contains(a.change.Offers, o) {
		a.change.Offers = append(a.change.Offers, o)
	}
}

// stands says that an offer stands, and what binds its dice.
func (a *answer) stands(text string, o *club.Offer, note string) {
	a.did = true
	secret, err := record.SecretFromBytes(o.Secret)
	if err == nil {
		note += " Its dice will come from a secret that this number binds:\n" + secret.Commitment()
	}
	a.line(text, done, note)
}

// newOffer makes an offer; nil, and the line is refused, where there can be none.
func (a *answer) newOffer(ctx context.Context, l letter.Line, w club.Wanted) (*club.Offer, error) {
	open, err := a.openOffers(ctx)
	if err != nil {
		return nil, err
	}
	mine := 0
	for _, o := range open {
		if o.By() == a.member.ID {
			mine++
		}
	}
	today, err := a.today(ctx, (*club.Offer).Made)
	if err != nil {
		return nil, err
	}
	switch {
	case mine >= a.s.Club.MostOffers:
		a.line(l.Text, refused, fmt.Sprintf("%d offers of yours are open, and more cannot be. WITHDRAW one first.", mine))
		return nil, nil
	case today >= mostADay:
		a.line(l.Text, refused, fmt.Sprintf("You have made %d offers since yesterday, and may make more tomorrow.", mostADay))
		return nil, nil
	}
	if full, err := a.full(ctx, l, a.member); err != nil || full {
		return nil, err
	}
	id, err := a.s.Store.NextOffer(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range a.change.Offers {
		id = max(id, o.ID+1)
	}
	secret, err := record.NewSecret(a.s.Adjudicator.Random)
	if err != nil {
		return nil, err
	}
	days := w.Days
	if days == 0 {
		days = a.s.Club.OfferDays
	}
	return &club.Offer{ID: id, Terms: w.Terms, State: club.Waiting, Created: a.s.now(), Expires: a.s.now().Add(time.Duration(days) * 24 * time.Hour),
		Parties: []club.Party{a.party(w.As)}, Secret: secret.Bytes()}, nil
}

// today counts the offers of the writer since yesterday, and of his letter, that are of a kind.
func (a *answer) today(ctx context.Context, of func(*club.Offer) bool) (n int, err error) {
	stored, err := a.s.Store.OffersSince(ctx, a.member.ID, a.s.now().Add(-24*time.Hour))
	for i := range stored {
		if of(&stored[i]) {
			n++
		}
	}
	for _, o := range a.change.Offers {
		if o.Version == 0 && o.By() == a.member.ID && of(o) {
			n++
		}
	}
	return n, err
}

// party is the writer of the letter as one who plays. The letter serves as his words, by its
// digest: it came after the secret was bound, or binds its writer before he knows the others.
func (a *answer) party(as string) club.Party {
	return club.Party{Member: a.member.ID, As: as, Words: "letter " + a.letter.Digest}
}

// full refuses a line of a member who plays as many matches as he may.
func (a *answer) full(ctx context.Context, l letter.Line, m *club.Member) (bool, error) {
	n, err := a.s.Store.Running(ctx, m.ID)
	if err != nil {
		return false, err
	}
	n += len(a.begun)
	most := m.Most(a.s.Club)
	if n < most {
		return false, nil
	}
	if m.ID == a.member.ID {
		a.line(l.Text, refused, fmt.Sprintf("You play %s, and may play %d at once. MOST and a number "+
			"changes that, up to %d.", pluralEs(n, "match"), most, a.s.Club.MostMatches))
	} else {
		a.line(l.Text, refused, m.Name+" plays as many matches as may be at once.")
	}
	return true, nil
}

// challenge offers a match to one member.
func (a *answer) challenge(ctx context.Context, l letter.Line) error {
	to, err := a.named(ctx, l)
	if err != nil || to == nil {
		return err
	}
	return a.challenges(ctx, l, l.Command.Wanted, to)
}

// challenges offers a match to a member, and writes to him.
func (a *answer) challenges(ctx context.Context, l letter.Line, w club.Wanted, to *club.Member) error {
	switch {
	case to.ID == a.member.ID:
		a.line(l.Text, refused, "That is you.")
		return nil
	case w.Terms.Seats != 2:
		a.line(l.Text, refused, "A challenge is for games of two. For others, OFFER gathers players.")
		return nil
	case a.keptOff(l, to):
		return nil
	}
	open, err := a.openOffers(ctx)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(open, func(o *club.Offer) bool {
		return o.By() == a.member.ID && slices.Contains(o.To, to.ID) && o.Terms.Game == w.Terms.Game
	}); i >= 0 {
		a.line(l.Text, refused, fmt.Sprintf("You have challenged %s already, with offer %d. "+
			"WITHDRAW %d takes that back.", to.Name, open[i].ID, open[i].ID))
		return nil
	}
	n, err := a.today(ctx, func(o *club.Offer) bool { return slices.Contains(o.To, to.ID) })
	if err != nil {
		return err
	}
	if n >= mostToOne {
		a.line(l.Text, refused, fmt.Sprintf("You have challenged %s twice since yesterday. You can do so again tomorrow.", to.Name))
		return nil
	}
	o, err := a.newOffer(ctx, l, w)
	if err != nil || o == nil {
		return err
	}
	o.To = []int64{to.ID}
	a.keepOffer(o)
	secret, err := record.SecretFromBytes(o.Secret)
	if err != nil {
		return err
	}
	accept, decline := fmt.Sprintf("%s %d", letter.Accept, o.ID), fmt.Sprintf("%s %d", letter.Decline, o.ID)
	err = a.tell(ctx, to, "a challenge", templates.Note{
		Says: []string{fmt.Sprintf("%s challenges you: %s.", a.member.Name, a.s.describe(o, a.member.Name)), "To play, reply to this letter with"},
		Parts: []templates.Part{{Rows: []string{accept}}, {Says: []string{"and to decline, with"}, Rows: []string{decline}},
			{Says: []string{fmt.Sprintf("If you do nothing, the challenge lapses on %s. Its dice come from a secret "+
				"that this number binds:", day(o.Expires))}, Rows: []string{secret.Commitment()}}},
	}, accept, decline)
	if err != nil {
		return err
	}
	a.stands(l.Text, o, fmt.Sprintf("%s is asked. It is offer %d, and stands until %s. "+
		"WITHDRAW %d takes it back.", to.Name, o.ID, day(o.Expires), o.ID))
	return nil
}

// describe says what an offer is, to whoever may accept it. By is who makes it.
func (s *Secretary) describe(o *club.Offer, by string) string {
	g, err := rules.Games(s.Adjudicator.Games).Find(o.Terms.Game)
	if err != nil {
		return o.Terms.Game
	}
	out := g.Title()
	for _, p := range o.Parties {
		if p.As != "" && p.Member == o.By() {
			out += ", with " + by + " as " + strings.ToUpper(p.As[:1]) + p.As[1:]
		}
	}
	if words := o.Terms.Words(); words != "" {
		out += ", " + words
	}
	switch {
	case o.Terms.Seats > 2:
		out += fmt.Sprintf(", %d of %d players", len(o.Parties), o.Terms.Seats)
	case o.Terms.Seats == 0:
		least, most := g.Seats()
		out += fmt.Sprintf(", %d of %d to %d players", len(o.Parties), least, most)
	}
	return out
}

// listOffers lists the offers that a member may know of.
func (a *answer) listOffers(ctx context.Context, _ letter.Line) error {
	open, err := a.openOffers(ctx)
	if err != nil {
		return err
	}
	var theirs, mine []string
	first := int64(0)
	for _, o := range open {
		if !o.Shown(a.member.ID) {
			continue
		}
		by, err := a.s.Store.Member(ctx, o.By())
		if err != nil {
			return err
		}
		if by.Blocks(a.member) {
			continue
		}
		said := a.s.describe(o, by.Name) + ", until " + day(o.Expires)
		switch {
		case o.Has(a.member.ID):
			if len(o.To) > 0 && o.By() == a.member.ID {
				to, err := a.s.Store.Member(ctx, o.To[0])
				if err != nil {
					return err
				}
				said += ", to " + to.Name
			}
			mine = append(mine, fmt.Sprintf("%d: %s", o.ID, said))
		case len(theirs) < mostListed:
			if slices.Contains(o.To, a.member.ID) {
				said += ", to you"
			}
			theirs = append(theirs, fmt.Sprintf("%d: %s offers %s", o.ID, by.Name, said))
			if first == 0 {
				first = o.ID
			}
			a.offers = append(a.offers, fmt.Sprintf("%s %d", letter.Accept, o.ID))
		}
	}
	p := templates.Part{Title: "Offers", Rows: theirs}
	if len(theirs) == 0 {
		p.Says = []string{"Nobody offers you a match now. OFFER and the name of a game offers one, and PAIR ME and its name finds you opponents."}
	} else {
		p.Says = []string{fmt.Sprintf("To play one, reply with ACCEPT and its number, such as ACCEPT %d.", first)}
	}
	a.part(p)
	if len(mine) > 0 {
		a.part(templates.Part{Title: "Offers of yours", Rows: mine})
	}
	return nil
}

// mostListed is how many rows a list has: letters stay short.
const mostListed = 100

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
	a.line(l.Text, done, fmt.Sprintf("%s can neither challenge you nor accept what you offer, and is not paired with you. "+
		"%[1]s is not told. Matches that have begun go on, and tournaments pair you as they pair all. UNBLOCK %[1]s ends it.", m.Name))
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
