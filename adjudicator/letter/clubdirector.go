package letter

import (
	"fmt"
	"regexp"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/naming"
	"strings"
)

// needs says what stands behind the name of a tournament.
var needs = map[club.Verb]string{
	club.Hold: "what it is, such as TOURNAMENT autumn-cup 1989 SWISS TEMPO slow STARTS 2026-12-01", club.LetIn: "whom, such as ENTER autumn-cup Ada",
	club.TakeOut: "whom, such as WITHDRAW autumn-cup Ada", club.Swap: "two members, such as SWAP autumn-cup Ada AND Ben", club.CallOff: "",
}

// ClubDirectives are the acts of the director in the club, as his page lists them.
var ClubDirectives = []Form{
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
	Acts    []club.Directive
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
			out.Refused = append(out.Refused, Line{Text: row, Why: Sentence(err)})
			continue
		}
		out.Acts = append(out.Acts, act)
	}
	return out
}

// announces reports whether a row announces something.
func announces(row string) bool {
	verb, text, _ := strings.Cut(row, " ")
	return strings.EqualFold(strings.TrimRight(verb, ":"), string(club.Announce)) && text != ""
}

// ReadDirective reads one act, with the reason that it is given apart, if it is.
func ReadDirective(text, why string) (d club.Directive, err error) {
	if announces(text) {
		_, text, _ = strings.Cut(text, " ")
		return club.Directive{Verb: club.Announce, Text: Printable(strings.TrimSpace(text))}, nil
	}
	if m := because.FindStringSubmatch(text); m != nil {
		text, why = m[1], m[2]
	}
	verb, name, _ := strings.Cut(strings.TrimSpace(text), " ")
	if off, rest, _ := strings.Cut(name, " "); strings.EqualFold(verb+" "+off, string(club.CallOff)) {
		verb, name = string(club.CallOff), rest
	}
	d = club.Directive{Verb: club.Verb(strings.ToUpper(verb)), Name: naming.Clean(strings.Trim(name, " .,:")), Why: Printable(why)}
	switch d.Verb {
	case club.Admit, club.Refuse, club.Ban, club.Unban, club.Annul, club.Restore:
	case club.Hold, club.LetIn, club.TakeOut, club.Swap, club.CallOff:
		cup, rest, _ := strings.Cut(strings.TrimSpace(name), " ")
		d.Name, d.Text = strings.ToLower(strings.Trim(cup, ".,:")), Printable(strings.Trim(rest, " .,:"))
	default:
		return d, fmt.Errorf("%q is no act of the director in the club", Echo(text))
	}
	switch {
	case d.Name == "":
		return d, fmt.Errorf("write behind %s whom or what it is about", d.Verb)
	case d.Verb.OfTournament() && (d.Text == "") != (needs[d.Verb] == ""):
		if d.Text != "" {
			return d, fmt.Errorf("nothing but the name of the tournament stands behind %s", d.Verb)
		}
		return d, fmt.Errorf("write behind the name of the tournament %s", needs[d.Verb])
	case d.Why == "" && d.Verb != club.Admit:
		return d, fmt.Errorf("write a reason behind BECAUSE, such as %s BECAUSE ..., which the members can read", d)
	}
	return d, nil
}
