package record_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/goldentest"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// golden compares with a file under testdata. The files of this package hold
// what can never change: a difference is a bug, not a reason for -update.
var golden = goldentest.Compare

// What follows computes everything a second time from the package's doc comment
// alone: canonical JSON written by hand, big integers, no code of the package.

func slowMac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func slowHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// slowSample is the outcome out of m at a place.
func slowSample(key []byte, place string, m int64) int64 {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	multiple := new(big.Int).Mul(new(big.Int).Div(two64, big.NewInt(m)), big.NewInt(m))
	for round := 0; ; round++ {
		text := "[" + place + "]"
		if round > 0 {
			text = fmt.Sprintf("[%s,%d]", place, round)
		}
		digest := slowMac(key, text)
		for i := range 4 {
			x := new(big.Int).SetBytes(digest[8*i : 8*i+8])
			if x.Cmp(multiple) < 0 {
				return new(big.Int).Mod(x, big.NewInt(m)).Int64()
			}
		}
	}
}

const (
	slowSecret = "0123456789abcdef0123456789abcdef"
	slowWords  = `["a word","","<drei & Wörter>"]`
)

func TestKnownStream(t *testing.T) {
	t.Parallel()
	s := testSecret(t)
	key, err := s.Key("m1", []string{"a word", "", "<drei & Wörter>"})
	if err != nil {
		t.Fatal(err)
	}
	slowKey := slowMac([]byte(slowSecret), `["key","m1",`+slowWords+`]`)
	var b strings.Builder
	fmt.Fprintln(&b, "commitment", s.Commitment())
	if got, want := s.Commitment(), slowHash(slowSecret); got != want {
		t.Errorf("commitment: got %s, want %s", got, want)
	}
	fmt.Fprintln(&b, "key", hex.EncodeToString(slowKey))
	// 2^63+1 rejects nearly half of all numbers, so that further rounds are
	// needed for some places.
	for _, m := range []int{1, 2, 3, 6, 24, 52, 110, 1 << 32, 1<<62 + 1, 1<<63 - 1} {
		for n := range 6 {
			p := record.Place{Epoch: n % 2, Entry: n, Outcome: 5 * n, Kind: []string{"roll", "lot", "draw strategy"}[n%3]}
			got, err := key.Sample(p, m)
			if err != nil {
				t.Fatal(err)
			}
			place := fmt.Sprintf("%d,%d,%d,%q", p.Epoch, p.Entry, p.Outcome, p.Kind)
			if want := slowSample(slowKey, place, int64(m)); int64(got) != want {
				t.Errorf("[%s] out of %d: got %d, want %d", place, m, got, want)
			}
			fmt.Fprintf(&b, "[%s] out of %d: %d\n", place, m, got)
		}
	}
	golden(t, "stream.txt", b.String())
}

// An outcome out of 2^63+1 cannot be asked for as an int on every machine, so
// the way on to further rounds is checked by counting how often it was needed.
func TestFurtherRounds(t *testing.T) {
	t.Parallel()
	key, err := testSecret(t).Key("m1", nil)
	if err != nil {
		t.Fatal(err)
	}
	slowKey := slowMac([]byte(slowSecret), `["key","m1",[]]`)
	// The greatest multiple is 2*m: one number in three is rejected.
	const m = 1<<64/3 + 1
	further := 0
	for n := range 3000 {
		got, err := key.Sample(record.Place{Entry: n, Kind: "lot"}, m)
		if err != nil {
			t.Fatal(err)
		}
		place := fmt.Sprintf(`0,%d,0,"lot"`, n)
		if want := slowSample(slowKey, place, m); int64(got) != want {
			t.Fatalf("[%s]: got %d, want %d", place, got, want)
		}
		digest := slowMac(slowKey, "["+place+"]")
		rejected := true
		for i := range 4 {
			x := new(big.Int).SetBytes(digest[8*i : 8*i+8])
			rejected = rejected && x.Cmp(new(big.Int).Mul(big.NewInt(2), big.NewInt(m))) >= 0
		}
		if rejected {
			further++
		}
	}
	if further == 0 {
		t.Error("no place needed a further round: the test does not test it")
	}
}

