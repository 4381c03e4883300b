package letter

import (
	"context"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Host is what orders are carried out on: one match, for the writer of one letter. The
// adjudicator fulfils it.
type Host interface {
	Facts() Facts
	// Preferences are the writer's; Prefer changes them.
	Preferences() Preferences
	Prefer(Preferences)

	// Game and View are the game, and the match as the writer sees it.
	Game() rules.Game
	View() rules.View
	// Show adds a text to the answer, once by its title. Part adds what the game, or
	// the host, tells in answer to a query; Help adds the page on orders, or the one of a name
	// that is on some of them.
	Show(q rules.Query, title, text string)
	Part(q rules.Query)
	Help(page string) (Outcome, error)
	// History tells what happened in a turn, the last one where turn is 0; Again what
	// an older letter told.
	History(ctx context.Context, turn int) (Outcome, error)
	Again(ctx context.Context, letter int) (Outcome, error)
	// Stats tells dice, draws and what the game counts in numbers.
	Stats(ctx context.Context) (Outcome, error)

	// Kept lists what is kept for the writer; Forget drops it, and says whether there
	// was anything.
	Kept() []string
	Forget() bool

	// Call changes what the writer is called in the match.
	Call(name string) (Outcome, error)
	// Renew changes the address that the writer answers to.
	Renew(ctx context.Context) error
	// Address changes where the writer's letters go, TakeBack takes back what was
	// carried out, and Send passes a message on.
	Address(context.Context, Command) (Outcome, error)
	// Vacation plans, ends or shows the writer's vacations.
	Vacation(context.Context, Command) (Outcome, error)
	TakeBack(ctx context.Context, answer string) (Outcome, error)
	// Resign gives the match up for the writer, who is asked whether he means it unless he
	// has named it.
	Resign(ctx context.Context, match string) (Outcome, error)
	// Draw offers the others a draw, or answers such an offer; Abort breaks the match off, and
	// Pause stops its clocks. All but breaking it off at its very beginning want the consent of all.
	Draw(ctx context.Context, answer string) (Outcome, error)
	Abort(context.Context, Command) (Outcome, error)
	Pause(context.Context, Command) (Outcome, error)
	// Claim claims the win where another's time is over, Give gives him more.
	Claim(context.Context) (Outcome, error)
	Give(context.Context, time.Duration) (Outcome, error)
	Send(to []rules.Seat, text string) (Outcome, error)
	// Witness signs off the history by a hash, or by what the letter that is answered showed.
	Witness(ctx context.Context, hash string) (Outcome, error)
	// Ask passes a question on to the operator.
	Ask(text string) (Outcome, error)
}

// Facts are what stands for every order of a letter.
type Facts struct {
	// Match is the name of the match, Referee the address for new letters.
	Match, Referee string
	// Pages and Pictures: the referee sends them.
	Pages, Pictures bool
	// Now is when the letter is read.
	Now time.Time
	// AtTable means that the players sit at one table, and nothing waits.
	AtTable bool
}

// Preferences are how a player wants his letters written and his orders treated.
type Preferences struct {
	Format match.Format
	Script match.Script
	// Confirm says which letters he wants of those that only confirm.
	Confirm match.Confirm
	// Calendar means that letters that ask have an entry for his calendar.
	Calendar bool
	// Zone is the time zone of his letters, as package zone has it.
	Zone string
	// Grace is for how long orders are held back, Delay within what time conditional
	// orders answer.
	Grace, Delay time.Duration
}
