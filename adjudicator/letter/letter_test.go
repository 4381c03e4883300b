package letter_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// readAnswer reads a letter of the first of three seats, and writes a row for each line.
func read(t *testing.T, text string) string {
	t.Helper()
	lines, err := reader.Read(letter.Letter{Text: text, Seats: []string{"south", "north", "east"}})
	if err != nil {
		t.Fatal(err)
	}
	return written(lines)
}

var reader = letter.New(dawn1989.Game())

func written(lines []letter.Line) string {
	var out []string
	for _, l := range lines {
		switch l.Kind {
		case letter.KindTalk, letter.KindDoubt:
			out = append(out, "talk")
		case letter.KindUnreadable:
			out = append(out, "unreadable: "+l.Why)
		case letter.KindConditionalOrder:
			out = append(out, "conditional: "+l.Conditional.Text)
		case letter.KindGameOrder:
			out = append(out, fmt.Sprintf("game: %s surely=%v", l.Order.Clauses[0].Word, l.IsConfirmed))
		default:
			c := l.Command
			row := []string{string(c.Word)}
			for _, s := range []string{c.Choice, strings.ReplaceAll(c.Text, "\n", "|"), c.Name.Text} {
				if s != "" {
					row = append(row, s)
				}
			}
			if c.Number != 0 {
				row = append(row, fmt.Sprint(c.Number))
			}
			if c.Duration != 0 {
				row = append(row, c.Duration.String())
			}
			for _, to := range c.Recipients {
				row = append(row, fmt.Sprintf("to %d", to))
			}
			if c.HasMoreClauses {
				row = append(row, "and more")
			}
			out = append(out, strings.Join(row, " "))
		}
	}
	return strings.Join(out, "\n")
}

