// The felt: seats, tricks, stock, score, and the reader's hand. It draws one state of the
// table; fly.js moves things from one state to the next.

import { isMine } from "./chosen.js";
import { drawHand } from "./hand.js";
import { aloud, art, at, differs, empty, icon, make, put, putRich, sideMark, stale, word } from "./make.js";
import { moves, pace } from "./look.js";
import { button } from "./screen.js";

// places are the positions of seats on the felt, in percent, clockwise from the reader. A seat is [x, y of its plate,
// x of its cards], whose y depends on the plate's height, and then x and y of its cards on a wide felt, where they
// lie beside the plate.
/** @type {Record<number, number[][]>} */
const places = {
  2: [[50, 100, 50], [50, 0, 50]],
  3: [[50, 100, 50], [0, 4, 24], [100, 4, 76]],
  4: [[50, 100, 50], [0, 31, 20], [50, 0, 50], [100, 31, 80]],
  5: [[50, 100, 50], [0, 62, 20, 35, 65], [0, 4, 22, 35, 24], [100, 4, 78, 65, 24], [100, 62, 80, 65, 65]],
  6: [[50, 100, 50], [0, 62, 19, 34, 65], [0, 4, 19, 34, 28], [50, 0, 50], [100, 4, 81, 66, 28], [100, 62, 81, 66, 65]],
};

/** @type {{ plates: any[], piles: any[], [part: string]: any }} */
const parts = { plates: [], piles: [] };
let shape = "";

// build makes the elements of a table with this number of seats.
/** @param {Live} live */
function build(live) {
  const felt = at("felt"), n = live.seats.length, first = Math.max(0, live.me);
  parts.plates = [];
  parts.piles = [];
  felt.replaceChildren();
  felt.dataset.seats = n;
  parts.heights = "";
  const list = make("ul", "plates");
  list.setAttribute("aria-label", word("table"));
  for (let seat = 0; seat < n; seat++) {
    const [x, y, px, wx, wy] = places[n][(seat - first + n) % n];
    const plate = make("li", x === 50 ? y === 100 ? "plate own" : "plate" : "plate side");
    plate.style.setProperty("--x", String(x));
    plate.style.setProperty("--y", String(y));
    plate.append(make("span", "who"), make("span", "more"), make("i", "clock"), make("span", "face"));
    plate.lastElementChild?.setAttribute("aria-hidden", "true"); // it repeats the name
    list.append(plate);
    parts.plates.push(plate);
    const pile = make("ol", "pile");
    if (y === 100) pile.classList.add("above");
    if (x !== 50) pile.classList.add("side");
    pile.style.setProperty("--x", String(px));
    pile.style.setProperty("--y", String(y));
    if (wy) {
      pile.classList.add("beside");
      pile.style.setProperty("--wx", String(wx));
      pile.style.setProperty("--wy", String(wy));
    }
    felt.append(pile);
    parts.piles.push(pile);
  }
  const middle = make("div", "middle");
  parts.stock = make("div", "stock");
  parts.worth = make("p", "worth");
  middle.append(parts.stock, parts.worth);
  parts.ring = make("i", "ring");
  felt.prepend(list, middle, parts.ring);
  parts.panel = make("section", "panel");
  parts.panel.hidden = true;
  felt.append(parts.panel);
  tighten();
}

// redress draws everything again that has texts: they are in another language now.
export function redress() {
  shape = "";
  stale();
}

/** @param {number} seat */
export const plateOf = (seat) => parts.plates[seat];
/** @param {number} seat */
export const wonPlace = (seat) => parts.plates[seat].querySelector(".taken") ?? parts.plates[seat];
/** @param {number} side */
export const scoreOf = (side) => at("score").querySelector(`.points[data-side="${side}"]`);
export const stockPlace = () => parts.stock;
/** @param {number} seat */
export const cardsOf = (seat) => [...parts.piles[seat].querySelectorAll(".card")];
export const allPlayed = () => [...at("felt").querySelectorAll(".pile .card")];

// draw shows a state of the table. act.play gets the place of a touched card, act.press the
// press of a button and the button.
/** @param {Live} live @param {Act} act */
export function draw(live, act) {
  const now = live.table + " " + live.seats.length + " " + live.me;
  if (shape !== now) build(live);
  if (shape !== now) ringed = -1;
  shape = now;
  drawCards(live);
  setTurn(live);
  drawScore(live);
  drawHand(live, act);
  drawMoves(live, act);
  putRich(at("line"), live.felt || live.phase === "front" ? live.brief ?? live.line ?? "" : "");
}

