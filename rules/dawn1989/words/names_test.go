package words

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// maxText is how long the text of a card may be: a hand of eight has to stay
// one page.
const maxText = 240

// TestTexts holds the texts of the cards against their form.
func TestTexts(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(textsCSV), "\n")[1:]
	for i, l := range lines {
		if !strings.HasPrefix(l, strconv.Itoa(i+1)+",") {
			t.Fatalf("line %d of the texts is not card %d", i+2, i+1)
		}
	}
	if len(lines) != engine.Cards-1 {
		t.Errorf("%d texts", len(lines))
	}
	for c := engine.Card(1); c < engine.Cards; c++ {
		if cardTexts[c] == "" {
			t.Errorf("card %d has no text", c)
		}
	}
	for _, text := range everyText() {
		c := text.card
		text := text.text
		switch {
		case len(text) > maxText:
			t.Errorf("the text of card %d has %d letters", c, len(text))
		case strings.TrimSpace(text) != text, strings.Contains(text, "  "), !strings.HasSuffix(text, "."):
			t.Errorf("the text of card %d: %q", c, text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
			t.Errorf("the text of card %d has %q", c, text[i:])
		}
	}
}

// TestInForceTexts: each card that stays in force has a text about what holds now, within the same bounds.
func TestInForceTexts(t *testing.T) {
	t.Parallel()
	// The section In force tells of these cards by their effect.
	told := []engine.Card{engine.Prudence, engine.Honecker, engine.Systematization, engine.Samizdat, engine.NewYearsEveParty}
	for c := engine.Card(1); c < engine.Cards; c++ {
		text, lasts := inForceTexts[c], c.Info().Duration != engine.Instant && !slices.Contains(told, c)
		if lasts != (text != "") || len(text) > maxText || lasts && !strings.HasSuffix(text, ".") {
			t.Errorf("the text of card %d while it is in force: %q", c, text)
		}
		if text := oldInForceTexts[1][c]; (text != "") != (c == engine.Securitate) {
			t.Errorf("the text of card %d while it is in force in revision 1: %q", c, text)
		}
	}
}

// textOf is the text of a card.
type textOf struct {
	card engine.Card
	text string
}

// everyText lists the texts of every revision of the rules.
func everyText() (out []textOf) {
	texts := [][engine.Cards]string{cardTexts}
	for _, former := range oldCardTexts {
		texts = append(texts, former)
	}
	for _, list := range texts {
		for c, text := range list {
			if text != "" {
				out = append(out, textOf{engine.Card(c), text})
			}
		}
	}
	return out
}

// TestFormerTexts: a match keeps the texts of the rules that it is played by.
func TestFormerTexts(t *testing.T) {
	t.Parallel()
	for revision, differ := range map[int][]engine.Card{1: {engine.ReformerRehabilitated, engine.Securitate, engine.WorkersRevolt}, 2: nil} {
		pos, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: revision})
		if err != nil {
			t.Fatal(err)
		}
		var got []engine.Card
		for c := engine.Card(1); c < engine.Cards; c++ {
			if cardText(pos.(*engine.Position), c) != cardTexts[c] {
				got = append(got, c)
			}
		}
		if !slices.Equal(got, differ) {
			t.Errorf("by revision %d the cards %v have other texts, want %v", revision, got, differ)
		}
	}
}

// mentioned is the number of a card that a text names by its title.
var mentioned = regexp.MustCompile(` \((\d+)\)`)

// TestTextsAgree holds the texts against what else is known of the cards.
func TestTextsAgree(t *testing.T) {
	t.Parallel()
	for _, text := range everyText() {
		c, info, text := text.card, text.card.Info(), text.text
		if info.Scoring != engine.NoCountry && !strings.HasPrefix(text, "Power struggle in "+info.Scoring.String()+".") {
			t.Errorf("card %d does not name its country: %q", c, text)
		}
		if info.Duration == engine.ForTurn && !strings.Contains(text, "this turn") {
			t.Errorf("card %d does not say that it lasts the turn: %q", c, text)
		}
		for _, m := range mentioned.FindAllStringSubmatchIndex(text, -1) {
			// The title of card 54 is too long to be told whole.
			i, _ := strconv.Atoi(text[m[2]:m[3]])
			n := engine.Card(i)
			if !strings.HasSuffix(text[:m[0]], strings.TrimSuffix(n.String(), " Turns Against Ceausescu")) {
				t.Errorf("card %d names card %d by another title: %q", c, n, text)
			}
		}
		if n := engine.Needs[c]; n != 0 && (!strings.HasPrefix(text, "Only after ") || !strings.Contains(text, fmt.Sprintf(" (%d)", n))) {
			t.Errorf("card %d does not say what it needs: %q", c, text)
		}
		if n := engine.ForbiddenBy[c]; n != 0 && !strings.HasPrefix(text, fmt.Sprintf("Cannot be played as an event after %v (%d).", n, n)) {
			t.Errorf("card %d does not say what forbids it: %q", c, text)
		}
	}
}

