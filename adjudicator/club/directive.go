package club

import (
	"fmt"
	"regexp"
	"strings"

	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/naming"
)

// Verb is what the director does in the club.
type Verb string

// The director's verbs.
const (
	Admit   Verb = "ADMIT"
	Refuse  Verb = "REFUSE"
	Ban     Verb = "BAN"
	Unban   Verb = "UNBAN"
	Annul   Verb = "ANNUL"
	Restore Verb = "RESTORE"
	// Announce tells all members something.
	Announce Verb = "ANNOUNCE"
	// Hold makes a tournament, the others change one.
	Hold    Verb = "TOURNAMENT"
	LetIn   Verb = "ENTER"
	TakeOut Verb = "WITHDRAW"
	Swap    Verb = "SWAP"
	CallOff Verb = "CALL OFF"
)

// needs says what stands behind the name of a tournament.
var needs = map[Verb]string{
	Hold: "what it is, such as TOURNAMENT autumn-cup 1989 SWISS TEMPO slow STARTS 2026-12-01", LetIn: "whom, such as ENTER autumn-cup Ada",
	TakeOut: "whom, such as WITHDRAW autumn-cup Ada", Swap: "two members, such as SWAP autumn-cup Ada AND Ben", CallOff: "",
}

// OfTournament reports whether the act is about a tournament.
func (v Verb) OfTournament() bool { _, is := needs[v]; return is }

// Directive is an act of the director.
type Directive struct {
	Verb Verb `json:"verb"`
	// Name is whom it is about, or which match, or which tournament.
	Name string `json:"name"`
	// Text is what stands behind the name of a tournament, or what is announced.
	Text string `json:"text,omitempty"`
	// Why is the reason, which members can read. Only ADMIT and ANNOUNCE need none.
	Why string `json:"why,omitempty"`
}

// String is the act as a letter writes it.
func (d Directive) String() string {
	return strings.Join(strings.Fields(string(d.Verb)+" "+d.Name+" "+d.Text), " ")
}

// Directives are the director's acts, as his page lists them.
var Directives = []Form{
	{"ADMIT Ada", "admits Ada, who has asked to join"},
	{"REFUSE Ada BECAUSE ...", "does not admit her"},
	{"BAN Ada BECAUSE ...", "shuts Ada out: she offers and accepts no matches; those that have begun go on"},
	{"UNBAN Ada BECAUSE ...", "lets her in again"},
	{"ANNUL mabcdefg BECAUSE ...", "takes the result of a match from the ladder"},
	{"RESTORE mabcdefg BECAUSE ...", "puts it back"},
	{"ANNOUNCE ...", "tells all members something, in their digests and on the pages; the rest of the letter belongs to it"},
	{"TOURNAMENT autumn-cup 1989 SWISS TEMPO slow STARTS 2026-12-01 BECAUSE ...", "lets members enter a tournament; ROUND ROBIN and KNOCK-OUT are the other kinds, and ROUNDS 5, UP TO 16, TWICE and TOGETHER may follow"},
	{"ENTER autumn-cup Ada BECAUSE ...", "enters Ada, late too where that can be"},
	{"WITHDRAW autumn-cup Ada BECAUSE ...", "takes her out"},
	{"SWAP autumn-cup Ada AND Ben BECAUSE ...", "lets two trade their places in the newest round of a Swiss tournament"},
	{"CALL OFF autumn-cup BECAUSE ...", "calls it off; its matches go on as matches of their own"},
}

// Directed is what a letter of the director says.
type Directed struct {
	Acts    []Directive
	Yes, No bool
	// Refused says, line by line, what was not understood.
	Refused []Line
}

// because divides an act from its reason.
var because = regexp.MustCompile(`(?is)^(.*?)\s*\b(?:BECAUSE|WHY:|REASON:)\s*(.*)$`)

// ReadDirected reads a letter of the director. A reason stands behind BECAUSE, on the line of
// its act or below it.
func ReadDirected(text string) (out Directed) {
	var rows []string
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		switch {
		case row == "":
		case len(rows) > 0 && announces(rows[0]):
			rows[0] += " " + row
		case len(rows) > 0 && because.MatchString(row) && because.FindStringSubmatch(row)[1] == "":
			rows[len(rows)-1] += " " + row
		default:
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		switch consent.Read(row) {
		case consent.Yes:
			out.Yes = true
			continue
		case consent.No:
			out.No = true
			continue
		}
		switch strings.ToUpper(strings.Trim(row, ".! ")) {
		case "HELP", "STATUS", "DIRECT CLUB", "MEMBERS":
			continue
		}
		act, err := ReadDirective(row, "")
		if err != nil {
			out.Refused = append(out.Refused, Line{Text: row, Why: letter.Sentence(err)})
			continue
		}
		out.Acts = append(out.Acts, act)
	}
	return out
}

// announces reports whether a row announces something.
func announces(row string) bool {
	verb, text, _ := strings.Cut(row, " ")
	return strings.EqualFold(strings.TrimRight(verb, ":"), string(Announce)) && text != ""
}

// ReadDirective reads one act, with the reason that it is given apart, if it is.
func ReadDirective(text, why string) (d Directive, err error) {
	if announces(text) {
		_, text, _ = strings.Cut(text, " ")
		return Directive{Verb: Announce, Text: letter.Printable(strings.TrimSpace(text))}, nil
	}
	if m := because.FindStringSubmatch(text); m != nil {
		text, why = m[1], m[2]
	}
	verb, name, _ := strings.Cut(strings.TrimSpace(text), " ")
	if off, rest, _ := strings.Cut(name, " "); strings.EqualFold(verb+" "+off, string(CallOff)) {
		verb, name = string(CallOff), rest
	}
	d = Directive{Verb: Verb(strings.ToUpper(verb)), Name: naming.Clean(strings.Trim(name, " .,:")), Why: letter.Printable(why)}
	switch d.Verb {
	case Admit, Refuse, Ban, Unban, Annul, Restore:
	case Hold, LetIn, TakeOut, Swap, CallOff:
		cup, rest, _ := strings.Cut(strings.TrimSpace(name), " ")
		d.Name, d.Text = strings.ToLower(strings.Trim(cup, ".,:")), letter.Printable(strings.Trim(rest, " .,:"))
	default:
		return d, fmt.Errorf("%q is no act of the director in the club", letter.Echo(text))
	}
	switch {
	case d.Name == "":
		return d, fmt.Errorf("write behind %s whom or what it is about", d.Verb)
	case d.Verb.OfTournament() && (d.Text == "") != (needs[d.Verb] == ""):
		if d.Text != "" {
			return d, fmt.Errorf("nothing but the name of the tournament stands behind %s", d.Verb)
		}
		return d, fmt.Errorf("write behind the name of the tournament %s", needs[d.Verb])
	case d.Why == "" && d.Verb != Admit:
		return d, fmt.Errorf("write a reason behind BECAUSE, such as %s BECAUSE ..., which the members can read", d)
	}
	return d, nil
}
