package adjudicator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"samizdat/rules"
)

// addressLine is an order about the player's address: a line of its own.
var addressLine = regexp.MustCompile(`(?i)^\s*ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY|YES)|(ALSO\s+)?(\S+@\S+?))?\s*[.!;]?\s*$`)

// addresses carries out the orders about the player's address. They are his own
// affair and leave the match as it is.
func (s *session) addresses(ctx context.Context, row string) bool {
	m := addressLine.FindStringSubmatch(row)
	if m == nil {
		return false
	}
	row = strings.TrimSpace(row)
	x := &s.m.Seats[s.seat].Addresses
	switch word := strings.ToUpper(m[1]); {
	case (word == "KEEP" || word == "YES") && x.open(s.a.Now()) == nil:
		s.report(row, fateDone, "Nothing is asked for, and nothing changes.")
	case word == "KEEP":
		s.keepAddress(ctx, row, "")
	case word == "YES":
		s.report(row, fateRefused, "That counts only in reply to the letter that asks for it, from the address that it came to. "+s.addressStands())
	case word == "ONLY":
		s.onlyAddress(ctx, row)
	case m[3] == "":
		s.report(row, fateDone, s.addressStands())
	default:
		s.askAddress(ctx, row, m[3], m[2] != "")
	}
	return true
}

// addressStands says where letters go.
func (s *session) addressStands() string {
	seat := &s.m.Seats[s.seat]
	out := "Your letters go to " + seat.Address + "."
	switch x := &seat.Addresses; {
	case x.Astray && x.Second != "":
		out = fmt.Sprintf("Letters to %s did not arrive, so they go to %s until you write from the first.", seat.Address, x.Second)
	case x.Second != "":
		out += " Orders count from " + x.Second + " too."
	}
	r := seat.Addresses.open(s.a.Now())
	if r == nil {
		return out
	}
	switch {
	case !r.Due.IsZero():
		out += " From " + clockTime(r.Due) + " on " + r.effect() + "; ADDRESS KEEP prevents that."
	case r.Granted || r.Noticed.IsZero():
		out += fmt.Sprintf(" %s has been asked and has not answered; ADDRESS KEEP ends that.", r.To)
	default:
		out += fmt.Sprintf(" %s has been asked and has not answered, and you have not said YES in reply to the letter to %s; ADDRESS KEEP ends that.",
			r.To, strings.Join(r.Told, " and "))
	}
	return out
}

// effect says what a request leads to.
func (r *AddressRequest) effect() string {
	if r.Also {
		return "your orders count from " + r.To + " too"
	}
	return "your letters go to " + r.To
}

// askAddress asks an address whether letters may come there, and those that the
// player has whether he wants it.
func (s *session) askAddress(ctx context.Context, row, to string, also bool) {
	seat := &s.m.Seats[s.seat]
	was := seat.Addresses
	r, err := s.a.ask(seat, to, also)
	if err != nil {
		s.report(row, fateRefused, sentence(err))
		return
	}
	d := s.a.addressQuestion(s.m, s.seat, r)
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		seat.Addresses = was
		s.report(row, fateRefused, "No letter can be sent to that address.")
		return
	}
	const unasked = " If it was not you who asked, write ADDRESS KEEP and NEW TOKEN."
	// A letter that is proven is the player's, and a YES from an address that he has
	// is his as well.
	if s.letter.Proven != nil || seat.registered(r.To) {
		r.Granted = s.letter.Proven != nil
		s.notices = append(s.notices, d)
		s.report(row, fateDone, fmt.Sprintf("A letter has gone to %s. When it is answered from there with YES, %s. Until then, for %d days at most, "+
			"nothing changes.", r.To, r.effect(), addressDays)+unasked)
		s.noteOthers(ctx, "Another address is asked", askedText(s.a.Post.Mark(), s.m.ID, r))
		return
	}
	notices, err := s.a.giveNotice(ctx, s.m, s.seat, r)
	if err != nil {
		seat.Addresses = was
		s.report(row, fateRefused, "No letter can be sent to the address that you have, to ask whether it is you.")
		return
	}
	s.notices = append(append(s.notices, d), notices...)
	mine, both := seat.owners(r), "both"
	if len(mine) > 1 {
		both = "the first and one of the others"
	}
	s.report(row, fateDone, fmt.Sprintf("Letters have gone to %s and to %s. With YES from %s, %s at once; with YES from %s alone, on %s or later. "+
		"Until then nothing changes. The question is good for %d days.",
		r.To, strings.Join(mine, " and "), both, r.effect(), r.To, clockTime(r.Noticed.Add(addressNotice)), addressDays)+unasked)
}

