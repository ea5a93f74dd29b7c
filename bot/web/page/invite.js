// How the reader invites others to the table, and shows a result to them: by the app that shows the page, by the browser, or
// by copying.

import { inTelegram, openLink, prepared } from "./app.js";
import { accessToken, command, inDiscord, onDesktop, onServer } from "./discord.js";
import { at, line, make, word } from "./make.js";
import { show, toast } from "./screen.js";

// copy copies a text, and reports whether it could. Some apps don't let a page in their frame do that.
/** @param {string} text */
async function copy(text) {
  const { featurePolicy } = /** @type {any} */ (document);
  if (featurePolicy && !featurePolicy.allowsFeature("clipboard-write")) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { return false; }
}

// inviteSheet opens the sheet with the link to the table, and its QR code.
/** @param {{ link: string, size: number, code: string }} invite */
export function inviteSheet({ link, size, code }) {
  const drawing = line("svg", { viewBox: `0 0 ${size} ${size}`, class: "code", role: "img", "aria-label": word("invite.code") }, line("path", { d: code }));
  const field = make("input", "link"), row = make("div", "row");
  Object.assign(field, { readOnly: true, value: link, ariaLabel: word("invite") });
  field.addEventListener("focus", () => field.select());
  /** @param {string} label @param {string} tone @param {() => void} then */
  const add = (label, tone, then) => {
    const e = make("button", tone, word(label));
    e.type = "button";
    e.dataset.way = label;
    e.addEventListener("click", then);
    row.append(e);
  };
  if (onServer) add("invite.dialog", "primary", () => command("OPEN_INVITE_DIALOG", {}).catch((e) => toast(word("share.refused", { why: e.message }))));
  if (inTelegram) add("invite.send", "primary", () => openLink("/share/url?url=" + encodeURIComponent(link)));
  else if (!inDiscord && navigator.share) add("invite.send", "primary", () => navigator.share({ url: link }).catch(() => {}));
  add("invite.copy", "", async () => {
    if (await copy(link)) toast(word("copied")); else field.focus();
  });
  show(word("invite"), [make("p", "small", word("invite.how")), drawing, field, row]);
}

// asks is what the page asks the server before it shares: whether the app can show what the server prepares.
export const asks = () => ({ t: "share", app: inTelegram || onDesktop, token: onDesktop ? accessToken() : "" });

// shareResult shows a result to others. If the app refuses, the reason is said, and the text can be copied.
/** @param {{ text: string, ref?: string }} result @param {string} table */
export async function shareResult({ text, ref }, table) {
  let why = "";
  try {
    if (ref && inTelegram) {
      why = await prepared(ref);
      if (why === "USER_DECLINED" || !why) return;
    } else if (inDiscord) {
      if (ref && await command("OPEN_SHARE_MOMENT_DIALOG", { mediaUrl: ref }).then(() => true, (e) => { why = e.message; return false; })) return;
      await command("SHARE_LINK", { message: text, custom_id: table });
      return;
    } else if (navigator.share) {
      await navigator.share({ text });
      return;
    }
  } catch (/** @type {any} */ e) {
    if (e.name === "AbortError") return; // the reader has closed the dialog
    why = e.message || why || e.name;
  }
  const copied = await copy(text), said = [why && word("share.refused", { why }), copied && word("share.copied")].filter(Boolean).join("\n");
  if (copied) toast(said); else paste(text, said);
}

// paste shows a text to copy by hand.
/** @param {string} text @param {string} said */
function paste(text, said) {
  const field = make("textarea", "link");
  Object.assign(field, { readOnly: true, value: text, rows: 5, ariaLabel: word("share") });
  show(word("share"), [...(said ? [make("p", "small", said)] : []), field]);
  at("screen").querySelector("textarea").select();
}
