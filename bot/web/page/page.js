// The page of a table: it enters by a door, keeps a line to the bot, and shows what comes
// down the line. felt.js draws the table, fly.js moves the cards, screen.js shows answers.

import { Refused, enter } from "./door.js";
import { clear, draw, drawPanel, plateOf, slots, tool } from "./felt.js";
import { Show, steps } from "./fly.js";
import { drawOpen, isOpen } from "./front.js";
import { Line } from "./line.js";
import { at, keep, kept, make, put, rich, setWords, word } from "./make.js";
import { ask, button, clearToast, closeScreen, save, screenNodes, setUp, show, toast, trickNodes } from "./screen.js";
import { chime, setSound, soundOn } from "./sound.js";

let line, session, live, spoken = "", cards = "";
const sent = new Map(); // presses without an answer, by id
const felt = new Show(paint, settled);
const act = { play, press };

async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + " " + answer.status);
  return answer;
}

async function post(path, data) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
  const got = await answer.json();
  if (!answer.ok) throw new Refused(got.error);
  return got;
}

// speak loads the page's own texts in a language; "": the browser's.
async function speak(lang) {
  if (lang && lang === spoken) return;
  const setup = await (await get("api/setup" + (lang ? "?lang=" + encodeURIComponent(lang) : ""))).json();
  setWords(setup.words);
  spoken = setup.lang;
  document.documentElement.lang = spoken;
  put(at("lost"), word("lost"));
}

