package daemon

import (
	"testing"
	"time"

	"samizdat/storage"
)

// TestTaken: a letter is handled after all older ones in hand that have a key in common, and after no other.
func TestTaken(t *testing.T) {
	t.Parallel()
	ts := newTakers(nil, nil, 0, time.Time{}, nil, nil)
	take := func(keys ...string) (storage.Arrival, []chan struct{}, chan struct{}) {
		a := storage.Arrival{Laid: storage.Laid{Keys: keys}}
		before, end := ts.take(a)
		return a, before, end
	}
	ann, none, annEnd := take("ann", "m1")
	_, ben, benEnd := take("ben")
	_, both, bothEnd := take("ben", "m1")
	if len(none) > 0 || len(ben) > 0 || len(both) != 2 || both[0] != benEnd || both[1] != annEnd {
		t.Errorf("they wait for %v, %v, and %v", none, ben, both)
	}
	ts.put(ann, annEnd)
	<-annEnd
	if _, before, _ := take("m1"); len(before) != 1 || before[0] != bothEnd {
		t.Errorf("the last waits for %v", before)
	}
	if _, before, _ := take("ann"); len(before) > 0 {
		t.Errorf("a letter waits for one that was handled: %v", before)
	}
}
