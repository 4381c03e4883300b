package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
)

const (
	// addressDays is for how many days a new address can say YES.
	addressDays = 7
	// addressNotice is how long the old address may object to a change that the
	// operator asks for.
	addressNotice = 3 * 24 * time.Hour
	// mostRequests is how many changes may be asked for a seat in requestSpan: each
	// is a letter to an address that somebody else may read.
	mostRequests = 3
	requestSpan  = 7 * 24 * time.Hour
	// longestAddress is what a mail server takes (RFC 5321, section 4.5.3.1.3).
	longestAddress = 254
	// noLetter is the number in the tokens of short letters: reports that they did not
	// arrive say nothing of the letters of the match.
	noLetter = 0
)

// Addresses is what there is about a player's mail beside his address. No other
// player is told of it.
type Addresses struct {
	// Second is another address whose letters count; empty when there is none.
	Second string `json:"-"`
	// Astray means that letters to the address do not arrive and go to Second.
	Astray bool `json:"astray,omitempty"`
	// Good is the number of the last letter whose reports say nothing any more,
	// since letters go elsewhere or the player was heard of.
	Good int64 `json:"good,omitempty"`
	// Asked are the times of the newest requests, Serial counts all of them.
	Asked  []time.Time `json:"asked,omitempty"`
	Serial int64       `json:"serial,omitempty"`
	// Request is what was asked for and is not settled; nil when nothing is. What it
	// points to is never changed.
	Request *AddressRequest `json:"request,omitempty"`
}

// AddressRequest is a change of address that was asked for.
type AddressRequest struct {
	To string `json:"to"`
	// Also means that it is to be a second address.
	Also bool `json:"also,omitempty"`
	// Serial numbers the requests of a seat.
	Serial int64     `json:"serial"`
	At     time.Time `json:"at"`
	// Due is when a request of the operator takes effect; zero for one of the player,
	// which waits for the new address.
	Due time.Time `json:"due,omitzero"`
}

// Mailbox is the address that a seat's letters go to.
func (s *Seat) Mailbox() string {
	if s.Addresses.Astray && s.Addresses.Second != "" {
		return s.Addresses.Second
	}
	return s.Address
}

// registered reports whether letters from an address count for a seat.
func (s *Seat) registered(address string) bool {
	return sameAddress(s.Address, address) || s.Addresses.Second != "" && sameAddress(s.Addresses.Second, address)
}

// due is when a request takes effect by itself; zero when none does.
func (x *Addresses) due() time.Time {
	if x.Request == nil {
		return time.Time{}
	}
	return x.Request.Due
}

// ripe reports whether a request is to take effect by itself now.
func (x *Addresses) ripe(now time.Time) bool { return !x.due().IsZero() && !x.due().After(now) }

// open is the request that is not settled, unless it has expired.
func (x *Addresses) open(now time.Time) *AddressRequest {
	r := x.Request
	if r != nil && r.Due.IsZero() && now.Sub(r.At) > addressDays*24*time.Hour {
		return nil
	}
	return r
}

// The reasons why no change of address can be asked for.
var (
	errAddress      = errors.New("that is not a mail address")
	errOwnAddress   = errors.New("that is the referee's address")
	errSameAddress  = errors.New("that address is registered already")
	errAddressAsked = errors.New("a change of address is asked for already; ADDRESS KEEP ends it")
	errAddressOften = fmt.Errorf("a change of address can be asked for %d times in a week", mostRequests)
)

// ask opens a request. Whether another player has the address is not looked at: the
// answer would tell.
func (a *Adjudicator) ask(s *Seat, to string, also bool) (*AddressRequest, error) {
	now := a.Now().UTC().Truncate(time.Second)
	to, err := a.plainAddress(to)
	switch {
	case err != nil:
		return nil, err
	case sameAddress(to, s.Address), also && sameAddress(to, s.Addresses.Second):
		return nil, errSameAddress
	case s.Addresses.open(now) != nil:
		return nil, errAddressAsked
	}
	x := &s.Addresses
	x.Asked = slices.DeleteFunc(slices.Clone(x.Asked), func(t time.Time) bool { return now.Sub(t) > requestSpan })
	if len(x.Asked) >= mostRequests {
		return nil, errAddressOften
	}
	x.Asked = append(x.Asked, now)
	x.Serial++
	x.Request = &AddressRequest{To: to, Also: also, Serial: x.Serial, At: now}
	return x.Request, nil
}

// plainAddress reads an address that letters can be sent to: ASCII without quotes.
func (a *Adjudicator) plainAddress(text string) (string, error) {
	p, err := mail.ParseAddress(text)
	if err != nil || p.Name != "" || len(p.Address) > longestAddress || strings.ContainsFunc(p.Address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"\<>()[]:;,`, r)
	}) {
		return "", errAddress
	}
	to := lowerASCII(p.Address)
	local, domain, _ := strings.Cut(to, "@")
	local, _, _ = strings.Cut(local, "+")
	if sameAddress(local+"@"+domain, a.Post.Referee()) {
		return "", errOwnAddress
	}
	return to, nil
}

