// Discord's app, which shows the page as an Activity: the messages between the two are those of its Embedded App SDK
// (https://github.com/discord/embedded-app-sdk). Anything but who the reader is needs their consent, and is asked for only
// when they turn it on.

import { plateOf } from "./felt.js";
import { keep, kept, word } from "./make.js";

const query = new URLSearchParams(location.search);

// inDiscord reports whether Discord's app shows the page.
export const inDiscord = query.has("frame_id");

// onServer reports whether it does so on a server, and not in a private chat.
export const onServer = inDiscord && query.has("guild_id");

// onDesktop reports whether it is the app for desktops, which can show a picture to share.
export const onDesktop = inDiscord && query.get("platform") === "desktop";

// These are the codes of messages.
const handshake = 0, frame = 1, close = 2;

// On phones, Discord's own frame has the origin "null".
const origins = /^(https:\/\/((ptb|canary)\.)?discord(app)?\.com|null)$/;

const client = location.hostname.split(".")[0]; // the page is served at <application id>.discordsays.com
const host = window.parent.opener ?? window.parent;
let target = document.referrer ? new URL(document.referrer).origin : "*";
const waiting = new Map(); // by nonce: how a command ends
/** @type {Map<string, (data: any) => void>} */
const hearers = new Map(); // by event
let token = "";

/** @param {number} code @param {any} data */
const say = (code, data) => host.postMessage([code, data], target);

// Denied is an error with which Discord answers a command.
export class Denied extends Error {}

// connect shakes hands with Discord. It fails if Discord ends the connection.
export function connect() {
  return new Promise((/** @type {(done?: undefined) => void} */ done, failed) => {
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== host || !(origins.test(origin) || origin === location.origin) || !Array.isArray(data)) return;
      const [code, m] = data;
      if (code === close) failed(new Denied());
      if (code !== frame || !m) return;
      target = origin === "null" ? "*" : origin;
      if (m.cmd === "DISPATCH" && m.evt === "READY") done();
      else if (m.cmd === "DISPATCH") hearers.get(m.evt)?.(m.data ?? {});
      const wait = waiting.get(m.nonce);
      if (!wait) return;
      waiting.delete(m.nonce);
      if (m.evt === "ERROR") wait.failed(new Denied(m.data?.message ?? "")); else wait.done(m.data ?? {});
    });
    say(handshake, { v: 1, encoding: "json", client_id: client, frame_id: query.get("frame_id") });
  });
}

// command sends Discord a command, and returns its answer.
/** @returns {Promise<any>} */
/** @param {string} cmd @param {object} args @param {string} [evt] */
export function command(cmd, args, evt) {
  const nonce = crypto.randomUUID();
  return new Promise((done, failed) => {
    waiting.set(nonce, { done, failed });
    say(frame, { cmd, nonce, args, ...(evt ? { evt } : {}) });
  });
}

// authorize returns an access token for more than who the reader is: scopes. The server exchanges Discord's code for it.
/** @param {Post} post @param {string[]} scopes */
export async function authorize(post, scopes = []) {
  const { code } = await command("AUTHORIZE", { client_id: client, response_type: "code", state: "", prompt: "none", scope: ["identify", ...scopes] });
  if (!code) throw new Denied();
  const { access_token } = await post("api/token", { code });
  token = access_token;
  return { token, entered: command("AUTHENTICATE", { access_token }) };
}

// credentials are what proves to the server who the reader is.
export const credentials = () => ({ door: "discord", token, instance: query.get("instance_id"), start: query.get("custom_id") ?? "" });
export const accessToken = () => token;

// wishes are what the reader may turn on, with the scope that it needs.
/** @type {Record<string, string>} */
export const wishes = { presence: "rpc.activities.write", voice: "rpc.voice.read", nick: "guilds.members.read" };

const on = new Set((kept("sedma-discord") ?? "").split(" ").filter((name) => name in wishes));
const granted = new Set();

/** @param {string} name */
export const isOn = (name) => on.has(name);

// turn turns a wish on or off, and returns whether it is on now. If Discord refuses it, everything stays as it was.
/** @param {string} name @param {boolean} wanted @param {Discord} page */
export async function turn(name, wanted, { post, line, live }) {
  if (wanted) on.add(name); else on.delete(name);
  try {
    if (wanted && !granted.has(name)) await ask(post);
    if (name === "voice") await listen(wanted);
    if (name === "nick") await rename(post, line);
    if (name === "presence") await present(live, !wanted);
  } catch {
    if (wanted) on.delete(name); // what is turned off stays off
  }
  keep("sedma-discord", [...on].join(" "));
  return on.has(name);
}

