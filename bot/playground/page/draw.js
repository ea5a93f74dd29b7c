"use strict";
// How a message is drawn. Names and words of people are only ever set as text, never as HTML.

const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};

// action returns a button that calls act.
function action(className, text, act) {
  const b = make("button", className, text);
  b.type = "button";
  b.onclick = act;
  return b;
}

const german = (m) => ["german", "czech", "slovak", "hungarian"].includes(m.face);

function drawMessage(m, old) {
  const e = make("article", "message");
  e.tabIndex = -1; // holds the keyboard focus until a card can be played
  e.dataset.message = m.id;
  e.dataset.chat = m.chat;
  if (m.only) { e.dataset.only = m.only; e.classList.add("only"); }
  if (german(m)) e.classList.add("german");
  if ((m.called || []).includes(me)) e.classList.add("calls");
  const body = make("div", "body");
  if (m.image) body.append(picture(m, old));
  body.append(...m.blocks.map((b) => drawBlock(m, b)));
  if (m.file) {
    const p = make("p"), link = make("a", "file", m.file);
    link.href = query("file", { message: m.id });
    link.download = m.file;
    if (m.file.endsWith(".gif")) { // a deal in motion
      const img = make("img", "film");
      img.src = link.href;
      img.alt = m.file;
      link.replaceChildren(img);
    }
    p.append(link);
    body.append(p);
  }
  e.append(drawHead(m), body, ...m.rows.map((r) => row(r.map((b) => drawButton(m, b)))));
  if (look) drawAs(look, m, e);
  return e;
}

// drawHead draws the line above a message: who asked for it, who sees it, and when it was sent.
function drawHead(m) {
  const head = make("header");
  if (m.line) head.append(make("span", "who", person(m.by).name), ...(m.tag ? [make("span", "tag", m.tag)] : []), make("code", "", m.line));
  if (m.only) head.append(make("span", "", say("only", { name: person(m.only).name })));
  else head.append(make("time", "", new Date(m.sent).toLocaleTimeString(setup.lang, { hour: "2-digit", minute: "2-digit" })));
  if (m.edited) head.append(make("span", "edited", say("edited")));
  if (m.match) {
    const watch = action("", say("replay"), () => view(m.match));
    watch.dataset.watch = m.match;
    head.append(watch);
  }
  if (m.only) head.append(action("", say("dismiss"), () => { dismissed.add(m.id); remove(m.id); }));
  return head;
}

// picture draws the picture of a message. It reuses the element of old, the earlier drawing of
// the message, which shows the earlier picture until the new one is loaded, and dims it if that
// takes long. A picture made to be shared is a link to its file.
function picture(m, old) {
  const img = old?.querySelector("img.picture") || make("img", "picture");
  img.classList.toggle("hand", !!m.image.hand);
  img.alt = m.image.alt;
  img.width = m.image.width; // reserves the space until the picture is loaded
  img.height = m.image.height;
  img.style.setProperty("--ratio", m.image.width / m.image.height);
  const src = query("picture", { message: m.id, name: m.image.name });
  if (img.getAttribute("src") !== src) {
    img.classList.toggle("late", img.hasAttribute("src"));
    img.onload = img.onerror = () => img.classList.remove("late");
    img.src = src;
  }
  if (!m.image.save) return img;
  const link = make("a");
  link.href = src;
  link.download = "sedma-" + m.image.name + ".png";
  link.append(img);
  return link;
}

// drawAs redraws e, the element of a message, in the look of another platform.
async function drawAs(name, m, e) {
  const answer = await fetch(query("look", { message: m.id, as: name })).catch(() => null);
  if (!answer?.ok || look !== name) return;
  const sent = await answer.json();
  const redraw = () => {
    const parts = sent.body ? looks[name](sent.body, (press) => post("press", whose(m), { message: m.id, press }), m.image && picture(m, e)) : [];
    const focused = e.contains(document.activeElement) && document.activeElement.dataset.press;
    e.replaceChildren(e.firstChild, ...parts, drawLimits(sent));
    if (focused) (e.querySelector(`[data-press="${CSS.escape(focused)}"]:enabled`) || e).focus({ preventScroll: true });
  };
  if (e.parentElement) change(e.parentElement, redraw); else redraw();
}

// whose returns the person in whose name a button of the message is pressed.
const whose = (m) => m.only || (m.chat === setup.channel ? me : m.chat);

function drawBlock(m, block) {
  const e = { title: () => make("h3"), small: () => make("p", "small"), quote: () => make("blockquote"), code: () => make("pre") }[block.look]?.() || make("p");
  for (const s of block.spans) {
    if (s.kind === "break") e.append(make("br"));
    else if (s.kind === "bold") e.append(make("b", "", s.text));
    else if (s.kind === "person") e.append(make("bdi", "who", s.text));
    else if (s.kind === "card") {
      const pip = make(s.strong ? "strong" : "span", "pip");
      card(pip, m, s.text, s.suit);
      e.append(pip);
    } else if (s.kind === "date") e.append(make("time", "", new Date(s.at * 1000).toLocaleString(setup.lang, { weekday: "long", year: "numeric", month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit" })));
    else e.append(s.kind === "time" ? clock(s.at, s.text) : s.text);
  }
  return e;
}

// clock counts down to a moment, in seconds since 1970, in the words of a text such as "in 30 s".
function clock(at, text) {
  const e = make("time", "clock");
  Object.assign(e.dataset, { at, text });
  tick(e);
  return e;
}

function tick(e) {
  const left = Math.max(0, Math.round(e.dataset.at - Date.now() / 1000));
  e.textContent = e.dataset.text.replace(/\d+\s*\S+/u, Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0"));
}

setInterval(() => document.querySelectorAll(".clock").forEach(tick), 1000);

function drawButton(m, b) {
  if (b.link) return link(b.label, b.link);
  const e = action(b.tone || "", undefined, () => post("press", whose(m), { message: m.id, press: b.press }));
  e.dataset.press = b.press;
  e.disabled = !!b.off;
  if (b.card) {
    e.classList.add("card");
    e.dataset.card = b.card;
    if (!card(e, m, b.label, b.suit)) e.classList.add("long");
    if (b.takes) e.prepend(make("span", "takes", "★ "));
  } else {
    e.textContent = b.label;
  }
  return e;
}

// card draws a card into e: its rank and its suit, if these two are the label. Otherwise it
// sets the label as it is, and returns false.
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

// German suits are drawn, because many devices have no characters for them.
const acorn = "M4 11c0-4 3-6 7-7V1h2v3c4 1 7 3 7 7zM6 13h12c0 5-3 8-6 10-3-2-6-5-6-10z";
const leaf = "M12 1c6 5 8 9 8 12a5 5 0 0 1-7 4.6V23h-2v-5.4A5 5 0 0 1 4 13c0-3 2-7 8-12z";
const ball = "M11 1h2v2c5 0 9 4 9 8H2c0-4 4-8 9-8zM2 13h20c0 5-4 9-9 9v-6h-2v6c-5 0-9-4-9-9z";
const heart = "M12 22C5 16 2 12 2 8a5 5 0 0 1 10-2 5 5 0 0 1 10 2c0 4-3 8-10 14z";
const suits = { a: acorn, c: acorn, l: leaf, s: leaf, b: ball, d: ball, h: heart };
