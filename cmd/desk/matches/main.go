//go:build js && wasm

// Command matches is the program with which the desk's page checks records and plays practice matches. It runs in a Web
// Worker. It is larger than cmd/desk, so the page loads it only when the reader starts a check or a match.
package main

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"samizdat/adjudicator/desklink"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/desk/bridge"
	"samizdat/internal/report"
	"samizdat/internal/table"
	"samizdat/mail/mailbox"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

var games = rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()}

var (
	practice *table.Match
	// verified is the last checked record; nil if the check failed.
	verified *record.Record
)

func main() {
	bridge.Export("matchesVerify", func(struct{}) (any, error) { return verify(bridge.Bytes("deskFiles")) })
	bridge.Export("matchesHistory", func(struct{}) (any, error) { return formatHistory() })
	bridge.Export("matchesBegin", begin)
	bridge.Export("matchesResume", resume)
	bridge.Export("matchesAnswer", answer)
	bridge.Ready()
}

// bytesPerByte is the number of bytes of memory that the check needs for each byte of a file. For example, a match of
// 350 entries and its letters needs 160 MB. maxMemory is the maximum that the program reserves at once.
const bytesPerByte, maxMemory = 9, 256 << 20

// checkResult is the result of checking a record. Text is the same text that "samizdat verify" prints. Good is set if no
// fault was found.
type checkResult struct {
	Text string
	Good bool
}

// verify checks a record with letters. The files are the record, and mailboxes that contain the letters.
func verify(files [][]byte) (checkResult, error) {
	var rec *record.Record
	var boxes []iter.Seq2[mailbox.Message, error]
	verified = nil
	size := 0
	for _, data := range files {
		size += len(data)
	}
	bridge.GrowMemory(min(bytesPerByte*size, maxMemory))
	for _, data := range files {
		if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
			if rec != nil {
				return checkResult{}, errors.New("two of the files are records; check one record at a time")
			}
			var err error
			if rec, err = record.Read(bytes.NewReader(data)); err != nil {
				return checkResult{}, err
			}
			continue
		}
		boxes = append(boxes, mailbox.Read(bytes.NewReader(data), time.Now()))
	}
	if rec == nil {
		return checkResult{}, errors.New("a record is missing: its name ends with .jsonl, and it comes with the last letter of a match")
	}
	letters, err := report.FindLetters(boxes...)
	if err != nil {
		return checkResult{}, err
	}
	var output strings.Builder
	var out checkResult
	out.Good, err = report.Verify(&output, games, rec, report.Evidence{Letters: letters}, false)
	if err != nil {
		out.Good = false
		output.WriteString(err.Error() + "\n")
	}
	if out.Text = output.String(); out.Good {
		verified = rec
	}
	return out, nil
}

// formatHistory returns the history page of the verified match, or "" for the record of a running match, which lacks
// hidden fields and cannot be replayed.
func formatHistory() (string, error) {
	story, err := report.NewHistory(games, verified, "", time.Now())
	if errors.Is(err, report.ErrPublic) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var page strings.Builder
	err = story.HTML(&page)
	return page.String(), err
}

func begin(in struct {
	Game, Robot string
	Seats       int
	Seed        uint64
}) (any, error) {
	g, err := games.Find(in.Game)
	if err != nil {
		return nil, err
	}
	practice, err = table.Begin(context.Background(), table.Options{Game: g, Seats: in.Seats, Seed: in.Seed, Robot: in.Robot})
	if err != nil {
		return nil, err
	}
	return playRobots()
}

// resume continues the practice match in a record that playRobots returned.
func resume(in struct {
	Record string
	Seed   uint64
}) (any, error) {
	rec, err := record.Read(strings.NewReader(in.Record))
	if err != nil {
		return nil, err
	}
	if practice, err = table.ResumeRecord(context.Background(), games, rec, in.Seed); err != nil {
		return nil, err
	}
	return playRobots()
}

func answer(in struct{ Text string }) (any, error) {
	if err := practice.Answer(context.Background(), in.Text); err != nil {
		return nil, err
	}
	return playRobots()
}

// practiceState is the state of the practice match. The page (matches.js) reads the fields by name.
type practiceState struct {
	// Fragment is the fragment of the link for the seat to move. Record is the record of the match so far.
	Fragment, Record string
	// Orders are the results of the orders. Events are the events since the last state.
	Orders string
	Events string `json:"Told"`
	// End is the result of a finished match.
	End string
}

// playRobots lets robots answer until a person is to move or the match is over.
func playRobots() (out practiceState, err error) {
	s, err := practice.PlayRobots(context.Background())
	if err != nil {
		return out, err
	}
	url, err := desklink.Link{Match: "practice", Setup: s.Setup, Seat: s.Seat, Letter: s.LetterNumber, View: s.View}.URL("", s.Game)
	if err != nil {
		return out, err
	}
	rec, err := practice.Record(context.Background())
	if err != nil {
		return out, err
	}
	var text strings.Builder
	err = rec.Write(&text)
	return practiceState{Fragment: url[1:], Record: text.String(), Orders: s.Orders, Events: s.Events, End: s.End}, err
}
