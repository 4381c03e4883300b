package attack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/test/long"
)

// second asks the verifier of another hand, tools/verify.py, about records that were changed.
// It knows no game: with the newest hash out of a letter it finds all the same, but for moves
// that only the rules of a game forbid. Without Python it does nothing, and the test that calls it is skipped at
// its end (long.Needs).
func second(t *testing.T, all []mutation) {
	t.Helper()
	if long.Missing(t, "python3") {
		return
	}
	dir := t.TempDir()
	for i, x := range all {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, x.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name+".hash", []byte(x.held.Hashes[len(x.held.Hashes)-1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", judges, filepath.Join("..", "..", "..", "tools"), dir, fmt.Sprint(len(all)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("call the second verifier: %v\n%s", err, out)
	}
	said := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(said) != len(all) {
		t.Fatalf("it says something of %d records out of %d: %s", len(said), len(all), out)
	}
	for i, x := range all {
		if good := strings.HasPrefix(said[i], "good"); good != x.same && !(good && x.legal) {
			t.Errorf("%s: the second verifier says %q", x.what, said[i])
		}
	}
}

// judges asks about many records in one process, each with the hash that belongs to it.
const judges = `
import argparse, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import verify
for i in range(int(sys.argv[3])):
    file = f"{sys.argv[2]}/{i}"
    options = argparse.Namespace(hash=[open(file + ".hash").read()], commitment=None, words=[], seal=[], letters=[], read=[], partial=False)
    verdict, said = verify.check(file, options)
    print(verdict, said[0].replace("\n", " ")[:200])
`
