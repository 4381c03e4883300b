package mail

import (
	"cmp"
	"context"
	"encoding/base32"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"samizdat/mail/message"
)

func (c *imapConn) openFolder(ctx context.Context, name string) (b probeFolder, letters uint32, err error) {
	d, err := c.selectMailbox(ctx, name)
	if err != nil {
		return b, 0, err
	}
	b, letters = probeFolder{name, uint32(d.UIDNext)}, d.NumMessages
	if b.uidNext != 0 {
		return b, letters, nil
	}
	// The server did not return UIDNEXT.
	uids, _, err := c.listInbox(ctx)
	b.uidNext = 1
	if n := len(uids); n > 0 {
		b.uidNext = uint32(uids[n-1]) + 1
	}
	return b, letters, err
}

// maxProbed is the largest number of new letters in a folder that are searched.
const maxProbed = 50

type foundLetter struct {
	box     probeFolder
	uid     imap.UID
	arrived time.Time
}

// findLetter searches for a letter with a word in its subject. A SEARCH for the subject finds, on some servers,
// only indexed letters.
func (c *imapConn) findLetter(ctx context.Context, boxes []probeFolder, word string) (foundLetter, bool, error) {
	for _, b := range boxes {
		d, err := c.selectMailbox(ctx, b.name)
		if err != nil {
			return foundLetter{}, false, err
		}
		set := imap.UIDSet{imap.UIDRange{Start: imap.UID(b.uidNext)}}
		uids, err := c.search(ctx, imap.SearchCriteria{UID: []imap.UIDSet{set}})
		if err != nil {
			return foundLetter{}, false, err
		}
		var batch []listedLetter
		for _, uid := range uids {
			// "n:*" also returns the last letter if its UID is lower.
			if uid >= imap.UID(b.uidNext) {
				batch = append(batch, listedLetter{uid: uid, size: probeBytes})
			}
		}
		if len(batch) == 0 {
			continue
		}
		letters, err := c.fetch(ctx, d.UIDValidity, batch[max(0, len(batch)-maxProbed):], probeBytes)
		if err != nil {
			return foundLetter{}, false, err
		}
		for _, r := range letters {
			if strings.Contains(message.Read(r.Raw).Subject, word) {
				return foundLetter{b, imap.UID(r.UID), r.Arrived}, true, nil
			}
		}
	}
	return foundLetter{}, false, nil
}

// probeBytes is the number of bytes of each letter that are read.
const probeBytes = 32 << 10

// checkDelivery sends the letter and waits for it. If the letter does not arrive, a second one without "+" shows
// whether plus addressing is the cause.
func (p *Probe) checkDelivery(ctx context.Context, c *imapConn, boxes []probeFolder, t transport) {
	if p.InSubject {
		p.report(Remark, "plus addressing was not checked: tokens are in subjects", "")
		p.sendAndAwait(ctx, c, boxes, t, "")
		return
	}
	refusal, arrived := p.sendAndAwait(ctx, c, boxes, t, "+")
	if arrived {
		p.report(Fine, "plus addressing: letters to "+p.Address+" with a + and more before the @ reach the inbox", "")
		return
	}
	if refusal == nil {
		return
	}
	// The server may have closed the first connection during the wait.
	t, err := dialSMTP(ctx, p.Out)
	if err != nil {
		p.report(Wrong, "SMTP: "+err.Error(), connectAdvice(err, "smtp"))
		return
	}
	defer func() { _ = t.Close() }()
	if _, arrived = p.sendAndAwait(ctx, c, boxes, t, ""); arrived {
		p.report(Wrong, "plus addressing: "+refusal.Error(),
			"configure the mail server to deliver address+anything to the inbox, or set identity: token: subject")
	}
}

