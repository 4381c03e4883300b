package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
	"samizdat/templates"
)

// The director corrects matches: on the command line (Direct), or by mail from the one configured address. Package
// letter reads the orders.
//
// A letter of the director counts only if it answers the newest letter to the director about the match, whose
// token is in no other letter. An act is done only after YES to a letter that names the act, its reason and its
// effect. YES counts for this act only, while the match has not changed since. A letter without the newest
// token has no effect, and is answered to the director's address once a day for each match. The director sees public
// information only, and may not direct a match as its player.

// fromDirector handles letters of the director. Done is false if a letter neither has a token of the director nor
// asks for one.
func (a *Adjudicator) fromDirector(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error) {
	if a.Director == "" || !contact.Same(l.From, a.Director) {
		return "", false, nil
	}
	proven := l.Bears(a.Replies.DirectorKey()) && l.Token.Director
	var match string
	switch {
	case proven:
		match = l.Token.Match
		if was, twice, err := a.Store.Received(ctx, match, rules.NoSeat, l.ReceiptDigest(), ""); err != nil || twice {
			return was, true, err
		}
	case !l.TooLong():
		match = letter.DirectedMatch(l.Orders, l.Subject)
	}
	if match == "" || match == exchange.ClubName && a.Club != nil {
		return "", false, nil
	}
	if d, unproven, err := a.Replies.Unproven(ctx, l, a.Director); unproven || err != nil {
		return d, err == nil, err
	}
	d, err = takeDirector(ctx, a, l, match, proven)
	return d, true, err
}

// takeDirector handles a letter of the director about a match. Proven: it answers a letter of ours.
func takeDirector(ctx context.Context, a *Adjudicator, l exchange.Letter, match string, proven bool) (exchange.Disposition, error) {
	m, err := a.lookUp(ctx, match)
	switch {
	case err != nil:
		return "", err
	case m == nil:
		return refuseDirector(ctx, a, l, match, "There is no such match", fmt.Sprintf("There is no match %s. The subjects of its letters "+
			"name a match at their end, in brackets.", match))
	case m.HasPlayer(l.From):
		a.Log.WarnContext(ctx, "a letter of the director about a match that he plays in is refused", "match", m.ID, "uid", l.UID)
		return refuseDirector(ctx, a, l, match, "You play in this match", fmt.Sprintf("You play in match %s, and nobody directs a match "+
			"that he plays in. Nothing in your letter was done. Ask the operator, who can do it on the command line.", match))
	case !proven:
		return introduceDirector(ctx, a, l, m, a.Replies.Daily("director", match), "")
	case !a.Replies.IsAnswer(l, a.Replies.DirectorQuestion(match, m.Director.LastLetter)):
		return introduceDirector(ctx, a, l, m, l.ReceiptDigest(),
			"Your letter answered an older letter, or one that you have answered already, and nothing in it was done. Reply to this one.")
	}
	return direct(ctx, a, l, m)
}

// refuseDirector answers the director if the match cannot be directed, once a day.
func refuseDirector(ctx context.Context, a *Adjudicator, l exchange.Letter, match, title, text string) (exchange.Disposition, error) {
	return a.Replies.Once(ctx, l, a.Replies.Daily("no director", match, title), exchange.Refused,
		exchange.TextLetter(title, a.Replies.Note(text)))
}

// introduceDirector sends the director a letter that can be answered, with the last open question, once for each
// digest. It does not change the match.
func introduceDirector(ctx context.Context, a *Adjudicator, l exchange.Letter, m *match.Match, digest,
	why string) (exchange.Disposition, error) {
	x, err := newDirectorRun(ctx, a, m, l)
	if err != nil {
		return "", err
	}
	as := exchange.Done
	if why != "" {
		as, x.problems = exchange.Refused, append(x.problems, why)
	}
	if p := m.Director.Proposed; p != nil {
		x.stillAsked(p.Act)
	}
	x.whole = true
	d, err := x.dispatch(ctx)
	if err != nil {
		return "", err
	}
	return a.Replies.Once(ctx, l, digest, as, d)
}

// directorRun writes a letter to the director, usually the answer to a letter.
type directorRun struct {
	j *letterRun
	// lines and problems report the outcome of the director's letter.
	lines    []templates.Line
	problems []string
	// whole adds the public state of the match, help the possible orders. Last is the newest entry to show, -1 for
	// the newest of all.
	whole, help bool
	last        int
	// typed: the director uses the command line.
	typed bool
	// done: an act was carried out.
	done bool
}