// keepAddress ends a request. Row is the line that does, more is what else there is to
// say.
func (s *session) keepAddress(ctx context.Context, row, more string) {
	seat, text := &s.m.Seats[s.seat], keptText(s.a.Post.Mark(), s.m.ID)
	r := seat.Addresses.Request
	seat.Addresses.Request = nil
	s.report(row, fateDone, "The change that was asked for is off. "+s.addressStands()+more)
	s.noteOthers(ctx, keptTitle, text)
	if r.Yes && !seat.registered(r.To) {
		s.note(ctx, r.To, keptTitle, text, "") // It was told when letters would come.
	}
}

// onlyAddress drops the second address.
func (s *session) onlyAddress(ctx context.Context, row string) {
	seat := &s.m.Seats[s.seat]
	x := &seat.Addresses
	switch {
	case x.Second == "":
		s.report(row, fateDone, "You have no second address. "+s.addressStands())
		return
	case x.Astray:
		s.report(row, fateRefused, "Letters would reach you nowhere any more. "+s.addressStands()+" ADDRESS "+x.Second+" makes it the only one.")
		return
	}
	second := x.Second
	// Letters that came there have tokens.
	if err := s.a.renew(seat); err != nil {
		s.a.Log.ErrorContext(ctx, "no new token could be made", "match", s.m.ID, "error", err)
		s.report(row, fateRefused, "Samizdat failed over it. Please try again.")
		return
	}
	s.note(ctx, second, "This is no address of yours any more", droppedText(s.a.Post.Mark(), s.m.ID), "")
	x.Second, x.Good = "", seat.Letters
	x.Dropped, x.DroppedAt = second, s.a.Now().UTC().Truncate(time.Second)
	s.report(row, fateDone, second+" is dropped. "+s.addressStands()+" The address that you answer to has changed: older letters can no longer be answered.")
}

// noteOthers writes a short letter to the addresses of the seat that its answer does
// not go to.
func (s *session) noteOthers(ctx context.Context, title, text string) {
	seat := &s.m.Seats[s.seat]
	for _, to := range []string{seat.Address, seat.Addresses.Second} {
		r := seat.Addresses.Request
		if r != nil && sameAddress(to, r.To) {
			continue // It has the question.
		}
		if to != "" && !sameAddress(to, seat.Mailbox()) {
			s.note(ctx, to, title, text, s.a.Post.ReplyTo(seat.Key, s.m.ID, s.seat, noLetter))
		}
	}
}

// note writes a short letter beside the letters of the match. It may be that none can
// be sent to an address, and that must stop nothing.
func (s *session) note(ctx context.Context, to, title, text, replyTo string) {
	d := s.a.addressNote(s.m, s.seat, to, title, text, replyTo, len(s.notices))
	var err error
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		s.a.Log.WarnContext(ctx, "an address cannot be told", "match", s.m.ID, "seat", int(s.seat), "error", err)
		return
	}
	s.notices = append(s.notices, d)
}

// addressNote begins such a letter.
func (a *Adjudicator) addressNote(m *Match, seat rules.Seat, to, title, text, replyTo string, n int) Dispatch {
	id := a.shortID("address", m.ID, fmt.Sprint(seat), to, title, text, fmt.Sprint(m.Seats[seat].Letters, m.Seats[seat].Addresses.Serial, n))
	return Dispatch{
		Match: m.ID, Seat: rules.Nobody, To: to, ReplyTo: replyTo, Subject: subject(m, "", strings.ToLower(title[:1])+title[1:]),
		MessageID: id, Date: a.Now(), Body: text,
	}
}

// shortID is the Message-ID of a short letter, made of what tells it apart from others.
// Its reader knows much of that and could find the rest by trial, such as how many
// letters a seat has had, if no key of ours went into it.
func (a *Adjudicator) shortID(sort string, parts ...string) string {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "letter id\x00%q %q", sort, parts)
	return sort + "-" + hex.EncodeToString(h.Sum(nil)[:12]) + "@" + a.Post.Domain()
}

// addressQuestion asks the address of a request.
func (a *Adjudicator) addressQuestion(m *Match, seat rules.Seat, r *AddressRequest) Dispatch {
	return a.addressNote(m, seat, r.To, "Is this your address?", addressQuestionText(a.Post.Mark(), m.ID, r),
		a.Post.ReplyTo(a.requestKey(m.ID, seat, r), m.ID, seat, r.Serial), 0)
}
