"use strict";
// The page of the playground. It receives messages as server-sent events, and sends presses and commands with POST.
// Text written by people is never inserted as HTML.

const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};
const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* storage is blocked: don't keep it */ } };

let setup;                    // answer of /setup
let look = kept("look") || ""; // platform that the page imitates; "" for none
let me = kept("me");
let beside = new Set((kept("beside") || "").split(" ").filter(Boolean));
const messages = new Map();   // by id, oldest first
const dismissed = new Set();  // ids of answers that were closed
const read = new Map();       // by person: number of the newest message that they have seen
let live = false;             // the first messages are loaded, so others are new

// A page opened through an invitation link belongs to one person. Its token is part of every request.
const joined = new URLSearchParams(location.search).get("join");
const query = (path, args = {}) => path + "?" + new URLSearchParams(joined ? { ...args, join: joined } : args);

const say = (word, args = {}) => (setup.words[word] || word).replace(/\{(\w+)\}/g, (all, key) => args[key] ?? all);
const everybody = () => [...setup.people, ...(setup.others || [])];
const person = (id) => everybody().find((p) => p.id === id) || { id, name: id };
const isPerson = (id) => setup.people.some((p) => p.id === id);

async function begin(language) {
  const answer = await fetch(query("setup", { lang: language }));
  if (answer.status === 401) {
    $("offline").textContent = await answer.text();
    $("offline").hidden = false;
    document.body.dataset.shut = "";
    return false;
  }
  if (!answer.ok) throw new Error(answer.statusText);
  setup = await answer.json();
  if (!isPerson(me)) me = setup.people[0].id;
  document.documentElement.lang = setup.lang;
  document.title = setup.words.title;
  for (const e of document.querySelectorAll("[data-word]")) e.textContent = say(e.dataset.word);
  $("line").placeholder = say("line");
  $("channel").setAttribute("aria-label", say("channel"));
  const names = (tag) => { try { return new Intl.DisplayNames([tag], { type: "language" }).of(tag); } catch { return tag; } };
  $("lang").replaceChildren(...setup.langs.map((tag) => new Option(names(tag), tag, false, tag === setup.lang)));
  $("commands").setAttribute("role", "group");
  $("commands").setAttribute("aria-label", say("commands"));
  $("commands").replaceChildren(...setup.commands.filter((c) => c.name !== "new").map((c) => commandButton(c, () => me, setup.channel)));
  $("lines").replaceChildren(...setup.commands.flatMap((c) => [c.line, ...c.more]).map((line) => new Option(line, line)));
  $("new").onclick = () => command(me, setup.channel, "/new");
  if (!setup.looks.includes(look)) look = "";
  $("looks").hidden = !setup.looks.length;
  $("look").replaceChildren(...["", ...setup.looks].map((l) => new Option(l ? say("look." + l) : "Sedma", l, false, l === look)));
  document.body.dataset.look = look;
  drawPeople();
  drawTools();
  drawPanels();
  drawList($("channel"), inChannel);
  count();
  return true;
}

function commandButton(c, who, chat) {
  const b = make("button", "", c.line);
  b.type = "button";
  b.title = c.about;
  b.dataset.command = c.name;
  b.onclick = () => command(who(), chat === setup.channel ? chat : who(), c.line);
  return b;
}

// People: who I am, and whose messages are shown beside mine.

const mark = (id) => {
  const i = everybody().map((p) => p.id).sort().indexOf(id);
  const e = make("span", "mark hue" + Math.max(i, 0), [...person(id).name][0]);
  e.setAttribute("aria-hidden", "true");
  return e;
};

function drawPeople() {
  const rows = setup.people.map(({ id, name }) => {
    const row = make("div", "person"), label = make("label"), input = make("input");
    Object.assign(input, { type: "radio", name: "you", value: id, checked: id === me });
    input.onchange = () => { me = id; keep("me", id); drawTools(); drawPanels(); count(); $("as").replaceChildren(mark(me)); };
    const badge = make("span", "badge");
    badge.dataset.badge = id;
    label.append(input, mark(id), make("span", "name", name), badge);
    const side = make("button");
    side.type = "button";
    side.dataset.beside = id;
    side.title = say("beside", { name });
    side.setAttribute("aria-label", side.title);
    side.setAttribute("aria-pressed", beside.has(id));
    side.append(columns());
    side.onclick = () => show(id, !beside.has(id));
    row.append(label);
    if (setup.people.length > 1) row.append(side);
    return row;
  });
  $("people").replaceChildren($("people").querySelector("legend"), ...rows);
  $("as").replaceChildren(mark(me));
}