func newDirectorRun(ctx context.Context, a *Adjudicator, m *match.Match, l exchange.Letter) (*directorRun, error) {
	j, err := a.newRun(ctx, m, rules.NoSeat, l)
	if err != nil {
		return nil, err
	}
	return &directorRun{j: j, last: -1}, nil
}

// direct carries out the director's answer to our newest letter.
func direct(ctx context.Context, a *Adjudicator, l exchange.Letter, m *match.Match) (exchange.Disposition, error) {
	x, err := newDirectorRun(ctx, a, m, l)
	if err != nil {
		return "", err
	}
	was, digest := m.Director, l.ReceiptDigest()
	c, err := x.read(ctx)
	if err != nil {
		return "", err
	}
	if !x.done && !a.Replies.MayAnswerTo(ctx, l, "director "+m.ID, a.Director) {
		return exchange.Ignored, nil // A loop with a mail robot at that address has to end.
	}
	if m.Director != was {
		c.Match = m
	} else if was.Proposed != nil {
		x.stillAsked(was.Proposed.Act)
	}
	c.Receipt = l.Receipt(digest, x.j.reply.disposition, a.Now())
	c.Receipt.Match = m.ID
	d, err := x.dispatch(ctx)
	if err != nil {
		return "", err
	}
	if a.Replies.Address(ctx, l, digest, &d) {
		c.Letters = append(c.Letters, d)
	}
	if err := a.Store.Apply(ctx, c); err != nil {
		return "", err
	}
	if x.done {
		a.Log.InfoContext(ctx, "the director has acted by mail", "match", m.ID, "act", string(was.Proposed.Act.Verb), "uid", l.UID)
	}
	return x.j.reply.disposition, nil
}

// read carries out the letter. The change has a match if an act was carried out.
func (x *directorRun) read(ctx context.Context) (c exchange.Change, err error) {
	l := x.j.letter
	switch other := otherMatch(x.j); {
	case l.Shared:
		// The other reader has seen the token, and could say YES in the director's name.
		x.next(nil)
		x.refuse("", "Your letter went to another address as well, whose reader has seen what it takes to answer in your name. Nothing in "+
			"it was done. Reply to this letter, to the referee alone.")
		return c, nil
	case l.TooLong():
		x.refuse("", "Your letter was too long, and nothing in it was done.")
		return c, nil
	case other != "":
		x.refuse("", fmt.Sprintf("Nothing in your letter was done. It went to the address of match %s, but its "+
			"subject names match %s.", x.j.turn.Match.ID, other))
		return c, nil
	}
	said := letter.ReadDirector(l.Orders, l.Name)
	x.whole, x.help, x.last = said.Status, said.Help, said.Entry
	for _, r := range said.Refused {
		x.refuse(r.Text, r.Why)
	}
	if why := x.whyUnfit(said); why != "" {
		for _, act := range said.Acts {
			x.refuse(act.String(), why)
		}
		if len(said.Acts) == 0 {
			x.refuse("", why)
		}
		return c, nil
	}
	also := alsoSaid(said.Doubts)
	switch {
	case len(said.Acts) == 1:
		return c, x.propose(ctx, said.Acts[0], also)
	case said.No:
		x.next(nil)
		x.line("NO", match.OutcomeDone, "Nothing is done.")
	case said.Yes:
		return x.confirm(ctx, also)
	}
	return c, nil
}

// whyUnfit returns the reason why the letter cannot be carried out; empty if it can.
func (x *directorRun) whyUnfit(said letter.Directed[match.DirectorAct]) string {
	asks := said.Status || said.Help || said.History
	switch {
	case len(said.Refused) > 0 && len(said.Acts) > 0:
		return "Not done, since a line of the letter was not understood."
	case len(said.Acts) > 0 && said.No:
		return "Not done, since your letter says NO as well."
	case len(said.Acts) > 1:
		return "A letter does one thing. Send them one by one, each in reply to our newest letter."
	case len(said.Refused) > 0 || len(said.Acts) > 0:
		return ""
	case said.Yes && said.No:
		return "Your letter says YES and NO. Nothing was done."
	case !said.Yes && !said.No && !asks && len(said.Doubts) > 0:
		x.help = true
		return "Nothing in your letter was understood, and nothing was done. An act stands on a line of its own." + alsoSaid(said.Doubts)
	case !said.Yes && !said.No && !asks:
		x.help = true
		return "Nothing was asked for in your letter."
	}
	return ""
}

