// The app that shows the page: what Telegram can do for it (https://core.telegram.org/api/web-events),
// and what a browser can. Where something is missing, nothing happens.

/** @type {any} */
const host = window;

// inTelegram reports whether Telegram's app shows the page.
export const inTelegram = location.hash.includes("tgWebAppData") || sessionStorageHas("sedma-telegram");

/** @param {string} name */
function sessionStorageHas(name) { try { return !!sessionStorage.getItem(name); } catch { return false; } }
if (inTelegram) try { sessionStorage.setItem("sedma-telegram", "1"); } catch { /* a reload asks again */ }

// tell sends Telegram an event.
/** @param {string} type */
export function tell(type, data = {}) {
  if (!inTelegram) return;
  if (host.TelegramWebviewProxy) host.TelegramWebviewProxy.postEvent(type, JSON.stringify(data));
  else if (host.external && "notify" in host.external) host.external.notify(JSON.stringify({ eventType: type, eventData: data }));
  else if (window.parent !== window) window.parent.postMessage(JSON.stringify({ eventType: type, eventData: data }), "*");
}

// version is the app's, such as "8.0". A reload no longer knows it: then it is "".
const version = new URLSearchParams(location.hash.slice(1)).get("tgWebAppVersion") ?? "";

/** @type {Map<string, (data: any) => void>} */
const hearers = new Map();
/** @param {string} type @param {any} data */
const hear = (type, data) => hearers.get(type)?.(data);

// when calls then for each event of that type from Telegram.
/** @param {string} type @param {(data: any) => void} then */
export function when(type, then) { hearers.set(type, then); }

if (inTelegram) {
  // Telegram's native apps call these functions; its web apps post messages.
  host.TelegramGameProxy_receiveEvent = hear;
  host.TelegramGameProxy = { receiveEvent: hear };
  host.Telegram = { WebView: { receiveEvent: hear } };
  addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || typeof data !== "string") return;
    try {
      const { eventType, eventData } = JSON.parse(data);
      hear(eventType, eventData);
    } catch { /* not an event */ }
  });
}

// The app covers some of each edge: the parts where the phone has a notch, and inside them those where the app has buttons.
/** @type {Record<string, any>} */
const covered = {};
for (const area of ["safe_area", "content_safe_area"]) {
  when(area + "_changed", (data) => {
    covered[area] = data ?? {};
    for (const edge of ["top", "right", "bottom", "left"]) {
      const px = Object.values(covered).reduce((sum, inset) => sum + (Number(inset[edge]) || 0), 0);
      document.documentElement.style.setProperty("--telegram-" + edge, `${px}px`);
    }
  });
}

// askAreas asks Telegram how much it covers.
export const askAreas = () => ["safe_area", "content_safe_area"].forEach((area) => tell("web_app_request_" + area));

// feel lets the phone vibrate a little: "touch" for a card in the hand, "turn" for the reader's turn, and "no" for a
// card that can't be played.
/** @param {"touch" | "turn" | "no"} what */
export function feel(what) {
  if (inTelegram) {
    tell("web_app_trigger_haptic_feedback", {
      touch: { type: "impact", impact_style: "light" }, turn: { type: "notification", notification_type: "success" }, no: { type: "notification", notification_type: "warning" },
    }[what]);
  } else if (navigator.userActivation?.hasBeenActive && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.({ touch: 12, turn: [18, 60, 18], no: [8, 40, 8] }[what]);
}

let guarded = false;

// guard lets Telegram ask before it closes the page.
/** @param {boolean} on */
export function guard(on) {
  if (on === guarded) return;
  guarded = on;
  tell("web_app_setup_closing_behavior", { need_confirmation: on });
}

// backButton shows Telegram's Back button, which calls then; null: it is hidden.
/** @param {(() => void) | null} then */
export function backButton(then) {
  when("back_button_pressed", then ?? (() => {}));
  tell("web_app_setup_back_button", { is_visible: !!then });
}

let full = false;
when("fullscreen_changed", (data) => { full = !!data?.is_fullscreen; });

// canFill reports whether the page can fill the screen.
export const canFill = () => inTelegram || !!document.fullscreenEnabled;

// fill lets the page fill the screen, or ends that.
export function fill() {
  if (inTelegram) tell(full ? "web_app_exit_fullscreen" : "web_app_request_fullscreen");
  else if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch(() => {});
}

/** @type {any} */
let installing; // the browser's offer to install the page
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installing = event;
});

// canInstall reports whether the page can be put on the home screen.
export const canInstall = () => inTelegram || !!installing;

export function install() {
  if (inTelegram) tell("web_app_add_to_home_screen");
  else {
    installing?.prompt();
    installing = null;
  }
}

// openLink opens an address of t.me in Telegram.
/** @param {string} path */
export const openLink = (path) => tell("web_app_open_tg_link", { path_full: path });

// prepared lets the reader send the message with this id to a chat. It returns "" if they did, or else Telegram's reason.
/** @type {(id: string) => Promise<string>} */
export function prepared(id) {
  if (parseFloat(version) < 8) return Promise.resolve(`Telegram ${version} < 8.0`); // it would never answer
  return new Promise((done) => {
    when("prepared_message_sent", () => done(""));
    when("prepared_message_failed", (data) => done(data?.error ?? "UNKNOWN_ERROR"));
    tell("web_app_send_prepared_message", { id });
  });
}
