package adjudicator

import (
	"fmt"
	"runtime"
	"sync"

	"samizdat/rules"
	"samizdat/templates"
)

// draft is a letter to a seat that is not laid out yet. It says what it has to but for its standing
// parts, which stand puts in.
type draft struct {
	Dispatch
	says  templates.Letter
	stand func(*templates.Letter)
	seat  rules.Seat
}

// letterTo writes the letter to a seat. Answered is the seat whose letter is answered.
func (j *adjudication) letterTo(seat, answered rules.Seat) (Dispatch, error) {
	d, err := j.draft(seat, answered)
	if err == nil {
		err = j.layOut(&d)
	}
	return d.Dispatch, err
}

// layOut lays a draft out and renders it. It changes nothing but the draft.
func (j *adjudication) layOut(d *draft) error {
	d.stand(&d.says)
	if err := j.a.write(&d.Dispatch, j.inScript(d.says, d.seat), j.a.sendsPages(&j.turn.Match.Seats[d.seat])); err != nil {
		return fmt.Errorf("write letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	return nil
}

// write lays drafts out, several at the same time: the next letter of the match waits until they are
// stored. A panic is an error here as it is in whoever carries the letter out.
func (j *adjudication) write(drafts []draft) ([]Dispatch, error) {
	failed := make([]error, len(drafts))
	lay := func(i int) { failed[i] = guarded(func() error { return j.layOut(&drafts[i]) }) }
	most := runtime.GOMAXPROCS(0)
	for first := 0; first < len(drafts); first += most {
		var others sync.WaitGroup
		for i := first + 1; i < min(first+most, len(drafts)); i++ {
			others.Go(func() { lay(i) })
		}
		lay(first)
		others.Wait()
	}
	var letters []Dispatch
	for i := range drafts {
		if failed[i] != nil {
			return nil, failed[i]
		}
		letters = append(letters, drafts[i].Dispatch)
	}
	return letters, nil
}
