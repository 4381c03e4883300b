package attack

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object whose numbers are ints or json.Numbers.
type object = map[string]any

// canonical writes a value as docs/record.md says.
func canonical(v any) []byte {
	switch v := v.(type) {
	case nil, bool, int, json.Number:
		if v == nil {
			return []byte("null")
		}
		return fmt.Append(nil, v)
	case uint32:
		return fmt.Append(nil, v)
	case string:
		return quoted(v)
	case []byte:
		return v
	case []string:
		return list(len(v), func(i int) []byte { return quoted(v[i]) })
	case []any:
		return list(len(v), func(i int) []byte { return canonical(v[i]) })
	case []object:
		return list(len(v), func(i int) []byte { return canonical(v[i]) })
	case object:
		names := slices.Sorted(maps.Keys(v)) // UTF-16 sorts ASCII as bytes do, and members have no other names.
		out := list(len(names), func(i int) []byte {
			return slices.Concat(quoted(names[i]), []byte(":"), canonical(v[names[i]]))
		})
		out[0], out[len(out)-1] = '{', '}'
		return out
	}
	panic(fmt.Sprintf("no JSON of a %T", v))
}

func list(n int, element func(i int) []byte) []byte {
	parts := make([][]byte, n)
	for i := range parts {
		parts[i] = element(i)
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

func quoted(s string) []byte {
	out := append(make([]byte, 0, len(s)+2), '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x20 && c != '"' && c != '\\':
			out = append(out, c)
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			out = append(out, '\\', "btn?fr"[c-'\b'])
		default:
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return append(out, '"')
}

// digest is H.
func digest(v any) string {
	sum := sha256.Sum256(canonical(v))
	return hex.EncodeToString(sum[:])
}

// mac is HMAC.
func mac(key []byte, v any) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(canonical(v))
	return m.Sum(nil)
}

// lines is a record: the header, and the entries.
type lines struct {
	header  object
	entries []object
}

// read takes the lines of a record apart.
func read(data []byte) (l lines) {
	for line := range bytes.Lines(data) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var o object
		if err := d.Decode(&o); err != nil {
			panic(err)
		}
		if l.header == nil {
			l.header = o
		} else {
			l.entries = append(l.entries, o)
		}
	}
	return l
}

// text writes them, a line each.
func (l lines) text() []byte {
	out := append(canonical(l.header), '\n')
	for _, e := range l.entries {
		out = append(append(out, canonical(e)...), '\n')
	}
	return out
}

// clone is a copy that shares nothing.
func (l lines) clone() lines { return read(l.text()) }

func (l lines) secret() []byte {
	s, _ := l.header["secret"].(string)
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// commit makes the header's commitment that of its secret.
func (l lines) commit() {
	sum := sha256.Sum256(l.secret())
	l.header["commitment"] = hex.EncodeToString(sum[:])
}

// key is that of the match's stream.
func (l lines) key() []byte {
	parts := []any{"key", l.header["match"], l.header["words"]}
	if b, ok := l.header["beacon"].(object); ok {
		parts = append(parts, b["signature"])
	}
	return mac(l.secret(), parts)
}

// rechain seals the entries from one on again and chains them to the one before.
func (l lines) rechain(from int) {
	for k := from; k < len(l.entries); k++ {
		prev := l.header["commitment"]
		if k > 0 {
			prev = l.entries[k-1]["hash"]
		} else {
			l.entries[0]["setup"] = l.setup()
		}
		l.seal(l.entries[k], prev)
	}
}

// setup is the digest of the header.
func (l lines) setup() string {
	o := object{"options": object{}, "words": []any{}, "chance": ""}
	for _, name := range []string{"format", "version", "game", "rules", "match", "options", "commitment", "words", "chance", "seals", "beacon"} {
		if v, ok := l.header[name]; ok {
			o[name] = v
		}
	}
	return digest(o)
}

// seal completes an entry.
func (l lines) seal(e object, prev any) {
	public, hidden := parts(e)
	key := mac(l.secret(), []any{"entry", l.header["match"], e["seq"]})
	e["sealed"] = hex.EncodeToString(mac(key, hidden))
	e["prev"], e["hash"] = prev, digest([]any{prev, public, e["sealed"]})
}

// parts are the public and the hidden fields of an entry.
func parts(e object) (public, hidden object) {
	public, hidden = maps.Clone(e), object{}
	for _, name := range []string{"sealed", "prev", "hash"} {
		delete(public, name)
	}
	if s, ok := e["state"]; ok {
		hidden["state"] = s
		delete(public, "state")
	}
	if e["private"] == true {
		hidden["orders"] = e["orders"]
		delete(public, "orders")
	}
	if answers := objects(e["answers"]); len(answers) > 0 {
		var open, sealed []any
		for k, a := range answers {
			a = maps.Clone(a)
			if a["private"] == true {
				sealed = append(sealed, []any{k, a["orders"]})
				delete(a, "orders")
			}
			open = append(open, a)
		}
		public["answers"] = open
		if len(sealed) > 0 {
			hidden["answers"] = sealed
		}
	}
	if chance := objects(e["chance"]); len(chance) > 0 {
		var open, sealed []any
		for k, o := range chance {
			o = maps.Clone(o)
			_, isDraw := o["draw"]
			switch lot := o["from"] == "lot"; {
			case isDraw && !lot:
				sealed = append(sealed, []any{k, o["draw"], o["i"]})
				delete(o, "i")
			case isDraw && o["hidden"] == true:
				sealed = append(sealed, []any{k, o["draw"], o["i"], o["n"]})
				delete(o, "i")
				delete(o, "n")
			}
			if o["hidden"] == true {
				delete(o, "draw")
			}
			open = append(open, o)
		}
		public["chance"] = open
		if len(sealed) > 0 {
			hidden["chance"] = sealed
		}
	}
	return public, hidden
}

// objects are those of a list.
func objects(v any) []object {
	switch v := v.(type) {
	case []object:
		return v
	case []any:
		var out []object
		for _, e := range v {
			if o, ok := e.(object); ok {
				out = append(out, o)
			}
		}
		return out
	}
	return nil
}

// public is the form of a record before the match is over.
func (l lines) public() lines {
	p := lines{header: maps.Clone(l.header)}
	delete(p.header, "secret")
	for _, e := range l.entries {
		open, _ := parts(e)
		for _, name := range []string{"sealed", "prev", "hash"} {
			open[name] = e[name]
		}
		p.entries = append(p.entries, open)
	}
	return p
}

// head is the hash of the newest entry.
func (l lines) head() string { return l.entries[len(l.entries)-1]["hash"].(string) }

// at returns the number of the place (epoch, n, i, kind) out of m.
func at(key []byte, epoch, n, i int, kind string, m int) int {
	for again := 0; ; again++ {
		place := []any{epoch, n, i, kind}
		if again > 0 {
			place = append(place, again)
		}
		sum := mac(key, place)
		for ; len(sum) >= 8; sum = sum[8:] {
			v := binary.BigEndian.Uint64(sum)
			// 2^64 mod m, in 64 bits.
			if rest := -uint64(m) % uint64(m); rest == 0 || v < -rest {
				return int(v % uint64(m))
			}
		}
	}
}

// number is an int of a line that was read or made.
func number(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case json.Number:
		n, err := strconv.Atoi(v.String())
		if err != nil {
			panic(err)
		}
		return n
	}
	return 0
}
