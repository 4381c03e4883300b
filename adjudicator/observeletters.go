package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
	"samizdat/templates"
)

// toObservers makes the letters to those who watch, when there is something to tell
// them. Whatever goes wrong with one of them is no reason to stop a match.
func (s *session) toObservers(ctx context.Context) (letters []Dispatch, told []Observer, err error) {
	if len(s.m.Observers) == 0 || !s.publicNews() {
		return nil, nil, nil
	}
	p, err := s.public(nil)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range s.m.Observers {
		d, err := s.toObserver(&o, p, s.m.Spectators.Delay)
		if err != nil {
			s.a.Log.ErrorContext(ctx, "an observer is left out", "match", s.m.ID, "observer", o.Number, "error", err)
			continue
		}
		letters, told = append(letters, d), append(told, o)
	}
	return letters, told, nil
}

// publicNews reports whether everybody may see that something has changed.
func (s *session) publicNews() bool {
	switch {
	case !s.changed() || s.pos == nil:
		return false
	case s.was == nil, s.m.State == Over, len(s.toldTo(rules.Nobody)) > 0:
		return true
	}
	return s.standing(s.was, rules.Nobody) != s.standing(s.pos, rules.Nobody)
}

// publicLetter is a letter to observers, whoever it goes to.
type publicLetter struct{ subject, body, html string }

// public composes what all observers are sent: it is done once for all of them.
// Intro, when there is one, comes first among the sections.
func (s *session) public(intro *rules.Section) (publicLetter, error) {
	l := s.publicPage()
	if intro != nil {
		l.Sections = append(l.Sections, templates.Section{Title: intro.Title, Lines: intro.Lines})
	}
	p := publicLetter{subject: subject(s.m, "", "you watch")}
	if s.pos == nil {
		return s.layPublic(p, l)
	}
	view := s.pos.View(rules.Nobody)
	p.subject = s.publicSubject(view)
	if len(s.entries) > 0 {
		l.Happened = slices.Clone(s.remarks)
	}
	l.Happened = append(l.Happened, s.game.Sentences(view, s.toldTo(rules.Nobody))...)
	if s.m.State == Over {
		l.Over, l.Head = true, s.m.Head
		if s.m.Recorded == nil {
			l.Commitment, l.Secret = s.m.Secret.Commitment(), s.m.Secret.Hex()
		}
	}
	if s.m.State == Over {
		l.Sections = append(l.Sections, templates.Section{Title: "The end", Lines: paragraphs(lastWords)})
	}
	standing, parts := s.marked(rules.Nobody, view)
	for _, sec := range standing {
		l.Sections = append(l.Sections, templates.Section{Title: sec.Title, Lines: sec.Lines})
	}
	if s.a.Letters.HTML {
		unlaid(&l, standing, parts)
	}
	return s.layPublic(p, l)
}

// publicPage begins a letter to an observer: whose move it is, and where the match
// stands.
func (s *session) publicPage() templates.Letter {
	// The newest hash of the history is left out: it changes with hidden entries.
	l := templates.Letter{Mark: s.a.Post.Mark(), Match: s.m.ID, Title: s.game.Title(), Credit: s.game.Credit(), Watched: true}
	l.Whose = s.publicWhose()
	if s.pos != nil {
		l.Status = s.game.Status(s.pos.View(rules.Nobody))
	}
	return l
}

func (s *session) layPublic(p publicLetter, l templates.Letter) (publicLetter, error) {
	l.Subject = p.subject
	var err error
	if p.body, err = l.Text(); err == nil && s.a.Letters.HTML {
		p.html, err = l.HTML()
	}
	if err != nil {
		return p, fmt.Errorf("compose the public letter of match %s: %w", s.m.ID, err)
	}
	return p, nil
}

// publicWhose says in a line whose move it is, for those who watch.
func (s *session) publicWhose() string {
	switch {
	case s.pos == nil && (s.m.Spectators.Delay > 0 || s.m.State != Inviting):
		// With a delay, an observer is not told whether it has begun.
		return "You watch match " + s.m.ID + "."
	case s.pos == nil:
		return "You watch match " + s.m.ID + ". It has not begun."
	}
	if r, over := s.pos.Result(); over {
		if r.Winners == 0 {
			return "The match is over: a draw (" + r.Reason + ")."
		}
		return "The match is over: " + s.winners(r) + " (" + r.Reason + ")."
	}
	if s.pos.Stalled() {
		return "The match waits for chance."
	}
	return "The match waits for " + s.names(s.pos.Owed(nil)) + "."
}

// winners says who has won.
func (c *account) winners(r rules.Result) string {
	var names []string
	for i := range c.m.Seats {
		if r.Winners.Has(rules.Seat(i)) {
			names = append(names, c.role(rules.Seat(i)))
		}
	}
	if len(names) == 1 {
		return names[0] + " has won"
	}
	return strings.Join(names, " and ") + " have won"
}

// publicSubject says the same in a subject.
func (c *account) publicSubject(view rules.View) string {
	where := ""
	if h, ok := c.game.(rules.Headliner); ok {
		where = h.Headline(view)
	}
	wanted := c.wanted(rules.Nobody)
	if r, over := c.pos.Result(); over && r.Winners != 0 {
		wanted = "the match is over, " + c.winners(r)
	}
	return subject(c.m, where, "watched; "+wanted)
}

// toObserver addresses a public letter that is held back for a time.
func (s *session) toObserver(o *Observer, p publicLetter, held time.Duration) (Dispatch, error) {
	o.Letters++
	d := s.a.addressed(s.m, *o, o.Letters)
	d.Number, d.Observer, d.Held, d.Date = o.Letters, o.Number, held, d.Date.Add(held)
	key := s.a.observerKey(o.Address)
	d.MessageID = s.a.Post.ObserverLetterID(key, s.m.ID, o.Number, o.Letters)
	d.Subject, d.Body, d.HTML = p.subject, p.body, p.html
	d.References = []string{observerThread(s.m, *o, s.a.Post.Domain())}
	if o.Letters > 1 {
		d.References = append(d.References, s.a.Post.ObserverLetterID(key, s.m.ID, o.Number, o.Letters-1))
	}
	var err error
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("render letter %d to observer %d of %s: %w", o.Letters, o.Number, s.m.ID, err)
	}
	return d, nil
}

// observerThread is what all letters to an observer name, to be kept together.
func observerThread(m *Match, o Observer, domain string) string {
	return fmt.Sprintf("%s-o%d-1@%s", m.ID, o.Number, domain)
}

// addressed begins a letter to an observer: token, and how to leave.
func (a *Adjudicator) addressed(m *Match, o Observer, number int64) Dispatch {
	to := a.Post.ObserverReplyTo(a.observerKey(o.Address), m.ID, o.Number, number)
	return Dispatch{Match: m.ID, Seat: rules.Nobody, To: o.Address, ReplyTo: to, Unsubscribe: to, Date: a.Now()}
}

// watcher returns who watches a match under an address.
func (m *Match) watcher(address string) (Observer, bool) {
	i := slices.IndexFunc(m.Observers, func(o Observer) bool { return sameAddress(o.Address, address) })
	if i < 0 {
		return Observer{}, false
	}
	return m.Observers[i], true
}

// plays reports whether somebody at an address plays in a match.
func (m *Match) plays(address string) bool {
	return slices.ContainsFunc(m.Seats, func(s Seat) bool { return s.registered(address) })
}
