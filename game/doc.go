// Package game implements the rules of the Sedma family of card games: cards, tricks, deals, matches, and the options
// that make one game differ from another. It is pure functions over values.
//
// A [State] is one deal at one moment:
//
//   - [Deal] makes the first State from rules and a shuffled pack.
//   - [State.Legal] lists the moves that are allowed, and [Apply] returns the State after one of them.
//   - [State.View] returns what one seat may know.
//   - [State.Taking] returns what takes the open trick, and what it wins. Views have it, too.
//   - [State.Result] returns the totals of a finished deal.
//
// [Match.Settle] turns those totals into score, payments and the next dealer. [Rules] is data only, and [Preset] names
// the usual games. RULES.md defines them, and comments name its headings.
//
// Seats are numbered 0 to n-1 clockwise. [Rules.Next] returns the next seat in the direction of play. The package uses
// no clock, no randomness and no I/O: the deck is an argument, and [Shuffle] makes one from a seed.
//
// Values are cheap. A State is a few hundred bytes without slices, so assigning it copies it, and playing a move
// allocates nothing. All States of one deal share its rules, deck and first State, which never change after Deal.
package game
