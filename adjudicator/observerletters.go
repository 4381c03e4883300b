package adjudicator

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// toObservers makes the letters to those who observe, when there is something to tell
// them. Whatever goes wrong with one of them is no reason to stop a match.
func (j *adjudication) toObservers(ctx context.Context) (letters []Dispatch, told []Observer) {
	if len(j.turn.Match.Observers) == 0 || !j.news(rules.Nobody) {
		return nil, nil
	}
	p := j.a.public(j.turn, enclosure{record: j.brings(rules.Nobody) != nil})
	j.brings(rules.Nobody).enclose(&p)
	for _, o := range j.turn.Match.Observers {
		d, err := j.toObserver(&o, p, j.turn.Match.ObserverPolicy.Delay)
		if err != nil {
			j.a.Log.ErrorContext(ctx, "an observer is left out", "match", j.turn.Match.ID, "observer", o.Number, "error", err)
			continue
		}
		letters, told = append(letters, d), append(told, o)
	}
	j.turn.Match.NoteRestoresTold(rules.Nobody)
	return letters, told
}

// public writes what all observers are sent: it is done once for all of them.
func (a *Adjudicator) public(c *match.Turn, own enclosure) Dispatch {
	l := compose(c, rules.Nobody, own)
	l.Mark, l.Contact = a.Post.Mark(), a.Contact
	d := Dispatch{Addressee: Addressee{Match: c.Match.ID}, Heading: Heading{Subject: l.Subject}}
	d.Body, d.HTML = lay(l, a.Letters.HTML)
	return d
}

// toObserver addresses a public letter that is held back for a time.
func (j *adjudication) toObserver(o *Observer, d Dispatch, held time.Duration) (Dispatch, error) {
	o.Letters++
	j.a.addressTo(&d, j.turn.Match, *o, o.Letters)
	d.Number, d.Observer, d.Held, d.Date = o.Letters, o.Number, held, d.Date.Add(held)
	key := j.a.Replies.ObserverKey(o.Address)
	d.MessageID = j.a.Post.LetterID(key, ObserverToken(j.turn.Match.ID, o.Number, o.Letters))
	if o.Letters > 1 {
		d.References = thread(j.a.Post.LetterID(key, ObserverToken(j.turn.Match.ID, o.Number, o.Letters-1)), d.References[0])
	} else {
		d.References = nil
	}
	var err error
	if d.Raw, err = j.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("render letter %d to observer %d of %s: %w", o.Letters, o.Number, j.turn.Match.ID, err)
	}
	return d, nil
}

// addressTo addresses a letter to an observer: token, thread, and how to leave.
func (a *Adjudicator) addressTo(d *Dispatch, m *Match, o Observer, number int64) {
	d.Match, d.Seat, d.To, d.Date = m.ID, rules.Nobody, o.Address, a.Now()
	d.Token = a.Post.Token(a.Replies.ObserverKey(o.Address), ObserverToken(m.ID, o.Number, number))
	d.Unsubscribe = "UNOBSERVE"
	d.References = []string{a.Post.LetterID(a.Replies.ObserverKey(o.Address), ObserverToken(m.ID, o.Number, 1))}
}
