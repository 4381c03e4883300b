package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// fromObserver takes the letters of somebody who observes, or did.
func (a *Adjudicator) fromObserver(ctx context.Context, l Letter) (Disposition, error) {
	digest := l.digest()
	if was, twice, err := a.Store.Received(ctx, l.Token.Match, rules.Nobody, digest, ""); err != nil || twice {
		return was, err
	}
	m, err := a.lookUp(ctx, l.Token.Match)
	if err != nil || m == nil {
		return Ignored, err
	}
	o, ok := m.ObserverAt(l.From)
	if !ok || o.Number != l.Token.Observer {
		// He has left, and was told so.
		a.Log.InfoContext(ctx, "a letter of a former observer ignored", "match", m.ID, "uid", l.UID)
		return Ignored, nil
	}
	c := Change{Receipt: l.receipt(digest, Done, a.Now())}
	c.Receipt.Match = m.ID
	var d Dispatch
	may := true
	if _, leaves := l.asks(letter.Unobserve); leaves {
		o.Ended = true
		c.Match, c.Observers = m, []Observer{o}
		d = Dispatch{Addressee: Addressee{Match: m.ID}, Heading: Heading{Subject: subject(m, "You watch no longer", match.Capital(m.Game))}, Content: Content{Body: farewellText(a.Post.Mark(), m.ID) + a.Replies.Foot()}}
	} else {
		// The match stays as it is, and nobody's orders have to wait for this.
		j, err := a.adjudication(ctx, m, rules.Nobody, l)
		if err != nil {
			return "", err
		}
		if d, err = j.answerObserver(ctx); err != nil {
			return "", err
		}
		a.addressTo(&d, m, o, l.Token.Number)
		c.Receipt.Disposition = j.reply.disposition
		// What changes nothing is answered only so often, as for players.
		may = a.Replies.MayAnswerTo(ctx, l, fmt.Sprintf("observer %s %d", m.ID, o.Number), o.Address)
	}
	if may && a.Replies.Address(ctx, l, digest, &d) {
		c.Letters = []Dispatch{d}
	}
	return c.Receipt.Disposition, a.Store.Apply(ctx, c)
}

// answerObserver answers the letter of an observer, as the match stood when
// it is his turn to know.
func (j *adjudication) answerObserver(ctx context.Context) (Dispatch, error) {
	text := j.letter.Orders
	if j.letter.TooBig || len(text) > mostText || len(order.Split(text)) > mostLines {
		j.report("", match.OutcomeRefused, "Your letter was too long, and nothing in it was read.")
		text = ""
	} else if strings.TrimSpace(text) == "" {
		j.report("", match.OutcomeRefused, "There was nothing in your letter above the line that says Samizdat reads nothing below it. "+observersHelp)
	}
	if j.turn.After != nil && j.turn.Match.ObserverPolicy.Delay > 0 {
		chapters, err := j.pastChapters(ctx)
		if err != nil {
			return Dispatch{}, err
		}
		if j.turn.After = nil; len(chapters) > 0 {
			j.turn.After = chapters[len(chapters)-1].pos
		}
	}
	j.reply.brief = true
	lines, err := j.reader.Read(letter.Letter{Text: text, Seat: rules.Nobody})
	if err != nil {
		return Dispatch{}, err
	}
	for _, l := range lines {
		if err := j.observerLine(ctx, l); err != nil {
			return Dispatch{}, err
		}
	}
	if err := j.attach(ctx); err != nil {
		return Dispatch{}, err
	}
	own := j.own(rules.Nobody)
	own.problems = j.letter.Problems
	d := j.a.public(j.turn, own)
	j.brings(rules.Nobody).enclose(&d)
	d.Subject = subject(j.turn.Match, "Your letter as an observer", match.Capital(j.turn.Match.Game))
	return d, nil
}

// observerLine answers one line of an observer's letter.
func (j *adjudication) observerLine(ctx context.Context, l letter.Line) (err error) {
	class := l.Class()
	switch {
	case l.Is(letter.Hand), l.Is(letter.Position), l.Is(letter.Again), l.Is(letter.Ask):
		j.report(l.Text, match.OutcomeRefused, "Only players can ask for that.")
	case l.Is(letter.Record) && !j.ended():
		j.report(l.Text, match.OutcomeRefused, "The record is for players until the match is over. The last letter of the match brings it to you.")
	case j.turn.After == nil && (class == letter.Question && !l.Is(letter.Rules) || l.Is(letter.Status) || l.Is(letter.Card)):
		j.report(l.Text, match.OutcomeRefused, "There is nothing to show yet.")
	case class == letter.Question, l.Is(letter.Card):
		_, err = j.command(ctx, l)
	case l.Is(letter.HelpWord):
		j.report(l.Text, match.OutcomeDone, observersHelp)
	case l.Is(letter.Status), l.Is(letter.Resend) && j.turn.After != nil:
		j.reply.brief = false
		j.report(l.Text, match.OutcomeDone, "Here is the match as it stands for you.")
	case letter.Begins(l.Text, letter.Observe):
		j.report(l.Text, match.OutcomeIgnored, "You watch this match. To watch another one, write OBSERVE and its name in a new letter.")
	case class == letter.Telling, l.Kind > letter.Doubt && class != letter.Setting && !answersConsent(l), letter.Begins(l.Text, letter.Join):
		j.report(l.Text, match.OutcomeRefused, "You only watch this match. "+observersHelp)
	default:
		j.report(l.Text, match.OutcomeIgnored, "You only watch this match. HELP says what you may write.")
	}
	return err
}

// ended reports whether an observer may know that the match is over, and all of it.
func (j *adjudication) ended() bool {
	if j.turn.After == nil || !j.turn.Match.Published() {
		return false
	}
	_, over := j.turn.After.Result()
	return over
}

// known is how many entries an observer may know by now. What stands before one that
// he may know is older than that, whatever the clock was when it was written.
func (j *adjudication) known(entries []record.Entry) int {
	if j.turn.Match.ObserverPolicy.Delay == 0 {
		return len(entries)
	}
	until := j.a.Now().Add(-j.turn.Match.ObserverPolicy.Delay)
	for n := len(entries); n > 0; n-- {
		if !entries[n-1].At.After(until) {
			return n
		}
	}
	return 0
}

// observerBounced takes a report that a letter to an observer did not arrive. If his
// address does not work he observes no longer. A report that does not bear the token
// of a letter to him ends nothing.
func (a *Adjudicator) observerBounced(ctx context.Context, l Letter) (Disposition, error) {
	if !l.Bounce.Hard || l.Genuine == nil {
		return Ignored, nil
	}
	m, err := a.lookUp(ctx, l.Token.Match)
	if err != nil || m == nil {
		return Ignored, err
	}
	for _, o := range m.Observers {
		if o.Number != l.Token.Observer || !l.Genuine(a.Replies.ObserverKey(o.Address)) {
			continue
		}
		a.Log.WarnContext(ctx, "an observer cannot be reached, and is written to no longer", "match", m.ID, "observer", o.Number, "why", l.Bounce.Reason)
		o.Ended = true
		if err := a.Store.Apply(ctx, Change{Match: m, Observers: []Observer{o}}); err != nil {
			return "", fmt.Errorf("let observer %d of %s go: %w", o.Number, m.ID, err)
		}
	}
	return Ignored, nil
}
