// Cards that fly. Each new state of the table is compared with the one before, and what
// happened between them is shown as a queue of short steps. If the queue gets longer than a
// few seconds, the page skips to the newest state.

import { allPlayed, cardsOf, drawCards, plateOf, scoreOf, stockPlace, wonPlace } from "./felt.js";
import { report } from "./fault.js";
import { slots } from "./hand.js";
import { moves, pace } from "./look.js";
import { make, put } from "./make.js";
import { gain, riffle, sweep, tap } from "./sound.js";
import { steps } from "./steps.js";

const longestQueue = 5000; // ms, at the usual speed
const lengths = { cut: 0, play: 400, take: 1500, draw: 520, deal: 950 };

const atOnce = 4; // cards of a trick that begin to fly in one frame

const unseen = 500; // ms that shown waits at most: a hidden page has no frames

const settles = "cubic-bezier(.2,.75,.25,1)", leaves = "cubic-bezier(.5,0,.75,.5)";

// Show plays states on the felt. paint draws a state; done is called when the newest is shown.
export class Show {
  /**
   * @param {(state: Live) => void} paint
   * @param {(state: Live) => void} done
   */
  constructor(paint, done) {
    this.paint = paint;
    this.done = done;
    /** @type {Step[]} */
    this.queue = [];
    this.running = this.skipping = false;
    /** @type {Set<Animation>} */
    this.moving = new Set();
    /** @type {(() => void) | null} */
    this.wake = null; // ends what wait waits for
  }

  // to shows a new state, after the steps that are still being shown.
  /** @param {Live} live */
  to(live) {
    /** @type {Step[]} */
    const list = pace() === 0 || document.hidden || !this.target ? [{ kind: "cut", to: live }] : steps(this.target, live);
    this.target = live;
    this.queue.push(...list);
    if (this.queue.reduce((sum, s) => sum + lengths[s.kind], 0) > longestQueue) this.skip();
    this.run().catch((error) => { // the next state draws everything again
      this.running = false;
      report(error);
    });
  }

  // skip shows the newest state at once.
  skip() {
    if (this.target) this.queue = [{ kind: "cut", to: this.target }];
    this.skipping = true;
    this.wake?.();
    for (const a of this.moving) a.finish();
    if (!this.running) this.skipping = false;
  }

  // end shows nothing more.
  end() {
    this.skip();
    this.queue = [];
    this.target = null;
  }

  get busy() { return this.running; }

  async run() {
    if (this.running) return;
    this.running = true;
    while (this.queue.length) {
      const s = /** @type {Whole} */ (this.queue.shift());
      if (s.kind === "cut") this.skipping = false;
      await this[s.kind](s);
    }
    this.running = this.skipping = false;
    if (this.target) this.done(this.target);
  }

  // wait waits as long as something at the usual speed takes.
  /** @param {number} ms */
  wait(ms) {
    if (this.skipping || !ms) return Promise.resolve();
    return new Promise((/** @type {(done?: undefined) => void} */ done) => {
      this.wake = done;
      setTimeout(done, ms * pace());
    });
  }

  // ready draws elements that are to fly next, and all else that is new, so that the flight doesn't falter. They can't be
  // seen yet.
  /** @param {Element[]} list */
  async ready(list) {
    for (const e of list) e.classList.add("soon");
    await this.shown();
    for (const e of list) e.classList.remove("soon");
  }

  // shown waits until the browser has shown what was drawn.
  shown() {
    if (this.skipping || !moves()) return Promise.resolve();
    return new Promise((/** @type {(done?: undefined) => void} */ done) => {
      this.wake = done;
      setTimeout(done, unseen);
      requestAnimationFrame(() => setTimeout(done, 0));
    });
  }

  // fly moves an element through keyframes of transform and opacity alone. Afterwards it is where it belongs, or is
  // removed if it is loose.
  /** @param {HTMLElement} e @param {Keyframe[]} frames @param {{ length: number, delay?: number, easing?: string, loose?: boolean }} how */
  fly(e, frames, { length, delay = 0, easing = settles, loose = false }) {
    if (this.skipping || !moves()) {
      if (loose) e.remove();
      return;
    }
    const a = e.animate(frames, { duration: length * pace(), delay: delay * pace(), easing, fill: "both" });
    this.moving.add(a);
    e.classList.add("flying");
    const end = () => {
      this.moving.delete(a);
      e.classList.remove("flying");
      if (loose) e.remove(); else a.cancel();
    };
    a.finished.then(end, end);
  }

  // come lets elements, which are where they belong, fly there from other places. It measures all of them before the
  // first one moves.
  /** @param {Flight[]} items */
  come(items) {
    const ends = items.map(({ e }) => e.getBoundingClientRect());
    items.forEach(({ e, from, turn = 0, fade = 1, ...how }, i) => {
      if (ends[i].width) this.fly(e, [{ transform: way(ends[i], from, turn), opacity: fade }, { transform: "none", opacity: 1 }], { length: 340, ...how });
      else if (how.loose) e.remove();
    });
  }

  /** @param {Whole} s */
  cut(s) { this.paint(s.to); }

