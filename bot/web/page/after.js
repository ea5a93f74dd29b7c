// A finished match on the felt, step by step: a slider over all cards, the hands of all seats, what the coach says about the
// reader's choices, and a curve of what it expected after each of them.

import { draw, drawPanel, fit, plateOf } from "./felt.js";
import { pace } from "./look.js";
import { art, at, empty, icon, line, make, put, word } from "./make.js";
import { button, screenNodes } from "./screen.js";

const none = /** @type {any} */ (null);
/** @type {{ steps: ReplayStep[], table: Live, press: Press, done: () => void, no: number, timer: number }} */
let shown = none; // the match that is shown, or null

// isReplay reports whether a match is shown instead of the table.
export const isReplay = () => !!shown;

// openReplay shows a match. table is the state of the page, whose cards and seat the match is drawn with. press gets the
// press of a button. done is called when the reader goes back to the table. It begins with the step of this number.
/** @param {ReplayStep[]} steps @param {Live} table @param {Press} press @param {() => void} done */
export function openReplay(steps, table, press, done, no = 0) {
  closeReplay();
  shown = { steps, table, press, done, no, timer: 0 };
  document.body.dataset.phase = "replay";
  const below = at("below");
  const text = make("div", "said");
  text.setAttribute("aria-live", "polite");
  below.replaceChildren(controls(), curve(), text);
  document.addEventListener("keydown", arrows);
  playing();
  show(no);
  below.querySelector(".play").focus();
}

// leaveReplay hides the match, and returns what shows it again; null: none was shown.
export function leaveReplay() {
  if (!shown) return null;
  const { steps, table, press, done, no } = shown;
  shown.done = () => {};
  closeReplay();
  return () => openReplay(steps, table, press, done, no);
}

// closeReplay goes back to the table.
export function closeReplay() {
  if (!shown) return;
  const { timer, done } = shown;
  shown = none;
  clearInterval(timer);
  document.removeEventListener("keydown", arrows);
  empty("below");
  done();
}

function controls() {
  const row = make("div", "row scrub");
  /** @param {string} name @param {string} label @param {string} text @param {() => void} onPress */
  const one = (name, label, text, onPress) => {
    const e = make("button", name, text);
    e.type = "button";
    e.setAttribute("aria-label", label);
    e.title = label;
    e.addEventListener("click", onPress);
    row.append(e);
  };
  one("shut-replay", word("close"), "✕", closeReplay);
  one("back", word("replay.back"), "◂", () => go(shown.no - 1));
  const slider = make("input");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(shown.steps.length - 1);
  slider.setAttribute("aria-label", word("replay.step"));
  slider.addEventListener("input", () => go(Number(slider.value)));
  row.append(slider);
  one("next", word("replay.next"), "▸", () => go(shown.no + 1));
  one("play", "", "", () => { if (shown.timer) stop(); else run(); });
  return row;
}

const stepFor = 1100; // ms for which each card is shown

// run shows one card after the other, from the first one if the last one is shown, until the reader does something else.
function run() {
  if (shown.no === shown.steps.length - 1) show(0);
  shown.timer = setInterval(() => {
    show(shown.no + 1);
    if (shown.no === shown.steps.length - 1) stop();
  }, stepFor * (pace() || 1));
  playing();
}

function stop() {
  clearInterval(shown.timer);
  shown.timer = 0;
  playing();
}

// playing lets the button say what it does.
function playing() {
  const e = at("below").querySelector(".play");
  e.ariaLabel = e.title = word(shown.timer ? "replay.stop" : "replay.play");
  e.replaceChildren(icon(shown.timer ? "M8 5 v14 M16 5 v14" : "M7 4 L19 12 L7 20 z"));
}

// go shows a step that the reader chose.
/** @param {number} no */
function go(no) {
  stop();
  show(no);
}

// arrows go from card to card by the keyboard. The slider has its own.
/** @param {any} event */
function arrows(event) {
  const ahead = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (ahead && !at("screen").open && event.target.tagName !== "INPUT") go(shown.no + ahead);
}

