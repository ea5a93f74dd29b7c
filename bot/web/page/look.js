// How the page looks, sounds and feels in this browser. Each setting is kept here alone, and the bot
// doesn't know it.

import { keep, kept } from "./make.js";

// choices has the values of each setting. The first one is the default.
/** @type {Record<string, string[]>} */
export const choices = {
  theme: ["auto", "light", "dark"],
  deck: ["two", "four"],
  speed: ["normal", "slow", "fast", "off"],
  side: ["right", "left"],
  taps: ["one", "two"],
};

const now = Object.fromEntries(Object.entries(choices).map(([name, values]) => {
  const value = kept("sedma-" + name) ?? "";
  return [name, values.includes(value) ? value : values[0]];
}));

// own is the theme of the app that shows the page, or "".
let own = document.documentElement.dataset.look ?? "";

/** @param {string} name */
export const look = (name) => now[name];

// setLook changes a setting.
/** @param {string} name @param {string} value */
export function setLook(name, value) {
  now[name] = value;
  keep("sedma-" + name, value);
  wear();
}

// ownTheme sets the theme of the app that shows the page. The reader's choice goes before it.
/** @param {string} theme */
export function ownTheme(theme) {
  own = theme;
  wear();
}

// pace is what lengths of animations are multiplied by. 0: nothing moves.
export const pace = () => /** @type {Record<string, number>} */ ({ normal: 1, slow: 1.7, fast: 0.55, off: 0 })[now.speed];

const still = matchMedia("(prefers-reduced-motion: reduce)");
still.addEventListener("change", wear);

// moves reports whether things move. Without that, a taken trick stays for a moment, and the rest is shown by place and
// colour.
export const moves = () => !still.matches && pace() > 0;

function wear() {
  const { dataset } = document.documentElement;
  const theme = now.theme === "auto" ? own : now.theme;
  if (theme) dataset.look = theme; else delete dataset.look;
  dataset.deck = now.deck;
  dataset.side = now.side;
  dataset.moves = String(moves());
}
wear();
