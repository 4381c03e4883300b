package mail

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// machineMail tells why a letter comes from a machine, by RFC 3834 and by
// what older programs do.
func machineMail(h message.Header, from []string) string {
	if v := word(h, "Auto-Submitted"); v != "" && v != "no" {
		return "Auto-Submitted: " + v
	}
	switch v := word(h, "Precedence"); v {
	case "bulk", "list", "junk", "auto_reply":
		return "Precedence: " + v
	}
	if h.Has("List-Id") {
		return "List-Id"
	}
	for _, key := range []string{"X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Mail-Autoreply", "Autoreply"} {
		if v := word(h, key); v != "" && v != "no" {
			return key
		}
	}
	if h.Has("Return-Path") && strings.TrimSpace(h.Get("Return-Path")) == "<>" {
		return "Return-Path: <>"
	}
	for _, a := range from {
		if local, _, _ := strings.Cut(a, "@"); local == "mailer-daemon" || local == "postmaster" {
			return "From: " + local
		}
	}
	return ""
}

// word gives the first word of a field, in lower case.
func word(h message.Header, key string) string {
	v, _, _ := strings.Cut(h.Get(key), ";")
	f := strings.Fields(strings.ToLower(tidyLine(v)))
	if len(f) == 0 {
		return ""
	}
	return f[0]
}

// Bounce is one recipient in a delivery report (RFC 3464).
type Bounce struct {
	// Recipient is the address that was not reached.
	Recipient string
	// Action is failed, delayed, delivered, relayed or expanded.
	Action string
	// Status is the enhanced code, such as 5.1.1.
	Status string
	// Reason is what the other server said.
	Reason string
	// MessageID names the letter that came back, when the report tells.
	MessageID string
}

// readStatus reads the fields of a message/delivery-status part.
func readStatus(r io.Reader) []Bounce {
	br := bufio.NewReader(io.LimitReader(r, 1<<18))
	var out []Bounce
	for len(out) < 100 {
		h, err := textproto.ReadHeader(br)
		if err != nil || h.Len() == 0 {
			// An empty block ends the report; so does a damaged one.
			if _, peek := br.Peek(1); err != nil || peek != nil {
				return out
			}
			continue
		}
		to := h.Get("Final-Recipient")
		if v := h.Get("Original-Recipient"); v != "" {
			to = v
		}
		if to == "" {
			continue
		}
		out = append(out, Bounce{
			Recipient: cleanAddress(strings.Trim(afterSemicolon(to), "<>")),
			Action:    strings.ToLower(tidyLine(h.Get("Action"))),
			Status:    tidyLine(h.Get("Status")),
			Reason:    tidyLine(afterSemicolon(h.Get("Diagnostic-Code"))),
		})
	}
	return out
}

func afterSemicolon(s string) string {
	if _, v, ok := strings.Cut(s, ";"); ok {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(s)
}

// returned looks for the Message-ID of the letter that came back.
func (w *walker) returned(r io.Reader) {
	if len(w.letter.Bounces) == 0 {
		return
	}
	b, _ := io.ReadAll(io.LimitReader(r, 1<<18))
	h, err := textproto.ReadHeader(bufio.NewReader(bytes.NewReader(append(b, "\r\n\r\n"...))))
	if err != nil {
		return
	}
	id := firstID(h.Get("Message-Id"))
	for i := range w.letter.Bounces {
		w.letter.Bounces[i].MessageID = id
	}
}
