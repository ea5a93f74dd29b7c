"use strict";
// The page of the playground: its people, menus and tools. Messages come as server-sent events
// (lists.js), and are drawn by draw.js. Presses and commands are sent by POST.

const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* storage is blocked: don't keep it */ } };

let setup;                     // the answer of /setup
let look = kept("look") || ""; // the platform whose look the page imitates; "": its own
let me = kept("me");           // the person whose presses and commands are sent
const beside = new Set((kept("beside") || "").split(" ").filter(Boolean)); // people whose panels are open beside mine

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
  fillMenu($("commands"), setup.commands.filter((c) => c.name !== "new"), () => me, setup.channel);
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

// commandMenu returns a menu of commands. The browser closes it on Escape and on a press elsewhere.
function commandMenu(commands, who, chat) {
  const menu = make("div", "menu");
  menu.popover = "auto";
  fillMenu(menu, commands, who, chat);
  return menu;
}

function fillMenu(menu, commands, who, chat) {
  menu.setAttribute("role", "group");
  menu.setAttribute("aria-label", say("commands"));
  menu.replaceChildren(...commands.map((c) => {
    const b = action("", undefined, () => { menu.hidePopover(); command(who(), chat, c.line); });
    b.dataset.command = c.name;
    b.append(make("code", "", c.line), make("span", "", c.about));
    return b;
  }));
}

// People: the one I am, and those whose messages are shown beside mine.

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
    const side = action("", undefined, () => show(id, !beside.has(id)));
    side.dataset.beside = id;
    side.title = say("beside", { name });
    side.setAttribute("aria-label", side.title);
    side.setAttribute("aria-pressed", beside.has(id));
    side.append(columns());
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
    const b = action("", say(word, args), act);
    b.dataset.tool = word;
    if (pressed !== undefined) b.setAttribute("aria-pressed", pressed);
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

function show(id, yes) {
  if (yes) beside.add(id); else beside.delete(id);
  keep("beside", [...beside].join(" "));
  document.querySelector(`[data-beside="${CSS.escape(id)}"]`).setAttribute("aria-pressed", yes);
  drawPanels();
  count();
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
    const back = document.activeElement;
    const ok = action("", "OK", () => { e.remove(); if (back?.isConnected) back.focus(); });
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
  if (await begin(e.target.value)) send("hello", { person: me, lang: setup.lang }); // their hand is shown in the new language
});

// Retry, because the bot may start after the page.
(async function start() {
  try {
    if (!await begin(kept("lang") || navigator.language)) return;
    listen();
    send("hello", { person: me, lang: setup.lang }); // the bot welcomes the first one
    viewLinked();
  } catch {
    $("offline").hidden = false;
    setTimeout(start, 2000);
  }
})();
