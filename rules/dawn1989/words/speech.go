package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"samizdat/internal/lazyregexp"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// SpeakSection implements rules.Speaker.
func (Words) SpeakSection(rv rules.View, since []rules.Event, title string) []string {
	v := rv.(*engine.View)
	switch {
	case title == "The map":
		return speakMap(v, engine.CollectChanges(since))
	case title == rules.BigMapTitle:
		return speakSpaces(v)
	case title == "Your hand":
		return speakHand(v)
	case v.Visible.Struggle.Country != engine.NoCountry && title == struggleTitle(v.Visible.Struggle.Country):
		var out []string
		for _, b := range paragraphs(struggleLines(v)) {
			text := rangePattern.ReplaceAllString(strings.TrimSpace(b.Lead+" "+b.Text), "$1 to $2")
			if dice, ok := strings.CutPrefix(text, pointsForTotal+": "); ok {
				text = pointsForTotal + ": " + strings.ReplaceAll(dice, " = ", " gives ")
			}
			out = append(out, timesReplacer.Replace(text))
		}
		return out
	}
	return nil
}

// speakHand describes each card in one paragraph, with a sentence in place of the asterisk.
func speakHand(v *engine.View) (out []string) {
	for _, b := range handBlocks(v) {
		switch asterisk := strings.Contains(b.Aside, " *"); {
		case b.Label == "" && strings.HasPrefix(b.Text, "*"):
			continue
		case b.Label == "":
			out = append(out, strings.TrimSpace(b.Lead+" "+b.Text))
			continue
		case asterisk:
			b.Text += " The card leaves the game after its event."
			fallthrough
		default:
			aside := strings.NewReplacer(" *", "", " (no event)", ", the event cannot happen now").Replace(b.Aside)
			out = append(out, fmt.Sprintf("Card %s, %s: %s. %s", b.Label, b.Lead, aside, b.Text))
		}
	}
	return out
}

// speakMap describes each country in one paragraph: the holder of Power, the value, and the spaces of each side. For
// example: "You control battleground Poznan with 4 against 1; Polish Catholic Church with 5."
func speakMap(v *engine.View, changed engine.Changes) []string {
	out := []string{"MAP BIG tells the type, stability and neighbours of every space."}
	p := &v.Visible
	for c := engine.EastGermany; c < engine.Countries; c++ {
		controlled, empty := [3][]string{}, []string(nil)
		for _, s := range engine.InCountry[c].List() {
			switch side := slices.Index([]string{"D", "C", ""}, controlLetter(p, s)); {
			case s == p.Destroyed:
				empty = append(empty, s.String()+", which is destroyed")
			case p.Support[engine.Democrat][s]+p.Support[engine.Communist][s] == 0 && !changed.Spaces.Has(s):
				empty = append(empty, spokenSpace(s))
			default:
				controlled[side] = append(controlled[side], speakSupport(v, s, engine.Side(side))+spokenChange(changed.Spaces.Has(s)))
			}
		}
		text := fmt.Sprintf("%v: %s%s", c, speakPower(v, c), spokenChange(changed.Power[c]))
		if p.Ending == engine.NotOver {
			text += fmt.Sprintf("; if scored now, %s VP", formatSigned(scoreChange(p, c)))
		}
		text += ". "
		for i, subject := range []string{controlText(v, engine.Democrat), controlText(v, engine.Communist), "Nobody controls"} {
			if len(controlled[i]) > 0 {
				text += subject + " " + strings.Join(controlled[i], "; ") + ". "
			}
		}
		if len(empty) > 0 {
			text += "Without support: " + strings.Join(empty, "; ") + "."
		}
		out = append(out, strings.TrimSpace(text))
	}
	return out
}

// speakSpaces describes the fixed facts and the support of every space, in one line for each space. For example:
// "Gdansk: worker, battleground, stability 3. The Communist controls it with 3. Next to Szczecin, Bydgoszcz."
func speakSpaces(v *engine.View) (out []string) {
	p := &v.Visible
	for c := engine.EastGermany; c < engine.Countries; c++ {
		out = append(out, fmt.Sprintf("%v: %s.", c, speakPower(v, c)))
		for _, s := range engine.InCountry[c].List() {
			info, side, battle := s.Info(), slices.Index([]string{"D", "C"}, controlLetter(p, s)), ""
			if info.Battleground {
				battle = ", battleground"
			}
			if s == p.Destroyed {
				out = append(out, s.String()+" is destroyed.")
				continue
			}
			text := "Without support."
			switch democrat, communist := p.Support[engine.Democrat][s], p.Support[engine.Communist][s]; {
			case side >= 0:
				text = fmt.Sprintf("%s it%s.", controlText(v, engine.Side(side)), supportText(v, s, engine.Side(side)))
			case democrat+communist > 0:
				text = fmt.Sprintf("Nobody controls it: the Democrat has %d, the Communist %d.", democrat, communist)
			}
			out = append(out, fmt.Sprintf("%v: %v%s, stability %d. %s Next to %s.", s, info.Type, battle, info.Stability, text,
				spaceList(p.Neighbours(s))))
		}
	}
	return out
}

