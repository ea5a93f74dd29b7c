// Phrases and emotes that people say to each other, in a bubble at the seat of the one who says it. The
// reader may mute people; only this browser knows whom.

import { plateOf } from "./felt.js";
import { at, keep, kept, make, word } from "./make.js";
import { closeScreen, show } from "./screen.js";

const shownFor = 5000; // ms
const phrases = ["hello", "luck", "well", "thanks", "oops", "again"];
const emotes = { thumb: "👍", smile: "😄", wow: "😮", cry: "😢", think: "🤔", party: "🎉" };
const most = 200; // people who are muted

// others returns the other people at the table, with their seats.
const others = (state) => state.seats.map((s, seat) => ({ ...s, seat })).filter((s) => s.who && s.seat !== state.me);

// canSay reports whether there is somebody to talk to, or to mute.
export const canSay = (state) => state.phase !== "closed" && others(state).length > 0;

function muted() {
  try { return new Set(JSON.parse(kept("sedma-muted") ?? "[]")); } catch { return new Set(); }
}

function mute(who, on) {
  const all = muted();
  all.delete(who);
  if (on) all.add(who);
  keep("sedma-muted", JSON.stringify([...all].slice(-most)));
}

// saySheet opens the sheet with what the reader can say, and whom they can mute. say sends a phrase.
export function saySheet(state, say) {
  const nodes = [];
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
    signs.append(...Object.entries(emotes).map(([id, sign]) => choice(id, sign)));
    nodes.push(words, signs);
  } else nodes.push(make("p", "small", word("say.players")));
  const set = make("fieldset", "setting mutes"), all = muted();
  set.append(make("legend", "", word("mute")));
  for (const s of others(state)) {
    const label = make("label"), box = make("input");
    box.type = "checkbox";
    box.checked = all.has(s.who);
    box.addEventListener("change", () => mute(s.who, box.checked));
    label.append(box, make("span", "", s.name));
    set.append(label);
  }
  show(word("say"), [...nodes, set]);
}

// said shows what the person on a seat says, and returns it as a sentence for a screen reader. It returns "" if the
// reader has muted them.
export function said(state, seat, what) {
  const s = state?.seats[seat], text = emotes[what] ?? (phrases.includes(what) ? word("say." + what) : "");
  if (!s?.name || !text || muted().has(s.who)) return "";
  const felt = at("felt"), plate = plateOf(seat);
  felt.querySelector(`.speech[data-seat="${seat}"]`)?.remove();
  const bubble = make("p", emotes[what] ? "speech emote" : "speech", text);
  bubble.dataset.seat = seat;
  bubble.setAttribute("aria-hidden", "true"); // the live region has it
  felt.append(bubble);
  place(bubble, plate, felt);
  const again = () => place(bubble, plate, felt);
  addEventListener("resize", again);
  setTimeout(() => { bubble.remove(); removeEventListener("resize", again); }, shownFor);
  return word("say.said", { player: s.name, text });
}

// place puts a bubble below a plate, or above it if there is no room, inside the felt.
function place(bubble, plate, felt) {
  const box = felt.getBoundingClientRect(), to = plate.getBoundingClientRect(), half = bubble.offsetWidth / 2, high = bubble.offsetHeight;
  const above = to.bottom + high + 12 > box.bottom, x = to.left + to.width / 2 - box.left;
  const left = Math.min(Math.max(x, half + 6), box.width - half - 6);
  bubble.classList.toggle("above", above);
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above ? to.top - box.top - high - 10 : to.bottom - box.top + 10}px`;
  bubble.style.setProperty("--point", `${Math.max(14 - half, Math.min(half - 14, x - left))}px`);
}
