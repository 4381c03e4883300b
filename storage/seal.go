package storage

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// key seals what must not be readable in the database alone: AES-256-GCM with a random
// nonce before the ciphertext, bound to the column and the row that it is for.
type key struct {
	aead cipher.AEAD
	// readObservers is what the keys of observers' tokens are made from, digests what names
	// letters by what they say.
	observers, digests []byte
}

func newKey(raw []byte) (key, error) {
	block, err := aes.NewCipher(raw)
	if err != nil {
		return key{}, err
	}
	aead, err := cipher.NewGCM(block)
	return key{aead, mac(raw, "observers"), mac(raw, "digests")}, err
}

func mac(key []byte, what string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(what))
	return h.Sum(nil)
}

// paddingSizes are the multiples of bytes to which values are filled up, by column, so that
// their length does not tell whether orders are kept, or which. Others are filled up to
// least. Those with 0 always have the same length.
var paddingSizes = map[string]int{
	"secret": 0, "key": 0,
	"matches.position": 1024, "matches.held": 1024, "seats.thoughts": 1024,
	"entries.entry": 128, "archives.record": 1024, "bodies.raw": 1024, "bodies.drawing": 1024, "bodies.file": 1024,
	"received.raw": 256, "sent.decisions": 16,
}

// entryColumn is the column whose values are compressed before they are sealed.
const entryColumn = "entries.entry"

const minPadding = 64

func paddingSize(column any) int {
	name, _ := column.(string)
	if n, ok := paddingSizes[name]; ok {
		return n
	}
	return minPadding
}

// sealLabel says what a sealed value is: its column and its row.
func sealLabel(what []any) []byte {
	var out []byte
	for i, w := range what {
		if i > 0 {
			out = append(out, ' ')
		}
		switch w := w.(type) {
		case string:
			out = append(out, w...)
		case int64:
			out = strconv.AppendInt(out, w, 10)
		default:
			out = fmt.Append(out, w)
		}
	}
	return out
}

func (k *key) seal(value any, what ...any) ([]byte, error) {
	var plain []byte
	switch v := value.(type) {
	case []byte:
		if plain = v; v == nil {
			return nil, nil
		}
	case string:
		plain = []byte(v)
	default:
		plain = fmt.Append([]byte{}, v)
	}
	if what[0] == entryColumn {
		var err error
		if plain, err = entryRows.pack(plain); err != nil {
			return nil, fmt.Errorf("seal %s: %w", sealLabel(what), err)
		}
	}
	n, size := k.aead.NonceSize(), len(plain)
	b := paddingSize(what[0])
	if b > 0 {
		size++
		size += (b - size%b) % b
	}
	out := make([]byte, n+size, n+size+k.aead.Overhead())
	if _, err := rand.Read(out[:n]); err != nil {
		return nil, fmt.Errorf("seal %s: %w", sealLabel(what), err)
	}
	if copy(out[n:], plain); b > 0 {
		out[n+len(plain)] = 0x80
	}
	return k.aead.Seal(out[:n], out[:n], out[n:], sealLabel(what)), nil
}

// open undoes seal.
func (k *key) open(value any, what ...any) ([]byte, error) {
	n := k.aead.NonceSize()
	stored, ok := value.([]byte)
	switch {
	case !ok:
		return nil, fmt.Errorf("unseal %s: it is not sealed", sealLabel(what))
	case stored == nil:
		return nil, nil
	case len(stored) == 0:
		return stored, nil
	case len(stored) < n:
		return nil, fmt.Errorf("unseal %s: too short", sealLabel(what))
	}
	plain, err := k.aead.Open(nil, stored[:n], stored[n:], sealLabel(what))
	if err != nil {
		return nil, fmt.Errorf("unseal %s: %w: %w", sealLabel(what), ErrOtherKey, err)
	}
	if paddingSize(what[0]) > 0 {
		plain = plain[:bytes.LastIndexByte(plain, 0x80)]
	}
	if what[0] == entryColumn {
		if plain, err = entryRows.unpack(plain); err != nil {
			return nil, fmt.Errorf("unseal %s: %w", sealLabel(what), err)
		}
	}
	if plain == nil {
		plain = []byte{}
	}
	return plain, nil
}

// keyedDigest takes the place of the digest of a letter: without the key nobody can try out
// what the letter says. Other names of receipts stay what they are.
func (k *key) keyedDigest(digest string) string {
	if len(digest) != 2*sha256.Size {
		return digest
	}
	return hex.EncodeToString(mac(k.digests, digest))
}

// receiptName is the name of a receipt: half of what is keyed, of which two are never the same either.
func (k *key) receiptName(digest string) string {
	name := k.keyedDigest(digest)
	if name != digest {
		name = name[:sha256.Size]
	}
	return name
}

// ErrOtherKey: the key file belongs to another database.
var ErrOtherKey = errors.New("the key file is not the one that the database was made with")

// readKey reads the key file, or makes it for a new database. A database whose
// key file is gone is of no use, so a missing file is never made anew then.
func readKey(path string, fresh bool) (key, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && fresh {
		b, err = makeKey(path)
	}
	if err != nil {
		return key{}, fmt.Errorf("the key file: %w", err)
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(raw) != 32 {
		return key{}, fmt.Errorf("the key file %s does not hold 64 hexadecimal digits", path)
	}
	return newKey(raw)
}

func makeKey(path string) ([]byte, error) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return nil, err
	}
	text := []byte(hex.EncodeToString(raw) + "\n")
	f, err := os.CreateTemp(filepath.Dir(path), ".key-") // for its owner only
	if err != nil {
		return nil, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		// A link is there whole or not at all, and never takes the place of another.
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		// Another process has made it meanwhile.
		text, err = os.ReadFile(path)
	}
	return text, errors.Join(err, os.Remove(f.Name()))
}

// MakePrivate lets nobody but their owner read or write files and directories; what is not
// there is passed over. A directory that everybody writes to cannot be made so.
func MakePrivate(paths ...string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.Mode().Perm()&0o077 == 0:
			continue
		case info.Mode()&fs.ModeSticky != 0:
			return fmt.Errorf("%s belongs to everybody on this machine: use a directory of your own", path)
		}
		if err := os.Chmod(path, info.Mode().Perm()&0o700); err != nil {
			return fmt.Errorf("others on this machine may read %s, and that cannot be changed: %w", path, err)
		}
	}
	return nil
}

// makeFilePrivate makes sure that a database is private before anything is written to it. The
// files that SQLite makes beside it get the permissions that it has.
func makeFilePrivate(path, keyPath string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return MakePrivate(path, path+"-wal", path+"-shm", path+"-journal", keyPath)
}