// requestKey is the key of the token in the letter that asks a new address. It is
// another one for every request, so that no answer counts twice.
func (a *Adjudicator) requestKey(match string, seat rules.Seat, r *AddressRequest) []byte {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "address\x00%s\x00%d\x00%d\x00%t\x00%s", match, seat, r.Serial, r.Also, r.To)
	return h.Sum(nil)
}

// addressLine is an order about the player's address: a line of its own.
var addressLine = regexp.MustCompile(`(?i)^\s*ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY)|(ALSO\s+)?(\S+@\S+?))?\s*[.!;]?\s*$`)

// addresses carries out the orders about the player's address. They are his own
// affair and leave the match as it is.
func (s *session) addresses(row string) bool {
	m := addressLine.FindStringSubmatch(row)
	if m == nil {
		return false
	}
	row = strings.TrimSpace(row)
	x := &s.m.Seats[s.seat].Addresses
	switch {
	case strings.EqualFold(m[1], "KEEP"):
		if x.open(s.a.Now()) == nil {
			s.report(row, fateDone, "Nothing is asked for, and nothing changes.")
			return true
		}
		x.Request = nil
		s.report(row, fateDone, "The change that was asked for is off. "+s.addressStands())
		s.noteOthers("Nothing changes", keptText(s.a.Post.Mark(), s.m.ID))
	case strings.EqualFold(m[1], "ONLY"):
		s.onlyAddress(row)
	case m[3] == "":
		s.report(row, fateDone, s.addressStands())
	default:
		s.askAddress(row, m[3], m[2] != "")
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
	switch r := seat.Addresses.open(s.a.Now()); {
	case r == nil:
	case !r.Due.IsZero():
		out += fmt.Sprintf(" From %s they go to %s; ADDRESS KEEP prevents that.", clockTime(r.Due), r.To)
	default:
		out += fmt.Sprintf(" %s has been asked and has not answered; ADDRESS KEEP ends that.", r.To)
	}
	return out
}

// askAddress asks an address whether letters may come there.
func (s *session) askAddress(row, to string, also bool) {
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
	s.notices = append(s.notices, d)
	what := "your letters go there"
	if also {
		what = "your orders count from there too"
	}
	s.report(row, fateDone, fmt.Sprintf("A letter has gone to %s. When it is answered from there with YES, %s. Until then, for %d days at most, "+
		"nothing changes. If it was not you who asked, write ADDRESS KEEP and NEW TOKEN.", r.To, what, addressDays))
	s.noteOthers("Another address is asked", askedText(s.a.Post.Mark(), s.m.ID, r))
}

// onlyAddress drops the second address.
func (s *session) onlyAddress(row string) {
	seat := &s.m.Seats[s.seat]
	second := seat.Addresses.Second
	if second == "" {
		s.report(row, fateDone, "You have no second address. "+s.addressStands())
		return
	}
	s.noteOthers("This is no address of yours any more", droppedText(s.a.Post.Mark(), s.m.ID))
	seat.Addresses.Second, seat.Addresses.Astray, seat.Addresses.Good = "", false, seat.Letters
	s.report(row, fateDone, second+" is dropped. "+s.addressStands())
}

// noteOthers writes a short letter to the addresses of the seat that its answer does
// not go to.
func (s *session) noteOthers(title, text string) {
	seat := &s.m.Seats[s.seat]
	for _, to := range []string{seat.Address, seat.Addresses.Second} {
		r := seat.Addresses.Request
		if r != nil && sameAddress(to, r.To) {
			continue // It has the question.
		}
		if to != "" && !sameAddress(to, seat.Mailbox()) {
			s.note(to, title, text, s.a.Post.ReplyTo(seat.Key, s.m.ID, s.seat, noLetter))
		}
	}
}

// note writes a short letter beside the letters of the match. It may be that none can
// be sent to an address, and that must stop nothing.
func (s *session) note(to, title, text, replyTo string) {
	d := s.a.addressNote(s.m, s.seat, to, title, text, replyTo, len(s.notices))
	var err error
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		s.a.Log.WarnContext(s.ctx, "an address cannot be told", "match", s.m.ID, "seat", int(s.seat), "error", err)
		return
	}
	s.notices = append(s.notices, d)
}

// addressNote begins such a letter.
func (a *Adjudicator) addressNote(m *Match, seat rules.Seat, to, title, text, replyTo string, n int) Dispatch {
	id := digestOf("address", m.ID, fmt.Sprint(seat), to, title, fmt.Sprint(m.Seats[seat].Letters, m.Seats[seat].Addresses.Serial, n))
	return Dispatch{
		Match: m.ID, Seat: rules.Nobody, To: to, ReplyTo: replyTo, Subject: subject(m, "", strings.ToLower(title[:1])+title[1:]),
		MessageID: "address-" + id[:24] + "@" + a.Post.Domain(), Date: a.Now(), Body: text,
	}
}

// addressQuestion asks the address of a request.
func (a *Adjudicator) addressQuestion(m *Match, seat rules.Seat, r *AddressRequest) Dispatch {
	return a.addressNote(m, seat, r.To, "Is this your address?", addressQuestionText(a.Post.Mark(), m.ID, r),
		a.Post.ReplyTo(a.requestKey(m.ID, seat, r), m.ID, seat, r.Serial), 0)
}
