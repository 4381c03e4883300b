package message

import "strings"

// unflow joins the soft line breaks of format=flowed (RFC 3676), so that an
// order that was wrapped on the way is one line again. Quoted lines are joined
// at their own depth. With delsp the space before a soft break is not text.
func unflow(s string, delsp bool) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var out strings.Builder
	open, openDepth := false, 0
	for line := range strings.SplitSeq(s, "\n") {
		depth := 0
		for depth < len(line) && line[depth] == '>' {
			depth++
		}
		// Stuffing: one space was put before lines that need protection.
		body := strings.TrimPrefix(line[depth:], " ")
		if open && (depth != openDepth || body == "-- ") {
			out.WriteByte('\n')
			open = false
		}
		if !open && depth > 0 {
			out.WriteString(strings.Repeat(">", depth) + " ")
		}
		if strings.HasSuffix(body, " ") && body != "-- " {
			if delsp {
				body = strings.TrimSuffix(body, " ")
			}
			out.WriteString(body)
			open, openDepth = true, depth
			continue
		}
		out.WriteString(body)
		out.WriteByte('\n')
		open = false
	}
	if open {
		out.WriteByte('\n')
	}
	return strings.TrimSuffix(out.String(), "\n")
}