// drawCards draws only what lies on the felt of a table that was drawn before. If the reader's turn is over, the page shows that
// at once.
/** @param {Live} live */
export function drawCards(live) {
  if (!isMine(live)) setTurn(live);
  live.seats.forEach((seat, i) => drawPlate(live, seat, i));
  drawPiles(live);
  drawMiddle(live);
}

// setTurn shows whether it is the reader's turn.
/** @param {Live} live */
function setTurn(live) {
  const turn = isMine(live) ? "mine" : "";
  if (document.body.dataset.turn !== turn) document.body.dataset.turn = turn;
}

// fit measures what was drawn, and moves what depends on it. It comes last, so that the browser lays a state out once.
/** @param {Live} live */
export function fit(live) {
  measure();
  moveRing(live);
}

// tighten gives a low felt of four seats another order: the other plates are in one row, and the reader's own plate is in
// the corner, so that the cards stay large. On a wide one, the cards are in one row, too.
function tighten() {
  const felt = at("felt"), { clientWidth: w, clientHeight: h } = felt;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize), plate = 3.3 * Math.min(rem, 0.06 * w);
  const four = felt.dataset.seats === "4", flat = four && w > 2 * h && h < 10 * rem;
  felt.classList.toggle("tight", flat || four && w < 480 && (0.92 * h - 2 * plate - 2 * rem) / 3.1 < 0.17 * w);
  felt.classList.toggle("flat", flat);
}

// measure tells the styles how tall the plates are, so that no card lies on one.
function measure() {
  const heights = parts.plates.map((e) => e.offsetHeight);
  if (!heights.length || parts.heights === String(heights)) return; // a style that is set again is worked out again
  parts.heights = String(heights);
  parts.piles.forEach((pile, i) => pile.style.setProperty("--h", heights[i] + "px"));
  at("felt").style.setProperty("--tall", Math.max(...heights) + "px");
}
new ResizeObserver(() => {
  tighten();
  measure();
}).observe(at("felt"));

// tag returns a short mark, with words for people who can't see it.
/** @param {string} className @param {string} text @param {string} words */
function tag(className, text, words) {
  const e = make("span", className, text);
  e.title = words;
  e.setAttribute("role", "img");
  e.setAttribute("aria-label", words);
  return e;
}

// moveRing lets the ring of the seat whose turn it is fly from the plate that had it. The plate itself shows it where
// nothing moves.
let ringed = -1;
/** @param {Live} live */
function moveRing(live) {
  const from = parts.plates[ringed], seat = live.seats.findIndex((s) => s.turn), to = parts.plates[seat];
  const moved = seat !== ringed;
  ringed = seat;
  if (!moved || !from || !to || !moves()) return;
  const felt = at("felt").getBoundingClientRect(), [a, b] = [from, to].map((e) => e.getBoundingClientRect());
  /** @param {DOMRect} r */
  const place = (r) => `translate(${r.left + r.width / 2 - felt.left - b.width / 2}px, ${r.top + r.height / 2 - felt.top - b.height / 2}px)`, { ring } = parts;
  queueMicrotask(() => { // after the cards are measured
    Object.assign(ring.style, { width: `${b.width}px`, height: `${b.height}px` });
    ring.animate([{ transform: place(a), opacity: 1 }, { transform: place(b), opacity: 1 }], { duration: 340 * pace(), easing: "cubic-bezier(.3,.8,.3,1)" });
  });
}

const missing = new Set(); // photos that didn't load

// photoOf returns the photo that lies on a person's disc. Without one, or if it doesn't load, the disc has their initial.
/** @param {Seat} seat @param {HTMLElement} face */
function photoOf(seat, face) {
  if (!seat.photo || seat.ai || missing.has(seat.photo)) return [];
  const had = /** @type {HTMLElement | null} */ (face.querySelector(".photo"));
  if (had?.dataset.of === seat.photo) return [had];
  const e = make("img", "photo");
  e.alt = "";
  e.draggable = false;
  e.dataset.of = seat.photo;
  e.addEventListener("error", () => { missing.add(seat.photo); e.remove(); });
  e.src = seat.photo;
  return [e];
}

// hueOf returns the hue of a name's disc.
/** @param {string} name */
const hueOf = (name) => [...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 360, 7);