// Tools of the person who can act as everybody: invitation links, and faults of the platform.

function drawTools() {
  $("tools").hidden = !setup.faults;
  if (!setup.faults) return;
  const button = (word, args, act, pressed) => {
    const b = make("button", "", say(word, args));
    b.type = "button";
    b.dataset.tool = word;
    if (pressed !== undefined) b.setAttribute("aria-pressed", pressed);
    b.onclick = act;
    return b;
  };
  const one = person(me), { closed, slow, crash } = setup.faults;
  $("invite").replaceChildren(button("invite", one, async () => {
    const link = location.origin + "/?join=" + one.join;
    try {
      await navigator.clipboard.writeText(link);
      toast(me, say("copied", one));
    } catch {
      toast(me, say("link", one) + "\n" + link, true);
    }
  }));
  const off = closed.includes(me);
  $("trouble").replaceChildren(
    button("fault.closed", one, () => fault({ closed: me, on: !off }), off),
    button("fault.slow", {}, () => fault({ slow: !slow }), slow),
    ...(crash ? [button("fault.crash", {}, async () => { if (await fault({ crash: true })) toast(me, say("crashed")); })] : []));
}

async function fault(body) {
  const answer = await send("fault", body);
  if (!answer) return false;
  setup.faults = answer;
  const at = document.activeElement?.dataset.tool;
  drawTools();
  if (at) document.querySelector(`[data-tool="${at}"]`)?.focus();
  return true;
}

// picture returns the picture of a message. If it is meant to be shared, it is a download link.
function picture(m) {
  const img = make("img", "picture");
  img.alt = m.image.alt;
  img.width = m.image.width;
  img.height = m.image.height;
  img.style.setProperty("--ratio", m.image.width / m.image.height); // reserve its space until it is loaded
  img.src = query("picture", { message: m.id, name: m.image.name });
  if (!m.image.save) return img;
  const link = make("a");
  link.href = img.src;
  link.download = "sedma-" + m.image.name + ".png";
  link.append(img);
  return link;
}

// draw returns a small SVG picture made of one path.
function draw(d, attributes) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  for (const [k, v] of Object.entries({ "aria-hidden": "true", ...attributes })) svg.setAttribute(k, v);
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}

const columns = () => draw("M2 2h16v12H2zM12 2v12", { viewBox: "0 0 20 16", width: 20, height: 16, fill: "none", stroke: "currentColor", "stroke-width": 2 });

// Suits are drawn, because many devices have no characters for the German ones.
const acorn = "M4 11c0-4 3-6 7-7V1h2v3c4 1 7 3 7 7zM6 13h12c0 5-3 8-6 10-3-2-6-5-6-10z";
const leaf = "M12 1c6 5 8 9 8 12a5 5 0 0 1-7 4.6V23h-2v-5.4A5 5 0 0 1 4 13c0-3 2-7 8-12z";
const ball = "M11 1h2v2c5 0 9 4 9 8H2c0-4 4-8 9-8zM2 13h20c0 5-4 9-9 9v-6h-2v6c-5 0-9-4-9-9z";
const heart = "M12 22C5 16 2 12 2 8a5 5 0 0 1 10-2 5 5 0 0 1 10 2c0 4-3 8-10 14z";
const suits = { a: acorn, c: acorn, l: leaf, s: leaf, b: ball, d: ball, h: heart };

// card makes e show a card. If the label is a rank and a suit, it shows both and returns true.
function card(e, m, label, suit) {
  e.dataset.suit = suit;
  const halves = /^(\d+|[A-Za-z]{1,2})([^\dA-Za-z\s]+|[a-z])$/u.exec(label);
  if (!halves) {
    e.textContent = label;
    return false;
  }
  const sign = make("span", "suit", german(m) ? "" : halves[2]);
  if (german(m)) {
    sign.append(make("span", "unseen", halves[2]), draw(suits[suit], { viewBox: "0 0 24 24", fill: "currentColor" }));
  }
  e.append(make("span", "", halves[1]), sign);
  return true;
}

