package club

import (
	"fmt"
	"regexp"
	"strings"

	"samizdat/adjudicator/command"
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
)

// Directive is an act of the director.
type Directive struct {
	Verb Verb `json:"verb"`
	// Name is whom it is about, or which match.
	Name string `json:"name"`
	// Why is the reason, which members can read. Only ADMIT needs none.
	Why string `json:"why,omitempty"`
}

// String is the act as a letter writes it.
func (d Directive) String() string { return string(d.Verb) + " " + d.Name }

// Directives are the director's acts, as his page lists them.
var Directives = []Form{
	{"ADMIT Ada", "admits Ada, who has asked to join"},
	{"REFUSE Ada BECAUSE ...", "does not admit her"},
	{"BAN Ada BECAUSE ...", "shuts Ada out: she offers and accepts no matches; those that have begun go on"},
	{"UNBAN Ada BECAUSE ...", "lets her in again"},
	{"ANNUL mabcdefg BECAUSE ...", "takes the result of a match from the ladder"},
	{"RESTORE mabcdefg BECAUSE ...", "puts it back"},
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
		case len(rows) > 0 && because.MatchString(row) && because.FindStringSubmatch(row)[1] == "":
			rows[len(rows)-1] += " " + row
		default:
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		switch strings.ToUpper(strings.Trim(row, ".! ")) {
		case "YES":
			out.Yes = true
			continue
		case "NO":
			out.No = true
			continue
		case "HELP", "STATUS", "DIRECT CLUB", "MEMBERS":
			continue
		}
		act, err := ReadDirective(row, "")
		if err != nil {
			out.Refused = append(out.Refused, Line{Text: row, Why: command.Sentence(err)})
			continue
		}
		out.Acts = append(out.Acts, act)
	}
	return out
}

// ReadDirective reads one act, with the reason that it is given apart, if it is.
func ReadDirective(text, why string) (d Directive, err error) {
	if m := because.FindStringSubmatch(text); m != nil {
		text, why = m[1], m[2]
	}
	verb, name, _ := strings.Cut(strings.TrimSpace(text), " ")
	d = Directive{Verb: Verb(strings.ToUpper(verb)), Name: naming.Clean(strings.Trim(name, " .,:")), Why: command.Printable(why)}
	switch d.Verb {
	case Admit, Refuse, Ban, Unban, Annul, Restore:
	default:
		return d, fmt.Errorf("%q is no act of the director in the club", command.Echo(text))
	}
	switch {
	case d.Name == "":
		return d, fmt.Errorf("write behind %s whom or what it is about", d.Verb)
	case d.Why == "" && d.Verb != Admit:
		return d, fmt.Errorf("write a reason behind BECAUSE, such as %s BECAUSE ..., which the members can read", d)
	}
	return d, nil
}
