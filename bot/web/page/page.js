// The page of a table: it enters by a door, keeps a line to the bot, and shows what comes
// down the line. felt.js draws the table, fly.js moves the cards, screen.js shows answers.

import { report } from "./fault.js";
import { Refused, enter, follow } from "./door.js";
import { backButton, feel, guard } from "./app.js";
import { drawVoices, inDiscord, joins, known, onVoice, present, resume, turn } from "./discord.js";
import { canChoose, choose, due, isMine, turnOf } from "./chosen.js";
import { clear, draw, drawPanel, fit, keyOf, ownFirst, plateOf, redress, tool } from "./felt.js";
import { Show } from "./fly.js";
import { closeReplay, isReplay, leaveReplay, openReplay } from "./after.js";
import { drawOpen, isOpen } from "./front.js";
import { drawHand, label, settle, slots, sure } from "./hand.js";
import { clearHint, showHint } from "./hint.js";
import { asks, inviteSheet, shareResult } from "./invite.js";
import { Line } from "./line.js";
import { aloud, at, differs, empty, keep, kept, make, put, rich, setDrawings, setWords, word } from "./make.js";
import { canSay, said, saySheet } from "./say.js";
import { ask, button, clearToast, closeScreen, save, screenNodes, setUp, show, toast, trickNodes } from "./screen.js";
import { keys, settings } from "./settings.js";
import { chime } from "./sound.js";
import { sentences } from "./steps.js";

const none = /** @type {any} */ (null); // before a session has begun, and after its end

// page is what the page knows now.
const page = {
  line: /** @type {Line} */ (none), session: /** @type {Session} */ (none),
  live: /** @type {Live} */ (none), // the state that is shown, or is about to be
  spoken: "", langs: /** @type {string[]} */ ([]), cards: "", // the language, the languages to choose from, and the drawings of the cards
  front: /** @type {Live | null} */ (null), // the front door, while a new line is asked for the puzzle that the old one had shown in its place
  aside: /** @type {{ table: Live, replay: (() => void) | null } | null} */ (null), // while live is a position in place of the table: { table, replay }, the table's newest state, and what shows the replay again
  order: Promise.resolve(), // states are shown one after the other
  sent: /** @type {Map<number, Sent>} */ (new Map()), // presses without an answer, by id
  asked: /** @type {Set<number>} */ (new Set()), // ids of what askFor asked
  pressed: "", // the press of the card that the reader played last, by a touch or a key
  unsaid: /** @type {HTMLElement[]} */ ([]), // what a screen reader says once the dialog is closed
  decided: "", // the latest decision of the reader's that was shown; the states between two may have been merged
  clock: "", // whose time runs, and until when
  ticking: /** @type {Animation[]} */ ([]), // the bars that show it: getAnimations would work out all styles
};
const felt = new Show(paint, settled);
const act = { play, press };

/** @param {string} path */
async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + " " + answer.status);
  return answer;
}

/** @param {string} path @param {object} data */
async function post(path, data) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
  const got = await answer.json();
  if (!answer.ok) throw new Refused(got.error);
  return got;
}

// speak loads the page's own texts in a language; "": the browser's.
/** @param {string} lang */
async function speak(lang) {
  if (lang && lang === page.spoken) return;
  const setup = await (await get("api/setup" + (lang ? "?lang=" + encodeURIComponent(lang) : ""))).json();
  setWords(setup.words);
  page.spoken = setup.lang;
  page.langs = setup.langs;
  document.documentElement.lang = page.spoken;
  put(at("lost"), word("lost"));
}

// drawings are the drawings of the cards that the reader will probably see, which are loaded at once: those that this
// browser showed last, or else those of its language.
const expected = kept("sedma-cards") ?? at("sprite").dataset.cards;
const drawings = drawingsOf(expected).catch(() => null);

/** @param {string} name */
async function drawingsOf(name) { return (await get("cards/" + encodeURIComponent(name))).text(); }

// loadCards draws the cards from the drawings of this name from now on.
/** @param {string} name */
async function loadCards(name) {
  if (page.cards === name) return;
  setDrawings(name === expected && await drawings || await drawingsOf(name));
  keep("sedma-cards", name);
  page.cards = name;
}

