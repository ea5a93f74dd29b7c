"""A player of Sedma for two or four, as an engine: one JSON object a line asks
for a move, one answers it. "go doc ./game/ai/arena" describes the protocol.

    sedmabot arena --a "exec:python3 game/ai/arena/testdata/player.py" --b easy --rules sedma-4p
"""
import json
import sys

PLAYERS = {"sedma-2p": 2, "sedma-4p": 4}
POINTS = {"A": 10, "T": 10}  # a card is its rank and its suit: "Th" is the ten of hearts


def open_trick(actions):
    """The cards of the trick that isn't over: (seat, card), the led one first."""
    trick = []
    for action in actions:
        seat, what = action.split(":", 1)
        if what == "stop":  # the leader ended the trick
            trick = []
        else:
            trick.append((int(seat), what))
    return trick


def choose(players, seat, hand, trick):
    def cost(card):  # what I don't like to give away
        return (card[0] == "7", POINTS.get(card[0], 0), card)

    cheapest = min(hand, key=cost)
    if not trick:  # I lead: the rank that I have most of, and no points
        return min(hand, key=lambda c: (c[0] == "7" or c[0] in POINTS, -sum(d[0] == c[0] for d in hand), c))

    led = trick[0][1][0]
    matching = sorted((c for c in hand if c[0] in (led, "7")), key=cost) if led != "7" else [c for c in hand if c[0] == "7"]
    winner = [s for s, card in trick if card[0] in (led, "7")][-1]
    ours = winner % 2 == seat % 2 if players == 4 else winner == seat
    points = sum(POINTS.get(card[0], 0) for _, card in trick)

    if len(trick) % players == 0:  # I led, and a round is over: stop, or play a card that matches
        return matching[0] if matching and not ours and points else "stop"
    if ours and players == 4:  # my partner is winning: give points, but no seven
        gifts = [c for c in hand if c[0] in POINTS]
        return gifts[0] if gifts else cheapest
    if matching and (points or matching[0][0] in POINTS):  # worth winning
        return matching[0]
    return cheapest


for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    try:
        players = PLAYERS[request["rules"]]
        answer["move"] = choose(players, request["seat"], request["hand"], open_trick(request["actions"]))
    except (KeyError, TypeError) as problem:
        answer.update(error="input", message=f"I play sedma-2p and sedma-4p: {problem!r}")
    print(json.dumps(answer), flush=True)
