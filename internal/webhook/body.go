// Package webhook sends notices to web hooks by HTTP POST. It limits its requests, waits longer after each failure of a
// hook, and sends only to public IP addresses unless the operator allows private addresses.
package webhook

import (
	"encoding/json"
	"strings"

	"samizdat/adjudicator/club"
)

// slackText escapes the characters with which Slack marks links and mentions: "<!channel>" -> "&lt;!channel&gt;".
var slackText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// encodeNotice returns the body of a notice in a format, and its content type. For example, discord gets
// {"content":"Match mabcdefg of 1989: Ada is to move. https://club.example/","allowed_mentions":{"parse":[]}}.
func encodeNotice(n club.Notice, format club.HookFormat) (body []byte, contentType string, err error) {
	text := n.Text
	if n.Link != "" {
		text += " " + n.Link
	}
	var v any = n
	switch format {
	case "text", "ntfy":
		return []byte(text), "text/plain; charset=utf-8", nil
	case "discord":
		v = map[string]any{"content": text, "allowed_mentions": map[string]any{"parse": []string{}}}
	case "slack":
		v = map[string]any{"text": slackText.Replace(text)}
	case "matrix":
		v = map[string]any{"text": text, "username": "Samizdat"}
	}
	body, err = json.Marshal(v)
	return body, "application/json", err
}
