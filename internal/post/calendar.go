package post

import (
	"fmt"
	"strings"

	ics "github.com/arran4/golang-ical"

	"samizdat/adjudicator"
)

// calendar is an entry for its reader's calendar at the end of the time that he has for
// his answer. Each such letter to a seat changes the same entry.
func (c Codec) calendar(d adjudicator.Dispatch) string {
	if d.Until.IsZero() {
		return ""
	}
	cal := ics.NewCalendar()
	cal.SetProductId("-//Samizdat//Samizdat//EN")
	cal.SetMethod(ics.MethodPublish)
	e := cal.AddEvent(fmt.Sprintf("%s-%d@%s", d.Match, d.Seat, c.Domain()))
	e.SetSequence(int(d.Number))
	e.SetDtStampTime(d.Date)
	e.SetStartAt(d.Until)
	_, about, _ := strings.Cut(d.Subject, ": ")
	e.SetSummary("Your answer is due: " + about)
	e.SetTimeTransparency(ics.TransparencyTransparent)
	return cal.Serialize(ics.WithNewLineWindows)
}
