package contact

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	hour  = time.Hour
	day   = 24 * hour
	old   = "old@x.test"
	fresh = "new@x.test"
)

var noon = time.Date(1989, 6, 4, 12, 0, 0, 0, time.UTC)

// walk is a contact under way: a plain model beside it says what must hold.
type walk struct {
	t    *testing.T
	c    Contact
	now  time.Time
	told []string
	// asked is when the request was made, sure when the old address was asked or told;
	// yes and granted are what the two have said.
	asked, sure    time.Time
	open, operator bool
	yes, granted   bool
}

func (w *walk) step(name string) {
	w.t.Helper()
	before := w.c
	var e Event
	switch name {
	case "ask":
		e = ChangeRequest{To: fresh}
	case "proven":
		e = ChangeRequest{To: fresh, SenderIsAuthenticated: true}
	case "operator":
		e = OperatorChange{To: fresh}
	case "yes":
		e = NewAddressConsent{KnownSince: w.sure}
	case "grant":
		e = OldAddressConsent{}
	case "keep":
		e = KeepOldAddress{}
	case "2d", "4d", "8d":
		w.now = w.now.Add(map[string]time.Duration{"2d": 2 * day, "4d": 4 * day, "8d": 8 * day}[name])
		e = ObjectionTimeEnd{KnownSince: w.sure}
	}
	next, notices, err := Update(w.c, e, w.now)
	if err != nil && (!cmp.Equal(next, before) || len(notices) > 0) {
		w.t.Fatalf("%s: refused with %v, and something has changed", name, err)
	}
	w.model(name)
	w.c = next
	for _, n := range notices {
		w.told = append(w.told, fmt.Sprint(n.Kind, " ", n.To))
		if (n.Kind == NoticeMoved) != (before.Address != next.Address) {
			w.t.Fatalf("%s: notice %+v, from %s to %s", name, n, before.Address, next.Address)
		}
	}
	if moved := next.Address == fresh; moved != w.moves(name) && before.Address == old {
		w.t.Fatalf("%s: moved %v; %+v", name, moved, before.Request)
	}
}

// model says what has been said so far.
func (w *walk) model(name string) {
	if w.c.Address == fresh {
		return
	}
	if w.open && !w.operator && !w.yes && w.now.Sub(w.asked) > ConfirmDays*day {
		w.open = false
	}
	switch {
	case (name == "ask" || name == "proven") && !w.open && len(w.recent()) < maxRequests:
		w.open, w.operator, w.yes, w.granted, w.asked = true, false, false, name == "proven", w.now
		w.sure = w.now
	case name == "operator" && !(w.open && w.operator):
		w.open, w.operator, w.yes, w.granted, w.asked, w.sure = true, true, false, false, w.now, w.now
	case name == "yes" && w.open && !w.operator:
		w.yes = true
	case name == "grant" && w.open && !w.operator:
		w.granted = true
	case name == "keep":
		w.open = false
	}
}

func (w *walk) recent() []time.Time {
	return slices.DeleteFunc(slices.Clone(w.c.RequestTimes), func(t time.Time) bool { return w.now.Sub(t) > requestPeriod })
}

// moves reports whether the letters must go to the new address after an event: both
// have said so, or the new one has and three days are over, or the operator has asked
// three days ago.
func (w *walk) moves(name string) bool {
	if !w.open {
		return false
	}
	waited := !w.now.Before(w.sure.Add(ObjectionPeriod))
	looked := name == "yes" || strings.HasSuffix(name, "d")
	return !w.operator && w.yes && (w.granted || waited && looked) || w.operator && waited && looked && name != "yes"
}

// TestAllOrders walks every order of up to five events, and one of each sort.
func TestAllOrders(t *testing.T) {
	t.Parallel()
	events := []string{"ask", "proven", "operator", "yes", "grant", "keep", "2d", "4d", "8d"}
	n, moved := 0, 0
	var all func(w walk, done []string)
	all = func(w walk, done []string) {
		if len(done) == 5 {
			n++
			if w.c.Address == fresh {
				moved++
			}
			return
		}
		for _, e := range events {
			next, now := w, append(slices.Clone(done), e)
			next.c.RequestTimes, next.told = slices.Clip(w.c.RequestTimes), nil
			if next.step(e); t.Failed() {
				t.Fatalf("after %v", now)
			}
			all(next, now)
		}
	}
	all(walk{t: t, c: Contact{Address: old}, now: noon}, nil)
	if n != 9*9*9*9*9 || moved == 0 || moved == n {
		t.Errorf("%d orders, of which %d change the address", n, moved)
	}
}

