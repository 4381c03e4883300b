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

// openFolder opens a folder and says from which number on its letters will be new, and
// how many lie in it.
func (c *imapConn) openFolder(ctx context.Context, name string) (b probeFolder, letters uint32, err error) {
	d, err := c.selectMailbox(ctx, name)
	if err != nil {
		return b, 0, err
	}
	b, letters = probeFolder{name, uint32(d.UIDNext)}, d.NumMessages
	if b.uidNext != 0 {
		return b, letters, nil
	}
	// The server does not say which number comes next.
	uids, _, err := c.listInbox(ctx)
	b.uidNext = 1
	if n := len(uids); n > 0 {
		b.uidNext = uint32(uids[n-1]) + 1
	}
	return b, letters, err
}

// maxProbed is how many new letters of a folder are read in search of ours.
const maxProbed = 50

// foundLetter is our letter, and where it lies.
type foundLetter struct {
	box     probeFolder
	uid     imap.UID
	arrived time.Time
}

// findLetter looks for a letter with a word in its subject. A search for the subject
// would be shorter, but some servers find only what they have indexed.
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
			// "n:*" is the last letter, too, where none has so high a number.
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

// probeBytes is how much of a letter is read to know it.
const probeBytes = 32 << 10

// checkDelivery sends the letter, waits for it and files it away; a second one, without
// the plus, tells what is to blame when the first does not come.
func (p *Probe) checkDelivery(ctx context.Context, c *imapConn, boxes []probeFolder, t transport) {
	if p.InSubject {
		p.report(Remark, "plus addressing was not looked at: tokens stand in subjects", "")
		p.sendAndAwait(ctx, c, boxes, t, "")
		return
	}
	refusal, came := p.sendAndAwait(ctx, c, boxes, t, "+")
	if came {
		p.report(Fine, "plus addressing: letters to "+p.Address+" with a + and more before the @ come to the inbox", "")
		return
	}
	if refusal == nil {
		return
	}
	// The first connection may have been closed while we waited.
	t, err := dialSMTP(ctx, p.Out)
	if err != nil {
		p.report(Wrong, "SMTP: "+err.Error(), connectAdvice(err, "smtp"))
		return
	}
	defer func() { _ = t.Close() }()
	if _, came = p.sendAndAwait(ctx, c, boxes, t, ""); came {
		p.report(Wrong, "plus addressing: "+refusal.Error(),
			"let the mail server deliver address+anything to the inbox, or set identity: token: subject")
	}
}

// sendAndAwait sends a letter and waits for it. The error is the one that the plus
// may be to blame for.
func (p *Probe) sendAndAwait(ctx context.Context, c *imapConn, boxes []probeFolder, t transport, plus string) (blame error, came bool) {
	local, domain, ok := message.SplitAddress(p.Address)
	word, err := p.newSubjectWord()
	if err == nil && !ok {
		err = fmt.Errorf("%q is not an address", p.Address)
	}
	if err != nil {
		p.report(Wrong, "no letter can be made: "+err.Error(), "")
		return nil, false
	}
	to := p.Address
	if plus != "" {
		to = local + plus + word + "@" + domain
	}
	if at, err := p.sendLetter(t, to, word); err != nil {
		if v := classifyReply(at, err); plus != "" && at == atRcpt && v.permanent {
			return fmt.Errorf("a letter to %s is not taken (%s)", to, v.reason), false
		}
		p.reportRefusal(to, at, err)
		return nil, false
	}
	came, err = p.awaitLetter(ctx, c, boxes, word, to)
	if came || err != nil {
		return nil, came
	}
	if plus == "" {
		p.report(Wrong, fmt.Sprintf("no letter came to the inbox within %v", p.Wait),
			"look in the spam folder and whether the mailbox is full, check that the inbox belongs to "+p.Address+", or wait longer with --wait")
	}
	return fmt.Errorf("a letter to %s did not come within %v", to, p.Wait), false
}

// probeWord is what the words of all such letters begin with.
const probeWord = "doctor-"

// newSubjectWord is what the letter is known by. It is about as long as a token, for the
// sake of servers that think little of long addresses.
func (p *Probe) newSubjectWord() (string, error) {
	b := make([]byte, 15)
	if _, err := io.ReadFull(p.random, b); err != nil {
		return "", err
	}
	return probeWord + strings.ToLower(base32.StdEncoding.EncodeToString(b)), nil
}

// sendLetter hands in the letter.
func (p *Probe) sendLetter(t transport, to, word string) (stage, error) {
	_, domain, _ := message.SplitAddress(p.Address)
	raw, err := message.Draft{
		From: p.Address, FromName: p.Name, To: to, Subject: "Samizdat tries out the mail: " + word,
		MessageID: word + "@" + domain, Date: p.now(), AutoSubmitted: "auto-generated",
		Text: "samizdat doctor has sent this letter to its own address, to see whether it arrives.\nNothing has to be done.\n",
	}.Render()
	if err != nil {
		return atData, err
	}
	return t.deliver(Outgoing{EnvelopeFrom: p.Address, To: to, Raw: raw})
}

// reportRefusal tells that a server does not take the letter, and not for the plus.
func (p *Probe) reportRefusal(to string, at stage, err error) {
	do := cmp.Or(operatorHint(err), "check that "+p.Address+" is the account's own address, that it may send as that, and its sending limits")
	p.report(Wrong, fmt.Sprintf("SMTP: a letter to %s was not taken: %s", to, classifyReply(at, err).reason), do)
}

