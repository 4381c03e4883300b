package desk

import (
	"fmt"
	"os"

	"samizdat/adjudicator/desklink"
	"samizdat/mail/message"
)

// FragmentOf finds the link to the desk in the file of a letter, and returns it from the # on.
func FragmentOf(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	// A letter as mail programs store it may break the link into lines.
	fragment := desklink.Find(message.Read(data).Text)
	if fragment == "" {
		fragment = desklink.Find(string(data))
	}
	if fragment == "" {
		return "", fmt.Errorf("%s: there is no link to the desk in it; the setting desk: of the referee puts one into letters", path)
	}
	return "#" + fragment, nil
}