/** @param {Live} live @param {Seat} seat @param {number} i */
function drawPlate(live, seat, i) {
  const plate = parts.plates[i], [who, more, , face] = plate.children;
  plate.classList.toggle("turn", !!seat.turn);
  if (!differs(plate, seat, live.lang)) return;
  plate.classList.toggle("free", !seat.name);
  who.replaceChildren(sideMark(seat.side), make("b", "name", seat.name || word("free")));
  who.lastChild.title = seat.name;
  face.replaceChildren(seat.ai ? icon(icons.ai) : [...seat.name.trim()][0]?.toUpperCase() ?? "", ...photoOf(seat, face));
  face.style.setProperty("--hue", hueOf(seat.name));
  face.classList.toggle("machine", !!seat.ai);
  if (seat.turn) who.append(make("span", "unseen", word("turn")));
  more.replaceChildren(...(seat.dealer ? [tag("dealer", word("dealer_letter"), word("dealer"))] : []));
  if (live.felt && i !== live.me) {
    const backs = tag("backs", "", word("cards", { n: seat.cards }));
    for (let n = 0; n < seat.cards; n++) backs.append(make("i"));
    more.append(backs);
  }
  if (seat.won) {
    const taken = tag("taken", "", word("won", { n: seat.won }));
    taken.append(...Array.from({ length: Math.min(3, seat.won) }, () => make("i")), make("b", "", String(seat.won)));
    more.append(taken);
  }
  if (seat.leads) more.append(make("small", "", word("leads")));
  if (seat.short) {
    const note = tag("note", "", (seat.marks ?? []).join(" · "));
    note.append(icon(icons.ai), make("span", "", seat.short));
    more.append(note);
  } else more.append(...(seat.marks ?? []).map((text) => make("small", "", text)));
  more.hidden = !more.children.length;
  plate.classList.toggle("bare", more.hidden);
}

/** @param {Live} live */
function drawPiles(live) {
  const trick = live.felt?.trick ?? [];
  const mine = live.seats.map(() => /** @type {(Play & { won: boolean, order: number })[]} */ ([]));
  trick.forEach((play, i) => mine[play.seat].push({ ...play, won: i === live.felt?.winning, order: i }));
  mine.forEach((plays, seat) => {
    const pile = parts.piles[seat];
    while (pile.children.length > plays.length) pile.lastChild.remove();
    plays.forEach((play, i) => {
      let spot = pile.children[i];
      const same = `${live.cards} ${play.card} ${play.name}`;
      if (!spot || spot.dataset.same !== same) {
        const fresh = make("li", "spot");
        fresh.dataset.same = same;
        fresh.style.setProperty("--i", String(i));
        fresh.style.setProperty("--r", String(((play.order * 37 + seat * 53) % 9) - 4));
        const card = make("span", "card");
        card.append(art(play.card));
        fresh.append(card, make("span", "unseen", play.name));
        if (spot) spot.replaceWith(fresh); else pile.append(fresh);
        spot = fresh;
      }
      spot.style.setProperty("--n", plays.length);
      spot.style.zIndex = play.order + 1;
      spot.firstChild.classList.toggle("dark", !!play.dark);
      if (spot.classList.toggle("won", play.won) !== (spot.children.length > 2)) {
        if (play.won) spot.append(tag("crown", "♛", word("winning"))); else spot.lastChild.remove();
      }
    });
    if (plays.length) pile.setAttribute("aria-label", aloud(live.seats[seat].name)); else pile.removeAttribute("aria-label");
  });
}

/** @param {Live} live */
function drawMiddle(live) {
  const n = live.felt?.stock ?? 0;
  if (parts.stock.dataset.n !== String(n)) {
    parts.stock.dataset.n = n;
    parts.stock.replaceChildren();
    for (let i = 0; i < Math.min(3, Math.ceil(n / 4)); i++) {
      const back = make("span", "card");
      back.style.setProperty("--i", String(i));
      back.append(art("back"));
      parts.stock.append(back);
    }
    if (n) parts.stock.append(tag("count", String(n), word("stock", { n })));
  }
  put(parts.worth, live.felt?.worth ?? "");
}

/** The sides, the reader's first, as in results. @param {Live} live */
export function ownFirst(live) {
  const all = (live.felt ? live.sides ?? [] : []).map((s, side) => ({ ...s, side })), own = all.findIndex((s) => s.side === live.seats[live.me]?.side);
  return own < 0 ? all : [all[own], ...all.toSpliced(own, 1)];
}

