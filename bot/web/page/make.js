// Small helpers for elements, and the page's own texts.

/** @type {Record<string, string>} */
let texts = {};

// setWords makes these the page's texts.
/** @param {Record<string, string>} words */
export function setWords(words) { texts = words; }

// word returns one of the page's texts. values fill in its placeholders.
/** @param {string} key @param {Record<string, string | number>} values */
export function word(key, values = {}) {
  return (texts[key] ?? "").replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

// make returns a new element. The text is never read as HTML.
/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @returns {HTMLElementTagNameMap[T]} */
export function make(tag, className = "", text = "") {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text) e.textContent = text;
  return e;
}

/** @type {(id: string) => any} */
export const at = (id) => document.getElementById(id);

// put sets the text of an element if it differs, so that a screen reader doesn't read it again.
/** @param {Element} e @param {string} text */
export function put(e, text) { if (e.textContent !== text) e.textContent = text; }

/** @type {WeakMap<Element, string>} */
let drawn = new WeakMap(); // by element: the data from which it was drawn

// differs reports whether an element was last drawn from other data than these, and notes them.
/** @param {Element} e @param {...any} data */
export function differs(e, ...data) {
  const now = JSON.stringify(data);
  if (drawn.get(e) === now) return false;
  drawn.set(e, now);
  return true;
}

// stale lets everything be drawn again.
export function stale() { drawn = new WeakMap(); }

// empty removes what was drawn in these elements.
/** @param {...string} ids */
export function empty(...ids) {
  for (const e of ids.map(at)) {
    e.replaceChildren();
    drawn.delete(e);
  }
}

const svg = "http://www.w3.org/2000/svg";

// Each card on the page is one image. Drawn by <use>, it would be a hundred elements more to style and to lay out.
/** @type {Document} */
let drawings = /** @type {any} */ (null);
/** @type {Map<string, any>} */
const pictures = new Map(); // images by card

// setDrawings draws the cards from the text of a file of drawings from now on.
/** @param {string} text */
export function setDrawings(text) {
  drawings = new DOMParser().parseFromString(text, "image/svg+xml");
  for (const suit of ["diamond", "club"]) { // the rank in the corner, whose colour is that of the small mark below it
    for (const mark of drawings.querySelectorAll(`use[href="#${suit}"][transform*="scale(0.2)"], use[href="#${suit}"][transform*="scale(-0.2)"]`)) mark.previousElementSibling?.classList.add(suit);
  }
  const used = document.importNode(drawings.documentElement, false); // the marks that stand in texts
  used.append(...[...drawings.querySelectorAll("g[id]")].map((mark) => document.importNode(mark, true)));
  at("sprite").replaceChildren(used);
  redraw();
}

// redraw draws all cards again, after the drawings or the colours of the suits have changed.
export function redraw() {
  pictures.clear();
  for (const e of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll(".card img"))) e.src = picture(e.dataset.card ?? "").src;
  const all = [...drawings.querySelectorAll("symbol")], now = drawings;
  /** @param {any} time */
  const next = (time) => { // the others, one after the other, while nothing moves
    if (now !== drawings || !all.length) return;
    if (time.timeRemaining() > 20) picture(all.pop()?.id ?? "");
    setTimeout(whenIdle, 50, next);
  };
  whenIdle(next);
}

// whenIdle calls f when the browser has nothing else to do. Safari doesn't tell when that is.
/** @param {(deadline: { timeRemaining(): number }) => void} f */
const whenIdle = (f) => "requestIdleCallback" in window ? requestIdleCallback(f) : setTimeout(f, 50, { timeRemaining: () => 50 });

