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

// key encrypts secret values with AES-256-GCM. A stored value is a random nonce and the ciphertext, which is bound to
// its column and row. For example, the ciphertext of entry 12 of match m7 cannot be decrypted as entry 13.
type key struct {
	aead cipher.AEAD
	// observers is the key for observers' tokens, and digests is the key for the digests of received letters.
	observers, digests []byte
}

func newKey(raw []byte) (key, error) {
	block, err := aes.NewCipher(raw)
	if err != nil {
		return key{}, err
	}
	aead, err := cipher.NewGCM(block)
	return key{aead, computeMAC(raw, "observers"), computeMAC(raw, "digests")}, err
}

func computeMAC(key []byte, message string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(message))
	return h.Sum(nil)
}

// paddingSizes are the block sizes for padding, by column, so that lengths do not reveal which orders are pending. 0 is
// for values of fixed length. Other columns are padded to multiples of minPadding.
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
func sealLabel(parts []any) []byte {
	var out []byte
	for i, w := range parts {
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

// seal encrypts a value. label is its column and row, see sealLabel.
func (k *key) seal(value any, label ...any) ([]byte, error) {
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
	if label[0] == entryColumn {
		var err error
		if plain, err = entryCodec.pack(plain); err != nil {
			return nil, fmt.Errorf("seal %s: %w", sealLabel(label), err)
		}
	}
	nonceSize, size := k.aead.NonceSize(), len(plain)
	block := paddingSize(label[0])
	if block > 0 {
		size++
		size += (block - size%block) % block
	}
	out := make([]byte, nonceSize+size, nonceSize+size+k.aead.Overhead())
	if _, err := rand.Read(out[:nonceSize]); err != nil {
		return nil, fmt.Errorf("seal %s: %w", sealLabel(label), err)
	}
	if copy(out[nonceSize:], plain); block > 0 {
		out[nonceSize+len(plain)] = 0x80
	}
	return k.aead.Seal(out[:nonceSize], out[:nonceSize], out[nonceSize:], sealLabel(label)), nil
}

func (k *key) unseal(value any, label ...any) ([]byte, error) {
	nonceSize := k.aead.NonceSize()
	stored, ok := value.([]byte)
	switch {
	case !ok:
		return nil, fmt.Errorf("unseal %s: the value is not sealed", sealLabel(label))
	case stored == nil:
		return nil, nil
	case len(stored) == 0:
		return stored, nil
	case len(stored) < nonceSize:
		return nil, fmt.Errorf("unseal %s: the value is too short", sealLabel(label))
	}
	plain, err := k.aead.Open(nil, stored[:nonceSize], stored[nonceSize:], sealLabel(label))
	if err != nil {
		return nil, fmt.Errorf("unseal %s: %w: %w", sealLabel(label), ErrOtherKey, err)
	}
	if paddingSize(label[0]) > 0 {
		plain = plain[:bytes.LastIndexByte(plain, 0x80)]
	}
	if label[0] == entryColumn {
		if plain, err = entryCodec.unpack(plain); err != nil {
			return nil, fmt.Errorf("unseal %s: %w", sealLabel(label), err)
		}
	}
	if plain == nil {
		plain = []byte{}
	}
	return plain, nil
}

// keyedDigest replaces the digest of a letter by an HMAC, because a digest would let anyone check guesses of the text.
// Other digests, e.g. "alarm imap", are returned unchanged.
func (k *key) keyedDigest(digest string) string {
	if len(digest) != 2*sha256.Size {
		return digest
	}
	return hex.EncodeToString(computeMAC(k.digests, digest))
}

// receiptName returns the first half of a letter's keyed digest, which is still unique. It returns other digests
// unchanged.
func (k *key) receiptName(digest string) string {
	name := k.keyedDigest(digest)
	if name != digest {
		name = name[:sha256.Size]
	}
	return name
}

// ErrOtherKey means that the key file belongs to another database.
var ErrOtherKey = errors.New("the key file belongs to another database")

// readKey reads a key file. If create is set, it creates a missing file, for a new database: a new key cannot decrypt
// existing values.
func readKey(path string, create bool) (key, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && create {
		b, err = makeKey(path)
	}
	if err != nil {
		return key{}, fmt.Errorf("read the key file: %w", err)
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(raw) != 32 {
		return key{}, fmt.Errorf("the key file %s must contain 64 hexadecimal digits", path)
	}
	return newKey(raw)
}

// makeKey creates a key file, or reads it if another process creates it at the same time.
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
		text, err = os.ReadFile(path)
	}
	return text, errors.Join(err, os.Remove(f.Name()))
}

// MakePrivate removes the permissions of other users from existing files and directories. It returns an error for
// shared directories, e.g. /tmp.
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
			return fmt.Errorf("other users of this machine may read %s, and its permissions cannot be changed: %w", path, err)
		}
	}
	return nil
}

// createPrivateFile creates the database file if it is missing, and removes the permissions of other users from the
// files of the database and from the key file. SQLite creates its other files with the same permissions.
func createPrivateFile(path, keyPath string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return MakePrivate(path, path+"-wal", path+"-shm", path+"-journal", keyPath)
}
