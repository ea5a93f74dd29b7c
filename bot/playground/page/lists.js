"use strict";
// The lists of messages: the channel, and a panel of direct messages for each person shown.
// A list keeps the end of its newest message in view; a message that is read, not played with, opens at its top if it is
// longer than the list. If a reader scrolls up, it leaves what
// they read where it is, and a button says that there is something new below.

const messages = new Map();   // by id, oldest first
const dismissed = new Set();  // ids of answers that were put away
const read = new Map();       // by person: when the newest message that they have seen was sent
let live = false;             // the first messages have loaded, so any further ones are new

const inChannel = (m) => m.chat === setup.channel && !m.only;
const seenBy = (id) => (m) => (m.only === id || m.chat === id) && !dismissed.has(m.id); // includes answers in the channel

// listOf returns the list that shows a message, or nothing if that list isn't open.
function listOf(m) {
  if (inChannel(m)) return $("channel");
  return [...document.querySelectorAll(".panel")].find((p) => seenBy(p.dataset.panel)(m))?.querySelector(".list");
}

const nodeOf = (list, id) => [...list.children].find((e) => e.dataset.message === id);

// Scrolling.

const followed = new WeakMap(); // by list: the id of the message whose end it keeps in view, or "" for the newest
const placed = new WeakMap();   // by list: where the page last scrolled it to
const nearly = 40;              // pixels from the end that count as the end

const rect = (e) => e.getBoundingClientRect();
const below = (list) => list.parentElement.querySelector(".below button");
const atEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < nearly;

const played = "[data-press^='play:'], [data-press^='place:'], [data-press^='cards:']"; // buttons of a hand or a table in play

// endOf returns the scroll position at which a list shows the end of the message that it follows, or the top of a long one.
function endOf(list) {
  const e = nodeOf(list, followed.get(list));
  if (e && rect(e).height > list.clientHeight + nearly && !e.querySelector(played)) return list.scrollTop + rect(e).top - rect(list).top - 8;
  if (!e || e === list.lastElementChild) return list.scrollHeight - list.clientHeight;
  return Math.max(0, list.scrollTop + rect(e).bottom - rect(list).bottom + 8);
}

function follow(list, id = "") {
  followed.set(list, id);
  list.scrollTop = endOf(list);
  placed.set(list, list.scrollTop);
  below(list).hidden = true;
}

// watch lets a list follow its newest message, except while its reader looks at older ones.
function watch(list) {
  below(list).onclick = () => { follow(list); list.focus({ preventScroll: true }); };
  list.onscroll = () => scrolled(list);
  sizes.observe(list);
  follow(list);
}

// scrolled notices where a list is now. If its reader moved it away, it follows nothing.
function scrolled(list) {
  if (atEnd(list)) {
    followed.set(list, "");
    below(list).hidden = true;
  } else if (followed.has(list) && Math.abs(list.scrollTop - placed.get(list)) > 4) {
    followed.delete(list);
  }
}

const sizes = new ResizeObserver((all) => { for (const { target } of all) if (followed.has(target)) follow(target, followed.get(target)); });

// change alters a list by act, and keeps the reader's place: the first message that begins in
// view, or else one that began further up, doesn't move on the screen.
function change(list, act) {
  const { top } = rect(list), visible = [...list.children].filter((e) => rect(e).bottom > top);
  const seen = [...visible.filter((e) => rect(e).top >= top), ...visible].map((e) => [e.dataset.message, rect(e).top]);
  act();
  fillEmpty(list);
  if (followed.has(list)) {
    follow(list, followed.get(list));
    return;
  }
  const [id, was] = seen.find(([id]) => nodeOf(list, id)) || [];
  if (id) list.scrollTop += rect(nodeOf(list, id)).top - was;
  scrolled(list);
}

watch($("channel"));

// Drawing.

function drawList(list, wanted) {
  change(list, () => {
    const first = !list.querySelector(".message"), shown = [...messages.values()].filter(wanted);
    list.replaceChildren(...shown.map((m) => drawMessage(m, nodeOf(list, m.id))));
    if (first && shown.length && followed.has(list)) followed.set(list, shown.at(-1).id);
  });
}

