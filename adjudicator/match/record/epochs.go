package record

import (
	"errors"
	"fmt"
)

// EpochChange is an entry with another epoch than the entry before.
type EpochChange struct {
	Line  int
	Entry *Entry
	// From is the epoch before.
	From int
}

// IsExplained reports whether the entry may raise the epoch: it is a take-back, an undo or a restore,
// has no other effect, and raises the epoch by one. Otherwise the owner of the secret could choose
// among the outcomes of many epochs.
func (c EpochChange) IsExplained() bool {
	e := c.Entry
	if e.Epoch != c.From+1 || e.HasOrders() || len(e.Chance) > 0 {
		return false
	}
	switch a := e.Act; {
	case a == nil:
		return e.Takeback > 0 && e.Seat != ""
	case a.Kind == Restore:
		return e.Takeback == 0 && a.By == ByOperator
	default:
		return e.Takeback > 0 && a.Kind == Undo && a.By == ByDirector
	}
}

func (e *Entry) raisesEpoch() bool { return e.Takeback != 0 || e.Act != nil && e.Act.Kind == Restore }

func (c EpochChange) chainError() error {
	if c.Entry.Epoch == c.From {
		return &ChainError{Line: c.Line, Seq: c.Entry.Seq, Problem: fmt.Sprintf("it goes back, and the epoch is still %d", c.From)}
	}
	problem := fmt.Sprintf("the epoch goes from %d to %d, and no entry says why", c.From, c.Entry.Epoch)
	return &ChainError{Line: c.Line, Seq: c.Entry.Seq, Problem: problem}
}

// VerifyEpochs lists the explained changes of the epoch. The error lists all others as *ChainError.
// Public records can be verified too.
func VerifyEpochs(rec *Record) (explained []EpochChange, err error) {
	epoch := 0
	for _, s := range rec.Steps {
		if s.Entry == nil || s.Entry.Epoch == epoch && !s.Entry.raisesEpoch() {
			continue
		}
		r := EpochChange{Line: s.Line, Entry: s.Entry, From: epoch}
		epoch = s.Entry.Epoch
		if r.IsExplained() {
			explained = append(explained, r)
			continue
		}
		err = errors.Join(err, r.chainError())
	}
	return explained, err
}