// TestAbroad: when an event happens is understood in other languages, and no word for it in one says
// something else in another.
func TestAbroad(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for _, k := range (Words{}).Keywords() {
		for _, a := range append(slices.Clone(k.Synonyms), k.ShortAnswers...) {
			if before, ok := of[a]; ok && before != k.Word {
				t.Errorf("%s is %s as well as %s", a, before, k.Word)
			}
			of[a] = k.Word
		}
	}
	for text, want := range map[string]string{"EREIGNIS DANACH": wordAfter, "NAJPIERW WYDARZENIE": wordFirst, "WYDARZENIE PO": wordAfter, "NAPRED UDALOST": wordFirst,
		"BEZ UDALOSTI": wordNoEvent, "ESEMENY UTANA": wordAfter, "EVENEMENT DABORD": wordFirst, "SENZA EVENTO": wordNoEvent, "GEBEURTENIS": wordEvent} {
		if of[text] != want {
			t.Errorf("%s is %q, want %s", text, of[text], want)
		}
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]rules.Reason{
		"deal": engine.Reason(engine.ReasonDeal, 0), "support check in Gdansk": engine.Reason(engine.ReasonCheck, int(engine.Gdansk)),
		"Tiananmen attempt": engine.Reason(engine.ReasonAttempt, 0), "Dash for the West": engine.Reason(engine.ReasonEvent, int(engine.DashForTheWest)),
		"counterattack": engine.Reason(engine.ReasonCounter, 0), "support loss": engine.Reason(engine.ReasonLoss, 0),
		"victory points": engine.Reason(engine.ReasonVictory, 0), "General Strike": engine.Reason(engine.ReasonStrike, 35),
		"power struggle deal": engine.Reason(engine.ReasonStruggleDeal, 0), "box 3": engine.Reason(engine.ReasonBox3, 0),
		"Support Falters": engine.Reason(engine.ReasonStruggleCard, int(engine.SupportFalters)), "": engine.Reason(99, 0),
	} {
		if got := (Words{}).Reason(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestAbbreviations: what the map abbreviates, orders understand.
func TestAbbreviations(t *testing.T) {
	t.Parallel()
	seen := map[string]engine.Space{}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if seen[abbreviation(s)] != 0 || len(abbreviation(s)) < minAbbreviation {
			t.Errorf("%v is %q, as %v is", s, abbreviation(s), seen[abbreviation(s)])
		}
		seen[abbreviation(s)] = s
	}
}

// TestContinuedPlay: a report that begins in the middle of a play names its card.
func TestContinuedPlay(t *testing.T) {
	t.Parallel()
	pos, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: 2})
	if err != nil {
		t.Fatal(err)
	}
	event := func(kind rules.EventKind, args ...int16) rules.Event {
		e := rules.Event{Kind: kind, Audience: rules.Everyone}
		copy(e.Args[:], args)
		return e
	}
	moved := func(c engine.Card, to engine.Pile) rules.Event { return event(engine.EvCardMoved, int16(c), int16(to)) }
	lost, played := event(engine.EvRemoved, 0, int16(engine.Gdansk), 1, 0, 0), event(engine.EvPlayed, 40, int16(engine.PlayOps), 0, 0)
	const goesOn = "The play of 6 Brought in for Questioning continues."
	for name, c := range map[string]struct {
		events []rules.Event
		want   string
	}{
		"in the middle":   {[]rules.Event{lost, moved(engine.StateRunMedia, engine.PileRemoved), moved(engine.BroughtIn, engine.PileDiscard), played}, goesOn},
		"after a play":    {[]rules.Event{played, lost, moved(engine.BroughtIn, engine.PileDiscard)}, ""},
		"a scoring card":  {[]rules.Event{lost, moved(engine.PolandScoring, engine.PileDiscard), played}, ""},
		"an effect ends":  {[]rules.Event{lost, moved(engine.TheWall, engine.PileRemoved), played}, ""},
		"between turns":   {[]rules.Event{lost, event(engine.EvTurn, 2), moved(engine.BroughtIn, engine.PileDiscard)}, ""},
		"nothing happens": {nil, ""},
	} {
		sentences := append(Words{}.Sentences(pos.View(0), c.events), "")
		if got := sentences[0]; (got == goesOn) != (c.want != "") {
			t.Errorf("%s: the report begins with %q", name, got)
		}
	}
}