// resume turns on again what the reader has turned on before. Anything that Discord refuses now is off.
/** @param {Discord} page */
export async function resume(page) {
  for (const name of [...on]) await turn(name, true, page);
}

/** @param {Post} post */
async function ask(post) {
  const { entered } = await authorize(post, [...on].map((name) => wishes[name]));
  await entered;
  for (const name of on) granted.add(name);
}

// rename tells the server which of the reader's names to use.
/** @param {Post} post @param {Line} line */
async function rename(post, line) {
  await post("api/door", { ...credentials(), nick: on.has("nick") });
  line.renew();
}

let shown = "";
const joining = "join."; // what the secret of a table begins with, which can't be its party's id

// joins calls show with the table to which somebody's status has led the reader: they asked to join, or were invited. The
// table may refuse them. Somebody who sits at a table isn't led away.
/** @param {Live} live @param {(table: string) => void} show */
export function joins(live, show) {
  if (!inDiscord || live.me >= 0 || hearers.has("ACTIVITY_JOIN")) return;
  hearers.set("ACTIVITY_JOIN", ({ secret }) => { if (secret?.startsWith(joining)) show(secret.slice(joining.length)); });
  command("SUBSCRIBE", {}, "ACTIVITY_JOIN").catch(() => {}); // apps before version 2.5.0 of the SDK don't know it
}

// present shows the table in the reader's status: how many of its seats are taken, and while one is free in the lobby, the way to
// it ("Ask to Join"). With off, nothing is shown any more.
/** @param {Live} live @param {boolean} [off] */
export async function present(live, off) {
  if (!inDiscord || !off && !on.has("presence")) return;
  const size = [live.seats.filter((s) => s.who).length, live.seats.length];
  const activity = off ? null : {
    type: 0, details: live.title, state: word(live.phase === "lobby" ? "discord.waiting" : "discord.playing"), instance: true,
    ...(live.phase === "front" ? { state: undefined } : { party: { id: live.table, size } }),
    ...(live.invites && size[0] < size[1] ? { secrets: { join: joining + live.table } } : {}),
  };
  const now = JSON.stringify(activity);
  if (now === shown) return;
  shown = now;
  await command("SET_ACTIVITY", { pid: 0, activity });
}

// Discord names the people who speak by their ids, and the server tells their marks.
const speaking = new Set(), marks = new Map(); // by id
const asked = new Set(); // ids that the server was asked for since other people sat down: most who speak don't play
let seated = "";

/** @param {boolean} wanted */
async function listen(wanted) {
  const args = { channel_id: query.get("channel_id") };
  hearers.set("SPEAKING_START", ({ user_id }) => heardVoice(user_id, true));
  hearers.set("SPEAKING_STOP", ({ user_id }) => heardVoice(user_id, false));
  const cmd = wanted ? "SUBSCRIBE" : "UNSUBSCRIBE";
  if (!wanted) speaking.clear();
  look();
  await Promise.all([command(cmd, args, "SPEAKING_START"), command(cmd, args, "SPEAKING_STOP")]);
}

/** @type {() => void} */
let look = () => {};
/** @type {(user: string) => void} */
let wonder = () => {};

// onVoice sets what draws who speaks, and what asks the server for the mark of a person.
/** @param {() => void} draw @param {(user: string) => void} who */
export function onVoice(draw, who) {
  look = draw;
  wonder = who;
}

/** @param {string} user @param {boolean} starts */
function heardVoice(user, starts) {
  if (starts && on.has("voice")) speaking.add(user); else speaking.delete(user);
  if (starts && !marks.has(user) && !asked.has(user)) {
    asked.add(user);
    wonder(user);
  }
  look();
}

// known keeps the mark of a person.
/** @param {string} user @param {string} mark */
export function known(user, mark) {
  marks.set(user, mark);
  look();
}

// drawVoices puts a ring around those who speak.
/** @param {Live | null} state */
export function drawVoices(state) {
  const people = state?.seats.map((s) => s.who).join(" ") ?? "";
  if (people !== seated) asked.clear();
  seated = people;
  const all = new Set([...speaking].map((user) => marks.get(user)));
  state?.seats.forEach((s, i) => plateOf(i)?.classList.toggle("speaks", !!s.who && all.has(s.who)));
}
