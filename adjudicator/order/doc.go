// Package order parses the orders in letters, e.g. "PLAY 36 EVENT". It has the grammar that all games share; the verbs and names come from
// the rules.Language of a game. It is used by package letter for letters, by package ahead for conditional orders, and
// by the desk for orders in the browser.
//
// Split splits a letter into lines at line breaks and semicolons, and removes comments, which begin with "//". Parser.SplitLines does
// the same, and then joins a line to the line directly above it if both together are one order, for example if the lower line begins
// with AND, or the upper line ends with a comma. Lines between BEGIN and END are orders. Any other line is an order only if
// Parser.IsOrder finds a verb with its names: "Hold on" and "Play well!" are talk.
//
//	order  = clause {clause}             the first keyword is a verb
//	clause = keyword [number | item {[","] item}]
//	item   = name [count] {modifier name}
//
// For example, "PLACE Lodz 2, Krakow" has the keyword PLACE and the items Lodz 2 and Krakow. A keyword is a word or a fixed phrase ("EVENT
// FIRST", "NO EVENT") and is never abbreviated; it may have synonyms (rules.Keyword.Synonyms). The commas may be
// missing. Names may also be separated by AND or "/".
//
// Case, accents and punctuation are ignored: "new years eve" is New Year's Eve, "LODZ" is Łódź. A name can be written as its
// number (if the name has one), in full, as some of its words, or as the beginnings of its words, in their order. If
// several names match:
//
//   - the name that takes the most words of the line wins; a full name may contain keywords, separators and commas, which then
//     begin no clause or item ("Klaus and Komarek", "General Strike");
//   - a full name wins over a part of a longer name, and whole words win over beginnings of words: "The Wall" is The
//     Wall, and not "The Wall Must Go!";
//   - an abbreviation contains no keyword and no comma, and does not consist only of words like "the" and "of".
//
// If several names remain, or none, the line is refused with an *UnclearError that lists the candidates or similar names. A number after a
// name is a count if the keyword takes counts. Otherwise it is refused: CHECK Berlin 2 must be written CHECK Berlin, Berlin.
//
// An order is carried out at once if the parser knows every word of the letter (words of orders, names, numbers, function
// words such as "please"), and exactly one legal reading exists. Otherwise no order is carried out, and the writer is asked.
// For example, "I'll play The July Concept for the event please" is an order; for "36 event, my train is late" the program
// asks whether PLAY 36 EVENT is meant; for "36 event, if that is allowed" it proposes no order.
//
//   - words.txt lists the words that belong to no game: function words, courtesy, denials. word.go reads it.
//   - sentence.go splits letters into sentences and recognises salutations, closings and signatures; token.go makes tokens of
//     the words of a sentence: names, keywords and numbers. A sentence consists of pieces between punctuation marks (piece.go).
//   - interpret.go is the interpreter. It combines the tokens of sentences in every way that makes a legal answer to
//     the open question (assemble.go, draft.go, items.go). If some words are not understood, it proposes the orders
//     that it finds, unless the sentence with the order denies it, takes it back, asks about it or sets a condition.
//   - withoutquestion.go reads a line if no question is open (Parser.ParseOrder).
//
// The work for one letter is limited (maxWork in question.go). Parser.ParsePlain reads lines that a program wrote.
package order
