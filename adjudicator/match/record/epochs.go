package record

import (
	"errors"
	"fmt"
)

// EpochChange is an entry that has another epoch than the one before.
type EpochChange struct {
	Line  int
	Entry *Entry
	// From is the epoch before.
	From int
}

// Explained reports whether the entry says why: it takes back, by a seat or by the director,
// or tells that a backup was put back, and does nothing else. It raises the epoch by one. Whoever knows the secret could choose
// among the outcomes of many epochs if they might rise otherwise.
func (r EpochChange) Explained() bool {
	e := r.Entry
	if e.Epoch != r.From+1 || e.HasOrders() || len(e.Chance) > 0 {
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

// raises reports whether an entry is of those that raise the epoch.
func (e *Entry) raises() bool { return e.Takeback != 0 || e.Act != nil && e.Act.Kind == Restore }

// broken says what is wrong with a rise that is not explained.
func (r EpochChange) broken() error {
	if r.Entry.Epoch == r.From {
		return &ChainError{Line: r.Line, Seq: r.Entry.Seq, Problem: fmt.Sprintf("it goes back, and the epoch is still %d", r.From)}
	}
	problem := fmt.Sprintf("the epoch goes from %d to %d, and no entry says why", r.From, r.Entry.Epoch)
	return &ChainError{Line: r.Line, Seq: r.Entry.Seq, Problem: problem}
}

// VerifyEpochs lists every rise of the epoch that its entry explains. The error names every
// other change of it, as *Broken. It is good for the public form of a record as well.
func VerifyEpochs(rec *Record) (explained []EpochChange, err error) {
	epoch := 0
	for _, s := range rec.Steps {
		if s.Entry == nil || s.Entry.Epoch == epoch && !s.Entry.raises() {
			continue
		}
		r := EpochChange{Line: s.Line, Entry: s.Entry, From: epoch}
		epoch = s.Entry.Epoch
		if r.Explained() {
			explained = append(explained, r)
			continue
		}
		err = errors.Join(err, r.broken())
	}
	return explained, err
}