// open shows the table that a door leads to.
async function open() {
  at("felt").replaceChildren(); // what the page says without its scripts
  setUp();
  const words = speak(kept("sedma-lang") ?? "");
  try {
    page.session = await enter(post, () => words.then(() => notice(word("opening"))));
  } catch (/** @type {any} */ e) {
    await words;
    notice(e.message && e instanceof Refused ? e.message : word(e instanceof Refused ? "door" : "trouble"), !(e instanceof Refused));
    return;
  }
  await words;
  page.line = new Line(() => {
    const u = new URL("api/live?as=" + encodeURIComponent(page.session.as), location.href);
    u.protocol = u.protocol.replace("http", "ws");
    return u;
  }, heard, (up) => document.body.classList.toggle("lost", !up));
  stay(history.state ?? { table: "" });
  drawings.then((text) => { if (text) loadCards(expected); }); // while the line opens
  onVoice(() => drawVoices(page.live), (user) => page.line.send({ t: "who", at: page.live?.table, user }));
}

// ended shows a text instead of a table, for good: the session is over, or has failed.
/** @param {string} text @param {boolean} [retry] */
function ended(text, retry) {
  page.line?.end();
  page.live = page.aside = none;
  felt.end();
  closeReplay();
  closeScreen();
  clearToast();
  clearHint();
  clocks(null);
  guard(false);
  document.title = "Sedma";
  for (const name of ["turn", "phase"]) delete document.body.dataset[name];
  document.body.classList.remove("lost", "paneled");
  empty("below", "remark");
  put(at("next"), "");
  put(at("watching"), "");
  notice(text, retry);
}

// notice shows a text instead of a table.
/** @param {string} text @param {boolean} [retry] */
function notice(text, retry) {
  const nodes = [/** @type {HTMLElement} */ (make("p", "", text))];
  if (retry) {
    const again = make("button", "primary", word("retry"));
    again.addEventListener("click", () => location.reload());
    nodes.push(again);
  }
  clear(nodes);
}

/** @param {any} m */
function heard(m) {
  switch (m.t) {
    case "live":
      page.session.fresh = false;
      page.front = page.line.returning && m.live.phase === "front" ? m.live : null;
      if (!page.front) arrives(m.live);
      break;
    case "answer":
      if (m.returned && page.front) arrives(page.front); // the puzzle is no more
      if (m.returned) page.order = page.order.then(() => answered(m)).catch(report); // after the table in whose place it is shown
      else answered(m);
      break;
    case "said":
      page.order = page.order.then(() => say(said(page.live, m.seat ?? 0, m.what))).catch(report); // after the state that has the seat
      break;
    case "who":
      known(m.user, m.who);
      break;
    case "gone":
      ended(page.session.fresh ? word("stuck") : m.text); // a session that is over at once has no cookie
      post("api/close", { as: page.session.as, over: true }).catch(() => {}); // the cookie may be worth nothing now
  }
}

/** @param {Live} state */
function arrives(state) {
  page.order = page.order.then(() => arrived(state)).catch((error) => {
    report(error);
    ended(word("trouble"), true);
  });
}

// stay lets the next line, also after a reload, come back to what is shown.
/** @param {{ table: string, again?: string }} shown */
function stay({ table, again = "" }) {
  Object.assign(page.line, { table, again });
  if (again !== (history.state?.again ?? "")) history.replaceState(again ? { table, again } : null, ""); // Safari allows it a hundred times in 30 s
}

// leaving returns the button that ends the session: then this browser can't open the table any more.
function leaving() {
  const e = make("button", "leaving", word("sign_out"));
  e.type = "button";
  e.addEventListener("click", async () => {
    e.disabled = true;
    try {
      await post("api/close", { as: page.session.as });
    } catch (error) {
      e.disabled = false;
      toast(error instanceof Refused ? error.message : word("trouble"));
      return;
    }
    history.replaceState(null, "", location.pathname + location.search);
    ended(word("signed_out"));
  });
  return e;
}

