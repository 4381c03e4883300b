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

func (c *imapConn) openFolder(ctx context.Context, name string) (folder probeFolder, letters uint32, err error) {
	selected, err := c.selectMailbox(ctx, name)
	if err != nil {
		return folder, 0, err
	}
	folder, letters = probeFolder{name, uint32(selected.UIDNext)}, selected.NumMessages
	if folder.uidNext != 0 {
		return folder, letters, nil
	}
	// The server did not return UIDNEXT.
	uids, _, err := c.listInbox(ctx)
	folder.uidNext = 1
	if n := len(uids); n > 0 {
		folder.uidNext = uint32(uids[n-1]) + 1
	}
	return folder, letters, err
}

// maxProbed is how many letters are read at most in each folder, the newest ones.
const maxProbed = 50

type foundLetter struct {
	folder  probeFolder
	uid     imap.UID
	arrived time.Time
}

// findLetter searches the folders for the letter that has word in its subject. It reads the subjects itself, because
// on some servers SEARCH finds only indexed letters.
func (c *imapConn) findLetter(ctx context.Context, folders []probeFolder, word string) (foundLetter, bool, error) {
	for _, folder := range folders {
		selected, err := c.selectMailbox(ctx, folder.name)
		if err != nil {
			return foundLetter{}, false, err
		}
		set := imap.UIDSet{imap.UIDRange{Start: imap.UID(folder.uidNext)}}
		uids, err := c.search(ctx, imap.SearchCriteria{UID: []imap.UIDSet{set}})
		if err != nil {
			return foundLetter{}, false, err
		}
		var batch []listedLetter
		for _, uid := range uids {
			// "n:*" also returns the last letter if its UID is lower.
			if uid >= imap.UID(folder.uidNext) {
				batch = append(batch, listedLetter{uid: uid, size: probeBytes})
			}
		}
		if len(batch) == 0 {
			continue
		}
		letters, err := c.fetch(ctx, selected.UIDValidity, batch[max(0, len(batch)-maxProbed):], probeBytes)
		if err != nil {
			return foundLetter{}, false, err
		}
		for _, letter := range letters {
			if strings.Contains(message.Read(letter.Raw).Subject, word) {
				return foundLetter{folder, imap.UID(letter.UID), letter.Arrived}, true, nil
			}
		}
	}
	return foundLetter{}, false, nil
}

// probeBytes is how many bytes of each letter are read, enough for the subject.
const probeBytes = 32 << 10

// checkDelivery sends a letter to an address with "+". If it does not arrive, a second letter to the address without
// "+" shows whether plus addressing is the cause.
func (p *Probe) checkDelivery(ctx context.Context, c *imapConn, folders []probeFolder, conn transport) {
	if p.TokensInSubject {
		p.report(LevelInfo, "plus addressing was not checked: tokens are in subjects", "")
		p.sendAndAwait(ctx, c, folders, conn, "")
		return
	}
	refusal, arrived := p.sendAndAwait(ctx, c, folders, conn, "+")
	if arrived {
		p.report(LevelOK, "plus addressing: letters to "+p.Address+" with a + and more before the @ reach the inbox", "")
		return
	}
	if refusal == nil {
		return
	}
	// The server may have closed the first connection during the wait.
	conn, err := dialSMTP(ctx, p.SMTP)
	if err != nil {
		p.report(LevelError, "SMTP: "+err.Error(), connectAdvice(err, "smtp"))
		return
	}
	defer func() { _ = conn.Close() }()
	if _, arrived = p.sendAndAwait(ctx, c, folders, conn, ""); arrived {
		p.report(LevelError, "plus addressing: "+refusal.Error(),
			"configure the mail server to deliver address+anything to the inbox, or set identity: token: subject")
	}
}

// sendAndAwait sends a letter to judge+doctor-...@x if plus is "+", or to judge@x if plus is "", and waits for it.
// plusError is an error that a server without plus addressing may have caused.
func (p *Probe) sendAndAwait(ctx context.Context, c *imapConn, folders []probeFolder, conn transport,
	plus string) (plusError error, arrived bool) {
	local, domain, ok := message.SplitAddress(p.Address)
	word, err := p.newSubjectWord()
	if err == nil && !ok {
		err = fmt.Errorf("%q is not an address", p.Address)
	}
	if err != nil {
		p.report(LevelError, "the letter cannot be written: "+err.Error(), "")
		return nil, false
	}
	to := p.Address
	if plus != "" {
		to = local + plus + word + "@" + domain
	}
	if failedStage, err := p.sendLetter(conn, to, word); err != nil {
		if reply := classifyReply(failedStage, err); plus != "" && failedStage == atRcpt && reply.isPermanent {
			return fmt.Errorf("a letter to %s was refused (%s)", to, reply.reason), false
		}
		p.reportRefusal(to, failedStage, err)
		return nil, false
	}
	arrived, err = p.awaitLetter(ctx, c, folders, word, to)
	if arrived || err != nil {
		return nil, arrived
	}
	if plus == "" {
		p.report(LevelError, fmt.Sprintf("no letter arrived in the inbox within %v", p.Wait),
			"check the spam folder and the quota, check that the inbox belongs to "+p.Address+", or wait longer with --wait")
	}
	return fmt.Errorf("a letter to %s did not arrive within %v", to, p.Wait), false
}

