// The doors: how the page proves who its reader is. A session that begins here is kept in
// a cookie. The address has its name, as "as", so that a reload finds it again.

import { tell } from "./app.js";
import { ownTheme } from "./look.js";
import { keep, kept } from "./make.js";

// enter returns the session. If the bot refuses it, enter throws a Refused with the bot's text.
export async function enter(post, progress) {
  const parts = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  if (parts.has("as")) return { as: parts.get("as") };
  if (parts.has("t")) return remember(await post("api/door", { door: "link", token: parts.get("t") }));
  if (parts.has("tgWebAppData")) {
    const data = parts.get("tgWebAppData");
    telegram(parts);
    const start = query.get("tgWebAppStartParam") ?? new URLSearchParams(data).get("start_param") ?? query.get("start") ?? "";
    return remember(await post("api/door", { door: "telegram", data, start }));
  }
  if (query.has("frame_id")) {
    progress();
    const token = await discord(query, post);
    return post("api/door", { door: "discord", token, instance: query.get("instance_id"), start: query.get("custom_id") ?? "" });
  }
  const last = kept("sedma-as");
  if (last && matchMedia("(display-mode: standalone)").matches) return { as: last }; // opened from the home screen
  throw new Refused();
}

// Refused is an error whose message is for the reader.
export class Refused extends Error {}

// remember replaces the secret in the address with the session's name.
function remember(session) {
  keep("sedma-as", session.as);
  history.replaceState(null, "", location.pathname + "#as=" + session.as);
  return session;
}

// telegram tells Telegram's app that the page is ready, and takes over the app's colours. See
// https://core.telegram.org/api/web-events.
function telegram(parts) {
  tell("web_app_ready");
  tell("web_app_expand");
  tell("web_app_setup_swipe_behavior", { allow_vertical_swipe: false }); // a swipe over the cards must not close the page
  try {
    const background = JSON.parse(parts.get("tgWebAppThemeParams") ?? "{}").bg_color ?? "";
    const hex = /^#([0-9a-f]{6})$/i.exec(background);
    if (hex) {
      const [r, g, b] = [16, 8, 0].map((shift) => (parseInt(hex[1], 16) >> shift) & 255);
      ownTheme(3 * r + 6 * g + b < 1280 ? "dark" : "light");
    }
  } catch { /* no theme */ }
}

// These are the codes of messages between an Activity and Discord, as in its Embedded App SDK.
const handshake = 0, frame = 1, close = 2;

// On phones, Discord's own frame has the origin "null".
const discordOrigins = /^(https:\/\/((ptb|canary)\.)?discord(app)?\.com|null)$/;

// discord returns an access token that proves who the reader is, after the handshake with
// Discord. The server exchanges Discord's code for the token.
function discord(query, post) {
  const client = location.hostname.split(".")[0]; // the page is served at <application id>.discordsays.com
  const host = window.parent.opener ?? window.parent;
  const origin = document.referrer ? new URL(document.referrer).origin : "*";
  const say = (code, data) => host.postMessage([code, data], origin);
  const nonce = crypto.randomUUID();
  return new Promise((done, failed) => {
    addEventListener("message", ({ source, origin: from, data }) => {
      if (source !== host || !(discordOrigins.test(from) || from === location.origin) || !Array.isArray(data)) return;
      const [code, m] = data;
      if (code === close) failed(new Refused());
      if (code !== frame || !m) return;
      if (m.cmd === "DISPATCH" && m.evt === "READY") {
        say(frame, {
          cmd: "AUTHORIZE", nonce,
          args: { client_id: client, response_type: "code", state: "", prompt: "none", scope: ["identify"] },
        });
      }
      if (m.cmd === "AUTHORIZE" && m.nonce === nonce) {
        if (m.evt === "ERROR" || !m.data?.code) { failed(new Refused()); return; }
        post("api/token", { code: m.data.code }).then(({ access_token }) => {
          host.postMessage([frame, { cmd: "AUTHENTICATE", nonce: crypto.randomUUID(), args: { access_token } }], from === "null" ? "*" : from);
          done(access_token);
        }, failed);
      }
    });
    say(handshake, { v: 1, encoding: "json", client_id: client, frame_id: query.get("frame_id") });
  });
}
