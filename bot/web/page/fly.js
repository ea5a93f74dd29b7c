// Cards that fly. Each new state of the table is compared with the one before, and what
// happened between them is shown as a queue of short steps. If the queue gets longer than a
// few seconds, the page skips to the newest state.

import { allPlayed, cardsOf, plateOf, slots, stockPlace } from "./felt.js";
import { make } from "./make.js";
import { tap } from "./sound.js";

const longestQueue = 5000; // ms
const lengths = { cut: 0, play: 380, take: 1150, draw: 480, deal: 900 };

const still = matchMedia("(prefers-reduced-motion: reduce)");

const sameCard = (a, b) => a && b && a.card === b.card && a.seat === b.seat;

// steps returns what happened from a to b, as states with the kind of each change.
export function steps(a, b) {
  const cut = [{ kind: "cut", to: b }];
  const f = a?.felt, g = b.felt;
  if (!g || !a || a.table !== b.table || a.me !== b.me || a.seats.length !== b.seats.length) return cut;
  const out = [];
  let m = a; // the state so far
  const add = (kind, to, more = {}) => { m = to; out.push({ kind, to, ...more }); };
  const play = (p, winning = -1) => {
    const hand = m.felt.hand.map((c) => ({ ...c, off: true }));
    const mine = p.seat === m.me ? hand.find((c) => c.card === p.card) : null;
    if (mine) Object.assign(mine, { card: "", name: "" });
    const seats = m.seats.map((s, i) => ({ ...s, turn: false, cards: s.cards - (i === p.seat ? 1 : 0) }));
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
    const last = g.last?.plays ?? [];
    if (f.tricks + 1 !== g.tricks || !f.trick.every((p, i) => sameCard(p, last[i]))) return cut;
    last.slice(f.trick.length).forEach((p) => play(p, f.winning));
    const open = { ...m, seats: m.seats.map((s) => ({ ...s, turn: false })), felt: { ...m.felt, turn: -1, winning: g.last.winning, worth: "", hand: m.felt.hand.map((c) => ({ ...c, off: true })), moves: [] }, line: g.last.line };
    const after = { ...open, sides: b.sides, felt: { ...open.felt, trick: [], winning: -1 } };
    add("take", after, { show: open, winner: g.last.winner });
    const full = dealt();
    if (full.seats.some((s, i) => s.cards > after.seats[i].cards)) add("draw", full, { from: after });
    g.trick.forEach((p) => play(p));
  }
  // The last step ends in the true state.
  if (out.length) out[out.length - 1].to = b;
  return out.length ? out : cut;
}

// Show plays states on the felt. paint draws a state; done is called when the newest is shown.
export class Show {
  constructor(paint, done) {
    Object.assign(this, { paint, done, queue: [], running: false, moving: new Set(), skipping: false });
  }

  // to shows a new state, after the steps that are still being shown.
  to(live) {
    const list = still.matches || document.hidden || !this.target ? [{ kind: "cut", to: live }] : steps(this.target, live);
    this.target = live;
    this.queue.push(...list);
    if (this.queue.reduce((sum, s) => sum + lengths[s.kind], 0) > longestQueue) this.skip();
    this.run().catch(() => { this.running = false; }); // the next state draws everything again
  }

  // skip shows the newest state at once.
  skip() {
    if (this.target) this.queue = [{ kind: "cut", to: this.target }];
    this.skipping = true;
    this.wake?.();
    for (const a of this.moving) a.finish();
    if (!this.running) this.skipping = false;
  }

  get busy() { return this.running; }

  async run() {
    if (this.running) return;
    this.running = true;
    while (this.queue.length) {
      const s = this.queue.shift();
      if (s.kind === "cut") this.skipping = false;
      await this[s.kind](s);
    }
    this.running = this.skipping = false;
    this.done(this.target);
  }