// loadCards puts the drawings of the cards into the page.
async function loadCards(name) {
  if (cards === name) return;
  const text = await (await get("cards/" + encodeURIComponent(name))).text();
  at("sprite").replaceChildren(document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
  cards = name;
}

// open shows the table that a door leads to.
async function open() {
  setUp();
  const words = speak(kept("sedma-lang") ?? "");
  try {
    session = await enter(post, () => words.then(() => notice(word("opening"))));
  } catch (e) {
    await words;
    notice(e.message && e instanceof Refused ? e.message : word(e instanceof Refused ? "door" : "trouble"), !(e instanceof Refused));
    return;
  }
  await words;
  line = new Line(() => {
    const u = new URL("api/live?as=" + encodeURIComponent(session.as), location.href);
    u.protocol = u.protocol.replace("http", "ws");
    return u;
  }, heard, (up) => document.body.classList.toggle("lost", !up));
}

// notice shows a text instead of a table.
function notice(text, retry) {
  const nodes = [make("p", "", text)];
  if (retry) {
    const again = make("button", "primary", word("retry"));
    again.addEventListener("click", () => location.reload());
    nodes.push(again);
  }
  clear(nodes);
}

let order = Promise.resolve(); // states are shown one after the other

function heard(m) {
  switch (m.t) {
    case "live":
      order = order.then(() => arrived(m.live)).catch(() => notice(word("trouble"), true));
      break;
    case "answer":
      answered(m);
      break;
    case "gone":
      live = null;
      notice(m.text);
      post("api/close", { as: session.as, over: true }).catch(() => {}); // the cookie may be worth nothing now
  }
}

// leaving returns the button that ends the session: then this browser can't open the table any more.
function leaving() {
  const e = make("button", "leaving", word("sign_out"));
  e.type = "button";
  e.addEventListener("click", async () => {
    e.disabled = true;
    try {
      await post("api/close", { as: session.as });
    } catch (error) {
      e.disabled = false;
      toast(error instanceof Refused ? error.message : word("trouble"));
      return;
    }
    line.end();
    live = null;
    history.replaceState(null, "", location.pathname + location.search);
    closeScreen();
    notice(word("signed_out"));
  });
  return e;
}

async function arrived(next) {
  if (live && live.table === next.table && next.version < live.version) return;
  await Promise.all([speak(next.lang), loadCards(next.cards)]);
  keep("sedma-lang", next.lang);
  const before = live;
  live = next;
  line.table = next.table;
  if (before) clearToast(sameMoment(before, next) ? 400 : 0);
  document.title = next.title + " · Sedma";
  tell(before, next);
  felt.to(next);
  for (const p of sent.values()) p.finish?.();
  document.body.dataset.ready = "";
}

// sameMoment reports whether nothing was played between two states.
function sameMoment(a, b) {
  const moment = ({ table, phase, felt }) => [table, phase, felt?.deal, felt?.ply, felt?.why].join(" ");
  return moment(a) === moment(b);
}

// paint draws one state of the table.
function paint(state) {
  draw(state, act);
  document.body.dataset.phase = state.phase;
  clocks(state);
  drawOpen(state, press, leaving);
  const panel = isOpen(state) ? null : state.panel ?? null;
  if (drawPanel(panel ? [...screenNodes(panel, press), leaving()] : [], panel ? JSON.stringify(panel) : "")) {
    document.body.classList.toggle("paneled", !!panel);
  }
  tools(state);
}

// settled is called when the felt shows the newest state.
let wasMine = false;
function settled(state) {
  const mine = state.me >= 0 && state.felt?.turn === state.me;
  if (mine && !wasMine) chime();
  wasMine = mine;
}

// tools draws the bar, and the part beside the felt on a wide screen.
let barShown = "";
function tools(state) {
  put(at("title"), state.title);
  const now = JSON.stringify([state.actions, state.lang, soundOn(), !!state.felt, state.home]);
  if (now !== barShown || !at("tools").children.length) {
    barShown = now;
    const sound = tool(soundOn() ? "sound" : "quiet", word("sound"), () => { setSound(!soundOn()); tools(state); at("tools").querySelector("[data-tool=sound], [data-tool=quiet]").focus(); });
    sound.setAttribute("aria-pressed", String(soundOn()));
    at("tools").replaceChildren(
      ...(state.felt ? [tool("tricks", word("tricks"), () => show(word("tricks"), [...tricksNodes(live), make("p", "small", live.detail ?? "")]))] : []),
      ...(state.home ? [tool("home", word("home"), () => line.show("front"))] : []),
      sound, ...(state.actions ?? []).map((b) => {
        if (!b.press.startsWith("more:")) return button(b, press);
        const more = tool("more", b.label, () => press(b.press, more));
        return more;
      }));
  }
  const side = JSON.stringify([state.felt?.log, state.title, state.detail]);
  if (at("side").dataset.shown !== side || !at("side").children.length) {
    at("side").dataset.shown = side;
    at("side").replaceChildren(make("h2", "title", state.title), make("p", "small", state.detail ?? ""), ...(state.felt ? tricksNodes(state) : []));
  }
}

// tricksNodes shows the last trick with its cards, and the tricks of the deal in words.
function tricksNodes(state) {
  const { last, log } = state.felt;
  if (!last) return [make("p", "small", word("no_trick"))];
  const nodes = [make("h3", "", word("last")), ...trickNodes(state, last)];
  if (log.length > 1) {
    const list = make("ol", "log");
    list.append(...log.slice(0, -1).map((text) => { const e = make("li"); e.append(...rich(text)); return e; }));
    nodes.push(make("h3", "", word("log")), list);
  }
  return nodes;
}

// clocks shows how much time is left for the move, as a bar that shrinks.
let clock = "";
function clocks(state) {
  const f = state.felt;
  const now = f && f.turn >= 0 && f.clock ? `${f.turn} ${f.clock}` : "";
  if (now === clock) return;
  clock = now;
  for (const e of document.querySelectorAll(".clock")) {
    e.getAnimations().forEach((a) => a.cancel());
    e.classList.remove("runs");
  }
  if (!now || !f.limit) return;
  const left = Math.max(0, f.clock - line.now());
  const from = Math.min(1, left / f.limit);
  for (const e of [plateOf(f.turn).querySelector(".clock"), ...(f.turn === state.me ? [at("time")] : [])]) {
    e.classList.add("runs");
    e.animate([{ transform: `scaleX(${from})` }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards" });
  }
}

// tell lets a screen reader say what happened between two states.
function tell(before, next) {
  if (!before) return;
  const lines = steps(before, next).flatMap((s) => {
    if (s.kind === "play") {
      const play = s.to.felt.trick.findLast((p) => p.seat === s.seat && p.card === s.card);
      return [word("played", { player: next.seats[s.seat].name, card: play?.name ?? "" })];
    }
    return s.kind === "take" ? [next.felt.last.line] : [];
  });
  if (next.line && next.line !== before.line && (next.felt?.turn === next.me || !lines.length)) lines.push(next.line);
  const news = at("news");
  news.append(...lines.map((text) => make("p", "", text)));
  while (news.children.length > 12) news.firstChild.remove();
}

// play plays the card at a place of the hand. Cards that are still flying land at once. A
// card that can't be played shakes, and a toast says why.
function play(place, slot) {
  if (felt.busy) felt.skip();
  const card = live?.felt?.hand[place];
  if (!card?.card || [...sent.values()].some((p) => p.slot)) return;
  if (!card.press || card.off) {
    slot.animate?.([{ transform: "none" }, { transform: "translateX(-3px)" }, { transform: "translateX(3px)" }, { transform: "none" }], { duration: 160 });
    if (live.felt.why) toast(live.felt.why);
    return;
  }
  press(card.press, slot, slot);
}

// press sends a press. If it can't be taken back, the page asks first. Before a player leaves a match, the bot itself
// asks.
function press(data, e, slot) {
  const action = data.split(":")[0];
  const question = action === "leave" && live.phase !== "lobby" ? "" : word("ask." + action);
  if (action === "show") line.show(data.split(":")[1]);
  else if (question) ask(question, e.textContent, () => send(sureOf(data), e));
  else send(data, e, slot);
}

// sureOf returns the press with which a person has already agreed, so that the bot doesn't ask too.
function sureOf(data) {
  const [word, table] = data.split(":");
  return `sure:${table}:${word}`;
}

// send sends a press. Until the answer is here, and what it changes, the touched element is marked as sent, and the
// same press isn't sent again.
function send(data, e, slot) {
  if (!live || [...sent.values()].some((p) => p.data === data)) return;
  const move = !!slot || at("moves").contains(e);
  const id = line.press(data, live.table);
  e.classList.add("sent");
  e.setAttribute("aria-busy", "true");
  sent.set(id, { e, slot, move, data, version: live.version });
}

function answered(m) {
  const p = sent.get(m.id);
  const finish = () => {
    if (p && !sent.delete(m.id)) return;
    p?.e.classList.remove("sent");
    p?.e.removeAttribute("aria-busy");
    // The table shows a move. A toast is needed only if the move did nothing. If the line sent it twice, the bot
    // may have refused the second one because the first one arrived after all.
    if (m.toast && !(p?.move && (m.repeated || live?.version > p.version))) toast(m.toast, m.alert);
  };
  if (live && live.version <= p?.version && (p.move || !m.toast && !m.screen)) { // the new state follows
    p.finish = finish;
    setTimeout(finish, p.move ? 400 : 2000);
  } else finish();
  if (m.screen) show("", [...screenNodes(m.screen, press), ...(p?.e.dataset.tool === "more" ? [leaving()] : [])]);
  else if (p && at("screen").contains(p.e) && !m.toast) closeScreen();
  if (m.file) save(m.file);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || at("screen").open || !/^[1-9]$/.test(event.key)) return;
  const place = Number(event.key) - 1, hand = slots();
  if (place < hand.length) play(place, hand[place]);
  else at("moves").children[place - hand.length]?.click();
});

open();
