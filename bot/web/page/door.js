// The doors: how the page proves who its reader is. A session that begins here is kept in
// a cookie. The address has its name, as "as", so that a reload finds it again.

import { askAreas, tell } from "./app.js";
import { Denied, authorize, connect, credentials, inDiscord } from "./discord.js";
import { ownTheme } from "./look.js";
import { keep, kept } from "./make.js";

// enter returns the session. If the bot refuses it, enter throws a Refused with the bot's text.
/** @param {Post} post @param {() => void} progress */
export async function enter(post, progress) {
  const parts = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const was = parts.get("as");
  if (was && !inDiscord) {
    askAreas();
    return { as: was };
  }
  if (parts.has("t")) return remember({ ...await post("api/door", { door: "link", token: parts.get("t") }), fresh: true });
  if (parts.has("tgWebAppData")) {
    const data = parts.get("tgWebAppData") ?? "";
    telegram(parts);
    const start = query.get("tgWebAppStartParam") ?? new URLSearchParams(data).get("start_param") ?? query.get("start") ?? "";
    return remember({ ...await post("api/door", { door: "telegram", data, start }), fresh: true });
  }
  if (inDiscord) {
    progress();
    try {
      await connect();
      (await authorize(post)).entered.catch(() => {}); // only what the reader turns on needs it
    } catch (e) {
      throw e instanceof Denied ? new Refused() : e;
    }
    /** @type {(left: number) => Promise<any>} */
    const knock = (left) => post("api/door", credentials()).catch(async (e) => {
      if (!(e instanceof Refused) || left === 0) throw e;
      await new Promise((done) => { setTimeout(done, 1000); }); // Discord may not know yet that the reader has begun the Activity
      return knock(left - 1);
    });
    const session = await knock(2);
    return was && cut(was)[0] === cut(session.as)[0] ? { fresh: true, as: was } : { fresh: true, ...session }; // the table at which a reload was
  }
  const last = kept("sedma-as");
  if (last && matchMedia("(display-mode: standalone)").matches) return { as: last }; // opened from the home screen
  throw new Refused();
}

// Refused is an error whose message is for the reader.
export class Refused extends Error {}

// cut returns the parts of a session's name: the session itself, and from which chat its reader came.
/** @param {string} as */
const cut = (as) => /^([^.]*)(?:\.[^@]*)?(@.*)?$/s.exec(as)?.slice(1) ?? [];

// remember replaces the secret in the address with the session's name.
/** @param {Session} session */
function remember(session) {
  keep("sedma-as", session.as);
  history.replaceState(null, "", location.pathname + (inDiscord ? location.search : "") + "#as=" + session.as);
  return session;
}

// follow lets the session's name say which table the page shows, so that a reload finds it.
/** @param {Session} session @param {string} table */
export function follow(session, table) {
  const [key, chat] = cut(session.as), as = `${key}.${table}${chat ?? ""}`;
  if (as === session.as) return;
  session.as = as;
  remember(session);
}

// Another link in the address of the same page is opened like a page of its own.
addEventListener("hashchange", () => location.reload());

// telegram tells Telegram's app that the page is ready, and takes over the app's colours. See
// https://core.telegram.org/api/web-events.
/** @param {URLSearchParams} parts */
function telegram(parts) {
  tell("web_app_ready");
  tell("web_app_expand");
  tell("web_app_setup_swipe_behavior", { allow_vertical_swipe: false }); // a swipe over the cards must not close the page
  askAreas();
  try {
    const background = JSON.parse(parts.get("tgWebAppThemeParams") ?? "{}").bg_color ?? "";
    const hex = /^#([0-9a-f]{6})$/i.exec(background);
    if (hex) {
      const [r, g, b] = [16, 8, 0].map((shift) => (parseInt(hex[1], 16) >> shift) & 255);
      ownTheme(3 * r + 6 * g + b < 1280 ? "dark" : "light");
    }
  } catch { /* no theme */ }
}
