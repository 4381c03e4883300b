package message

import (
	"regexp"
	"strings"
)

var enrichedTag = regexp.MustCompile(`(?i)^</?([a-z][a-z0-9-]{0,60})>`)

// enrichedText makes plain text of text/enriched (RFC 1896). Its lines are kept as
// they are, since an order is a line. An excerpt is a quote.
func enrichedText(src string) string {
	var out strings.Builder
	excerpts, params := 0, 0
	for line := range strings.Lines(src) {
		quoted := excerpts > 0
		var text strings.Builder
		for line != "" {
			at := strings.IndexByte(line, '<')
			if at < 0 {
				at = len(line)
			}
			if params == 0 {
				text.WriteString(line[:at])
			}
			line = line[at:]
			switch m := enrichedTag.FindStringSubmatch(line); {
			case line == "":
			case strings.HasPrefix(line, "<<"):
				text.WriteByte('<')
				line = line[2:]
			case m == nil:
				text.WriteByte('<')
				line = line[1:]
			default:
				step := 1
				if line[1] == '/' {
					step = -1
				}
				switch strings.ToLower(m[1]) {
				case "excerpt":
					excerpts = max(0, excerpts+step)
					quoted = quoted || excerpts > 0
				case "param":
					params = max(0, params+step)
				}
				line = line[len(m[0]):]
			}
		}
		if quoted {
			out.WriteString("> ")
		}
		out.WriteString(text.String())
	}
	return out.String()
}

// withoutUU takes out the files that old programs write into the text of a letter,
// and gives their names. What does not hold together as a file stays.
func withoutUU(s string) (text string, names []string) {
	if !strings.Contains(s, "begin ") {
		return s, nil
	}
	lines := strings.SplitAfter(s, "\n")
	out := lines[:0:0]
	for i := 0; i < len(lines); i++ {
		first := strings.TrimRight(lines[i], "\r\n")
		end := 0
		if uuBegin.MatchString(first) {
			end = uuEnd(lines, i+1)
		}
		if end == 0 {
			out = append(out, lines[i])
			continue
		}
		_, name, _ := strings.Cut(strings.TrimPrefix(first, "begin "), " ")
		names = append(names, name)
		i = end
	}
	return strings.Join(out, ""), names
}

// uuEnd finds the line that ends a file which begins at i; 0 when none does.
func uuEnd(lines []string, i int) int {
	for from := i; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		if line == "end" && i > from {
			return i
		}
		if _, ok := uuLine([]byte(line)); !ok {
			return 0
		}
	}
	return 0
}
