// Phrases and emotes that people say to each other, in a bubble at the seat of the one who says it. The
// reader may mute people; only this browser knows whom.

import { plateOf } from "./felt.js";
import { at, keep, kept, line, make, word } from "./make.js";
import { closeScreen, show } from "./screen.js";

const shownFor = 5000; // ms
const phrases = ["hello", "luck", "well", "thanks", "oops", "again"];
// An emote is drawn, because not every device has a font with it. The sign is for people who can't see the drawing.
const face = "M12 2.5 a9.5 9.5 0 1 0 .01 0 z", eyes = "M8.6 9 v1.2 M15.4 9 v1.2";
/** @type {Record<string, Emote>} */
const emotes = {
  thumb: { sign: "👍", gold: "M4 11 h4 v9 h-4 z M8 11 l3.2 -7.5 q2.8 0 2.4 3 l-.6 3.5 h5 q2.4 .2 1.9 2.6 l-1.4 5.4 q-.5 2 -2.4 2 h-8.1 z" },
  smile: { sign: "😄", gold: face, ink: `${eyes} M7.5 13.5 q4.5 6 9 0` },
  wow: { sign: "😮", gold: face, ink: `${eyes} M12 13.6 a1.9 2.3 0 1 0 .01 0 z` },
  cry: { sign: "😢", gold: face, ink: `${eyes} M8.5 17 q3.5 -3.4 7 0`, blue: "M17 12 q-3 4.2 0 4.6 q3 -.4 0 -4.6 z" },
  think: { sign: "🤔", gold: face, ink: `${eyes} M7 7 l3 -.8 M13.8 5.6 l3.4 .6 M9.4 16 h4.4 l1.8 -1.2` },
  party: { sign: "🎉", gold: "M3 21 l5 -11 l6 6 z", ink: "M13 8 q.4 -3.6 3.4 -3.4 M16 12 q3 -1.6 4.4 .6", blue: "M10.5 4.2 a1 1 0 1 0 .01 0 z M19 7.6 a1 1 0 1 0 .01 0 z M18.4 16 a1 1 0 1 0 .01 0 z" },
};
const most = 200; // people who are muted

// others returns the other people at the table, with their seats.
/** @param {Live} state */
const others = (state) => state.seats.map((s, seat) => ({ ...s, seat })).filter((s) => s.who && s.seat !== state.me);

// canSay reports whether there is somebody to talk to, or to mute.
/** @param {Live} state */
export const canSay = (state) => state.phase !== "closed" && others(state).length > 0;

function muted() {
  try { return new Set(JSON.parse(kept("sedma-muted") ?? "[]")); } catch { return new Set(); }
}

/** @param {string} who @param {boolean} on */
function mute(who, on) {
  const all = muted();
  all.delete(who);
  if (on) all.add(who);
  keep("sedma-muted", JSON.stringify([...all].slice(-most)));
}

// saySheet opens the sheet with what the reader can say, and whom they can mute. say sends a phrase.
/** @param {Live} state @param {(what: string) => void} say */
export function saySheet(state, say) {
  const nodes = [];
  /** @param {string} id @param {string} text */
  const choice = (id, text) => {
    const e = make("button", "", text);
    e.type = "button";
    e.dataset.say = id;
    e.addEventListener("click", () => { closeScreen(); say(id); });
    return e;
  };
  if (state.me >= 0) {
    const words = make("div", "row phrases"), signs = make("div", "row emotes");
    words.append(...phrases.map((id) => choice(id, word("say." + id))));
    signs.append(...Object.entries(emotes).map(([id, emote]) => {
      const e = choice(id, "");
      e.setAttribute("aria-label", emote.sign);
      e.append(drawn(emote));
      return e;
    }));
    nodes.push(words, signs);
  } else nodes.push(make("p", "small", word("say.players")));
  const set = make("fieldset", "setting mutes"), all = muted();
  set.append(make("legend", "", word("mute")));
  for (const s of others(state)) {
    const label = make("label"), box = make("input");
    box.type = "checkbox";
    box.checked = all.has(s.who);
    box.addEventListener("change", () => mute(s.who ?? "", box.checked));
    label.append(box, make("span", "", s.name));
    set.append(label);
  }
  show(word("say"), [...nodes, set]);
}

// drawn returns the drawing of an emote.
/** @param {Emote} emote */
function drawn(emote) {
  const parts = /** @type {const} */ (["gold", "ink", "blue"]).filter((part) => emote[part]).map((part) => line("path", { class: part, d: emote[part] }));
  return line("svg", { viewBox: "0 0 24 24", class: "drawn", "aria-hidden": true }, ...parts);
}

// said shows what the person on a seat says, and returns it as a sentence for a screen reader. It returns "" if the
// reader has muted them.
/** @param {Live | null} state @param {number} seat @param {string} what */
export function said(state, seat, what) {
  const s = state?.seats[seat], emote = emotes[what], text = emote?.sign ?? (phrases.includes(what) ? word("say." + what) : "");
  if (!s?.name || !text || muted().has(s.who)) return "";
  const felt = at("felt"), plate = plateOf(seat), sentence = word("say.said", { player: s.name, text });
  if (!plate) return sentence; // the felt is still busy with an earlier state
  felt.querySelector(`.speech[data-seat="${seat}"]`)?.remove();
  const bubble = make("p", emote ? "speech emote" : "speech", emote ? "" : text);
  if (emote) bubble.append(drawn(emote));
  bubble.dataset.seat = String(seat);
  bubble.setAttribute("aria-hidden", "true"); // the live region has it
  felt.append(bubble);
  const placed = new ResizeObserver(() => place(bubble, plate, felt)); // after the felt's own has moved the plates
  placed.observe(felt);
  setTimeout(() => { bubble.remove(); placed.disconnect(); }, shownFor);
  return sentence;
}

// place puts a bubble below a plate, or above it if there is no room, inside the felt.
/** @param {HTMLElement} bubble @param {HTMLElement} plate @param {HTMLElement} felt */
function place(bubble, plate, felt) {
  const box = felt.getBoundingClientRect(), to = plate.getBoundingClientRect(), half = bubble.offsetWidth / 2, high = bubble.offsetHeight;
  const above = to.bottom + high + 12 > box.bottom, x = to.left + to.width / 2 - box.left;
  const left = Math.min(Math.max(x, half + 6), box.width - half - 6);
  bubble.classList.toggle("above", above);
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above ? to.top - box.top - high - 10 : to.bottom - box.top + 10}px`;
  bubble.style.setProperty("--point", `${Math.max(14 - half, Math.min(half - 14, x - left))}px`);
}
