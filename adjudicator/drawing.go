package adjudicator

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"sync"

	"samizdat/templates/picture"
)

// A picture is drawn when its letter is sent, and stored as a list of shapes
// until then: to draw takes longer than to adjudicate, and no letter in has to
// wait for it. The list is made from the seat's view, so nothing hidden is kept
// with it.

func init() {
	// Short names: each stands with every shape.
	gob.RegisterName("p", picture.Path{})
	gob.RegisterName("c", picture.Circle{})
	gob.RegisterName("t", picture.Text{})
}

// deflaters are kept: making one costs more than to use it.
var deflaters = sync.Pool{New: func() any {
	z, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // only an unknown level is an error
	}
	return z
}}

// packDrawing writes a picture's shapes.
func packDrawing(p *picture.Picture) ([]byte, error) {
	var out bytes.Buffer
	z := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(z)
	z.Reset(&out)
	if err := errors.Join(gob.NewEncoder(z).Encode(p), z.Close()); err != nil {
		return nil, fmt.Errorf("pack the picture of a letter: %w", err)
	}
	return out.Bytes(), nil
}

// mostDrawing bounds what is read back, against a damaged database.
const mostDrawing = 8 << 20

// ReadDrawing reads a picture's shapes back, from a dispatch's Drawing.
func ReadDrawing(data []byte) (*picture.Picture, error) {
	p := &picture.Picture{}
	z := io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostDrawing)
	if err := gob.NewDecoder(z).Decode(p); err != nil {
		return nil, fmt.Errorf("unpack the picture of a letter: %w", err)
	}
	return p, nil
}
