package club

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
)

// NoticeKind is a kind of notice to web hooks.
type NoticeKind string

// The kinds.
const (
	ToMove           NoticeKind = "to-move"
	MatchOver        NoticeKind = "over"
	OfferMade        NoticeKind = "offer"
	RoundBegins      NoticeKind = "round"
	ClubAnnouncement NoticeKind = "announcement"
	// ConfirmCode is the notice with the code that confirms a hook. A hook cannot choose this kind.
	ConfirmCode NoticeKind = "code"
)

// noticeKinds are the kinds that a hook may choose.
var noticeKinds = []NoticeKind{ToMove, MatchOver, OfferMade, RoundBegins, ClubAnnouncement}

// Notice is a message to web hooks. It holds only public facts: no hand of cards, token or address.
type Notice struct {
	Kind  NoticeKind `json:"kind"`
	Match string     `json:"match,omitempty"`
	Game  string     `json:"game,omitempty"`
	Text  string     `json:"text"`
	At    time.Time  `json:"at"`
	// Link is the URL of the public page of the match, or of the club. It is added when the notice is sent.
	Link string `json:"link,omitempty"`
	// The hooks of the players in Seats, and of the members with the numbers in Members, get the notice.
	Seats   rules.Seats `json:"-"`
	Members []int64     `json:"-"`
	// ToAllMembers is set if the hooks of all members get the notice, ToOperator if the operator's hooks get it.
	ToAllMembers bool `json:"-"`
	ToOperator   bool `json:"-"`
}

// HookFormat is the format of a notice, i.e. of the body of the HTTP request.
type HookFormat string

// hookHosts maps each format to a part of a host name. If the member names no format, the host decides: for a host that
// contains "discord", e.g. discord.com, the format is "discord".
var hookHosts = map[HookFormat]string{"json": "", "text": "", "discord": "discord", "slack": "slack", "matrix": "matrix", "ntfy": "ntfy"}

// Hook is a web hook: an address that gets notices by HTTP POST.
type Hook struct {
	// ID is the number of the member, or -1, -2, ... for the hooks of the operator.
	ID     int64        `json:"-"`
	URL    string       `json:"url"`
	Format HookFormat   `json:"format"`
	Kinds  []NoticeKind `json:"-"`
	// Match limits a hook of the operator to a match.
	Match string `json:"-"`
	// Code confirms the hook; empty once it is confirmed. AskedAt is the time at which the member named the URL.
	Code    string    `json:"code,omitempty"`
	AskedAt time.Time `json:"asked,omitzero"`
	State   HookState `json:"-"`
	// FailingSince is the time of the first failure after the last success; zero after a success. Attempts counts the
	// failures since the last success.
	FailingSince time.Time `json:"-"`
	Attempts     int       `json:"-"`
}

// HookState is the state of a hook.
type HookState string

// The states. First the code is due, then it is sent to the hook, then the member confirms the hook with the code.
const (
	HookCodeDue   HookState = "asking"
	HookCodeSent  HookState = "asked"
	HookConfirmed HookState = "confirmed"
)

// HookConfig is a hook in the operator's configuration.
type HookConfig struct {
	URL    string `mapstructure:"url"`
	Format string `mapstructure:"format"`
	// On lists kinds, e.g. "to-move, over"; empty for all.
	On    string `mapstructure:"on"`
	Match string `mapstructure:"match"`
}

// Hook returns the operator's hook that c configures. number is the index of c in Config.Hooks.
func (c HookConfig) Hook(number int) (h Hook, err error) {
	h, err = NewHook(c.URL, c.Format, c.On, true)
	h.ID, h.Match, h.State = -1-int64(number), c.Match, HookConfirmed
	return h, err
}

const maxHookURLLength = 500