const probeWordPrefix = "doctor-"

// newSubjectWord returns a random word to find the letter by, for example "doctor-mfzwizltoqqhg2ltonswg5lt". The word may
// also follow the "+" of the address; it is about as long as a token, because some servers refuse long addresses.
func (p *Probe) newSubjectWord() (string, error) {
	b := make([]byte, 15)
	if _, err := io.ReadFull(p.random, b); err != nil {
		return "", err
	}
	return probeWordPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(b)), nil
}

func (p *Probe) sendLetter(conn transport, to, word string) (stage, error) {
	_, domain, _ := message.SplitAddress(p.Address)
	raw, err := message.Draft{
		From: p.Address, FromName: p.Name, To: to, Subject: "Samizdat tries out the mail: " + word,
		MessageID: word + "@" + domain, Date: p.now(), AutoSubmitted: "auto-generated",
		Text: "samizdat doctor sent this letter to its own address, to check that it arrives.\nThere is nothing to do.\n",
	}.Render()
	if err != nil {
		return atData, err
	}
	return conn.deliver(Outgoing{EnvelopeFrom: p.Address, To: to, Raw: raw})
}

// reportRefusal reports that a server refused the letter for a reason other than plus addressing.
func (p *Probe) reportRefusal(to string, failedStage stage, err error) {
	advice := cmp.Or(Hint(err), "check that "+p.Address+" is the account's own address, that it may send as that, and its sending limits")
	p.report(LevelError, fmt.Sprintf("SMTP: a letter to %s was refused: %s", to, classifyReply(failedStage, err).reason), advice)
}

// awaitLetter waits until the letter has arrived, and moves it to a folder; with HasDaemon it waits until the daemon
// has moved it. If the letter does not arrive, the caller reports it; all other results are reported here. After an
// error it is unknown whether the letter arrived.
func (p *Probe) awaitLetter(ctx context.Context, c *imapConn, folders []probeFolder, word, to string) (arrived bool, err error) {
	started := p.now()
	until := time.Now().Add(p.Wait)
	wasFound := false
	for {
		found, isFound, err := c.findLetter(ctx, folders, word)
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case err != nil:
			p.report(LevelError, "IMAP: the folders cannot be searched: "+err.Error(), connectAdvice(err, "imap"))
			return false, err
		case isFound:
			inInbox := found.folder == folders[0]
			if !wasFound {
				duration := p.now().Sub(started)
				p.report(LevelOK, fmt.Sprintf("a letter to %s came back after %.1f seconds", to, duration.Seconds()), "")
				p.checkClock(found.arrived, started)
			}
			if !inInbox || !p.HasDaemon {
				p.fileLetter(ctx, c, found, inInbox)
				return true, nil
			}
			wasFound = true
		}
		if time.Now().After(until) || !sleep(ctx, p.interval) {
			break
		}
	}
	if wasFound {
		p.report(LevelError, fmt.Sprintf("the running daemon left the letter in the inbox for %v", p.Wait),
			"check its log, and whether it reads the same inbox")
	}
	return wasFound, nil
}

// fileLetter moves the letter to the folder Ignored if it is still in the inbox.
func (p *Probe) fileLetter(ctx context.Context, c *imapConn, found foundLetter, inInbox bool) {
	if !inInbox {
		p.report(LevelOK, "the letter was already moved to "+found.folder.name, "")
		return
	}
	if err := c.moveMessages(ctx, []imap.UID{found.uid}, c.folderName(Ignored)); err != nil {
		p.report(LevelError, fmt.Sprintf("IMAP: the letter cannot be moved to %s: %v", c.folderName(Ignored), err),
			"check that the account may move letters")
		return
	}
	p.report(LevelOK, "the letter was moved to "+c.folderName(Ignored), "")
}

const maxClockOffset = 2 * time.Minute