// sendAndAwait sends a letter and waits for it. blame is an error that plus addressing may have caused.
func (p *Probe) sendAndAwait(ctx context.Context, c *imapConn, boxes []probeFolder, t transport, plus string) (blame error, arrived bool) {
	local, domain, ok := message.SplitAddress(p.Address)
	word, err := p.newSubjectWord()
	if err == nil && !ok {
		err = fmt.Errorf("%q is not an address", p.Address)
	}
	if err != nil {
		p.report(Wrong, "the letter cannot be written: "+err.Error(), "")
		return nil, false
	}
	to := p.Address
	if plus != "" {
		to = local + plus + word + "@" + domain
	}
	if at, err := p.sendLetter(t, to, word); err != nil {
		if reply := classifyReply(at, err); plus != "" && at == atRcpt && reply.permanent {
			return fmt.Errorf("a letter to %s was refused (%s)", to, reply.reason), false
		}
		p.reportRefusal(to, at, err)
		return nil, false
	}
	arrived, err = p.awaitLetter(ctx, c, boxes, word, to)
	if arrived || err != nil {
		return nil, arrived
	}
	if plus == "" {
		p.report(Wrong, fmt.Sprintf("no letter arrived in the inbox within %v", p.Wait),
			"check the spam folder and the quota, check that the inbox belongs to "+p.Address+", or wait longer with --wait")
	}
	return fmt.Errorf("a letter to %s did not arrive within %v", to, p.Wait), false
}

// probeWord is the start of the subject word of every probe letter.
const probeWord = "doctor-"

// newSubjectWord returns a random word to find the letter by. It is about as long as a token, because some servers
// refuse long addresses.
func (p *Probe) newSubjectWord() (string, error) {
	b := make([]byte, 15)
	if _, err := io.ReadFull(p.random, b); err != nil {
		return "", err
	}
	return probeWord + strings.ToLower(base32.StdEncoding.EncodeToString(b)), nil
}

func (p *Probe) sendLetter(t transport, to, word string) (stage, error) {
	_, domain, _ := message.SplitAddress(p.Address)
	raw, err := message.Draft{
		From: p.Address, FromName: p.Name, To: to, Subject: "Samizdat tries out the mail: " + word,
		MessageID: word + "@" + domain, Date: p.now(), AutoSubmitted: "auto-generated",
		Text: "samizdat doctor sent this letter to its own address, to check that it arrives.\nThere is nothing to do.\n",
	}.Render()
	if err != nil {
		return atData, err
	}
	return t.deliver(Outgoing{EnvelopeFrom: p.Address, To: to, Raw: raw})
}

// reportRefusal reports that a server refused the letter, for a reason other than plus addressing.
func (p *Probe) reportRefusal(to string, at stage, err error) {
	do := cmp.Or(Hint(err), "check that "+p.Address+" is the account's own address, that it may send as that, and its sending limits")
	p.report(Wrong, fmt.Sprintf("SMTP: a letter to %s was refused: %s", to, classifyReply(at, err).reason), do)
}

// awaitLetter waits for the letter and moves it. It reports everything except a missing letter. After an error it is
// unknown whether the letter arrived.
func (p *Probe) awaitLetter(ctx context.Context, c *imapConn, boxes []probeFolder, word, to string) (arrived bool, err error) {
	started := p.now()
	until := time.Now().Add(p.Wait)
	wasFound := false
	for {
		f, ok, err := c.findLetter(ctx, boxes, word)
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case err != nil:
			p.report(Wrong, "IMAP: the folders cannot be searched: "+err.Error(), connectAdvice(err, "imap"))
			return false, err
		case ok:
			inInbox := f.box == boxes[0]
			if !wasFound {
				took := p.now().Sub(started)
				p.report(Fine, fmt.Sprintf("a letter to %s came back after %.1f seconds", to, took.Seconds()), "")
				p.checkClock(f.arrived, started)
			}
			if !inInbox || !p.HasDaemon {
				p.fileLetter(ctx, c, f, inInbox)
				return true, nil
			}
			wasFound = true
		}
		if time.Now().After(until) || !sleep(ctx, p.interval) {
			break
		}
	}
	if wasFound {
		p.report(Wrong, fmt.Sprintf("the running daemon left the letter in the inbox for %v", p.Wait),
			"check its log, and whether it reads the same inbox")
	}
	return wasFound, nil
}

func (p *Probe) fileLetter(ctx context.Context, c *imapConn, f foundLetter, inInbox bool) {
	if !inInbox {
		p.report(Fine, "the letter was already moved to "+f.box.name, "")
		return
	}
	if err := c.moveMessages(ctx, []imap.UID{f.uid}, c.folderName(Ignored)); err != nil {
		p.report(Wrong, fmt.Sprintf("IMAP: the letter cannot be moved to %s: %v", c.folderName(Ignored), err),
			"check that the account may move letters")
		return
	}
	p.report(Fine, "the letter was moved to "+c.folderName(Ignored), "")
}