// NewHook returns a hook, or an error if an argument is invalid. on lists the kinds of notices; empty for all. If
// allowHTTP is set, the hook may be without TLS.
func NewHook(address, format, on string, allowHTTP bool) (h Hook, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || len(address) > maxHookURLLength ||
		u.Scheme != "https" && (u.Scheme != "http" || !allowHTTP) {
		return h, fmt.Errorf("%q is not the address of a web hook, such as https://ntfy.example/ada", address)
	}
	h = Hook{URL: address, Format: HookFormat(strings.ToLower(format))}
	if format == "" {
		h.Format = "json"
		for f, part := range hookHosts {
			if part != "" && strings.Contains(u.Hostname(), part) {
				h.Format = f
			}
		}
	}
	if _, ok := hookHosts[h.Format]; !ok {
		return h, fmt.Errorf("%q is not a format of notices: use json, discord, slack, matrix, ntfy or text", format)
	}
	h.Kinds = noticeKinds
	if names := strings.FieldsFunc(strings.ToLower(on), func(r rune) bool { return r == ',' || r == ' ' }); len(names) > 0 {
		h.Kinds = nil
		for _, name := range names {
			if !slices.Contains(noticeKinds, NoticeKind(name)) {
				return h, fmt.Errorf("%q is not a kind of notice: use to-move, over, offer, round or announcement", name)
			}
			h.Kinds = append(h.Kinds, NoticeKind(name))
		}
	}
	return h, nil
}

// Host returns the host of the URL. Letters and logs may show it, but not the rest of the URL, which may be secret.
func (h Hook) Host() string {
	u, err := url.Parse(h.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// HookOrder is the order NOTIFY. URL, Format and On are the arguments of NewHook.
type HookOrder struct {
	URL, Format, On string
	Code            string
	Off             bool
}

// ReadHookOrder reads the text after NOTIFY: an address with AS and ON, "CODE" and a code, OFF, or nothing. For example
// "https://ntfy.example/ada AS ntfy ON to-move, over".
func ReadHookOrder(text string) (o HookOrder, err error) {
	w := &fieldReader{strings.Fields(text)}
	first := strings.Trim(w.next(), "<>")
	switch strings.ToUpper(first) {
	case "":
		return o, nil
	case "OFF":
		o.Off = true
		return o, nil
	case "CODE":
		if o.Code = strings.ToUpper(strings.Trim(w.next(), ".!")); o.Code == "" {
			return o, errors.New("write the code after NOTIFY CODE. We have sent it to the address of the hook")
		}
		return o, nil
	}
	o.URL = first
	for word := w.next(); word != ""; word = w.next() {
		switch strings.ToUpper(word) {
		case "AS":
			o.Format = w.next()
		case "ON":
			o.On = strings.Join(w.fields, " ")
			w.fields = nil
		default:
			return o, errors.New("after the address write AS and a format, or ON and the kinds: NOTIFY https://ntfy.example/ada ON to-move, over")
		}
	}
	return o, nil
}

// Notices returns the notices of a change of the club.
func (c *Change) Notices() (out []Notice) {
	for _, a := range c.Announcements {
		out = append(out, Notice{Kind: ClubAnnouncement, Text: a.Text, At: a.At, ToAllMembers: true, ToOperator: true})
	}
	for _, o := range c.Offers {
		if o.Version > 0 || o.State != OfferOpen || !o.NeedsAcceptance() || o.HasRobots() {
			continue
		}
		text := fmt.Sprintf("Offer %d: a match of %s. To accept it, write ACCEPT %d to the club.", o.ID, o.Terms.Game, o.ID)
		out = append(out, Notice{Kind: OfferMade, Game: o.Terms.Game, Text: text, At: o.Created, Members: o.Challenged,
			ToAllMembers: len(o.Challenged) == 0, ToOperator: len(o.Challenged) == 0})
	}
	for _, t := range c.Tournaments {
		if t.isNewStage && t.Stage == RoundPaired {
			out = append(out, Notice{Kind: RoundBegins, Game: t.MatchTerms.Game, Members: t.Progress.ActivePlayers(), ToOperator: true, At: t.Due,
				Text: fmt.Sprintf("Round %d of the tournament %s has been paired.", len(t.Progress.Rounds), t.Title)})
		}
	}
	return out
}
