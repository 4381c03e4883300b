package clubmail_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/mail"
)

// takesDigest lets a member get a digest, and returns its bytes.
func (h *house) takesDigest(name string) string {
	h.t.Helper()
	h.answers(name, "DIGEST DAILY")
	h.now = h.now.AddDate(0, 0, 2)
	h.due()
	h.deliver()
	raw := h.raw[at(name)]
	if got := raw[len(raw)-1]; strings.Contains(got, "List-Unsubscribe") {
		return got
	}
	h.t.Fatalf("%s gets no digest", name)
	return ""
}

func (h *house) digestOf(name string) club.Digest {
	h.t.Helper()
	m, err := h.db.Club.MemberByAddress(h.t.Context(), at(name))
	if err != nil {
		h.t.Fatal(err)
	}
	return m.Settings.Digest
}

// complains takes in a complaint of a mail provider about a letter (RFC 5965).
func (h *house) complains(kind, about string) {
	h.t.Helper()
	h.uid++
	raw := fmt.Sprintf("From: feedback@provider.test\r\nTo: %s\r\nSubject: complaint\r\nMessage-ID: <c%d@provider.test>\r\nMIME-Version: 1.0\r\n"+
		"Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n"+
		"--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: %s\r\nUser-Agent: Provider/1\r\nVersion: 1\r\n"+
		"Original-Rcpt-To: <ada@players.test>\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n%s\r\n--b--\r\n",
		h.codec.Address, h.uid, kind, about)
	if _, err := h.handler().Handle(h.t.Context(), mail.Received{UIDValidity: 1, UID: h.uid, Arrived: h.now, Size: int64(len(raw)), Raw: []byte(raw)}); err != nil {
		h.t.Fatal(err)
	}
	h.deliver()
}

// TestUnsubscribe: the link of a digest ends the digests of its reader alone, and a forged one does nothing.
func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.codec.UnsubscribeURL = "https://club.test/unsubscribe/"
	h.adj.Codec = h.codec
	h.club = nil
	h.open()
	h.joins("Ada", "Ben")
	h.takesDigest("Ben")
	header, _, _ := strings.Cut(h.takesDigest("Ada"), "\r\n\r\n")
	header = strings.ReplaceAll(header, "\r\n ", "")
	m := regexp.MustCompile(`List-Unsubscribe: ?<https://club\.test/unsubscribe/(\d+-[0-9a-f]{32})>, ?<mailto:`).FindStringSubmatch(header)
	if m == nil || !strings.Contains(header, "List-Unsubscribe-Post: List-Unsubscribe=One-Click") {
		t.Fatalf("the header of a digest is\n%s", header)
	}
	for _, forged := range []string{"", "1", "1-", "2" + m[1][1:], m[1][:len(m[1])-1] + "0x", "-" + m[1]} {
		if isValid, err := h.club.Unsubscribe(t.Context(), forged); isValid || err != nil {
			t.Errorf("%q is genuine, %v", forged, err)
		}
	}
	if h.digestOf("Ada") == "" {
		t.Error("a forged link ends the digests")
	}
	for range 2 { // again without effect
		if isValid, err := h.club.Unsubscribe(t.Context(), m[1]); !isValid || err != nil || h.digestOf("Ada") != "" || h.digestOf("Ben") == "" {
			t.Errorf("after the link Ada gets %q, Ben %q, %v, %v", h.digestOf("Ada"), h.digestOf("Ben"), isValid, err)
		}
	}
}

// TestComplaint: a complaint about a digest ends the digests of its reader, and the director is told once. A complaint of another
// type, or about a letter that is not ours, does nothing. One about a letter of a match counts as a bounce.
func TestComplaint(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.takesDigest("Ben")
	digest := h.takesDigest("Ada")
	told := len(h.mailbox[at("director")])
	h.complains("not-spam", digest)
	h.complains("abuse", "Message-ID: <club-c1-9-aaaaaaaaaaaaaaaa@club.test>\r\nSubject: Forged\r\n\r\nNo.")
	h.complains("abuse", regexp.MustCompile(`club-c1-`).ReplaceAllString(digest, "club-c2-"))
	if h.digestOf("Ada") == "" || h.digestOf("Ben") == "" || len(h.mailbox[at("director")]) != told {
		t.Fatal("a complaint counts that should not")
	}
	h.complains("abuse", digest)
	h.complains("abuse", digest)
	if h.digestOf("Ada") != "" || len(h.mailbox[at("director")]) != told+1 {
		t.Errorf("after a complaint Ada gets %q, the director got %d letters", h.digestOf("Ada"), len(h.mailbox[at("director")])-told)
	}
	golden(t, "digest/complaint.txt", h.last("director").Subject+"\n\n"+h.last("director").Text)
	h.answers("Ben", "OFFER 1989 AS DEMOCRAT TEMPO fast")
	h.answers("Ada", "ACCEPT 1")
	m := h.match("Ada")
	h.now = h.now.Add(time.Minute)
	for _, raw := range h.raw[at("Ada")] {
		if strings.Contains(raw, "["+m.ID+"]") {
			h.complains("abuse", raw)
		}
	}
	if n, err := h.db.CountBounces(t.Context(), m.ID); err != nil || n[1] != 1 {
		t.Errorf("bounces %v, %v", n, err)
	}
}