// alsoSaid quotes the lines that were not understood.
func alsoSaid(doubts []string) string {
	if len(doubts) == 0 {
		return ""
	}
	return " " + letter.AlsoSays(doubts)
}

// next makes the new letter the only one that counts, with the act that it asks about.
func (x *directorRun) next(p *match.Directive) {
	x.j.turn.Match.Director = match.DirectorState{LastLetter: x.j.turn.Match.Director.LastLetter + 1, Proposed: p}
}

func (x *directorRun) propose(ctx context.Context, act match.DirectorAct, doubt string) error {
	d, err := findDirectorAction(ctx, x.j, act)
	if why := (*Undirected)(nil); errors.As(err, &why) {
		x.refuse(act.String(), why.Error())
		return nil
	} else if err != nil {
		return err
	}
	x.next(&match.Directive{Act: act, Entries: x.j.turn.Match.Entries, AskedAt: x.j.a.Now()})
	x.asks(act, strings.TrimSpace(doubt+" "+d.effect))
	x.j.reply.disposition = exchange.Refused
	return nil
}

func (x *directorRun) asks(act match.DirectorAct, effect string) {
	switch {
	case act.Verb == match.DirectorCancel:
		effect += " They are told your reason: " + act.Why
	case act.Why != "":
		effect += " The players are told your reason, and the record keeps it: " + act.Why
	}
	x.noted(act, match.OutcomeAsked, effect+"\nIf you mean this, reply to this letter with YES.")
}

// confirm handles YES: it carries out the act, if the match has not changed since the question.
func (x *directorRun) confirm(ctx context.Context, doubt string) (c exchange.Change, err error) {
	p := x.j.turn.Match.Director.Proposed
	if p == nil {
		x.refuse("YES", "There is nothing that YES answers.")
		return c, nil
	}
	switch {
	case doubt != "":
		return c, x.propose(ctx, p.Act, doubt)
	case p.Entries != x.j.turn.Match.Entries:
		return c, x.propose(ctx, p.Act, " The match has gone on since you were asked, so you are asked again.")
	case !conversation.IsOpen(p.AskedAt, x.j.a.Now()):
		return c, x.propose(ctx, p.Act, fmt.Sprintf(" You were asked more than %d days ago, so you are asked again.", conversation.Days))
	}
	d, err := findDirectorAction(ctx, x.j, p.Act)
	if why := (*Undirected)(nil); errors.As(err, &why) {
		x.next(nil)
		x.refuse(p.Act.String(), why.Error())
		return c, nil
	} else if err != nil {
		return c, err
	}
	x.next(nil)
	x.done = true
	x.noted(p.Act, match.OutcomeDone, "It is done, and those concerned are told.")
	return d.carryOut(ctx)
}

// stillAsked repeats the act to which YES to this letter applies too.
func (x *directorRun) stillAsked(act match.DirectorAct) {
	x.noted(act, match.OutcomeAsked, "You were asked whether you mean this. If you do, reply with YES.")
}

// noted reports the outcome of an act. The text of TELL is in the letter already.
func (x *directorRun) noted(act match.DirectorAct, came match.Outcome, note string) {
	text := act.String()
	if act.Verb == match.DirectorTell {
		text = string(match.DirectorTell)
	}
	x.line(text, came, note)
}

func (x *directorRun) line(text string, came match.Outcome, note string) {
	x.lines = append(x.lines, conversation.Line(text, came, note))
}

func (x *directorRun) refuse(text, why string) {
	x.j.reply.disposition = exchange.Refused
	if text == "" {
		x.problems = append(x.problems, why)
		return
	}
	x.line(text, match.OutcomeRefused, why)
}

// Direct carries out an act of the director for the operator, and returns its effect in words. If do is false, it
// returns only the effect. The error is an *Undirected if the match does not allow the act.
func (a *Adjudicator) Direct(ctx context.Context, match string, act match.DirectorAct, do bool) (effect string, err error) {
	err = a.retryOnConflict(ctx, "match "+match, func() error {
		m, err := a.Store.Match(ctx, match)
		if err != nil {
			return err
		}
		j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
		if err != nil {
			return err
		}
		d, err := findDirectorAction(ctx, j, act)
		if err != nil {
			return err
		}
		if effect = d.effect; !do {
			return nil
		}
		m.Director.Proposed = nil // The director was asked by mail before this act.
		c, err := d.carryOut(ctx)
		if err != nil {
			return err
		}
		return a.Store.Apply(ctx, c)
	})
	if err != nil {
		return "", fmt.Errorf("match %s: %w", match, err)
	}
	return effect, nil
}