/** @param {Live} next */
async function arrived(next) {
  const old = page.spoken;
  await Promise.all([speak(next.lang), loadCards(next.cards)]);
  if (page.line.over) return;
  follow(page.session, next.table);
  if (page.spoken !== old) {
    redress();
    if (page.live && at("screen").querySelector("[name=set-theme]") && at("screen").open) openSettings(next);
  }
  keep("sedma-lang", next.lang);
  for (const s of next.seats) if (s.photo) s.photo += "?as=" + encodeURIComponent(page.session.as);
  if (page.aside) {
    if (sameMoment(page.aside.table, next)) {
      page.aside.table = next;
      return;
    }
    page.live = page.aside.table; // something has happened there
    page.aside = null;
  }
  const before = page.live;
  page.live = next;
  stay(next);
  if (next.phase === "puzzle" && before && !sameMoment(before, next)) closeScreen();
  if (before?.phase === "front" && next.phase === "front" && next.open && next.open !== before.open && !at("screen").open) page.line.show(next.open); // a table has opened in the reader's chat
  if (before) clearToast(sameMoment(before, next) ? 400 : 0);
  const mine = isMine(next);
  document.title = `${mine ? word("your_turn") : next.title} · Sedma`;
  guard(next.me >= 0 && ["playing", "pause"].includes(next.phase));
  if (!before || !sameMoment(before, next)) clearHint();
  tell(before, next);
  // A finished match stays on the felt until something happens at the table.
  if (isReplay() && before && (before.table !== next.table || before.phase !== next.phase)) closeReplay();
  if (isReplay()) felt.target = next; else felt.to(next);
  for (const p of page.sent.values()) p.finish?.();
  document.body.dataset.ready = "";
  if (inDiscord && !before) resume({ post, line: page.line, live: page.live });
  joins(next, (table) => { if (page.live?.me < 0) page.line.show(table); });
  present(page.live).catch(() => {});
}

// tryOut shows a position in place of the table, until the reader goes back.
/** @param {Live} position */
function tryOut(position) {
  closeScreen();
  page.aside = { table: page.aside?.table ?? page.live, replay: leaveReplay() ?? page.aside?.replay ?? null };
  const before = page.live;
  page.live = { ...position, table: page.aside.table.table, cards: page.aside.table.cards, home: false };
  stay(page.live);
  tell(before, page.live);
  felt.to(page.live);
}

// back shows the table again, or the replay that led to the position.
function back() {
  if (!page.aside) return;
  const { table, replay } = page.aside;
  page.aside = null;
  page.live = table;
  stay(table);
  felt.to(page.live);
  felt.skip();
  replay?.();
}

// sameMoment reports whether nothing was played between two states.
/** @param {Live} a @param {Live} b */
function sameMoment(a, b) {
  const moment = (/** @type {Live} */ { table, phase, felt: f }) => [table, phase, f?.deal, f?.ply, f?.why].join(" ");
  return moment(a) === moment(b);
}

// paint draws one state of the table, unless the session has ended meanwhile, or a match is shown in its place.
/** @param {Live} state */
function paint(state) {
  if (!page.live || isReplay()) return;
  draw(state, act);
  drawVoices(state);
  document.body.dataset.phase = state.phase;
  clocks(state);
  drawOpen(state, press, () => askFor({ t: "invite" }));
  remark(state.remark ?? []);
  const panel = isOpen(state) ? null : state.panel ?? null;
  if (drawPanel(panel && [panel, !!state.shares], () => result(/** @type {Shown} */ (panel), state))) document.body.classList.toggle("paneled", !!panel);
  tools(state);
  fit(state);
}

// remark shows what a lesson says.
/** @param {Block[]} blocks */
function remark(blocks) {
  if (differs(at("remark"), blocks)) at("remark").replaceChildren(...screenNodes({ blocks }, press));
}