// curve draws what the coach expected after each of the reader's choices. A choice that cost much is a dot that leads there. A finger
// may touch the curve anywhere: it goes to the nearest dot.
function curve() {
  const points = shown.steps.flatMap((s, no) => (s.choices ?? []).map((c) => ({ no, ...c })));
  if (points.length < 2) return make("div");
  const most = Math.max(...points.map((p) => Math.abs(p.expects)), 0.01), dear = Math.max(...points.map((p) => p.cost)) / 2;
  /** @param {number} no */
  const x = (no) => (no / Math.max(1, shown.steps.length - 1)) * 300, y = (/** @type {number} */ v) => 30 - (v / most) * 16;
  const box = make("figure", "curve");
  const drawing = line("svg", { viewBox: "-4 0 308 60", preserveAspectRatio: "none", role: "img", "aria-label": word("replay.curve") },
    line("line", { x1: 0, x2: 300, y1: 30, y2: 30, class: "zero" }), line("polyline", { points: points.map((p) => `${x(p.no)},${y(p.expects)}`).join(" ") }), line("line", { y1: 2, y2: 58, class: "now" }));
  const plot = make("div", "plot"), costly = points.filter(({ cost }) => cost > 0 && cost >= dear);
  plot.append(drawing);
  drawing.addEventListener("click", (/** @type {any} */ event) => {
    const { left, width } = drawing.getBoundingClientRect();
    /** @param {number} no */
    const far = (no) => Math.abs((x(no) + 4) / 308 - (event.clientX - left) / width);
    if (costly.length) go(costly.reduce((a, b) => (far(b.no) < far(a.no) ? b : a)).no);
  });
  for (const p of costly) {
    const dot = make("button", "dot");
    dot.type = "button";
    dot.ariaLabel = `${word("mark.wrong")}: ${shown.steps[p.no].line}`;
    dot.style.left = `${(x(p.no) + 4) / 3.08}%`;
    dot.style.top = `${y(p.expects) / 0.6}%`;
    dot.addEventListener("click", () => go(p.no));
    plot.append(dot);
  }
  box.append(plot, make("figcaption", "small", word("replay.curve")));
  return box;
}

// show shows a step.
/** @param {number} no */
function show(no) {
  shown.no = Math.min(Math.max(no, 0), shown.steps.length - 1);
  const { steps, table, press } = shown, step = steps[shown.no], below = at("below");
  draw({ ...step, cards: table.cards, me: table.me, table: `replay ${step.seats.length}` }, { play() { }, press });
  drawPanel(null);
  document.body.dataset.turn = "";
  step.hands.forEach((cards, i) => openHand(i, cards));
  fit(step);
  const slider = below.querySelector("input");
  slider.value = String(shown.no);
  slider.setAttribute("aria-valuetext", step.line);
  below.querySelector(".back").disabled = shown.no === 0;
  below.querySelector(".next").disabled = shown.no === steps.length - 1;
  const now = below.querySelector(".now"), x = (shown.no / Math.max(1, steps.length - 1)) * 300;
  now?.setAttribute("x1", String(x));
  now?.setAttribute("x2", String(x));
  const nodes = screenNodes(step.text, press);
  const row = make("div", "row");
  for (const choice of (step.choices ?? []).filter((c) => c.cost > 0).slice(0, 1)) row.append(button({ label: word("again_here"), press: choice.retry, tone: "primary" }, press));
  below.querySelector(".said").replaceChildren(...nodes, ...(row.children.length ? [row] : []));
  put(at("title"), "");
}

// openHand shows the cards of a seat on its plate. Those that are played in the step are dim.
/** @param {number} seat @param {Card[]} cards */
function openHand(seat, cards) {
  const plate = plateOf(seat);
  plate.querySelector(".open")?.remove();
  const hand = make("span", "open");
  hand.append(...cards.map((c) => {
    const e = make("span", c.off ? "card dark" : "card");
    e.append(art(c.card));
    e.setAttribute("role", "img");
    e.setAttribute("aria-label", c.name);
    return e;
  }));
  plate.append(hand);
}
