package order_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/order"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		want     []order.Line
	}{
		{"lines", "PLAY 12\r\n\r\n  CHECK Lodz  ", []order.Line{{Number: 1, Text: "PLAY 12"}, {Number: 3, Text: "CHECK Lodz"}}},
		{"semicolons", "PLAY 12; CHECK Lodz;", []order.Line{{Number: 1, Text: "PLAY 12"}, {Number: 1, Text: "CHECK Lodz"}}},
		{"comments", "PLAY 12 // the weak one; really\n// PASS", []order.Line{{Number: 1, Text: "PLAY 12"}}},
		{"enclosed", "Hi\nBegin\nPLAY 12\nEND.\nBye", []order.Line{{Number: 1, Text: "Hi"},
			{Number: 3, Text: "PLAY 12", Enclosed: true}, {Number: 5, Text: "Bye"}}},
		{"no end", "BEGIN; PLAY 12\nCHECK Lodz", []order.Line{{Number: 1, Text: "PLAY 12", Enclosed: true},
			{Number: 2, Text: "CHECK Lodz", Enclosed: true}}},
		{"continued", "PLACE Lodz 2,\nand Krakow\nAND Praha\nPASS", []order.Line{
			{Number: 1, Text: "PLACE Lodz 2,"}, {Number: 2, Text: "and Krakow", Continues: true},
			{Number: 3, Text: "AND Praha", Continues: true}, {Number: 4, Text: "PASS"}}},
		{"not continued", "PLACE Lodz\n\nAnd how are the children?\nBEGIN\nand Lodz", []order.Line{
			{Number: 1, Text: "PLACE Lodz"}, {Number: 3, Text: "And how are the children?"},
			{Number: 5, Text: "and Lodz", Enclosed: true}}},
		{"nothing", " \n;;\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(order.Split(test.in), test.want); diff != "" {
				t.Errorf("got - want +\n%s", diff)
			}
		})
	}
}
