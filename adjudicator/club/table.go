package club

// Word names an order of the club.
type Word string

// The words.
const (
	Register  Word = "REGISTER"
	Who       Word = "WHO"
	Games     Word = "GAMES"
	ResendAll Word = "RESEND ALL"
	SettingsW Word = "SETTINGS"
	Name      Word = "NAME"
	Most      Word = "MOST"
	TimeZone  Word = "TIMEZONE"
	Format    Word = "FORMAT"
	MyData    Word = "MY DATA"
	ForgetMe  Word = "FORGET ME"
	Leave     Word = "LEAVE"
	Help      Word = "HELP"
	Yes       Word = "YES"
	No        Word = "NO"
)

// Form is one way to write an order, and what it does.
type Form struct{ Order, Does string }

// Entry is an order of the club: its word, what HELP says of it, and how what stands behind the
// word is read.
type Entry struct {
	Word Word
	Help []Form
	// read makes a command of what stands behind the word, or says why it cannot. Nil for orders
	// behind which nothing stands.
	read func(r *Reader, rest string, c *Command) (why string)
	// Asks means that the order changes nothing.
	Asks bool
}

// Table lists the orders, as HELP lists them.
var Table = []*Entry{
	{Word: Register, Help: []Form{{"REGISTER Ada", "joins the club, as Ada"}}, read: readName},
	{Word: Who, Asks: true, Help: []Form{{"WHO", "lists the members"}, {"WHO Ben", "tells what there is to know of Ben"}}, read: readWho},
	{Word: Help, Asks: true, Help: []Form{{"HELP", "sends this page"}}, read: ignoreRest},
	{Word: Yes, Help: []Form{{"YES", "says that you mean what our last letter asked you"}}},
}

// entry finds an order by its word; nil where there is none.
func entry(w Word) *Entry {
	for _, e := range Table {
		if e.Word == w {
			return e
		}
	}
	return nil
}

// Forms lists all ways to write an order, as HELP shows them.
func Forms() (out []Form) {
	for _, e := range Table {
		out = append(out, e.Help...)
	}
	return out
}