function show(id, yes) {
  if (yes) beside.add(id); else beside.delete(id);
  keep("beside", [...beside].join(" "));
  document.querySelector(`[data-beside="${CSS.escape(id)}"]`).setAttribute("aria-pressed", yes);
  drawPanels();
  count();
}

function drawPanels() {
  const open = [me, ...setup.people.map((p) => p.id).filter((id) => id !== me && beside.has(id))];
  $("direct").replaceChildren(...open.map((id) => {
    const panel = make("section", id === me ? "panel me" : "panel"), head = make("header");
    panel.dataset.panel = id;
    const title = say("direct", { name: person(id).name });
    panel.setAttribute("aria-label", title);
    head.append(mark(id), make("h2", "", title));
    if (id !== me) {
      const close = make("button", "", "✕");
      close.type = "button";
      close.setAttribute("aria-label", say("close"));
      close.onclick = () => show(id, false);
      head.append(close);
    }
    const list = make("div", "list");
    list.tabIndex = 0;
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", title);
    const bar = make("div", "commands");
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", say("commands"));
    bar.append(...setup.commands.filter((c) => c.private).map((c) => commandButton(c, () => id, id)));
    panel.append(head, list, bar);
    drawList(list, seenBy(id));
    return panel;
  }));
  for (const list of document.querySelectorAll("#direct .list")) { follow(list); toEnd(list); }
}

// Which messages are shown where. If only one person sees an answer in the channel, it is shown among that person's
// messages.

const inChannel = (m) => m.chat === setup.channel && !m.only;
const german = (m) => m.face === "german" || m.face === "czech";
const seenBy = (id) => (m) => (m.only === id || m.chat === id) && !dismissed.has(m.id);

function drawList(list, wanted) {
  list.replaceChildren(...[...messages.values()].filter(wanted).map(drawMessage));
  fillEmpty(list);
  toEnd(list);
}

function fillEmpty(list) {
  const empty = list.querySelector(".empty"), some = list.querySelector(".message");
  if (some && empty) {
    if (empty.contains(document.activeElement)) list.focus({ preventScroll: true });
    empty.remove();
  }
  if (some || empty) return;
  const note = make("div", "empty");
  if (list.id === "channel") {
    const b = make("button", "primary", say("new_table"));
    b.type = "button";
    b.onclick = () => command(me, setup.channel, "/new");
    note.append(make("p", "", say("empty")), b);
  } else {
    note.append(make("p", "", say("direct_empty", { name: person(list.closest(".panel").dataset.panel).name })));
  }
  list.append(note);
}

function drawMessage(m) {
  const e = make("article", "message");
  e.dataset.message = m.id;
  e.dataset.chat = m.chat;
  if (m.only) { e.dataset.only = m.only; e.classList.add("only"); }
  if (german(m)) e.classList.add("german");
  if ((m.called || []).includes(me)) e.classList.add("calls");
  const head = make("header");
  if (m.line) {
    head.append(make("span", "who", person(m.by).name), make("code", "", m.line));
  }
  if (m.only) {
    head.append(make("span", "", say("only", { name: person(m.only).name })));
  } else {
    head.append(make("time", "", new Date(m.sent).toLocaleTimeString(setup.lang, { hour: "2-digit", minute: "2-digit" })));
  }
  if (m.edited) head.append(make("span", "", say("edited")));
  if (m.match) {
    const watch = make("button", "", say("watch"));
    watch.type = "button";
    watch.dataset.watch = m.match;
    watch.onclick = () => view(m.match);
    head.append(watch);
  }
  if (m.only) {
    const away = make("button", "", say("dismiss"));
    away.type = "button";
    away.onclick = () => { dismissed.add(m.id); remove(m.id); };
    head.append(away);
  }
  const body = make("div", "body");
  if (m.image) body.append(picture(m));
  body.append(...m.blocks.map((b) => drawBlock(m, b)));
  if (m.file) {
    const p = make("p"), link = make("a", "file", m.file);
    link.href = query("file", { message: m.id });
    link.download = m.file;
    p.append(link);
    body.append(p);
  }
  const rows = m.rows.map((row) => {
    const r = make("div", "row");
    r.append(...row.map((b) => drawButton(m, b)));
    return r;
  });
  e.append(head, body, ...rows);
  if (look) drawAs(look, m, e);
  return e;
}

