package dawn1989

import "samizdat/rules"

// sensible is a robot of common sense.
type sensible struct{}

func (r *sensible) Choose(_ func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	return options[0]
}
