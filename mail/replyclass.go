package mail

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// stage is the step of a transaction an error came from.
type stage string

const (
	atMail    stage = "MAIL"
	atRcpt    stage = "RCPT"
	atData    stage = "DATA"
	atContent stage = "content"
	// atDot is after the final dot: when the answer does not come, nobody knows
	// whether the letter was taken.
	atDot stage = "final dot"
)

// replyClass says what an error means for the letter.
type replyClass struct {
	// permanent: the letter will never be taken.
	permanent bool
	// lost: the connection cannot be used any more.
	lost bool
	// ours: the server refuses us, whatever the letter. No letter may fail by it.
	ours bool
	// doubtful: the server may mean this letter or us.
	doubtful bool
	// lasting: the server says that it will not change its mind.
	lasting bool
	// code is what the server answered, without its words.
	code   string
	reason string
}

// classifyReply classifies the error of one transaction.
func classifyReply(at stage, err error) replyClass {
	var se *smtp.SMTPError
	if !errors.As(err, &se) {
		return replyClass{lost: true, reason: fmt.Sprintf("connection lost at %s: %v", at, err)}
	}
	v := replyClass{
		// 421 announces that the server closes the connection.
		lost: se.Code == 421,
		code: fmt.Sprintf("%d %d.%d.%d", se.Code, se.EnhancedCode[0], se.EnhancedCode[1], se.EnhancedCode[2]),
	}
	v.reason = fmt.Sprintf("%s refused: %s %s", at, v.code, message.OneLine(se.Message))
	forGood := se.Code >= 500 && se.Code < 600
	v.lasting = forGood
	switch {
	case at == atMail:
		// MAIL says nothing of the letter but its size.
		big := tooBig(se)
		v.permanent, v.ours = forGood && big, !big
	case refusesUs(se):
		// At RCPT they may be the words of the recipient's server, passed on.
		v.doubtful = at == atRcpt && !wantsLogin(se)
		v.ours = !v.doubtful
	case forGood && mayMeanUs(se):
		v.doubtful = true
	default:
		v.permanent = forGood
	}
	return v
}

// tooBig knows the answers to MAIL that speak of the letter's size: it is too long
// for ever, or there is no room for it now. A bare 552 is none of them: it is said
// of our own mailbox and our own quota as well.
func tooBig(e *smtp.SMTPError) bool {
	if message.RefusesSender(e.Message) || roomWords.MatchString(e.Message) {
		return false
	}
	switch [2]int{e.EnhancedCode[1], e.EnhancedCode[2]} {
	case [2]int{2, 3}, [2]int{3, 1}, [2]int{3, 4}:
		return true
	}
	return e.Code == 452 || sizeWords.MatchString(e.Message)
}

// refusesUs knows the answers that speak of our login, our sender address or what
// our account may send, at whatever step they come.
func refusesUs(e *smtp.SMTPError) bool {
	if wantsLogin(e) {
		return true
	}
	switch [2]int{e.EnhancedCode[1], e.EnhancedCode[2]} {
	// The sender's address is bad (RFC 3463); its mechanism or its login is (RFC
	// 4954); the day's limit is reached (Google); the login is missing, or may not
	// write under this address (Microsoft).
	case [2]int{1, 7}, [2]int{1, 8}, [2]int{7, 8}, [2]int{7, 9}, [2]int{7, 11}, [2]int{7, 12}, [2]int{7, 13}, [2]int{4, 5}, [2]int{7, 57}, [2]int{7, 60}:
		return true
	}
	return message.RefusesSender(e.Message)
}

// wantsLogin knows the codes that a server uses for our login only.
func wantsLogin(e *smtp.SMTPError) bool {
	return e.Code == 530 || e.Code == 534 || e.Code == 535 || e.Code == 538
}

// mayMeanUs knows the lasting refusals that may be for the letter or for all of
// ours: policy, protocol, the state of the server.
func mayMeanUs(e *smtp.SMTPError) bool {
	switch e.EnhancedCode[1] {
	case 1:
		return false // The recipient's address, also where the code is that of a syntax error.
	case 3:
		return e.EnhancedCode[2] != 4
	case 5, 7:
		return true
	}
	return e.Code < 550 || doubtWords.MatchString(e.Message)
}

var (
	sizeWords = regexp.MustCompile(`(?i)\b(message|mail|size)\b.{0,40}\b(too (big|large|long)|exceed(s|ed)?)\b`)
	// roomWords speak of all that our account may have, and not of one letter.
	roomWords = regexp.MustCompile(`(?i)\bquota|storage allocation|mailbox is full`)
	// doubtWords may be said of a letter or of who sends it, where no code says more.
	doubtWords = regexp.MustCompile(`(?i)spam|policy|blocked|reputation|blacklist|blocklist|relay|authenticat|rejected for|limit|suspended`)
)

// enough is how many recipients in a row must draw one and the same answer before
// it counts as one about us.
const enough = 2

// streak notices that different recipients draw the same doubtful answer.
type streak struct {
	code string
	to   map[string]bool
}

// doubt notes a doubtful answer and tells whether it is enough.
func (s *streak) doubt(code, to string) bool {
	if s.code != code || s.to == nil {
		*s = streak{code: code, to: map[string]bool{}}
	}
	s.to[strings.ToLower(to)] = true
	return len(s.to) >= enough
}

func (s *streak) end() { *s = streak{} }

// last puts the letters to those recipients behind the others, urgent or not: one
// that the server takes tells that the answers were not about us.
func (s *streak) last(due []Outgoing) {
	if len(s.to) == 0 {
		return
	}
	slices.SortStableFunc(due, func(a, b Outgoing) int {
		switch x, y := s.to[strings.ToLower(a.To)], s.to[strings.ToLower(b.To)]; {
		case x == y:
			return 0
		case x:
			return 1
		}
		return -1
	})
}