// awaitLetter waits until the letter lies where it should, and files it away. It tells
// of everything but that a letter did not come; after an error nothing can be said
// of that.
func (p *Probe) awaitLetter(ctx context.Context, c *imapConn, boxes []probeFolder, word, to string) (came bool, err error) {
	began := p.now()
	until := time.Now().Add(p.Wait)
	waiting := false
	for {
		f, ok, err := c.findLetter(ctx, boxes, word)
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case err != nil:
			p.report(Wrong, "IMAP: the folders cannot be looked through: "+err.Error(), connectAdvice(err, "imap"))
			return false, err
		case ok:
			inInbox := f.box == boxes[0]
			if !waiting {
				took := p.now().Sub(began)
				p.report(Fine, fmt.Sprintf("a letter to %s came back after %.1f seconds", to, took.Seconds()), "")
				p.checkClock(f.arrived, began)
			}
			if !inInbox || !p.Served {
				p.fileLetter(ctx, c, f, inInbox)
				return true, nil
			}
			waiting = true
		}
		if time.Now().After(until) || !sleep(ctx, p.interval) {
			break
		}
	}
	if waiting {
		p.report(Wrong, fmt.Sprintf("the daemon that is running left the letter in the inbox for %v", p.Wait),
			"look into its log, and whether it reads the same inbox")
	}
	return waiting, nil
}

// fileLetter moves the letter out of the inbox.
func (p *Probe) fileLetter(ctx context.Context, c *imapConn, f foundLetter, inInbox bool) {
	if !inInbox {
		p.report(Fine, "the letter was filed away to "+f.box.name+" already", "")
		return
	}
	if err := c.moveMessages(ctx, []imap.UID{f.uid}, c.folderName(Ignored)); err != nil {
		p.report(Wrong, fmt.Sprintf("IMAP: the letter cannot be moved to %s: %v", c.folderName(Ignored), err),
			"check that the account may change its folders")
		return
	}
	p.report(Fine, "the letter was moved to "+c.folderName(Ignored), "")
}

// maxClockOffset is by how much clocks may differ.
const maxClockOffset = 2 * time.Minute

// checkClock compares the time at which the mail server says that the letter came with
// the time in which it must have come by our clock.
func (p *Probe) checkClock(arrived, sent time.Time) {
	var off time.Duration
	now := p.now()
	switch {
	case arrived.IsZero():
		p.report(Remark, "clock: the mail server does not say when the letter came", "")
		return
	case arrived.Before(sent):
		off = sent.Sub(arrived)
	case arrived.After(now):
		off = arrived.Sub(now)
	}
	if off <= maxClockOffset {
		p.report(Fine, "clock: this machine and the mail server agree to two minutes", "")
		return
	}
	p.report(Wrong, fmt.Sprintf("clock: this machine says %s, and the mail server's time differs by %v",
		now.UTC().Format("2006-01-02 15:04 UTC"), off.Round(time.Second)),
		"set the clock of this machine (timedatectl)")
}

const (
	// nearlyFull is the part of its room, in percent, from which on a mailbox deserves a
	// remark, and FullMailbox that from which on letters may not come.
	nearlyFull  = 80
	FullMailbox = 97
)

// checkQuota says how full the mailbox is. A full one takes no letters, and none can be
// filed.
func (p *Probe) checkQuota(ctx context.Context, c *imapConn) {
	if !c.client.Caps().Has(imap.CapQuota) {
		p.report(Remark, "IMAP: the server does not say how full the mailbox is; handled letters are never deleted, so look now and then", "")
		return
	}
	roots, err := c.quotas(ctx, p.In.Mailbox)
	if err != nil {
		p.report(Remark, "IMAP: it cannot be told how full the mailbox is: "+err.Error(), "")
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

// quotas asks how full a mailbox is. The server must be one that says so.
func (c *imapConn) quotas(ctx context.Context, mailbox string) (roots []imapclient.QuotaData, err error) {
	err = c.run(ctx, "getquotaroot", c.timeout, func() (err error) {
		roots, err = c.client.GetQuotaRoot(mailbox).Wait()
		return err
	})
	return roots, err
}

// quotaLimits are those of the size and of the number of letters.
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

// checkFullness notes how full the mailbox is, where the server says so: when it is full, letters come back
// to the players who wrote them.
func (p *Poller) checkFullness(ctx context.Context, c *imapConn) error {
	skip := p.quotaLost
	p.quotaLost = false
	if !c.quota || skip {
		return nil
	}
	roots, err := c.quotas(ctx, p.cfg.Mailbox)
	if isCommandRefusal(err) {
		c.quota = false // This server does not say.
		return nil
	}
	if err != nil {
		p.quotaLost = true
		return err
	}
	most := int64(0)
	for _, r := range quotaLimits(roots) {
		most = max(most, 100*r.Usage/r.Limit)
	}
	p.percentFull.Store(int32(min(most, 1000)))
	return nil
}

// RoomHint says how a full mailbox gets room.
const RoomHint = "delete old letters in the folders below Samizdat, or get more room: a full mailbox takes no letters"

// reportFullness tells of one limit; that of the size is in kilobytes.
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
