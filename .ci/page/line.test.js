// The line to the bot, over a network that fails.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

// Socket is a WebSocket whose other side is the test.
class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  static all = [];
  readyState = Socket.CONNECTING;
  sent = [];
  constructor() { Socket.all.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.readyState = 3; }
  open() { this.readyState = Socket.OPEN; this.onopen(); }
  say(m) { this.onmessage({ data: JSON.stringify(m) }); }
  break() { this.readyState = 3; this.onclose?.(); }
}
globalThis.WebSocket = Socket;
const { Line } = await import("../../bot/web/page/line.js");

let heard, states;
function begin(t) {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"], now: 1e12 });
  return new Line(() => "ws://test/", (m) => heard.push(m), (up) => states.push(up));
}
// pass lets time pass in small steps, so that timers that begin meanwhile are on time.
function pass(t, ms) {
  for (let left = ms; left > 0; left -= 50) t.mock.timers.tick(50);
}
const socket = () => Socket.all.at(-1);
beforeEach(() => {
  heard = [];
  states = [];
  Socket.all = [];
  globalThis.window = new EventTarget();
  globalThis.document = new EventTarget();
});

test("a press without an answer is sent again, and its answer is marked", (t) => {
  const line = begin(t);
  socket().open();
  line.show("k3");
  const id = line.press("play:k3:1:0:9h", "k3");
  socket().break();
  assert.deepEqual(states, [false]);
  pass(t, 1000);
  socket().open();
  assert.deepEqual(socket().sent.map((m) => m.t), ["table", "press"], "the table first, then the press");
  assert.equal(socket().sent[1].id, id);
  socket().say({ t: "answer", id });
  assert.equal(heard[0].repeated, true);
  socket().break();
  pass(t, 1000);
  socket().open();
  assert.deepEqual(socket().sent.map((m) => m.t), ["table"], "an answered press is not sent again");
});

test("a line that says nothing for nine seconds is given up", (t) => {
  begin(t);
  socket().open();
  socket().say({ t: "ping", now: 1e12 });
  pass(t, 8900);
  assert.equal(Socket.all.length, 1);
  pass(t, 1600);
  assert.equal(Socket.all.length, 2);
  assert.deepEqual(states, [true, false]);
});

test("a clock that steps back doesn't hide that the line is silent", (t) => {
  begin(t);
  socket().open();
  socket().say({ t: "ping", now: 1e12 });
  t.mock.method(Date, "now", () => 1e12 - 36e5);
  let silent = 0;
  const from = performance.now();
  t.mock.method(performance, "now", () => from + silent);
  silent = 9500;
  pass(t, 1600);
  assert.equal(Socket.all.length, 2);
});

test("the server's time is right whatever the browser's clock does", (t) => {
  const line = begin(t);
  socket().open();
  socket().say({ t: "live", now: 5e11, live: {} });
  t.mock.method(Date, "now", () => 0);
  assert.ok(Math.abs(line.now() - 5e11) < 10000);
});

test("what only the old line knew is shown again by a press, once on each line until it is answered", (t) => {
  const line = begin(t);
  socket().open();
  line.table = "front";
  line.again = "puzzle:a:1:";
  for (let i = 0; i < 2; i++) {
    socket().break();
    pass(t, 1000);
    socket().open();
    assert.deepEqual(socket().sent.map((m) => m.press ?? m.t), ["table", "puzzle:a:1:"]);
  }
  socket().say({ t: "answer", id: line.returning });
  assert.equal(heard.at(-1).returned, true);
  line.show("front");
  socket().break();
  pass(t, 1000);
  socket().open();
  assert.deepEqual(socket().sent.map((m) => m.t), ["table"], "the reader went back to the front door");
});

test("the waits grow, but not beyond four seconds", (t) => {
  t.mock.method(Math, "random", () => 1);
  begin(t);
  const waits = [];
  for (let i = 0; i < 7; i++) {
    const n = Socket.all.length;
    socket().break();
    let ms = 0;
    for (; Socket.all.length === n; ms += 50) pass(t, 50);
    waits.push(ms);
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test("the network that is back is used at once", (t) => {
  begin(t);
  for (let i = 0; i < 6; i++) {
    socket().break();
    window.dispatchEvent(new Event("online"));
  }
  assert.equal(Socket.all.length, 7);
});

test("a session that is over connects no more", (t) => {
  begin(t);
  socket().open();
  socket().say({ t: "gone", text: "over" });
  socket().break();
  pass(t, 60000);
  assert.equal(Socket.all.length, 1);
});

test("what an old socket says is not heard", (t) => {
  begin(t);
  const old = socket();
  old.open();
  pass(t, 10000);
  socket().open();
  old.say({ t: "live", live: {} });
  assert.deepEqual(heard, []);
});

test("a question that was given up is not sent again", (t) => {
  const line = begin(t);
  socket().open();
  line.forget(line.ask({ t: "invite", at: "k3" }));
  socket().break();
  pass(t, 1000);
  socket().open();
  assert.deepEqual(socket().sent, []);
});
