package message

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"samizdat/internal/long"
)

// pieces are what letters that may take long are made of.
var pieces = []string{
	"-", "--", "----", "-----", "_", "=", "*", ">", "> ", "|", "<", "(", "[", "\"", ":", ",", ";", ".", "@", "#", "&", "\\", "=?", "?=",
	" ", "  ", "\t", "\n", "\n\n", "\r\n", "\u00a0", "\u200b", "\u0301", "\u034f", "é", "日", "👍", "\xff", "\x00",
	"a", "aa", "word ", "1", "12 ", "10:00", "2026-11-21", "2026", "a@b.cc", "<a@b.cc>", "<a@b.cc>:", "https://a.b/c",
	"On ", "Am ", "Le ", "wrote", " wrote:", " schrieb:", " a écrit:", "From: ", "Sent: ", "Subject: ", "To: ", "de: ", "quoting ",
	"----- Original Message -----", "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP MESSAGE-----", "begin forwarded message:",
	"Sent from my ", "sent with ", "phone", "outlook", "get outlook for ", "external", "caution: this email ", "=== Samizdat", Mark,
	"PLAY 36 OPS ", "PLACE Lodz 3", "EVENT", "EUR: ",
	"<p>", "</p>", "<div style=\"display:none\">", "<blockquote>", "</blockquote>", "<br>", "<td>", "<table>", "<b>", "<!--", "-->", "&amp;", "&#1", "<style>", "<a href=\"",
	"=41", "=\n", "YWFh", "--b\n", "--b--\n", "Content-Type: text/html\n\n", "Content-Type: multipart/mixed; boundary=b\n\n",
	"=?utf-8?q?a?= ", "a b ", "[samizdat mabc-0-1-aaaaaaaaaaaaaaaa]", "<x@y>, ", "r+m-0-1-aaaaaaaaaaaaaaaa@x.y, ", "dkim=pass; ",
}

// heads begin letters of different kinds; what is repeated follows.
var heads = []string{
	"\n", "Content-Type: text/html\n\n", "Content-Type: text/plain; format=flowed; delsp=yes\n\n", "Content-Transfer-Encoding: base64\n\n",
	"Content-Transfer-Encoding: quoted-printable\n\n", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n",
	"Content-Type: text/plain; charset=iso-2022-jp\n\n", "Content-Type: text/plain; charset=utf-7\n\n",
	"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n",
	"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n", "Content-Type: message/rfc822\n\n",
	"Subject: ", "From: ", "To: ", "References: ", "Authentication-Results: x; ", "Content-Type: ", "X: ",
}

// recipe is a letter: its head, and pieces that are repeated. After every so many of them
// a line ends.
type recipe struct {
	head   int
	pieces []int
	lines  int
}

// letter is the letter of some length.
func (r recipe) letter(length int) []byte {
	var b strings.Builder
	b.WriteString("From: a@b.c\nTo: r@x.y\n" + heads[r.head])
	for n := 0; b.Len() < length; n++ {
		for _, p := range r.pieces {
			b.WriteString(pieces[p])
		}
		if r.lines > 0 && n%r.lines == r.lines-1 {
			b.WriteString("\n")
		}
	}
	return []byte(b.String())
}

func (r recipe) String() string {
	var out []string
	for _, p := range r.pieces {
		out = append(out, pieces[p])
	}
	return fmt.Sprintf("%q, then %q, a line of %d", heads[r.head], out, r.lines)
}

// mutated is a recipe that differs in one thing.
func (r recipe) mutated(rnd *rand.Rand) recipe {
	next := recipe{r.head, append([]int{}, r.pieces...), r.lines}
	switch n := rnd.IntN(8); {
	case n == 0:
		next.head = rnd.IntN(len(heads))
	case n == 1:
		next.lines = []int{0, 1, 2, 5, 20, 60, 200, 1000}[rnd.IntN(8)]
	case n <= 3 && len(next.pieces) > 1:
		at := rnd.IntN(len(next.pieces))
		next.pieces = append(next.pieces[:at], next.pieces[at+1:]...)
	case n <= 5 && len(next.pieces) < 12:
		at := rnd.IntN(len(next.pieces) + 1)
		next.pieces = append(next.pieces[:at], append([]int{rnd.IntN(len(pieces))}, next.pieces[at:]...)...)
	default:
		next.pieces[rnd.IntN(len(next.pieces))] = rnd.IntN(len(pieces))
	}
	return next
}

// spent is what this thread has spent of the processor: what else the machine does is
// no fault of a letter.
func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(1 /* of the thread */, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestClimb looks for letters that take long: what took longest is changed a little, again
// and again. A letter takes at most 20 ms for each 100 kB; on a slow machine, a few times
// what an ordinary one does.
func TestClimb(t *testing.T) {
	const length, most, times = 100_000, 20 * time.Millisecond, 6
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	measure := func(raw []byte, tries int) time.Duration {
		best := time.Hour
		for range tries {
			began := spent()
			readAll(raw)
			best = min(best, spent()-began)
		}
		return best
	}
	const line = "PLAY 36 EVENT, and then we shall see what comes of it.\n"
	ordinary := []byte("From: a@b.c\nTo: r@x.y\n\n" + strings.Repeat(line, length/len(line)))
	rnd := rand.New(rand.NewPCG(1989, 1))
	var worst recipe
	var took time.Duration
	for until := time.Now().Add(time.Duration(long.N(1, 60)) * time.Second); time.Now().Before(until); {
		r := recipe{rnd.IntN(len(heads)), []int{rnd.IntN(len(pieces))}, rnd.IntN(3)}
		at := measure(r.letter(length), 2)
		for stuck := 0; stuck < 40 && time.Now().Before(until); stuck++ {
			next := r.mutated(rnd)
			if d := measure(next.letter(length), 2); d > at {
				r, at, stuck = next, d, 0
			}
		}
		t.Log(at, r)
		if at > took {
			worst, took = r, at
		}
	}
	if took = measure(worst.letter(length), 10); took > max(most, times*measure(ordinary, 10)) {
		t.Errorf("%v for %v", took, worst)
	}
}