func TestKnownEntry(t *testing.T) {
	t.Parallel()
	s := testSecret(t)
	i, n := 3, 14
	e := record.Entry{Seq: 7, Seat: "east", Epoch: 1, Orders: []string{"KEEP 5"}, Private: true, Letter: strings.Repeat("0f", 32),
		Chance: []record.Outcome{{Roll: 4, For: "ripening"},
			{Draw: 5, I: &i, N: &n, From: "weather", To: "east", Hidden: true, For: "first deal"}},
		Answers: []record.Answer{{Seat: "north", Orders: []string{"VOTE SUN"}}, {Seat: "west", Orders: []string{"KEEP 9"}, Private: true}},
		State:   strings.Repeat("a1", 32)}
	prev := strings.Repeat("b2", 32)
	if err := s.Seal("m1", prev, &e); err != nil {
		t.Fatal(err)
	}
	hidden := `{"answers":[[1,["KEEP 9"]]],"chance":[[1,5,3]],"orders":["KEEP 5"],"state":"` + strings.Repeat("a1", 32) + `"}`
	public := `{"answers":[{"orders":["VOTE SUN"],"seat":"north"},{"private":true,"seat":"west"}],` +
		`"chance":[{"for":"ripening","roll":4},{"for":"first deal","from":"weather","hidden":true,"n":14,"to":"east"}],` +
		`"epoch":1,"letter":"` + strings.Repeat("0f", 32) + `","private":true,"seat":"east","seq":7}`
	entryKey := slowMac([]byte(slowSecret), `["entry","m1",7]`)
	sealed := hex.EncodeToString(slowMac(entryKey, hidden))
	hash := slowHash(`["` + prev + `",` + public + `,"` + sealed + `"]`)
	if e.Sealed != sealed || e.Prev != prev || e.Hash != hash {
		t.Errorf("got  %s %s %s\nwant %s %s %s", e.Sealed, e.Prev, e.Hash, sealed, prev, hash)
	}
	golden(t, "entry.txt", "hidden "+hidden+"\npublic "+public+"\nentry key "+hex.EncodeToString(entryKey)+
		"\nsealed "+e.Sealed+"\nhash "+e.Hash+"\n")
}

// A whole match, to the byte: if this file changes, records that players hold
// are no longer what they were.
func TestKnownMatch(t *testing.T) {
	t.Parallel()
	m := played(t, 1)
	golden(t, "match.jsonl", string(isCanonical(t, m.rec)))
	golden(t, "public.jsonl", string(isCanonical(t, m.rec.Public())))
}

func TestUniform(t *testing.T) {
	t.Parallel()
	key, err := testSecret(t).Key("uniform", nil)
	if err != nil {
		t.Fatal(err)
	}
	const rolls = 60000
	var count [7]int
	for n := range rolls / 10 {
		s := record.NewStream(key, 0, n, record.OutcomeNames{Game: rulestest.Game()})
		for range 10 {
			v, err := s.Roll(0)
			if err != nil {
				t.Fatal(err)
			}
			count[v]++
		}
	}
	chi := 0.0
	for v := 1; v <= 6; v++ {
		d := float64(count[v]) - rolls/6
		chi += d * d / (rolls / 6)
	}
	// Chi-square with 5 degrees of freedom is above 25 once in 7000 keys; this
	// key is fixed.
	if chi > 25 {
		t.Errorf("chi-square %.1f for %v", chi, count[1:])
	}
}

func TestStreamRefusesUnknownKinds(t *testing.T) {
	t.Parallel()
	key, _ := testSecret(t).Key("m", nil)
	s := record.NewStream(key, 0, 0, record.OutcomeNames{Game: rulestest.Game()})
	for _, kind := range []string{"", "roll", "draw", "draw ", "draw lot", "draw roll", "lots"} {
		if _, err := s.Draw(rules.Draw{Kind: kind, Pile: []int16{1}}); err == nil {
			t.Errorf("kind %q was drawn", kind)
		}
	}
	if _, err := s.Draw(rules.Draw{Kind: "draw weather"}); err == nil {
		t.Error("an empty pile was drawn from")
	}
	if len(s.Outcomes()) != 0 {
		t.Errorf("outcomes of failed draws: %v", s.Outcomes())
	}
}

func TestSecretDoesNotPrint(t *testing.T) {
	t.Parallel()
	s := testSecret(t)
	key, _ := s.Key("m", nil)
	for _, f := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q", "%d"} {
		if got := fmt.Sprintf(f+" "+f, s, key); got != "secret key" {
			t.Errorf("%s prints %s", f, got)
		}
	}
	again, err := record.ParseSecret(s.Hex())
	if err != nil || again != s {
		t.Errorf("%v: a secret is not read as it was written", err)
	}
	for _, bad := range []string{"", "00", s.Hex() + "00", "zz" + s.Hex()[2:]} {
		if _, err := record.ParseSecret(bad); err == nil {
			t.Errorf("%q was read as a secret", bad)
		}
	}
}
