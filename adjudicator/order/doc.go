// Package order reads order lines. It knows the grammar that all games share and no game: verbs, names and everything else
// come from a rules.Language.
//
// # Lines
//
// Split cuts a letter into lines: at line breaks and semicolons, without comments, which begin with "//".
// Parser.Lines joins a line to the order directly above it, for example one that begins with AND or stands behind a comma,
// if together they are an order. Lines between BEGIN and END are orders; any other line is an order only if
// Parser.IsOrder finds a verb with a plausible object in it, so that "Hold on" and "Play well!" are talk.
//
// # Grammar
//
//	order  = clause {clause}             the first clause is a verb's
//	clause = keyword [number | item {[","] item}]
//	item   = name [count] {modifier name}
//
// A keyword is a word or a fixed phrase ("EVENT FIRST", "NO EVENT") and is never abbreviated; a language may give it
// further words (rules.Keyword.Synonyms). The commas may be missing, and AND and "/" separate names too.
//
// # Names
//
// Case, accents, apostrophes, quotes, hyphens and all other punctuation count for nothing: "new years eve" is New Year's
// Eve, "LODZ" is Łódź. A name may be given by its number, where it has one, by its full text, by whole words of it, or by
// beginnings of words of it, in their order. Of all the names that a clause can take
//
//   - the name that covers most of the line wins, full names first and across keywords, separators and commas
//     ("Klaus and Komarek", "General Strike");
//   - a full name beats whole words (The Wall, and not "The Wall Must Go!"), whole words beat beginnings (Sofia, and not
//     Sofia University);
//   - an abbreviation never reaches across a keyword or a comma, and is never made of words like "the" and "of" alone.
//
// The remaining words must be one name. If it could be several, or none, the line is refused with an *Unclear that names the
// candidates or the nearest names. A bare number behind a name is a count where the keyword takes counts, and otherwise
// refused: CHECK Berlin 2 is to be written CHECK Berlin, Berlin.
//
// # Letters
//
// A single rule reads letters: an order is carried out at once if every word of the letter is
// part of an order, a name, a number or a function word, and one legal reading remains. Otherwise nothing
// is carried out, and the writer is asked. "I'll play The July Concept for the event please" is an order;
// "36 event, my train is late" is asked about, and proposes PLAY 36 EVENT; "36 event, if that is allowed"
// proposes nothing.
//
//   - words.txt lists the words that belong to no game: function words, courtesy, denials; word.go
//     reads it.
//   - sentence.go cuts letters into sentences and sets salutations, closings and names apart; token.go
//     accounts for the words of a sentence, with the numbers of word.go and the names of question.go. Sentences
//     consist of the pieces of piece.go.
//   - interpret.go is the interpreter: it puts the names, keywords and numbers of sentences together
//     in every way that makes a legal answer to the open question (assemble.go, building.go, tally.go).
//     Where a letter is not wholly accounted for, it proposes what it finds, unless
//     the sentence that names the order denies, retracts, asks or conditions it. It reads a line
//     for which no question is open too (Parser.Order, in unasked.go).
//
// The work that one letter makes is bounded (effort, in question.go). Lines that a program wrote are read with
// Parser.Plain alone.
package order