// drawPanels draws my panel, and those of the people beside me.
function drawPanels() {
  const open = [me, ...setup.people.map((p) => p.id).filter((id) => id !== me && beside.has(id))];
  $("direct").replaceChildren(...open.map(drawPanel));
  for (const panel of $("direct").children) {
    const list = panel.querySelector(".list");
    watch(list);
    drawList(list, seenBy(panel.dataset.panel));
  }
}

function drawPanel(id) {
  const panel = make("section", id === me ? "panel me" : "panel"), head = make("header"), list = make("div", "list");
  const title = say("direct", { name: person(id).name });
  panel.dataset.panel = id;
  panel.setAttribute("aria-label", title);
  const menu = commandMenu(setup.commands.filter((c) => c.private), () => id, id), opens = action("opens", say("commands"));
  opens.popoverTargetElement = menu;
  head.append(mark(id), make("h2", "", title), opens);
  if (id !== me) {
    const close = action("", "✕", () => show(id, false));
    close.setAttribute("aria-label", say("close"));
    head.append(close);
  }
  list.tabIndex = 0;
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", title);
  const bar = make("div", "below"), news = action("", say("below"));
  news.hidden = true;
  bar.append(news);
  panel.append(head, menu, list, bar);
  return panel;
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
    note.append(make("p", "", say("empty")), action("primary", say("new_table"), () => command(me, setup.channel, "/new")));
  } else {
    note.append(make("p", "", say("direct_empty", { name: person(list.closest(".panel").dataset.panel).name })));
  }
  list.append(note);
}

// Changes.

const playable = (m) => m?.rows.flat().some((b) => b.card && !b.off);

// put shows a message that is new or was edited. A hand that has just become playable comes
// into view like a new message.
function put(m) {
  const before = messages.get(m.id), list = listOf(m);
  messages.set(m.id, m);
  if (list) {
    change(list, () => {
      const old = nodeOf(list, m.id), fresh = drawMessage(m, old);
      if (old) swap(old, fresh); else list.append(fresh);
      if (followed.has(list) && (!old || playable(m) && !playable(before))) followed.set(list, m.id);
    });
    if (!followed.has(list) && rect(nodeOf(list, m.id)).bottom > rect(list).bottom) below(list).hidden = false;
  }
  if (live && (inChannel(m) || m.chat === me || m.only === me)) announce(m, before);
}

// swap replaces the old drawing of a message with the new one. The keyboard focus stays on the
// button in the same place. If it was on a card and none can be played now, the message has it
// until one can.
function swap(old, fresh) {
  const at = document.activeElement, waits = at === old;
  const inside = waits || old.contains(at) && at.matches(".row button");
  const kind = ".row button" + (waits || at.matches(".card") ? ".card" : "");
  const place = [...old.querySelectorAll(kind)].indexOf(at);
  old.replaceWith(fresh);
  if (!inside) return;
  const able = [...fresh.querySelectorAll(kind)];
  (able.slice(Math.max(place, 0)).find((b) => !b.disabled) || able.findLast((b) => !b.disabled) || fresh).focus({ preventScroll: true });
}

function remove(id) {
  for (const node of document.querySelectorAll(`[data-message="${CSS.escape(id)}"]`)) {
    const list = node.parentElement;
    if (node.contains(document.activeElement)) list.focus({ preventScroll: true });
    change(list, () => node.remove());
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

// count shows the number of new messages beside the names of people whose panels are closed.
function count() {
  if ([...messages.values()].some(seenBy(me))) document.body.dataset.direct = ""; // gives the panels room on a phone
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

let silence = 25000; // ms without an event after which the stream counts as dead; the server sends "alive" every 10 s

function listen() {
  const source = new EventSource(query("events"));
  let dead;
  const heard = () => {
    clearTimeout(dead);
    dead = setTimeout(() => { source.close(); offline(); listen(); }, silence);
  };
  heard();
  for (const event of ["all", "more", "alive"]) source.addEventListener(event, heard);
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
    offline();
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again
    clearTimeout(dead);
    setTimeout(listen, 2000);
  };
}

function offline() {
  $("offline").hidden = false;
  delete document.body.dataset.ready;
}
