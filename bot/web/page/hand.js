// The reader's hand: a fan of cards that one touches or drags onto the table. A card that is chosen
// before the turn is played when the turn comes.

import { feel } from "./app.js";
import { isChosen, isRaised, raise } from "./chosen.js";
import { look } from "./look.js";
import { art, at, make, put, word } from "./make.js";

const dragFrom = 9; // px that a finger moves before it drags
const dropAbove = 56; // px that a card is dragged up before it is played

/** @type {() => HTMLButtonElement[]} */
export const slots = () => [...at("hand").children];

// drawHand draws the reader's cards. act.play gets the place of a card that is to be played.
/** @param {Live} live @param {Act} [act] */
export function drawHand(live, act) {
  const hand = at("hand"), cards = live.felt?.hand ?? [], n = cards.length;
  hand.setAttribute("role", "group");
  hand.setAttribute("aria-label", word("hand"));
  at("mine").setAttribute("aria-label", word("hand"));
  if (hand.dataset.n !== String(n)) {
    hand.dataset.n = n;
    hand.style.setProperty("--n", String(Math.max(4, n)));
  }
  while (hand.children.length > n) hand.lastChild.remove();
  cards.forEach((c, i) => {
    const slot = hand.children[i] ?? hand.appendChild(newSlot(i, /** @type {Act} */ (act)));
    const same = `${live.cards} ${c.card}`, from = i - (n - 1) / 2;
    if (slot.dataset.k !== String(from)) {
      slot.dataset.k = String(from);
      slot.style.setProperty("--k", String(from));
      slot.style.setProperty("--d", String(n > 1 ? (2 * from / (n - 1)) ** 2 : 0));
    }
    if (slot.dataset.same !== same) {
      slot.dataset.same = same;
      slot.classList.remove("sent", "glows");
      settle(slot);
      slot.replaceChildren();
      if (c.card) {
        const card = make("span", "card"), key = make("kbd", "", String(i + 1));
        card.append(art(c.card));
        key.setAttribute("aria-hidden", "true");
        slot.append(card, key);
      }
    }
    slot.dataset.card = c.card;
    slot.disabled = !c.card;
    slot.setAttribute("aria-keyshortcuts", i + 1);
    slot.setAttribute("aria-label", c.card ? label(c) : word("no_card"));
    slot.classList.toggle("takes", !!c.takes);
    slot.classList.toggle("best", c.mark === "best");
    slot.classList.toggle("wrong", c.mark === "wrong");
    slot.setAttribute("aria-disabled", String(!!c.off || !c.press));
    const marked = isChosen(live, i);
    slot.classList.toggle("chosen", marked);
    slot.classList.toggle("raised", isRaised(live, i));
    if (marked) slot.setAttribute("aria-pressed", "true"); else slot.removeAttribute("aria-pressed");
  });
  const next = cards.find((c) => isChosen(live, cards.indexOf(c)));
  put(at("next"), next ? word("chosen", { card: next.name }) : "");
}

/** A card of the hand in words. @param {Card} c */
export const label = (c) => [c.name, c.takes ? word("takes") : "", c.mark ? word("mark." + c.mark) : ""].filter(Boolean).join(", ");

/** @param {number} i @param {Act} act */
function newSlot(i, act) {
  const slot = make("button", "slot");
  slot.type = "button";
  slot.addEventListener("click", (event) => {
    if (slot.dataset.dragged) { delete slot.dataset.dragged; return; }
    act.play(i, slot, event.detail === 0 ? "key" : "tap");
  });
  slot.addEventListener("pointerdown", (event) => drag(event, slot, i, act));
  return slot;
}

// settle lets a card that was dragged spring back to its place.
/** @param {HTMLElement} slot */
export function settle(slot) { slot.style.translate = ""; }

// drag follows a finger with the card, and plays the card if it is let go above the hand.
/** @param {PointerEvent} start @param {HTMLButtonElement} slot @param {number} i @param {Act} act */
function drag(start, slot, i, act) {
  if (!start.isPrimary || start.button !== 0 || slot.disabled || slot.classList.contains("sent")) return;
  delete slot.dataset.dragged;
  let dragging = false, up = 0;
  /** @param {any} event */
  const move = (event) => {
    const dx = event.clientX - start.clientX, dy = event.clientY - start.clientY;
    if (!dragging) {
      if (Math.hypot(dx, dy) < dragFrom) return;
      dragging = true;
      slot.setPointerCapture(start.pointerId);
      slot.classList.add("dragging");
      slot.dataset.dragged = "1";
      feel("touch");
    }
    up = -dy;
    slot.style.translate = `${dx}px ${dy}px`;
    document.body.classList.toggle("over", up > dropAbove);
  };
  /** @param {any} event */
  const end = (event) => {
    for (const [type, then] of listeners) slot.removeEventListener(type, then);
    if (!dragging) return;
    slot.classList.remove("dragging");
    document.body.classList.remove("over");
    setTimeout(() => delete slot.dataset.dragged, 0); // after the click that follows, if there is one
    const dropped = event.type === "pointerup" && up > dropAbove;
    if (!dropped || !act.play(i, slot, "drop")) settle(slot);
  };
  /** @type {[string, (event: any) => void][]} */
  const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
  for (const [type, then] of listeners) slot.addEventListener(type, then);
}

// sure reports whether a touch plays the card: with two taps, the first one only raises it.
/** @param {Live} live @param {number} place @param {string} [how] */
export function sure(live, place, how) {
  if (look("taps") === "one" || how === "drop" || isRaised(live, place)) return true;
  raise(live, place);
  drawHand(live);
  return false;
}
