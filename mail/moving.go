package mail

import (
	"context"
	"errors"
	"time"

	"github.com/emersion/go-imap/v2"
)

// moveTo moves messages to a mailbox. Without MOVE they are copied and flagged; they are
// expunged only where that cannot take another's message along.
func (c *imapConn) moveTo(ctx context.Context, uids []imap.UID, name string) error {
	if c.move {
		set := imap.UIDSetNum(uids...)
		return c.do(ctx, "move", c.movingTime(uids), func() error { _, err := c.client.Move(set, name).Wait(); return err })
	}
	if err := c.copyTo(ctx, uids, name); err != nil {
		return err
	}
	return c.strike(ctx, uids)
}

// movingTime is generous: Exchange takes a second for a letter when it is busy,
// and a move that is broken off may begin from the start.
func (c *imapConn) movingTime(uids []imap.UID) time.Duration {
	return c.timeout + time.Duration(len(uids))*time.Second
}

func (c *imapConn) copyTo(ctx context.Context, uids []imap.UID, name string) error {
	set := imap.UIDSetNum(uids...)
	return c.do(ctx, "copy", c.movingTime(uids), func() error { _, err := c.client.Copy(set, name).Wait(); return err })
}

// strike flags messages that were copied, and takes them out where it can.
func (c *imapConn) strike(ctx context.Context, uids []imap.UID) error {
	set := imap.UIDSetNum(uids...)
	err := c.do(ctx, "store", c.movingTime(uids), func() error {
		return c.client.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
	})
	if err != nil || !c.uidplus {
		return err
	}
	return c.do(ctx, "expunge", c.movingTime(uids), func() error { return c.client.UIDExpunge(set).Close() })
}

// mostRefusals is how many letters are tried alone after a move of many was
// refused: enough to pass over one that cannot be moved, and few enough for a
// mailbox that is full.
const mostRefusals = 3

// file moves handled letters. A refusal of the server keeps them in the inbox
// and is tried again.
func (p *Poller) file(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) (moved bool, err error) {
	err = p.relocate(ctx, c, uids, f)
	if err == nil || !answered(err) || gone(err) || len(uids) == 1 {
		return err == nil, p.unfiled(uids, f, err)
	}
	var kept []imap.UID
	for i, uid := range uids {
		one := p.relocate(ctx, c, uids[i:i+1], f)
		if one == nil {
			moved = true
			continue
		}
		err = one
		if kept = append(kept, uid); !answered(one) || gone(one) {
			break
		}
		if len(kept) == mostRefusals && !moved {
			kept = uids
			break
		}
	}
	if len(kept) == 0 {
		return moved, nil
	}
	return moved, p.unfiled(kept, f, err)
}

// unfiled notes that letters could not be moved. It gives back what ends the
// connection.
func (p *Poller) unfiled(uids []imap.UID, f Folder, err error) error {
	if err == nil || !answered(err) {
		return err
	}
	p.filing.met(p.now(), err, configTrouble(err))
	p.failAll(uids, "handled letter could not be moved to "+string(f), err)
	if gone(err) {
		// The folder cannot be made, or the mailbox went away under us. The letters
		// behind these come next.
		return err
	}
	return nil
}

// gone says that a mailbox is not there.
func gone(err error) bool {
	var e *imap.Error
	return errors.As(err, &e) && e.Code == imap.ResponseCodeNonExistent
}

// relocate moves letters, into a folder that is made again if somebody took it away.
func (p *Poller) relocate(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) error {
	err := p.transfer(ctx, c, uids, f)
	var e *imap.Error
	if errors.As(err, &e) && (e.Code == imap.ResponseCodeTryCreate || e.Code == imap.ResponseCodeNonExistent) {
		if err = c.create(ctx, f); err == nil {
			err = p.transfer(ctx, c, uids, f)
		}
	}
	if err != nil {
		return err
	}
	for _, uid := range uids {
		s := p.state(uint32(uid))
		s.folder = f
		p.filed[uint32(uid)] = s
		delete(p.letters, uint32(uid))
	}
	return nil
}

// transfer is a move. What was copied already is not copied again: where a flag
// cannot be set, the copies would fill the mailbox.
func (p *Poller) transfer(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) error {
	if c.move {
		return c.moveTo(ctx, uids, c.name(f))
	}
	var fresh []imap.UID
	for _, uid := range uids {
		if !p.state(uint32(uid)).copied {
			fresh = append(fresh, uid)
		}
	}
	if len(fresh) > 0 {
		if err := c.copyTo(ctx, fresh, c.name(f)); err != nil {
			return err
		}
		for _, uid := range fresh {
			p.state(uint32(uid)).copied = true
		}
	}
	return c.strike(ctx, uids)
}

var errStillThere = errors.New("the server said that it was moved")

// notFiled looks for letters that were moved and lie in the inbox all the same:
// the move did nothing, or not yet. They are not handled again, and the move is
// repeated after a pause. Without that the same letters would go round for ever.
func (p *Poller) notFiled(inbox []imap.UID) {
	if len(p.filed) == 0 {
		return
	}
	var back []imap.UID
	for _, uid := range inbox {
		if s := p.filed[uint32(uid)]; s != nil {
			p.letters[uint32(uid)] = s
			back = append(back, uid)
		}
	}
	p.failAll(back, "letter was moved and is still in the inbox", errStillThere)
	clear(p.filed)
}
