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

// key encrypts hidden values with AES-256-GCM: a random nonce before the ciphertext, bound to column and row. For
// example, the ciphertext of entry 12 of match m7 does not open as entry 13.
type key struct {
	aead cipher.AEAD
	// observers derives the keys of observers' tokens; digests derives the names of received letters.
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

// paddingSizes are the block sizes for padding, by column, so that lengths do not reveal whether or which orders
// are pending. Other columns are padded to minPadding. Values with 0 have a fixed length.
var paddingSizes = map[string]int{
	"secret": 0, "key": 0,
	"matches.position": 1024, "matches.held": 1024, "seats.thoughts": 1024,
	"entries.entry": 128, "archives.record": 1024, "bodies.raw": 1024, "bodies.drawing": 1024, "bodies.file": 1024,
	"received.raw": 256, "sent.decisions": 16,
}

const entryColumn = "entries.entry"

const minPadding = 64

func paddingSize(column any) int {
	name, _ := column.(string)
	if n, ok := paddingSizes[name]; ok {
		return n
	}
	return minPadding
}

// sealLabel returns the additional data of a sealed value: column and row, e.g. "entries.entry m7 12".
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

func (k *key) open(value any, what ...any) ([]byte, error) {
	n := k.aead.NonceSize()
	stored, ok := value.([]byte)
	switch {
	case !ok:
		return nil, fmt.Errorf("unseal %s: the value is not sealed", sealLabel(what))
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

// keyedDigest replaces the digest of a letter by an HMAC: without the key guesses of its text cannot be checked.
// Other names of receipts stay.
func (k *key) keyedDigest(digest string) string {
	if len(digest) != 2*sha256.Size {
		return digest
	}
	return hex.EncodeToString(mac(k.digests, digest))
}

// receiptName returns the first half of the keyed digest, which is still unique.
func (k *key) receiptName(digest string) string {
	name := k.keyedDigest(digest)
	if name != digest {
		name = name[:sha256.Size]
	}
	return name
}

// ErrOtherKey means that the key file belongs to another database.
var ErrOtherKey = errors.New("the key file is not the one that the database was made with")

// readKey reads the key file, or creates it for a new database. A lost key file is never replaced, because the
// database cannot be read without it.
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
	f, err := os.CreateTemp(filepath.Dir(path), ".key-") // readable by the owner only
	if err != nil {
		return nil, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		// A link is created completely or not at all, and never replaces a file.
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		// Another process has created the file.
		text, err = os.ReadFile(path)
	}
	return text, errors.Join(err, os.Remove(f.Name()))
}

// MakePrivate restricts existing files and directories to their owner. It returns an error for a directory like
// /tmp.
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
			return fmt.Errorf("%s is writable by all users of this machine: use a directory of your own", path)
		}
		if err := os.Chmod(path, info.Mode().Perm()&0o700); err != nil {
			return fmt.Errorf("others on this machine may read %s, and that cannot be changed: %w", path, err)
		}
	}
	return nil
}

// makeFilePrivate creates a private database file before anything is written. SQLite's other files get its
// permissions.
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
