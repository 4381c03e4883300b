package mail

import (
	"errors"
	"fmt"
	"regexp"

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

// blame says whom a refusal is for.
type blame int

const (
	// theLetter: the refusal is for this letter.
	theLetter blame = iota
	// us: the server refuses us, whatever the letter. No letter may fail by it.
	us
	// either: the server may mean this letter or us.
	either
)

// replyClass says what an error means for the letter.
type replyClass struct {
	blame blame
	// permanent: the letter will never be taken.
	permanent bool
	// lost: the connection cannot be used any more.
	lost bool
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
		if v.permanent = forGood && big; !big {
			v.blame = us
		}
	case refusesUs(se):
		v.blame = us
		if at == atRcpt && !wantsLogin(se) {
			v.blame = either // They may be the words of the recipient's server, passed on.
		}
	case forGood && mayMeanUs(se):
		v.blame = either
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
	return e.Code < 550 || eitherWords.MatchString(e.Message)
}

var (
	sizeWords = regexp.MustCompile(`(?i)\b(message|mail|size)\b.{0,40}\b(too (big|large|long)|exceed(s|ed)?)\b`)
	// roomWords speak of all that our account may have, and not of one letter.
	roomWords = regexp.MustCompile(`(?i)\bquota|storage allocation|mailbox is full`)
	// eitherWords may be said of a letter or of who sends it, where no code says more.
	eitherWords = regexp.MustCompile(`(?i)spam|policy|blocked|reputation|blacklist|blocklist|relay|authenticat|rejected for|limit|suspended`)
)
