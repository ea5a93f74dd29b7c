// Package game is the rules of the Sedma family as pure functions over values:
// cards, tricks, deals, matches, and the options that tell one game from
// another.
//
// A [State] is one deal. [Deal] makes it from rules and a shuffled pack, [Apply]
// makes the next one from a move, [State.Legal] lists the moves that Apply
// accepts, [State.View] is what one seat may know of it, and [State.Result] is
// the count of a finished deal. [Match.Settle] turns that count into score,
// payments and the next dealer. [Rules] is data only; [Preset] names the usual
// games. The numbers of sections in the comments are those of the rules
// specification of the project.
//
// Seats are 0 to n-1 clockwise, and [Rules.Next] is the neighbour in the
// direction of play. Nothing here knows a clock, chance, or the outside world:
// a deck is an argument, and [Shuffle] makes one from a seed.
//
// Values are cheap: a State is a few hundred bytes without slices, so that
// assigning it copies it, and playing a move allocates nothing. What States of
// one deal share (rules, deck, beginning) is never changed after Deal.
package game
