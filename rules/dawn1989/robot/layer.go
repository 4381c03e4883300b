package robot

import (
	"bytes"
	"encoding/binary"
)

// Neurons is the number of neurons in the hidden layer.
const Neurons = 32

// Layer is the hidden layer of a neural network, between the features and the odds. The output of a neuron is the
// weighted sum of the features, or 0 if this sum is negative (ReLU).
type Layer struct {
	// In holds the weight of each feature for each neuron, as fixed-point numbers (layerScale stands for 1.0).
	In [features][Neurons]int16
	// Out holds the weight of each neuron's output, as fixed-point numbers (weightScale stands for 1.0).
	Out [Neurons]int16
}

const layerScale = 1 << 10

// layerSums holds the features of the last position (values) and the weighted sum of each neuron (neurons). The next
// position usually differs in few features, so only the differences are added to the sums.
type layerSums struct {
	layer   *Layer
	values  Features
	neurons [Neurons]int64
}

// logOdds returns the layer's part of the logarithm of the Democrat's odds, as a fixed-point number (search.Unit
// stands for 1.0).
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
			sums.neurons[k] += change * int64(w)
		}
	}
	sums.values = *values
	z := int64(0)
	for k, sum := range sums.neurons {
		z += max(0, sum) / layerScale * int64(l.Out[k])
	}
	return z / weightScale
}

// MarshalBinary returns the weights in the format of the file strong.leaf: 16-bit numbers, the lower byte first.
func (l *Evaluator) MarshalBinary() ([]byte, error) {
	var out bytes.Buffer
	for _, w := range l.Weights {
		for _, n := range [...]int32{w.Mean, w.Slope, w.LastTurn} {
			_ = binary.Write(&out, binary.LittleEndian, int16(n))
		}
	}
	err := binary.Write(&out, binary.LittleEndian, l.Layer)
	return out.Bytes(), err
}

// mustReadEvaluator reads the output of MarshalBinary. It panics on errors because the file is part of the program.
func mustReadEvaluator(data []byte) *Evaluator {
	l := &Evaluator{Layer: new(Layer)}
	in := bytes.NewReader(data)
	var weights [features][3]int16
	if err := binary.Read(in, binary.LittleEndian, &weights); err != nil {
		panic("read the weights of an evaluator: " + err.Error())
	}
	for i, w := range weights {
		l.Weights[i] = Weight{int32(w[0]), int32(w[1]), int32(w[2])}
	}
	if err := binary.Read(in, binary.LittleEndian, l.Layer); err != nil || in.Len() > 0 {
		panic("read the hidden layer of an evaluator: wrong length")
	}
	return l
}