/** @param {Live} live */
function drawScore(live) {
  const table = at("score"), sides = ownFirst(live);
  if (!differs(table, sides, live.lang)) return;
  table.replaceChildren();
  if (!sides.length) return;
  /** @param {string} label @param {Node[]} cells */
  const row = (label, cells) => {
    const tr = make("tr");
    const head = make(label ? "th" : "td", "", label);
    if (label) head.scope = "row";
    tr.append(head, ...cells);
    table.append(tr);
  };
  row("", sides.map((s) => {
    const th = make("th");
    th.scope = "col";
    th.title = s.names;
    th.append(sideMark(s.side), make("span", "unseen", s.names));
    return th;
  }));
  row(word("points"), sides.map((s) => {
    const td = make("td", "points", String(s.points));
    td.dataset.side = String(s.side);
    return td;
  }));
  row(word("score"), sides.map((s) => make("td", "", String(s.score))));
}

// drawMoves draws the buttons of the reader's other moves.
/** @param {Live} live @param {Act} act */
function drawMoves(live, act) {
  const row = at("moves"), wanted = live.felt?.moves ?? [], cards = live.felt?.hand.length ?? 0;
  if (!differs(row, wanted)) return;
  const focused = [...row.children].indexOf(document.activeElement);
  row.replaceChildren(...wanted.map((b, i) => {
    const e = button(b, act.press), key = keyOf(b, cards + i);
    if (key.length > 1) return e;
    const mark = make("kbd", "", key);
    mark.setAttribute("aria-hidden", "true");
    e.setAttribute("aria-keyshortcuts", key);
    e.append(mark);
    return e;
  }));
  if (focused >= 0) (row.children[Math.min(focused, row.children.length - 1)] ?? at("hand").firstChild)?.focus();
}

// keyOf returns the key of a move that is at this place, behind the cards.
/** @param {Button} b @param {number} place */
export const keyOf = (b, place) => b.press.startsWith("hint:") ? "I" : String(place + 1);

// drawPanel shows a screen over the felt, such as how the deal or match ended: the nodes that are made from these data; null: none.
/** @param {any} data @param {() => Node[]} [nodesOf] */
export function drawPanel(data, nodesOf) {
  const panel = parts.panel;
  if (!differs(panel, data)) return false;
  const nodes = data ? nodesOf?.() ?? [] : [];
  const focused = panel.contains(document.activeElement) ? [...panel.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  panel.replaceChildren(...nodes);
  panel.hidden = !nodes.length;
  if (focused >= 0) panel.querySelectorAll("button")[focused]?.focus();
  return true;
}

// clear shows only these nodes, instead of a table.
/** @param {Node[]} nodes */
export function clear(nodes) {
  const panel = make("section", "panel");
  panel.append(...nodes);
  at("felt").replaceChildren(panel);
  empty("score", "moves", "hand", "tools", "side");
  putRich(at("line"), "");
  shape = "";
}

const icons = {
  say: "M4 5 h16 v11 h-8 l-5 4 v-4 h-3 z M8.5 10.5 h.01 M12 10.5 h.01 M15.5 10.5 h.01",
  back: "M6 6 L18 18 M18 6 L6 18",
  home: "M4 4 h6 v6 h-6 z M14 4 h6 v6 h-6 z M4 14 h6 v6 h-6 z M14 14 h6 v6 h-6 z",
  ai: "M5 9 h14 v10 h-14 z M12 9 v-4 M9 13 h.01 M15 13 h.01 M9.5 16 h5 M2.5 13 v3 M21.5 13 v3",
  more: "M5 12 h.01 M12 12 h.01 M19 12 h.01", tricks: "M8 4 h9 v13 h-9 z M5 7 v13 h9",
  sound: "M4 9.5 v5 h3.5 l4.5 4 v-13 l-4.5 4 z M15.5 9 q2.4 3 0 6 M18.2 6.5 q4.4 5.5 0 11",
  gear: "M4 7 h9 M17 7 h3 M4 17 h3 M11 17 h9 M15 4.5 a2.5 2.5 0 1 0 .01 0 M9 14.5 a2.5 2.5 0 1 0 .01 0",
};

// tool returns a button of the bar that has an icon.
/** @param {keyof typeof icons} name @param {string} label @param {() => void} onPress */
export function tool(name, label, onPress) {
  const e = make("button", "tool");
  e.type = "button";
  e.dataset.tool = name;
  e.setAttribute("aria-label", label);
  e.title = label;
  e.append(icon(icons[name]));
  e.addEventListener("click", onPress);
  return e;
}
