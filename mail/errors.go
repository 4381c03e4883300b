package mail

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"
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

// verdict says what an error means for the letter.
type verdict struct {
	// permanent: the letter will never be taken.
	permanent bool
	// lost: the connection cannot be used any more.
	lost   bool
	reason string
}

// judge classifies the error of one transaction.
func judge(at stage, err error) verdict {
	var se *smtp.SMTPError
	if !errors.As(err, &se) {
		return verdict{lost: true, reason: fmt.Sprintf("connection lost at %s: %v", at, err)}
	}
	v := verdict{
		permanent: se.Code >= 500 && se.Code < 600,
		// 421 announces that the server closes the connection.
		lost:   se.Code == 421,
		reason: fmt.Sprintf("%s refused: %d %d.%d.%d %s", at, se.Code, se.EnhancedCode[0], se.EnhancedCode[1], se.EnhancedCode[2], tidyLine(se.Message)),
	}
	if v.permanent && ourTrouble(at, se) {
		v.permanent = false
	}
	return v
}

// ourTrouble knows the 5xx answers that say nothing about the recipient: the
// login is missing or refused, the sender address is not ours to use, the relay
// is closed to us, the server does not speak a command.
func ourTrouble(at stage, e *smtp.SMTPError) bool {
	switch e.Code {
	case 500, 501, 502, 503, 504, 530, 534, 535, 538:
		return true
	}
	if e.EnhancedCode[1] == 7 && e.EnhancedCode[2] >= 8 && e.EnhancedCode[2] <= 13 {
		return true
	}
	if at == atMail {
		// Only the size speaks of the letter; the rest of our sender address.
		return e.Code != 552
	}
	text := strings.ToLower(e.Message)
	return at == atRcpt && (strings.Contains(text, "relay") || strings.Contains(text, "authenticat"))
}

// configTrouble gives a hint for the operator when waiting will not help.
func configTrouble(err error) string {
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.As(err, &cert), errors.As(err, &unknown), errors.As(err, &host):
		return "the server's certificate is not trusted: set the CA file, or the name the certificate was made for"
	}
	var ie *imap.Error
	if errors.As(err, &ie) && (ie.Code == imap.ResponseCodeOverQuota || strings.Contains(strings.ToLower(ie.Text), "quota")) {
		return "the mailbox is full: make room, so that letters can be filed"
	}
	if errors.As(err, &ie) && ie.Code == imap.ResponseCodeNonExistent {
		return "the mailbox is not there: it was deleted or renamed, or the configuration names another"
	}
	var mech errMechanism
	if errors.As(err, &mech) {
		return "no way to log in: set another auth, or connect with tls"
	}
	if strings.Contains(err.Error(), "token") {
		return "there is no access token: see to the token command or file"
	}
	var se *smtp.SMTPError
	atLogin := errors.As(err, &se) || strings.Contains(err.Error(), "imap login") || strings.Contains(err.Error(), "imap authenticate")
	if atLogin && loginRefused(err) {
		return "the server refuses the login: check user and password, or the token"
	}
	if strings.Contains(err.Error(), "first record does not look like a TLS handshake") {
		return "the server does not speak TLS on this port: set tls to starttls, or another port"
	}
	return ""
}

// refused says that the IMAP server answered NO or BAD and the connection lives
// on. Any other error of the library means that the connection is lost; it
// gives them as plain text, so there is nothing finer to tell.
func refused(err error) bool {
	var e *imap.Error
	return errors.As(err, &e) && e.Type != imap.StatusResponseTypeBye
}
