package adjudicator

import (
	"time"

	"samizdat/rules"
)

// Sent is what a letter of ours asked, by its number.
type Sent struct {
	Number    int64
	Decisions []rules.DecisionID
	// Entries is how many entries the history had when it was written.
	Entries int
}

// Dispatch is a letter to be sent.
type Dispatch struct {
	Addressee
	Heading
	Sending
	Content
	Asking
	// Raw is the message.
	Raw Rendered
}

// textLetter is one of text alone, whose reader is not known yet.
func textLetter(subject, body string) Dispatch {
	return Dispatch{Heading: Heading{Subject: subject}, Content: Content{Body: body}}
}

// Addressee is to whom a letter goes, and of which match it tells.
type Addressee struct {
	Match string
	// Seat is the addressee's, or Nobody for a letter that concerns no seat.
	Seat rules.Seat
	// Observer is the number of the observer whom it tells of the match, or 0.
	Observer int
	// Number is the letter's, among those to the same reader.
	Number int64
	To     string
	// Reply means that the letter answers one of the addressee's.
	Reply bool
}

// Heading is what a letter's header says.
type Heading struct {
	Subject string
	// Token is what an answer brings back; empty for letters without one.
	Token string
	// ReplyTo is where the answer goes to a letter that is not ours to have answered.
	ReplyTo    string
	MessageID  string
	InReplyTo  string
	References []string
	// Unsubscribe is the order of whoever wants no more such letters, empty for none.
	Unsubscribe string
}

// Sending is when a letter goes out, and whether another takes its place.
type Sending struct {
	// Date is when it is to be sent, and not before. Held is for how long it is held
	// back until then.
	Date time.Time
	Held time.Duration
	// Spare means that the next letter that asks its reader something tells all that this
	// one does, and takes its place if it has not been sent by then. TellsAll means that it
	// is such a letter.
	Spare, TellsAll bool
}

// Content is what a letter holds.
type Content struct {
	Body string
	// HTML is the same as a page; empty for letters of text only.
	HTML string
	// PictureID is the content id of the picture; empty for letters without one.
	// Drawing is the picture as it is stored until the letter is sent.
	PictureID string
	Drawing   []byte
	// FileName is that of the file which is attached, empty for none; File is the file, packed
	// by gzip until the letter is sent.
	FileName string
	File     []byte
}

// Asking is what a letter asks of its reader.
type Asking struct {
	// Decisions are those that the letter asks for.
	Decisions []rules.DecisionID
	// Until is the end of the time that its reader has to answer, if it is to have an entry
	// for a calendar.
	Until time.Time
	// Entries is how many entries the match's history had.
	Entries int
}

// Rendered is a message, and what the mail side knows of it as it writes it.
type Rendered struct {
	// Bytes are the message without the data of its picture and of its file, which go to
	// PictureAt and FileAt; 0 means that it has none.
	Bytes             []byte
	PictureAt, FileAt int
	// LetterID is by what reports name the letter; empty for letters that nobody
	// looks for by it.
	LetterID string
}