// TestForms reads every form of the host's orders, and what only looks like one.
func TestForms(t *testing.T) {
	t.Parallel()
	const graceForms = "unreadable: Write GRACE 30 minutes, GRACE 2 hours or GRACE OFF."
	for text, want := range map[string]string{
		"FORMAT TEXT": "FORMAT TEXT", "FORMAT: HTML.": "FORMAT HTML", "format=picture": "FORMAT PICTURE", " Format pictures;": "FORMAT PICTURES",
		"FORMAT UTF-8": "FORMAT UTF-8", "format utf8": "FORMAT UTF8", "FORMAT ASCII!": "FORMAT ASCII", "FORMATTEXT": "FORMAT TEXT",
		"FORMAT": "talk", "FORMAT PDF": "talk", "format html please": "talk",
		"PLAIN": "PLAIN", "plain.": "PLAIN", "plain text": "talk",
		"LANGUAGE English": "LANGUAGE ENGLISH", "language: deutsch.": "LANGUAGE DEUTSCH", "Language is hard": "talk",
		"NEW TOKEN": "NEW TOKEN", "new \t token.": "NEW TOKEN", "new token please": "talk",
		"GRACE": "GRACE", "GRACE OFF": "GRACE OFF", "grace: none": "GRACE OFF", "GRACE 0": "GRACE OFF", "GRACE 30 minutes": "GRACE SET 30m0s",
		"GRACE30m": "GRACE SET 30m0s", "GRACE=2 hours.": "GRACE SET 2h0m0s", "GRACE 9999 h": "GRACE SET 9999h0m0s",
		"GRACE 30": graceForms, "GRACE 3 days": graceForms, "grace on": graceForms, "Grace, dear": "talk", "GRACE of God": "talk",
		"DELAY 6 h": "DELAY SET 6h0m0s", "DELAY OFF": "DELAY OFF", "delay": "DELAY",
		"DELAY 12345 minutes": "unreadable: Write DELAY 30 minutes, DELAY 2 hours or DELAY OFF.",
		"ADDRESS":             "ADDRESS", "ADDRESS KEEP": "ADDRESS KEEP", "address: yes": "ADDRESS YES", "ADDRESS ONLY.": "ADDRESS ONLY",
		"ADDRESS me@example.org": "ADDRESS me@example.org", "ADDRESS=me@example.org.": "ADDRESS me@example.org",
		"ADDRESS also  me@example.org": "ADDRESS ALSO me@example.org", "addressbook@example.org": "talk", "address.book@example.org": "talk",
		"OBSERVE": "OBSERVE", "OBSERVE abc": "OBSERVE abc", "observe match [samizdat AB1].": "OBSERVE ab1", "Observe this and that": "talk",
		"UNOBSERVE": "UNOBSERVE", "unobserve abc!": "UNOBSERVE",
		"TAKEBACK": "TAKEBACK", "take back": "TAKEBACK", "Take-back: yes.": "TAKEBACK YES", "TAKEBACK, NO": "TAKEBACK NO", "TAKEBACK OFF": "TAKEBACK OFF",
		"take back my words": "talk", "TAKEBACK please": "TAKEBACK",
		"STATS": "STATS", "stats please!": "STATS", "Statistics.": "STATS", "STATS 2": "talk", "the stats are against me": "talk", "lies, damned lies and statistics": "talk",
		"HISTORY": "HISTORY", "history please": "HISTORY", "HISTORY of turn 2": "HISTORY 2", "HISTORY two": "talk", "a history of the world": "talk",
		"RESEND": "RESEND", "resend please": "RESEND", "RESEND letter 3": "RESEND LETTER 3", "RESEND x": "unreadable: \"x\" is not understood after RESEND; leave it out, or give it a line of its own.",
		"HAND": "HAND", "please, hand.": "HAND", "my hand": "talk", "DISCARDS": "DISCARDS", "MAP": "MAP", "map big": "MAP BIG", "BIG MAP": "MAP BIG",
		"POSITION": "POSITION", "RULES": "RULES", "rules suport checks": "RULES support checks", "RULES xyzzy": "RULES xyzzy",
		"the rules": "talk", "RULES that nobody ever heard of": "talk",
		"STATUS": "STATUS", "status, please": "STATUS", "HELP!": "HELP", "DROP": "DROP", "drop it": "DROP", "SHOW ORDERS": "SHOW ORDERS", "CANCEL ORDERS": "CANCEL ORDERS",
		"CARD 14": "CARD Gorbachev Charms the West", "CARD 14 STATUS": "CARD Gorbachev Charms the West and more",
		"NOW": "NOW", "RESIGN": "RESIGN", "I resign": "talk", "JOIN in the fun": "talk",
		"PREVIEW": "PREVIEW", "PREVIEW PLAY 14 EVENT": "PREVIEW\ngame: PLAY surely=false", "preview of coming attractions": "talk",
		"PLAY 14 EVENT, SURELY.": "game: PLAY surely=true", "Play 14 event, for sure!": "game: PLAY surely=true", "NEXT PLAY 14 EVENT": "conditional: NEXT PLAY 14 EVENT",
		"PLAY 14 EVENT?":          "talk",
		"Should I PLAY 14 EVENT?": "talk",
		"Not PLAY 14 EVENT":       "talk",
	} {
		if got := read(t, text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

// TestRead reads whole letters: settings come first, messages last, and what stands in a
// message is nothing else.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"settings first", "STATUS\nFORMAT TEXT\nDROP; HAND", "FORMAT TEXT\nSTATUS\nDROP\nHAND"},
		{"a setting is a row", "FORMAT TEXT; STATUS", "talk\nSTATUS"},
		{"message", "MESSAGE\nFORMAT TEXT\n\nDROP\nEND MESSAGE\nHAND", "HAND\nMESSAGE FORMAT TEXT||DROP to 1 to 2"},
		{"to one", "MESSAGE to North: hello END MESSAGE", "MESSAGE hello to 1"},
		{"to two", "message north and East\nIn the end, message received.\nEND MESSAGE", "MESSAGE In the end, message received. to 1 to 2"},
		{"to all", "MESSAGE ALL\nhello North, how are you\nEND MESSAGE", "MESSAGE hello North, how are you to 1 to 2"},
		{"to all by a greeting to one", "MESSAGE Hi North,\nlet us take East\nEND MESSAGE", "unreadable: It seems to be for one player, but would go to all of them. Write MESSAGE and that player's name, or MESSAGE ALL. It was not sent."},
		{"to all, of one", "MESSAGE\nI trust North\nEND MESSAGE", "MESSAGE I trust North to 1 to 2"},
		{"to oneself", "MESSAGE south\nhello\nEND MESSAGE", "unreadable: You cannot send a message to yourself."},
		{"empty", "MESSAGE\n\nEND MESSAGE", "talk"},
		{"no list across it", "PLACE Krakow 2,\nMESSAGE hi END MESSAGE\nLodz", "game: PLACE surely=false\ntalk\nMESSAGE hi to 1 to 2"},
		{"within a line", "DROP; MESSAGE hello", "DROP\nunreadable: Put MESSAGE at the start of its own line. Your message was not sent."},
		{"broken conditional order", "ANSWER 45 REMOVE Praha 2,\nBrno, Plzen 2\nHAND", "conditional: ANSWER 45 REMOVE Praha 2, Brno, Plzen 2\nHAND"},
		{"a number without a question", "2", "talk"},
		{"a list of cards", "CARD 14, 27 & 3", "CARD Gorbachev Charms the West\nCARD Consumerism\nCARD Walesa"},
		{"a number and a title", "CARD 14, Deutsche Marks", "CARD Gorbachev Charms the West\nCARD Deutsche Marks"},
		{"a list of letters", "resend 3 and 5", "RESEND LETTER 3\nRESEND LETTER 5"},
		{"a list of cards that may be a play", "card 14, 27", `unreadable: "14, 27" names two different things: 14 Gorbachev Charms the West or 27 Consumerism.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(test.want, read(t, test.text)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
	if got := read(t, "MESSAGE hi\nDROP"); !strings.HasPrefix(got, "unreadable: End a message with END MESSAGE") {
		t.Errorf("a message without end is read as %q", got)
	}
}

// TestTooMany: a letter of more than 800 words is not read, and those of its messages
// are none of them.
func TestTooMany(t *testing.T) {
	t.Parallel()
	orders := ""
	for i := range 199 {
		orders += fmt.Sprintf("as for %d ships\n", i)
	}
	orders += "and so on"
	message := "MESSAGE\n" + strings.Repeat("a ", 1500) + "\nEND MESSAGE\n"
	if got := read(t, message+"DROP\n"+orders); !strings.HasPrefix(got, "DROP\n") {
		t.Errorf("800 words are read as %.200q", got)
	}
	got := read(t, "FORMAT TEXT\n"+message+"DROP\n"+orders+" please")
	if !strings.HasPrefix(got, "unreadable: Your letter was too long, so it was not carried out. Without messages it has 801 words") || strings.Contains(got, "\n") {
		t.Errorf("801 words are read as %.300q", got)
	}
}

// TestAlone: what cannot be undone was not carried out, because it was not on a line by itself with blank lines around it.
func TestAlone(t *testing.T) {
	t.Parallel()
	for text, sure := range map[string]bool{
		"CONCEDE": true, "concede.": true, "Hi Ben,\n\nCONCEDE\n\nThanks, Ada": true, "CONCEDE\n\nThanks for the game!": true,
		"Hi Ben,\nCONCEDE": false, "sooner eat my hat than\nconcede": false, "STATUS; CONCEDE": false, "CONCEDE\nSTATUS": false,
	} {
		lines, err := reader.Read(letter.Letter{Text: text, Seats: []string{"south", "north"}})
		if err != nil {
			t.Fatal(err)
		}
		acts := slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.KindGameOrder })
		if got := acts && len(letter.Doubts(lines)) == 0; got != sure {
			t.Errorf("%q counts: %v, want %v", text, got, sure)
		}
	}
}

// TestShortAnswers: a number stands for a numbered answer of the letter's question, if it
// comes first.
func TestShortAnswers(t *testing.T) {
	t.Parallel()
	open := rules.Decision{ID: 1}
	for _, test := range []struct {
		text, want string
		asked      letter.AnsweredQuestion
	}{
		{"2", "game: CHOOSE surely=false", letter.AnsweredQuestion{Decision: &open, NumberedAnswers: []string{"CHOOSE Poland", "CHOOSE Hungary"}}},
		{"option 3.", "unreadable: The answers are numbered from 1 to 2.", letter.AnsweredQuestion{Decision: &open, NumberedAnswers: []string{"CHOOSE Poland", "CHOOSE Hungary"}}},
		{"CHOOSE Poland\n2", "game: CHOOSE surely=false\nunreadable: A number alone answers the letter's question, but an order above has answered it already.",
			letter.AnsweredQuestion{Decision: &open, NumberedAnswers: []string{"CHOOSE Poland", "CHOOSE Hungary"}}},
		{"2", "unreadable: Too late.", letter.AnsweredQuestion{ClosedReason: "Too late."}},
		{"2", "talk", letter.AnsweredQuestion{}},
	} {
		lines, err := reader.Read(letter.Letter{Text: test.text, LoadAnsweredQuestion: func() (letter.AnsweredQuestion, error) { return test.asked, nil }})
		if got := written(lines); err != nil || got != test.want {
			t.Errorf("%q is read as %q (%v), want %q", test.text, got, err, test.want)
		}
	}
}

// TestInvited reads letters before a match has begun: a player's words may look like
// anything.
func TestInvited(t *testing.T) {
	t.Parallel()
	text := "Thank you; STATUS\nJoin! a; b // c\nHELP\nstatus\nRULES support checks\nRESEND 3\nTAKEBACK\nPLAIN\nMESSAGE hello END MESSAGE"
	want := "PLAIN\ntalk\nJOIN a; b // c\nHELP\nSTATUS\nRULES support checks\nRESEND LETTER 3\ntalk\nMESSAGE hello to 1"
	if d := cmp.Diff(want, written(reader.ReadInvited(letter.Letter{Text: text, Seats: []string{"south", "north"}}))); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestInvitedSealed: a seal stands behind JOIN, or behind the name there, and may have gone to
// the next row; what stands behind OPEN may have been broken into rows, and nothing repeats it.
func TestInvitedSealed(t *testing.T) {
	t.Parallel()
	hex := strings.Repeat("0123456789abcDEF", 4)
	for text, want := range map[string]letter.Command{
		"JOIN SEALED " + hex:                  {Word: letter.Join, Choice: letter.ChoiceSealed, Text: hex},
		"join sealed: " + hex + "  -":         {Word: letter.Join, Choice: letter.ChoiceSealed, Text: hex + "  -"},
		"JOIN\tSEALED " + hex:                 {Word: letter.Join, Choice: letter.ChoiceSealed, Text: hex},
		"JOIN, SEALED\n" + hex:                {Word: letter.Join, Choice: letter.ChoiceSealed, Text: hex},
		"JOIN AS Ben SEALED " + hex:           {Word: letter.Join, Choice: letter.ChoiceSealed, Text: hex, PersonName: "Ben"},
		"JOIN as Ben, sealed " + hex:          {Word: letter.Join, Choice: letter.ChoiceSealed, Text: hex, PersonName: "Ben"},
		"JOIN SEALED":                         {Word: letter.Join, Choice: letter.ChoiceSealed},
		"JOIN sealed lips":                    {Word: letter.Join, Choice: letter.ChoiceSealed, Text: "lips"},
		"JOIN as the river was sealed by ice": {Word: letter.Join, Text: "as the river was sealed by ice"},
		"JOIN unsealed " + hex:                {Word: letter.Join, Text: "unsealed " + hex},
		"JOIN a letter, sealed " + hex:        {Word: letter.Join, Text: "a letter, sealed " + hex},
		"OPEN two words":                      {Word: letter.Open, Text: "two words"},
		"Open: two\nwords and more":           {Word: letter.Open, Text: "two\nwords and more"},
		"OPEN\ntwo words":                     {Word: letter.Open, Text: "\ntwo words"},
		"OPEN two words\n\nSTATUS":            {Word: letter.Open, Text: "two words"},
	} {
		l := reader.ReadInvited(letter.Letter{Text: text, Seats: []string{"south", "north"}})[0]
		if d := cmp.Diff(want, l.Command, cmpopts.IgnoreUnexported(letter.Command{})); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
		if want.Word == letter.Open && l.Text != "OPEN" {
			t.Errorf("%q is told as %q", text, l.Text)
		}
	}
}

// TestFind finds the orders of those who play in no match, in a letter or its subject.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, subject string
		word          letter.Word
		want          string
		ok            bool
	}{
		{"Hello\nOBSERVE abc\nThanks", "", letter.Observe, "abc", true},
		{"", "OBSERVE ABC", letter.Observe, "abc", true},
		{"", "Re: [samizdat abc] news", letter.Unobserve, "", false},
		{"", "UNOBSERVE [samizdat-1-2]", letter.Unobserve, "", true},
		{"Yes, please.", "", letter.Yes, "", true},
		{"ADDRESS YES", "", letter.Yes, "", true},
		{"yes and no", "", letter.Yes, "", false},
		{"ADDRESS: keep!", "", letter.No, "", true},
		{"NO", "", letter.No, "", true},
		{"YES", "", letter.No, "", false},
	} {
		c, ok := letter.FindCommandInLetter(test.text, test.subject, test.word)
		if ok != test.ok || c.Text != test.want {
			t.Errorf("%q, %q: %s is %q, %v; want %q, %v", test.text, test.subject, test.word, c.Text, ok, test.want, test.ok)
		}
	}
}

// TestTable: words stand once, every order can be read, and HELP has room for the forms.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[letter.Word]bool{}
	for _, e := range letter.OrderSpecsByRole[letter.RolePlayer] {
		if seen[e.Word] {
			t.Errorf("%s stands twice", e.Word)
		}
		seen[e.Word] = true
		if e.Class == letter.ClassNone || e.Class != letter.ClassModifier && e.ReadLine == nil && e.Keyword == nil && e.Word != letter.Message && e.Word != letter.Ask {
			t.Errorf("%s has class %d, and no way to be read", e.Word, e.Class)
		}
		for _, f := range e.Help {
			if len(f.Order) > 12 || len(f.Effect) > 78-4-12-1 {
				t.Errorf("%s: no room for %q: %q", e.Word, f.Order, f.Effect)
			}
		}
	}
}

// TestDocumented: every order stands in the documents for players.
func TestDocumented(t *testing.T) {
	t.Parallel()
	var docs string
	for _, name := range []string{"orders.md", "observers.md"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		docs += string(data)
	}
	for _, e := range letter.OrderSpecsByRole[letter.RolePlayer] {
		if word, _, _ := strings.Cut(string(e.Word), " LETTER"); !strings.Contains(docs, word) {
			t.Errorf("no document tells of %s", word)
		}
	}
}

// FuzzRead reads anything as a letter: every line says what it is, and what is not
// understood why.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"FORMAT TEXT\nSTATUS; HAND", "MESSAGE to north\nDROP\nEND MESSAGE", "PREVIEW PLAY 14 EVENT SURELY", "RULES suport", "2",
		"ANSWER 45 REMOVE Praha 2,\nBrno", "GRACE 30 parsecs\nTAKE BACK yes", "join // a; b", "OBSERVE [samizdat abc]\nADDRESS ALSO a@b.org"} {
		f.Add(seed)
	}
	question := letter.AnsweredQuestion{Decision: &rules.Decision{ID: 1, Kind: "option", Min: 1, Max: 1}, NumberedAnswers: []string{"CHOOSE Poland", "CHOOSE Hungary"}}
	f.Fuzz(func(t *testing.T, text string) {
		said := letter.Letter{Text: text, Seats: []string{"south", "north", "east"}, LoadAnsweredQuestion: func() (letter.AnsweredQuestion, error) { return question, nil }}
		lines, err := reader.Read(said)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range append(lines, reader.ReadInvited(said)...) {
			_ = written([]letter.Line{l})
			switch {
			case l.Kind == letter.KindUnreadable && l.Why == "", l.Kind == letter.KindRefereeOrder && l.Class() == letter.ClassNone,
				l.Kind == letter.KindGameOrder && len(l.Order.Clauses) == 0, l.Kind == letter.KindConditionalOrder && l.Conditional == nil:
				t.Errorf("%q is read as %+v", text, l)
			}
		}
	})
}