// result returns the elements of a panel over the felt: its trick stands below the title and what explains it. The button that shows a result to
// others is beside that of its replay.
/** @param {Shown} panel @param {Live} state */
function result(panel, state) {
  const nodes = screenNodes(panel, press);
  if (panel.trick) nodes.splice(nodes.findIndex((n) => n.className !== "title" && n.className !== ""), 0, ...trickNodes(state, panel.trick));
  if (!state.shares) return nodes;
  const e = make("button", "sharing", word("sharing")), row = nodes.find((n) => n.querySelector("[data-press^='replay:']")) ?? nodes[nodes.length - 1];
  e.type = "button";
  e.addEventListener("click", () => askFor(asks()));
  row.insertBefore(e, row.querySelector("[data-press^='more:']"));
  return nodes;
}

const answerWithin = 10000; // ms

// askFor asks the server for what the reader shows to others. An old server doesn't know the question, and never answers.
/** @param {object} message */
function askFor(message) {
  if (page.asked.size) return;
  const id = page.line.ask({ ...message, at: page.live.table });
  page.asked.add(id);
  setTimeout(() => {
    page.line.forget(id);
    if (page.asked.delete(id)) toast(word("no_answer"));
  }, answerWithin);
}

// settled is called when the felt shows the newest state. At the reader's turn, the card that they chose before is
// played, or the keyboard goes to the hand.
/** @param {Live} state */
function settled(state) {
  const now = isMine(state) ? turnOf(state) : "", first = now && now !== page.decided;
  page.decided = now || page.decided;
  const { place, lost } = due(state);
  if (place >= 0) {
    play(place, slots()[place], "drop");
    return;
  }
  if (lost) toast(word("chosen_off"));
  if (!first) return;
  chime();
  feel("turn");
  const focused = document.activeElement;
  if (!at("screen").open && (!focused || focused === document.body || at("mine").contains(focused))) (momentsBeside()[0] ?? firstChoice())?.focus({ preventScroll: true });
}

// momentsBeside returns the buttons to the neighbours of the coach's moment that is shown.
const momentsBeside = () => [...at("below").querySelectorAll("[data-press^='coach:']")].filter((e) => /[‹›]/.test(e.textContent));

// firstChoice returns the first card that can be played, or else the first other move.
const firstChoice = () => slots().find((e) => e.ariaDisabled === "false") ?? at("moves").firstChild;

// tools draws the bar, and the part beside the felt on a wide screen.
/** @param {Live} state */
function tools(state) {
  put(at("title"), state.title);
  const talks = canSay(state), covered = !!state.panel && !isOpen(state); // by the panel, which lies on the felt
  const onFelt = at("felt").querySelector("[data-tool=say]");
  if (!talks || covered) onFelt?.remove();
  else if (!onFelt) at("felt").append(talk());
  else onFelt.setAttribute("aria-label", onFelt.title = word("say"));
  if (differs(at("tools"), state.actions, state.lang, !!state.felt, state.home, !!page.aside, talks && covered)) {
    const held = document.activeElement?.closest("#tools [data-tool]")?.getAttribute("data-tool");
    at("tools").replaceChildren(
      ...(state.felt ? [tool("tricks", word("tricks"), () => show(word("tricks"), [...tricksNodes(page.live), make("p", "small", page.live.detail ?? "")]))] : []),
      ...(page.aside ? [tool("back", word("close"), back)] : []),
      ...(state.home ? [tool("home", word("home"), () => page.line.show("front"))] : []),
      ...(talks && covered ? [talk()] : []),
      tool("gear", word("settings"), () => openSettings(page.live)), ...(state.actions ?? []).map((b) => {
        if (!b.press.startsWith("more:")) return button(b, press);
        const more = tool("more", b.label, () => press(b.press, more));
        return more;
      }));
    if (held) at("tools").querySelector(`[data-tool=${held}]`)?.focus();
  }
  if (differs(at("side"), state.felt?.log, state.title, state.detail)) {
    at("side").replaceChildren(make("h2", "title", state.title), make("p", "small", state.detail ?? ""), ...(state.felt ? tricksNodes(state) : []));
  }
}