  wait(ms) {
    if (this.skipping) return Promise.resolve();
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, ms);
    });
  }

  // glide lets elements, which are where they belong, fly there from other places. It changes
  // only transforms and opacity, and measures all elements before the first one moves.
  glide(items) {
    const ends = items.map(({ e }) => e.getBoundingClientRect());
    items.forEach((item, i) => this.glideTo(ends[i], item));
  }

  glideTo(to, { e, from, delay = 0, length = 320, back = false, fade = 1, turn = 0, loose = false }) {
    if (!to.width || this.skipping) {
      if (loose) e.remove();
      return;
    }
    const dx = from.left + from.width / 2 - to.left - to.width / 2, dy = from.top + from.height / 2 - to.top - to.height / 2;
    const there = { transform: `translate(${dx}px, ${dy}px) scale(${Math.max(0.2, from.width / to.width)}) rotate(${turn}deg)`, opacity: fade };
    const here = { transform: "none", opacity: 1 };
    const a = e.animate(back ? [here, there] : [there, here], { duration: length, delay, easing: back ? "cubic-bezier(.5,0,.8,.6)" : "cubic-bezier(.2,.7,.3,1)", fill: "both" });
    this.moving.add(a);
    e.classList.add("flying");
    const end = () => { this.moving.delete(a); e.classList.remove("flying"); if (loose) e.remove(); else if (!back) a.cancel(); };
    a.finished.then(end, end);
  }

  cut(s) { this.paint(s.to); }

  async play(s) {
    const slot = slots().find((e) => e.dataset.card === s.card && s.to.me === s.seat);
    const from = (slot?.querySelector(".card") ?? plateOf(s.seat).querySelector(".backs") ?? plateOf(s.seat)).getBoundingClientRect();
    this.paint(s.to);
    const card = cardsOf(s.seat).at(-1);
    if (card) this.glide([{ e: card, from, length: slot ? 240 : 320, fade: slot ? 1 : 0.4, turn: slot ? 0 : -25 }]);
    tap();
    await this.wait(lengths.play);
  }

  async take(s) {
    this.paint(s.show);
    await this.wait(700);
    const to = plateOf(s.winner).getBoundingClientRect();
    const small = { left: to.left + to.width / 2 - 14, top: to.top, width: 28, height: to.height };
    document.querySelectorAll(".crown").forEach((e) => e.remove());
    this.glide(allPlayed().map((e, i) => ({ e, from: small, back: true, length: 340, delay: i * 18, fade: 0.1 })));
    await this.wait(440);
    this.paint(s.to);
  }

  async draw(s) {
    const from = stockPlace().getBoundingClientRect();
    const before = slots().map((e) => e.dataset.card);
    const old = [...s.from.seats];
    this.paint(s.to);
    const items = [];
    slots().forEach((e, i) => {
      if (e.dataset.card && e.dataset.card !== before[i]) items.push({ e: e.querySelector(".card"), from, length: 380, delay: i * 45, turn: 20 });
    });
    s.to.seats.forEach((seat, i) => {
      if (i !== s.to.me) items.push(...this.backs(from, i, seat.cards - (old[i]?.cards ?? 0)));
    });
    document.body.append(...items.filter((item) => item.loose).map((item) => item.e));
    this.glide(items);
    tap();
    await this.wait(lengths[s.kind]);
  }

  // backs returns backs that fly from the stock to a seat, to be put on the page.
  backs(from, seat, n) {
    const to = plateOf(seat).getBoundingClientRect();
    return Array.from({ length: Math.max(0, Math.min(n, 4)) }, (_, k) => {
      const e = make("span", "card loose");
      e.style.left = to.left + to.width / 2 - 16 + "px";
      e.style.top = to.top + to.height / 2 - 25 + "px";
      return { e, from, loose: true, length: 340, delay: k * 45 + seat * 20 };
    });
  }

  deal(s) {
    return this.draw({ ...s, kind: "deal", from: { seats: s.to.seats.map(() => ({ cards: 0 })) } });
  }
}
