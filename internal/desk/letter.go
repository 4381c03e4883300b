package desk

import (
	"bytes"
	"fmt"
	"os"

	"samizdat/adjudicator/desklink"
	"samizdat/mail/message"
)

// CheckURL returns the link that checks the record of a match on the page, e.g. "desk/#check.mabcdefg". The page reads
// the record, e.g. mabcdefg.jsonl, from the directory above its own.
func CheckURL(page, match string) string { return page + "#check." + match }

// Open reads a letter or a record. It returns the fragment of the URL that shows it on the page, e.g. "#2.1989.AbC" or
// "#check.record", and the data of a record.
func Open(path string) (fragment string, record []byte, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return CheckURL("", recordName), data, nil
	}
	// message.Read joins a link that quoted-printable encoding has split into lines.
	fragment = desklink.Find(message.Read(data).Text)
	if fragment == "" {
		fragment = desklink.Find(string(data))
	}
	if fragment == "" {
		return "", nil, fmt.Errorf("%s: expected a record or a letter with a link to the desk; the setting site_url of the referee "+
			"adds links to letters", path)
	}
	return "#" + fragment, nil, nil
}