// openSettings opens the sheet with the settings. Their answer is shown at the button of the sheet.
/** @param {Live} state */
function openSettings(state) {
  /** @param {string} what @param {string} value */
  const change = (what, value) => page.live && press(`look:${page.live.table}:${what}:${value}`, at("tools").querySelector("[data-tool=gear]"));
  settings(state, page.langs, state.me >= 0 ? change : null, (name, on) => turn(name, on, { post, line: page.line, live: page.live }), leaving());
}

// talk returns the button that opens the sheet with what the reader can say.
const talk = () => tool("say", word("say"), () => saySheet(page.live, (what) => page.line.send({ t: "say", at: page.live.table, what })));

// tricksNodes shows the last trick with its cards, and the tricks of the deal in words.
/** @param {Live} state */
function tricksNodes(state) {
  const { last, log } = /** @type {Felt} */ (state.felt);
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
/** @param {Live | null} state */
function clocks(state) {
  const f = state?.felt;
  const now = f && f.turn >= 0 && f.clock ? `${f.turn} ${f.clock}` : "";
  if (now === page.clock) return;
  page.clock = now;
  for (const a of page.ticking) a.cancel();
  page.ticking = [];
  for (const e of document.querySelectorAll(".clock.runs")) e.classList.remove("runs");
  if (!now || !f?.clock || !f.limit) return;
  const left = Math.max(0, f.clock - page.line.now());
  const from = Math.min(1, left / f.limit);
  for (const e of [plateOf(f.turn).querySelector(".clock"), ...(f.turn === state?.me ? [at("time")] : [])]) {
    e.classList.add("runs");
    page.ticking.push(e.animate([{ transform: `scaleX(${from})` }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards" }));
  }
}

// tell lets a screen reader say what happened between two states. Keys tell the rest: see answers.
/** @param {Live | null} before @param {Live} next */
function tell(before, next) {
  /** @param {string} card */
  const ours = (card) => before?.felt?.hand.some((c) => c.name === card && c.press === page.pressed); // the reader knows what their key has just played
  const lines = sentences(before, next, (seat, card) => (seat !== next.me ? by(next, seat, card) : ours(card) ? "" : card));
  const now = blocksOf(next), old = before ? blocksOf(before) : now;
  lines.push(...now.filter((text) => !old.includes(text)));
  if (before) lines.push(...newcomers(before, next));
  if (isMine(next) && (!before || !isMine(before) || turnOf(before) !== turnOf(next))) lines.push(next.felt && hasChoice(next.felt) ? word("your_turn") + "." : "");
  else if (before && next.line && next.line !== before.line && !lines.length) lines.push(next.line); // the time is running out, say
  say(...lines);
}

// hasChoice reports whether the reader has to move: the bot makes a forced stop.
/** @param {Felt} felt */
const hasChoice = ({ hand, moves = [] }) => hand.some((c) => c.press && !c.off) || moves.filter((b) => !b.press.startsWith("hint:")).length > 1;

// by returns the sentence of what a player plays.
/** @param {Live} state @param {number} seat @param {string} text */
const by = (state, seat, text) => word("say.said", { player: state.seats[seat].name, text });

// blocksOf returns the texts of a state that are said when they appear: what a lesson or a puzzle says, but for its small print, and how
// a deal or a match ended.
/** @param {Live} state @returns {string[]} */
function blocksOf(state) {
  const panel = (state.panel?.blocks ?? []).filter((b) => !["small", "quote"].includes(b.look ?? "")), shown = state.phase === "puzzle" ? panel : isOpen(state) ? [] : panel.slice(0, 2);
  return [...(state.remark ?? []), ...shown].map((block) => block.spans.map((s) => s.text ?? " ").join(""));
}

// answers are what a key tells: the previous trick, the score, the hand with its places, and what wins and takes the open trick.
/** @type {Record<string, (state: Dealt) => string | undefined>} */
const answers = {
  l: ({ felt: f, seats }) => (f.last ? [...f.last.plays.map((p) => `${seats[p.seat].name}: ${p.name}`), f.last.took].join(". ") : word("no_trick")),
  s: (state) => /** @type {const} */ (["points", "score"]).map((what) => `${word(what)}: ${ownFirst(state).map((s) => `${s.names} ${s[what]}`).join(", ")}`).join(". "),
  h: ({ felt: f }) => [
    ...f.hand.map((c, i) => (c.card ? `${i + 1}: ${label(c)}` : "")), ...(f.moves ?? []).map((b, i) => `${keyOf(b, f.hand.length + i)}: ${b.label}`),
  ].filter(Boolean).join(", ") + (f.why && isMine(page.live) ? `. ${f.why}` : ""),
  t: (state) => state.line,
};

// newcomers returns who has taken a seat of the running match, and whose.
/** @param {Live} a @param {Live} b */
function newcomers(a, b) {
  if (a.table !== b.table || a.lang !== b.lang || !a.felt || !b.felt) return [];
  return b.seats.filter((s, i) => i !== b.me && !s.ai && a.seats[i]?.ai && s.name !== a.seats[i].name).map((s) => `${s.name}: ${s.marks?.join(", ")}`);
}

// say lets a screen reader say these lines. Beside an open dialog nothing is read aloud, so they wait until it closes.
/** @param {...string | undefined} lines */
function say(...lines) {
  page.unsaid.push(...lines.flatMap((text) => (text ? [make("p", "", aloud(text))] : [])));
  if (at("screen").open) return;
  const news = at("news");
  news.append(...page.unsaid.splice(0));
  while (news.children.length > 12) news.firstChild.remove();
}

// play plays the card at a place of the hand, and reports whether it does. Cards that are still flying land at once.
// Before the reader's turn, the card is chosen for it. Another card that can't be played shakes, and a toast says why.
/** @param {number} place @param {HTMLElement} slot @param {string} how */
function play(place, slot, how) {
  if (felt.busy) felt.skip();
  const card = page.live?.felt?.hand[place];
  if (!card?.card || [...page.sent.values()].some((p) => p.slot)) return false;
  if (card.press && !card.off) {
    const plays = sure(page.live, place, how);
    feel("touch");
    page.pressed = how === "drop" ? "" : card.press;
    if (plays) press(card.press, slot, slot); else say(word("raised", { card: card.name }));
    return plays;
  }
  if (canChoose(page.live)) {
    const marked = choose(page.live, place);
    feel("touch");
    drawHand(page.live, act);
    say(marked ? word("chosen", { card: card.name }) : word("unchosen"));
    return false;
  }
  slot.animate?.([{ transform: "none" }, { transform: "translateX(-3px)" }, { transform: "translateX(3px)" }, { transform: "none" }], { duration: 160, composite: "add" });
  feel("no");
  if (page.live.felt?.why) toast(page.live.felt.why);
  return false;
}

// press sends a press. If it can't be taken back, the page asks first. Before a player leaves a match, the bot itself
// asks.
/** @param {string} data @param {HTMLElement} e @param {HTMLElement} [slot] */
function press(data, e, slot) {
  const action = data.split(":")[0];
  const question = action === "leave" && page.live.phase !== "lobby" ? "" : word("ask." + action);
  if (action === "show") page.line.show(data.split(":")[1]);
  else if (question) ask(question, e.textContent, () => send(sureOf(data), e));
  else send(data, e, slot);
}

// sureOf returns the press with which a person has already agreed, so that the bot doesn't ask too.
/** @param {string} data */
function sureOf(data) {
  const [action, table] = data.split(":");
  return `sure:${table}:${action}`;
}

// send sends a press. Until the answer is here, and what it changes, the touched element is marked as sent, and the
// same press isn't sent again.
/** @param {string} data @param {HTMLElement} e @param {HTMLElement} [slot] */
function send(data, e, slot) {
  if (!page.live || [...page.sent.values()].some((p) => p.data === data)) return;
  const move = !!slot || at("moves").contains(e);
  const id = page.line.press(data, page.live.table);
  e.classList.add("sent");
  e.setAttribute("aria-busy", "true");
  page.sent.set(id, { e, slot, move, data, version: page.live.version });
}

/** @param {any} m */
function answered(m) {
  page.asked.delete(m.id);
  if (m.invite) inviteSheet(m.invite);
  if (m.share) shareResult(m.share, page.live?.table);
  const p = page.sent.get(m.id);
  const finish = () => {
    if (p && !page.sent.delete(m.id)) return;
    p?.e.classList.remove("sent");
    if (p?.slot) settle(p.slot); // if the card wasn't played after all
    p?.e.removeAttribute("aria-busy");
    // The table shows a move. A toast is needed only if the move did nothing. If the line sent it twice, the bot
    // may have refused the second one because the first one arrived after all.
    if (m.toast && !(p?.move && (m.repeated || page.live && page.live.version !== p.version)) && !hinted(m)) toast(m.toast, m.alert);
  };
  if (page.live && page.live.version === p?.version && (p.move || !m.toast && !m.screen)) { // the new state follows
    p.finish = finish;
    setTimeout(finish, p.move ? 400 : 2000);
  } else finish();
  if (m.replay && page.live) {
    closeScreen();
    felt.skip();
    openReplay(m.replay, page.live, press, () => paint(page.live));
  } else if (m.position && page.live) tryOut(m.position);
  else if (m.screen) show("", screenNodes(m.screen, press));
  else if (p && at("screen").contains(p.e) && !m.toast) closeScreen();
  if (m.file) save(m.file);
}

// hinted shows an answer that is about a move of the reader's beside that move. It reports false if there is none.
/** @param {any} m */
function hinted(m) {
  const place = m.about ? page.live?.felt?.hand.findIndex((c) => c.press === m.about) ?? -1 : -1;
  const e = place >= 0 ? slots()[place] : [...at("moves").children].find((b) => m.about && b.dataset.press === m.about);
  if (!e) return false;
  showHint(e, m.toast);
  return true;
}

// A held key presses a button once.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && /** @type {Element} */ (event.target).closest("button, a")) event.preventDefault();
}, true);

document.addEventListener("keydown", (/** @type {KeyboardEvent & { target: any }} */ event) => {
  if (event.repeat && !event.key.startsWith("Arrow")) return;
  if (event.ctrlKey || event.metaKey || event.altKey || at("screen").open || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const hand = slots(), moves = [...at("moves").children], key = event.key.toLowerCase();
  if (/^[1-9]$/.test(event.key)) {
    const place = Number(event.key) - 1;
    if (place < hand.length) play(place, hand[place], "key"); else moves[place - hand.length]?.click();
  } else if (key === "i") at("moves").querySelector("[data-press^='hint:']")?.click();
  else if (answers[key] && page.live?.felt) toast(aloud(answers[key](/** @type {Dealt} */ (page.live)) ?? ""));
  else if (event.key === "?") keys();
  else if (event.key === "Escape") clearHint();
  else if (event.key.startsWith("Arrow") && hand.length) step(event, hand, moves);
});

// step moves the keyboard's focus: left and right along the cards or the other moves, up and down between them. Beside a moment of the coach,
// left and right lead to its neighbours.
/** @param {KeyboardEvent} event @param {HTMLButtonElement[]} hand @param {HTMLButtonElement[]} moves */
function step(event, hand, moves) {
  const rows = [hand.filter((e) => !e.disabled), moves.filter((e) => !e.disabled)], focused = /** @type {any} */ (document.activeElement);
  const row = rows.findIndex((all) => all.includes(focused)), beside = momentsBeside(), coached = beside.length && at("below").contains(focused);
  if (row < 0 && focused !== document.body && !coached) return; // it is elsewhere on the page
  event.preventDefault();
  const ahead = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0, all = rows[row] ?? [];
  if (coached && ahead) {
    beside.find((e) => e.textContent.includes(ahead < 0 ? "‹" : "›"))?.click();
    return;
  }
  const to = row < 0 ? firstChoice() ?? rows[0][0] : ahead ? all[(all.indexOf(focused) + ahead + all.length) % all.length] : rows[event.key === "ArrowUp" ? 1 : 0][0];
  to?.focus();
}

at("screen").addEventListener("close", () => say());
new MutationObserver(() => backButton(at("screen").open ? closeScreen : null)).observe(at("screen"), { attributeFilter: ["open"] });

open();
