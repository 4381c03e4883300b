package record

import (
	"errors"
	"fmt"
	"strconv"
)

// Entries are written directly in canonical form, because hashing and sealing them dominates. Rare
// members use appendCanonical.

// entryWriter writes an object in canonical form; the caller writes the members sorted by name.
type entryWriter struct {
	out []byte
	err error
}

func (o *entryWriter) name(n string) {
	if o.out[len(o.out)-1] != '{' {
		o.out = append(o.out, ',')
	}
	o.out = append(append(append(o.out, '"'), n...), '"', ':')
}

func (o *entryWriter) value(n string, v any) {
	o.name(n)
	var err error
	o.out, err = appendCanonical(o.out, v)
	o.err = errors.Join(o.err, err)
}

// text, number, flag and texts omit empty values.
func (o *entryWriter) text(n, s string) {
	if s != "" {
		o.name(n)
		o.quote(s)
	}
}

func (o *entryWriter) quote(s string) {
	var err error
	o.out, err = appendString(o.out, s)
	o.err = errors.Join(o.err, err)
}

func (o *entryWriter) number(n string, i int) {
	if i != 0 {
		o.integer(n, i)
	}
}

// checkInteger writes a number, even 0.
func (o *entryWriter) integer(n string, i int) {
	if i > maxInteger || i < -maxInteger {
		o.err = errors.Join(o.err, fmt.Errorf("canonical JSON: %w", checkInteger(strconv.Itoa(i))))
	}
	o.name(n)
	o.out = strconv.AppendInt(o.out, int64(i), 10)
}

func (o *entryWriter) flag(n string, on bool) {
	if on {
		o.name(n)
		o.out = append(o.out, "true"...)
	}
}

func (o *entryWriter) texts(n string, list []string) {
	if len(list) == 0 {
		return
	}
	o.name(n)
	o.out = append(o.out, '[')
	for i, s := range list {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.quote(s)
	}
	o.out = append(o.out, ']')
}

func (o *entryWriter) seat(s SeatName) {
	if s == "" {
		o.name("seat")
		o.out = append(o.out, "null"...)
		return
	}
	o.text("seat", string(s))
}

func each[T any](o *entryWriter, n string, list []T, member func(*entryWriter, *T)) {
	if len(list) == 0 {
		return
	}
	o.name(n)
	o.out = append(o.out, '[')
	for i := range list {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.out = append(o.out, '{')
		member(o, &list[i])
		o.out = append(o.out, '}')
	}
	o.out = append(o.out, ']')
}

// appendEntry appends an entry in canonical form.
func appendEntry(dst []byte, e *Entry) ([]byte, error) {
	o := entryWriter{out: append(dst, '{')}
	if e.Act != nil {
		o.value("act", e.Act)
	}
	each(&o, "answers", e.Answers, (*entryWriter).answer)
	if !e.At.IsZero() {
		at, err := e.At.MarshalJSON()
		o.err = errors.Join(o.err, err)
		o.name("at")
		o.out = append(o.out, at...)
	}
	each(&o, "chance", e.Chance, (*entryWriter).outcome)
	o.number("epoch", e.Epoch)
	o.flag("forced", e.Forced)
	o.text("hash", e.Hash)
	o.text("letter", e.Letter)
	o.text("note", e.Note)
	o.texts("orders", e.Orders)
	o.text("player", e.Player)
	o.text("prev", e.Prev)
	o.flag("private", e.Private)
	o.text("sealed", e.Sealed)
	o.seat(e.Seat)
	o.integer("seq", e.Seq)
	o.text("setup", e.Setup)
	o.text("silence", e.Silence)
	if e.Source != nil {
		o.value("source", e.Source)
	}
	o.text("state", e.State)
	o.number("takeback", e.Takeback)
	if e.Tally != nil {
		o.value("tally", e.Tally)
	}
	if o.err != nil {
		return dst, fmt.Errorf("canonical JSON: entry %d: %w", e.Seq, o.err)
	}
	return append(o.out, '}'), nil
}

func (o *entryWriter) answer(a *Answer) {
	o.text("letter", a.Letter)
	o.texts("orders", a.Orders)
	o.flag("private", a.Private)
	o.seat(a.Seat)
	o.text("silence", a.Silence)
}

func (o *entryWriter) outcome(c *Outcome) {
	if c.Draw != nil {
		o.value("draw", c.Draw)
	}
	o.text("for", c.For)
	o.text("from", c.From)
	o.text("hand", c.Hand)
	o.flag("hidden", c.Hidden)
	if c.I != nil {
		o.integer("i", *c.I)
	}
	if c.N != nil {
		o.integer("n", *c.N)
	}
	o.number("roll", c.Roll)
	o.text("to", c.To)
}
