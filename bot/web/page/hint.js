// A hint: a glow on the card or button that it is about, with its reason beside it.

import { at, make, rich, word } from "./make.js";

/** @type {HTMLElement | null} */
let glowing = null;

// showHint lets an element glow, and shows a text that points to it.
/** @param {HTMLElement} e @param {string} text */
export function showHint(e, text) {
  clearHint();
  glowing = e;
  e.classList.add("glows");
  const bubble = make("button", "bubble"), mine = at("mine").getBoundingClientRect(), to = e.getBoundingClientRect();
  bubble.type = "button";
  bubble.append(...rich(text));
  bubble.setAttribute("aria-label", `${text} ${word("close")}`);
  bubble.addEventListener("click", clearHint);
  at("hint").append(bubble);
  at("news").append(make("p", "", text));
  bubble.style.bottom = `${mine.bottom - to.top + 14}px`;
  const half = bubble.offsetWidth / 2, x = to.left + to.width / 2;
  const left = Math.min(Math.max(x, mine.left + half + 6), mine.right - half - 6);
  bubble.style.left = `${left - mine.left}px`;
  bubble.style.setProperty("--point", `${Math.max(14 - half, Math.min(half - 14, x - left))}px`);
}

export function clearHint() {
  glowing?.classList.remove("glows");
  glowing = null;
  at("hint").replaceChildren();
}
