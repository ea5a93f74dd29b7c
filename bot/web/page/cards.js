// The drawings of the cards. Each card on the page is one image. Drawn by <use> from the file that the server sends, it would be
// a hundred elements more to style and to lay out.

import { look } from "./look.js";
import { at, make } from "./make.js";

let loaded = ""; // the name of the file
/** @type {Document} */
let drawings = null;
/** @type {Map<string, HTMLImageElement>} */
const pictures = new Map(); // by card

// four are the colours of two suits in a deck of four colours.
const four = { diamond: "#1c62b0", club: "#1c7a38" };

// loadCards draws cards from the file of that name from now on. read returns its text.
export async function loadCards(name, read) {
  if (loaded === name) return;
  drawings = new DOMParser().parseFromString(await read(), "image/svg+xml");
  loaded = name;
  for (const suit of Object.keys(four)) { // the rank in the corner, whose colour is that of the small mark below it
    for (const mark of drawings.querySelectorAll(`use[href="#${suit}"][transform*="scale(0.2)"], use[href="#${suit}"][transform*="scale(-0.2)"]`)) mark.previousElementSibling?.classList.add(suit);
  }
  const marks = document.importNode(drawings.documentElement, false); // those that stand in texts
  marks.append(...[...drawings.querySelectorAll("[id]:not(symbol)")].map((mark) => document.importNode(mark, true)));
  at("sprite").replaceChildren(marks);
  redraw();
}

// redraw draws all cards again, after the drawings or the colours of the suits have changed.
export function redraw() {
  pictures.clear();
  for (const e of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll(".card img"))) e.src = picture(e.dataset.card).src;
  ahead([...drawings.querySelectorAll("symbol")].map((symbol) => symbol.id), drawings);
}

// ahead makes the pictures of these cards while nothing else happens.
function ahead(cards, of) {
  const next = () => {
    if (of !== drawings || !cards.length) return;
    picture(cards.pop());
    ahead(cards, of);
  };
  if (window.requestIdleCallback) requestIdleCallback(next); else setTimeout(next, 50);
}

// picture returns the image of a card. Others are copied from it, and so are there at once.
function picture(card) {
  const had = pictures.get(card);
  if (had) return had;
  const e = make("img"), drawing = /** @type {Element} */ (drawings.documentElement.cloneNode(false)), symbol = drawings.getElementById(card);
  if (symbol) {
    const used = new Set([...symbol.querySelectorAll("use")].map((use) => use.getAttribute("href").slice(1)));
    const marks = drawings.createElementNS(drawing.namespaceURI, "defs");
    marks.append(...[...used].map((id) => drawings.getElementById(id).cloneNode(true)));
    drawing.append(marks, ...symbol.cloneNode(true).childNodes);
    drawing.setAttribute("viewBox", symbol.getAttribute("viewBox"));
  }
  if (look("deck") === "four") {
    for (const [suit, color] of Object.entries(four)) for (const path of drawing.querySelectorAll(`:is(#${suit}, .${suit}) path`)) path.setAttribute("fill", color);
  }
  e.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(drawing));
  e.alt = "";
  e.draggable = false;
  e.dataset.card = card;
  pictures.set(card, e);
  return e;
}

// art returns the drawing of a card, or of a back.
export const art = (card) => picture(card).cloneNode();
