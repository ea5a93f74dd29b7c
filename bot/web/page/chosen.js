// A card that is chosen before the turn, and with two taps the card that the first one raised. It needs no browser.

let chosen = null; // the card chosen before the turn: { card, deal }
let raised = null; // the raised card: { card, turn }

const dealOf = (live) => `${live.table} ${live.felt?.deal}`;

// turnOf names a decision: no other one of any table has the same name.
export const turnOf = (live) => `${dealOf(live)} ${live.felt?.ply}`;

// isMine reports whether it is the reader's turn.
export const isMine = (live) => live.me >= 0 && live.felt?.turn === live.me;

// isChosen reports whether a card of the hand waits for the reader's turn.
export const isChosen = (live, c) => !!c.card && chosen?.deal === dealOf(live) && chosen.card === c.card && !isMine(live);

// canChoose reports whether a card can be chosen before the turn.
export const canChoose = (live) => live.phase === "playing" && live.felt?.turn >= 0 && !isMine(live) && live.felt.hand.some((c) => c.card && c.press);

// choose marks a card to be played when the turn comes, or takes the mark away. It reports whether the card is marked now.
/**
 * @param {Live} live
 * @param {Card} c
 */
export function choose(live, c) {
  chosen = isChosen(live, c) ? null : { card: c.card, deal: dealOf(live) };
  return !!chosen;
}

// due returns the place of the chosen card if it is to be played now; -1: none is. lost is set if it isn't played at this
// turn after all: it can't be, or the choice is whether to stop or continue, which nobody could know before.
/** @param {Live} live */
export function due(live) {
  if (!chosen || chosen.deal === dealOf(live) && !isMine(live)) return { place: -1, lost: false };
  const { card, deal } = chosen;
  chosen = null;
  if (deal !== dealOf(live)) return { place: -1, lost: false };
  const place = live.felt.choice === "decide" ? -1 : live.felt.hand.findIndex((c) => c.card === card && c.press && !c.off);
  return { place, lost: place < 0 };
}

// isRaised reports whether a card of the hand was raised at this turn.
export const isRaised = (live, c) => !!c.card && raised?.turn === turnOf(live) && raised.card === c.card;

// raise raises a card alone.
export function raise(live, c) { raised = { card: c.card, turn: turnOf(live) }; }