const maxClockOffset = 2 * time.Minute

func (p *Probe) checkClock(arrived, sent time.Time) {
	var difference time.Duration
	now := p.now()
	switch {
	case arrived.IsZero():
		p.report(Remark, "clock: the mail server does not report when the letter arrived", "")
		return
	case arrived.Before(sent):
		difference = sent.Sub(arrived)
	case arrived.After(now):
		difference = arrived.Sub(now)
	}
	if difference <= maxClockOffset {
		p.report(Fine, "clock: this machine and the mail server agree to two minutes", "")
		return
	}
	p.report(Wrong, fmt.Sprintf("clock: this machine says %s, and the mail server's time differs by %v",
		now.UTC().Format("2006-01-02 15:04 UTC"), difference.Round(time.Second)),
		"set the clock of this machine (timedatectl)")
}

const (
	// Percentages of the quota: from nearlyFull on a remark is shown; from FullMailbox on letters may not arrive.
	nearlyFull  = 80
	FullMailbox = 97
)

// checkQuota reports how full the mailbox is. A full mailbox receives no letters, and no letter can be moved.
func (p *Probe) checkQuota(ctx context.Context, c *imapConn) {
	if !c.client.Caps().Has(imap.CapQuota) {
		p.report(Remark, "IMAP: the server does not say how full the mailbox is; handled letters are never deleted, so look now and then", "")
		return
	}
	roots, err := c.quotas(ctx, p.In.Mailbox)
	if err != nil {
		p.report(Remark, "IMAP: reading the quota failed: "+err.Error(), "")
		return
	}
	limited := false
	for what, r := range quotaLimits(roots) {
		limited = true
		p.reportFullness(what, r.Usage, r.Limit)
	}
	if !limited {
		p.report(Fine, "IMAP: the mailbox has no limit", "")
	}
}

func (c *imapConn) quotas(ctx context.Context, mailbox string) (roots []imapclient.QuotaData, err error) {
	err = c.run(ctx, "getquotaroot", c.timeout, func() (err error) {
		roots, err = c.client.GetQuotaRoot(mailbox).Wait()
		return err
	})
	return roots, err
}

// quotaLimits iterates over the limits of size and number of letters.
func quotaLimits(roots []imapclient.QuotaData) iter.Seq2[imap.QuotaResourceType, imapclient.QuotaResourceData] {
	return func(yield func(imap.QuotaResourceType, imapclient.QuotaResourceData) bool) {
		for _, root := range roots {
			for _, what := range []imap.QuotaResourceType{imap.QuotaResourceStorage, imap.QuotaResourceMessage} {
				if r, ok := root.Resources[what]; ok && r.Limit > 0 && !yield(what, r) {
					return
				}
			}
		}
	}
}

// checkFullness records how full the mailbox is. Letters to a full mailbox bounce.
func (p *Poller) checkFullness(ctx context.Context, c *imapConn) error {
	skip := p.quotaLost
	p.quotaLost = false
	if !c.quota || skip {
		return nil
	}
	roots, err := c.quotas(ctx, p.cfg.Mailbox)
	if isCommandRefusal(err) {
		c.quota = false // The server does not report the quota.
		return nil
	}
	if err != nil {
		p.quotaLost = true
		return err
	}
	percent := int64(0)
	for _, r := range quotaLimits(roots) {
		percent = max(percent, 100*r.Usage/r.Limit)
	}
	p.percentFull.Store(int32(min(percent, 1000)))
	return nil
}

// RoomHint says how to make room in a full mailbox.
const RoomHint = "delete old letters in the folders below Samizdat, or get more room: a full mailbox takes no letters"

// reportFullness reports a limit; sizes are in kilobytes.
func (p *Probe) reportFullness(what imap.QuotaResourceType, usage, limit int64) {
	percent, unit := 100*usage/limit, "letters"
	if what == imap.QuotaResourceStorage {
		unit, usage, limit = "MB", usage>>10, limit>>10
	}
	text := fmt.Sprintf("IMAP: the mailbox is full to %d percent, %d of %d %s", percent, usage, limit, unit)
	switch {
	case percent >= FullMailbox:
		p.report(Wrong, text, RoomHint)
	case percent >= nearlyFull:
		p.report(Remark, text, RoomHint)
	default:
		p.report(Fine, text, "")
	}
}
