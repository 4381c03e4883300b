package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/mail/message"
)

// TestTokenShown: a letter whose other readers are named in a way that is not easily
// read has shown its token all the same, and the token is renewed with the answer.
func TestTokenShown(t *testing.T) {
	t.Parallel()
	// TOKEN is the victim's token, RIVAL the rival's address, VICTIM his own.
	for name, c := range map[string]struct {
		head  string
		shown bool
	}{
		"alone":                          {head: "To: TOKEN"},
		"himself in copy":                {head: "To: TOKEN\nCc: VICTIM"},
		"the referee twice":              {head: "To: TOKEN\nCc: referee@club.test"},
		"copy":                           {head: "To: TOKEN\nCc: RIVAL", shown: true},
		"copy that cannot be read":       {head: "To: TOKEN\nCc: \"Ben <RIVAL>", shown: true},
		"all in one that cannot be read": {head: "Delivered-To: TOKEN\nTo: TOKEN, \"Ben <RIVAL>", shown: true},
		"unquoted at in a name":          {head: "Delivered-To: TOKEN\nTo: TOKEN, ben@home <RIVAL>", shown: true},
		"copy in a group":                {head: "To: TOKEN\nCc: Players: RIVAL;", shown: true},
		"no names shown":                 {head: "Delivered-To: TOKEN\nTo: undisclosed-recipients:;"},
		"second copy":                    {head: "To: TOKEN\nCc: VICTIM\nCC : RIVAL", shown: true},
		"second To":                      {head: "To: TOKEN\nto: RIVAL", shown: true},
		"blind copy that was kept":       {head: "To: TOKEN\nBcc: RIVAL", shown: true},
		// A server of the referee's own may resend what it takes in.
		"resent":                       {head: "Resent-To: box@club.test\nTo: TOKEN"},
		"blind copy, empty":            {head: "To: TOKEN\nBcc:"},
		"copy in a line that is torn":  {head: "To: TOKEN,\nRIVAL", shown: true},
		"encoded copy":                 {head: "To: TOKEN\nCc: =?utf-8?q?RIVAL?=", shown: true},
		"copy beside a broken line":    {head: "To: TOKEN\nthis is no field\nCc: RIVAL", shown: true},
		"the referee's name elsewhere": {head: "To: TOKEN\nCc: referee@club.test.elsewhere.test", shown: true},
		"a name that begins alike":     {head: "To: TOKEN\nCc: refereex@club.test", shown: true},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			f := newForged(t)
			key := func() []byte {
				m, err := f.db.Match(t.Context(), f.id)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range m.Seats {
					if s.Player.Address == address(f.victim) {
						return s.Key
					}
				}
				t.Fatal("the victim has no seat")
				return nil
			}
			was := key()
			head := strings.NewReplacer("TOKEN", f.token, "RIVAL", address(f.rival), "VICTIM", address(f.victim)).Replace(c.head)
			raw := "From: " + address(f.victim) + "\n" + head + "\nSubject: Re: your move\nMessage-ID: <1@players.test>\n\n" + f.line + "\n"
			f.handle(t, strings.ReplaceAll(raw, "\n", "\r\n"))
			had := len(f.mailbox[address(f.rival)])
			f.deliver()
			if got := f.last(f.victim).Text; !strings.Contains(got, "done") {
				t.Errorf("the order is answered with\n%s", got)
			}
			if shown := !bytes.Equal(was, key()); shown != c.shown {
				t.Errorf("the key was renewed: %v", shown)
			}
			if notified := strings.Contains(f.last(f.victim).Text, "another address"); notified != c.shown {
				t.Errorf("the writer is told so: %v", notified)
			}
			for _, l := range f.mailbox[address(f.rival)][had:] {
				if found := message.FindTokens(l, f.codec.Address, message.Seat); len(found) > 0 || strings.Contains(l.Text, "another address") {
					t.Errorf("the rival is told\n%s", l.Text)
				}
			}
		})
	}
}
