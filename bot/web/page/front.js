// The panel below the felt: the front door, where people choose a game, the lobby, and what is said about a puzzle. At the
// front door and in the lobby, the seats on the felt can be touched.

import { plateOf } from "./felt.js";
import { art, at, differs, make, put, word } from "./make.js";
import { screenNodes } from "./screen.js";

// isOpen reports whether the panel of a state belongs below the felt.
/** @param {Live} state */
export const isOpen = (state) => ["front", "lobby", "puzzle"].includes(state.phase);

// drawOpen shows what is below the felt. invite opens the sheet with the link to the table.
/** @param {Live} state @param {Press} press @param {() => void} invite */
export function drawOpen(state, press, invite) {
  const below = at("below"), panel = isOpen(state) ? state.panel : null;
  seats(state, press);
  emblem(state);
  put(at("watching"), state.watching ? word("watching", { n: state.watching }) : "");
  if (!differs(below, panel && [panel, state.lang, state.invites, state.hosts])) return;
  const focused = below.contains(document.activeElement) ? [...below.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  below.replaceChildren(...(panel ? [...screenNodes(panel, press), ...lobby(state, invite)] : []));
  if (focused >= 0) below.querySelectorAll("button")[focused]?.focus();
}

// lobby returns what the page adds to a lobby: what the host may do, and how players invite others.
/** @param {Live} state @param {() => void} invite */
function lobby(state, invite) {
  const nodes = state.hosts ? [make("p", "small hosts", word("host"))] : [];
  if (state.invites) {
    const row = make("div", "row"), e = make("button", "inviting", word("invite"));
    e.type = "button";
    e.addEventListener("click", invite);
    row.append(e);
    nodes.push(row);
  }
  return nodes;
}

// emblem shows the cards that lie on the felt while no deal does.
/** @param {Live} state */
function emblem(state) {
  const had = at("felt").querySelector(".emblem"), now = String(state.emblem ?? "");
  if (had?.dataset.cards === now) return;
  had?.remove();
  if (!now) return;
  const fan = make("div", "emblem");
  fan.dataset.cards = now;
  for (const name of state.emblem ?? []) {
    const card = make("span", "card");
    card.append(art(name));
    fan.append(card);
  }
  at("felt").append(fan);
}

// seats lets the reader touch the seats that they may take.
/** @param {Live} state @param {Press} press */
function seats(state, press) {
  state.seats.forEach((seat, i) => {
    const plate = plateOf(i), had = plate.querySelector(".sit");
    if (had?.dataset.press === seat.press) return;
    had?.remove();
    if (!seat.press) return;
    const sit = make("button", "sit");
    sit.type = "button";
    sit.dataset.press = seat.press;
    sit.setAttribute("aria-label", word("seat"));
    sit.addEventListener("click", () => press(seat.press ?? "", sit));
    plate.append(sit);
  });
}
