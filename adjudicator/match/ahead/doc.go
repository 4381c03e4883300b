// Package ahead keeps conditional orders, which players know as orders ahead,
// and fires them: answers to questions that others may raise, plans for a contest of
// cards, and the order for the next action. It works on positions and knows no game; the game adds a rules.Planner.
//
// # Lines
//
//	line      = ["IF" condition ":"] body ["ELSE" (order | "ASK")] {word}
//	body      = "ANSWER" source order | "NEXT" ["IF" condition ":"] order | order
//	condition = test {"AND" test}
//	test      = ["NOT"] whatever the game understands
//	word      = "ALWAYS" | "ANYWAY"
//
// A line without ANSWER or NEXT is kept where the game says that it belongs: a
// further action is a NEXT, a list for a contest belongs to the contest. What is kept
// is the line as it was understood, with full names: how a slip was read can be seen
// at once, and is never read otherwise later.
//
// # Safety
//
// A line sees nothing but its owner's view. It answers one question, which is one
// step of the game, and is then used up; nothing can repeat without the game going
// on. When a line is meant for a question and none of its entries is legal, all
// that its owner keeps is dropped and he is asked. Lines are dropped at the end of
// the period that they were written in, and when something happens that the game
// calls a surprise.
package ahead
