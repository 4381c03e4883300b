// Package order parses orders. It contains the grammar that all games share; verbs, names and everything else come from a game's
// rules.Language.
//
// # Lines
//
// Split splits a letter into lines at line breaks and semicolons, and removes comments, which begin with "//".
// Parser.Lines joins a line to the order directly above it if they are one order together, for example a line that begins
// with AND or follows a comma. Lines between BEGIN and END are orders. Any other line is an order only if Parser.IsOrder finds
// a verb with a plausible object, so that "Hold on" and "Play well!" are talk.
//
// # Grammar
//
//	order  = clause {clause}             the first clause is a verb's
//	clause = keyword [number | item {[","] item}]
//	item   = name [count] {modifier name}
//
// A keyword is a word or a fixed phrase ("EVENT FIRST", "NO EVENT") and is never abbreviated; a language may give it synonyms
// (rules.Keyword.Synonyms). The commas may be missing, and AND and "/" separate names too.
//
// # Names
//
// Case, accents and punctuation are ignored: "new years eve" is New Year's Eve, "LODZ" is Łódź. A name may be given by its
// number if it has one, by its full text, by some of its words, or by beginnings of its words, in their order. Of all the names
// that a clause can take
//
//   - the name with the most words wins; full names win first and may contain keywords, separators and commas ("Klaus and
//     Komarek", "General Strike");
//   - a full name beats some of the words of a name (The Wall, and not "The Wall Must Go!"), and words beat beginnings of
//     words (Sofia, and not Sofia University);
//   - an abbreviation never reaches across a keyword or a comma, and is never made of words like "the" and "of" alone.
//
// The remaining words must be one name. If it could be several, or none, the line is refused with an *UnclearError that
// names the candidates or similar names. A number alone after a name is a count if the keyword takes counts, and otherwise
// refused: CHECK Berlin 2 has to be written CHECK Berlin, Berlin.
//
// # Letters
//
// One rule decides about letters. An order is carried out at once if every word of the letter is part of an order, a name, a
// number or a function word, and exactly one legal reading exists. Otherwise nothing is carried out, and the writer is asked. For
// example, "I'll play The July Concept for the event please" is an order; for "36 event, my train is late" the program asks
// whether PLAY 36 EVENT is meant; for "36 event, if that is allowed" it proposes nothing.
//
//   - words.txt lists the words that belong to no game: function words, courtesy, denials. word.go reads it.
//   - sentence.go splits letters into sentences and recognises salutations, closings and signatures; token.go makes tokens of
//     the words of a sentence: names, keywords and numbers. Sentences consist of the pieces of piece.go.
//   - interpret.go is the interpreter. It combines the tokens of sentences in every way that makes a legal answer to the open
//     question (assemble.go, draft.go, items.go). If some words are not understood, it proposes the orders that it finds,
//     unless the sentence that names the order denies, retracts, asks about or conditions it.
//   - withoutquestion.go reads a line if no question is open (Parser.Order).
//
// The work for one letter is limited (maxWork in question.go). Lines that a program wrote are read with Parser.Plain.
package order