// TestNotices: who is told what on the ways that there are.
func TestNotices(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]string{
		"ask":                     "0 new@x.test, 1 old@x.test",
		"proven":                  "0 new@x.test",
		"ask yes":                 "0 new@x.test, 1 old@x.test, 3 new@x.test",
		"ask yes yes":             "0 new@x.test, 1 old@x.test, 3 new@x.test, 3 new@x.test",
		"ask yes keep":            "0 new@x.test, 1 old@x.test, 3 new@x.test, 5 new@x.test",
		"ask keep":                "0 new@x.test, 1 old@x.test",
		"ask grant yes":           "0 new@x.test, 1 old@x.test, 6 old@x.test",
		"ask yes 4d":              "0 new@x.test, 1 old@x.test, 3 new@x.test, 6 old@x.test",
		"ask 4d yes":              "0 new@x.test, 1 old@x.test, 6 old@x.test",
		"operator":                "2 old@x.test",
		"operator 4d":             "2 old@x.test, 6 old@x.test",
		"operator yes grant keep": "2 old@x.test",
		"ask yes operator":        "0 new@x.test, 1 old@x.test, 3 new@x.test, 2 old@x.test",
	} {
		w := &walk{t: t, c: Contact{Address: old}, now: noon}
		for s := range strings.FieldsSeq(steps) {
			w.step(s)
		}
		if got := strings.Join(w.told, ", "); got != want {
			t.Errorf("%s: told %s, want %s", steps, got, want)
		}
	}
}

// TestRefused: what cannot be asked for.
func TestRefused(t *testing.T) {
	t.Parallel()
	asked := func(days ...int) Contact {
		c := Contact{Address: old}
		for _, d := range days {
			c.RequestTimes = append(c.RequestTimes, noon.Add(-time.Duration(d)*day))
		}
		return c
	}
	request := func(r Request) Contact { return Contact{Address: old, Request: &r} }
	for _, tt := range []struct {
		name string
		c    Contact
		e    Event
		want error
	}{
		{"the same", asked(), ChangeRequest{To: "OLD@x.test"}, ErrAlreadyRegistered},
		{"the same, by the operator", asked(), OperatorChange{To: old}, ErrAlreadyRegistered},
		{"three times", asked(6, 5, 4), ChangeRequest{To: fresh}, ErrTooManyRequests},
		{"three times, one long ago", asked(8, 5, 4), ChangeRequest{To: fresh}, nil},
		{"three times, then the operator", asked(6, 5, 4), OperatorChange{To: fresh}, nil},
		{"open", request(Request{To: fresh, RequestedAt: noon}), ChangeRequest{To: "b@x.test"}, ErrAlreadyAsked},
		{"expired", request(Request{To: fresh, RequestedAt: noon.Add(-8 * day)}), ChangeRequest{To: "b@x.test"}, nil},
		{"open for ever, once it has a date", request(Request{To: fresh, RequestedAt: noon.Add(-8 * day), NewAddressAgreed: true, Due: noon}), ChangeRequest{To: "b@x.test"}, ErrAlreadyAsked},
		{"the operator twice", request(Request{To: fresh, RequestedAt: noon, Due: noon.Add(ObjectionPeriod)}), OperatorChange{To: "New@x.test"}, ErrRequestRepeated},
		{"the operator has mistyped it", request(Request{To: "nwe@x.test", RequestedAt: noon, Due: noon.Add(ObjectionPeriod)}), OperatorChange{To: fresh}, nil},
		{"YES to nothing", asked(), NewAddressConsent{}, ErrNoRequest},
		{"YES to the operator's", request(Request{To: fresh, RequestedAt: noon, Due: noon.Add(ObjectionPeriod)}), NewAddressConsent{}, ErrNoRequest},
		{"the old one's YES to the operator's", request(Request{To: fresh, RequestedAt: noon, Due: noon.Add(ObjectionPeriod)}), OldAddressConsent{}, ErrNoRequest},
		{"YES too late", request(Request{To: fresh, RequestedAt: noon.Add(-8 * day)}), NewAddressConsent{}, ErrNoRequest},
		{"the old one's YES to nothing", asked(), OldAddressConsent{}, ErrNoRequest},
		{"KEEP of nothing", asked(), KeepOldAddress{}, ErrNoRequest},
		{"nothing is due", request(Request{To: fresh, RequestedAt: noon.Add(-4 * day)}), ObjectionTimeEnd{}, ErrNoRequest},
		{"it is due later", request(Request{To: fresh, NewAddressAgreed: true, Due: noon.Add(1)}), ObjectionTimeEnd{}, ErrNoRequest},
	} {
		next, notices, err := Update(tt.c, tt.e, noon)
		if !errors.Is(err, tt.want) || (err == nil) != (len(notices) > 0) || err != nil && !cmp.Equal(next, tt.c) {
			t.Errorf("%s: %v, %d notices", tt.name, err, len(notices))
		}
	}
}