func (p *Probe) checkClock(arrived, sent time.Time) {
	var difference time.Duration
	now := p.now()
	switch {
	case arrived.IsZero():
		p.report(LevelInfo, "clock: the mail server does not report when the letter arrived", "")
		return
	case arrived.Before(sent):
		difference = sent.Sub(arrived)
	case arrived.After(now):
		difference = arrived.Sub(now)
	}
	if difference <= maxClockOffset {
		p.report(LevelOK, "clock: this machine and the mail server agree to two minutes", "")
		return
	}
	p.report(LevelError, fmt.Sprintf("clock: this machine says %s, and the mail server's time differs by %v",
		now.UTC().Format("2006-01-02 15:04 UTC"), difference.Round(time.Second)),
		"set the clock of this machine (timedatectl)")
}

const (
	// nearlyFullPercent is the used percentage of the quota from which the probe advises to make room.
	nearlyFullPercent = 80
	// FullMailboxPercent is the used percentage of the quota from which letters may bounce.
	FullMailboxPercent = 97
)

// checkQuota reports how full the mailbox is. In a full mailbox no letter arrives and no letter can be moved.
func (p *Probe) checkQuota(ctx context.Context, c *imapConn) {
	if !c.client.Caps().Has(imap.CapQuota) {
		p.report(LevelInfo, "IMAP: the server does not say how full the mailbox is; handled letters are never deleted, so check now and then", "")
		return
	}
	roots, err := c.quotas(ctx, p.IMAP.Mailbox)
	if err != nil {
		p.report(LevelInfo, "IMAP: reading the quota failed: "+err.Error(), "")
		return
	}
	hasLimit := false
	for resource, r := range quotaLimits(roots) {
		hasLimit = true
		p.reportFullness(resource, r.Usage, r.Limit)
	}
	if !hasLimit {
		p.report(LevelOK, "IMAP: the mailbox has no limit", "")
	}
}

func (c *imapConn) quotas(ctx context.Context, mailbox string) (roots []imapclient.QuotaData, err error) {
	err = c.run(ctx, "getquotaroot", c.timeout, func() (err error) {
		roots, err = c.client.GetQuotaRoot(mailbox).Wait()
		return err
	})
	return roots, err
}

// quotaLimits iterates over the limits of a mailbox: its size in KiB, and its number of letters. It skips a resource
// that has no limit.
func quotaLimits(roots []imapclient.QuotaData) iter.Seq2[imap.QuotaResourceType, imapclient.QuotaResourceData] {
	return func(yield func(imap.QuotaResourceType, imapclient.QuotaResourceData) bool) {
		for _, root := range roots {
			for _, resource := range []imap.QuotaResourceType{imap.QuotaResourceStorage, imap.QuotaResourceMessage} {
				if r, ok := root.Resources[resource]; ok && r.Limit > 0 && !yield(resource, r) {
					return
				}
			}
		}
	}
}

// checkFullness stores in percentFull how full the mailbox is, because letters to a full mailbox bounce.
func (p *Poller) checkFullness(ctx context.Context, c *imapConn) error {
	skip := p.skipsQuota
	p.skipsQuota = false
	if !c.hasQuota || skip {
		return nil
	}
	roots, err := c.quotas(ctx, p.cfg.Mailbox)
	if isCommandRefusal(err) {
		c.hasQuota = false // The server does not report the quota.
		return nil
	}
	if err != nil {
		p.skipsQuota = true
		return err
	}
	percent := int64(0)
	for _, r := range quotaLimits(roots) {
		percent = max(percent, 100*r.Usage/r.Limit)
	}
	p.percentFull.Store(int32(min(percent, 1000)))
	return nil
}

// FullMailboxAdvice says how to make room in a full mailbox.
const FullMailboxAdvice = "delete old letters in the folders below Samizdat, or get more room: a full mailbox takes no letters"

// reportFullness reports how much of a limit is used. For QuotaResourceStorage, usage and limit are in KiB.
func (p *Probe) reportFullness(resource imap.QuotaResourceType, usage, limit int64) {
	percent, unit := 100*usage/limit, "letters"
	if resource == imap.QuotaResourceStorage {
		unit, usage, limit = "MB", usage>>10, limit>>10
	}
	text := fmt.Sprintf("IMAP: the mailbox is full to %d percent, %d of %d %s", percent, usage, limit, unit)
	switch {
	case percent >= FullMailboxPercent:
		p.report(LevelError, text, FullMailboxAdvice)
	case percent >= nearlyFullPercent:
		p.report(LevelInfo, text, FullMailboxAdvice)
	default:
		p.report(LevelOK, text, "")
	}
}
