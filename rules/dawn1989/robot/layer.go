package robot

import (
	"bytes"
	"encoding/binary"
)

// Units is the number of units of a layer.
const Units = 32

// Layer is the hidden layer of a neural network, between the features and the odds. A unit (a ReLU) is the weighted sum of the features, or 0 if that is
// negative.
type Layer struct {
	// In holds the weight of each feature for each unit, as fixed-point numbers (layerUnit is 1).
	In [features][Units]int16
	// Out holds the weights of the units, as fixed-point numbers (weightUnit is 1).
	Out [Units]int16
}

// layerUnit represents the weight 1 in a layer.
const layerUnit = 1 << 10

// layerSums holds the features of the last position and the sums of the units for them. The next position differs in
// few features, so only the changes are added to the sums.
type layerSums struct {
	layer  *Layer
	values Features
	units  [Units]int64
}

// logOdds returns what the layer adds to the logarithm of the Democrat's odds, as a fixed-point number (search.Unit is 1).
func (l *Layer) logOdds(values *Features, sums *layerSums) int64 {
	if sums.layer != l {
		*sums = layerSums{layer: l}
	}
	for i, v := range values {
		change := int64(v - sums.values[i])
		if change == 0 {
			continue
		}
		for k, w := range &l.In[i] {
			sums.units[k] += change * int64(w)
		}
	}
	sums.values = *values
	z := int64(0)
	for k, sum := range sums.units {
		z += max(0, sum) / layerUnit * int64(l.Out[k])
	}
	return z / weightUnit
}

// MarshalBinary returns the weights in the format of strong.leaf: 16-bit numbers, the lower byte first.
func (l *Leaf) MarshalBinary() ([]byte, error) {
	var out bytes.Buffer
	for _, w := range l.Weights {
		for _, n := range [...]int32{w.Even, w.Slope, w.Last} {
			_ = binary.Write(&out, binary.LittleEndian, int16(n))
		}
	}
	err := binary.Write(&out, binary.LittleEndian, l.Layer)
	return out.Bytes(), err
}

// mustReadLeaf reads the output of MarshalBinary. It panics on errors because the file is part of the program.
func mustReadLeaf(data []byte) *Leaf {
	l := &Leaf{Layer: new(Layer)}
	in := bytes.NewReader(data)
	var weights [features][3]int16
	if err := binary.Read(in, binary.LittleEndian, &weights); err != nil {
		panic("read a leaf: " + err.Error())
	}
	for i, w := range weights {
		l.Weights[i] = Weight{int32(w[0]), int32(w[1]), int32(w[2])}
	}
	if err := binary.Read(in, binary.LittleEndian, l.Layer); err != nil || in.Len() > 0 {
		panic("read the layer of a leaf: wrong length")
	}
	return l
}