// TestThreeDays: they count from when the old address can have known, whatever is known
// of that and when.
func TestThreeDays(t *testing.T) {
	t.Parallel()
	c, _, err := Update(Contact{Address: old}, ChangeRequest{To: fresh}, noon)
	if err != nil {
		t.Fatal(err)
	}
	// The notice waits to be sent when the new address says YES.
	c, _, err = Update(c, NewAddressConsent{KnownSince: noon.Add(day)}, noon.Add(day))
	if want := noon.Add(4 * day); err != nil || !c.Due().Equal(want) {
		t.Fatalf("due %s, want %s; %v", c.Due(), want, err)
	}
	// It was sent even later: that is told when it is by more than an hour.
	for _, late := range []time.Duration{hour, hour + time.Second} {
		next, notices, err := Update(c, ObjectionTimeEnd{KnownSince: noon.Add(day + late)}, noon.Add(4*day))
		if err != nil || !next.Due().Equal(noon.Add(4*day+late)) || (len(notices) == 1 && notices[0].Kind == NoticePostponed) != (late > hour) {
			t.Errorf("due %s, %+v, %v", next.Due(), notices, err)
		}
		if next, _, err = Update(next, ObjectionTimeEnd{KnownSince: noon.Add(day + late)}, next.Due()); err != nil || next.Address != fresh {
			t.Errorf("%+v, %v", next, err)
		}
	}
	// One that was asked when nobody had to be told begins with its YES.
	c = Contact{Address: old, Serial: 1, Request: &Request{To: fresh, Serial: 1, RequestedAt: noon}}
	next, notices, err := Update(c, NewAddressConsent{}, noon.Add(5*day))
	if err != nil || !next.Due().Equal(noon.Add(8*day)) || len(notices) != 2 || notices[0].Kind != NoticeAskOld || c.Request.NewAddressAgreed {
		t.Errorf("%+v, %+v, %v", next.Request, notices, err)
	}
}

// TestSetBack: what began at a time that is to come begins at once, with its own length;
// the rest stays.
func TestSetBack(t *testing.T) {
	t.Parallel()
	c := Contact{Address: old, RequestTimes: []time.Time{noon.Add(-day), noon.Add(day)}, Serial: 2,
		Request: &Request{To: fresh, RequestedAt: noon.Add(-hour), NoticeTime: noon.Add(day), NewAddressAgreed: true, Due: noon.Add(4 * day)}}
	was := *c.Request
	if got := c.NewestTime(); !got.Equal(noon.Add(day)) {
		t.Errorf("the newest is %s", got)
	}
	got := c.ClampTimes(noon)
	want := Contact{Address: old, RequestTimes: []time.Time{noon.Add(-day), noon}, Serial: 2,
		Request: &Request{To: fresh, RequestedAt: noon.Add(-hour), NoticeTime: noon, NewAddressAgreed: true, Due: noon.Add(3 * day)}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(was, *c.Request); d != "" || !c.RequestTimes[1].Equal(noon.Add(day)) {
		t.Errorf("what others may have has changed: %s", d)
	}
	if again := got.ClampTimes(noon); cmp.Diff(got, again) != "" || got.NewestTime().After(noon) {
		t.Errorf("%+v", again)
	}
}

// TestParse: letters can be sent to what is taken, and it is not ours.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"Ann@X.test": nil, "a.b+c@x.test": nil,
		"ann": ErrNoAddress, "a@b@c": ErrNoAddress, "Ann <ann@x.test>": ErrNoAddress, `"a b"@x.test`: ErrNoAddress, "\u0430nn@x.test": ErrNoAddress,
		"a@[127.0.0.1]": ErrNoAddress, "ann@" + strings.Repeat("x", 260): ErrNoAddress,
		"Referee@club.test": ErrOwnAddress, "referee+m-0-1@club.test": ErrOwnAddress,
	} {
		got, err := ParseAddress(text, "referee@club.test")
		if !errors.Is(err, want) || err == nil && got != strings.ToLower(text) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if SameAddress("K@x.test", "\u212a@x.test") {
		t.Error("a sign that folds to K is K")
	}
}
