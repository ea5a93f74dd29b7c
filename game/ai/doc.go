// Package ai plays for a seat: it chooses a move from that seat's view of the deal and from nothing else. It fills
// empty seats and stands in for people who are away. [Choose] returns the best move, [Part] rates every move, and
// [Explain] also says why the best one is better than another; [Turns] limits how many searches run at once.
//
// # How it plays
//
// The AI can't see the other hands, so it imagines them. It draws worlds at random: deals of the hidden cards that
// agree with what the seat has seen. It also looks at what the others did. A world in which they would hardly have done
// so (a stop with a matching card in hand, an ace withheld from a partner) is used less often. In every world, each
// legal move is tried, and a quick player, the policy, plays the deal to its end. The AI adds up the scores. Near the
// end of a match it adds up chances to win the match instead. When two players have emptied the stock, nothing is
// hidden, and an exact search finds the best move. With three or more sides, an empty stock and few cards left, the worlds that
// hints, the coach and puzzles judge by are searched instead of played out: each side plays for its own result, with open cards.
//
// The quick player errs, so some good moves look like mistakes. [Reconsider] judges such a choice again, in deals in which
// everybody thinks at each move, and the coach believes only what both say. So does a hint: see [Doubt].
//
// Random numbers are seeded from the view, so the same view gives the same move.
//
// # The opponents
//
// There are six levels, and each is an opponent with a character. They differ in how many worlds they imagine, whether
// they weigh them, and how many of the cards that are gone they forget. An opponent that forgets a card imagines it in some hand, until
// the stock is empty: then it counts, and knows the end as the others do. All but the strongest also have a temper: likings that are added to
// what the search expects, and a noise by which they often overlook a small difference between two moves, and seldom a
// large one. So they don't make random errors: what is plain they find, and what they get wrong is in character.
//
// The numbers are stakes a deal against greedy, with four players and with two: see FIGURES.md.
//
//	level    name     four    two     character
//	easiest  Chick    -0.38   -0.86   spends its sevens at once and remembers no card
//	easy     Bear     -0.13   -0.59   grabs every ace and ten it can
//	fair     Ram      +0.15   -0.27   continues tricks out of sheer stubbornness
//	medium   Dog      +0.29   +0.15   gives aces and tens to its partner; with two, takes tricks that are worth nothing
//	strong   Hamster  +0.57   +0.52   hoards its sevens and remembers every card
//	hard     Owl      +0.71   +0.81   remembers every card and has no weakness
//
// TestOpponentsPlayInCharacter measures that each does so more often than all others, with four players and with two. No opponent
// takes a trick from its own partner more often than the strongest, who does so where that is better. The words easy, medium and hard are
// those of the three levels that there were before, and opponents of about the same strength have kept them. With two
// players nobody has a partner, and the tempers are others.
//
// # Reasons
//
// A reason says why one move is better than another. It is a fact that is different for the two, and that can be checked
// at the table: who is winning, what the trick is worth, which cards are gone. The AI tries each such fact: it imagines
// the same position without the fact (a card that is gone is exchanged for one that isn't, say) and compares the two
// moves again. The reason is the fact without which the better move is preferred least. Facts that leave nothing to chance
// come before others: nobody can beat the card any more, or all other tricks are the seat's. Before them all comes what is
// certain because the others' cards are known: the stock is empty, and there is one other player, or the others have at most
// four cards together. If no fact accounts for a quarter of the preference, the reason is what the search expects: points of the
// deal, or tricks. Facts that depend on much else come last, such as that a seven should be kept. A move that is ahead by less
// than a tenth of a stake isn't called better: other worlds often say the opposite.
// The expectation is also added where a card that nobody can beat could as well be kept for later.
//
// A reason about who takes the trick says whether that is certain, whatever the others have and play. If it isn't, it names
// the cards that can still take it. In a game whose pack lacks cards of a rank that it counts, it names those.
//
// 94 % of the facts in 2,000 choices could be made false by other cards, and then the preference shrank in 95 %: see FIGURES.md.
//
// The search has its own state, a position, which has kinds of cards instead of cards. A test over all presets and
// random options checks that it behaves like package game. The policy is a table of about four thousand numbers in
// policy.txt: one set for games of two, one for games of six, and one for the others. They are trained in two steps.
// First the policy imitates a simple player by rules (yardstick.go). Then it plays a few
// rounds against itself, and choices that brought more than the average gain weight. More rounds make the policy play
// better, but they make it worse at imagining others. To train it again, run
//
//	go test ./game/ai -run TestTrain -train sedma-4p,sedma-2p,hola-6p -imitate 8s -rounds 4 -train-into policy.txt -v
package ai
