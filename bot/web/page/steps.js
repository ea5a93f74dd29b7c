// The steps that lead from one state of a table to the next. It needs no browser.

/** @param {Play | undefined} a @param {Play | undefined} b */
const sameCard = (a, b) => a && b && a.card === b.card && a.seat === b.seat;

// steps returns what happened from a to b, as states with the kind of each change. A seat that has just
// played, or has won the trick, is marked as if it were its turn.
/**
 * @param {Live | null} a
 * @param {Live} b
 * @returns {Step[]}
 */
export function steps(a, b) {
  /** @type {Step[]} */
  const cut = [{ kind: "cut", to: b }];
  const f = a?.felt, g = b.felt;
  if (!g || !a || a.table !== b.table || a.me !== b.me || a.seats.length !== b.seats.length) return cut;
  /** @type {Step[]} */
  const out = [];
  /** @type {Dealt} */
  let m = /** @type {any} */ (a); // the state so far
  /** @type {(kind: Step["kind"], to: Live, more?: Partial<Step>) => void} */
  const add = (kind, to, more = {}) => { m = /** @type {Dealt} */ (to); out.push({ kind, to, ...more }); };
  /** @param {Play} p */
  const play = (p, winning = -1) => {
    const hand = m.felt.hand.map((c) => ({ ...c, off: true }));
    const mine = p.seat === m.me ? hand.find((c) => c.card === p.card) : null;
    if (mine) Object.assign(mine, { card: "", name: "" });
    const seats = m.seats.map((s, i) => ({ ...s, turn: i === p.seat, cards: s.cards - (i === p.seat ? 1 : 0) }));
    add("play", { ...m, seats, felt: { ...m.felt, trick: [...m.felt.trick, p], winning, hand, moves: [], turn: -1 } }, { seat: p.seat, card: p.card });
  };
  // dealt is the state before the cards of the open trick were played.
  const dealt = () => {
    const seats = b.seats.map((s, i) => ({ ...s, turn: false, cards: s.cards + g.trick.filter((p) => p.seat === i).length }));
    return { ...b, seats, panel: null, felt: { ...g, trick: [], winning: -1, worth: "", turn: -1, moves: [], hand: g.hand.map((c) => ({ ...c, off: true })) } };
  };
  if (!f || f.deal !== g.deal) {
    if (g.tricks > 0) return cut;
    add("deal", dealt());
    g.trick.forEach((p) => play(p));
  } else if (f.tricks === g.tricks) {
    if (f.trick.length > g.trick.length || !f.trick.every((p, i) => sameCard(p, g.trick[i]))) return cut;
    g.trick.slice(f.trick.length).forEach((p) => play(p));
  } else {
    const { last } = g, plays = last?.plays ?? [];
    if (!last || f.tricks + 1 !== g.tricks || !f.trick.every((p, i) => sameCard(p, plays[i]))) return cut;
    plays.slice(f.trick.length).forEach((p) => play(p, f.winning));
    const open = { ...m, seats: m.seats.map((s, i) => ({ ...s, turn: i === last.winner })), felt: { ...m.felt, turn: -1, winning: last.winning, worth: "", hand: m.felt.hand.map((c) => ({ ...c, off: true })), moves: [] }, line: last.line };
    const seats = open.seats.map((s, i) => ({ ...s, won: b.seats[i].won }));
    const after = { ...open, seats, sides: b.sides, felt: { ...open.felt, trick: [], winning: -1 } };
    const side = b.seats[last.winner].side, points = (/** @type {Live} */ state) => state.sides?.[side]?.points ?? 0;
    add("take", after, { show: open, winner: last.winner, side, gain: points(b) - points(a), mine: b.me >= 0 && b.seats[b.me].side === side });
    const full = dealt();
    if (full.seats.some((s, i) => s.cards > after.seats[i].cards)) add("draw", full, { from: after });
    g.trick.forEach((p) => play(p));
  }
  // The last step ends in the true state.
  if (out.length) out[out.length - 1].to = b;
  return out.length ? out : cut;
}

// sentences returns what happened from a to b: a sentence for each card and each trick. If states were merged, each trick is a
// sentence, and so is each card that lies on a table that is new to the reader. by returns the sentence of a player's card.
/**
 * @param {Live | null} a
 * @param {Live} b
 * @param {(seat: number, card: string) => string} by
 * @returns {string[]}
 */
export function sentences(a, b, by) {
  const f = a?.felt, g = b.felt, same = !!f && !!g && a?.table === b.table && f.deal === g.deal;
  const told = (/** @type {Play[]} */ plays) => plays.map((p) => by(p.seat, p.name));
  return steps(a, b).flatMap((s) => {
    if (s.kind === "take") return [g?.last?.took ?? ""];
    if (s.kind === "play") return told((s.to.felt?.trick ?? []).filter((p) => p.seat === s.seat && p.card === s.card).slice(-1));
    if (s.kind !== "cut" || !g || same && f?.tricks === g.tricks) return [];
    return [...(same ? g.log.slice(f?.tricks) : []), ...told(g.trick)];
  });
}