// drawAs redraws e, the element of a message, in the look of another platform.
async function drawAs(name, m, e) {
  const answer = await fetch(query("look", { message: m.id, as: name })).catch(() => null);
  if (!answer?.ok || look !== name) return;
  const sent = await answer.json(), list = e.parentElement;
  const end = list && ended.has(list);
  const parts = sent.body ? looks[name](sent.body, (press) => post("press", whose(m), { message: m.id, press }), m.image && picture(m)) : [];
  const focused = e.contains(document.activeElement) && document.activeElement.dataset.press;
  e.replaceChildren(e.firstChild, ...parts, drawLimits(sent));
  if (focused) e.querySelector(`[data-press="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  if (end) toEnd(list);
}

// whose returns the person in whose name a button of the message is pressed.
const whose = (m) => m.only || (m.chat === setup.channel ? me : m.chat);

function drawBlock(m, block) {
  const e = { title: () => make("h3"), small: () => make("p", "small"), quote: () => make("blockquote") }[block.look]?.() || make("p");
  for (const s of block.spans) {
    if (s.kind === "break") e.append(make("br"));
    else if (s.kind === "bold") e.append(make("b", "", s.text));
    else if (s.kind === "person") e.append(make("bdi", "who", s.text));
    else if (s.kind === "card") {
      const pip = make(s.strong ? "strong" : "span", "pip");
      card(pip, m, s.text, s.suit);
      e.append(pip);
    } else e.append(s.text);
  }
  return e;
}

function drawButton(m, b) {
  const e = make("button", b.tone || "");
  e.type = "button";
  e.dataset.press = b.press;
  e.disabled = !!b.off;
  if (b.card) {
    e.classList.add("card");
    e.dataset.card = b.card;
    if (!card(e, m, b.label, b.suit)) e.classList.add("long");
  } else {
    e.textContent = b.label;
  }
  e.onclick = () => post("press", whose(m), { message: m.id, press: b.press });
  return e;
}

// Changes.

const lists = (m) => [
  ...(inChannel(m) ? [$("channel")] : []),
  ...[...document.querySelectorAll(".panel")].filter((p) => seenBy(p.dataset.panel)(m)).map((p) => p.querySelector(".list")),
];
const nodes = (id) => document.querySelectorAll(`[data-message="${CSS.escape(id)}"]`);

// A list that is scrolled to its end stays there when something grows or shrinks. "last" means the newest message, from
// its beginning if it is taller than the list. "end" means the end of such a tall message, if somebody scrolled there.
const ended = new WeakMap();
const lastAt = (list) => {
  const e = list.lastElementChild;
  return e && e.offsetHeight > list.clientHeight ? e.offsetTop - list.offsetTop : list.scrollHeight;
};
const toEnd = (list, how = "last") => { ended.set(list, how); list.scrollTop = how === "last" ? lastAt(list) : list.scrollHeight; };
const sizes = new ResizeObserver((all) => { for (const { target } of all) if (ended.has(target)) toEnd(target, ended.get(target)); });
function follow(list) {
  sizes.observe(list);
  list.addEventListener("scroll", () => {
    const at = lastAt(list);
    if (list.scrollHeight - list.scrollTop - list.clientHeight < 60) ended.set(list, at < list.scrollHeight ? "end" : "last");
    else if (Math.abs(list.scrollTop - at) < 60) ended.set(list, "last");
    else ended.delete(list);
  });
}

function put(m) {
  const before = messages.get(m.id);
  messages.set(m.id, m);
  for (const list of lists(m)) {
    const end = ended.get(list), fresh = drawMessage(m);
    const old = [...list.children].find((e) => e.dataset.message === m.id);
    if (old) {
      // Keep the keyboard focus on the button at the same position.
      const buttons = (e) => [...e.querySelectorAll(".row button")];
      const at = buttons(old).indexOf(document.activeElement);
      old.replaceWith(fresh);
      if (at >= 0) {
        const able = buttons(fresh);
        (able.slice(at).find((b) => !b.disabled) || able.findLast((b) => !b.disabled) || list).focus({ preventScroll: true });
      }
    } else {
      list.append(fresh);
    }
    fillEmpty(list);
    if (end) toEnd(list, old ? end : "last");
  }
  if (live && (inChannel(m) || m.chat === me || m.only === me)) announce(m, before);
}

function remove(id) {
  for (const node of nodes(id)) {
    const list = node.parentElement;
    if (node.contains(document.activeElement)) list.focus({ preventScroll: true });
    node.remove();
    fillEmpty(list);
  }
}

// announce reports lines that are new in a message to screen readers.
function announce(m, before) {
  const text = (b) => b.spans.map((s) => (s.kind === "break" ? "\n" : s.text)).join("");
  const known = new Set((before?.blocks || []).flatMap((b) => text(b).split("\n")));
  for (const line of m.blocks.flatMap((b) => text(b).split("\n"))) {
    if (line && !known.has(line)) $("news").append(make("p", "", line));
  }
  while ($("news").childElementCount > 30) $("news").firstChild.remove();
}

// count shows on each person whose messages are hidden how many new ones there are.
function count() {
  for (const { id } of setup.people) {
    const newest = Math.max(0, ...[...messages.values()].filter(seenBy(id)).map((m) => m.sent));
    const open = id === me || beside.has(id);
    if (open || !live) read.set(id, newest);
    const n = [...messages.values()].filter((m) => seenBy(id)(m) && m.sent > (read.get(id) || 0)).length;
    const badge = document.querySelector(`[data-badge="${CSS.escape(id)}"]`);
    badge.textContent = n || "";
    badge.setAttribute("aria-label", n ? say("messages", { n }) : "");
  }
}

function listen() {
  const source = new EventSource(query("events"));
  source.addEventListener("all", (e) => {
    live = false;
    messages.clear();
    for (const m of JSON.parse(e.data).put) messages.set(m.id, m);
    drawPanels();
    drawList($("channel"), inChannel);
    count();
    live = true;
    $("offline").hidden = true;
    document.body.dataset.ready = "";
  });
  source.addEventListener("more", (e) => {
    const news = JSON.parse(e.data);
    for (const id of news.drop) { messages.delete(id); remove(id); }
    for (const m of news.put) put(m);
    count();
  });
  source.onerror = () => {
    $("offline").hidden = false;
    delete document.body.dataset.ready;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

// Presses and commands.

const command = (who, chat, line) => post("command", who, { chat, line });

async function post(path, who, body) {
  const reply = await send(path, { person: who, lang: setup.lang, ...body });
  if (reply?.toast) toast(who, reply.toast, reply.alert);
  return !!reply;
}

// send posts a body and returns the answer. If that fails, it shows an error and returns null.
async function send(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(joined ? { "X-Join": joined } : {}) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(answer.statusText);
    return await answer.json();
  } catch {
    toast(body.person || me, say("failed"), false);
    return null;
  }
}

function toast(who, text, stays) {
  const e = make("div", "toast");
  e.append(mark(who), make("span", "", text));
  if (stays) {
    const ok = make("button", "", "OK");
    ok.type = "button";
    const back = document.activeElement;
    ok.onclick = () => { e.remove(); if (back?.isConnected) back.focus(); };
    e.append(ok);
    $("alerts").append(e);
    ok.focus();
    return;
  }
  for (const other of [...$("toasts").children]) if (other.textContent === e.textContent) other.remove();
  $("toasts").append(e);
  while ($("toasts").childElementCount > 3) $("toasts").firstChild.remove();
  setTimeout(() => e.remove(), 3000 + 60 * text.length);
}

$("composer").addEventListener("submit", async (e) => {
  e.preventDefault();
  const line = $("line").value.trim();
  if (line && await command(me, setup.channel, line)) $("line").value = "";
});
$("look").addEventListener("change", (e) => { keep("look", look = e.target.value); begin(setup.lang); });
$("lang").addEventListener("change", async (e) => {
  keep("lang", e.target.value);
  if (await begin(e.target.value)) for (const { id } of setup.people) send("hello", { person: id, lang: setup.lang }); // send their hands in the new language
});

follow($("channel"));

// Retry, because the bot may start after the page.
(async function start() {
  try {
    if (!await begin(kept("lang") || navigator.language)) return;
    listen();
    viewLinked();
  } catch {
    $("offline").hidden = false;
    setTimeout(start, 2000);
  }
})();
