// Package order reads order lines. It knows the grammar that all games share
// and no game: verbs, names and everything else come from a rules.Language.
//
// # Lines
//
// Split cuts a letter into lines: at line breaks and semicolons, without what
// stands behind "//". A line that begins with AND continues the line directly
// above it; so does, in Parser.Lines, a line behind a comma, below a bare verb, or
// broken off by a mail program, if together they are an order. Lines between BEGIN
// and END are orders; any other line is an order only if Parser.IsOrder finds a verb
// with a plausible object in it, so that "Hold on" and "Play well!" are talk.
//
// # Grammar
//
//	order  = clause {clause}             the first clause is a verb's
//	clause = keyword [number | item {[","] item}]
//	item   = name [count] {modifier name}
//
// A keyword is a word or a fixed phrase ("EVENT FIRST", "NO EVENT") and is never
// abbreviated; a language may give it further words (rules.Keyword.Also). The commas
// may be missing, and AND and "/" separate names too.
//
// # Names
//
// Case, accents, apostrophes, quotes, hyphens and all other punctuation count
// for nothing: "new years eve" is New Year's Eve, "LODZ" is Łódź. A name may be
// given by its number, where it has one, by its full text, by whole words of it,
// or by beginnings of words of it, in their order. Of all the names that a
// clause can take
//
//   - the one that covers most of the line wins, full names first and across
//     keywords, separators and commas ("Klaus and Komarek", "General Strike");
//   - a full name beats whole words (The Wall, and not "The Wall Must Go!"),
//     whole words beat beginnings (Sofia, and not Sofia University);
//   - an abbreviation never reaches across a keyword or a comma, and is never
//     made of words like "the" and "of" alone.
//
// What is left over must be one name. If it could be several, or none, the line
// is refused with an *Unclear that names the candidates or the nearest names.
//
// A bare number behind a name is a count where the keyword takes counts, and
// otherwise refused: CHECK Berlin 2 is to be written CHECK Berlin, Berlin.
//
// # Forgiveness
//
// A line is first read by the rules above (Parser.Plain). Only if that fails is
// it read a second time, loosely (reading.loose):
//
//   - polite and empty words are passed over, before the verb, between names and
//     clauses, and at the end; other keywords may stand before the verb;
//   - a verb may be missing or misspelt where the rest leaves no doubt;
//   - counts may stand before their names, and be words; "each" is for all names;
//   - names may have their words in any order, in singular or plural, and with a
//     letter or two wrong, if only one name is then near.
//
// The second reading never takes one of two readings: lists whose counts could
// belong to one name or to several, and names near to two, are refused with both.
// Exact keywords (rules.Keyword.Exact) are not read in it at all. Numbers are
// never mended. What a program wrote is read with Parser.Plain alone.
//
// # The gist
//
// What cannot be read line by line is read by what it names (Parser.Gist): names,
// keywords and numbers are put together in every way that makes an order, and the
// legal answers to the open question (Question) are kept. What else the letter says
// is weighed by its words (remarks.txt, tongues.txt): all that is not known to be harmless is a doubt,
// and whoever carries orders out asks before it does. A denial in the sentence of an order
// is always a doubt, in whatever phrase it stands; so is another person beside a verb that
// says all by itself.
//
// A letter goes through these steps:
//
//   - pieces.go cuts its lines where the punctuation does, and token.go takes the pieces
//     apart into tokens, with the numbers of count.go and the names of question.go, passing over
//     the words of passing.go and what the question itself says (said.go); noun.go knows the words
//     that name a thing only as nouns, decline.go the endings of names; weigh.go drops what is named
//     beside an order, and bygone.go knows who only comes from a place that he names; there.go knows
//     what "there" stands for;
//   - gist.go decides which pieces are read, and what of them is a doubt; short.go knows
//     the answers that are said in words of their own;
//   - answers.go looks for the one answer, or the several, that the tokens stand for:
//     assemble.go tries every manner (manner.go) of putting them together, building.go
//     makes the order of one manner, and items.go its lists;
//   - doubt.go and asks.go know what speaks against an order in its own sentence;
//   - lesser.go looks for the one answer that remains where a word or a line is left out, for
//     a question that YES answers;
//   - remark.go and signature.go say what is harmless, aside.go which sentences are about
//     something else, by the words of their language (tongue.go, tongues.txt); banter.go
//     which tell of what has happened in the match, preamble.go which stand above all orders,
//     announce.go which tell of the orders themselves; sentence.go cuts sentences for whoever weighs them.
//
// The same words and lines are looked at in many ways, and all of that is remembered: what a line says for
// one letter (findings.go), what a piece, tokens and an order come to for one question (grasp.go), and what a
// word is like for all letters (near.go). The work that a letter makes as an answer is bounded
// (effort, in grasp.go).
package order