// picture returns the image of a card. A copy of it is loaded at once.
/** @param {string} card */
function picture(card) {
  if (pictures.has(card)) return pictures.get(card);
  const e = make("img"), drawing = /** @type {Element} */ (drawings.documentElement.cloneNode(false)), symbol = drawings.getElementById(card);
  const marks = drawings.createElementNS(svg, "defs");
  marks.append(...[...drawings.querySelectorAll("g[id]")].filter((mark) => symbol?.querySelector(`[href="#${mark.id}"]`)).map((mark) => mark.cloneNode(true)));
  drawing.append(marks, ...symbol?.cloneNode(true).childNodes ?? []);
  drawing.setAttribute("viewBox", "0 0 100 155");
  if (document.documentElement.dataset.deck === "four") {
    for (const [suit, color] of [["diamond", "#164f8f"], ["club", "#155c2a"]]) for (const path of drawing.querySelectorAll(`:is(#${suit}, .${suit}) path`)) path.setAttribute("fill", color);
  }
  e.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(drawing));
  e.alt = "";
  e.draggable = false;
  e.dataset.card = card;
  pictures.set(card, e);
  return e;
}

// art returns the drawing of a card, or of a back.
/** @param {string} card */
export const art = (card) => picture(card).cloneNode();

/** @type {Record<string, string>} */
const marks = { "🌰": "acorn", "🍃": "leaf", "❤️": "german-heart", "🔔": "bell", "♣": "club", "♠": "spade", "♥": "heart", "♦": "diamond" };

// rich returns a text as nodes. Signs of suits become the marks on the cards. A card stays on one line.
/** @param {string} text */
export function rich(text) {
  return text.split(/(\S*(?:🌰|🍃|❤️|🔔|[♣♠♥♦])\S*)/u).filter(Boolean).map((part) => {
    const nodes = marked(part);
    if (nodes.length === 1) return nodes[0];
    const whole = make("span", "whole");
    whole.setAttribute("role", "img");
    whole.setAttribute("aria-label", aloud(part));
    for (const n of nodes) if (n instanceof Element) n.ariaHidden = "true";
    whole.append(...nodes);
    return whole;
  });
}

/** @param {string} text */
function marked(text) {
  return text.split(/(🌰|🍃|❤️|🔔|[♣♠♥♦])/u).filter(Boolean).map((part) => {
    if (!marks[part] || !at(marks[part])) return document.createTextNode(part);
    return line("svg", { viewBox: "0 0 100 100", class: "suit", role: "img", "aria-label": word("card." + marks[part]) }, line("use", { href: "#" + marks[part] }));
  });
}

// aloud returns a text as a screen reader says it: with cards in words, and without pictures such as that of an opponent's face. A name
// of pictures alone stays.
/** @param {string} text */
export function aloud(text) {
  const said = text.replace(/(\d+|\p{Lu})(🌰|🍃|❤️|🔔|[♣♠♥♦])/gu, (/** @type {string[]} */ ...[, rank, suit]) => word("card.words", { rank: word("card." + rank) || rank, suit: word("card." + marks[suit]) }));
  return said.replace(/[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}\u{200D}]/gu, "").replace(/ {2,}/g, " ").trim() || text;
}

// putRich sets a text as rich does, if it differs.
/** @param {Element} e @param {string} text */
export function putRich(e, text) {
  if (differs(e, text)) e.replaceChildren(...rich(text));
}

// line returns an element of a line drawing.
/** @param {string} tag @param {Record<string, any>} attributes @param {...Element} parts */
export function line(tag, attributes, ...parts) {
  const e = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, String(value));
  e.append(...parts);
  return e;
}

// icon returns a small line drawing.
/** @param {string} path */
export const icon = (path) => line("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": true }, line("path", { d: path }));

// sideMark returns the mark of a side: a triangle, a disc, a square, and so on.
/** @param {number} side */
export function sideMark(side) {
  const mark = make("span", "mark");
  mark.dataset.side = String(side % 3);
  return mark;
}

// kept reads a setting of this browser, and keep writes it. Where the browser forbids that,
// nothing is kept.
/** @param {string} name */
export function kept(name) { try { return localStorage.getItem(name); } catch { return null; } }
/** @param {string} name @param {any} value */
export function keep(name, value) { try { localStorage.setItem(name, value); } catch { /* not kept */ } }
