// Errors of the page's scripts reach the bot's log: their kind and their place, never their text.

const reported = new Set();

// report tells the bot of an error, once. An error of the network isn't one of a script.
/** @param {any} error */
export function report(error) {
  const place = /\/([a-z]+\.js):(\d+):(\d+)/.exec(error?.stack ?? "");
  if (!place || error.message === "Failed to fetch") return;
  const kind = String(error.constructor?.name ?? ""), at = place.slice(1).join(":");
  if (reported.has(at) || reported.size > 20) return;
  reported.add(at);
  fetch("api/fault", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ kind, at }) }).catch(() => {});
}

addEventListener("error", (event) => report(event.error));
addEventListener("unhandledrejection", (event) => report(event.reason));
