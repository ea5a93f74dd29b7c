// A finished match on the felt, step by step: a slider over all cards, the hands of all seats, what the coach says about the
// reader's choices, and a curve of what it expected after each of them.

import { draw, drawPanel, fit, plateOf } from "./felt.js";
import { art, at, make, put, word } from "./make.js";
import { button, screenNodes } from "./screen.js";

let shown = null; // the match that is shown, or null

// isReplay reports whether a match is shown instead of the table.
export const isReplay = () => !!shown;

// openReplay shows a match. table is the state of the page, whose cards and seat the match is drawn with. press gets the
// press of a button. done is called when the reader goes back to the table.
export function openReplay(steps, table, press, done) {
  closeReplay();
  shown = { steps, table, press, done, no: 0, timer: 0 };
  document.body.dataset.phase = "replay";
  const below = at("below");
  below.dataset.shown = "";
  const text = make("div", "said");
  text.setAttribute("aria-live", "polite");
  below.replaceChildren(controls(), curve(), text);
  show(0);
  below.querySelector(".next").focus();
}

// closeReplay goes back to the table.
export function closeReplay() {
  if (!shown) return;
  const { timer, done } = shown;
  shown = null;
  clearInterval(timer);
  at("below").replaceChildren();
  delete at("below").dataset.shown;
  done();
}

function controls() {
  const row = make("div", "row scrub");
  const one = (name, label, text, onPress) => {
    const e = make("button", name, text);
    e.type = "button";
    e.setAttribute("aria-label", label);
    e.title = label;
    e.addEventListener("click", onPress);
    row.append(e);
  };
  one("shut-replay", word("close"), "✕", closeReplay);
  one("back", word("replay.back"), "◀", () => show(shown.no - 1));
  const slider = make("input");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(shown.steps.length - 1);
  slider.setAttribute("aria-label", word("replay.step"));
  slider.addEventListener("input", () => show(Number(slider.value)));
  row.append(slider);
  one("next", word("replay.next"), "▶", () => show(shown.no + 1));
  return row;
}

// curve draws what the coach expected after each of the reader's choices. A choice that cost much is a dot that leads there.
function curve() {
  const points = shown.steps.flatMap((s, no) => (s.choices ?? []).map((c) => ({ no, ...c })));
  if (points.length < 2) return make("div");
  const most = Math.max(...points.map((p) => Math.abs(p.expects)), 0.01), dear = Math.max(...points.map((p) => p.cost)) / 2;
  const x = (no) => (no / Math.max(1, shown.steps.length - 1)) * 300, y = (v) => 30 - (v / most) * 26;
  const box = make("figure", "curve");
  const svg = (tag, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    return e;
  };
  const drawing = svg("svg", { viewBox: "-4 0 308 60", role: "img", "aria-label": word("replay.curve") });
  drawing.append(svg("line", { x1: 0, x2: 300, y1: 30, y2: 30, class: "zero" }), svg("polyline", { points: points.map((p) => `${x(p.no)},${y(p.expects)}`).join(" ") }), svg("line", { y1: 2, y2: 58, class: "now" }));
  for (const p of points.filter(({ cost }) => cost > 0 && cost >= dear)) {
    const dot = svg("circle", { cx: x(p.no), cy: y(p.expects), r: 4 });
    dot.addEventListener("click", () => show(p.no));
    drawing.append(dot);
  }
  box.append(drawing, make("figcaption", "small", word("replay.curve")));
  return box;
}

// show shows a step.
function show(no) {
  shown.no = Math.min(Math.max(no, 0), shown.steps.length - 1);
  const { steps, table, press } = shown, step = steps[shown.no], below = at("below");
  draw({ ...step, cards: table.cards, me: table.me, table: `replay ${step.seats.length}` }, { play() { }, press });
  drawPanel([], "");
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