  /** @param {Whole} s */
  async play(s) {
    const same = slots().filter((e) => e.dataset.card === s.card && s.to.me === s.seat);
    const slot = same.find((e) => s.to.felt.hand[slots().indexOf(e)]?.card !== s.card) ?? same[0]; // of two equal cards, the one that has left
    const own = slot?.querySelector(".card"), plate = plateOf(s.seat), from = (plate.querySelector(".backs") ?? plate).getBoundingClientRect();
    drawCards(s.to);
    const card = cardsOf(s.seat).at(-1);
    await this.ready(card ? [card] : []);
    if (card) this.come([{ e: card, from: own?.isConnected ? own.getBoundingClientRect() : from, length: own ? 260 : 360, fade: own ? 1 : 0.2, turn: own ? 0 : -30 }]);
    if (own?.isConnected) { // it has left the hand
      slot.replaceChildren();
      slot.classList.remove("chosen");
    }
    await this.wait(moves() ? 150 : 0);
    tap();
    await this.wait(moves() ? lengths.play - 170 : 0);
    this.paint(s.to); // after the flight, which would falter
    await this.shown();
  }

  // take gathers the trick: its cards meet at the winning one, and go to the winner.
  /** @param {Whole} s */
  async take(s) {
    this.paint(s.show);
    await this.wait(moves() ? 620 : 900);
    const to = wonPlace(s.winner).getBoundingClientRect(), all = allPlayed(), rects = all.map((e) => e.getBoundingClientRect());
    const best = all.findIndex((e) => e.closest(".won"));
    const cell = this.points(s, to);
    document.querySelectorAll(".crown").forEach((e) => e.remove());
    if (moves() && !this.skipping) sweep();
    for (const [i, e] of all.entries()) {
      if (i && i % atOnce === 0) await this.shown();
      this.fly(e, [
        { transform: "none", opacity: 1, easing: settles },
        { transform: way(rects[i], rects[best] ?? rects[i], (i - best) * 7, false), opacity: 1, offset: 0.45, easing: leaves },
        { transform: way(rects[i], to, 90), opacity: 0.5 },
      ], { length: 640, loose: true });
    }
    await this.wait(moves() ? 640 : 0);
    if (cell) {
      await this.wait(110);
      put(cell, String(s.to.sides?.[s.side].points));
      await this.wait(300);
    }
    this.paint(s.to);
    await this.shown();
  }

  // points lets the points of a trick fly to the score of the side that won it. It returns the cell where they land.
  /** @param {Whole} s @param {DOMRect} from */
  points(s, from) {
    const cell = scoreOf(s.side);
    if (!s.gain || !cell || this.skipping) return null;
    if (s.mine) gain();
    if (!moves()) return null;
    const e = make("span", "gain", "+" + s.gain), to = cell.getBoundingClientRect();
    e.setAttribute("aria-hidden", "true");
    e.style.left = `${from.left + from.width / 2}px`;
    e.style.top = `${from.top + from.height / 2}px`;
    document.body.append(e);
    const dx = to.left + to.width / 2 - from.left - from.width / 2, dy = to.top + to.height / 2 - from.top - from.height / 2;
    this.fly(e, [
      { transform: "scale(.4)", opacity: 0 }, { transform: "translateY(-28px) scale(1.25)", opacity: 1, offset: 0.25 },
      { transform: "translateY(-30px) scale(1.2)", opacity: 1, offset: 0.55, easing: leaves }, { transform: `translate(${dx}px, ${dy}px) scale(.7)`, opacity: 0.6 },
    ], { length: 850, loose: true });
    this.fly(cell, [{ transform: "none" }, { transform: "scale(1.5)", offset: 0.3 }, { transform: "none" }], { length: 300, delay: 750 });
    return cell;
  }

  /** @param {Whole} s */
  async draw(s) {
    const from = stockPlace().getBoundingClientRect();
    const before = slots().map((e) => e.dataset.card);
    const old = [...s.from.seats];
    drawCards(s.to);
    await this.shown();
    this.paint(s.to);
    /** @type {Flight[]} */
    const items = [];
    slots().forEach((e, i) => {
      if (e.dataset.card && e.dataset.card !== before[i]) items.push({ e: /** @type {HTMLElement} */ (e.querySelector(".card")), from, length: 420, delay: i * 50, turn: 35 });
    });
    s.to.seats.forEach((seat, i) => {
      if (i !== s.to.me) items.push(...this.backs(from, i, seat.cards - (old[i]?.cards ?? 0)));
    });
    await this.ready(items.filter((item) => !item.loose).map(({ e }) => e));
    document.body.append(...items.filter((item) => item.loose).map(({ e }) => e));
    if (moves()) riffle(Math.min(6, items.length));
    this.come(items);
    await this.wait(moves() ? lengths[s.kind] : 0);
  }

  // backs returns backs that fly from the stock to a seat, to be put on the page.
  /** @param {DOMRect} from @param {number} seat @param {number} n */
  backs(from, seat, n) {
    const to = plateOf(seat).getBoundingClientRect();
    return [...Array(Math.max(0, Math.min(n, 4))).keys()].map((k) => {
      const e = make("span", "card loose");
      e.style.left = to.left + to.width / 2 - 16 + "px";
      e.style.top = to.top + to.height / 2 - 25 + "px";
      return { e, from, loose: true, length: 360, delay: k * 50 + seat * 25 };
    });
  }

  /** @param {Whole} s */
  deal(s) {
    return this.draw({ ...s, kind: "deal", from: /** @type {any} */ ({ seats: s.to.seats.map(() => ({ cards: 0 })) }) });
  }
}

// way returns the transform that shows an element, which is at one place, at another. With fits, it gets that place's size.
/** @param {DOMRect} at @param {DOMRect} to @param {number} turn */
function way(at, to, turn, fits = true) {
  const dx = to.left + to.width / 2 - at.left - at.width / 2, dy = to.top + to.height / 2 - at.top - at.height / 2;
  return `translate(${dx}px, ${dy}px) scale(${fits ? Math.max(0.2, Math.min(to.width, to.height) / at.width) : 1}) rotate(${turn}deg)`;
}
