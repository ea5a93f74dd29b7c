// Screens of the bot as elements, the dialog that shows the answers to presses, and toasts.

import { at, art, icon, make, rich, word } from "./make.js";

// button returns a button of the bot. onPress gets its press.
/** @param {Button} b @param {Press} onPress */
export function button(b, onPress) {
  const e = make("button", b.tone || "");
  e.type = "button";
  e.append(...rich(b.label));
  e.dataset.press = b.press;
  e.disabled = !!b.off;
  if (b.mark) {
    e.classList.add(b.mark);
    e.append(make("span", "unseen", ", " + word("mark." + b.mark)));
  }
  e.addEventListener("click", () => onPress(b.press, e));
  return e;
}

// cardChip returns a card for use in a text: a small label.
/** @param {string} label @param {boolean} [strong] */
function cardChip(label, strong) {
  const e = make(strong ? "strong" : "span", "chip");
  e.append(...rich(label));
  return e;
}

/** @type {Record<string, keyof HTMLElementTagNameMap>} */
const tags = { title: "h2", small: "p", quote: "blockquote" };

// span returns the nodes of a piece of a line.
/** @param {Span} s */
function span(s) {
  switch (s.kind) {
    case "break": return [make("br")];
    case "bold": {
      const e = make("strong");
      e.append(...rich(s.text ?? ""));
      return [e];
    }
    case "person": return [make("b", "person", s.text ?? "")];
    case "card": return [cardChip(s.text ?? "", s.strong)];
    default: return rich(s.text ?? "");
  }
}

// screenNodes returns the elements of a screen.
/** @param {Shown} screen @param {Press} onPress */
export function screenNodes(screen, onPress) {
  const nodes = screen.blocks.map((block) => {
    const e = make(tags[block.look ?? ""] ?? "p", block.look ?? "");
    e.append(...block.spans.flatMap(span));
    return e;
  });
  for (const row of screen.rows ?? []) {
    const e = make("div", "row");
    e.append(...row.map((b) => button(b, onPress)));
    nodes.push(e);
  }
  return nodes;
}

// show opens the dialog with these nodes, or replaces its content. The keyboard's focus stays
// on the control at the same place.
/** @param {string} title @param {Node[]} nodes */
export function show(title, nodes) {
  const dialog = at("screen");
  const places = () => [...dialog.querySelectorAll(".content :is(button, input, select)")];
  const place = dialog.open ? places().indexOf(document.activeElement) : -1;
  const shut = make("button", "shut");
  shut.type = "button";
  shut.setAttribute("aria-label", word("close"));
  shut.append(icon("M6 6 L18 18 M18 6 L6 18"));
  shut.addEventListener("click", () => dialog.close());
  const content = make("div", "content");
  content.append(...nodes);
  const head = content.querySelector("h2") ?? (title ? make("h2", "title", title) : null);
  if (head && !head.parentNode) content.prepend(head);
  if (head) { head.id = "screen-title"; dialog.setAttribute("aria-labelledby", head.id); }
  const alerts = make("div", "alerts"); // what lies beside an open dialog isn't read aloud
  alerts.setAttribute("aria-live", "assertive");
  dialog.replaceChildren(shut, content, alerts);
  if (!dialog.open) dialog.showModal();
  content.scrollTop = 0;
  const target = places()[place];
  (target && !target.disabled ? target : shut).focus({ preventScroll: true });
}

export const closeScreen = () => at("screen").close();

// A click beside the dialog closes it.
export function setUp() {
  at("screen").addEventListener("click", (/** @type {Event} */ event) => { if (event.target === at("screen")) closeScreen(); });
}

// ask shows a question before a press that can't be taken back. Only after the button with this label does it
// call then.
/** @param {string} question @param {string} label @param {() => void} then */
export function ask(question, label, then) {
  const yes = make("button", "danger", label), no = make("button", "", word("cancel"));
  yes.type = no.type = "button";
  yes.addEventListener("click", () => { closeScreen(); then(); });
  no.addEventListener("click", closeScreen);
  const row = make("div", "row");
  row.append(yes, no);
  show("", [make("h2", "title", question), row]);
}

/** @type {HTMLElement | undefined} */
let shown; // the toast
let shownAt = 0; // when it appeared

// clearToast removes the toast. One that has just appeared may be about the state that follows it: with after, it
// stays.
export function clearToast(after = 0) { if (shown && performance.now() - shownAt >= after) shown.remove(); }

// toast shows a short text for as long as it takes to read it, instead of the one before, and returns its element.
// An alert stays until it is pressed, or clearToast is called.
/** @param {string} text @param {boolean} [alert] */
export function toast(text, alert) {
  const dialog = at("screen");
  clearToast();
  const e = make("button", "toast" + (alert ? " alert" : ""));
  e.append(...rich(text));
  e.type = "button";
  e.addEventListener("click", () => e.remove());
  shown = e;
  shownAt = performance.now();
  (dialog.open ? dialog.querySelector(".alerts") : at("toasts")).append(e);
  setTimeout(() => e.remove(), alert ? 20000 : 2500 + 50 * text.length);
  return e;
}

// save offers a file for download.
/** @param {{ Data: string, Name: string }} file */
export function save(file) {
  const bytes = Uint8Array.from(atob(file.Data), (c) => c.charCodeAt(0));
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = file.Name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// trickNodes returns the elements of a finished trick: its cards with their players.
/** @param {Live} live @param {Trick} trick */
export function trickNodes(live, trick) {
  const row = make("ol", "trick");
  trick.plays.forEach((play, i) => {
    const e = make("li", i === trick.winning ? "won" : "");
    const card = make("span", "card" + (play.dark ? " dark" : ""));
    card.append(art(play.card));
    e.append(card, make("span", "name", live.seats[play.seat].name), make("span", "unseen", play.name));
    row.append(e);
  });
  const line = make("p", "small");
  line.append(...rich(trick.line));
  return [row, line];
}
