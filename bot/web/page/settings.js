// The sheet with the settings: those of this browser, and the reader's own language and cards.

import { canFill, canInstall, fill, install } from "./app.js";
import { inDiscord, isOn, wishes } from "./discord.js";
import { tool } from "./felt.js";
import { choices, look, setLook } from "./look.js";
import { make, redraw, word } from "./make.js";
import { closeScreen, show, toast } from "./screen.js";
import { mute, setVolume, soundVolume } from "./sound.js";

const faces = ["german", "french", "plain"];

// faceOf returns the choice that leads to the drawings of this name.
/** @param {string} cards */
const faceOf = (cards) => (cards.startsWith("plain") ? "plain" : /^(french|skat)/.test(cards) ? "french" : "german");

// settings opens the sheet. change(what, value) changes one of the reader's own settings; without it, these aren't
// offered. langs are the languages. wish(name, on) turns on what Discord can do, and returns whether it is on. leaving is the
// button that ends the session.
/** @param {Live} live @param {string[]} langs @param {((what: string, value: string) => void) | null} change @param {(name: string, on: boolean) => Promise<boolean>} wish @param {Node} leaving */
export function settings(live, langs, change, wish, leaving) {
  /** @type {Node[]} */
  const nodes = [sound()];
  if (change) {
    const list = make("select");
    list.append(...langs.map((code) => {
      const e = make("option", "", nameOf(code));
      e.value = e.lang = code;
      e.selected = code === live.lang;
      return e;
    }));
    list.addEventListener("change", () => change("lang", list.value));
    const label = make("label", "setting", word("language"));
    label.append(list);
    nodes.push(label, group("face", word("face"), faces, faceOf(live.cards), (value) => change("face", value)));
  }
  for (const [name, values] of Object.entries(choices)) nodes.push(group(name, word(name), values, look(name), (value) => {
    setLook(name, value);
    if (name === "deck") redraw();
  }));
  if (inDiscord) nodes.push(discord(wish));
  const row = make("div", "row");
  /** @param {boolean} can @param {string} label @param {() => void} then */
  const offer = (can, label, then) => {
    if (!can) return;
    const e = make("button", "", word(label));
    e.type = "button";
    e.addEventListener("click", () => { closeScreen(); then(); });
    row.append(e);
  };
  offer(canFill(), "full", fill);
  offer(canInstall(), "install", install);
  offer(matchMedia("(hover: hover)").matches, "keys", keys);
  if (row.children.length) nodes.push(row);
  show(word("settings"), [...nodes, leaving]);
}

// sound returns how loud the page is, with a button that mutes it.
function sound() {
  const row = make("div", "setting sound"), label = make("label", "", word("sound")), range = make("input"), off = tool("sound", word("silent"), () => shows(mute()));
  /** @param {number} volume */
  const shows = (volume) => {
    range.value = String(volume);
    off.setAttribute("aria-pressed", String(!volume));
  };
  Object.assign(range, { type: "range", min: 0, max: 100, step: 10 });
  range.addEventListener("change", () => {
    setVolume(range.valueAsNumber);
    shows(range.valueAsNumber);
  });
  shows(soundVolume());
  label.append(range);
  row.append(label, off);
  return row;
}

// nameOf returns a language's own name.
/** @param {string} code */
function nameOf(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name[0].toLocaleUpperCase(code) + name.slice(1);
}

// group returns a group of choices.
/** @param {string} name @param {string} title @param {string[]} values @param {string} value @param {(value: string) => void} then */
function group(name, title, values, value, then) {
  const set = make("fieldset", "setting");
  set.append(make("legend", "", title));
  for (const v of values) {
    const label = make("label"), input = make("input");
    Object.assign(input, { type: "radio", name: "set-" + name, value: v, checked: v === value });
    input.addEventListener("change", () => then(v));
    label.append(input, make("span", "", word(`${name}.${v}`)));
    set.append(label);
  }
  return set;
}

// discord returns what the reader may turn on in Discord. It asks for their consent.
/** @param {(name: string, on: boolean) => Promise<boolean>} wish */
function discord(wish) {
  const set = make("fieldset", "setting checks");
  set.append(make("legend", "", word("discord")));
  for (const name of Object.keys(wishes)) {
    const label = make("label"), box = make("input");
    Object.assign(box, { type: "checkbox", name: "discord-" + name, checked: isOn(name) });
    box.addEventListener("change", async () => {
      const wanted = box.checked;
      box.disabled = true;
      box.checked = await wish(name, wanted);
      box.disabled = false;
      if (wanted && !box.checked) toast(word("discord.refused"));
    });
    label.append(box, make("span", "", word("discord." + name)));
    set.append(label);
  }
  return set;
}

// keys shows what the keys do.
export function keys() {
  const list = make("dl", "keys");
  for (const [key, what] of [["1–9", "keys.digits"], ["← →", "keys.arrows"], ["H", "keys.hand"], ["T", "keys.trick"], ["L", "last"], ["S", "keys.score"], ["I", "keys.hint"], ["Esc", "keys.escape"], ["?", "keys.help"]]) {
    list.append(make("dt", "", key), make("dd", "", word(what)));
  }
  show(word("keys"), [list]);
}
