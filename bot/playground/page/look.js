"use strict";
// Draws a message as another platform would show it, from the body of the request that would be sent there. A press of
// a button sends what that platform would send back to the bot.

const looks = {
  discord(body, press, image) {
    const draw = (c) => ({
      1: () => row(c.components.map(draw)),
      2: () => ours(c.url) ? link(c.label, c.url) : button(c.label || c.emoji?.name, ["", "primary", "", "success", "danger"][c.style], c.custom_id, c.disabled, press),
      3: () => {
        const s = make("select");
        s.setAttribute("aria-label", c.placeholder || "");
        s.append(...c.options.map((o) => new Option(o.label, o.value, o.default, o.default)));
        s.onchange = () => press(s.value);
        return row([s]);
      },
      10: () => markdown(c.content),
      12: () => image || pictures(c.items.map((i) => i.description)),
      13: () => make("p", "file", c.file.url.replace("attachment://", "")),
      14: () => make("hr"),
      17: () => { const e = make("div", "container"); e.append(...c.components.map(draw)); return e; },
    }[c.type] || (() => make("p", "small", "component " + c.type)))();
    return body.components.map(draw);
  },
  telegram(body, press, image) {
    const bubble = make("div", "container"), p = make("p", "bubble");
    const said = new DOMParser().parseFromString(body.text ?? body.caption ?? "", "text/html").body;
    const copy = (from, to) => {
      for (const n of from.childNodes) {
        if (n.nodeType === Node.TEXT_NODE) { to.append(n.data); continue; }
        if (n.tagName === "TG-TIME") { to.append(clock(n.getAttribute("unix"), n.textContent)); continue; }
        const tag = { B: "b", I: "i", BLOCKQUOTE: "blockquote", CODE: "code" }[n.tagName];
        const e = tag ? make(tag) : make("span", n.tagName === "A" ? "mention" : "");
        copy(n, e);
        to.append(e);
      }
    };
    copy(said, p);
    if (body.photo && image) bubble.append(image);
    bubble.append(p);
    const keys = (body.reply_markup?.inline_keyboard || []).map((keys) =>
      row(keys.map((k) => ours(k.url) ? link(k.text + " ↗", k.url) : button(k.text + (k.url ? " ↗" : ""), k.style || "", k.callback_data, !!k.url, press))));
    return [bubble, ...keys];
  },
};

const row = (inside) => { const e = make("div", "row"); e.append(...inside); return e; };
const pictures = (alts) => { const e = make("p", "small"); e.append(...alts.map((alt) => make("span", "", "🖼 " + (alt || "")))); return e; };

// ours reports whether an address leads to a table of this playground. Others would leave it.
const ours = (url) => /^table\//.test(url ?? "");

function link(label, url) {
  const e = make("a", "button", label);
  e.href = url;
  e.target = "_blank";
  return e;
}

function button(label, tone, data, off, press) {
  const b = action(tone, label, () => press(data));
  b.disabled = !!off || !data;
  if (data) b.dataset.press = data;
  return b;
}

// markdown draws the part of Discord's Markdown that the bot uses.
function markdown(text) {
  const all = make("div", "md");
  const code = /^```\n(.*)\n```$/s.exec(text);
  if (code) {
    all.append(make("pre", "", code[1]));
    return all;
  }
  for (const line of text.split("\n")) {
    const [, sign, rest] = /^(### |-# |> )?(.*)$/s.exec(line);
    const e = make({ "### ": "h3", "> ": "blockquote" }[sign] || "p", sign === "-# " ? "small" : "");
    let into = e;
    for (const [, escaped, bold, mention, emoji, at, plain] of rest.matchAll(/\\(.)|(\*\*)|<@!?(\d+)>|<a?:(\w+):\d+>|<t:(\d+):R>|([\s\S])/gu)) {
      if (bold) {
        if (into === e) e.append(into = make("b")); else into = e;
      } else if (mention) into.append(make("span", "mention", "@" + mention));
      else if (emoji) into.append(make("code", "", ":" + emoji + ":"));
      else if (at) into.append(clock(at, new Intl.RelativeTimeFormat(setup.lang).format(30, "second")));
      else into.append(escaped ?? plain);
    }
    e.normalize();
    all.append(e);
  }
  return all;
}

// drawLimits shows what the platform limits in the message, and reports what is over a limit.
function drawLimits(sent) {
  const e = make("footer");
  const beyond = (sent.limits || []).filter((l) => l.have > l.most);
  if (sent.error || beyond.length) {
    const p = make("p", "beyond", sent.error || say("beyond", { limits: beyond.map((l) => `${l.name} ${l.have}/${l.most}`).join(", ") }));
    p.setAttribute("role", "alert");
    e.append(p);
  }
  const more = make("details");
  more.append(make("summary", "", say("request") + " · " + (sent.limits || []).map((l) => `${l.name} ${l.have}/${l.most}`).join(" · ")));
  more.append(make("pre", "", JSON.stringify(sent.body, null, 1)));
  e.append(more);
  return e;
}
