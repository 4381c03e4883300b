package adjudicator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strings"

	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
	"samizdat/templates"
)

// Club takes the letters of a club whose members play here. What it needs of the adjudicator
// are the methods of this file.
type Club interface {
	// Receive takes a letter that no seat's player has proved to have written, and reports
	// whether it is one to the club. It stores what the letter leads to in one transaction,
	// and may be asked again with the same letter.
	Receive(ctx context.Context, l Letter) (d Disposition, done bool, err error)
	// Newcomer takes a letter of somebody who is nobody here and has said nothing that is understood,
	// such as "Hello, I would like to join".
	Newcomer(ctx context.Context, l Letter) (Disposition, error)
	// Key is the key of the tokens in letters to a member, and his address; nil where there is
	// none of that number.
	Key(ctx context.Context, member int64) (key []byte, address string, err error)
}

// toClub takes the letters to the club, where there is one.
func (a *Adjudicator) toClub(ctx context.Context, l Letter) (Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, l)
}

// knowsMember reports whether a token is genuine, of a member at an address.
func (a *Adjudicator) knowsMember(ctx context.Context, t Token, genuine func(key []byte) bool, address string) (bool, error) {
	if a.Club == nil || t.Member == 0 {
		return false, nil
	}
	key, is, err := a.Club.Key(ctx, t.Member)
	return err == nil && key != nil && contact.Same(is, address) && genuine(key), err
}

// KeyOf derives a key for tokens from the store's secret. What is it for keeps it apart from
// all others.
func (a *Adjudicator) KeyOf(what string, parts ...string) []byte {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "%s\x00%q", what, parts)
	return h.Sum(nil)
}

// DirectorKey is the key of the tokens in letters to the director.
func (a *Adjudicator) DirectorKey() []byte { return a.directorKey() }

// Twice reports whether a letter of no seat was taken up already, and what became of it.
// Whose says to whom its receipt belongs.
func (a *Adjudicator) Twice(ctx context.Context, whose string, l Letter) (Disposition, bool, error) {
	return a.Store.Received(ctx, whose, rules.Nobody, l.digest(), "")
}

// ReceiptOf is the receipt of a letter of no seat. Its bytes are not kept.
func (a *Adjudicator) ReceiptOf(whose string, l Letter, d Disposition) *Receipt {
	l.Raw = nil
	r := l.receipt(l.digest(), d, a.Now())
	if r.Match = whose; whose == "" {
		r.MessageID = "" // Nobody could find it again to forget whose it was.
	}
	return r
}

// SomeADay answers a letter whose sender has proved nothing: of each sort at most so many a day. The
// dispatch has its subject, text and token.
func (a *Adjudicator) SomeADay(ctx context.Context, l Letter, most int, sort string, as Disposition, d Dispatch, c Change) (Disposition, error) {
	digest, may, err := a.fewADay(ctx, l, l.From, most, sort)
	if err != nil || !may {
		return Ignored, err
	}
	d.Body += a.foot()
	if !a.mayAnswer(ctx, "address "+contact.Mailbox(l.From)) || !a.answering(ctx, l, digest, &d) {
		return Ignored, nil
	}
	l.Raw, l.MessageID = nil, "" // As in fixed, and as in ReceiptOf.
	c.Receipt, c.Letters = l.receipt(digest, as, a.Now()), append(c.Letters, d)
	return as, a.Store.Apply(ctx, c)
}

// MayAnswer reports whether somebody whose letter did nothing is to be answered, and counts it.
func (a *Adjudicator) MayAnswer(ctx context.Context, who string) bool { return a.mayAnswer(ctx, who) }

// MayAnswerTo is MayAnswer for somebody whose address is known: he reads once a day that he is not answered.
func (a *Adjudicator) MayAnswerTo(ctx context.Context, l Letter, who, to string) bool {
	return a.mayAnswerTo(ctx, l, who, to)
}

// Proves reports whether a letter has the proof that is demanded beside the token. One that has
// not is answered, if at all, and done with.
func (a *Adjudicator) Proves(ctx context.Context, l Letter, to string) (is bool, d Disposition, err error) {
	if is, err = a.proven(ctx, l); err != nil || is {
		return is, "", err
	}
	d, err = a.unproven(ctx, l, to)
	return false, d, err
}

// Write renders a letter of no match, with the page that says the same. Each of the orders that
// its text offers is a link there.
func (a *Adjudicator) Write(d *Dispatch, pages bool, offers ...string) (err error) {
	d.Seat, d.Date, d.Body = rules.Nobody, a.Now(), d.Body+a.foot()
	if d.Token != "" && pages {
		d.HTML = a.page(*d, offers...)
	}
	d.Raw, err = a.Post.Render(*d)
	return err
}

// Note lays a short text out below the mark that stands above everything that we write: a
// paragraph a line.
func (a *Adjudicator) Note(paragraphs ...string) string { return note(a.Post.Mark(), paragraphs...) }

// Page is a text as a page, where pages are sent.
func (a *Adjudicator) Page(d Dispatch, offers ...string) string { return a.page(d, offers...) }

// ReplyTo is where an answer to a letter with a token goes.
func (a *Adjudicator) ReplyTo(d Dispatch) templates.Reply {
	to, subject := a.Post.Answer(d)
	return templates.Reply{To: to, Subject: subject}
}

// AnswerID is the Message-ID of the answer to a letter of no seat.
func (a *Adjudicator) AnswerID(l Letter) string { return a.shortID("answer", l.digest()) }

// Vacations says which vacations of a player are planned, and how many days he has left.
func (a *Adjudicator) Vacations(p *Player) string {
	return strings.TrimSpace(p.planned(a.Now()) + p.budget(a.Now(), a.VacationDays))
}