func speakPower(v *engine.View, c engine.Country) string {
	side := v.Visible.Power[c].Holder
	if side == v.Visible.SideOf(v.Seat()) {
		return "you hold Power"
	}
	return sideName(side) + " holds Power"
}

// controlText returns the beginning of a sentence on the spaces of a side: "You control" or "The Communist controls".
func controlText(v *engine.View, side engine.Side) string {
	if side == v.Visible.SideOf(v.Seat()) {
		return "You control"
	}
	return capitalSideName(side) + " controls"
}

// speakSupport describes the support in a space. For example, "battleground Poznan with 4 against 1" for the
// controlling side, and "battleground Lodz, where you have 1" for a space without control.
func speakSupport(v *engine.View, s engine.Space, side engine.Side) string {
	if side != engine.Neutral {
		return spokenSpace(s) + supportText(v, s, side)
	}
	var parts []string
	for _, side := range []engine.Side{engine.Democrat, engine.Communist} {
		name := sideName(side) + " has"
		if side == v.Visible.SideOf(v.Seat()) {
			name = "you have"
		}
		if n := v.Visible.Support[side][s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, n))
		}
	}
	if parts == nil {
		parts = []string{"there is no support"}
	}
	return spokenSpace(s) + ", where " + joinWords(parts, "and")
}

func supportText(v *engine.View, s engine.Space, side engine.Side) string {
	mine, theirs := v.Visible.Support[side][s], v.Visible.Support[side.Enemy()][s]
	if theirs == 0 {
		return fmt.Sprintf(" with %d", mine)
	}
	return fmt.Sprintf(" with %d against %d", mine, theirs)
}

func spokenSpace(s engine.Space) string {
	if s.Info().Battleground {
		return "battleground " + s.String()
	}
	return s.String()
}

func spokenChange(hasChanged bool) string {
	if hasChanged {
		return ", just changed"
	}
	return ""
}

// spokenMinus replaces " - " in a sum, because speech programs do not read the sign.
const spokenMinus = " minus "

// The patterns find signs that speech programs do not read well. spaceNameOf maps abbreviated names of spaces to full
// names.
var (
	rangePattern   = lazyregexp.New(`\b(\d)-(\d)\b`)
	atLeastPattern = lazyregexp.New(`\b(\d)\+`)
	starPattern    = lazyregexp.New(`([\pL.])\*`)
	spokenReplacer = strings.NewReplacer("Harghita/Covasna", "Harghita Covasna", "card with *", "card that leaves the game after its event", " - ", spokenMinus)
	spaceNameOf    = sync.OnceValue(func() map[string]string {
		out := map[string]string{}
		for s := engine.Space(1); s < engine.Spaces; s++ {
			out[abbreviation(s)] = s.String()
		}
		return out
	})
)

// SpeakText implements rules.Speaker.
func (Words) SpeakText(text string) string {
	text = starPattern.ReplaceAllString(strings.ReplaceAll(text, starNote, ""), "$1 (gives the Democrat 1 VP)")
	text = atLeastPattern.ReplaceAllString(spokenReplacer.Replace(text), "$1 or more")
	title, list, _ := strings.Cut(text, ": ")
	items := strings.Split(list, ", ")
	for i, abbreviated := range items {
		items[i] = cmp.Or(spaceNameOf()[abbreviated], abbreviated)
	}
	if list != "" {
		return title + ": " + joinComma(items)
	}
	return text
}

// timesReplacer writes the numbers of equal cards in a list, for example "Rally x2" as "Rally twice".
var timesReplacer = strings.NewReplacer(" x2", " twice", " x3", " three times", " x4", " four times", " x5", " five times", " x6",
	" six times", " x7", " seven times", " x8", " eight times", " x9", " nine times")
