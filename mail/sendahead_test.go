package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
)

// turnServer is an SMTP server that notes which commands it hears at once: it answers what
// it has read, and reads again.
type turnServer struct {
	pipelining bool
	// answers are those to commands that are not taken.
	answers map[string]string
	turns   []string
	// taken are the texts of letters.
	taken []string
}

// serve answers until the client goes away.
func (s *turnServer) serve(c net.Conn) {
	defer c.Close()
	buf := make([]byte, 64<<10)
	answer, content := "220 here\r\n", false
	for {
		if _, err := c.Write([]byte(answer)); err != nil {
			return
		}
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		var heard []string
		answer = ""
		if text, whole := strings.CutSuffix(string(buf[:n]), "\r\n.\r\n"); content && whole {
			s.turns, s.taken = append(s.turns, "letter"), append(s.taken, text)
			answer, content = "250 taken\r\n", false
			continue
		}
		for line := range strings.Lines(string(buf[:n])) {
			verb := strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || r == ':' })[0]
			heard = append(heard, verb)
			reply := s.reply(verb)
			answer += reply + "\r\n"
			content = verb == "DATA" && strings.HasPrefix(reply, "354")
		}
		s.turns = append(s.turns, strings.Join(heard, " "))
	}
}

func (s *turnServer) reply(verb string) string {
	reply, refused := s.answers[verb]
	switch {
	case refused:
		delete(s.answers, verb)
		return reply
	case verb == "DATA":
		return "354 go on"
	case verb == "EHLO" && s.pipelining:
		return "250-here\r\n250 PIPELINING"
	}
	return "250 yes"
}

// notOurs says of the first letter that another sends it.
type notOurs struct{ Claims }

func (notOurs) Ours(id int64) bool { return id != 1 }

// TestCommandsAtOnce sends two letters over a connection. Commands go together where the server
// takes them so, and whatever it says to the first letter is not taken for the second.
func TestCommandsAtOnce(t *testing.T) {
	t.Parallel()
	const together, second = "MAIL RCPT DATA,letter", ",MAIL RCPT DATA,letter"
	for _, tt := range []struct {
		name    string
		old     bool
		claims  Claims
		answers map[string]string
		at      stage
		want    string
	}{
		{name: "all at once", want: together + second},
		{name: "a server that cannot", old: true, want: "MAIL,RCPT,DATA,letter,MAIL,RCPT,DATA,letter"},
		{name: "DATA waits for the claim", claims: notOurs{}, at: atData, want: "MAIL RCPT,RSET,EHLO,MAIL RCPT,DATA,letter"},
		{name: "sender refused", answers: map[string]string{"MAIL": "550 5.7.1 no", "RCPT": "503 what", "DATA": "503 what"}, at: atMail, want: "MAIL RCPT DATA,RSET,EHLO" + second},
		{name: "recipient refused", answers: map[string]string{"RCPT": "550 5.1.1 nobody", "DATA": "554 to whom"}, at: atRcpt, want: "MAIL RCPT DATA,RSET,EHLO" + second},
		{name: "DATA refused", answers: map[string]string{"DATA": "451 4.3.0 later"}, at: atData, want: "MAIL RCPT DATA,RSET,EHLO" + second},
		{name: "a letter to nobody is wanted", answers: map[string]string{"RCPT": "550 5.1.1 nobody"}, at: atRcpt, want: "MAIL RCPT DATA"},
		{name: "server closes", answers: map[string]string{"MAIL": "421 4.3.2 bye"}, at: atMail, want: "MAIL RCPT DATA"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &turnServer{pipelining: !tt.old, answers: tt.answers}
			ours, theirs := net.Pipe()
			ended := make(chan struct{})
			go func() { s.serve(theirs); close(ended) }()
			cfg := SMTPConfig{Login: Login{Address: "here:25", TLS: NoTLS}, Claims: tt.claims,
				Dial: func(context.Context, string, string) (net.Conn, error) { return ours, nil }}
			c, err := dialSMTP(t.Context(), cfg.WithDefaults())
			if err != nil {
				t.Fatal(err)
			}
			letter := func(id int64) Outgoing {
				return Outgoing{ID: id, EnvelopeFrom: referee, To: "ann@demo", Raw: fmt.Appendf(nil, "letter %d\r\n", id)}
			}
			at, err := c.deliver(letter(1))
			if at != tt.at || (err != nil) != (tt.at != "") {
				t.Errorf("stopped at %q: %v", at, err)
			}
			if refused := (*smtp.SMTPError)(nil); at != "" && !errors.As(err, &refused) && !errors.Is(err, errNotOurs) {
				t.Errorf("%v is no answer to the letter", err)
			}
			again := strings.HasSuffix(tt.want, "letter")
			if again {
				if at != "" {
					err = c.Reset()
				}
				if at, second := c.deliver(letter(2)); err != nil || second != nil {
					t.Errorf("second letter, at %q: %v, %v", at, err, second)
				}
			}
			_ = c.Close()
			<-ended
			if got := strings.Join(s.turns[1:], ","); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if want := again; slices.Contains(s.taken, "letter 2") != want || slices.Contains(s.taken, "letter 1") != (tt.at == "") {
				t.Errorf("taken: %q", s.taken)
			}
		})
	}
}
