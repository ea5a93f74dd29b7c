// A card that is chosen before the turn, and with two taps the card that the first one raised. Two equal cards of a hand
// differ by their places. It needs no browser.

/** @type {Marked | null} */
let chosen = null; // the card chosen before the turn: { place, card, deal }
/** @type {Marked | null} */
let raised = null; // the raised card: { place, card, turn }

// holds reports whether a place of the hand still has the marked card.
/** @param {Live} live @param {number} place @param {Marked | null} marked */
const holds = (live, place, marked) => marked?.place === place && live.felt?.hand[place]?.card === marked.card;

/** @param {Live} live */
const dealOf = (live) => `${live.table} ${live.felt?.deal}`;

// turnOf names a decision: no other one of any table has the same name.
/** @param {Live} live */
export const turnOf = (live) => `${dealOf(live)} ${live.felt?.ply}`;

// isMine reports whether it is the reader's turn.
/** @param {Live} live */
export const isMine = (live) => live.me >= 0 && live.felt?.turn === live.me;

// isChosen reports whether the card at a place of the hand waits for the reader's turn.
/** @param {Live} live @param {number} place */
export const isChosen = (live, place) => chosen?.deal === dealOf(live) && holds(live, place, chosen) && !isMine(live);

// canChoose reports whether a card can be chosen before the turn.
/** @param {Live} live */
export const canChoose = (live) => live.phase === "playing" && !!live.felt && live.felt.turn >= 0 && !isMine(live) && live.felt.hand.some((c) => c.card && c.press);

// choose marks the card at a place to be played when the turn comes, or takes the mark away. It reports whether the card is
// marked now.
/**
 * @param {Live} live
 * @param {number} place
 */
export function choose(live, place) {
  chosen = isChosen(live, place) ? null : { place, card: live.felt?.hand[place].card ?? "", deal: dealOf(live) };
  return !!chosen;
}

// due returns the place of the chosen card if it is to be played now; -1: none is. lost is set if it isn't played at this
// turn after all: it can't be, or the choice is whether to stop or continue, which nobody could know before.
/** @param {Live} live */
export function due(live) {
  if (!chosen || chosen.deal === dealOf(live) && !isMine(live)) return { place: -1, lost: false };
  const was = chosen;
  chosen = null;
  if (was.deal !== dealOf(live)) return { place: -1, lost: false };
  const c = live.felt?.hand[was.place];
  const lost = live.felt?.choice === "decide" || !holds(live, was.place, was) || !c?.press || !!c.off;
  return { place: lost ? -1 : was.place, lost };
}

// isRaised reports whether the card at a place of the hand was raised at this turn.
/** @param {Live} live @param {number} place */
export const isRaised = (live, place) => raised?.turn === turnOf(live) && holds(live, place, raised);

// raise raises the card at a place alone.
/** @param {Live} live @param {number} place */
export function raise(live, place) { raised = { place, card: live.felt?.hand[place].card ?? "", turn: turnOf(live) }; }
