package order_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
		{"numbers of a list", "1) card 40\n2) event", []order.Line{{Number: 1, Text: "card 40"}, {Number: 2, Text: "event"}}},
		{"a number with a bracket alone", "2) event", []order.Line{{Number: 1, Text: "event"}}},
		{"a list with stops", "Hello!\n1. PLAY 12\n2. Lodz 2", []order.Line{{Number: 1, Text: "Hello!"}, {Number: 2, Text: "PLAY 12"}, {Number: 3, Text: "Lodz 2"}}},
		{"no list", "36. Event", []order.Line{{Number: 1, Text: "36. Event"}}},
		{"an answer with a bracket", "2)", []order.Line{{Number: 1, Text: "2)"}}},
		{"nothing", " \n;;\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(order.Split(test.in), test.want, cmpopts.IgnoreFields(order.Line{}, "FollowsLine", "AfterSemicolon")); diff != "" {
				t.Errorf("got - want +\n%s", diff)
			}
		})
	}
}

// A line that is none by itself goes on with the order above it, if together
// they are one.
func TestLines(t *testing.T) {
	t.Parallel()
	p := order.New(speech{})
	for _, test := range []struct {
		in   string
		want []string
	}{
		{"PLACE Lodz 2,\nKrakow", []string{"PLACE Lodz 2, Krakow"}},
		{"PLACE Lodz 2,\nand Krakow", []string{"PLACE Lodz 2, and Krakow"}},
		{"PLACE Lodz 2\n+ Krakow\n& Praha", []string{"PLACE Lodz 2 + Krakow & Praha"}},
		{"PLACE Lodz: 2; Krakow: 1", []string{"PLACE Lodz: 2, Krakow: 1"}},
		{"PLACE Lodz; PASS", []string{"PLACE Lodz", "PASS"}},
		{"PLACE\n- Lodz 2\n- Krakow\n\nSofia", []string{"PLACE - Lodz 2, - Krakow", "Sofia"}},
		{"PLACE:\nLodz 2\nKrakow\nPASS", []string{"PLACE: Lodz 2, Krakow", "PASS"}},
		{"PLACE Lodz 2\nSofia", []string{"PLACE Lodz 2", "Sofia"}},
		{"PLAY 12 OPS PLACE Lodz, Wroclaw\nEVENT FIRST", []string{"PLAY 12 OPS PLACE Lodz, Wroclaw EVENT FIRST"}},
		{"PLAY 40 OPS PLACE Polish Catholic Church 2, Polish Writers, Czech\nWriters EVENT AFTER",
			[]string{"PLAY 40 OPS PLACE Polish Catholic Church 2, Polish Writers, Czech Writers EVENT AFTER"}},
		{"Thank you,\nSofia", []string{"Thank you,", "Sofia"}},
		{"PLACE Lodz 2,\nand see you on Sunday!", []string{"PLACE Lodz 2,", "and see you on Sunday!"}},
		{"PLACE Lodz 2,\nCHECK Krakow", []string{"PLACE Lodz 2,", "CHECK Krakow"}},
	} {
		var got []string
		for _, l := range p.SplitLines(test.in) {
			got = append(got, l.Text)
		}
		if diff := cmp.Diff(got, test.want); diff != "" {
			t.Errorf("%q: got - want +\n%s", test.in, diff)
		}
	}
}
